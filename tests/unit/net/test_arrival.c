#include "server/net/arrival.h"
#include "tests/unit/game/cmocka_all.h"

static void bytes_that_do_not_wait_need_no_ring(void **state)
{
	struct arrival arrival = {0};

	(void)state;
	arrival_add(&arrival, 0, 100);
	arrival_add(&arrival, 0, 200);
	assert_null(arrival.older);
	assert_int_equal(arrival_of(&arrival, 1), 200);
	arrival_drop(&arrival, 50);
}

static void bytes_that_wait_keep_their_time(void **state)
{
	struct arrival arrival = {0};

	(void)state;
	arrival_add(&arrival, 0, 100);
	arrival_add(&arrival, 10, 200);
	arrival_add(&arrival, 15, 300);
	assert_int_equal(arrival_of(&arrival, 1), 100);
	assert_int_equal(arrival_of(&arrival, 10), 100);
	assert_int_equal(arrival_of(&arrival, 11), 200);
	assert_int_equal(arrival_of(&arrival, 15), 200);
	assert_int_equal(arrival_of(&arrival, 16), 300);
	arrival_drop(&arrival, 4);
	assert_int_equal(arrival_of(&arrival, 6), 100);
	assert_int_equal(arrival_of(&arrival, 7), 200);
	arrival_drop(&arrival, 6);
	assert_int_equal(arrival_of(&arrival, 5), 200);
	assert_int_equal(arrival_of(&arrival, 6), 300);
	arrival_drop(&arrival, 5);
	assert_null(arrival.older);
	assert_int_equal(arrival_of(&arrival, 1), 300);
}

static void a_full_ring_moves_times_on_and_never_back(void **state)
{
	struct arrival arrival = {0};

	(void)state;
	arrival_add(&arrival, 0, 1);
	for (int64_t i = 1; i <= ARRIVAL_MARKS + 3; i++) {
		arrival_add(&arrival, (size_t)i, i + 1);
	}
	for (int64_t i = 1; i <= ARRIVAL_MARKS + 4; i++) {
		assert_true(arrival_of(&arrival, (size_t)i) >= i);
	}
	assert_int_equal(arrival_of(&arrival, ARRIVAL_MARKS - 1), ARRIVAL_MARKS - 1);
	assert_int_equal(arrival_of(&arrival, ARRIVAL_MARKS), ARRIVAL_MARKS + 3);
	assert_int_equal(arrival_of(&arrival, ARRIVAL_MARKS + 4), ARRIVAL_MARKS + 4);
	arrival_fini(&arrival);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(bytes_that_do_not_wait_need_no_ring),
			cmocka_unit_test(bytes_that_wait_keep_their_time),
			cmocka_unit_test(a_full_ring_moves_times_on_and_never_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
