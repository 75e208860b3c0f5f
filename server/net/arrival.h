/* When the bytes of a connection's input came. A line that waits behind others counts from the
 * time at which its last byte was read, not from when its turn comes.
 *
 * Costs no heap unless whole lines wait when more bytes arrive, and then a small ring: bytes that
 * come while it is full move the time of its newest mark on, so a sender with much in flight can
 * only count as later than he was. */
#ifndef NET_ARRIVAL_H
#define NET_ARRIVAL_H

#include <stddef.h>
#include <stdint.h>

#define ARRIVAL_MARKS 8

struct arrival_ring;

/* Zeroed at the start. */
struct arrival {
	int64_t last_us; /* of the newest bytes; microseconds, as clock_now_us has them */
	struct arrival_ring *older;
};

/* More bytes came at now_us, behind `waiting` bytes that hold whole lines (0: none, or only the
 * beginning of one, which gets its time from its end). */
void arrival_add(struct arrival *arrival, size_t waiting, int64_t now_us);

/* When the byte came that is the position-th of the input, from 1. */
int64_t arrival_of(const struct arrival *arrival, size_t position);

/* The first `count` bytes of the input are gone. */
void arrival_drop(struct arrival *arrival, size_t count);

void arrival_fini(struct arrival *arrival);

#endif
