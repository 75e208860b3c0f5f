/* How the server says goodbye. */
#include "tests/world/world.h"

static void everybody_is_told_and_nobody_comes_in(void **state)
{
	struct world *world = *state;
	struct client *late;
	struct table table;

	table_open(world, "ala", "ola", &table);
	world_shutdown(world);
	client_reads(table.x, "{\"type\":\"bye\",\"reason\":\"shutdown\",\"retry_ms\":2000}");
	/* Nobody is told that the others go: all do. */
	client_event(table.o, EVENT_BYE);
	client_nothing(table.x);
	client_nothing(table.o);
	assert_true(table.x->was_closed);
	assert_true(table.o->was_closed);
	late = client_connect(world);
	assert_null(late->session);
	client_nothing(late);
}

static void a_request_under_way_is_answered_before_the_goodbye(void **state)
{
	struct world *world = *state;
	struct client *ela = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	world_hold(world);
	client_say(table.x, "move 1 5");
	client_say(table.o, "move 2 6");
	client_say(ela, "create");
	world_settle(world);
	world_shutdown(world);
	client_nothing(table.x);
	client_nothing(ela);
	assert_false(play_idle(world->play));
	world_release(world);
	client_ok(table.x, REQUEST_MOVE);
	client_event(table.x, EVENT_BYE);
	client_nothing(table.x);
	client_event(table.o, EVENT_MOVED);
	client_ok(table.o, REQUEST_MOVE);
	client_event(table.o, EVENT_BYE);
	client_ok(ela, REQUEST_CREATE);
	client_event(ela, EVENT_BYE);
	assert_true(ela->was_closed);
	assert_true(play_idle(world->play));
	assert_int_equal(world_stored(world, table.room), 6);
}

static void matches_that_wait_for_each_other_are_answered_too(void **state)
{
	struct world *world = *state;
	struct client *clients[3];

	for (int i = 0; i < 3; i++) {
		clients[i] = client_connect(world);
		ask(clients[i], "hello");
	}
	world_hold(world);
	for (int i = 0; i < 3; i++) {
		client_say(clients[i], "match");
	}
	world_settle(world);
	world_shutdown(world);
	world_release(world);
	for (int i = 0; i < 3; i++) {
		client_ok(clients[i], REQUEST_MATCH);
		client_event(clients[i], EVENT_BYE);
		client_nothing(clients[i]);
	}
	assert_true(play_idle(world->play));
}

static void a_server_that_starts_again_goes_on(void **state)
{
	struct world *world = *state;
	struct client *client;
	struct table table;

	table_open(world, "ala", "ola", &table);
	world_shutdown(world);
	world_restart(world);
	client = client_connect(world);
	assert_int_equal(ask(client, "state %s", table.room)->state->seq, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(everybody_is_told_and_nobody_comes_in),
			WORLD_TEST(a_request_under_way_is_answered_before_the_goodbye),
			WORLD_TEST(matches_that_wait_for_each_other_are_answered_too),
			WORLD_TEST(a_server_that_starts_again_goes_on),
	};

	return cmocka_run_group_tests_name("shutdown", tests, NULL, NULL);
}
