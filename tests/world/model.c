#include "tests/world/model.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/decode.h"
#include "server/ops/memory.h"
#include "tests/unit/game/cmocka_all.h"
#include "tests/world/fickle_store.h"

/* cmocka's asserts are slow for what is compared so often; this one speaks up only if false. */
#define SAME(a, b)                                                                                 \
	do {                                                                                       \
		if ((a) != (b)) {                                                                  \
			assert_int_equal(a, b);                                                    \
		}                                                                                  \
	} while (0)

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
	model_same_board(room, &event->started.board);
}

/* What follows an action: the board; the end, stored together with it; an offer lapses. */
static void look_after_action(struct model *model, struct model_room *room,
		const struct event *event, enum seat by, const struct board *board)
{
	slow_look(&room->game, &room->view);
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
	look_after_action(model, room, event, moved->by, &moved->board);
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
	look_after_action(model, room, event, collapsed->by, &collapsed->board);
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
		assert_string_equal(state->players[i].name, room->players[i]);
	}
	model_same_board(room, &state->board);
}
