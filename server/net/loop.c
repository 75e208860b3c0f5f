#include "server/net/loop.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <event2/event.h>

#include "server/ops/clock.h"
#include "server/ops/memory.h"

/* A timer is set for no longer than this and then again: so neither a suspended machine, whose
 * timers stand still, nor a time at the end of the world matters. */
#define LOOP_TIMER_MS 60000

/* Of the base's events the heart's beats go first. */
enum loop_priority { LOOP_FIRST, LOOP_USUAL, LOOP_PRIORITIES };

/* To wait takes some time itself. */
#define LOOP_PAUSE_US 50

#define LOOP_REST_FIRST LOOP_OUT

TAILQ_HEAD(loop_tasks, loop_task);

struct loop_call {
	loop_fn *fn;
	void *arg;
};

struct loop {
	struct event_base *base;
	struct loop_tasks queues[LOOP_QUEUES];
	enum loop_queue rest_next; /* whose turn it is of the rest */
	int64_t put_off_us;	   /* since when the rest was */
	int64_t counted_us;	   /* since when time is counted */
	int64_t busy_us;	   /* what passes with tasks took of it */
	int64_t load;		   /* per mille that they took in the time before */
	int64_t behind_from_us;	   /* when those behind may go on */
	int pause;		   /* a timerfd, for so long */
	struct event *paused;
	struct event *timer;
	int64_t wake_at_ms; /* INT64_MAX: never */
	struct loop_call woken;
	struct event *signals[2];
	bool stopping;
	struct loop_call stop;
	int heart; /* a timerfd; -1: nobody asks for it */
	int64_t heard_ms;
	struct event *beat;
	loop_stood_fn *stood;
	void *stood_arg;
	struct event *hangup;
	struct loop_call reload;
};

static void loop_timer_fired(evutil_socket_t fd, short what, void *arg);

/* In the queues from `first` on, and before `end`? */
static bool has_work(const struct loop *loop, enum loop_queue first, enum loop_queue end)
{
	for (enum loop_queue queue = first; queue < end; queue++) {
		if (!TAILQ_EMPTY(&loop->queues[queue])) {
			return true;
		}
	}
	return false;
}

static void loop_paused(evutil_socket_t fd, short what, void *arg)
{
	uint64_t times;

	(void)what;
	(void)arg;
	(void)!read(fd, &times, sizeof(times));
}

static bool begin_pauses(struct loop *loop)
{
	loop->pause = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	loop->paused = event_new(loop->base, loop->pause, EV_READ, loop_paused, NULL);
	return loop->pause >= 0 && loop->paused != NULL;
}

struct loop *loop_new(void)
{
	struct loop *loop = memory_new(1, sizeof(*loop));

	signal(SIGPIPE, SIG_IGN);
	for (enum loop_queue queue = 0; queue < LOOP_QUEUES; queue++) {
		TAILQ_INIT(&loop->queues[queue]);
	}
	loop->rest_next = LOOP_REST_FIRST;
	loop->wake_at_ms = INT64_MAX;
	loop->heart = loop->pause = -1;
	loop->base = event_base_new();
	if (loop->base == NULL) {
		free(loop);
		return NULL;
	}
	event_base_priority_init(loop->base, LOOP_PRIORITIES);
	if (!begin_pauses(loop)) {
		loop_free(loop);
		return NULL;
	}
	loop->timer = loop_timer_new(loop, loop_timer_fired, loop);
	return loop;
}

static void free_event(struct event *event)
{
	if (event != NULL) {
		event_free(event);
	}
}

void loop_free(struct loop *loop)
{
	if (loop == NULL) {
		return;
	}
	assert(!has_work(loop, LOOP_TASKS, LOOP_QUEUES));
	free_event(loop->signals[0]);
	free_event(loop->signals[1]);
	free_event(loop->hangup);
	free_event(loop->timer);
	free_event(loop->beat);
	free_event(loop->paused);
	if (loop->pause >= 0) {
		close(loop->pause);
	}
	if (loop->heart >= 0) {
		close(loop->heart);
	}
	event_base_free(loop->base);
	free(loop);
}

struct event_base *loop_base(struct loop *loop)
{
	return loop->base;
}

/* Work put off. */

static void enqueue(struct loop_tasks *queue, struct loop_task *task)
{
	if (task->in == NULL) {
		task->in = queue;
		TAILQ_INSERT_TAIL(queue, task, link);
	}
}

void loop_forget(struct loop_task *task)
{
	if (task->in != NULL) {
		TAILQ_REMOVE(task->in, task, link);
		task->in = NULL;
	}
}

void loop_defer(struct loop *loop, enum loop_queue queue, struct loop_task *task)
{
	enqueue(&loop->queues[queue], task);
}

/* False: there is none. */
static bool run_first(struct loop_tasks *queue)
{
	struct loop_task *task = TAILQ_FIRST(queue);

	if (task == NULL) {
		return false;
	}
	loop_forget(task);
	task->run(task);
	return true;
}

/* The tasks up to a mark that is put behind the last one now: what they queue, themselves
 * included, has to wait for the next pass. False: there was none. */
static bool run_tasks(struct loop *loop)
{
	struct loop_tasks *queue = &loop->queues[LOOP_TASKS];
	struct loop_task mark = {0};

	if (TAILQ_EMPTY(queue)) {
		return false;
	}
	enqueue(queue, &mark);
	while (TAILQ_FIRST(queue) != &mark) {
		run_first(queue);
	}
	loop_forget(&mark);
	return true;
}

static void run_late_tasks(struct loop *loop)
{
	while (run_first(&loop->queues[LOOP_LATE])) {
	}
}

static enum loop_queue rest_after(enum loop_queue queue)
{
	return queue + 1 < LOOP_QUEUES ? queue + 1 : LOOP_REST_FIRST;
}

static bool may_run(const struct loop *loop, enum loop_queue queue, int64_t now_us)
{
	return queue == LOOP_OUT || now_us >= loop->behind_from_us;
}

/* A task of the first queue, from the next one on, that has one. False: there is none. */
static bool run_one_of_the_rest(struct loop *loop, int64_t now_us, enum loop_queue *ret_queue)
{
	const enum loop_queue first = loop->rest_next;
	enum loop_queue queue = first;
	bool did;

	do {
		*ret_queue = queue;
		did = may_run(loop, queue, now_us) && run_first(&loop->queues[queue]);
		queue = rest_after(queue);
	} while (!did && queue != first);
	loop->rest_next = queue;
	return did;
}

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* A pass with tasks took so long, or there was none. */
static void count_load(struct loop *loop, int64_t took_us)
{
	const int64_t counted_us = clock_now_us() - loop->counted_us;

	loop->busy_us += took_us;
	if (counted_us >= LOOP_LOAD_US) {
		loop->load = 1000 * min(loop->busy_us, counted_us) / counted_us;
		loop->busy_us = 0;
		loop->counted_us += counted_us;
	}
}

static int64_t rest_after_us(const struct loop *loop, int64_t spent_us)
{
	const double load = (double)loop->load / 1000;
	const double balance = 4 * load * (1 - load);
	const double times = balance * balance * balance * (double)spent_us;

	return min((int64_t)((double)spent_us * times), LOOP_REST_MOST_US);
}

/* Short, since those for whom all this is done behind may be about to say something: they wait for
 * the end of it. And those who are behind get a part of the time while others are served. */
static void run_rest(struct loop *loop)
{
	int64_t now_us = clock_now_us();

	if (!has_work(loop, LOOP_REST_FIRST, LOOP_QUEUES)) {
		loop->put_off_us = now_us;
		return;
	}
	int64_t spent_us = clock_spent_us();
	/* It may have stood still. */
	const int64_t since_us = min(now_us - loop->put_off_us, LOOP_REST_MOST_US);
	const int64_t end_us = now_us + max(since_us / LOOP_REST_SHARE, LOOP_REST_US);
	enum loop_queue queue;

	while (now_us < end_us && run_one_of_the_rest(loop, now_us, &queue)) {
		const int64_t before_us = spent_us;

		now_us = clock_now_us();
		spent_us = clock_spent_us();
		if (queue != LOOP_OUT) {
			loop->behind_from_us = now_us + rest_after_us(loop, spent_us - before_us);
		}
	}
	loop->put_off_us = now_us;
}

/* There is nothing to do but for those behind, and they rest: others have the core meanwhile. */
static bool may_pause(struct loop *loop)
{
	const int64_t rest_us = loop->behind_from_us - clock_now_us();
	const struct itimerspec wait = {.it_value.tv_nsec = rest_us * 1000};

	return rest_us >= LOOP_PAUSE_US && !has_work(loop, LOOP_TASKS, LOOP_BEHIND) &&
	       timerfd_settime(loop->pause, 0, &wait, NULL) == 0 &&
	       event_add(loop->paused, NULL) == 0;
}

void loop_run(struct loop *loop, bool (*finished)(void *arg), void *arg)
{
	loop->put_off_us = loop->counted_us = clock_now_us();
	do {
		const bool waits = !has_work(loop, LOOP_TASKS, LOOP_QUEUES) || may_pause(loop);
		const int result = event_base_loop(
				loop->base, waits ? EVLOOP_ONCE : EVLOOP_ONCE | EVLOOP_NONBLOCK);

		/* A base that can't wait would come back at once, for ever. */
		assert(result >= 0);
		(void)result;
		const int64_t began_us = clock_now_us();
		const bool had_tasks = run_tasks(loop);

		run_late_tasks(loop);
		count_load(loop, had_tasks ? clock_now_us() - began_us : 0);
		if (waits || !had_tasks) {
			loop->put_off_us = began_us;
		}
		/* Where there were tasks there may be more by now. */
		if (!had_tasks || clock_now_us() >= loop->put_off_us + LOOP_PUT_OFF_US) {
			run_rest(loop);
		}
	} while (!finished(arg));
}

/* How many beats were there since last time? */
static void hear_heart(struct loop *loop)
{
	uint64_t beats = 0;

	loop->heard_ms = clock_now_ms();
	if (loop->heart >= 0 && read(loop->heart, &beats, sizeof(beats)) == sizeof(beats) &&
			(beats - 1) * LOOP_BEAT_MS >= LOOP_STOOD_MS) {
		/* One of them is what has just come; the others nobody heard. */
		loop->stood(loop->stood_arg, (int64_t)(beats - 1) * LOOP_BEAT_MS);
	}
}

int64_t loop_arrival_us(struct loop *loop)
{
	/* It may have stood still since the pass began. */
	if (clock_now_ms() - loop->heard_ms >= LOOP_STOOD_MS) {
		hear_heart(loop);
	}
	return clock_now_us();
}

/* The clock. */

struct event *loop_timer_new(
		struct loop *loop, void (*fired)(int fd, short what, void *arg), void *arg)
{
	struct event *timer = evtimer_new(loop->base, fired, arg);

	if (timer == NULL) {
		abort(); /* no memory: as memory_new does */
	}
	return timer;
}

void loop_timer_set(struct event *timer, int64_t wait_ms)
{
	const struct timeval wait = {.tv_sec = wait_ms > 0 ? wait_ms / 1000 : 0,
			.tv_usec = wait_ms > 0 ? wait_ms % 1000 * 1000 : 0};

	evtimer_add(timer, &wait);
}

static int64_t loop_now_ms(void *arg)
{
	(void)arg;
	return clock_now_ms();
}

static void set_timer(struct loop *loop)
{
	int64_t wait_ms = loop->wake_at_ms - clock_now_ms();

	loop_timer_set(loop->timer, wait_ms > LOOP_TIMER_MS ? LOOP_TIMER_MS : wait_ms);
}

static void loop_timer_fired(evutil_socket_t fd, short what, void *arg)
{
	struct loop *loop = arg;

	(void)fd;
	(void)what;
	/* A wait that was broken off by a stop tells of timers alone. */
	hear_heart(loop);
	if (loop->wake_at_ms > clock_now_ms()) {
		set_timer(loop);
		return;
	}
	loop->wake_at_ms = INT64_MAX;
	loop->woken.fn(loop->woken.arg);
}

static void loop_wake_at(void *arg, int64_t at_ms)
{
	struct loop *loop = arg;

	if (at_ms == loop->wake_at_ms) {
		return;
	}
	loop->wake_at_ms = at_ms;
	if (at_ms == INT64_MAX) {
		evtimer_del(loop->timer);
	} else {
		set_timer(loop);
	}
}

void loop_clock(struct loop *loop, loop_fn *woken, void *arg, struct clock_port *ret)
{
	loop->woken = (struct loop_call){woken, arg};
	*ret = (struct clock_port){.now_ms = loop_now_ms, .wake_at = loop_wake_at, .arg = loop};
}

/* Standing still. */

static void loop_beats(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	hear_heart(arg);
}

int loop_on_standstill(struct loop *loop, loop_stood_fn *stood, void *arg)
{
	/* The clock that goes on while the machine is asleep. */
	const struct timespec beat = {.tv_nsec = LOOP_BEAT_MS * 1000000L};
	const struct itimerspec beats = {.it_interval = beat, .it_value = beat};

	assert(loop->heart < 0);
	loop->stood = stood;
	loop->stood_arg = arg;
	loop->heart = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (loop->heart < 0 || timerfd_settime(loop->heart, 0, &beats, NULL) != 0) {
		return -errno;
	}
	loop->beat = event_new(loop->base, loop->heart, EV_READ | EV_PERSIST, loop_beats, loop);
	if (loop->beat == NULL || event_priority_set(loop->beat, LOOP_FIRST) != 0 ||
			event_add(loop->beat, NULL) != 0) {
		return -ENOMEM;
	}
	return 0;
}

/* Signals. */

static void loop_signalled(evutil_socket_t number, short what, void *arg)
{
	struct loop *loop = arg;

	(void)what;
	if (!loop->stopping) {
		loop->stopping = true;
		loop->stop.fn(loop->stop.arg);
	} else if (number == SIGINT) {
		/* Somebody at the keyboard who asks twice will not wait. A supervisor that asks
		 * twice gets the same orderly end. */
		_exit(1);
	}
}

int loop_on_stop(struct loop *loop, loop_fn *stop, void *arg)
{
	static const int numbers[] = {SIGTERM, SIGINT};

	loop->stop = (struct loop_call){stop, arg};
	for (size_t i = 0; i < 2; i++) {
		assert(loop->signals[i] == NULL);
		loop->signals[i] = evsignal_new(loop->base, numbers[i], loop_signalled, loop);
		if (loop->signals[i] == NULL || evsignal_add(loop->signals[i], NULL) != 0) {
			return -ENOMEM;
		}
	}
	return 0;
}

static void loop_hung_up(evutil_socket_t number, short what, void *arg)
{
	struct loop *loop = arg;

	(void)number;
	(void)what;
	loop->reload.fn(loop->reload.arg);
}

int loop_on_hangup(struct loop *loop, loop_fn *reload, void *arg)
{
	assert(loop->hangup == NULL);
	loop->reload = (struct loop_call){reload, arg};
	loop->hangup = evsignal_new(loop->base, SIGHUP, loop_hung_up, loop);
	if (loop->hangup == NULL || evsignal_add(loop->hangup, NULL) != 0) {
		return -ENOMEM;
	}
	return 0;
}

/* Descriptors that others hand results over by. */

struct loop_watch {
	struct event *event;
	struct loop_call readable;
};

static void loop_readable(evutil_socket_t fd, short what, void *arg)
{
	const struct loop_watch *watch = arg;

	(void)fd;
	(void)what;
	watch->readable.fn(watch->readable.arg);
}

struct loop_watch *loop_watch_new(struct loop *loop, int fd, loop_fn *readable, void *arg)
{
	struct loop_watch *watch = memory_new(1, sizeof(*watch));

	watch->readable = (struct loop_call){readable, arg};
	watch->event = event_new(loop->base, fd, EV_READ | EV_PERSIST, loop_readable, watch);
	if (watch->event == NULL || event_add(watch->event, NULL) != 0) {
		loop_watch_free(watch);
		return NULL;
	}
	return watch;
}

void loop_watch_free(struct loop_watch *watch)
{
	if (watch != NULL) {
		free_event(watch->event);
		free(watch);
	}
}
