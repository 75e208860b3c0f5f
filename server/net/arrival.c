#include "server/net/arrival.h"

#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

struct arrival_mark {
	size_t end; /* position of the last byte that came then */
	int64_t at_us;
};

struct arrival_ring {
	size_t count;				  /* 1 or more */
	struct arrival_mark marks[ARRIVAL_MARKS]; /* by position, ascending */
};

void arrival_add(struct arrival *arrival, size_t waiting, int64_t now_us)
{
	struct arrival_ring *ring = arrival->older;
	const size_t covered = ring == NULL ? 0 : ring->marks[ring->count - 1].end;

	if (waiting > covered) {
		if (ring == NULL) {
			ring = arrival->older = memory_new(1, sizeof(*ring));
		}
		if (ring->count < ARRIVAL_MARKS) {
			ring->count++;
		}
		ring->marks[ring->count - 1] = (struct arrival_mark){waiting, arrival->last_us};
	}
	arrival->last_us = now_us;
}

int64_t arrival_of(const struct arrival *arrival, size_t position)
{
	const struct arrival_ring *ring = arrival->older;

	for (size_t i = 0; ring != NULL && i < ring->count; i++) {
		if (position <= ring->marks[i].end) {
			return ring->marks[i].at_us;
		}
	}
	return arrival->last_us;
}

void arrival_drop(struct arrival *arrival, size_t count)
{
	struct arrival_ring *ring = arrival->older;
	size_t gone = 0;

	if (ring == NULL) {
		return;
	}
	while (gone < ring->count && ring->marks[gone].end <= count) {
		gone++;
	}
	if (gone == ring->count) {
		arrival_fini(arrival);
		return;
	}
	ring->count -= gone;
	memmove(ring->marks, ring->marks + gone, ring->count * sizeof(ring->marks[0]));
	for (size_t i = 0; i < ring->count; i++) {
		ring->marks[i].end -= count;
	}
}

void arrival_fini(struct arrival *arrival)
{
	free(arrival->older);
	arrival->older = NULL;
}
