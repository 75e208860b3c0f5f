#include <stdio.h>
#include <string.h>

#include "server/store/trouble.h"
#include "tests/unit/game/cmocka_all.h"

struct told {
	struct trouble trouble;
	enum store_sqlite_news news;
	char text[STORE_SQLITE_MESSAGE_SIZE];
};

static bool fails(struct told *told, const char *message, int64_t now_ms)
{
	return trouble_fails(&told->trouble, message, now_ms, &told->news, told->text);
}

static void a_failure_is_told_once_and_then_once_a_minute(void **state)
{
	struct told told = {0};
	int count = 0;

	(void)state;
	assert_true(fails(&told, "full", 1000));
	assert_int_equal(told.news, STORE_SQLITE_FAILS);
	assert_string_equal(told.text, "full");
	for (int64_t ms = 1250; ms < 1000 + 10 * TROUBLE_STILL_MS; ms += 250) {
		if (fails(&told, "full", ms)) {
			assert_int_equal(told.news, STORE_SQLITE_STILL_FAILS);
			assert_string_equal(told.text, "full; 240 more in 60 s");
			count++;
		}
	}
	assert_int_equal(count, 9);
}

static void another_kind_of_failure_is_told_as_well(void **state)
{
	struct told told = {0};
	char message[16];

	(void)state;
	for (int i = 0; i < TROUBLE_KINDS_MAX; i++) {
		snprintf(message, sizeof(message), "kind %d", i);
		assert_true(fails(&told, message, 0));
		assert_false(fails(&told, message, 0));
	}
	assert_false(fails(&told, "one more", 0));
}

static void its_end_is_told_once_nothing_failed_for_some_time(void **state)
{
	struct told told = {0};

	(void)state;
	fails(&told, "full", 1000);
	fails(&told, "full", 61000);
	assert_false(trouble_ends(&told.trouble, 90000, told.text));
	trouble_goes_well(&told.trouble);
	assert_false(trouble_ends(&told.trouble, 61000 + TROUBLE_OVER_MS - 1, told.text));
	assert_true(trouble_ends(&told.trouble, 61000 + TROUBLE_OVER_MS, told.text));
	assert_string_equal(told.text, "2 failed, from the first to the last in 60 s");
	assert_false(trouble_ends(&told.trouble, 90000, told.text));
	/* The same again is new. */
	assert_true(fails(&told, "full", 90000));
	assert_int_equal(told.news, STORE_SQLITE_FAILS);
}

static void failures_that_come_and_go_are_one_trouble(void **state)
{
	struct told told = {0};
	int count = 0;

	(void)state;
	for (int64_t ms = 0; ms < TROUBLE_STILL_MS; ms += 1000) {
		count += fails(&told, "sync", ms) ? 1 : 0;
		trouble_goes_well(&told.trouble);
		count += trouble_ends(&told.trouble, ms + 500, told.text) ? 1 : 0;
	}
	assert_int_equal(count, 1);
}

static void where_nothing_failed_nothing_ends(void **state)
{
	struct told told = {0};

	(void)state;
	trouble_goes_well(&told.trouble);
	assert_false(trouble_ends(&told.trouble, 100000, told.text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_failure_is_told_once_and_then_once_a_minute),
			cmocka_unit_test(another_kind_of_failure_is_told_as_well),
			cmocka_unit_test(its_end_is_told_once_nothing_failed_for_some_time),
			cmocka_unit_test(failures_that_come_and_go_are_one_trouble),
			cmocka_unit_test(where_nothing_failed_nothing_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
