#include "tests/world/model.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/decode.h"
#include "server/ops/memory.h"
#include "tests/unit/game/cmocka_all.h"
#include "tests/world/fickle_store.h"
#include "tests/world/world.h"

void model_init(struct model *model, const struct store *store)
{
	*model = (struct model){.store = store};
	map_init(&model->by_id);
}

void model_fini(struct model *model)
{
	for (size_t i = 0; i < model->count; i++) {
		free(model->rooms[i]);
	}
	free(model->rooms);
	map_fini(&model->by_id);
}

static struct model_room *find(struct model *model, const char *id)
{
	struct model_room *room = map_get(&model->by_id, id);

	if (room != NULL) {
		return room;
	}
	if (model->count == model->size) {
		model->size = model->size == 0 ? 64 : model->size * 2;
		model->rooms = memory_resize(model->rooms, model->size, sizeof(*model->rooms));
	}
	room = memory_new(1, sizeof(*room));
	message_copy(room->id, sizeof(room->id), id);
	slow_start(&room->game);
	slow_look(&room->game, &room->view);
	model->rooms[model->count] = room;
	model->count++;
	map_put(&model->by_id, room->id, room);
	return room;
}

/* Boards. */

static bool is_named(const char *name, int mark)
{
	return name != NULL && name[0] == (mark % 2 == 1 ? 'X' : 'O') && name[1] == '0' + mark;
}

static void same_square(const struct slow_view *view, int square, const struct board_square *shown)
{
	SAME(view->classical[square] != NULL, shown->classical != 0);
	if (shown->classical != 0) {
		SAME(is_named(view->classical[square], shown->classical), true);
		return;
	}
	SAME(view->spooky_count[square], shown->spooky_count);
	for (int i = 0; i < shown->spooky_count; i++) {
		SAME(is_named(view->spooky[square][i], shown->spooky[i]), true);
	}
}

static void same_measured(const struct slow_outcome *outcome, const struct measured *measured)
{
	SAME(outcome->count, measured->count);
	for (int i = 0; i < outcome->count; i++) {
		SAME(is_named(outcome->landings[i].name, measured->mark[i]), true);
		SAME(outcome->landings[i].square, measured->square[i]);
	}
}

static void same_collapse(const struct slow_view *view, const struct board *board)
{
	for (int i = 0; i < 2; i++) {
		SAME(view->choices[i], board->choices[i]);
		same_measured(&view->outcomes[i], &board->outcomes[i]);
	}
	SAME(view->cycle_count, board->cycle_count);
	for (int i = 0; i < view->cycle_count; i++) {
		SAME(view->cycle_squares[i], board->cycle[i]);
	}
}

void model_same_board(const struct model_room *room, const struct board *board)
{
	static const enum phase phases[] = {PHASE_MOVE, PHASE_COLLAPSE, PHASE_OVER};
	const struct slow_view *view = &room->view;
	bool is_over = room->status == STATUS_OVER || view->phase == SLOW_OVER;

	SAME(board->phase, is_over ? PHASE_OVER : phases[view->phase]);
	SAME(board->turn, is_over ? SEAT_NONE : view->turn == 'X' ? SEAT_X : SEAT_O);
	SAME(board->move, is_over ? room->game.count : view->move);
	for (int square = 1; square <= 9; square++) {
		same_square(view, square, &board->squares[square - 1]);
	}
	if (board->phase == PHASE_COLLAPSE) {
		same_collapse(view, board);
	}
}

/* Events. */

static bool is_guest(const char *name)
{
	return strncmp(name, "guest-", 6) == 0;
}

static void look_at_opened(struct model *model, struct model_room *room, const struct event *event)
{
	(void)model;
	SAME(event->seq, 1);
	message_copy(room->opponent, sizeof(room->opponent), event->opened.opponent);
	room->agreed = event->opened.clock;
	room->rated = event->opened.rated;
}

static bool is_nobodys(const char *name)
{
	return is_guest(name) || strncmp(name, "bot-", 4) == 0;
}

/* A seat is free, or its guest has a name of his own now; nobody sits in both. */
static void look_at_seated(struct model *model, struct model_room *room, const struct event *event)
{
	char *name = room->players[event->seated.seat - SEAT_X];
	const char *other = room->players[SEAT_O - event->seated.seat];

	(void)model;
	SAME(name[0] == '\0' || (is_guest(name) && !is_guest(event->seated.player)), true);
	assert_string_not_equal(other, event->seated.player);
	message_copy(name, NAME_SIZE, event->seated.player);
}

static void look_at_started(struct model *model, struct model_room *room, const struct event *event)
{
	(void)model;
	SAME(room->status, STATUS_WAITING);
	for (int i = 0; i < 2; i++) {
		SAME(room->players[i][0] != '\0', true);
		assert_string_equal(event->started.players[i], room->players[i]);
	}
	room->status = STATUS_PLAYING;
	room->counts = !(room->rated.set && !room->rated.on) && !is_nobodys(room->players[0]) &&
		       !is_nobodys(room->players[1]);
	room->clock = event->started.clock;
	room->clock_ms = event->at_ms;
	SAME(room->clock.set, room->agreed.set);
	SAME(room->clock.x_ms, room->agreed.base_ms);
	SAME(room->clock.o_ms, room->agreed.base_ms);
	SAME(room->clock.running, SEAT_NONE);
	model_same_board(room, &event->started.board);
}

/* The clocks: who acted has spent the time since his turn began at most, if his clock ran, and got
 * the increment; the other's stands still. */
static void look_at_clock(struct model_room *room, const struct event *event, enum seat by,
		const struct clock_running *clock)
{
	const struct clock_running *before = &room->clock;
	int64_t own = by == SEAT_X ? clock->x_ms : clock->o_ms;
	int64_t own_before = by == SEAT_X ? before->x_ms : before->o_ms;
	int64_t spent = own_before + room->agreed.increment_ms - own;
	enum seat next = room->view.turn == 'X' ? SEAT_X : SEAT_O;

	SAME(clock->set, room->agreed.set);
	if (!clock->set) {
		return;
	}
	room->acted[by - SEAT_X] = true;
	if (room->view.phase == SLOW_OVER || !room->acted[next - SEAT_X]) {
		next = SEAT_NONE;
	}
	SAME(clock->running, next);
	SAME(by == SEAT_X ? clock->o_ms : clock->x_ms, by == SEAT_X ? before->o_ms : before->x_ms);
	SAME(spent >= 0 && spent <= event->at_ms - room->clock_ms, true);
	SAME(before->running == by || spent == 0, true);
	/* Who had no time left was out of time. */
	SAME(spent < own_before, true);
	room->clock = *clock;
	room->clock_ms = event->at_ms;
}

/* What follows an action: the board; the end, stored together with it; an offer lapses. */
static void look_after_action(struct model *model, struct model_room *room,
		const struct event *event, enum seat by, const struct board *board,
		const struct clock_running *clock)
{
	slow_look(&room->game, &room->view);
	look_at_clock(room, event, by, clock);
	model_same_board(room, board);
	model->actions++;
	if (room->draw_offer != by) {
		room->draw_offer = SEAT_NONE;
	}
	if (room->view.phase == SLOW_OVER) {
		model->games++;
		SAME(fickle_store_has_event(model->store, room->id, event->seq + 1), true);
	}
}

static void look_at_moved(struct model *model, struct model_room *room, const struct event *event)
{
	const struct event_moved *moved = &event->moved;
	int other = moved->square_count == 1 ? moved->squares[0] : moved->squares[1];

	SAME(room->status, STATUS_PLAYING);
	SAME(slow_place(&room->game, moved->by == SEAT_X ? 'X' : 'O', moved->squares[0], other),
			true);
	SAME(moved->move, room->game.count);
	look_after_action(model, room, event, moved->by, &moved->board, &moved->clock);
}

static void look_at_collapsed(
		struct model *model, struct model_room *room, const struct event *event)
{
	const struct event_collapsed *collapsed = &event->collapsed;
	int choice = room->view.choices[0] == collapsed->square ? 0 : 1;

	SAME(room->status, STATUS_PLAYING);
	SAME(room->view.choices[choice], collapsed->square);
	same_measured(&room->view.outcomes[choice], &collapsed->measured);
	SAME(slow_measure(&room->game, collapsed->by == SEAT_X ? 'X' : 'O', NULL,
			     collapsed->square),
			true);
	look_after_action(model, room, event, collapsed->by, &collapsed->board, &collapsed->clock);
}

static void look_at_draw(struct model *model, struct model_room *room, const struct event *event)
{
	bool is_offer = event->type == EVENT_DRAW_OFFERED;

	(void)model;
	SAME(room->status, STATUS_PLAYING);
	/* Offered when nothing stands, declined by the other one. */
	SAME(room->draw_offer, is_offer ? SEAT_NONE : event->by == SEAT_X ? SEAT_O : SEAT_X);
	room->draw_offer = is_offer ? event->by : SEAT_NONE;
}

/* Ends that only time brings: not before it, and for the one whose time it was not. */
static void look_at_end_by_time(
		struct model *model, const struct model_room *room, const struct event *event)
{
	const struct result *result = &event->ended.result;
	int64_t passed_ms = event->at_ms - room->clock_ms;
	bool x_runs = room->clock.running == SEAT_X;

	if (result->reason == REASON_FLAG) {
		model->flags++;
		SAME(room->clock.running != SEAT_NONE, true);
		SAME(passed_ms >= (x_runs ? room->clock.x_ms : room->clock.o_ms), true);
		SAME(result->half_points_x, x_runs ? 0 : 2);
		SAME(result->half_points_o, x_runs ? 2 : 0);
	} else if (result->reason == REASON_CLAIM) {
		model->claims++;
		SAME(room->status, STATUS_PLAYING);
		SAME(result->half_points_x, room->view.turn == 'X' ? 0 : 2);
		SAME(result->half_points_o, room->view.turn == 'X' ? 2 : 0);
	} else if (result->cause == CAUSE_NO_FIRST_MOVE) {
		model->no_first_moves++;
		SAME(room->clock.set && room->clock.running == SEAT_NONE, true);
		SAME(passed_ms >= WORLD_FIRST_MOVE_MS, true);
	} else if (result->cause == CAUSE_CREATOR_LEFT) {
		model->creators_gone++;
		SAME(room->status, STATUS_WAITING);
	} else {
		SAME(result->cause == CAUSE_UNTOUCHED, false);
	}
}

static void look_at_ended(struct model *model, struct model_room *room, const struct event *event)
{
	const struct result *result = &event->ended.result;
	const struct slow_view *view = &room->view;
	bool by_board = result->reason == REASON_LINE || result->reason == REASON_FULL_BOARD;

	(void)model;
	SAME(room->status != STATUS_OVER, true);
	SAME(by_board, view->phase == SLOW_OVER);
	SAME(result->scored, result->reason != REASON_ABORTED);
	if (by_board) {
		SAME(result->reason == REASON_LINE, view->row_count > 0);
		SAME(result->half_points_x, view->half_points_x);
		SAME(result->half_points_o, view->half_points_o);
		SAME(result->line_count, view->row_count);
	}
	if (result->reason == REASON_AGREEMENT) {
		SAME(room->draw_offer != SEAT_NONE, true);
	}
	look_at_end_by_time(model, room, event);
	SAME(event->ended.ratings.set, room->counts && result->scored);
	room->ratings = event->ended.ratings;
	model->rated += room->ratings.set ? 1 : 0;
	room->status = STATUS_OVER;
	room->draw_offer = SEAT_NONE;
	room->ended_seq = event->seq;
	model_same_board(room, &event->ended.board);
}

static void look_at_rematch_offered(
		struct model *model, struct model_room *room, const struct event *event)
{
	(void)model;
	(void)event;
	SAME(room->status, STATUS_OVER);
}

static void look_at_rematch(struct model *model, struct model_room *room, const struct event *event)
{
	const struct model_room *new;

	SAME(room->status, STATUS_OVER);
	new = model_reach(model, event->new_room, 4);
	for (int i = 0; i < 2; i++) {
		SAME(new->players[1 - i][0] != '\0', true);
	}
}

typedef void look_fn(struct model *model, struct model_room *room, const struct event *event);

static look_fn *const looks[EVENT_COUNT] = {
		[EVENT_OPENED] = look_at_opened,
		[EVENT_SEATED] = look_at_seated,
		[EVENT_STARTED] = look_at_started,
		[EVENT_MOVED] = look_at_moved,
		[EVENT_COLLAPSED] = look_at_collapsed,
		[EVENT_DRAW_OFFERED] = look_at_draw,
		[EVENT_DRAW_DECLINED] = look_at_draw,
		[EVENT_ENDED] = look_at_ended,
		[EVENT_REMATCH_OFFERED] = look_at_rematch_offered,
		[EVENT_REMATCH] = look_at_rematch,
};

static void look(struct model *model, struct model_room *room, const struct bytes *line)
{
	struct message message;
	const struct event *event = &message.event;

	if (!decode_message(line->data, line->length - 1, &message)) {
		fail_msg("no message: %.*s", (int)line->length, line->data);
	}
	SAME(message.kind, MESSAGE_EVENT);
	if (event->type >= EVENT_STATE || event->seq != room->seq + 1 ||
			event->at_ms < room->at_ms || strcmp(event->room, room->id) != 0) {
		fail_msg("no event that can follow: %.*s", (int)line->length, line->data);
	}
	looks[event->type](model, room, event);
	room->seq = event->seq;
	room->at_ms = event->at_ms;
	message_fini(&message);
}

struct model_room *model_reach(struct model *model, const char *id, int64_t seq)
{
	struct model_room *room = find(model, id);
	struct bytes *const *lines;
	size_t count;

	if (room->seq >= seq) {
		return room;
	}
	lines = fickle_store_lines(model->store, id, &count);
	if (seq > (int64_t)count) {
		fail_msg("event %lld of room %s is not stored", (long long)seq, id);
	}
	while (room->seq < seq) {
		look(model, room, lines[room->seq]);
	}
	return room;
}

struct model_room *model_catch_up(struct model *model, const char *id)
{
	size_t count;

	fickle_store_lines(model->store, id, &count);
	return model_reach(model, id, (int64_t)count);
}

/* A snapshot's clocks are those of the last action, but for the one that runs. */
static void model_same_clock(const struct model_room *room, const struct snapshot *state)
{
	const struct clock_running *clock = &state->clock;
	bool x_may_be_less = room->clock.running == SEAT_X;
	bool o_may_be_less = room->clock.running == SEAT_O;

	SAME(state->agreed.set, room->agreed.set);
	/* What a clock showed at the end goes with the events. */
	if (state->status == STATUS_OVER && !clock->set) {
		return;
	}
	SAME(clock->set, room->clock.set);
	SAME(clock->running, room->status == STATUS_OVER ? SEAT_NONE : room->clock.running);
	SAME(clock->x_ms >= 0 && clock->x_ms <= room->clock.x_ms, true);
	SAME(clock->o_ms >= 0 && clock->o_ms <= room->clock.o_ms, true);
	SAME(x_may_be_less || clock->x_ms == room->clock.x_ms, true);
	SAME(o_may_be_less || clock->o_ms == room->clock.o_ms, true);
}

/* In a room that is over a guest is called as he is today; where nobody played nobody sits any more
 * once it was out of memory. */
static void same_name(const struct model_room *room, const char *name, const char *then)
{
	bool was_played = room->players[0][0] != '\0' && room->players[1][0] != '\0';
	bool may_differ = name[0] == '\0' ? !was_played : is_guest(then);

	if (room->status != STATUS_OVER || !may_differ) {
		assert_string_equal(name, then);
	}
}

void model_same_state(struct model *model, const struct snapshot *state)
{
	const struct model_room *room = model_reach(model, state->room, state->seq);

	if (room->seq > state->seq) {
		return;
	}
	SAME(state->status, room->status);
	SAME(state->at_ms, room->at_ms);
	SAME(state->draw_offer, room->draw_offer);
	for (int i = 0; i < 2; i++) {
		same_name(room, state->players[i].name, room->players[i]);
	}
	model_same_board(room, &state->board);
	model_same_clock(room, state);
}
