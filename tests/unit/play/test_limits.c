#include <stdio.h>

#include "server/play/limits.h"
#include "tests/unit/game/cmocka_all.h"

#define NOW 1800000000000

static const struct play_limits most = {
		.rates = {[RATE_OPENS] = 3, [RATE_SAYS] = 7, [RATE_INVITES] = 1, [RATE_NAMES] = 5},
		.allowance = 10,
		.address_allowance = 25,
};

struct bench {
	struct limits limits;
	struct limits_account *address;
	struct limits_account *name;
};

static int set_up(void **state)
{
	static struct bench bench;

	limits_init(&bench.limits, &most);
	bench.address = limits_open_address(&bench.limits, "192.0.2.1");
	bench.name = limits_open_name(&bench.limits, 17);
	*state = &bench;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *bench = *state;

	limits_close(&bench->limits, bench->address, NOW);
	limits_close(&bench->limits, bench->name, NOW);
	limits_fini(&bench->limits);
	return 0;
}

static int64_t take(struct bench *bench, enum play_rate rate, int64_t now_ms)
{
	return limits_take(&bench->limits, rate, bench->name, bench->address, now_ms);
}

static void as_many_as_may_be_at_once_and_one_more_after_a_part_of_the_period(void **state)
{
	struct bench *bench = *state;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(take(bench, RATE_OPENS, NOW), 0);
	}
	assert_int_equal(take(bench, RATE_OPENS, NOW), 20000);
	assert_int_equal(take(bench, RATE_OPENS, NOW + 19999), 1);
	assert_int_equal(take(bench, RATE_OPENS, NOW + 20000), 0);
	assert_int_equal(take(bench, RATE_OPENS, NOW + 20000), 20000);
	/* Nothing is counted that was refused, and nothing is saved up beyond the period. */
	for (int i = 0; i < 3; i++) {
		assert_int_equal(take(bench, RATE_OPENS, NOW + 10000000), 0);
	}
	assert_int_equal(take(bench, RATE_OPENS, NOW + 10000000), 20000);
}

static void a_number_that_does_not_divide_the_period_is_exact_too(void **state)
{
	struct bench *bench = *state;

	for (int i = 0; i < 7; i++) {
		assert_int_equal(take(bench, RATE_SAYS, NOW), 0);
	}
	assert_in_range(take(bench, RATE_SAYS, NOW), 8571, 8572);
}

static void each_rate_counts_by_itself(void **state)
{
	struct bench *bench = *state;

	assert_int_equal(take(bench, RATE_INVITES, NOW), 0);
	assert_int_equal(take(bench, RATE_INVITES, NOW), 60000);
	assert_int_equal(take(bench, RATE_SAYS, NOW), 0);
}

static void an_address_may_do_as_much_as_ten_names(void **state)
{
	struct bench *bench = *state;
	struct limits *limits = &bench->limits;

	for (int64_t id = 100; id < 100 + LIMITS_NAMES_AN_ADDRESS; id++) {
		struct limits_account *name = limits_open_name(limits, id);
		assert_int_equal(limits_take(limits, RATE_INVITES, name, bench->address, NOW), 0);
		limits_close(limits, name, NOW);
	}
	assert_int_equal(take(bench, RATE_INVITES, NOW), 6000);
	/* What the address refused is not counted against the name. */
	struct limits_account *elsewhere = limits_open_address(limits, "192.0.2.2");
	assert_int_equal(limits_take(limits, RATE_INVITES, bench->name, elsewhere, NOW), 0);
	limits_close(limits, elsewhere, NOW);
}

static void names_are_counted_by_address_and_hour(void **state)
{
	struct bench *bench = *state;

	for (int i = 0; i < 5; i++) {
		assert_int_equal(limits_take(&bench->limits, RATE_NAMES, NULL, bench->address, NOW),
				0);
	}
	assert_int_equal(
			limits_take(&bench->limits, RATE_NAMES, NULL, bench->address, NOW), 720000);
}

static void coming_back_clears_nothing_until_all_has_run_empty(void **state)
{
	struct bench *bench = *state;
	struct limits *limits = &bench->limits;
	struct limits_account *name = limits_open_name(limits, 18);

	assert_int_equal(limits_take(limits, RATE_INVITES, name, bench->address, NOW), 0);
	limits_close(limits, name, NOW);
	assert_int_equal(limits_forget_due(limits), NOW + LIMITS_KEPT_MS);
	limits_forget(limits, NOW + LIMITS_KEPT_MS - 1);
	assert_int_equal(limits->accounts.count, 3);
	name = limits_open_name(limits, 18);
	assert_true(limits_take(limits, RATE_INVITES, name, bench->address, NOW) > 0);
	limits_close(limits, name, NOW + 5);
	limits_forget(limits, NOW + 5 + LIMITS_KEPT_MS);
	assert_int_equal(limits->accounts.count, 2);
	assert_int_equal(limits_forget_due(limits), INT64_MAX);
}

static void a_name_is_no_address(void **state)
{
	struct bench *bench = *state;
	struct limits_account *other = limits_open_address(&bench->limits, "11");

	assert_ptr_not_equal(other, bench->name);
	limits_close(&bench->limits, other, NOW);
}

static void accounts_of_those_who_left_are_bounded(void **state)
{
	struct bench *bench = *state;
	struct limits *limits = &bench->limits;

	for (int64_t id = 100; id <= 100 + LIMITS_UNUSED_MAX; id++) {
		limits_close(limits, limits_open_name(limits, id), NOW);
	}
	assert_int_equal(limits->unused_count, LIMITS_UNUSED_MAX);
	assert_int_equal(limits->accounts.count, LIMITS_UNUSED_MAX + 2);
	/* It was the first that was forgotten. */
	limits_close(limits, limits_open_name(limits, 101), NOW);
	assert_int_equal(limits->unused_count, LIMITS_UNUSED_MAX);
}

static void who_has_used_up_his_allowance_rests_until_there_is_more(void **state)
{
	struct bench *bench = *state;
	struct limits *limits = &bench->limits;
	struct limits_bucket connection = {0};
	const size_t burst = 10 * (size_t)LIMITS_ALLOWANCE_BURST_S;

	limits_use(limits, burst, 0, &connection, bench->address, NOW);
	assert_int_equal(limits_rest(limits, &connection, NOW), 0);
	limits_use(limits, 1, 0, &connection, bench->address, NOW);
	assert_int_equal(limits_rest(limits, &connection, NOW), 100);
	assert_int_equal(limits_rest(limits, &connection, NOW + 99), 1);
	assert_int_equal(limits_rest(limits, &connection, NOW + 100), 0);
	/* Bytes count too. */
	limits_use(limits, 0, LIMITS_BYTES_A_UNIT * 2, &connection, bench->address, NOW + 100);
	assert_int_equal(limits_rest(limits, &connection, NOW + 100), 200);
}

static void connections_of_one_address_share_its_allowance(void **state)
{
	struct bench *bench = *state;
	struct limits *limits = &bench->limits;
	struct limits_bucket one = {0};
	struct limits_bucket two = {0};
	struct limits_bucket three = {0};

	limits_use(limits, 100, 0, &one, bench->address, NOW);
	limits_use(limits, 100, 0, &two, bench->address, NOW);
	assert_int_equal(limits_rest_address(limits, bench->address, NOW), 0);
	limits_use(limits, 75, 0, &three, bench->address, NOW);
	assert_int_equal(limits_rest_address(limits, bench->address, NOW), 1000);
	assert_int_equal(limits_rest(limits, &one, NOW), 0);
}

static void an_address_waits_no_longer_however_much_more_it_has_used_up(void **state)
{
	struct bench *bench = *state;
	struct limits *limits = &bench->limits;
	struct limits_bucket connection = {0};

	limits_use(limits, 25 * ((size_t)LIMITS_ALLOWANCE_BURST_S + LIMITS_DEBT_S), 0, &connection,
			bench->address, NOW);
	assert_int_equal(limits_rest_address(limits, bench->address, NOW), LIMITS_DEBT_S * 1000);
	limits_use(limits, 1000000, 0, &connection, bench->address, NOW);
	assert_int_equal(limits_rest_address(limits, bench->address, NOW), LIMITS_DEBT_S * 1000);
}

static void what_was_counted_counts_for_less_where_more_may_be_done_and_never_for_more(void **state)
{
	struct bench *bench = *state;
	struct limits *limits = &bench->limits;
	struct limits_bucket connection = {0};
	struct play_limits other = most;

	limits_use(limits, 300, 0, &connection, bench->address, NOW);
	assert_int_equal(limits_rest(limits, &connection, NOW), 20000);
	assert_int_equal(limits_rest_address(limits, bench->address, NOW), 2000);
	assert_int_equal(take(bench, RATE_INVITES, NOW), 0);
	other.allowance *= 2;
	other.address_allowance = 30;
	other.rates[RATE_INVITES] = 3;
	limits_change(limits, &other, NOW);
	limits_ease(limits, &connection, most.allowance, NOW);
	assert_int_equal(limits_rest(limits, &connection, NOW), 5000);
	assert_int_equal(limits_rest_address(limits, bench->address, NOW), 0);
	assert_int_equal(take(bench, RATE_INVITES, NOW), 0);
	assert_int_equal(take(bench, RATE_INVITES, NOW), 0);
	assert_int_equal(take(bench, RATE_INVITES, NOW), 20000);
	limits_change(limits, &most, NOW);
	limits_ease(limits, &connection, other.allowance, NOW);
	assert_int_equal(limits_rest(limits, &connection, NOW), 5000);
}

static void without_limits_nothing_is_counted(void **state)
{
	struct limits limits;
	struct limits_account *address;
	struct limits_bucket connection = {0};

	(void)state;
	limits_init(&limits, &(struct play_limits){0});
	address = limits_open_address(&limits, "192.0.2.1");
	for (int i = 0; i < 10000; i++) {
		assert_int_equal(limits_take(&limits, RATE_NAMES, NULL, address, NOW), 0);
		limits_use(&limits, 1000, 1000, &connection, address, NOW);
	}
	assert_int_equal(limits_rest_address(&limits, address, NOW), 0);
	assert_false(limits_is_full(0, 1000000));
	assert_false(limits_is_full(2, 1));
	assert_true(limits_is_full(2, 2));
	limits_close(&limits, address, NOW);
	limits_fini(&limits);
}

#define BENCHED(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
			BENCHED(as_many_as_may_be_at_once_and_one_more_after_a_part_of_the_period),
			BENCHED(a_number_that_does_not_divide_the_period_is_exact_too),
			BENCHED(each_rate_counts_by_itself),
			BENCHED(an_address_may_do_as_much_as_ten_names),
			BENCHED(names_are_counted_by_address_and_hour),
			BENCHED(coming_back_clears_nothing_until_all_has_run_empty),
			BENCHED(a_name_is_no_address),
			BENCHED(accounts_of_those_who_left_are_bounded),
			BENCHED(who_has_used_up_his_allowance_rests_until_there_is_more),
			BENCHED(connections_of_one_address_share_its_allowance),
			BENCHED(an_address_waits_no_longer_however_much_more_it_has_used_up),
			BENCHED(what_was_counted_counts_for_less_where_more_may_be_done_and_never_for_more),
			cmocka_unit_test(without_limits_nothing_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
