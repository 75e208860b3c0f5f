/* A game from its first move to its rematch, and all that is refused on the way. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"

/* The article's example: O8 closes a cycle, and X has to choose which line O gets. */
#define EXAMPLE "1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5"

static void a_whole_game_is_played_and_scored(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	const struct event *event;
	const struct ok *ok;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, EXAMPLE);
	watcher = client_connect(world);
	ok = ask(watcher, "watch %s", table.room);
	assert_int_equal(ok->state->seq, 12);
	assert_int_equal(ok->state->board.phase, PHASE_COLLAPSE);
	assert_int_equal(ok->state->board.choices[0], 3);
	assert_int_equal(ok->state->board.choices[1], 5);
	world_settle(world);
	client_skip(watcher);
	client_skip(table.x);
	client_skip(table.o);
	client_say(table.x, "collapse 5");
	world_settle(world);
	client_reads(table.x, "{\"type\":\"ok\",\"to\":\"collapse\",\"room\":\"%s\",\"seq\":13}",
			table.room);
	event = client_event(table.x, EVENT_COLLAPSED);
	assert_int_equal(event->collapsed.by, SEAT_X);
	assert_int_equal(event->collapsed.move, 8);
	assert_int_equal(event->collapsed.square, 5);
	event = client_event(table.x, EVENT_ENDED);
	assert_int_equal(event->seq, 14);
	assert_int_equal(event->ended.result.reason, REASON_LINE);
	assert_int_equal(event->ended.result.half_points_o, 2);
	assert_int_equal(event->ended.result.half_points_x, 1);
	assert_int_equal(event->ended.board.phase, PHASE_OVER);
	client_event(watcher, EVENT_COLLAPSED);
	client_event(watcher, EVENT_ENDED);
	client_event(table.o, EVENT_COLLAPSED);
	client_event(table.o, EVENT_ENDED);
	client_nothing(watcher);
	client_nothing(table.o);
	client_nothing(table.x);
}

static void any_mark_on_the_cycle_may_be_named(void **state)
{
	const struct event *event;
	struct table table;

	table_open(*state, "ala", "ola", &table);
	table_play(&table, "1-5 2-5 1-2");
	/* X3 closed it: O chooses, and puts O2 into 5, so that X3 goes to 2. */
	ask(table.o, "collapse 5 mark=O2");
	event = client_event(table.o, EVENT_COLLAPSED);
	assert_int_equal(event->collapsed.square, 2);
	assert_int_equal(event->collapsed.by, SEAT_O);
}

static void a_move_is_refused_in_the_order_of_the_checks(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct client *ela = client_connect_as(world, "ela", NULL);
	char room[ROOM_ID_SIZE];

	/* The form, before the room is looked for. */
	assert_string_equal(ask_refused(ala, CODE_BAD_REQUEST, "move")->field, "squares");
	assert_string_equal(ask_refused(ala, CODE_BAD_REQUEST,
					    "{\"type\":\"move\",\"squares\":\"1-5\"}")
					    ->field,
			"squares");
	/* The room. */
	ask_refused(ala, CODE_NOT_IN_ROOM, "move 1 1");
	ask_refused(ala, CODE_NO_SUCH_ROOM, "move 1 1 room=k7m2q");
	strcpy(room, ask(ala, "create X")->room);
	/* The seat, before anything about the game. */
	ask_refused(ela, CODE_NOT_SEATED, "move 1 1 room=%s move=7", room);
	ask_refused(client_connect(world), CODE_NOT_SEATED, "move 1 1 room=%s", room);
	ask_refused(ala, CODE_NOT_STARTED, "move 1 1 move=7");
	ask(ola, "join %s", room);
	client_skip(ala);
	/* stale, before whose turn it is; then the squares, in this order. */
	ask_refused(ola, CODE_STALE, "move 1 1 move=7");
	ask_refused(ola, CODE_NOT_YOUR_TURN, "move 1 1 move=1");
	ask_refused(ola, CODE_NOT_YOUR_TURN, "collapse 1");
	ask_refused(ala, CODE_NOTHING_TO_COLLAPSE, "collapse 77");
	ask_refused(ala, CODE_BAD_SQUARE, "move 10 10");
	ask_refused(ala, CODE_BAD_SQUARE, "move 0 5");
	ask_refused(ala, CODE_SAME_SQUARE, "move 5 5");
	assert_string_equal(ask_refused(ala, CODE_BAD_REQUEST, "move 5")->field, "squares");
}

static void a_measurement_is_refused_in_the_order_of_the_checks(void **state)
{
	struct table table;

	table_open(*state, "ala", "ola", &table);
	table_play(&table, "1-5 1-5");
	ask_refused(table.x, CODE_STALE, "collapse 9 move=3");
	ask_refused(table.o, CODE_NOT_YOUR_TURN, "collapse 9 move=2");
	ask_refused(table.o, CODE_NOT_YOUR_TURN, "move 1 2");
	ask_refused(table.x, CODE_COLLAPSE_FIRST, "move 1 1 move=3");
	ask_refused(table.x, CODE_BAD_SQUARE, "collapse 10");
	ask_refused(table.x, CODE_NOT_A_CHOICE, "collapse 9");
	ask_refused(table.x, CODE_NOT_A_CHOICE, "collapse 1 mark=X3");
	ask_refused(table.x, CODE_NOT_A_CHOICE, "collapse 1 mark=O1");
	assert_string_equal(ask_refused(table.x, CODE_BAD_REQUEST, "collapse 1 mark=Z1")->field,
			"mark");
	ask(table.x, "collapse 1 move=2");
	client_skip(table.x);
	ask_refused(table.x, CODE_SQUARE_TAKEN, "move 1 2");
	ask_refused(table.x, CODE_SQUARE_TAKEN, "move 2 5");
	ask_refused(table.x, CODE_STALE, "collapse 1 move=2");
}

static void over_comes_before_all_that_is_wrong_with_an_act(void **state)
{
	static const char *const acts[] = {
			"move 1 1 move=7", "collapse 77", "resign", "abort", "draw", "draw no"};
	struct table table;

	table_open(*state, "ala", "ola", &table);
	ask(table.o, "resign");
	client_skip(table.o);
	client_skip(table.x);
	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
		ask_refused(table.x, CODE_GAME_OVER, "%s", acts[i]);
		ask_refused(table.o, CODE_GAME_OVER, "%s", acts[i]);
	}
}

static void the_last_square_takes_one_number_or_twice_the_same(void **state)
{
	struct table table;

	/* Eight squares classical, no line: square 9 is left. */
	table_open(*state, "ala", "ola", &table);
	table_play(&table, "1-2 1-2 c1 3-5 3-5 c3 4-6 4-6 c6 7-8 7-8 c8");
	if (ask(table.x, "state")->state->status != STATUS_PLAYING) {
		fail_msg("the game ended early");
	}
	assert_int_equal(ask(table.x, "state")->state->board.turn, SEAT_X);
	ask_refused(table.x, CODE_SQUARE_TAKEN, "move 8 9");
	ask(table.x, "move 9");
	assert_int_equal(client_event(table.x, EVENT_MOVED)->moved.square_count, 1);
	client_event(table.x, EVENT_ENDED);
}

static void an_error_shows_the_board_to_players_and_followers_alone(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	struct client *stranger = client_connect_as(world, "ela", NULL);
	const struct error *error;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5");
	error = ask_refused(table.x, CODE_NOT_YOUR_TURN, "move 1 5");
	assert_true(error->has_board);
	assert_int_equal(error->seq, 5);
	assert_int_equal(error->board.move, 2);
	/* Seated but not following. */
	ask(table.x, "leave");
	assert_true(ask_refused(table.x, CODE_NOT_YOUR_TURN, "move 1 5 room=%s", table.room)
					->has_board);
	watcher = client_connect(world);
	ask(watcher, "watch %s", table.room);
	world_settle(world);
	client_skip(watcher);
	assert_true(ask_refused(watcher, CODE_NOT_SEATED, "move 1 5")->has_board);
	assert_false(ask_refused(stranger, CODE_NOT_SEATED, "move 1 5 room=%s", table.room)
					->has_board);
}

static void a_move_said_again_is_stale_and_not_played_twice(void **state)
{
	struct table table;

	table_open(*state, "ala", "ola", &table);
	table_play(&table, "1-5");
	ask_refused(table.x, CODE_STALE, "move 1 5 move=1");
	ask(table.o, "move 2 6 move=2");
	client_skip(table.o);
	client_skip(table.x);
	ask_refused(table.o, CODE_STALE, "move 2 6 move=2");
	assert_int_equal(world_stored(*state, table.room), 6);
}

static void a_draw_is_offered_and_accepted(void **state)
{
	const struct event *event;
	struct table table;

	table_open(*state, "ala", "ola", &table);
	assert_int_equal(ask(table.x, "draw")->seq, 5);
	assert_int_equal(client_event(table.x, EVENT_DRAW_OFFERED)->by, SEAT_X);
	client_event(table.o, EVENT_DRAW_OFFERED);
	/* Offered again: no change. */
	assert_int_equal(ask(table.x, "draw")->seq, 5);
	client_nothing(table.x);
	assert_int_equal(ask(table.o, "state")->state->draw_offer, SEAT_X);
	ask_refused(table.x, CODE_NO_OFFER, "draw yes");
	assert_int_equal(ask(table.o, "draw")->seq, 6);
	event = client_event(table.o, EVENT_ENDED);
	assert_int_equal(event->ended.result.reason, REASON_AGREEMENT);
	assert_true(event->ended.result.scored);
	assert_int_equal(event->ended.result.half_points_x + event->ended.result.half_points_o, 0);
}

static void a_draw_is_declined(void **state)
{
	struct table table;

	table_open(*state, "ala", "ola", &table);
	ask_refused(table.o, CODE_NO_OFFER, "draw no");
	ask_refused(table.o, CODE_NO_OFFER, "draw yes");
	ask(table.x, "draw");
	client_skip(table.x);
	client_skip(table.o);
	ask(table.o, "draw no");
	assert_int_equal(client_event(table.x, EVENT_DRAW_DECLINED)->by, SEAT_O);
	client_skip(table.o);
	ask_refused(table.o, CODE_NO_OFFER, "draw yes");
	assert_int_equal(ask(table.x, "state")->state->draw_offer, SEAT_NONE);
}

static void an_offer_lapses_when_its_receiver_acts(void **state)
{
	struct table table;

	table_open(*state, "ala", "ola", &table);
	ask(table.x, "draw");
	client_skip(table.x);
	client_skip(table.o);
	/* The one who offers acts: it stands. */
	ask(table.x, "move 1 5");
	client_skip(table.x);
	client_skip(table.o);
	assert_int_equal(ask(table.x, "state")->state->draw_offer, SEAT_X);
	ask(table.o, "move 2 6");
	client_skip(table.x);
	client_skip(table.o);
	assert_int_equal(ask(table.x, "state")->state->draw_offer, SEAT_NONE);
	ask_refused(table.o, CODE_NO_OFFER, "draw yes");
	/* Now his `draw` is an offer of his own. */
	ask(table.o, "draw");
	assert_int_equal(client_event(table.o, EVENT_DRAW_OFFERED)->by, SEAT_O);
}

static void a_game_is_aborted_until_both_have_moved(void **state)
{
	struct world *world = *state;
	struct client *ela = client_connect_as(world, "ela", NULL);
	const struct event *event;
	struct table table;

	ask(ela, "create X");
	ask_refused(ela, CODE_NOT_STARTED, "abort");
	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5");
	assert_int_equal(ask(table.o, "abort")->seq, 6);
	event = client_event(table.x, EVENT_ENDED);
	assert_int_equal(event->ended.result.reason, REASON_ABORTED);
	assert_int_equal(event->ended.result.cause, CAUSE_REQUEST);
	assert_false(event->ended.result.scored);
	table_open(world, "ada", "ida", &table);
	table_play(&table, "1-5 2-6");
	ask_refused(table.x, CODE_TOO_LATE, "abort");
	ask_refused(table.o, CODE_TOO_LATE, "abort");
}

static void who_resigns_loses(void **state)
{
	const struct event *event;
	struct table table;

	table_open(*state, "ala", "ola", &table);
	ask_refused(client_connect_as(*state, "ela", NULL), CODE_NOT_SEATED, "resign %s",
			table.room);
	ask(table.o, "resign");
	event = client_event(table.x, EVENT_ENDED);
	assert_int_equal(event->ended.result.reason, REASON_RESIGN);
	assert_int_equal(event->ended.result.half_points_x, 2);
	assert_int_equal(event->ended.result.half_points_o, 0);
	assert_int_equal(event->ended.board.move, 0);
}

static void both_ask_for_a_rematch_and_play_it_with_sides_changed(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	const struct event *event;
	const struct ok *ok;
	struct table table;
	char room[ROOM_ID_SIZE];

	table_open(world, "ala", "ola", &table);
	ask(watcher, "watch %s", table.room);
	world_settle(world);
	client_skip(table.x);
	ask(table.x, "resign");
	client_skip(table.x);
	client_skip(table.o);
	client_skip(watcher);
	ok = ask(table.x, "rematch");
	assert_int_equal(ok->seq, 6);
	assert_false(ok->carries & OK_NEW);
	assert_int_equal(client_event(table.x, EVENT_REMATCH_OFFERED)->by, SEAT_X);
	client_event(table.o, EVENT_REMATCH_OFFERED);
	/* Asked again. */
	assert_int_equal(ask(table.x, "rematch")->seq, 6);
	client_nothing(table.x);
	ok = ask(table.o, "rematch");
	assert_int_equal(ok->seq, 7);
	strcpy(room, ok->new_room);
	assert_string_equal(client_event(table.o, EVENT_REMATCH)->new_room, room);
	event = client_event(table.o, EVENT_STATE);
	assert_string_equal(event->state.room, room);
	assert_string_equal(event->state.players[0].name, "ola");
	assert_int_equal(event->state.status, STATUS_PLAYING);
	assert_int_equal(event->state.seq, 4);
	client_nothing(table.o);
	client_event(table.x, EVENT_REMATCH);
	client_event(table.x, EVENT_STATE);
	client_event(watcher, EVENT_REMATCH_OFFERED);
	client_event(watcher, EVENT_REMATCH);
	client_nothing(watcher);
	/* Asked again once it exists. */
	ok = ask(table.x, "rematch %s", table.room);
	assert_int_equal(ok->seq, 7);
	assert_string_equal(ok->new_room, room);
	ask(table.o, "move 1 5");
	assert_string_equal(client_event(table.x, EVENT_MOVED)->room, room);
}

static void a_rematch_needs_a_game_that_is_over_and_a_seat_in_it(void **state)
{
	struct world *world = *state;
	struct client *ela = client_connect_as(world, "ela", NULL);
	struct table table;

	ask(ela, "create X");
	ask_refused(ela, CODE_NOT_STARTED, "rematch");
	table_open(world, "ala", "ola", &table);
	ask_refused(table.x, CODE_TOO_EARLY, "rematch");
	ask(table.x, "resign");
	ask_refused(ela, CODE_NOT_SEATED, "rematch %s", table.room);
	ask(ela, "leave");
	client_skip(ela);
	ask_refused(ela, CODE_NOT_IN_ROOM, "rematch");
}

static void two_who_ask_for_a_rematch_at_once_get_one_room(void **state)
{
	struct world *world = *state;
	struct table table;
	char room[ROOM_ID_SIZE];

	table_open(world, "ala", "ola", &table);
	ask(table.x, "resign");
	client_skip(table.x);
	client_skip(table.o);
	client_say(table.x, "rematch");
	client_say(table.o, "rematch");
	client_say(table.x, "rematch %s", table.room);
	world_settle(world);
	client_ok(table.x, REQUEST_REMATCH);
	client_event(table.x, EVENT_REMATCH_OFFERED);
	strcpy(room, client_event(table.x, EVENT_REMATCH)->new_room);
	assert_string_equal(client_event(table.x, EVENT_STATE)->state.room, room);
	assert_string_equal(client_ok(table.x, REQUEST_REMATCH)->new_room, room);
	client_nothing(table.x);
}

/* Either may be had, and neither is stored when the other is asked for. */
static void rematches_at_once_give_nobody_more_rooms_than_he_may_have(void **state)
{
	struct world *world = *state;
	struct table tables[2];

	world_limit(world, &(struct play_limits){.rooms_per_name = 2});
	table_open(world, "ela", "ola", &tables[0]);
	tables[1].x = tables[0].x;
	tables[1].o = client_connect_as(world, "ewa", NULL);
	strcpy(tables[1].room, ask(tables[1].x, "create X")->room);
	ask(tables[1].o, "join %s", tables[1].room);
	for (int i = 0; i < 2; i++) {
		client_skip(tables[i].x);
		ask(tables[i].x, "resign %s", tables[i].room);
		client_skip(tables[i].x);
		ask(tables[i].x, "rematch %s", tables[i].room);
	}
	client_skip(tables[0].x);
	ask(tables[0].x, "create private");
	world_hold(world);
	for (int i = 0; i < 2; i++) {
		client_skip(tables[i].o);
		client_say(tables[i].o, "rematch %s", tables[i].room);
		world_settle(world);
	}
	client_error(tables[1].o, CODE_TOO_MANY_ROOMS);
	world_release(world);
	assert_true(client_ok(tables[0].o, REQUEST_REMATCH)->new_room[0] != '\0');
	client_skip(tables[0].x);
	ask_refused(tables[0].x, CODE_TOO_MANY_ROOMS, "create");
}

static void a_connection_that_is_full_follows_its_rematch_all_the_same(void **state)
{
	struct world *world = *state;
	struct table table;
	char room[ROOM_ID_SIZE];

	table_open(world, "ala", "ola", &table);
	ask(table.x, "resign");
	client_skip(table.x);
	for (int i = 1; i < LIMIT_ROOMS_FOLLOWED; i++) {
		ask(table.x, "create");
		client_skip(table.x);
	}
	client_skip(table.o);
	ask(table.x, "rematch %s", table.room);
	client_skip(table.x);
	client_skip(table.o);
	strcpy(room, ask(table.o, "rematch %s", table.room)->new_room);
	client_event(table.x, EVENT_REMATCH);
	assert_string_equal(client_event(table.x, EVENT_STATE)->state.room, room);
	client_skip(table.o);
	ask(table.o, "move 1 5 room=%s", room);
	client_event(table.x, EVENT_MOVED);
	/* The old one made place. */
	ask_refused(table.x, CODE_NOT_IN_ROOM, "leave %s", table.room);
}

static void a_rematch_fetches_a_player_who_has_come_back_since_he_asked(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *second = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];

	strcpy(room, ask(ala, "create X")->room);
	ask(ola, "join %s", room);
	ask(ola, "resign");
	client_skip(ala);
	ask(ala, "rematch");
	client_skip(ola);
	/* One of his connections goes on, so the other one is left alone. */
	strcpy(room, ask(ola, "rematch")->new_room);
	client_nothing(second);
	client_skip(ola);
	ask(ola, "resign %s", room);
	client_skip(ala);
	ask(ala, "rematch %s", room);
	client_drop(ala);
	client_drop(second);
	ala = client_connect_as(world, "ala", TOKEN_A);
	second = client_connect_as(world, "ala", TOKEN_A);
	client_skip(ola);
	strcpy(room, ask(ola, "rematch %s", room)->new_room);
	assert_string_equal(client_event(ala, EVENT_STATE)->state.room, room);
	assert_string_equal(client_event(second, EVENT_STATE)->state.room, room);
	client_skip(ala);
	ask(ala, "move 1 5");
	client_event(second, EVENT_MOVED);
}

static void who_plays_goes_first_while_he_does_nothing_else(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask(watcher, "watch %s", table.room);
	world_advance(world, PLAY_STRAYED_MS);
	assert_true(play_session_goes_first(table.x->session));
	assert_true(play_session_goes_first(table.o->session));
	assert_false(play_session_goes_first(watcher->session));
	client_skip(table.x);
	ask(table.x, "move 1 5");
	client_skip(table.x);
	client_skip(table.o);
	assert_true(play_session_goes_first(table.x->session));
	ask_refused(table.x, CODE_NOT_YOUR_TURN, "move 1 5");
	ask(table.o, "lobby");
	world_advance(world, PLAY_STRAYED_MS - 1);
	assert_false(play_session_goes_first(table.x->session));
	assert_false(play_session_goes_first(table.o->session));
	world_advance(world, 1);
	assert_true(play_session_goes_first(table.x->session));
	client_skip(table.o);
	ask(table.o, "resign");
	world_advance(world, PLAY_PLAYED_MS - 1);
	assert_true(play_session_goes_first(table.x->session));
	world_advance(world, 1);
	assert_false(play_session_goes_first(table.x->session));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(who_plays_goes_first_while_he_does_nothing_else),
			WORLD_TEST(a_whole_game_is_played_and_scored),
			WORLD_TEST(any_mark_on_the_cycle_may_be_named),
			WORLD_TEST(a_move_is_refused_in_the_order_of_the_checks),
			WORLD_TEST(a_measurement_is_refused_in_the_order_of_the_checks),
			WORLD_TEST(over_comes_before_all_that_is_wrong_with_an_act),
			WORLD_TEST(the_last_square_takes_one_number_or_twice_the_same),
			WORLD_TEST(an_error_shows_the_board_to_players_and_followers_alone),
			WORLD_TEST(a_move_said_again_is_stale_and_not_played_twice),
			WORLD_TEST(a_draw_is_offered_and_accepted),
			WORLD_TEST(a_draw_is_declined),
			WORLD_TEST(an_offer_lapses_when_its_receiver_acts),
			WORLD_TEST(a_game_is_aborted_until_both_have_moved),
			WORLD_TEST(who_resigns_loses),
			WORLD_TEST(both_ask_for_a_rematch_and_play_it_with_sides_changed),
			WORLD_TEST(a_rematch_needs_a_game_that_is_over_and_a_seat_in_it),
			WORLD_TEST(two_who_ask_for_a_rematch_at_once_get_one_room),
			WORLD_TEST(rematches_at_once_give_nobody_more_rooms_than_he_may_have),
			WORLD_TEST(a_connection_that_is_full_follows_its_rematch_all_the_same),
			WORLD_TEST(a_rematch_fetches_a_player_who_has_come_back_since_he_asked),
	};

	return cmocka_run_group_tests_name("game", tests, NULL, NULL);
}
