#include "client-cli/comeback.h"
#include "tests/unit/game/cmocka_all.h"

#define PATIENCE 30000
#define NOW 1000000

static struct comeback begin(void)
{
	struct comeback comeback;

	comeback_init(&comeback, PATIENCE, 42, NOW);
	return comeback;
}

static void a_silent_server_is_asked_once_and_then_given_up(void **state)
{
	struct comeback comeback = begin();

	(void)state;
	assert_int_equal(comeback_wait_ms(&comeback, NOW), PATIENCE);
	assert_int_equal(comeback_silence(&comeback, NOW + PATIENCE - 1), SILENCE_FINE);
	assert_int_equal(comeback_silence(&comeback, NOW + PATIENCE), SILENCE_ASK);
	assert_int_equal(comeback_silence(&comeback, NOW + PATIENCE), SILENCE_FINE);
	assert_int_equal(comeback_wait_ms(&comeback, NOW + PATIENCE), PATIENCE / 2);
	assert_int_equal(comeback_silence(&comeback, NOW + PATIENCE * 3 / 2 - 1), SILENCE_FINE);
	assert_int_equal(comeback_silence(&comeback, NOW + PATIENCE * 3 / 2), SILENCE_DEAD);
}

static void a_sign_of_life_begins_the_time_anew(void **state)
{
	struct comeback comeback = begin();

	(void)state;
	assert_int_equal(comeback_silence(&comeback, NOW + PATIENCE), SILENCE_ASK);
	comeback_heard(&comeback, NOW + PATIENCE + 5);
	assert_int_equal(comeback_silence(&comeback, NOW + PATIENCE * 3 / 2), SILENCE_FINE);
	assert_int_equal(comeback_silence(&comeback, NOW + 2 * PATIENCE + 5), SILENCE_ASK);
}

static void a_machine_that_slept_asks_before_it_gives_up(void **state)
{
	struct comeback comeback = begin();

	(void)state;
	assert_int_equal(comeback_silence(&comeback, NOW + 100 * PATIENCE), SILENCE_ASK);
	assert_int_equal(comeback_silence(&comeback, NOW + 100 * PATIENCE + 1), SILENCE_FINE);
}

/* How long it waits after being lost now. */
static int64_t lose(struct comeback *comeback, int64_t retry_ms)
{
	comeback_lost(comeback, retry_ms, NOW);
	assert_int_equal(comeback->state, COMEBACK_WAITING);
	return comeback_wait_ms(comeback, NOW);
}

static void the_waits_double_up_to_the_longest_and_vary(void **state)
{
	struct comeback comeback = begin();
	int64_t most = COMEBACK_FIRST_MS;
	int differ = 0;

	(void)state;
	for (int i = 0; i < 30; i++) {
		int64_t wait_ms = lose(&comeback, 0);

		assert_in_range(wait_ms, most / 2, most);
		differ += wait_ms != most / 2 && wait_ms != most;
		assert_false(comeback_due(&comeback, NOW + wait_ms - 1));
		assert_true(comeback_due(&comeback, NOW + wait_ms));
		assert_int_equal(comeback.state, COMEBACK_TRYING);
		assert_int_equal(comeback_wait_ms(&comeback, NOW), -1);
		most = 2 * most < COMEBACK_LONGEST_MS ? 2 * most : COMEBACK_LONGEST_MS;
	}
	assert_true(differ > 20);
}

static void clients_of_one_server_do_not_all_come_at_once(void **state)
{
	struct comeback one;
	struct comeback other;

	(void)state;
	comeback_init(&one, PATIENCE, 1, NOW);
	comeback_init(&other, PATIENCE, 98765, NOW);
	assert_int_not_equal(lose(&one, 60000), lose(&other, 60000));
}

static void what_the_server_asks_for_is_the_least(void **state)
{
	struct comeback comeback = begin();

	(void)state;
	assert_in_range(lose(&comeback, 2000), 2000, 3000);
	assert_in_range(lose(&comeback, 90000), 90000, 135000);
	assert_in_range(lose(&comeback, INT64_MAX), COMEBACK_ASKED_MS, COMEBACK_ASKED_MS * 3 / 2);
}

static void only_a_connection_that_held_makes_the_waits_short_again(void **state)
{
	struct comeback comeback = begin();

	(void)state;
	for (int i = 0; i < 10; i++) {
		lose(&comeback, 0);
	}
	comeback_connected(&comeback, NOW - COMEBACK_HOLDS_MS + 1);
	comeback_restored(&comeback);
	assert_in_range(lose(&comeback, 0), COMEBACK_LONGEST_MS / 2, COMEBACK_LONGEST_MS);
	comeback_connected(&comeback, NOW - COMEBACK_HOLDS_MS);
	comeback_restored(&comeback);
	assert_in_range(lose(&comeback, 0), COMEBACK_FIRST_MS / 2, COMEBACK_FIRST_MS);
}

static void who_hurries_tries_at_once_and_seconds_are_rounded_up(void **state)
{
	struct comeback comeback = begin();

	(void)state;
	comeback_hurry(&comeback, NOW);
	assert_false(comeback_due(&comeback, NOW));
	lose(&comeback, 2000);
	assert_in_range(comeback_seconds(&comeback, NOW), 2, 3);
	assert_int_equal(comeback_seconds(&comeback, comeback.next_ms - 1), 1);
	assert_int_equal(comeback_seconds(&comeback, comeback.next_ms), 0);
	comeback_hurry(&comeback, NOW);
	assert_true(comeback_due(&comeback, NOW));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_silent_server_is_asked_once_and_then_given_up),
			cmocka_unit_test(a_sign_of_life_begins_the_time_anew),
			cmocka_unit_test(a_machine_that_slept_asks_before_it_gives_up),
			cmocka_unit_test(the_waits_double_up_to_the_longest_and_vary),
			cmocka_unit_test(clients_of_one_server_do_not_all_come_at_once),
			cmocka_unit_test(what_the_server_asks_for_is_the_least),
			cmocka_unit_test(only_a_connection_that_held_makes_the_waits_short_again),
			cmocka_unit_test(who_hurries_tries_at_once_and_seconds_are_rounded_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
