/* What stands in the events that commands cause: opening, playing, ending, offers, new names and
 * the room that follows. */
#include "tests/unit/game/rooms.h"

/* The decision on a word as rooms_read has them, applied; it must cause something. */
static struct room_decision run_word(struct room *room, const char *word)
{
	struct room_command command = rooms_read(room, word);
	struct room_decision decision;

	rooms_do(room, &command, &decision);
	assert_int_not_equal(decision.count, 0);
	return decision;
}

static const char *told_of(struct room *room, enum room_command_kind kind, const char *player)
{
	struct room_command command = rooms_command(room, kind, player);
	struct room_decision decision;

	return rooms_do(room, &command, &decision);
}

/* Opening and joining. */

static struct room open_on(enum seat side, bool coin, struct room_decision *ret_decision)
{
	struct room room;

	memset(&room, 0, sizeof(room));
	struct room_command command = rooms_command(&room, ROOM_OPEN, ALA);
	command.side = side;
	command.side_coin = coin;
	command.is_private = coin;
	command.title = coin ? "Wieczorna partia" : NULL;
	command.opponent = coin ? DAN : NULL;
	command.clock = (struct clock_agreed){coin, coin ? 180000 : 0, coin ? 2000 : 0};
	assert_string_equal(rooms_do(&room, &command, ret_decision), "opened seated");
	return room;
}

static void who_opens_gets_the_side_he_asks_for_else_the_coins(void **unused)
{
	static const struct {
		enum seat side;
		bool coin;
		enum seat seat;
	} sides[] = {{SEAT_X, false, SEAT_X}, {SEAT_X, true, SEAT_X}, {SEAT_O, false, SEAT_O},
			{SEAT_O, true, SEAT_O}, {SEAT_NONE, false, SEAT_O},
			{SEAT_NONE, true, SEAT_X}};

	(void)unused;
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		struct room_decision decision;
		struct room room = open_on(sides[i].side, sides[i].coin, &decision);

		assert_int_equal(decision.events[1].seated.seat, sides[i].seat);
		assert_string_equal(decision.events[1].seated.player, ALA);
		assert_int_equal(room_seat_of(&room, ALA), sides[i].seat);
		assert_string_equal(told_of(&room, ROOM_JOIN, DAN), "seated started");
		assert_int_equal(room_seat_of(&room, DAN), room_other(sides[i].seat));
	}
}

static void an_opened_room_tells_all_that_was_agreed(void **unused)
{
	struct room_decision decision;
	struct room room = open_on(SEAT_NONE, true, &decision);
	const struct event_opened *opened = &decision.events[0].opened;

	(void)unused;
	assert_string_equal(opened->player, ALA);
	assert_true(opened->is_private);
	assert_string_equal(opened->title, "Wieczorna partia");
	assert_string_equal(opened->opponent, DAN);
	assert_int_equal(opened->clock.base_ms, 180000);
	assert_int_equal(opened->clock.increment_ms, 2000);
	assert_string_equal(room.id, ROOM_ID);
	assert_string_equal(room.creator, ALA);
	assert_int_equal(room.status, STATUS_WAITING);
	assert_int_equal(room.created_ms, decision.events[0].at_ms);
	assert_int_equal(room.started_ms, 0);

	room = open_on(SEAT_NONE, false, &decision);
	assert_false(opened->is_private);
	assert_string_equal(opened->title, "");
	assert_string_equal(opened->opponent, "");
	assert_false(opened->clock.set);
}

static void names_and_titles_may_be_as_long_as_they_can_be(void **unused)
{
	char name[NAME_SIZE];
	char title[TITLE_SIZE];
	struct room room;
	struct room_decision decision;

	(void)unused;
	memset(name, 'n', sizeof(name));
	memset(title, 't', sizeof(title));
	name[sizeof(name) - 1] = '\0';
	title[sizeof(title) - 1] = '\0';
	memset(&room, 0, sizeof(room));
	struct room_command command = rooms_command(&room, ROOM_OPEN, name);
	command.title = title;
	command.opponent = name;
	assert_string_equal(rooms_do(&room, &command, &decision), "opened seated");
	assert_string_equal(room.title, title);
	assert_string_equal(room.opponent, name);
	assert_string_equal(room.creator, name);
	assert_string_equal(room_player(&room, SEAT_O), name);
}

static void a_game_starts_when_the_second_player_sits(void **unused)
{
	struct room room = rooms_make("open");
	struct room_decision decision = run_word(&room, "join");
	const struct event_seated *seated = &decision.events[0].seated;
	const struct event_started *started = &decision.events[1].started;

	(void)unused;
	assert_int_equal(seated->seat, SEAT_O);
	assert_string_equal(seated->player, DAN);
	assert_string_equal(started->players[0], ALA);
	assert_string_equal(started->players[1], DAN);
	assert_int_equal(started->board.move, 1);
	assert_int_equal(started->board.turn, SEAT_X);
	assert_int_equal(started->board.phase, PHASE_MOVE);
	assert_int_equal(room.status, STATUS_PLAYING);
	assert_int_equal(room.started_ms, decision.events[1].at_ms);
}

/* Playing. */

static void a_move_is_told_with_its_squares_ascending(void **unused)
{
	struct room room = rooms_make("open join 1-2");
	struct room_decision decision = run_word(&room, "9-5");
	const struct event_moved *moved = &decision.events[0].moved;

	(void)unused;
	assert_int_equal(moved->by, SEAT_O);
	assert_int_equal(moved->move, 2);
	assert_int_equal(moved->square_count, 2);
	assert_memory_equal(moved->squares, ((uint8_t[]){5, 9}), 2);
	assert_int_equal(moved->board.move, 3);
	assert_int_equal(moved->board.turn, SEAT_X);
	assert_int_equal(moved->board.squares[8].spooky[0], 2);
}

static void a_move_that_closes_a_cycle_shows_what_may_become_of_it(void **unused)
{
	struct room room = rooms_make("open join 1-2");
	struct room_decision decision = run_word(&room, "2-1");
	const struct board *board = &decision.events[0].moved.board;

	(void)unused;
	assert_int_equal(board->phase, PHASE_COLLAPSE);
	assert_int_equal(board->turn, SEAT_X);
	assert_int_equal(board->move, 2);
	assert_memory_equal(board->choices, ((uint8_t[]){1, 2}), 2);
	assert_int_equal(board->outcomes[1].square[0], 2);
}

static void a_measurement_is_told_as_its_outcome_was(void **unused)
{
	struct room room = rooms_make("open join 1-2 2-3 2-5 3-1");
	struct board before;

	(void)unused;
	room_board(&room, &before);
	struct room_decision decision = run_word(&room, "c3");
	const struct event_collapsed *collapsed = &decision.events[0].collapsed;
	assert_int_equal(collapsed->by, SEAT_X);
	assert_int_equal(collapsed->move, 4);
	assert_int_equal(collapsed->square, 3);
	assert_int_equal(collapsed->measured.count, before.outcomes[1].count);
	assert_memory_equal(collapsed->measured.mark, before.outcomes[1].mark, 9);
	assert_memory_equal(collapsed->measured.square, before.outcomes[1].square, 9);
	assert_int_equal(collapsed->board.squares[2].classical, 4);
	assert_int_equal(collapsed->board.phase, PHASE_MOVE);
	assert_int_equal(collapsed->board.turn, SEAT_X);
}

/* Ending. */

static void assert_nobody_acts(const struct board *board)
{
	assert_int_equal(board->phase, PHASE_OVER);
	assert_int_equal(board->turn, SEAT_NONE);
}

/* The last event of the last word must be an `ended` like this one. */
static struct result ended_by(const char *words, const char *word)
{
	struct room room = rooms_make(words);
	struct room_decision decision = run_word(&room, word);
	const struct event *event = &decision.events[decision.count - 1];

	assert_int_equal(event->type, EVENT_ENDED);
	assert_nobody_acts(&event->ended.board);
	assert_int_equal(room.status, STATUS_OVER);
	assert_true(room.has_result);
	assert_int_equal(room.result.reason, event->ended.result.reason);
	assert_int_equal(room.result.line_count, event->ended.result.line_count);
	return event->ended.result;
}

static void games_that_end_without_a_line_have_the_contracts_score(void **unused)
{
	static const struct {
		const char *words, *word;
		struct result result;
	} ends[] = {
			{"open join 1-2", "X:resign",
					{REASON_RESIGN, CAUSE_NONE, true, 0, 2, 0, {{0}}}},
			{"open join 1-2", "O:resign",
					{REASON_RESIGN, CAUSE_NONE, true, 2, 0, 0, {{0}}}},
			{"open join 1-2", "O:abort",
					{REASON_ABORTED, CAUSE_REQUEST, false, 0, 0, 0, {{0}}}},
			{"open join X:draw", "O:draw",
					{REASON_AGREEMENT, CAUSE_NONE, true, 0, 0, 0, {{0}}}},
			{"open", "X:leave",
					{REASON_ABORTED, CAUSE_CREATOR_LEFT, false, 0, 0, 0,
							{{0}}}},
			{"open=dan", "O:decline",
					{REASON_ABORTED, CAUSE_DECLINED, false, 0, 0, 0, {{0}}}},
			{"open join 2-7 8-9 5-8 2-3 1-7 2-4 3-8 4-5 c5", "6-6",
					{REASON_FULL_BOARD, CAUSE_NONE, true, 0, 0, 0, {{0}}}},
			{"open join 5-7 5-9 3-8 2-8 1-9 4-5 3-6 4-9 c9 2-6", "c6",
					{REASON_FULL_BOARD, CAUSE_NONE, true, 0, 0, 0, {{0}}}},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct result result = ended_by(ends[i].words, ends[i].word);

		assert_int_equal(result.reason, ends[i].result.reason);
		assert_int_equal(result.cause, ends[i].result.cause);
		assert_int_equal(result.scored, ends[i].result.scored);
		assert_int_equal(result.half_points_x, ends[i].result.half_points_x);
		assert_int_equal(result.half_points_o, ends[i].result.half_points_o);
		assert_int_equal(result.line_count, 0);
	}
}

static void a_line_ends_the_game_with_its_score(void **unused)
{
	static const struct {
		const char *words, *word;
		struct result result;
	} ends[] = {
			{"open join 2-7 7-9 4-6 5-9 1-5 6-9 2-8 2-9 c9", "3-3",
					{REASON_LINE, CAUSE_NONE, true, 2, 0, 1,
							{{SEAT_X, {1, 2, 3}, 9}}}},
			{"open join 4-9 4-7 6-7 2-5 6-8 6-9 c9 1-3 3-5 2-5", "c2",
					{REASON_LINE, CAUSE_NONE, true, 0, 2, 1,
							{{SEAT_O, {3, 5, 7}, 8}}}},
			/* Both have a line: the earlier one is worth 1, the later ½. */
			{"open join 1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5", "c5",
					{REASON_LINE, CAUSE_NONE, true, 1, 2, 2,
							{{SEAT_O, {7, 8, 9}, 6},
									{SEAT_X, {1, 2, 3}, 7}}}},
			{"open join 5-8 7-9 4-7 2-7 6-7 3-9 3-4 c4 1-8 1-5", "c1",
					{REASON_LINE, CAUSE_NONE, true, 3, 0, 2,
							{{SEAT_X, {4, 5, 6}, 7},
									{SEAT_X, {1, 4, 7}, 9}}}},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct result result = ended_by(ends[i].words, ends[i].word);

		assert_int_equal(result.reason, REASON_LINE);
		assert_true(result.scored);
		assert_int_equal(result.half_points_x, ends[i].result.half_points_x);
		assert_int_equal(result.half_points_o, ends[i].result.half_points_o);
		assert_int_equal(result.line_count, ends[i].result.line_count);
		for (int line = 0; line < result.line_count; line++) {
			const struct line_made *expected = &ends[i].result.lines[line];

			assert_int_equal(result.lines[line].seat, expected->seat);
			assert_int_equal(result.lines[line].max, expected->max);
			assert_memory_equal(result.lines[line].squares, expected->squares, 3);
		}
	}
}

static void the_action_that_ends_a_game_shows_the_board_over(void **unused)
{
	struct room room = rooms_make("open join 1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5");
	struct room_decision decision = run_word(&room, "c5");

	(void)unused;
	assert_int_equal(decision.count, 2);
	assert_nobody_acts(&decision.events[0].collapsed.board);
	room = rooms_make("open join 2-7 8-9 5-8 2-3 1-7 2-4 3-8 4-5 c5");
	decision = run_word(&room, "6-6");
	assert_int_equal(decision.count, 2);
	assert_nobody_acts(&decision.events[0].moved.board);
	assert_int_equal(decision.events[0].moved.board.move, 9);
}

/* Draws. */

static const char *draw(struct room *room, const char *player, const char *answer)
{
	struct room_command command = rooms_command(room, ROOM_DRAW, player);
	struct room_decision decision;

	command.has_accept = answer != NULL;
	command.accept = answer != NULL && strcmp(answer, "yes") == 0;
	return rooms_do(room, &command, &decision);
}

static void nobody_offers_a_draw_without_end(void **unused)
{
	struct room room = rooms_make("open join");

	(void)unused;
	for (int i = 0; i < ROOM_DRAW_OFFERS_MAX; i++) {
		assert_string_equal(draw(&room, ALA, NULL), "draw_offered");
		assert_string_equal(draw(&room, DAN, "no"), "draw_declined");
	}
	assert_string_equal(draw(&room, ALA, NULL), "not_allowed");
	assert_string_equal(draw(&room, DAN, NULL), "draw_offered");
	assert_string_equal(draw(&room, ALA, "no"), "draw_declined");
}

static void an_offer_stands_until_it_is_answered(void **unused)
{
	struct room room = rooms_make("open join X:draw");

	(void)unused;
	assert_int_equal(room.draw_offer, SEAT_X);
	assert_string_equal(draw(&room, ALA, NULL), "-");
	assert_string_equal(draw(&room, ALA, "yes"), "no_offer");
	assert_string_equal(draw(&room, ALA, "no"), "no_offer");
	assert_string_equal(draw(&room, CYD, "yes"), "not_seated");
	assert_string_equal(draw(&room, DAN, "no"), "draw_declined");
	assert_int_equal(room.draw_offer, SEAT_NONE);
	assert_string_equal(draw(&room, DAN, "yes"), "no_offer");
	assert_string_equal(draw(&room, DAN, NULL), "draw_offered");
	assert_int_equal(room.draw_offer, SEAT_O);
	assert_string_equal(draw(&room, ALA, "yes"), "ended");
	assert_int_equal(room.draw_offer, SEAT_NONE);
	assert_string_equal(draw(&room, DAN, NULL), "game_over");
}

static void an_offer_to_who_offers_is_taken_as_yes(void **unused)
{
	struct room room = rooms_make("open join O:draw");

	(void)unused;
	assert_string_equal(draw(&room, ALA, NULL), "ended");
	assert_int_equal(room.result.reason, REASON_AGREEMENT);
}

static void an_offer_lapses_when_its_receiver_acts(void **unused)
{
	struct room room = rooms_make("open join X:draw 1-2");

	(void)unused;
	assert_int_equal(room.draw_offer, SEAT_X);
	rooms_run(&room, "1-2");
	assert_int_equal(room.draw_offer, SEAT_NONE);
	/* Choosing a measurement is acting too, and one's own acts leave the offer. */
	rooms_run(&room, "O:draw c1");
	assert_int_equal(room.draw_offer, SEAT_NONE);
	rooms_run(&room, "X:draw 3-4");
	assert_int_equal(room.draw_offer, SEAT_X);
	assert_string_equal(draw(&room, DAN, "yes"), "ended");
}

static void an_offer_outlives_a_refused_action(void **unused)
{
	struct room room = rooms_make("open join X:draw 1-2");
	struct room_command command = rooms_read(&room, "5-5");
	struct room_decision decision;

	(void)unused;
	assert_string_equal(rooms_do(&room, &command, &decision), "same_square");
	assert_int_equal(room.draw_offer, SEAT_X);
}

static void offers_say_by_whom(void **unused)
{
	struct room room = rooms_make("open join");

	(void)unused;
	assert_int_equal(run_word(&room, "O:draw").events[0].by, SEAT_O);
	assert_int_equal(run_word(&room, "X:no").events[0].by, SEAT_X);
	rooms_run(&room, "X:abort");
	assert_int_equal(run_word(&room, "O:rematch").events[0].by, SEAT_O);
}

/* New names. */

static void rename_to(struct room *room, const char *player, const char *new_name)
{
	struct room_command command = rooms_command(room, ROOM_RENAME, player);
	enum seat seat = room_seat_of(room, player);
	struct room_decision decision;

	command.new_name = new_name;
	assert_string_equal(rooms_do(room, &command, &decision), "seated");
	assert_int_equal(decision.events[0].seated.seat, seat);
	assert_string_equal(decision.events[0].seated.player, new_name);
	assert_int_equal(room_seat_of(room, new_name), seat);
	assert_int_equal(room_seat_of(room, player), SEAT_NONE);
}

static void a_creators_new_name_is_the_creators_name(void **unused)
{
	struct room room = rooms_make("open");

	(void)unused;
	rename_to(&room, ALA, "eva");
	assert_string_equal(room.creator, "eva");
	assert_int_equal(room.status, STATUS_WAITING);
	assert_string_equal(told_of(&room, ROOM_LEAVE, ALA), "-");
	assert_string_equal(told_of(&room, ROOM_JOIN, DAN), "seated started");
	assert_string_equal(told_of(&room, ROOM_RESIGN, ALA), "not_seated");
	assert_string_equal(told_of(&room, ROOM_RESIGN, "eva"), "ended");
}

static void the_other_players_new_name_leaves_the_creators(void **unused)
{
	struct room room = rooms_make("open=dan join 1-2");

	(void)unused;
	rename_to(&room, DAN, "fred");
	assert_string_equal(room.creator, ALA);
	assert_string_equal(room_player(&room, SEAT_X), ALA);
	assert_int_equal(room.status, STATUS_PLAYING);
	assert_string_equal(told_of(&room, ROOM_DRAW, "fred"), "draw_offered");
}

static void a_room_that_is_over_stays_so_with_a_new_name(void **unused)
{
	struct room room = rooms_make("open join X:resign X:rematch");

	(void)unused;
	rename_to(&room, ALA, "eva");
	rename_to(&room, DAN, "fred");
	assert_int_equal(room.status, STATUS_OVER);
	assert_string_equal(told_of(&room, ROOM_REMATCH, "eva"), "-");
	assert_string_equal(told_of(&room, ROOM_REMATCH, "fred"), "rematch");
}

/* Rematches. */

static void a_rematch_opens_one_new_room_when_both_have_asked(void **unused)
{
	struct room room = rooms_make("open join X:resign O:rematch");
	struct room_decision decision;

	(void)unused;
	assert_int_equal(room.rematch_offer, SEAT_O);
	decision = run_word(&room, "X:rematch");
	assert_int_equal(decision.count, 1);
	assert_true(decision.opens_rematch);
	assert_string_equal(decision.events[0].new_room, NEXT_ID);
	assert_string_equal(room.rematch, NEXT_ID);
	struct room_command again = rooms_read(&room, "O:rematch");
	assert_string_equal(rooms_do(&room, &again, &decision), "-");
	assert_false(decision.opens_rematch);
}

static void the_first_ask_opens_nothing(void **unused)
{
	struct room room = rooms_make("open join X:resign");

	(void)unused;
	assert_false(run_word(&room, "X:rematch").opens_rematch);
	assert_string_equal(room.rematch, "");
}

static struct room apply_rematch(const struct room *old, int64_t now_ms)
{
	struct event events[ROOM_REMATCH_EVENTS];
	struct room room;

	memset(&room, 0, sizeof(room));
	memset(events, 0xa5, sizeof(events));
	room_open_rematch(old, NEXT_ID, now_ms, events);
	for (int i = 0; i < ROOM_REMATCH_EVENTS; i++) {
		assert_string_equal(events[i].room, NEXT_ID);
		assert_int_equal(events[i].seq, i + 1);
		assert_int_equal(events[i].at_ms, now_ms > old->at_ms ? now_ms : old->at_ms);
		assert_true(room_apply(&room, &events[i]));
	}
	assert_int_equal(events[3].type, EVENT_STARTED);
	assert_string_equal(events[3].started.players[0], room_player(&room, SEAT_X));
	assert_string_equal(events[3].started.players[1], room_player(&room, SEAT_O));
	assert_int_equal(events[3].started.board.move, 1);
	assert_int_equal(events[3].started.board.turn, SEAT_X);
	return room;
}

static void the_room_that_follows_has_sides_changed_and_all_else_kept(void **unused)
{
	struct room_decision decision;
	struct room old = open_on(SEAT_NONE, true, &decision);

	(void)unused;
	rooms_run(&old, "join 1-2 X:resign O:rematch X:rematch");
	struct room room = apply_rematch(&old, old.at_ms + 5);
	assert_string_equal(room.id, NEXT_ID);
	assert_int_equal(room.status, STATUS_PLAYING);
	assert_int_equal(room_seat_of(&room, DAN), SEAT_X);
	assert_int_equal(room_seat_of(&room, ALA), SEAT_O);
	/* He who asked first is the one who opens. */
	assert_string_equal(room.creator, DAN);
	assert_true(room.is_private);
	assert_string_equal(room.title, "Wieczorna partia");
	assert_true(room.clock.set);
	assert_int_equal(room.clock.base_ms, 180000);
	assert_int_equal(room.clock.increment_ms, 2000);
	assert_int_equal(room.left.x_ms, 180000);
	assert_int_equal(room.left.o_ms, 180000);
	assert_int_equal(room.game.moves, 0);
	assert_int_equal(room.rematch_offer, SEAT_NONE);
	assert_false(room.has_result);
	assert_string_equal(room.opponent, "");
}

static void a_public_rooms_rematch_is_public(void **unused)
{
	struct room old = rooms_make("open join X:resign X:rematch");
	struct room room = apply_rematch(&old, old.at_ms);

	(void)unused;
	assert_false(room.is_private);
	assert_string_equal(room.title, "");
	assert_string_equal(room.creator, ALA);
	assert_false(room.clock.set);
}

static void a_rematch_knows_the_players_by_their_new_names(void **unused)
{
	struct room old = rooms_make("open join X:resign X:rematch");

	(void)unused;
	rename_to(&old, ALA, "eva");
	struct room room = apply_rematch(&old, old.at_ms);
	assert_string_equal(room.creator, "eva");
	assert_int_equal(room_seat_of(&room, "eva"), SEAT_O);
	assert_int_equal(room_seat_of(&room, DAN), SEAT_X);
}

/* Time. */

static void a_rooms_time_never_goes_back(void **unused)
{
	struct room room = rooms_make("open");
	struct room_command command = rooms_command(&room, ROOM_JOIN, DAN);
	struct room_decision decision;
	int64_t before = room.at_ms;

	(void)unused;
	command.now_ms = before - 5;
	assert_string_equal(rooms_do(&room, &command, &decision), "seated started");
	assert_int_equal(room.at_ms, before);
	assert_int_equal(room.started_ms, before);
	rooms_run(&room, "X:resign X:rematch");
	assert_true(room.at_ms > before);
	struct room next = apply_rematch(&room, before);
	assert_int_equal(next.created_ms, room.at_ms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(who_opens_gets_the_side_he_asks_for_else_the_coins),
			cmocka_unit_test(an_opened_room_tells_all_that_was_agreed),
			cmocka_unit_test(names_and_titles_may_be_as_long_as_they_can_be),
			cmocka_unit_test(a_game_starts_when_the_second_player_sits),
			cmocka_unit_test(a_move_is_told_with_its_squares_ascending),
			cmocka_unit_test(a_move_that_closes_a_cycle_shows_what_may_become_of_it),
			cmocka_unit_test(a_measurement_is_told_as_its_outcome_was),
			cmocka_unit_test(games_that_end_without_a_line_have_the_contracts_score),
			cmocka_unit_test(a_line_ends_the_game_with_its_score),
			cmocka_unit_test(the_action_that_ends_a_game_shows_the_board_over),
			cmocka_unit_test(an_offer_stands_until_it_is_answered),
			cmocka_unit_test(an_offer_to_who_offers_is_taken_as_yes),
			cmocka_unit_test(nobody_offers_a_draw_without_end),
			cmocka_unit_test(an_offer_lapses_when_its_receiver_acts),
			cmocka_unit_test(an_offer_outlives_a_refused_action),
			cmocka_unit_test(offers_say_by_whom),
			cmocka_unit_test(a_creators_new_name_is_the_creators_name),
			cmocka_unit_test(the_other_players_new_name_leaves_the_creators),
			cmocka_unit_test(a_room_that_is_over_stays_so_with_a_new_name),
			cmocka_unit_test(a_rematch_opens_one_new_room_when_both_have_asked),
			cmocka_unit_test(the_first_ask_opens_nothing),
			cmocka_unit_test(the_room_that_follows_has_sides_changed_and_all_else_kept),
			cmocka_unit_test(a_public_rooms_rematch_is_public),
			cmocka_unit_test(a_rematch_knows_the_players_by_their_new_names),
			cmocka_unit_test(a_rooms_time_never_goes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
