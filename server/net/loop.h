/* The event loop. One pass waits for the system (sockets, signals, timers), then runs what was
 * deferred meanwhile: first the tasks, each once, so that whoever has more to do lets the others
 * go first; then the late tasks, which write out what the pass has produced; then, if there was no
 * task, for a moment the rest: so what somebody asks for by the thousand keeps nobody waiting.
 *
 * Single-threaded; owns the event base, the time that play asked to be woken at, and the signals
 * SIGTERM, SIGINT and SIGHUP. Knows neither connections nor play. */
#ifndef NET_LOOP_H
#define NET_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/play/ports.h"

struct loop;
struct event_base;
struct event;

/* NULL when the system gives no event base. Ignores SIGPIPE for the whole process. */
struct loop *loop_new(void);

/* No task may be queued any more. NULL is fine. */
void loop_free(struct loop *loop);

struct event_base *loop_base(struct loop *loop);

/* Work put off. */

struct loop_tasks;

/* Embedded in what it works on; zeroed but for `run`. */
struct loop_task {
	void (*run)(struct loop_task *task);
	TAILQ_ENTRY(loop_task) link;
	struct loop_tasks *in; /* NULL: not queued */
};

enum loop_queue {
	LOOP_TASKS, /* the next phase of tasks */
	LOOP_LATE,  /* the end of this pass, or, if that is where we are, before it ends */

	/* The rest. From one of these queues after the other a task is run, until LOOP_REST_US
	 * are over, or a part of the time since they were put off, if that is more; one of them at
	 * least. Tasks put them off, but for no longer than LOOP_PUT_OFF_US. */
	LOOP_OUT,      /* what is to be written and may be written a little later */
	LOOP_BEHIND,   /* who has to let others go first */
	LOOP_ARRIVALS, /* who comes in */

	LOOP_QUEUES
};
#define LOOP_PUT_OFF_US 1000
#define LOOP_REST_US 25
#define LOOP_REST_SHARE 8
/* And who is behind and who comes in rest after each task: whoever goes first and comes meanwhile
 * waits for its end, so they rest the longer the longer it took. With passes with tasks taking a
 * part `load` of the time, a task that took t microseconds of the core is followed by a rest
 * t * (4 * load * (1 - load))^3 times as long, up to LOOP_REST_MOST_US: most where those who go
 * first need half of the time. With less to do they seldom meet the rest; with more they wait for
 * each other anyway, and the rest has the part that is put off. */
#define LOOP_REST_MOST_US 20000
#define LOOP_LOAD_US 20000 /* the load is counted over so long */

/* Run the task once when it is that queue's turn. It may free itself while it runs. A task stands
 * in one queue at a time, the first that it was put into. */
void loop_defer(struct loop *loop, enum loop_queue queue, struct loop_task *task);

/* Take out a task of any kind; fine if it is not queued. */
void loop_forget(struct loop_task *task);

/* What happens. */

/* A timer that is not set; never NULL. event_free ends it. */
struct event *loop_timer_new(
		struct loop *loop, void (*fired)(int fd, short what, void *arg), void *arg);

/* Let it fire once, in wait_ms, or at once if that is past. It may come a little too early, the
 * base's clock being coarse. */
void loop_timer_set(struct event *timer, int64_t wait_ms);

typedef void loop_fn(void *arg);

/* The clock for play; `woken` is called when the time of wake_at has come. */
void loop_clock(struct loop *loop, loop_fn *woken, void *arg, struct clock_port *ret);

/* `stood` is called, before all else that a pass brings, when the process did not run for some
 * time: it was stopped, its machine was asleep, or so busy. `ms` is for about how long, give or
 * take LOOP_BEAT_MS, and at least LOOP_STOOD_MS. Returns 0 or a negative errno. */
#define LOOP_BEAT_MS 250
#define LOOP_STOOD_MS 500
typedef void loop_stood_fn(void *arg, int64_t ms);
int loop_on_standstill(struct loop *loop, loop_stood_fn *stood, void *arg);

/* The time at which something is read now, in microseconds; `stood` is told first, if need be. */
int64_t loop_arrival_us(struct loop *loop);

/* `stop` is called at the first SIGTERM or SIGINT. At the second the process exits with 1.
 * Returns 0 or a negative errno. */
int loop_on_stop(struct loop *loop, loop_fn *stop, void *arg);

/* `reload` is called at each SIGHUP. Returns 0 or a negative errno. */
int loop_on_hangup(struct loop *loop, loop_fn *reload, void *arg);

/* `readable` is called while fd can be read. NULL when there is no memory for it. */
struct loop_watch;
struct loop_watch *loop_watch_new(struct loop *loop, int fd, loop_fn *readable, void *arg);

/* Watch it no more, before it is closed. NULL is fine. */
void loop_watch_free(struct loop_watch *watch);

/* Run until `finished` says so, which is asked after each pass. */
void loop_run(struct loop *loop, bool (*finished)(void *arg), void *arg);

#endif
