/* What a position is worth: who may ask, about what, and when the answer comes. */
#include <stdio.h>
#include <string.h>

#include "server/play/analysis.h"
#include "tests/world/world.h"

/* So late in a game that the solver needs no time. */
#define LATE "1-2,1-2,1,3-4,3-4,3,5-6,5-6,5"
#define LATE_MOVES 9

static void the_start_is_worth_half_a_point(void **state)
{
	struct client *client = client_connect(*state);
	const struct ok *ok = ask(client, "analyse actions=");

	assert_int_equal(ok->carries, OK_VALUES);
	assert_int_equal(ok->half_points, 1);
	assert_int_equal(ok->board->turn, SEAT_X);
	assert_int_equal(ok->each_count, 36);
	for (size_t i = 0; i < 36; i++) {
		const struct action *action = &ok->each[i].action;
		bool wins = action->squares[0] + action->squares[1] == 10 &&
			    (action->squares[0] == 1 || action->squares[0] == 3);

		assert_int_equal(ok->each[i].half_points, wins);
	}
}

static void steps_tell_what_each_action_gave_away(void **state)
{
	struct client *client = client_connect(*state);
	const struct ok *ok = ask(client, "analyse steps actions=1-9,2-3");

	assert_int_equal(ok->step_count, 3);
	assert_int_equal(ok->steps[0], 1);
	assert_int_equal(ok->steps[1], 1);
	assert_int_equal(ok->steps[2], ok->half_points);
}

static void a_record_and_actions_of_the_same_game_are_worth_the_same(void **state)
{
	struct client *client = client_connect(*state);
	struct ok by_actions = *ask(client, "analyse actions=" LATE);
	const struct ok *ok = ask(client, "analyse record=1:X(1-2), 2:O(1-2), 2c:X(O2(1)), "
					  "3:X(3-4), 4:O(3-4), 4c:X(O4(3)), 5:X(5-6), 6:O(5-6),"
					  "6c:X(O6(5))");

	assert_int_equal(ok->half_points, by_actions.half_points);
	assert_int_equal(ok->each_count, by_actions.each_count);
	assert_int_equal(ok->board->move, 7);
}

static void a_measurement_is_told_as_its_two_ways(void **state)
{
	struct client *client = client_connect(*state);
	const struct ok *ok = ask(client, "analyse actions=1-2,1-2,1,3-4,3-4,3,5-6,5-6");

	assert_int_equal(ok->board->phase, PHASE_COLLAPSE);
	assert_int_equal(ok->each_count, 2);
	assert_int_equal(ok->each[0].action.square_count, 0);
	assert_int_equal(ok->each[0].action.square, 5);
	assert_int_equal(ok->each[1].action.square, 6);
}

static void what_is_wrong_is_told_by_its_place(void **state)
{
	struct client *client = client_connect(*state);
	const struct error *error;

	error = ask_refused(client, CODE_BAD_REQUEST, "analyse actions=1-5,1-5,1-2");
	assert_string_equal(error->field, "actions");
	assert_int_equal(error->at, 3);
	error = ask_refused(client, CODE_BAD_REQUEST, "analyse actions=1-5,5-5");
	assert_int_equal(error->at, 2);
	error = ask_refused(client, CODE_BAD_REQUEST,
			"{\"type\":\"analyse\",\"actions\":[{\"squares\":[5]}]}");
	assert_int_equal(error->at, 1);
	error = ask_refused(client, CODE_BAD_REQUEST, "analyse record=1:X(1-5),2:O(1-10)");
	assert_string_equal(error->field, "record");
	assert_int_equal(error->at, 10);
	error = ask_refused(client, CODE_BAD_REQUEST, "analyse record=1:X(1-5);");
	assert_int_equal(error->at, 9);
	error = ask_refused(client, CODE_BAD_REQUEST, "analyse actions=1-5 record=1:X(1-5)");
	assert_string_equal(error->field, "actions");
	error = ask_refused(client, CODE_BAD_REQUEST, "analyse k7m2q record=1:X(1-5)");
	assert_string_equal(error->field, "record");
	ask_refused(client, CODE_NO_SUCH_ROOM, "analyse k7m2q");
	ask_refused(client, CODE_NOT_IN_ROOM, "analyse");
}

static void more_actions_than_any_game_has_are_refused_by_the_rules(void **state)
{
	struct client *client = client_connect(*state);
	const struct error *error;

	/* The second 7-8 closes a cycle. */
	error = ask_refused(client, CODE_BAD_REQUEST,
			"analyse actions=" LATE ",7-8,7-8,7-8,7-8,7-8,7-8,7-8,7-8,7-8,7-8");
	assert_int_equal(error->at, LATE_MOVES + 3);
}

static void nobody_gets_an_analysis_of_a_running_game_between_two_people(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask_refused(watcher, CODE_NOT_ALLOWED, "analyse %s", table.room);
	ask_refused(table.x, CODE_NOT_ALLOWED, "analyse");
	ask_refused(table.o, CODE_NOT_ALLOWED, "analyse actions=" LATE);
	ask_refused(table.o, CODE_NOT_ALLOWED, "analyse record=");
	ask(watcher, "analyse actions=" LATE);
	ask(table.x, "resign");
	ask(watcher, "analyse %s", table.room);
	world_settle(world);
	client_skip(table.o);
	ask(table.o, "analyse actions=" LATE);
}

static void who_waits_for_an_opponent_has_no_position_yet(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);

	ask(ala, "create X");
	ask_refused(ala, CODE_NOT_STARTED, "analyse");
	ask(ala, "analyse actions=" LATE);
}

static void a_game_against_a_bot_may_be_analysed_while_it_runs(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *watcher = client_connect(world);
	char room[ROOM_ID_SIZE];

	message_copy(room, sizeof(room), ask(ala, "create bot-random X private")->room);
	assert_int_equal(ask(ala, "analyse")->half_points, 1);
	assert_int_equal(ask(watcher, "analyse %s", room)->each_count, 36);
}

static void a_game_that_is_over_is_worth_what_it_ended_with(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct table table;
	const struct ok *ok;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5");
	ask(table.x, "resign");
	ok = ask(watcher, "analyse %s steps", table.room);
	assert_int_equal(ok->half_points, -2);
	assert_int_equal(ok->each_count, 0);
	assert_int_equal(ok->board->phase, PHASE_OVER);
	assert_int_equal(ok->step_count, 2);
	assert_int_equal(ok->steps[0], 1);
	assert_int_equal(ok->steps[1], 0);
}

static void the_article_game_was_won_by_o(void **state)
{
	struct world *world = *state;
	struct table table;
	const struct ok *ok;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5 c5");
	ok = ask(table.x, "analyse steps");
	assert_int_equal(ok->half_points, -1);
	assert_int_equal(ok->each_count, 0);
	assert_int_equal(ok->step_count, 10);
	assert_int_equal(ok->steps[9], -1);
}

static void a_room_that_left_memory_is_analysed_all_the_same(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask(table.x, "abort");
	world_restart(world);
	struct client *watcher = client_connect(world);
	const struct ok *ok = ask(watcher, "analyse %s", table.room);
	assert_int_equal(ok->half_points, 0);
	assert_int_equal(ok->each_count, 0);
}

static void the_connection_goes_on_meanwhile(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);

	fake_work_hold(world->work, true);
	client_say(client, "analyse actions=" LATE " id=1");
	client_say(client, "ping id=2");
	world_settle(world);
	assert_int_equal(client_ok(client, REQUEST_PING)->re.integer, 2);
	client_nothing(client);
	fake_work_hold(world->work, false);
	world_settle(world);
	assert_int_equal(client_ok(client, REQUEST_ANALYSE)->re.integer, 1);
}

static void what_is_said_after_the_end_came_from_elsewhere_is_not_carried_out(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect(world);
	struct client *other;
	char token[TOKEN_SIZE];

	message_copy(token, sizeof(token), ask(ala, "hello ala")->token);
	other = client_connect_as(world, "ala", token);
	fake_work_hold(world->work, true);
	client_say(other, "analyse actions=" LATE " id=1");
	client_say(ala, "analyse actions=" LATE " id=2");
	client_say(ala, "forget");
	client_say(ala, "ping");
	world_settle(world);
	client_say(other, "ping");
	world_settle(world);
	client_ok(ala, REQUEST_FORGET);
	client_nothing(ala);
	client_nothing(other);
	fake_work_hold(world->work, false);
	world_settle(world);
	client_ok(ala, REQUEST_ANALYSE);
	client_bye(ala, BYE_QUIT);
	client_ok(other, REQUEST_ANALYSE);
	client_bye(other, BYE_KICKED);
}

static void connections_take_turns(void **state)
{
	struct world *world = *state;
	struct client *many = client_connect(world);
	struct client *one = client_connect(world);

	fake_work_hold(world->work, true);
	for (int i = 0; i < 5; i++) {
		client_say(many, "analyse actions=" LATE);
	}
	client_say(one, "analyse actions=" LATE);
	fake_work_hold(world->work, false);
	fake_work_step(world->work);
	fake_work_step(world->work);
	assert_int_equal(client_unread(many), 1);
	assert_int_equal(client_unread(one), 1);
	world_settle(world);
	assert_int_equal(client_unread(many), 5);
}

static void one_connection_waits_for_so_many_and_no_more(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	const struct error *error;

	fake_work_hold(world->work, true);
	for (int i = 0; i < ANALYSES_A_SESSION; i++) {
		client_say(client, "analyse actions=" LATE);
	}
	client_nothing(client);
	error = ask_refused(client, CODE_RATE_LIMITED, "analyse actions=" LATE);
	assert_true(error->has_retry && error->retry_ms > 0);
	fake_work_hold(world->work, false);
	world_settle(world);
	assert_int_equal(client_unread(client), ANALYSES_A_SESSION);
	client_skip(client);
	ask(client, "analyse actions=" LATE);
}

static void ask_for_all(struct client *client)
{
	for (int i = 0; i < ANALYSES_A_SESSION; i++) {
		client_say(client, "analyse actions=" LATE);
	}
}

static void all_connections_wait_for_so_many_and_no_more(void **state)
{
	struct world *world = *state;
	struct client *last = client_connect(world);

	fake_work_hold(world->work, true);
	for (int i = 0; i < ANALYSES_MAX / ANALYSES_A_SESSION; i++) {
		char address[16];

		snprintf(address, sizeof(address), "10.0.0.%d", i / 10);
		ask_for_all(client_connect_from(world, address));
	}
	assert_int_equal(fake_work_waiting(world->work), ANALYSES_MAX);
	ask_refused(last, CODE_RATE_LIMITED, "analyse actions=" LATE);
}

static void one_address_leaves_analyses_to_others(void **state)
{
	struct world *world = *state;
	struct client *last = NULL;

	fake_work_hold(world->work, true);
	for (int i = 0; i < ANALYSES_MAX / ANALYSES_A_SESSION; i++) {
		last = client_connect(world);
		ask_for_all(last);
	}
	assert_int_equal(fake_work_waiting(world->work), ANALYSES_SHARED);
	client_error(last, CODE_RATE_LIMITED);
	ask_for_all(client_connect_from(world, "10.0.0.2"));
	assert_int_equal(fake_work_waiting(world->work), ANALYSES_SHARED + ANALYSES_A_SESSION);
	/* What its connections waited for goes with them. */
	client_drop(last);
	for (int i = 0; i < 10; i++) {
		ask_for_all(client_connect_from(world, "10.0.0.3"));
	}
	ask_refused(client_connect_from(world, "10.0.0.3"), CODE_RATE_LIMITED,
			"analyse actions=" LATE);
	ask_for_all(client_connect_from(world, "10.0.0.4"));
}

static void a_lost_connection_loses_its_analyses(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);

	fake_work_hold(world->work, true);
	client_say(client, "analyse actions=" LATE);
	client_say(client, "analyse actions=" LATE);
	client_drop(client);
	assert_int_equal(fake_work_waiting(world->work), 0);
	fake_work_hold(world->work, false);
	world_settle(world);
	assert_int_equal(fake_work_ran(world->work), 0);
	assert_true(play_idle(world->play));
}

static void whoever_ends_his_input_still_gets_his_answers(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);

	fake_work_hold(world->work, true);
	client_say(client, "analyse actions=" LATE);
	client_half_close(client);
	world_settle(world);
	assert_false(client->was_closed);
	fake_work_hold(world->work, false);
	world_settle(world);
	client_ok(client, REQUEST_ANALYSE);
	assert_true(client->was_closed);
}

static void whoever_quits_still_gets_his_answers(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);

	fake_work_hold(world->work, true);
	client_say(client, "analyse actions=" LATE);
	client_say(client, "quit");
	client_say(client, "ping");
	world_settle(world);
	client_ok(client, REQUEST_QUIT);
	client_nothing(client);
	fake_work_hold(world->work, false);
	world_settle(world);
	client_ok(client, REQUEST_ANALYSE);
	client_event(client, EVENT_BYE);
	client_nothing(client);
	assert_true(client->was_closed);
}

static void a_shutdown_gives_analyses_up(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);

	fake_work_hold(world->work, true);
	client_say(client, "analyse actions=" LATE " id=7");
	world_shutdown(world);
	world_settle(world);
	assert_int_equal(client_error(client, CODE_UNAVAILABLE)->re.integer, 7);
	client_event(client, EVENT_BYE);
	assert_true(client->was_closed);
}

static void it_is_told_in_words_too(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);

	client_say(client, "text only");
	client_skip(client);
	client_say(client, "analyse actions=1-2,1-2,1,3-4,3-4,3,5-6,5-6,5");
	world_settle(world);
	client_reads(client, "# It is the turn of X: move 7.");
	const char *line;
	do {
		line = client_line(client);
	} while (strstr(line, "If both play perfectly: ") == NULL);
	assert_non_null(strstr(client_line(client), ": 7-8"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(the_start_is_worth_half_a_point),
			WORLD_TEST(steps_tell_what_each_action_gave_away),
			WORLD_TEST(a_record_and_actions_of_the_same_game_are_worth_the_same),
			WORLD_TEST(a_measurement_is_told_as_its_two_ways),
			WORLD_TEST(what_is_wrong_is_told_by_its_place),
			WORLD_TEST(more_actions_than_any_game_has_are_refused_by_the_rules),
			WORLD_TEST(nobody_gets_an_analysis_of_a_running_game_between_two_people),
			WORLD_TEST(who_waits_for_an_opponent_has_no_position_yet),
			WORLD_TEST(a_game_against_a_bot_may_be_analysed_while_it_runs),
			WORLD_TEST(a_game_that_is_over_is_worth_what_it_ended_with),
			WORLD_TEST(the_article_game_was_won_by_o),
			WORLD_TEST(a_room_that_left_memory_is_analysed_all_the_same),
			WORLD_TEST(the_connection_goes_on_meanwhile),
			WORLD_TEST(what_is_said_after_the_end_came_from_elsewhere_is_not_carried_out),
			WORLD_TEST(connections_take_turns),
			WORLD_TEST(one_connection_waits_for_so_many_and_no_more),
			WORLD_TEST(all_connections_wait_for_so_many_and_no_more),
			WORLD_TEST(one_address_leaves_analyses_to_others),
			WORLD_TEST(a_lost_connection_loses_its_analyses),
			WORLD_TEST(whoever_ends_his_input_still_gets_his_answers),
			WORLD_TEST(whoever_quits_still_gets_his_answers),
			WORLD_TEST(a_shutdown_gives_analyses_up),
			WORLD_TEST(it_is_told_in_words_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
