/* Allowances: who asks for too much is read more slowly, by himself and with all of his address. */
#include "tests/world/world.h"

static void who_asks_too_fast_is_read_more_slowly_and_gets_no_error(void **state)
{
	struct world *world = *state;
	struct client *hasty;
	struct client *calm;
	size_t before;

	world_limit(world, &(struct play_limits){.allowance = 10, .address_allowance = 1000});
	hasty = client_connect(world);
	calm = client_connect(world);
	for (int i = 0; i < 200; i++) {
		client_say(hasty, "ping");
	}
	world_settle(world);
	before = client_unread(hasty);
	assert_in_range(before, 80, 101);
	ask(calm, "ping");
	world_advance(world, 1000);
	assert_in_range(client_unread(hasty), before + 8, before + 11);
	world_advance(world, 20000);
	assert_int_equal(client_unread(hasty), 200);
	for (int i = 0; i < 200; i++) {
		client_ok(hasty, REQUEST_PING);
	}
}

static void who_has_long_answers_told_in_words_pays_for_their_lines(void **state)
{
	struct world *world = *state;
	struct client *client;
	size_t told;

	world_limit(world, &(struct play_limits){.allowance = 10, .address_allowance = 1000});
	client = client_connect(world);
	client_say(client, "text only");
	world_settle(world);
	told = client_unread(client);
	client_say(client, "help");
	world_settle(world);
	const size_t lines = client_unread(client) - told;
	assert_in_range(lines, 20, 40);
	for (int i = 0; i < 100; i++) {
		client_say(client, "help");
	}
	world_settle(world);
	/* Of the hundred units that may be used at once each takes 5, and one for four lines. */
	assert_in_range((client_unread(client) - told) / lines, 6, 11);
}

static void connections_of_one_address_are_read_more_slowly_together(void **state)
{
	struct world *world = *state;
	struct client *crowd[5];
	struct client *elsewhere;
	size_t answered = 0;

	world_limit(world, &(struct play_limits){.allowance = 10, .address_allowance = 10});
	for (int i = 0; i < 5; i++) {
		crowd[i] = client_connect(world);
		for (int j = 0; j < 50; j++) {
			client_say(crowd[i], "ping");
		}
	}
	elsewhere = client_connect_from(world, "192.0.2.9");
	ask(elsewhere, "ping");
	for (int i = 0; i < 5; i++) {
		answered += client_unread(crowd[i]);
	}
	assert_in_range(answered, 80, 105);
	world_advance(world, 60000);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(client_unread(crowd[i]), 50);
	}
}

/* However much a line costs: whoever was served goes behind all others. */
static void connections_that_wait_for_their_address_have_turns(void **state)
{
	struct world *world = *state;
	struct client *crowd[28];
	size_t before[28];

	world_limit(world, &(struct play_limits){.address_allowance = 100});
	for (int i = 0; i < 28; i++) {
		crowd[i] = client_connect(world);
		for (int j = 0; j < 30; j++) {
			client_say(crowd[i], "state k7m2q");
		}
	}
	for (int i = 0; i < 28; i++) {
		before[i] = client_unread(crowd[i]);
	}
	world_advance(world, 60000);
	for (int i = 0; i < 28; i++) {
		assert_in_range(client_unread(crowd[i]) - before[i], 3, 30);
	}
}

/* Those that have just come wait for nobody with their first line. */
static void who_is_first_of_those_that_wait_is_not_kept_waiting_by_newcomers(void **state)
{
	struct world *world = *state;
	struct client *polite;

	world_limit(world, &(struct play_limits){.address_allowance = 10});
	polite = client_connect(world);
	for (int i = 0; i < 30; i++) {
		client_say(polite, "state k7m2q");
	}
	for (int i = 0; i < 20; i++) {
		const size_t before = client_unread(polite);

		for (int j = 0; j < 20; j++) {
			struct client *newcomer = client_connect(world);

			client_say(newcomer, "state k7m2q");
			client_drop(newcomer);
			client_free(newcomer);
		}
		world_advance(world, 300);
		if (client_unread(polite) < 30) {
			assert_in_range(client_unread(polite) - before, 1, 3);
		}
	}
}

/* However much longer its address would have to wait: that has turns before that is over. */
static void a_crowd_that_came_and_went_is_not_paid_for_by_those_who_stay(void **state)
{
	struct world *world = *state;
	struct client *client;

	world_limit(world, &(struct play_limits){.address_allowance = 10});
	for (int i = 0; i < 100; i++) {
		client = client_connect(world);
		ask_refused(client, CODE_NO_SUCH_ROOM, "state k7m2q");
		client_drop(client);
		client_free(client);
	}
	client = client_connect(world);
	ask(client, "ping");
	world_advance(world, 20000);
	for (int i = 0; i < 50; i++) {
		ask(client, "ping");
	}
}

static void change(struct world *world, const struct play_limits *limits)
{
	struct play_config config = world->config;

	config.most = *limits;
	play_change(world->play, &config);
}

/* Some lines, dear ones first, are answered at last. */
static void assert_waits_until_changed(
		struct world *world, const struct play_limits *few, const struct play_limits *more)
{
	struct client *client;

	world_limit(world, few);
	client = client_connect(world);
	for (int i = 0; i < 20; i++) {
		client_say(client, "state k7m2q");
	}
	world_settle(world);
	assert_in_range(client_unread(client), 1, 2);
	change(world, more);
	world_advance(world, 20);
	assert_int_equal(client_unread(client), 20);
}

static void who_waits_for_his_allowance_goes_on_when_it_is_raised(void **state)
{
	assert_waits_until_changed(*state, &(struct play_limits){.allowance = 1},
			&(struct play_limits){.allowance = 1000});
}

static void who_waits_for_his_allowance_goes_on_when_there_is_no_limit_any_more(void **state)
{
	assert_waits_until_changed(
			*state, &(struct play_limits){.allowance = 1}, &(struct play_limits){0});
}

static void who_waits_for_his_address_goes_on_when_its_allowance_is_raised(void **state)
{
	assert_waits_until_changed(*state, &(struct play_limits){.address_allowance = 1},
			&(struct play_limits){.address_allowance = 1000});
}

static void what_may_be_done_more_often_may_be_so_at_once(void **state)
{
	struct world *world = *state;
	struct client *client;

	world_limit(world, &(struct play_limits){.rates = {[RATE_OPENS] = 1}});
	client = client_connect_as(world, "ala", NULL);
	ask(client, "create");
	ask_refused(client, CODE_RATE_LIMITED, "create");
	change(world, &(struct play_limits){.rates = {[RATE_OPENS] = 30}});
	ask(client, "create");
}

static void who_came_while_he_might_be_silent_for_ever_is_watched_from_then_on(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);

	ask(client, "ping");
	world_advance(world, 100000);
	change(world, &(struct play_limits){.first_line_ms = 1000, .idle_ms = 5000});
	world_advance(world, 4999);
	assert_false(client->was_closed);
	world_advance(world, 1);
	client_bye(client, BYE_IDLE);
}

static void who_stands_in_line_has_waited_for_his_own_allowance(void **state)
{
	struct world *world = *state;
	struct client *client;
	size_t before;

	world_limit(world, &(struct play_limits){.allowance = 10, .address_allowance = 9});
	client = client_connect(world);
	for (int i = 0; i < 100; i++) {
		client_say(client, "state k7m2q");
	}
	world_settle(world);
	before = client_unread(client);
	world_advance(world, 60000);
	assert_in_range(client_unread(client) - before, 8, 12);
}

static void who_guesses_is_read_much_more_slowly(void **state)
{
	struct world *world = *state;
	struct client *client;

	world_limit(world, &(struct play_limits){.allowance = 100, .address_allowance = 10000});
	client = client_connect(world);
	for (int i = 0; i < 100; i++) {
		client_say(client, "state zzzzzzzzzzzz");
	}
	world_settle(world);
	assert_in_range(client_unread(client), 10, 20);
	world_advance(world, 10000);
	assert_in_range(client_unread(client), 25, 45);
}

static void a_session_that_rests_can_be_closed_and_lost(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;

	world_limit(world, &(struct play_limits){.allowance = 1, .address_allowance = 1000});
	ala = client_connect(world);
	ola = client_connect(world);
	for (int i = 0; i < 20; i++) {
		client_say(ala, "ping");
		client_say(ola, "ping");
	}
	world_settle(world);
	assert_true(ala->is_busy && ola->is_busy);
	client_drop(ala);
	world_shutdown(world);
	assert_true(ola->was_closed);
	world_advance(world, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(who_asks_too_fast_is_read_more_slowly_and_gets_no_error),
			WORLD_TEST(who_has_long_answers_told_in_words_pays_for_their_lines),
			WORLD_TEST(connections_of_one_address_are_read_more_slowly_together),
			WORLD_TEST(connections_that_wait_for_their_address_have_turns),
			WORLD_TEST(who_is_first_of_those_that_wait_is_not_kept_waiting_by_newcomers),
			WORLD_TEST(a_crowd_that_came_and_went_is_not_paid_for_by_those_who_stay),
			WORLD_TEST(who_waits_for_his_allowance_goes_on_when_it_is_raised),
			WORLD_TEST(who_waits_for_his_allowance_goes_on_when_there_is_no_limit_any_more),
			WORLD_TEST(who_waits_for_his_address_goes_on_when_its_allowance_is_raised),
			WORLD_TEST(what_may_be_done_more_often_may_be_so_at_once),
			WORLD_TEST(who_came_while_he_might_be_silent_for_ever_is_watched_from_then_on),
			WORLD_TEST(who_stands_in_line_has_waited_for_his_own_allowance),
			WORLD_TEST(who_guesses_is_read_much_more_slowly),
			WORLD_TEST(a_session_that_rests_can_be_closed_and_lost),
	};

	return cmocka_run_group_tests_name("allowances", tests, NULL, NULL);
}
