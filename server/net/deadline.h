/* Deadlines that are equally far away when they are set: so the first to be set is the first to
 * pass, and one timer serves them all. */
#ifndef NET_DEADLINE_H
#define NET_DEADLINE_H

#include <stdint.h>
#include <sys/queue.h>

#include "server/net/loop.h"

struct deadlines;

/* Embedded in what is to be ended; zeroed at the start. */
struct deadline {
	struct deadlines *of; /* NULL: not set */
	int64_t at_ms;
	TAILQ_ENTRY(deadline) link;
};

TAILQ_HEAD(deadline_list, deadline);

typedef void deadline_fn(struct deadline *deadline);

struct deadlines {
	struct deadline_list list;
	struct event *timer;
	int64_t wait_ms;
	deadline_fn *passed; /* the deadline is no longer set then */
};

/* *deadlines is the caller's memory; the loop outlives it. */
void deadlines_init(struct deadlines *deadlines, struct loop *loop, int64_t wait_ms,
		deadline_fn *passed);

/* None may be set. */
void deadlines_fini(struct deadlines *deadlines);

/* Another wait, also for those that are set, from when they were. */
void deadlines_change(struct deadlines *deadlines, int64_t wait_ms);

/* Set it to wait_ms from now; one that was set, here or elsewhere, is not any more. */
void deadline_set(struct deadlines *deadlines, struct deadline *deadline);

/* Fine if it is not set. */
void deadline_clear(struct deadline *deadline);

#endif
