#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/net/loop.h"
#include "server/ops/clock.h"
#include "tests/unit/game/cmocka_all.h"

static struct loop *loop;
static char trace[64];
static int passes;

static int set_up(void **state)
{
	(void)state;
	loop = loop_new();
	trace[0] = '\0';
	passes = 0;
	return loop == NULL;
}

static int tear_down(void **state)
{
	(void)state;
	loop_free(loop);
	return 0;
}

static bool four_passes(void *arg)
{
	(void)arg;
	strcat(trace, "|");
	return ++passes == 4;
}

static bool five_passes(void *arg)
{
	(void)arg;
	strcat(trace, "|");
	return ++passes == 5;
}

static void run_a(struct loop_task *task)
{
	strcat(trace, "a");
	if (passes < 2) {
		loop_defer(loop, LOOP_TASKS, task);
	}
}

static void run_b(struct loop_task *task)
{
	(void)task;
	strcat(trace, "b");
}

static struct loop_task late = {.run = run_b};

static void run_c(struct loop_task *task)
{
	strcat(trace, "c");
	loop_defer(loop, LOOP_LATE, &late);
	if (passes < 3) {
		loop_defer(loop, LOOP_TASKS, task);
	}
}

static void each_task_runs_once_a_pass_and_late_ones_last(void **state)
{
	struct loop_task a = {.run = run_a};
	struct loop_task c = {.run = run_c};

	(void)state;
	loop_defer(loop, LOOP_TASKS, &c);
	loop_defer(loop, LOOP_TASKS, &a);
	loop_defer(loop, LOOP_TASKS, &a);
	loop_run(loop, four_passes, NULL);
	assert_string_equal(trace, "cab|cab|cab|cb|");
}

static void run_forgetful(struct loop_task *task)
{
	(void)task;
	strcat(trace, "f");
	loop_forget(&late);
}

static void a_forgotten_task_does_not_run(void **state)
{
	struct loop_task a = {.run = run_a};
	struct loop_task f = {.run = run_forgetful};

	(void)state;
	passes = 3;
	loop_defer(loop, LOOP_TASKS, &a);
	loop_defer(loop, LOOP_TASKS, &f);
	loop_defer(loop, LOOP_LATE, &late);
	loop_forget(&a);
	loop_forget(&a);
	loop_run(loop, four_passes, NULL);
	assert_string_equal(trace, "f|");
}

/* Of the rest. */
struct resting {
	struct loop_task task;
	const char *letter;
	bool is_long; /* longer than the rest has in a pass */
};

static void take_long(void)
{
	const int64_t end_us = clock_spent_us() + 2 * LOOP_REST_US;

	while (clock_spent_us() < end_us) {
	}
}

static void run_resting(struct loop_task *task)
{
	const struct resting *resting = (void *)((char *)task - offsetof(struct resting, task));

	if (resting->is_long) {
		take_long();
	}
	strcat(trace, resting->letter);
}

static void put_off(void)
{
	struct resting first = {{.run = run_resting}, "1", true};
	struct resting second = {{.run = run_resting}, "2", true};
	struct loop_task a = {.run = run_a};

	trace[0] = '\0';
	passes = 1;
	loop_defer(loop, LOOP_OUT, &first.task);
	loop_defer(loop, LOOP_OUT, &second.task);
	loop_defer(loop, LOOP_TASKS, &first.task); /* it stands there already */
	loop_defer(loop, LOOP_TASKS, &a);
	loop_run(loop, five_passes, NULL);
}

static void the_rest_has_a_moment_of_each_pass_without_tasks(void **state)
{
	int64_t begin_us;

	(void)state;
	/* On a busy machine it may be put off for too long. */
	do {
		begin_us = clock_now_us();
		put_off();
	} while (clock_now_us() - begin_us >= LOOP_PUT_OFF_US);
	assert_string_equal(trace, "a|a|1|2|");
}

static void the_queues_of_the_rest_take_turns(void **state)
{
	struct resting all[] = {{{.run = run_resting}, "o", false},
			{{.run = run_resting}, "O", true}, {{.run = run_resting}, "b", false},
			{{.run = run_resting}, "B", true}, {{.run = run_resting}, "x", false},
			{{.run = run_resting}, "X", true}};

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		loop_defer(loop, (enum loop_queue)(LOOP_OUT + i / 2), &all[i].task);
	}
	loop_run(loop, four_passes, NULL);
	assert_string_equal(trace, "obxO|B|X||");
}

static bool is_traced(void *arg)
{
	return strstr(trace, arg) != NULL;
}

static void run_busy(struct loop_task *task)
{
	take_long();
	loop_defer(loop, LOOP_TASKS, task);
}

static void tasks_put_off_the_rest_but_not_for_ever(void **state)
{
	const int64_t begin_us = clock_now_us();
	struct resting rest = {{.run = run_resting}, "1", false};
	struct loop_task busy = {.run = run_busy};
	char one[] = "1";

	(void)state;
	loop_defer(loop, LOOP_OUT, &rest.task);
	loop_defer(loop, LOOP_TASKS, &busy);
	loop_run(loop, is_traced, one);
	assert_true(clock_now_us() - begin_us >= LOOP_PUT_OFF_US);
	loop_forget(&busy);
}

static int64_t busy_until_us;

static bool is_busy_no_more(void *arg)
{
	(void)arg;
	return clock_now_us() >= busy_until_us;
}

static void run_now_and_then(struct loop_task *task)
{
	static bool goes_first;

	take_long();
	goes_first = !goes_first;
	loop_defer(loop, goes_first ? LOOP_TASKS : LOOP_OUT, task);
}

/* Until it is known that tasks take half of the time. */
static void be_busy(void)
{
	struct loop_task busy = {.run = run_now_and_then};

	busy_until_us = clock_now_us() + 2 * (int64_t)LOOP_LOAD_US;
	loop_defer(loop, LOOP_TASKS, &busy);
	loop_run(loop, is_busy_no_more, NULL);
	loop_forget(&busy);
}

/* How long it takes is left open: only that others have their turns meanwhile, and for how long at
 * least. */
static void who_is_behind_rests_while_others_are_served(void **state)
{
	struct resting first = {{.run = run_resting}, "1", true};
	struct resting second = {{.run = run_resting}, "2", true};
	struct resting out = {{.run = run_resting}, "o", false};
	char one[] = "1";
	char two[] = "2";
	int64_t first_us;

	(void)state;
	be_busy();
	loop_defer(loop, LOOP_BEHIND, &first.task);
	loop_defer(loop, LOOP_BEHIND, &second.task);
	first_us = clock_now_us();
	loop_run(loop, is_traced, one);
	loop_defer(loop, LOOP_OUT, &out.task);
	loop_run(loop, is_traced, two);
	/* It took 2 * LOOP_REST_US. The load may have been a little more or less than half. */
	assert_true(clock_now_us() - first_us >= LOOP_REST_US * 2 * (int64_t)LOOP_REST_US);
	assert_string_equal(trace, "1o2");
}

static void who_is_behind_rests_not_while_nobody_else_is_served(void **state)
{
	struct resting all[] = {{{.run = run_resting}, "1", true},
			{{.run = run_resting}, "2", true}, {{.run = run_resting}, "3", true},
			{{.run = run_resting}, "4", true}};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		loop_defer(loop, LOOP_BEHIND, &all[i].task);
	}
	loop_run(loop, four_passes, NULL);
	assert_string_equal(trace, "1|2|3|4|");
}

static bool is_traced_at_last(void *arg)
{
	passes++;
	return is_traced(arg);
}

/* By hundreds of passes it would be waited for otherwise. */
static void the_core_is_left_to_others_while_those_behind_rest(void **state)
{
	struct resting first = {{.run = run_resting}, "1", true};
	struct resting second = {{.run = run_resting}, "2", true};
	char two[] = "2";

	(void)state;
	be_busy();
	loop_defer(loop, LOOP_BEHIND, &first.task);
	loop_defer(loop, LOOP_BEHIND, &second.task);
	loop_run(loop, is_traced_at_last, two);
	assert_in_range(passes, 2, 10);
}

static void run_behind_and_late(struct loop_task *task)
{
	(void)task;
	strcat(trace, "q");
	loop_defer(loop, LOOP_LATE, &late);
}

/* Else who floods could have as much written as he likes before it is the others' turn. */
static void what_those_behind_have_to_write_waits_for_the_next_pass(void **state)
{
	struct loop_task q = {.run = run_behind_and_late};

	(void)state;
	passes = 2;
	loop_defer(loop, LOOP_BEHIND, &q);
	loop_run(loop, four_passes, NULL);
	assert_string_equal(trace, "q|b|");
}

static int64_t woken_ms;

static void note_time(void *arg)
{
	(void)arg;
	woken_ms = clock_now_ms();
}

static bool is_woken(void *arg)
{
	(void)arg;
	return woken_ms != 0;
}

static void play_is_woken_at_its_time_and_not_before(void **state)
{
	struct clock_port clock;
	int64_t wanted_ms;

	(void)state;
	loop_clock(loop, note_time, NULL, &clock);
	for (int64_t wait_ms = 0; wait_ms < 24; wait_ms += 3) {
		woken_ms = 0;
		wanted_ms = clock.now_ms(clock.arg) + wait_ms;
		clock.wake_at(clock.arg, wanted_ms + 100000);
		clock.wake_at(clock.arg, wanted_ms);
		loop_run(loop, is_woken, NULL);
		assert_true(woken_ms >= wanted_ms);
	}
}

static void a_time_in_the_past_wakes_at_once(void **state)
{
	struct clock_port clock;

	(void)state;
	woken_ms = 0;
	loop_clock(loop, note_time, NULL, &clock);
	clock.wake_at(clock.arg, INT64_MIN / 2);
	loop_run(loop, is_woken, NULL);
	assert_int_not_equal(woken_ms, 0);
}

static void wake_ends(void *arg)
{
	(void)arg;
	strcat(trace, "w");
}

static void never_takes_back_the_time_asked_for(void **state)
{
	struct clock_port clock;
	struct loop_task a = {.run = run_a};

	(void)state;
	loop_clock(loop, wake_ends, NULL, &clock);
	clock.wake_at(clock.arg, 0);
	clock.wake_at(clock.arg, INT64_MAX);
	passes = 3;
	loop_defer(loop, LOOP_TASKS, &a);
	loop_run(loop, four_passes, NULL);
	assert_string_equal(trace, "a|");
}

static void note_stop(void *arg)
{
	*(bool *)arg = true;
}

static bool is_set(void *arg)
{
	return *(bool *)arg;
}

static void the_first_signal_stops(void **state)
{
	bool stopped = false;

	(void)state;
	assert_int_equal(loop_on_stop(loop, note_stop, &stopped), 0);
	raise(SIGTERM);
	loop_run(loop, is_set, &stopped);
	assert_true(stopped);
}

static void only_the_second_interrupt_exits_at_once(void **state)
{
	struct loop_task task = {.run = run_b};
	bool stopped = false;
	bool never = false;
	int status = 0;
	pid_t child;

	(void)state;
	child = fork();
	if (child == 0) {
		struct loop *own = loop_new();

		alarm(10);
		loop_on_stop(own, note_stop, &stopped);
		raise(SIGTERM);
		loop_run(own, is_set, &stopped);
		raise(SIGTERM);
		for (int i = 0; i < 3; i++) {
			passes = 3;
			loop_defer(own, LOOP_TASKS, &task);
			loop_run(own, four_passes, NULL);
		}
		/* Still here: now the interrupt. */
		raise(SIGINT);
		loop_run(own, is_set, &never);
		_exit(2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
}

static int pipe_ends[2];

static void read_byte(void *arg)
{
	char byte;

	*(bool *)arg = read(pipe_ends[0], &byte, 1) == 1;
}

static void a_watched_fd_is_told_when_it_can_be_read(void **state)
{
	bool read_it = false;

	(void)state;
	assert_int_equal(pipe(pipe_ends), 0);
	struct loop_watch *watch = loop_watch_new(loop, pipe_ends[0], read_byte, &read_it);
	assert_non_null(watch);
	assert_int_equal(write(pipe_ends[1], "x", 1), 1);
	loop_run(loop, is_set, &read_it);
	assert_true(read_it);
	loop_watch_free(watch);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

static int64_t stood_ms;

static void note_standstill(void *arg, int64_t ms)
{
	(void)arg;
	stood_ms += ms;
	strcat(trace, "s");
}

static void note_reading(void *arg)
{
	read_byte(arg);
	strcat(trace, "r");
}

static void standing_still_is_told_before_all_else(void **state)
{
	const int64_t sleep_ms = LOOP_STOOD_MS + 2 * LOOP_BEAT_MS;
	struct clock_port clock;
	bool read_it = false;

	(void)state;
	stood_ms = 0;
	assert_int_equal(pipe(pipe_ends), 0);
	struct loop_watch *watch = loop_watch_new(loop, pipe_ends[0], note_reading, &read_it);
	loop_clock(loop, wake_ends, NULL, &clock);
	assert_int_equal(loop_on_standstill(loop, note_standstill, NULL), 0);
	assert_int_equal(write(pipe_ends[1], "x", 1), 1);
	clock.wake_at(clock.arg, clock.now_ms(clock.arg) + 1);
	usleep((useconds_t)sleep_ms * 1000);
	loop_run(loop, is_set, &read_it);
	assert_string_equal(trace, "srw");
	assert_true(stood_ms >= sleep_ms - LOOP_BEAT_MS);
	loop_watch_free(watch);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

static void what_is_read_after_a_standstill_within_a_pass_comes_after_it(void **state)
{
	const int64_t before_ms = clock_now_ms();

	(void)state;
	stood_ms = 0;
	assert_int_equal(loop_on_standstill(loop, note_standstill, NULL), 0);
	assert_true(loop_arrival_us(loop) / 1000 >= before_ms);
	assert_string_equal(trace, "");
	usleep((LOOP_STOOD_MS + 2 * LOOP_BEAT_MS) * 1000);
	assert_true(loop_arrival_us(loop) / 1000 >= before_ms + LOOP_STOOD_MS);
	assert_string_equal(trace, "s");
	loop_arrival_us(loop);
	assert_string_equal(trace, "s");
}

static bool is_long_after(void *arg)
{
	return clock_now_ms() > *(const int64_t *)arg;
}

static void who_only_waits_does_not_stand_still(void **state)
{
	int64_t end_ms = clock_now_ms() + 3 * LOOP_STOOD_MS;

	(void)state;
	stood_ms = 0;
	assert_int_equal(loop_on_standstill(loop, note_standstill, NULL), 0);
	loop_run(loop, is_long_after, &end_ms);
	/* A busy machine may make a process stand still indeed, but not for all that time. */
	assert_true(stood_ms < 2 * LOOP_STOOD_MS);
}

#define LOOPED(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
			LOOPED(each_task_runs_once_a_pass_and_late_ones_last),
			LOOPED(a_forgotten_task_does_not_run),
			LOOPED(the_rest_has_a_moment_of_each_pass_without_tasks),
			LOOPED(the_queues_of_the_rest_take_turns),
			LOOPED(tasks_put_off_the_rest_but_not_for_ever),
			LOOPED(who_is_behind_rests_while_others_are_served),
			LOOPED(who_is_behind_rests_not_while_nobody_else_is_served),
			LOOPED(the_core_is_left_to_others_while_those_behind_rest),
			LOOPED(what_those_behind_have_to_write_waits_for_the_next_pass),
			LOOPED(play_is_woken_at_its_time_and_not_before),
			LOOPED(a_time_in_the_past_wakes_at_once),
			LOOPED(never_takes_back_the_time_asked_for),
			LOOPED(the_first_signal_stops),
			LOOPED(only_the_second_interrupt_exits_at_once),
			LOOPED(a_watched_fd_is_told_when_it_can_be_read),
			LOOPED(standing_still_is_told_before_all_else),
			LOOPED(what_is_read_after_a_standstill_within_a_pass_comes_after_it),
			LOOPED(who_only_waits_does_not_stand_still),
	};

	alarm(20);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
