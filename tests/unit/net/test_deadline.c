#include <unistd.h>

#include "server/net/deadline.h"
#include "server/ops/clock.h"
#include "tests/unit/game/cmocka_all.h"

#define WAIT_MS 15

static struct loop *loop;
static struct deadlines near;
static struct deadlines far;
static struct deadline *passed[8];
static size_t passed_count;
static int64_t passed_ms;

static void note(struct deadline *deadline)
{
	assert_null(deadline->of);
	passed_ms = clock_now_ms();
	passed[passed_count++] = deadline;
}

static int set_up(void **state)
{
	(void)state;
	loop = loop_new();
	deadlines_init(&near, loop, WAIT_MS, note);
	deadlines_init(&far, loop, 100 * WAIT_MS, note);
	passed_count = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	deadlines_fini(&near);
	deadlines_fini(&far);
	loop_free(loop);
	return 0;
}

static bool enough(void *arg)
{
	return passed_count >= *(size_t *)arg;
}

static void deadlines_pass_in_their_order_and_not_before_their_time(void **state)
{
	struct deadline a = {0};
	struct deadline b = {0};
	const int64_t start_ms = clock_now_ms();
	size_t wanted = 2;

	(void)state;
	deadline_set(&near, &b);
	deadline_set(&near, &a);
	loop_run(loop, enough, &wanted);
	assert_true(passed_ms >= start_ms + WAIT_MS);
	assert_ptr_equal(passed[0], &b);
	assert_ptr_equal(passed[1], &a);
}

static void a_cleared_deadline_does_not_pass(void **state)
{
	struct deadline a = {0};
	struct deadline b = {0};
	struct deadline c = {0};
	size_t wanted = 1;

	(void)state;
	deadline_set(&near, &a);
	deadline_set(&near, &b);
	deadline_set(&near, &c);
	deadline_clear(&a);
	deadline_clear(&a);
	deadline_clear(&c);
	loop_run(loop, enough, &wanted);
	assert_int_equal(passed_count, 1);
	assert_ptr_equal(passed[0], &b);
}

static void set_again_it_has_its_new_time_alone(void **state)
{
	struct deadline a = {0};
	struct deadline b = {0};
	size_t wanted = 2;

	(void)state;
	deadline_set(&far, &a);
	deadline_set(&near, &b);
	deadline_set(&near, &a);
	loop_run(loop, enough, &wanted);
	assert_ptr_equal(passed[0], &b);
	assert_ptr_equal(passed[1], &a);
	assert_true(TAILQ_EMPTY(&far.list));
}

static void another_wait_counts_from_when_they_were_set(void **state)
{
	struct deadline a = {0};
	struct deadline b = {0};
	const int64_t start_ms = clock_now_ms();
	size_t wanted = 2;

	(void)state;
	deadline_set(&far, &a);
	deadlines_change(&far, 2 * WAIT_MS);
	deadline_set(&far, &b);
	loop_run(loop, enough, &wanted);
	assert_ptr_equal(passed[0], &a);
	assert_ptr_equal(passed[1], &b);
	assert_true(passed_ms - start_ms >= 2 * WAIT_MS);
	assert_true(passed_ms - start_ms < 50 * WAIT_MS);
}

#define TIMED(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
			TIMED(deadlines_pass_in_their_order_and_not_before_their_time),
			TIMED(a_cleared_deadline_does_not_pass),
			TIMED(set_again_it_has_its_new_time_alone),
			TIMED(another_wait_counts_from_when_they_were_set),
	};

	alarm(10);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
