/* Applying stored events: what can't follow is refused and changes nothing, and the same events
 * make the same room. */
#include "tests/unit/game/random.h"
#include "tests/unit/game/rooms.h"
#include "tests/unit/game/slow_model.h"

static void same_result(const struct result *a, const struct result *b)
{
	SAME(a->reason, b->reason);
	SAME(a->cause, b->cause);
	SAME(a->scored, b->scored);
	SAME(a->half_points_x, b->half_points_x);
	SAME(a->half_points_o, b->half_points_o);
	SAME(a->line_count, b->line_count);
	for (int i = 0; i < 2; i++) {
		SAME(a->lines[i].seat, b->lines[i].seat);
		SAME(a->lines[i].max, b->lines[i].max);
		SAME(memcmp(a->lines[i].squares, b->lines[i].squares, 3), 0);
	}
}

static void same_clock(const struct clock_agreed *a, const struct clock_agreed *b)
{
	SAME(a->set, b->set);
	SAME(a->base_ms, b->base_ms);
	SAME(a->increment_ms, b->increment_ms);
}

static void same_clocks(const struct clock_running *a, const struct clock_running *b)
{
	SAME(a->set, b->set);
	SAME(a->x_ms, b->x_ms);
	SAME(a->o_ms, b->o_ms);
	SAME(a->running, b->running);
}

static void same_game(const struct room *a, const struct room *b)
{
	SAME(memcmp(&a->game, &b->game, sizeof(a->game)), 0);
	SAME(a->action_count, b->action_count);
	SAME(a->acted[0], b->acted[0]);
	SAME(a->acted[1], b->acted[1]);
	same_clocks(&a->left, &b->left);
	for (int i = 0; i < RULES_GAME_MAX; i++) {
		SAME(a->actions[i].kind, b->actions[i].kind);
		SAME(a->actions[i].mark, b->actions[i].mark);
		SAME(a->actions[i].squares[0], b->actions[i].squares[0]);
		SAME(a->actions[i].squares[1], b->actions[i].squares[1]);
	}
}

/* Everything that a room is. */
static void same_room(const struct room *a, const struct room *b)
{
	SAME(strcmp(a->id, b->id), 0);
	SAME(a->seq, b->seq);
	SAME(a->created_ms, b->created_ms);
	SAME(a->started_ms, b->started_ms);
	SAME(a->at_ms, b->at_ms);
	SAME(a->status, b->status);
	SAME(a->is_private, b->is_private);
	SAME(strcmp(a->title, b->title), 0);
	same_clock(&a->clock, &b->clock);
	SAME(strcmp(a->opponent, b->opponent), 0);
	SAME(strcmp(a->creator, b->creator), 0);
	SAME(strcmp(a->players[0], b->players[0]), 0);
	SAME(strcmp(a->players[1], b->players[1]), 0);
	same_game(a, b);
	SAME(a->draw_offer, b->draw_offer);
	SAME(a->rematch_offer, b->rematch_offer);
	SAME(strcmp(a->rematch, b->rematch), 0);
	SAME(a->has_result, b->has_result);
	same_result(&a->result, &b->result);
}

/* Events that can't follow. */

/* Lives until the next one is made. */
static struct event *next_event(const struct room *room, enum event_type type)
{
	static struct event event;

	memset(&event, 0, sizeof(event));
	event.type = type;
	message_copy(event.room, sizeof(event.room), ROOM_ID);
	event.seq = room->seq + 1;
	event.at_ms = room->at_ms + 1;
	return &event;
}

static struct event *moved(const struct room *room, enum seat by, uint8_t one, uint8_t other)
{
	struct event *event = next_event(room, EVENT_MOVED);

	event->moved.by = by;
	event->moved.move = (uint8_t)(room->game.moves + 1);
	event->moved.square_count = one == other ? 1 : 2;
	event->moved.squares[0] = one;
	event->moved.squares[1] = one == other ? 0 : other;
	return event;
}

static struct event *collapsed(const struct room *room, enum seat by, uint8_t square)
{
	struct event *event = next_event(room, EVENT_COLLAPSED);

	event->collapsed.by = by;
	event->collapsed.move = room->game.moves;
	event->collapsed.square = square;
	return event;
}

static struct event *said_by(const struct room *room, enum event_type type, enum seat by)
{
	struct event *event = next_event(room, type);

	event->by = by;
	return event;
}

static struct event *seated(const struct room *room, enum seat seat, const char *player)
{
	struct event *event = next_event(room, EVENT_SEATED);

	event->seated.seat = seat;
	message_copy(event->seated.player, sizeof(event->seated.player), player);
	return event;
}

static struct event *rematch(const struct room *room, const char *new_room)
{
	struct event *event = next_event(room, EVENT_REMATCH);

	message_copy(event->new_room, sizeof(event->new_room), new_room);
	return event;
}

static void refused(struct room *room, const struct event *event)
{
	struct room before;

	memcpy(&before, room, sizeof(before));
	assert_false(room_apply(room, event));
	assert_memory_equal(room, &before, sizeof(before));
}

static void applied(struct room *room, const struct event *event)
{
	assert_true(room_apply(room, event));
	assert_int_equal(room->seq, event->seq);
	assert_int_equal(room->at_ms, event->at_ms);
}

static void a_room_begins_with_opened_and_with_1(void **unused)
{
	struct room room;

	(void)unused;
	memset(&room, 0, sizeof(room));
	for (int type = 0; type < EVENT_COUNT; type++) {
		if (type != EVENT_OPENED) {
			refused(&room, next_event(&room, (enum event_type)type));
		}
	}
	struct event *event = next_event(&room, EVENT_OPENED);
	event->seq = 2;
	refused(&room, event);
	event->seq = 0;
	refused(&room, event);
	event->seq = 1;
	applied(&room, event);
	assert_string_equal(room.id, ROOM_ID);
	refused(&room, next_event(&room, EVENT_OPENED));
}

static void an_event_out_of_order_is_refused(void **unused)
{
	static const int64_t wrong[] = {-1, 0, 2, 3, INT64_C(0x100000000)};
	struct room room = rooms_make("open join 1-2");

	(void)unused;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct event *event = moved(&room, SEAT_O, 3, 4);
		event->seq = room.seq + wrong[i];
		refused(&room, event);
	}
	applied(&room, moved(&room, SEAT_O, 3, 4));
}

static void another_rooms_event_is_refused(void **unused)
{
	struct room room = rooms_make("open join");
	struct event *event = moved(&room, SEAT_X, 1, 2);

	(void)unused;
	message_copy(event->room, sizeof(event->room), NEXT_ID);
	refused(&room, event);
	message_copy(event->room, sizeof(event->room), "");
	refused(&room, event);
}

static void events_that_are_never_stored_are_refused(void **unused)
{
	static const char *const rooms[] = {"open", "open join", "open join X:resign"};

	(void)unused;
	for (size_t i = 0; i < sizeof(rooms) / sizeof(*rooms); i++) {
		struct room room = rooms_make(rooms[i]);
		for (int type = EVENT_STATE; type < EVENT_COUNT; type++) {
			refused(&room, next_event(&room, (enum event_type)type));
		}
	}
}

static void a_waiting_room_takes_players_and_an_end_alone(void **unused)
{
	struct room room = rooms_make("open");

	(void)unused;
	refused(&room, next_event(&room, EVENT_STARTED)); /* one seat is free */
	refused(&room, seated(&room, SEAT_NONE, DAN));
	refused(&room, seated(&room, SEAT_O, NOBODY));
	refused(&room, moved(&room, SEAT_X, 1, 2));
	refused(&room, collapsed(&room, SEAT_X, 1));
	refused(&room, said_by(&room, EVENT_DRAW_OFFERED, SEAT_X));
	refused(&room, said_by(&room, EVENT_DRAW_DECLINED, SEAT_X));
	refused(&room, said_by(&room, EVENT_REMATCH_OFFERED, SEAT_X));
	refused(&room, rematch(&room, NEXT_ID));
	applied(&room, seated(&room, SEAT_O, DAN));
	refused(&room, moved(&room, SEAT_X, 1, 2)); /* not started */
	applied(&room, next_event(&room, EVENT_STARTED));
	assert_int_equal(room.status, STATUS_PLAYING);
	refused(&room, next_event(&room, EVENT_STARTED));
}

static void an_action_that_the_rules_refuse_is_refused(void **unused)
{
	struct room room = rooms_make("open join");

	(void)unused;
	refused(&room, moved(&room, SEAT_O, 1, 2));
	refused(&room, moved(&room, SEAT_NONE, 1, 2));
	refused(&room, moved(&room, SEAT_X, 0, 2));
	refused(&room, moved(&room, SEAT_X, 1, 10));
	refused(&room, moved(&room, SEAT_X, 1, 255));
	refused(&room, moved(&room, SEAT_X, 5, 5));
	refused(&room, collapsed(&room, SEAT_X, 1));
}

static void a_measurement_that_the_rules_refuse_is_refused(void **unused)
{
	struct room room = rooms_make("open join 1-2 1-2");

	(void)unused;
	refused(&room, moved(&room, SEAT_X, 3, 4));
	refused(&room, collapsed(&room, SEAT_O, 1));
	refused(&room, collapsed(&room, SEAT_X, 3));
	refused(&room, collapsed(&room, SEAT_X, 0));
	rooms_run(&room, "c1");
	refused(&room, moved(&room, SEAT_X, 1, 3));
	refused(&room, collapsed(&room, SEAT_X, 1));
	applied(&room, moved(&room, SEAT_X, 3, 4));
}

static void nobody_moves_on_a_board_that_is_over_though_its_end_is_still_to_come(void **unused)
{
	struct room room = rooms_make("open join 1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5");

	(void)unused;
	applied(&room, collapsed(&room, SEAT_X, 5));
	assert_int_equal(room.status, STATUS_PLAYING);
	refused(&room, moved(&room, SEAT_X, 3, 4));
	refused(&room, collapsed(&room, SEAT_X, 5));
}

static void an_offer_is_made_once_and_declined_by_the_other(void **unused)
{
	struct room room = rooms_make("open join");

	(void)unused;
	refused(&room, said_by(&room, EVENT_DRAW_DECLINED, SEAT_O));
	refused(&room, said_by(&room, EVENT_DRAW_DECLINED, SEAT_NONE));
	refused(&room, said_by(&room, EVENT_DRAW_OFFERED, SEAT_NONE));
	applied(&room, said_by(&room, EVENT_DRAW_OFFERED, SEAT_X));
	refused(&room, said_by(&room, EVENT_DRAW_OFFERED, SEAT_X));
	refused(&room, said_by(&room, EVENT_DRAW_OFFERED, SEAT_O));
	refused(&room, said_by(&room, EVENT_DRAW_DECLINED, SEAT_X));
	refused(&room, said_by(&room, EVENT_DRAW_DECLINED, SEAT_NONE));
	applied(&room, said_by(&room, EVENT_DRAW_DECLINED, SEAT_O));
	assert_int_equal(room.draw_offer, SEAT_NONE);
}

static void after_the_end_only_names_and_a_rematch_follow(void **unused)
{
	struct room room = rooms_make("open join 1-2 X:resign");

	(void)unused;
	refused(&room, next_event(&room, EVENT_STARTED));
	refused(&room, next_event(&room, EVENT_ENDED));
	refused(&room, moved(&room, SEAT_O, 3, 4));
	refused(&room, collapsed(&room, SEAT_O, 1));
	refused(&room, said_by(&room, EVENT_DRAW_OFFERED, SEAT_X));
	refused(&room, said_by(&room, EVENT_DRAW_DECLINED, SEAT_X));
	refused(&room, rematch(&room, NEXT_ID)); /* nobody has asked */
	refused(&room, said_by(&room, EVENT_REMATCH_OFFERED, SEAT_NONE));
	applied(&room, seated(&room, SEAT_X, "eva"));
	applied(&room, said_by(&room, EVENT_REMATCH_OFFERED, SEAT_O));
	refused(&room, said_by(&room, EVENT_REMATCH_OFFERED, SEAT_X));
	refused(&room, rematch(&room, NOBODY));
	applied(&room, rematch(&room, NEXT_ID));
	refused(&room, rematch(&room, "k7m2s"));
	assert_string_equal(room.rematch, NEXT_ID);
}

/* Random games. */

#define LOG_MAX 120
static struct event event_log[LOG_MAX];
static int log_count;

static const char *log_and_do(struct room *room, const struct room_command *command)
{
	static struct room_decision decision;
	const char *told = rooms_do(room, command, &decision);

	for (int i = 0; i < decision.count; i++) {
		assert_in_range(log_count, 0, LOG_MAX - 1);
		event_log[log_count++] = decision.events[i];
	}
	return told;
}

static int subscript(const char *name)
{
	return name == NULL ? 0 : name[1] - '0';
}

/* The room's board is what the slow model sees. */
static void same_board(const struct room *room, const struct slow_game *game)
{
	static const enum phase phases[] = {PHASE_MOVE, PHASE_COLLAPSE, PHASE_OVER};
	struct slow_view view;
	struct board board;

	slow_look(game, &view);
	room_board(room, &board);
	SAME(board.phase, phases[view.phase]);
	SAME("-XO"[board.turn], view.turn);
	SAME(board.move, view.move);
	for (int square = 1; square <= 9; square++) {
		const struct board_square *shown = &board.squares[square - 1];

		SAME(shown->classical, subscript(view.classical[square]));
		SAME(shown->spooky_count, view.spooky_count[square]);
		for (int i = 0; i < shown->spooky_count; i++) {
			SAME(shown->spooky[i], subscript(view.spooky[square][i]));
		}
	}
	SAME(room->status == STATUS_OVER, view.phase == SLOW_OVER);
	if (view.phase == SLOW_OVER) {
		SAME(room->result.reason, view.row_count > 0 ? REASON_LINE : REASON_FULL_BOARD);
		SAME(room->result.half_points_x, view.half_points_x);
		SAME(room->result.half_points_o, view.half_points_o);
		SAME(room->result.line_count, view.row_count);
	}
}

/* One in four is any two squares and either player, the rest is what the slow model allows. */
static void random_action(struct room *room, struct slow_game *game, uint64_t *random)
{
	bool wild = random_below(random, 4) == 0;
	enum seat by = random_below(random, 2) == 0 ? SEAT_X : SEAT_O;
	struct slow_view view;

	slow_look(game, &view);
	const int *pair = view.legal[random_below(random, view.legal_count)];
	bool measures = wild ? random_below(random, 2) == 0 : view.phase == SLOW_COLLAPSE;
	int one = wild ? random_below(random, 11) : pair[0];
	int other = wild ? random_below(random, 11) : pair[1];
	if (!wild) {
		by = view.turn == 'X' ? SEAT_X : SEAT_O;
	}
	struct room_command command = rooms_command(
			room, measures ? ROOM_COLLAPSE : ROOM_MOVE, room_player(room, by));
	command.square_count = 2;
	command.squares[0] = one;
	command.squares[1] = other;
	command.arrived_ms = random_below(random, 500);
	bool fine = measures ? slow_measure(game, "-XO"[by], NULL, one)
			     : slow_place(game, "-XO"[by], one, other);
	const char *told = log_and_do(room, &command);
	SAME(fine, told[0] == 'm' || strncmp(told, "collapsed", 9) == 0);
}

/* What people say and do beside the board; nothing of it ends the game. */
static void random_word(struct room *room, uint64_t *random)
{
	static const char *const names[] = {ALA, DAN, "eva", "fred", CYD};
	static const enum room_command_kind kinds[] = {
			ROOM_RENAME, ROOM_LEAVE, ROOM_DECLINE, ROOM_REMATCH, ROOM_JOIN, ROOM_DRAW};
	struct room_command command = rooms_command(
			room, kinds[random_below(random, 6)], names[random_below(random, 5)]);

	command.new_name = names[random_below(random, 5)];
	if (room_seat_of(room, command.new_name) != SEAT_NONE) {
		return;
	}
	command.now_ms += random_below(random, 100) - 50;
	/* An offer to who offers would be an agreement. */
	command.has_accept = room->draw_offer != SEAT_NONE;
	log_and_do(room, &command);
}

static struct room random_game(uint64_t *random)
{
	struct room room = rooms_make("");
	struct room_command open =
			rooms_read(&room, random_below(random, 2) == 0 ? "open=dan" : "open");
	struct slow_game game;

	log_count = 0;
	if (random_below(random, 2) == 0) {
		open.clock = (struct clock_agreed){true, 10000, random_below(random, 500)};
	}
	log_and_do(&room, &open);
	struct room_command join = rooms_read(&room, "join");
	log_and_do(&room, &join);
	slow_start(&game);
	while (room.status == STATUS_PLAYING && log_count < LOG_MAX - 20) {
		if (random_below(random, 5) == 0) {
			random_word(&room, random);
		} else {
			random_action(&room, &game, random);
			same_board(&room, &game);
		}
	}
	for (int i = 0; i < 8; i++) {
		random_word(&room, random);
	}
	return room;
}

static void the_events_of_random_games_make_the_same_rooms_again(void **unused)
{
	uint64_t random = random_seed();
	uint64_t games = number_from_environment("QTTT_GAMES", 20000) / 10;
	int ended = 0;

	(void)unused;
	for (uint64_t i = 0; i < games; i++) {
		struct room room = random_game(&random);
		struct room again;

		memset(&again, 0, sizeof(again));
		for (int j = 0; j < log_count; j++) {
			assert_true(room_apply(&again, &event_log[j]));
		}
		same_room(&again, &room);
		ended += room.status == STATUS_OVER;
	}
	/* A game takes 13 actions at most, so hardly any is cut off by the log's end. */
	assert_true((uint64_t)ended * 100 >= games * 99);
}

/* The first event, what lay between as a past, and the rest. */
static struct room without_the_middle(void)
{
	struct room whole = {0};
	struct room again = {0};
	int at = 0;

	for (; event_log[at].type != EVENT_ENDED; at++) {
		assert_true(room_apply(&whole, &event_log[at]));
	}
	const struct room_past past = {
			.players = {whole.players[0], whole.players[1]},
			.started_ms = whole.started_ms,
			.left = whole.left,
			.last_seq = whole.seq,
			.action_count = whole.action_count,
			.actions = whole.actions,
	};
	assert_false(room_apply_past(&again, &past));
	assert_true(room_apply(&again, &event_log[0]));
	assert_true(room_apply_past(&again, &past));
	assert_false(room_apply_past(&again, &past));
	for (; at < log_count; at++) {
		assert_true(room_apply(&again, &event_log[at]));
	}
	return again;
}

static void a_finished_game_needs_only_its_first_event_its_past_and_its_end(void **unused)
{
	uint64_t random = random_seed();

	(void)unused;
	for (int i = 0; i < 500; i++) {
		struct room room = random_game(&random);

		if (room.status != STATUS_OVER) {
			continue;
		}
		struct room again = without_the_middle();
		/* Who opened a room may have had another name then, and nobody asks any more. */
		message_copy(again.creator, sizeof(again.creator), room.creator);
		same_room(&again, &room);
	}
}

static void a_past_that_the_rules_refuse_is_none(void **unused)
{
	static const struct rules_action twice[] = {
			{.kind = RULES_PLACE, .squares = {5, 5}},
	};
	const struct room_past past = {
			.players = {ALA, DAN}, .last_seq = 9, .action_count = 1, .actions = twice};
	struct room room = {0};
	struct room before;

	(void)unused;
	applied(&room, next_event(&room, EVENT_OPENED));
	memcpy(&before, &room, sizeof(room));
	assert_false(room_apply_past(&room, &past));
	assert_memory_equal(&room, &before, sizeof(room));
}

/* What others see. */

static void a_snapshot_of_a_waiting_room_has_one_seat_taken(void **unused)
{
	struct room room = rooms_make("open=dan");
	struct snapshot snapshot;

	(void)unused;
	memset(&snapshot, 0xa5, sizeof(snapshot));
	room_snapshot(&room, &snapshot);
	assert_string_equal(snapshot.room, ROOM_ID);
	assert_int_equal(snapshot.seq, 2);
	assert_int_equal(snapshot.at_ms, room.at_ms);
	assert_int_equal(snapshot.status, STATUS_WAITING);
	assert_true(snapshot.players[0].taken);
	assert_string_equal(snapshot.players[0].name, ALA);
	assert_false(snapshot.players[1].taken);
	assert_string_equal(snapshot.players[1].name, "");
	assert_false(snapshot.has_result);
	assert_int_equal(snapshot.board.move, 1);
	assert_int_equal(snapshot.board.phase, PHASE_MOVE);
	assert_int_equal(snapshot.draw_offer, SEAT_NONE);
}

static void a_snapshot_leaves_out_what_a_room_does_not_know(void **unused)
{
	struct room room = rooms_make("open join");
	struct snapshot snapshot;

	(void)unused;
	memset(&snapshot, 0xa5, sizeof(snapshot));
	room_snapshot(&room, &snapshot);
	assert_false(snapshot.players[0].online);
	assert_false(snapshot.players[1].online);
	assert_int_equal(snapshot.spectators, 0);
	assert_int_equal(snapshot.chat_count, 0);
	assert_null(snapshot.chat);
	assert_false(snapshot.clock.set);
}

static void a_snapshot_of_a_game_shows_board_and_offer(void **unused)
{
	struct room room = rooms_make("open join 1-2 1-2 O:draw");
	struct snapshot snapshot;

	(void)unused;
	room.is_private = true;
	room.clock = (struct clock_agreed){true, 180000, 2000};
	message_copy(room.title, sizeof(room.title), "Partia");
	room_snapshot(&room, &snapshot);
	assert_int_equal(snapshot.status, STATUS_PLAYING);
	assert_string_equal(snapshot.players[1].name, DAN);
	assert_int_equal(snapshot.draw_offer, SEAT_O);
	assert_int_equal(snapshot.board.phase, PHASE_COLLAPSE);
	assert_int_equal(snapshot.board.turn, SEAT_X);
	assert_true(snapshot.is_private);
	assert_string_equal(snapshot.title, "Partia");
	same_clock(&snapshot.agreed, &room.clock);
}

static void a_snapshot_of_a_resigned_game_shows_its_result(void **unused)
{
	struct room room = rooms_make("open join 1-2 1-2 O:draw X:resign");
	struct snapshot snapshot;

	(void)unused;
	room_snapshot(&room, &snapshot);
	assert_int_equal(snapshot.status, STATUS_OVER);
	assert_true(snapshot.has_result);
	assert_int_equal(snapshot.result.reason, REASON_RESIGN);
	assert_int_equal(snapshot.result.half_points_o, 2);
	assert_int_equal(snapshot.board.phase, PHASE_OVER);
	assert_int_equal(snapshot.board.turn, SEAT_NONE);
	assert_int_equal(snapshot.board.move, 2);
	assert_int_equal(snapshot.draw_offer, SEAT_NONE);
}

static void check_summary(const char *words, enum room_status status, const char *o, int move)
{
	struct room room = rooms_make(words);
	struct summary summary;

	message_copy(room.title, sizeof(room.title), "Partia");
	room.clock = (struct clock_agreed){true, 180000, 2000};
	memset(&summary, 0xa5, sizeof(summary));
	room_summary(&room, &summary);
	assert_string_equal(summary.room, ROOM_ID);
	assert_int_equal(summary.status, status);
	assert_string_equal(summary.players[0], ALA);
	assert_string_equal(summary.players[1], o);
	assert_int_equal(summary.move, move);
	assert_string_equal(summary.title, "Partia");
	same_clock(&summary.clock, &room.clock);
	assert_int_equal(summary.spectators, 0);
	assert_int_equal(summary.created_ms, room.created_ms);
}

static void a_summary_has_the_move_as_the_board_has_it(void **unused)
{
	(void)unused;
	check_summary("open", STATUS_WAITING, "", 1);
	check_summary("open join", STATUS_PLAYING, DAN, 1);
	check_summary("open join 1-2", STATUS_PLAYING, DAN, 2);
	check_summary("open join 1-2 1-2", STATUS_PLAYING, DAN, 2);
	check_summary("open join 1-2 1-2 c1", STATUS_PLAYING, DAN, 3);
	check_summary("open join 1-2 X:resign", STATUS_OVER, DAN, 1);
	check_summary("open join X:abort", STATUS_OVER, DAN, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_room_begins_with_opened_and_with_1),
			cmocka_unit_test(an_event_out_of_order_is_refused),
			cmocka_unit_test(another_rooms_event_is_refused),
			cmocka_unit_test(events_that_are_never_stored_are_refused),
			cmocka_unit_test(a_waiting_room_takes_players_and_an_end_alone),
			cmocka_unit_test(an_action_that_the_rules_refuse_is_refused),
			cmocka_unit_test(a_measurement_that_the_rules_refuse_is_refused),
			cmocka_unit_test(
					nobody_moves_on_a_board_that_is_over_though_its_end_is_still_to_come),
			cmocka_unit_test(an_offer_is_made_once_and_declined_by_the_other),
			cmocka_unit_test(after_the_end_only_names_and_a_rematch_follow),
			cmocka_unit_test(the_events_of_random_games_make_the_same_rooms_again),
			cmocka_unit_test(
					a_finished_game_needs_only_its_first_event_its_past_and_its_end),
			cmocka_unit_test(a_past_that_the_rules_refuse_is_none),
			cmocka_unit_test(a_snapshot_of_a_waiting_room_has_one_seat_taken),
			cmocka_unit_test(a_snapshot_leaves_out_what_a_room_does_not_know),
			cmocka_unit_test(a_snapshot_of_a_game_shows_board_and_offer),
			cmocka_unit_test(a_snapshot_of_a_resigned_game_shows_its_result),
			cmocka_unit_test(a_summary_has_the_move_as_the_board_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
