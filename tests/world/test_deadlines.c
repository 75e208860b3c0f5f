/* Clocks, and what falls due by itself: in which order it is decided with what players do. Each
 * game is of ten seconds a player, unless it says otherwise. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define BASE_MS 10000
#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"
#define TOKEN_B "BBBBBBBBBBBBBBBBBBBBBB"

/* Both have moved once: from now on X's clock runs. */
static void open_running(struct world *world, struct table *ret)
{
	table_open_clocks(world, BASE_MS, 0, ret);
	table_play(ret, "1-2 2-3");
}

static const struct clock_running *expect_moved(struct client *client, enum seat by)
{
	const struct event *event = client_event(client, EVENT_MOVED);

	assert_int_equal(event->moved.by, by);
	return &event->moved.clock;
}

static void expect_flag(struct client *client, enum seat loser)
{
	const struct result *result = &client_event(client, EVENT_ENDED)->ended.result;

	assert_int_equal(result->reason, REASON_FLAG);
	assert_int_equal(result->half_points_x, loser == SEAT_X ? 0 : 2);
	assert_int_equal(result->half_points_o, loser == SEAT_O ? 0 : 2);
}

static void expect_aborted(struct client *client, enum end_cause cause)
{
	const struct result *result = &client_event(client, EVENT_ENDED)->ended.result;

	assert_int_equal(result->reason, REASON_ABORTED);
	assert_int_equal(result->cause, cause);
	assert_false(result->scored);
}

/* Clocks. */

static void clocks_run_from_the_second_action_of_each(void **state)
{
	struct world *world = *state;
	const struct clock_running *clock;
	struct table table;

	table_open_clocks(world, BASE_MS, 2000, &table);
	world_advance(world, 5000);
	client_say(table.x, "move 1 2");
	world_settle(world);
	clock = expect_moved(table.o, SEAT_X);
	assert_int_equal(clock->x_ms, BASE_MS + 2000);
	assert_int_equal(clock->o_ms, BASE_MS);
	assert_int_equal(clock->running, SEAT_NONE);
	world_advance(world, 5000);
	client_skip(table.x);
	client_say(table.o, "move 2 3");
	world_settle(world);
	clock = expect_moved(table.x, SEAT_O);
	assert_int_equal(clock->o_ms, BASE_MS + 2000);
	assert_int_equal(clock->running, SEAT_X);
	world_advance(world, 5000);
	client_skip(table.o);
	client_say(table.x, "move 1 3");
	world_settle(world);
	clock = expect_moved(table.o, SEAT_X);
	assert_int_equal(clock->x_ms, BASE_MS + 2000 - 5000 + 2000);
	assert_int_equal(clock->running, SEAT_O);
}

static void a_measurement_runs_the_choosers_clock_as_a_move_does(void **state)
{
	struct world *world = *state;
	const struct clock_running *clock;
	struct table table;

	table_open_clocks(world, BASE_MS, 2000, &table);
	table_play(&table, "1-2 1-2");
	world_advance(world, 3000);
	client_say(table.x, "collapse 1");
	world_settle(world);
	clock = &client_event(table.o, EVENT_COLLAPSED)->collapsed.clock;
	assert_int_equal(clock->x_ms, BASE_MS + 2000 - 3000 + 2000);
	assert_int_equal(clock->running, SEAT_X);
	client_skip(table.x);
	world_advance(world, BASE_MS + 1000 - 1);
	client_nothing(table.o);
	world_advance(world, 1);
	expect_flag(table.o, SEAT_X);
}

static void a_snapshot_shows_the_clocks_as_they_are_now(void **state)
{
	struct world *world = *state;
	const struct snapshot *snapshot;
	struct table table;

	open_running(world, &table);
	world_advance(world, 4000);
	snapshot = ask(client_connect(world), "state %s", table.room)->state;
	assert_int_equal(snapshot->agreed.base_ms, BASE_MS);
	assert_int_equal(snapshot->clock.x_ms, BASE_MS - 4000);
	assert_int_equal(snapshot->clock.o_ms, BASE_MS);
	assert_int_equal(snapshot->clock.running, SEAT_X);
	world_advance(world, 6000);
	client_skip(table.x);
	snapshot = ask(table.x, "state")->state;
	assert_int_equal(snapshot->clock.x_ms, 0);
	assert_int_equal(snapshot->clock.running, SEAT_NONE);
}

static void an_offer_of_a_draw_gives_nobody_time(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	world_advance(world, 4000);
	ask(table.o, "draw");
	client_skip(table.o);
	world_advance(world, 5999);
	client_event(table.x, EVENT_DRAW_OFFERED);
	ask(table.x, "draw no");
	client_skip(table.x);
	client_skip(table.o);
	world_advance(world, 1);
	expect_flag(table.x, SEAT_X);
}

static void a_new_name_gives_nobody_time(void **state)
{
	struct world *world = *state;
	struct client *guest = client_connect(world);
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct table table = {.x = guest, .o = ola};

	strcpy(table.room, ask(guest, "{\"type\":\"create\",\"side\":\"X\",\"clock\":{\"base_ms\":"
				      "10000}}")
					   ->room);
	client_skip(guest);
	ask(ola, "join %s", table.room);
	client_skip(guest);
	client_skip(ola);
	table_play(&table, "1-2 2-3");
	world_advance(world, 4000);
	ask(guest, "hello ala");
	client_skip(guest);
	client_skip(ola);
	world_advance(world, 5999);
	client_nothing(ola);
	world_advance(world, 1);
	expect_flag(ola, SEAT_X);
}

static void a_rematch_is_by_the_same_clock(void **state)
{
	struct world *world = *state;
	const struct snapshot *snapshot;
	struct table table;

	open_running(world, &table);
	world_advance(world, BASE_MS);
	client_skip(table.x);
	client_skip(table.o);
	ask(table.x, "rematch");
	client_skip(table.o);
	ask(table.o, "rematch");
	client_event(table.o, EVENT_REMATCH);
	snapshot = &client_event(table.o, EVENT_STATE)->state;
	assert_int_equal(snapshot->agreed.base_ms, BASE_MS);
	assert_int_equal(snapshot->clock.x_ms, BASE_MS);
	assert_int_equal(snapshot->clock.running, SEAT_NONE);
	client_skip(table.x);
	world_advance(world, WORLD_FIRST_MOVE_MS);
	expect_aborted(table.x, CAUSE_NO_FIRST_MOVE);
}

static void match_finds_the_same_clock_alone(void **state)
{
	struct world *world = *state;
	struct client *clients[6];
	static const char *const words[] = {
			"match 3+2", "match", "match 3+0", "match 3+2", "match", "match 3+0"};
	char rooms[6][ROOM_ID_SIZE];

	for (size_t i = 0; i < 6; i++) {
		clients[i] = client_connect(world);
		strcpy(rooms[i], ask(clients[i], "%s", words[i])->room);
		client_skip(clients[i]);
		for (size_t j = 0; j < i; j++) {
			assert_int_equal(strcmp(rooms[i], rooms[j]) == 0, i == j + 3);
			client_skip(clients[j]);
		}
	}
	/* Asked again with another clock, one waits for that one too. */
	strcpy(rooms[0], ask(clients[0], "match 5+0")->room);
	client_skip(clients[0]);
	strcpy(rooms[1], ask(clients[0], "match 5+1")->room);
	client_skip(clients[0]);
	assert_string_not_equal(rooms[0], rooms[1]);
	assert_string_equal(ask(clients[0], "match 5+0")->room, rooms[0]);
}

/* The first move. */

static void a_game_with_clocks_is_called_off_without_a_first_move(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open_clocks(world, BASE_MS, 0, &table);
	world_advance(world, WORLD_FIRST_MOVE_MS - 1);
	client_nothing(table.x);
	world_advance(world, 1);
	expect_aborted(table.x, CAUSE_NO_FIRST_MOVE);
}

static void the_second_player_has_as_long_for_his_first_move(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open_clocks(world, BASE_MS, 0, &table);
	world_advance(world, WORLD_FIRST_MOVE_MS - 1);
	table_play(&table, "1-2");
	world_advance(world, WORLD_FIRST_MOVE_MS - 1);
	client_nothing(table.x);
	world_advance(world, 1);
	expect_aborted(table.x, CAUSE_NO_FIRST_MOVE);
	ask_refused(table.x, CODE_GAME_OVER, "move 3 4");
}

static void a_game_without_clocks_waits_for_its_first_move(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	world_advance(world, 10 * WORLD_FIRST_MOVE_MS);
	table_play(&table, "1-2");
}

static void a_game_without_clocks_that_nobody_touches_is_called_off(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	world_advance(world, WORLD_UNTOUCHED_MS - 1);
	table_play(&table, "1-2");
	world_advance(world, WORLD_UNTOUCHED_MS - 1);
	client_nothing(table.x);
	world_advance(world, 1);
	expect_aborted(table.x, CAUSE_UNTOUCHED);
}

/* The order. */

static void a_move_a_millisecond_before_the_flag_counts_however_long_its_commit_takes(void **state)
{
	struct world *world = *state;
	const struct clock_running *clock;
	struct table table;

	open_running(world, &table);
	world_advance(world, BASE_MS - 1);
	world_hold(world);
	client_say(table.x, "move 1 3");
	world_advance(world, 50);
	client_nothing(table.x);
	world_release(world);
	client_ok(table.x, REQUEST_MOVE);
	clock = expect_moved(table.x, SEAT_X);
	assert_int_equal(clock->x_ms, 1);
	/* The commit's time is nobody's. */
	assert_int_equal(clock->o_ms, BASE_MS);
	client_nothing(table.x);
	client_skip(table.o);
	world_advance(world, BASE_MS - 1);
	client_nothing(table.o);
	world_advance(world, 1);
	expect_flag(table.o, SEAT_O);
}

static void a_move_at_the_flag_comes_too_late(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	/* The timer has not fired yet when the line comes. */
	world->now_ms += BASE_MS;
	client_say(table.x, "move 1 3");
	world_settle(world);
	expect_flag(table.x, SEAT_X);
	client_error(table.x, CODE_GAME_OVER);
}

/* O's offer is being stored while X's time runs out; X's move comes at `at_ms`. */
static void move_behind_a_commit(struct world *world, int64_t at_ms, struct table *ret)
{
	open_running(world, ret);
	world_advance(world, BASE_MS - 10);
	world_hold(world);
	client_say(ret->o, "draw");
	world_advance(world, at_ms - (BASE_MS - 10));
	client_say(ret->x, "move 1 3");
	world_advance(world, 50);
	world_release(world);
	client_event(ret->x, EVENT_DRAW_OFFERED);
}

static void a_move_that_came_before_the_flag_is_decided_before_it(void **state)
{
	struct world *world = *state;
	struct table table;

	move_behind_a_commit(world, BASE_MS - 1, &table);
	client_ok(table.x, REQUEST_MOVE);
	assert_int_equal(expect_moved(table.x, SEAT_X)->x_ms, 1);
	client_nothing(table.x);
}

static void a_move_that_came_after_the_flag_is_decided_after_it(void **state)
{
	struct world *world = *state;
	struct table table;

	move_behind_a_commit(world, BASE_MS, &table);
	expect_flag(table.x, SEAT_X);
	client_error(table.x, CODE_GAME_OVER);
}

static void a_resignation_before_the_flag_counts_and_one_after_it_does_not(void **state)
{
	struct world *world = *state;
	const struct result *result;
	struct table table;

	open_running(world, &table);
	world_advance(world, BASE_MS - 1);
	world_hold(world);
	client_say(table.o, "resign");
	world_advance(world, 1);
	client_say(table.x, "resign");
	world_release(world);
	client_ok(table.o, REQUEST_RESIGN);
	result = &client_event(table.o, EVENT_ENDED)->ended.result;
	assert_int_equal(result->reason, REASON_RESIGN);
	assert_int_equal(result->half_points_x, 2);
	client_event(table.x, EVENT_ENDED);
	client_error(table.x, CODE_GAME_OVER);
}

static void a_draw_agreed_in_time_is_one(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	ask(table.o, "draw");
	client_skip(table.o);
	client_skip(table.x);
	world_advance(world, BASE_MS - 1);
	world_hold(world);
	client_say(table.x, "draw yes");
	world_advance(world, 100);
	world_release(world);
	client_ok(table.x, REQUEST_DRAW);
	assert_int_equal(client_event(table.x, EVENT_ENDED)->ended.result.reason, REASON_AGREEMENT);
	client_nothing(table.x);
}

/* Lines that wait at their connection. */

/* X's list is being stored; his move, which comes at `at_ms`, waits behind that. */
static void move_behind_a_request(struct world *world, int64_t at_ms, struct table *ret)
{
	open_running(world, ret);
	world_advance(world, BASE_MS - 10);
	world_hold(world);
	client_say(ret->x, "mute ola");
	world_advance(world, at_ms - (BASE_MS - 10));
	client_say(ret->x, "move 1 3");
	world_advance(world, 50);
	client_nothing(ret->x);
}

static void a_line_in_time_counts_though_another_request_of_its_sender_is_under_way(void **state)
{
	struct world *world = *state;
	struct table table;

	move_behind_a_request(world, BASE_MS - 1, &table);
	world_release(world);
	world_advance(world, 100);
	client_ok(table.x, REQUEST_MUTE);
	client_ok(table.x, REQUEST_MOVE);
	assert_int_equal(expect_moved(table.x, SEAT_X)->x_ms, 1);
	client_nothing(table.x);
}

static void a_late_line_behind_another_request_does_not_count(void **state)
{
	struct world *world = *state;
	struct table table;

	move_behind_a_request(world, BASE_MS, &table);
	world_release(world);
	world_advance(world, 100);
	client_ok(table.x, REQUEST_MUTE);
	expect_flag(table.x, SEAT_X);
	client_error(table.x, CODE_GAME_OVER);
	client_nothing(table.x);
}

static void what_came_after_the_flag_waits_for_the_lines_that_came_before_it(void **state)
{
	struct world *world = *state;
	struct table table;

	move_behind_a_request(world, BASE_MS - 1, &table);
	client_say(table.o, "resign");
	world_release(world);
	world_advance(world, 100);
	client_ok(table.x, REQUEST_MUTE);
	client_ok(table.x, REQUEST_MOVE);
	expect_moved(table.x, SEAT_X);
	assert_int_equal(client_event(table.x, EVENT_ENDED)->ended.result.reason, REASON_RESIGN);
}

static void a_flag_is_not_forgotten_while_it_waits(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	world_advance(world, BASE_MS - 10);
	world_hold(world);
	client_say(table.x, "mute ola");
	world_advance(world, 30);
	client_say(table.o, "resign");
	world_release(world);
	world_advance(world, 100);
	client_ok(table.x, REQUEST_MUTE);
	expect_flag(table.x, SEAT_X);
	expect_flag(table.o, SEAT_X);
	client_error(table.o, CODE_GAME_OVER);
}

static void a_line_that_net_has_not_handed_over_is_waited_for_but_not_for_ever(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	table.x->is_stopped = true;
	world_advance(world, BASE_MS - 1);
	client_say(table.x, "move 1 3");
	world_advance(world, 3000);
	client_nothing(table.o);
	table.x->is_stopped = false;
	world_settle(world);
	assert_int_equal(expect_moved(table.o, SEAT_X)->x_ms, 1);
	client_skip(table.x);
	/* O's turn, and O's line. */
	table.o->is_stopped = true;
	world_advance(world, BASE_MS - 1);
	client_say(table.o, "move 4 5");
	world_advance(world, 5000);
	client_nothing(table.x);
	world_advance(world, 100);
	expect_flag(table.x, SEAT_O);
	table.o->is_stopped = false;
	world_settle(world);
	expect_flag(table.o, SEAT_O);
	client_error(table.o, CODE_GAME_OVER);
}

/* Stores that fail. */

static void a_flag_that_cant_be_stored_is_tried_again_and_nothing_passes_it(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	world_store_refuses(world);
	world_advance(world, BASE_MS + 10);
	client_nothing(table.x);
	ask_refused(table.x, CODE_UNAVAILABLE, "move 1 3");
	ask_refused(table.o, CODE_UNAVAILABLE, "resign");
	world_store_works(world);
	world_advance(world, 1000);
	expect_flag(table.x, SEAT_X);
	expect_flag(table.o, SEAT_X);
}

static void flag_is_forgotten(struct world *world, bool kept)
{
	struct table table;

	open_running(world, &table);
	world_store_forgets(world, kept);
	world_advance(world, BASE_MS + 10);
	world_store_works(world);
	world_advance(world, 2000);
	expect_flag(table.x, SEAT_X);
	client_nothing(table.x);
	expect_flag(table.o, SEAT_X);
	assert_int_equal(world_stored(world, table.room), 7);
}

static void a_flag_that_was_stored_though_the_store_did_not_know_is_told_once(void **state)
{
	flag_is_forgotten(*state, true);
}

static void a_flag_that_was_not_stored_as_the_store_did_not_know_falls_again(void **state)
{
	flag_is_forgotten(*state, false);
}

/* Down time. */

/* Both are back after a start; the first connections are dropped by it. */
static void restart(struct world *world, struct table *table)
{
	world_restart(world);
	table->x = client_connect(world);
	table->o = client_connect(world);
	ask(table->x, "hello ala token=" TOKEN_A);
	ask(table->o, "hello ola token=" TOKEN_B);
}

static void down_time_is_nobodys_time_whatever_the_wall_clock_says(void **state)
{
	static const int64_t jumps_ms[] = {60000, -3600000, INT64_C(30) * 86400000};
	struct world *world = *state;
	struct table table = {.x = client_connect_as(world, "ala", TOKEN_A),
			.o = client_connect_as(world, "ola", TOKEN_B)};
	int64_t at_ms = 0;

	strcpy(table.room, ask(table.x, "{\"type\":\"create\",\"side\":\"X\",\"clock\":{\"base_"
					"ms\":10000}}")
					   ->room);
	ask(table.o, "join %s", table.room);
	world_settle(world);
	client_skip(table.x);
	client_skip(table.o);
	table_play(&table, "1-2 2-3 3-4 4-5");
	for (size_t i = 0; i < sizeof(jumps_ms) / sizeof(*jumps_ms); i++) {
		const struct snapshot *snapshot;

		world_advance(world, 9000);
		world->now_ms += jumps_ms[i];
		restart(world, &table);
		snapshot = &client_event(table.x, EVENT_STATE)->state;
		assert_int_equal(snapshot->status, STATUS_PLAYING);
		assert_true(snapshot->at_ms >= at_ms);
		at_ms = snapshot->at_ms;
		assert_int_equal(snapshot->clock.x_ms, BASE_MS);
		assert_int_equal(snapshot->clock.running, SEAT_X);
		client_skip(table.x);
	}
	client_skip(table.o);
	world_advance(world, WORLD_RETRY_MS + BASE_MS - 1);
	client_nothing(table.o);
	world_advance(world, 1);
	expect_flag(table.o, SEAT_X);
}

static void first_moves_and_untouched_games_begin_anew_with_the_server(void **state)
{
	struct world *world = *state;
	struct table clocked;
	struct table untimed;

	table_open(world, "ela", "ula", &untimed);
	table_open_clocks(world, BASE_MS, 0, &clocked);
	world_advance(world, WORLD_FIRST_MOVE_MS - 1);
	/* A machine without a battery, or a month in a cupboard. */
	world->now_ms += INT64_C(30) * 86400000;
	world_restart(world);
	clocked.x = client_connect(world);
	ask(clocked.x, "watch %s", clocked.room);
	client_skip(clocked.x);
	ask(clocked.x, "watch %s", untimed.room);
	world_advance(world, WORLD_RETRY_MS + WORLD_FIRST_MOVE_MS - 1);
	client_skip(clocked.x);
	world_advance(world, 1);
	expect_aborted(clocked.x, CAUSE_NO_FIRST_MOVE);
	world_advance(world, 86400000 - WORLD_RETRY_MS - WORLD_FIRST_MOVE_MS - 1);
	client_nothing(clocked.x);
	world_advance(world, 1);
	expect_aborted(clocked.x, CAUSE_UNTOUCHED);
}

static void days_in_which_a_server_started_often_count_too(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	struct table table;

	table_open(world, "ala", "ola", &table);
	for (int day = 0; day < 13; day++) {
		world_advance(world, 86400000);
		world_restart(world);
	}
	watcher = client_connect(world);
	ask(watcher, "watch %s", table.room);
	world_advance(world, 86400000 - 1);
	client_skip(watcher);
	world_advance(world, 1);
	expect_aborted(watcher, CAUSE_UNTOUCHED);
}

static void no_flag_falls_while_the_server_says_goodbye(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	world_advance(world, BASE_MS - 10);
	world_hold(world);
	client_say(table.x, "mute ola");
	world_shutdown(world);
	world_advance(world, 1000);
	world_release(world);
	client_ok(table.x, REQUEST_MUTE);
	assert_int_equal(client_event(table.x, EVENT_BYE)->bye.reason, BYE_SHUTDOWN);
	assert_true(play_idle(world->play));
	assert_int_equal(world_stored(world, table.room), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(clocks_run_from_the_second_action_of_each),
			WORLD_TEST(a_measurement_runs_the_choosers_clock_as_a_move_does),
			WORLD_TEST(a_snapshot_shows_the_clocks_as_they_are_now),
			WORLD_TEST(an_offer_of_a_draw_gives_nobody_time),
			WORLD_TEST(a_new_name_gives_nobody_time),
			WORLD_TEST(a_rematch_is_by_the_same_clock),
			WORLD_TEST(match_finds_the_same_clock_alone),
			WORLD_TEST(a_game_with_clocks_is_called_off_without_a_first_move),
			WORLD_TEST(the_second_player_has_as_long_for_his_first_move),
			WORLD_TEST(a_game_without_clocks_waits_for_its_first_move),
			WORLD_TEST(a_game_without_clocks_that_nobody_touches_is_called_off),
			WORLD_TEST(a_move_a_millisecond_before_the_flag_counts_however_long_its_commit_takes),
			WORLD_TEST(a_move_at_the_flag_comes_too_late),
			WORLD_TEST(a_move_that_came_before_the_flag_is_decided_before_it),
			WORLD_TEST(a_move_that_came_after_the_flag_is_decided_after_it),
			WORLD_TEST(a_resignation_before_the_flag_counts_and_one_after_it_does_not),
			WORLD_TEST(a_draw_agreed_in_time_is_one),
			WORLD_TEST(a_line_in_time_counts_though_another_request_of_its_sender_is_under_way),
			WORLD_TEST(a_late_line_behind_another_request_does_not_count),
			WORLD_TEST(what_came_after_the_flag_waits_for_the_lines_that_came_before_it),
			WORLD_TEST(a_flag_is_not_forgotten_while_it_waits),
			WORLD_TEST(a_line_that_net_has_not_handed_over_is_waited_for_but_not_for_ever),
			WORLD_TEST(a_flag_that_cant_be_stored_is_tried_again_and_nothing_passes_it),
			WORLD_TEST(a_flag_that_was_stored_though_the_store_did_not_know_is_told_once),
			WORLD_TEST(a_flag_that_was_not_stored_as_the_store_did_not_know_falls_again),
			WORLD_TEST(down_time_is_nobodys_time_whatever_the_wall_clock_says),
			WORLD_TEST(first_moves_and_untouched_games_begin_anew_with_the_server),
			WORLD_TEST(days_in_which_a_server_started_often_count_too),
			WORLD_TEST(no_flag_falls_while_the_server_says_goodbye),
	};

	return cmocka_run_group_tests_name("deadlines", tests, NULL, NULL);
}
