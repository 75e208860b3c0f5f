/* Points in time at which something falls due. A heap: setting and cancelling take a few steps
 * however many there are. Owns no timer: each lives in the thing that it belongs to. */
#ifndef PLAY_TIMERS_H
#define PLAY_TIMERS_H

#include <stddef.h>
#include <stdint.h>

typedef void timer_fn(void *owner);

struct timer {
	int64_t due_ms;
	size_t place; /* in the heap, from 1; 0: not set */
	timer_fn *fire;
	void *owner;
};

/* With its time, so that timers are compared without being looked at. */
struct timer_entry {
	int64_t due_ms;
	struct timer *timer;
};

struct timers {
	struct timer_entry *heap;
	size_t count;
	size_t size;
};

void timers_fini(struct timers *timers);

/* Set, or set anew, for this time. */
void timers_set(struct timers *timers, struct timer *timer, int64_t due_ms);

/* Fine for a timer that is not set. */
void timers_cancel(struct timers *timers, struct timer *timer);

/* When the earliest falls due; INT64_MAX when none is set. */
int64_t timers_next(const struct timers *timers);

/* Take out the earliest if it is due at now_ms; else NULL. */
struct timer *timers_take_due(struct timers *timers, int64_t now_ms);

#endif
