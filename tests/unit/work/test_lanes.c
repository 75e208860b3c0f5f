#include "server/work/lanes.h"
#include "tests/unit/game/cmocka_all.h"

static struct work_lane_list lanes;
static struct work_lane many, few;
static struct work_job jobs[6];

static int empty(void **state)
{
	(void)state;
	TAILQ_INIT(&lanes);
	many = few = (struct work_lane){0};
	for (size_t i = 0; i < 6; i++) {
		jobs[i] = (struct work_job){0};
	}
	return 0;
}

static void assert_taken(const struct work_job *job)
{
	assert_ptr_equal(lanes_take(&lanes), job);
}

static void jobs_of_a_lane_keep_their_order(void **state)
{
	(void)state;
	lanes_put(&lanes, &many, &jobs[2]);
	lanes_put(&lanes, &many, &jobs[0]);
	lanes_put(&lanes, &many, &jobs[1]);
	assert_taken(&jobs[2]);
	assert_taken(&jobs[0]);
	assert_taken(&jobs[1]);
	assert_taken(NULL);
}

static void lanes_take_turns_whoever_came_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		lanes_put(&lanes, &many, &jobs[i]);
	}
	lanes_put(&lanes, &few, &jobs[4]);
	assert_taken(&jobs[0]);
	assert_taken(&jobs[4]);
	assert_taken(&jobs[1]);
	lanes_put(&lanes, &few, &jobs[5]);
	assert_taken(&jobs[2]);
	assert_taken(&jobs[5]);
	assert_taken(&jobs[3]);
	assert_taken(NULL);
}

static void lanes_in_one_lane_share_its_turns(void **state)
{
	struct work_lane house = {0};
	struct work_lane first = {.of = &house};
	struct work_lane second = {.of = &house};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		lanes_put(&lanes, &first, &jobs[i]);
		lanes_put(&lanes, &second, &jobs[2 + i]);
		lanes_put(&lanes, &few, &jobs[4 + i]);
	}
	assert_taken(&jobs[0]);
	assert_taken(&jobs[4]);
	assert_taken(&jobs[2]);
	assert_taken(&jobs[5]);
	assert_true(lanes_remove(&lanes, &jobs[1]));
	assert_false(first.is_linked);
	assert_taken(&jobs[3]);
	assert_false(house.is_linked);
	assert_taken(NULL);
	assert_true(TAILQ_EMPTY(&lanes));
	lanes_put(&lanes, &first, &jobs[0]);
	assert_true(lanes_remove(&lanes, &jobs[0]));
	assert_true(TAILQ_EMPTY(&lanes));
}

static void a_job_can_be_taken_out_while_it_waits(void **state)
{
	(void)state;
	lanes_put(&lanes, &many, &jobs[0]);
	lanes_put(&lanes, &many, &jobs[1]);
	lanes_put(&lanes, &few, &jobs[2]);
	assert_true(lanes_remove(&lanes, &jobs[0]));
	assert_false(lanes_remove(&lanes, &jobs[0]));
	assert_taken(&jobs[1]);
	assert_false(lanes_remove(&lanes, &jobs[1]));
	assert_true(lanes_remove(&lanes, &jobs[2]));
	assert_taken(NULL);
}

static void a_lane_without_jobs_is_in_no_list(void **state)
{
	(void)state;
	lanes_put(&lanes, &many, &jobs[0]);
	assert_true(many.is_linked);
	assert_taken(&jobs[0]);
	assert_false(many.is_linked);
	assert_true(TAILQ_EMPTY(&lanes));
	lanes_put(&lanes, &many, &jobs[0]);
	assert_true(lanes_remove(&lanes, &jobs[0]));
	assert_false(many.is_linked);
	assert_true(TAILQ_EMPTY(&lanes));
}

#define ON_LANES(test) cmocka_unit_test_setup(test, empty)

int main(void)
{
	const struct CMUnitTest tests[] = {
			ON_LANES(jobs_of_a_lane_keep_their_order),
			ON_LANES(lanes_take_turns_whoever_came_first),
			ON_LANES(lanes_in_one_lane_share_its_turns),
			ON_LANES(a_job_can_be_taken_out_while_it_waits),
			ON_LANES(a_lane_without_jobs_is_in_no_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
