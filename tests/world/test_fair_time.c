/* Time in which nobody could be served is nobody's: what could not be stored, and a process that
 * stood still. Each game is of ten seconds a player; both have moved once, and X's clock runs. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define BASE_MS 10000

static void open_running(struct world *world, struct table *ret)
{
	table_open_clocks(world, BASE_MS, 0, ret);
	table_play(ret, "1-2 2-3");
}

static void expect_moved(struct client *client, int64_t x_ms)
{
	const struct event *event;

	client_ok(client, REQUEST_MOVE);
	event = client_event(client, EVENT_MOVED);
	assert_int_equal(event->moved.clock.x_ms, x_ms);
}

static void expect_flag(struct client *client)
{
	const struct event *event = client_event(client, EVENT_ENDED);

	assert_int_equal(event->ended.result.reason, REASON_FLAG);
}

static void who_moves_in_time_while_nothing_can_be_stored_keeps_his_time(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	world_store_refuses(world);
	for (int i = 0; i < 5; i++) {
		world_advance(world, BASE_MS - 1);
		ask_refused(table.x, CODE_UNAVAILABLE, "move 1 3");
	}
	client_nothing(table.o);
	world_store_works(world);
	world_advance(world, 2000);
	client_say(table.x, "move 1 3");
	world_settle(world);
	expect_moved(table.x, BASE_MS - 2000);
}

static void so_does_who_measures(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	table_play(&table, "4-5 4-5");
	world_store_refuses(world);
	world_advance(world, BASE_MS - 1);
	ask_refused(table.x, CODE_UNAVAILABLE, "collapse 4");
	world_store_works(world);
	world_advance(world, BASE_MS - 1);
	ask(table.x, "collapse 4");
}

static void what_does_not_move_gives_no_time_back(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	world_store_refuses(world);
	world_advance(world, BASE_MS - 1);
	ask_refused(table.x, CODE_UNAVAILABLE, "draw");
	ask_refused(table.o, CODE_UNAVAILABLE, "draw");
	ask_refused(table.x, CODE_SAME_SQUARE, "move 1 1");
	world_store_works(world);
	world_advance(world, 1);
	expect_flag(table.x);
}

static void a_move_that_is_gone_after_all_has_cost_no_time(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	fickle_store_turn(world->store,
			&(struct fickle_knobs){.unknown = 1000, .not_readable = 1000});
	world_advance(world, BASE_MS - 1);
	client_say(table.x, "move 1 3");
	world_advance(world, 10 * BASE_MS);
	client_nothing(table.x);
	world_store_works(world);
	world_advance(world, 1000);
	client_error(table.x, CODE_UNAVAILABLE);
	client_nothing(table.x);
	world_advance(world, BASE_MS - 1001);
	ask(table.x, "move 1 3");
}

static void while_the_process_stands_still_no_clock_runs(void **state)
{
	struct world *world = *state;
	struct table table;

	open_running(world, &table);
	world_advance(world, 3000);
	world->now_ms += 5 * BASE_MS;
	play_stood_still(world->play, 5 * BASE_MS);
	client_say(table.x, "move 1 3");
	world_settle(world);
	expect_moved(table.x, BASE_MS - 3000);
	client_skip(table.o);
	/* Longer than there was anything to wait for: not beyond this moment. */
	world->now_ms += 1000;
	play_stood_still(world->play, 5000);
	world_advance(world, BASE_MS - 1);
	client_nothing(table.o);
	world_advance(world, 1);
	expect_flag(table.o);
}

static void nor_does_it_count_as_being_away(void **state)
{
	struct world *world = *state;
	struct table table;
	const struct error *error;

	open_running(world, &table);
	client_drop(table.x);
	client_skip(table.o);
	world->now_ms += 7000;
	play_stood_still(world->play, 7000);
	error = ask_refused(table.o, CODE_TOO_EARLY, "claim");
	assert_int_equal(error->retry_ms, 10000);
}

/* Until then `bye` had asked them to wait. */
static void who_comes_again_when_he_was_asked_to_has_lost_no_time(void **state)
{
	struct world *world = *state;
	struct table table;
	struct client *watcher;

	open_running(world, &table);
	world_advance(world, 3000);
	world_restart(world);
	watcher = client_connect(world);
	play_stood_still(world->play, 1);
	world_advance(world, WORLD_RETRY_MS);
	assert_int_equal(ask(watcher, "watch %s", table.room)->state->clock.x_ms, BASE_MS);
	client_skip(watcher);
	world_advance(world, BASE_MS - 1);
	client_nothing(watcher);
	world_advance(world, 1);
	expect_flag(watcher);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(who_moves_in_time_while_nothing_can_be_stored_keeps_his_time),
			WORLD_TEST(so_does_who_measures),
			WORLD_TEST(what_does_not_move_gives_no_time_back),
			WORLD_TEST(a_move_that_is_gone_after_all_has_cost_no_time),
			WORLD_TEST(while_the_process_stands_still_no_clock_runs),
			WORLD_TEST(nor_does_it_count_as_being_away),
			WORLD_TEST(who_comes_again_when_he_was_asked_to_has_lost_no_time),
	};

	return cmocka_run_group_tests_name("fair_time", tests, NULL, NULL);
}
