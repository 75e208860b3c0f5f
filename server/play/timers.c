#include "server/play/timers.h"

#include <stdlib.h>

#include "server/ops/memory.h"

static void put(struct timers *timers, size_t place, struct timer_entry entry)
{
	timers->heap[place - 1] = entry;
	entry.timer->place = place;
}

static void rise(struct timers *timers, size_t place, struct timer_entry entry)
{
	while (place > 1 && timers->heap[place / 2 - 1].due_ms > entry.due_ms) {
		put(timers, place, timers->heap[place / 2 - 1]);
		place /= 2;
	}
	put(timers, place, entry);
}

/* Returns where there is a place for it. */
static size_t sink(struct timers *timers, size_t place, struct timer_entry entry)
{
	while (place * 2 <= timers->count) {
		size_t child = place * 2;
		if (child < timers->count &&
				timers->heap[child].due_ms < timers->heap[child - 1].due_ms) {
			child++;
		}
		if (timers->heap[child - 1].due_ms >= entry.due_ms) {
			break;
		}
		put(timers, place, timers->heap[child - 1]);
		place = child;
	}
	return place;
}

void timers_fini(struct timers *timers)
{
	free(timers->heap);
	*timers = (struct timers){0};
}

void timers_set(struct timers *timers, struct timer *timer, int64_t due_ms)
{
	timers_cancel(timers, timer);
	if (timers->count == timers->size) {
		timers->size = timers->size == 0 ? 16 : timers->size * 2;
		timers->heap = memory_resize(
				timers->heap, timers->size, sizeof(struct timer_entry));
	}
	timer->due_ms = due_ms;
	timers->count++;
	rise(timers, timers->count, (struct timer_entry){due_ms, timer});
}

void timers_cancel(struct timers *timers, struct timer *timer)
{
	if (timer->place == 0) {
		return;
	}
	const struct timer_entry last = timers->heap[timers->count - 1];
	const size_t place = timer->place;
	timers->count--;
	timer->place = 0;
	if (last.timer != timer) {
		rise(timers, sink(timers, place, last), last);
	}
}

int64_t timers_next(const struct timers *timers)
{
	return timers->count == 0 ? INT64_MAX : timers->heap[0].due_ms;
}

struct timer *timers_take_due(struct timers *timers, int64_t now_ms)
{
	if (timers_next(timers) > now_ms) {
		return NULL;
	}
	struct timer *timer = timers->heap[0].timer;
	timers_cancel(timers, timer);
	return timer;
}
