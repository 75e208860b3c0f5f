#include <time.h>

#include "server/ops/clock.h"
#include "tests/unit/game/cmocka_all.h"

static void the_clock_begins_with_the_wall_clock(void **state)
{
	const int64_t before_ms = (int64_t)time(NULL) * 1000;
	const int64_t now_ms = clock_now_ms();

	(void)state;
	assert_true(now_ms >= before_ms);
	/* time() reads a coarser clock, which begins a second some milliseconds late. */
	assert_true(now_ms <= ((int64_t)time(NULL) + 2) * 1000);
}

static void the_clock_goes_on_and_never_back(void **state)
{
	const int64_t start_ms = clock_now_ms();
	int64_t last_ms = start_ms;

	(void)state;
	while (last_ms < start_ms + 20) {
		const int64_t now_ms = clock_now_ms();

		assert_true(now_ms >= last_ms);
		last_ms = now_ms;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(the_clock_begins_with_the_wall_clock),
			cmocka_unit_test(the_clock_goes_on_and_never_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
