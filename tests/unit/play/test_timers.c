/* Timers: against a list that is searched from end to end. */
#include "server/play/timers.h"

#include "tests/unit/game/cmocka_all.h"
#include "tests/unit/game/random.h"

static void without_a_timer_nothing_falls_due(void **unused)
{
	struct timers timers = {0};

	(void)unused;
	assert_int_equal(timers_next(&timers), INT64_MAX);
	assert_null(timers_take_due(&timers, INT64_MAX - 1));
	timers_fini(&timers);
}

static void a_timer_is_due_at_its_time_and_not_before(void **unused)
{
	struct timers timers = {0};
	struct timer timer = {0};

	(void)unused;
	timers_set(&timers, &timer, 100);
	assert_int_equal(timers_next(&timers), 100);
	assert_null(timers_take_due(&timers, 99));
	assert_ptr_equal(timers_take_due(&timers, 100), &timer);
	assert_int_equal(timer.place, 0);
	assert_null(timers_take_due(&timers, 100));
	assert_int_equal(timers_next(&timers), INT64_MAX);
	timers_fini(&timers);
}

static void setting_a_timer_anew_moves_it(void **unused)
{
	struct timers timers = {0};
	struct timer one = {0};
	struct timer other = {0};

	(void)unused;
	timers_set(&timers, &one, 100);
	timers_set(&timers, &other, 200);
	timers_set(&timers, &one, 300);
	assert_int_equal(timers.count, 2);
	assert_int_equal(timers_next(&timers), 200);
	timers_set(&timers, &one, 50);
	assert_int_equal(timers_next(&timers), 50);
	timers_set(&timers, &one, 50);
	assert_int_equal(timers.count, 2);
	assert_ptr_equal(timers_take_due(&timers, 1000), &one);
	assert_ptr_equal(timers_take_due(&timers, 1000), &other);
	timers_fini(&timers);
}

static void cancelling_a_timer_that_is_not_set_is_fine(void **unused)
{
	struct timers timers = {0};
	struct timer set = {0};
	struct timer unset = {0};

	(void)unused;
	timers_cancel(&timers, &unset);
	timers_set(&timers, &set, 100);
	timers_cancel(&timers, &unset);
	assert_int_equal(timers.count, 1);
	timers_cancel(&timers, &set);
	timers_cancel(&timers, &set);
	assert_int_equal(timers.count, 0);
	assert_int_equal(timers_next(&timers), INT64_MAX);
	timers_fini(&timers);
}

/* A timer of the past, such as one read from a store, is due at once. */
static void times_may_be_anything(void **unused)
{
	struct timers timers = {0};
	struct timer past = {0};
	struct timer never = {0};

	(void)unused;
	timers_set(&timers, &never, INT64_MAX);
	timers_set(&timers, &past, INT64_MIN);
	assert_ptr_equal(timers_take_due(&timers, 0), &past);
	assert_null(timers_take_due(&timers, INT64_MAX - 1));
	timers_fini(&timers);
}

static void timers_may_be_used_again_after_fini(void **unused)
{
	struct timers timers = {0};
	struct timer timer = {0};

	(void)unused;
	timers_set(&timers, &timer, 1);
	timers_fini(&timers);
	timer.place = 0;
	timers_set(&timers, &timer, 2);
	assert_int_equal(timers_next(&timers), 2);
	timers_fini(&timers);
}

#define TIMERS 200
#define UNSET INT64_MAX

/* The same timers, kept the slow way: by their index, UNSET if not set. */
static int64_t list_next(const int64_t list[TIMERS])
{
	int64_t next = UNSET;

	for (int i = 0; i < TIMERS; i++) {
		next = list[i] < next ? list[i] : next;
	}
	return next;
}

static size_t list_count(const int64_t list[TIMERS])
{
	size_t count = 0;

	for (int i = 0; i < TIMERS; i++) {
		count += list[i] != UNSET;
	}
	return count;
}

/* Take all that is due: it must come in the order of time, and be what the list has. */
static void take_all(struct timers *timers, struct timer *all, int64_t *list, int64_t now_ms)
{
	struct timer *timer;

	while ((timer = timers_take_due(timers, now_ms)) != NULL) {
		ptrdiff_t i = timer - all;

		assert_in_range(i, 0, TIMERS - 1);
		assert_true(list[i] <= now_ms);
		assert_int_equal(list[i], list_next(list));
		list[i] = UNSET;
	}
	assert_true(list_next(list) > now_ms);
}

static void random_timers_are_as_a_list_has_them(void **unused)
{
	static struct timer all[TIMERS];
	static int64_t list[TIMERS];
	struct timers timers = {0};
	uint64_t random = random_seed();
	int64_t now_ms = 0;

	(void)unused;
	for (int i = 0; i < TIMERS; i++) {
		list[i] = UNSET;
	}
	for (int step = 0; step < 20000; step++) {
		int i = random_below(&random, TIMERS);
		int act = random_below(&random, 10);

		if (act < 6) {
			/* Few different times, so that many are equal. */
			list[i] = now_ms + random_below(&random, 100);
			timers_set(&timers, &all[i], list[i]);
		} else if (act < 9) {
			timers_cancel(&timers, &all[i]);
			list[i] = UNSET;
		} else {
			now_ms += random_below(&random, 20);
			take_all(&timers, all, list, now_ms);
		}
		assert_int_equal(timers_next(&timers), list_next(list));
		assert_int_equal(timers.count, list_count(list));
	}
	take_all(&timers, all, list, UNSET - 1);
	assert_int_equal(timers.count, 0);
	timers_fini(&timers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(without_a_timer_nothing_falls_due),
			cmocka_unit_test(a_timer_is_due_at_its_time_and_not_before),
			cmocka_unit_test(setting_a_timer_anew_moves_it),
			cmocka_unit_test(cancelling_a_timer_that_is_not_set_is_fine),
			cmocka_unit_test(times_may_be_anything),
			cmocka_unit_test(timers_may_be_used_again_after_fini),
			cmocka_unit_test(random_timers_are_as_a_list_has_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
