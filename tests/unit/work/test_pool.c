#include "server/work/pool.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "tests/unit/game/cmocka_all.h"

/* A machine that is busy elsewhere may keep a thread waiting, but not for so long. */
#define LONG_MS 20000

/* What a thread's tool is here. */
struct tool {
	atomic_int prepared;  /* how often preparing was asked for */
	atomic_int prepares;  /* it is in there right now */
	atomic_int preparing; /* what it is to do: the tests set it */
};

enum preparing { PREPARE_AT_ONCE, PREPARE_UNTIL_STOPPED };

#define TOOLS_MAX 4

static struct tool tools[TOOLS_MAX];
static int tool_count;
static int tools_allowed;
static int tools_freed;
static int told_prepared;
static struct work *work;
static pthread_t loop_thread;

static void *tool_new(void *arg)
{
	assert_ptr_equal(arg, &work);
	return tool_count == tools_allowed ? NULL : &tools[tool_count++];
}

static void tool_free(void *tool)
{
	assert_non_null(tool);
	tools_freed++;
}

static bool prepare(void *arg, const atomic_bool *stop)
{
	struct tool *tool = arg;

	tool->prepared++;
	tool->prepares = 1;
	while (tool->preparing == PREPARE_UNTIL_STOPPED && !*stop) {
		usleep(100);
	}
	tool->prepares = 0;
	return !*stop;
}

static void prepared(void *arg)
{
	assert_ptr_equal(arg, &work);
	assert_true(pthread_equal(pthread_self(), loop_thread));
	told_prepared++;
}

static int open_pool(size_t threads)
{
	const struct work_config config = {.threads = threads,
			.tool_new = tool_new,
			.tool_free = tool_free,
			.prepare = prepare,
			.prepared = prepared,
			.arg = &work};

	return work_pool_open(&config, &work);
}

static int begin(void **state)
{
	(void)state;
	for (size_t i = 0; i < TOOLS_MAX; i++) {
		tools[i] = (struct tool){0};
	}
	tool_count = tools_freed = told_prepared = 0;
	tools_allowed = TOOLS_MAX;
	work = NULL;
	loop_thread = pthread_self();
	return 0;
}

static int end(void **state)
{
	(void)state;
	work_pool_free(work);
	assert_int_equal(tools_freed, tool_count);
	return 0;
}

static void wait_for(const atomic_int *flag)
{
	for (int i = 0; i < LONG_MS && *flag == 0; i++) {
		usleep(1000);
	}
	assert_int_not_equal(*flag, 0);
}

/* Wait until there is something to deliver, and do. */
static void deliver(void)
{
	struct pollfd fd = {.fd = work_pool_fd(work), .events = POLLIN};

	assert_int_equal(poll(&fd, 1, LONG_MS), 1);
	work_pool_deliver(work);
}

/* Jobs. */

struct errand {
	struct work_job job;
	atomic_int begun;
	atomic_int may_end; /* 0: only once it is cancelled */
	bool ran;
	bool saw_cancelled;
	bool blocks_signals;
	void *tool;
	pthread_t thread;
	int done; /* in which order; 0: not yet */
};

static int done_count;

static void run(struct work_job *job, void *tool)
{
	struct errand *errand = (struct errand *)job;
	sigset_t blocked;

	errand->tool = tool;
	errand->thread = pthread_self();
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	errand->blocks_signals =
			sigismember(&blocked, SIGTERM) == 1 && sigismember(&blocked, SIGINT) == 1;
	errand->begun = 1;
	while (!errand->may_end && !job->cancelled) {
		usleep(100);
	}
	errand->saw_cancelled = job->cancelled;
	errand->ran = true;
}

static void done(struct work_job *job)
{
	struct errand *errand = (struct errand *)job;

	assert_true(pthread_equal(pthread_self(), loop_thread));
	assert_int_equal(errand->done, 0);
	done_count++;
	errand->done = done_count;
}

static void submit(struct errand *errand, struct work_lane *lane, bool may_end)
{
	*errand = (struct errand){.job = {.run = run, .done = done}, .may_end = may_end};
	work->ops->submit(work, lane, &errand->job);
}

static void deliver_until_done(const struct errand *errand)
{
	while (errand->done == 0) {
		deliver();
	}
}

/* Tests. */

static void a_job_is_run_in_a_thread_with_its_tool_and_handed_back_when_asked_for(void **state)
{
	struct work_lane lane = {0};
	struct errand errand;

	(void)state;
	assert_int_equal(open_pool(1), 0);
	submit(&errand, &lane, true);
	wait_for(&errand.begun);
	assert_int_equal(errand.done, 0);
	deliver_until_done(&errand);
	assert_true(errand.ran);
	assert_ptr_equal(errand.tool, &tools[0]);
	assert_false(pthread_equal(errand.thread, loop_thread));
	assert_true(errand.blocks_signals);
}

static void threads_work_side_by_side_with_a_tool_each(void **state)
{
	struct work_lane lane = {0};
	struct errand errands[2];

	(void)state;
	assert_int_equal(open_pool(2), 0);
	submit(&errands[0], &lane, false);
	submit(&errands[1], &lane, false);
	wait_for(&errands[0].begun);
	wait_for(&errands[1].begun);
	assert_ptr_not_equal(errands[0].tool, errands[1].tool);
	errands[1].may_end = 1;
	deliver_until_done(&errands[1]);
	assert_int_equal(errands[0].done, 0);
	errands[0].may_end = 1;
	deliver_until_done(&errands[0]);
}

static void lanes_take_turns_at_a_thread(void **state)
{
	struct work_lane lanes[3] = {{{0}}};
	struct errand first;
	struct errand many[3];
	struct errand one;

	(void)state;
	assert_int_equal(open_pool(1), 0);
	submit(&first, &lanes[0], false);
	wait_for(&first.begun);
	for (size_t i = 0; i < 3; i++) {
		submit(&many[i], &lanes[1], true);
	}
	submit(&one, &lanes[2], true);
	first.may_end = 1;
	deliver_until_done(&many[2]);
	assert_true(many[0].done < one.done);
	assert_true(one.done < many[1].done);
	assert_true(many[1].done < many[2].done);
}

static void a_job_that_waits_is_cancelled_without_being_run(void **state)
{
	struct work_lane lane = {0};
	struct errand running;
	struct errand waiting;

	(void)state;
	assert_int_equal(open_pool(1), 0);
	submit(&running, &lane, false);
	wait_for(&running.begun);
	submit(&waiting, &lane, true);
	work->ops->cancel(work, &waiting.job);
	assert_int_equal(waiting.done, 0);
	deliver_until_done(&waiting);
	assert_false(waiting.ran);
	running.may_end = 1;
	deliver_until_done(&running);
	assert_false(running.saw_cancelled);
}

static void expect_counts(size_t waiting, size_t running, uint64_t done)
{
	struct work_counts counts;
	uint64_t times = 0;

	work_pool_count(work, &counts);
	for (size_t i = 0; i <= HISTOGRAM_BOUNDS_MAX; i++) {
		times += counts.times.counts[i];
	}
	assert_int_equal(counts.waiting, waiting);
	assert_int_equal(counts.running, running);
	assert_int_equal(times, done);
}

static void jobs_are_counted_where_they_are(void **state)
{
	struct work_lane lane = {0};
	struct errand running;
	struct errand waiting[2];

	(void)state;
	assert_int_equal(open_pool(1), 0);
	expect_counts(0, 0, 0);
	submit(&running, &lane, false);
	wait_for(&running.begun);
	submit(&waiting[0], &lane, true);
	submit(&waiting[1], &lane, true);
	expect_counts(2, 1, 0);
	work->ops->cancel(work, &waiting[0].job);
	expect_counts(1, 1, 0);
	running.may_end = 1;
	deliver_until_done(&waiting[1]);
	expect_counts(0, 0, 2);
}

static void a_job_that_runs_sees_that_it_is_cancelled(void **state)
{
	struct work_lane lane = {0};
	struct errand errand;

	(void)state;
	assert_int_equal(open_pool(1), 0);
	submit(&errand, &lane, false);
	wait_for(&errand.begun);
	work->ops->cancel(work, &errand.job);
	work->ops->cancel(work, &errand.job);
	deliver_until_done(&errand);
	assert_true(errand.saw_cancelled);
}

static void a_job_that_was_run_may_still_be_cancelled_and_is_handed_back_once(void **state)
{
	struct work_lane lane = {0};
	struct errand errand;
	struct errand next;

	(void)state;
	assert_int_equal(open_pool(1), 0);
	submit(&errand, &lane, true);
	submit(&next, &lane, true);
	wait_for(&next.begun);
	work->ops->cancel(work, &errand.job);
	deliver_until_done(&next);
	assert_int_equal(errand.done + 1, next.done);
}

static void it_is_told_once_when_every_tool_is_prepared(void **state)
{
	(void)state;
	tools[1].preparing = PREPARE_UNTIL_STOPPED;
	assert_int_equal(open_pool(2), 0);
	wait_for(&tools[1].prepares);
	assert_int_equal(told_prepared, 0);
	tools[1].preparing = PREPARE_AT_ONCE;
	while (told_prepared == 0) {
		deliver();
	}
	work_pool_deliver(work);
	assert_int_equal(told_prepared, 1);
}

static void a_job_comes_before_preparing_which_goes_on_after_it(void **state)
{
	struct work_lane lane = {0};
	struct errand errand;

	(void)state;
	tools[0].preparing = PREPARE_UNTIL_STOPPED;
	assert_int_equal(open_pool(1), 0);
	wait_for(&tools[0].prepares);
	submit(&errand, &lane, true);
	deliver_until_done(&errand);
	assert_int_equal(told_prepared, 0);
	tools[0].preparing = PREPARE_AT_ONCE;
	while (told_prepared == 0) {
		deliver();
	}
	assert_true(tools[0].prepared >= 2);
}

static void preparing_stops_at_the_end(void **state)
{
	(void)state;
	tools[0].preparing = PREPARE_UNTIL_STOPPED;
	tools[1].preparing = PREPARE_UNTIL_STOPPED;
	assert_int_equal(open_pool(2), 0);
	wait_for(&tools[0].prepares);
	work_pool_free(work);
	work = NULL;
	assert_int_equal(tools[0].prepares, 0);
	assert_int_equal(told_prepared, 0);
}

static void without_memory_for_a_tool_there_is_no_worker(void **state)
{
	(void)state;
	tools_allowed = 1;
	assert_int_equal(open_pool(3), -ENOMEM);
	assert_null(work);
	assert_int_equal(tools_freed, 1);
	work_pool_free(NULL);
}

#define POOLED(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
			POOLED(a_job_is_run_in_a_thread_with_its_tool_and_handed_back_when_asked_for),
			POOLED(threads_work_side_by_side_with_a_tool_each),
			POOLED(lanes_take_turns_at_a_thread),
			POOLED(a_job_that_waits_is_cancelled_without_being_run),
			POOLED(jobs_are_counted_where_they_are),
			POOLED(a_job_that_runs_sees_that_it_is_cancelled),
			POOLED(a_job_that_was_run_may_still_be_cancelled_and_is_handed_back_once),
			POOLED(it_is_told_once_when_every_tool_is_prepared),
			POOLED(a_job_comes_before_preparing_which_goes_on_after_it),
			POOLED(preparing_stops_at_the_end),
			POOLED(without_memory_for_a_tool_there_is_no_worker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
