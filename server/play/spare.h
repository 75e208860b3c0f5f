/* Blocks of memory of one size that are used again: each request takes a few that are too large for
 * the allocator's quick lists. Keeps at most SPARE_BLOCKS_MAX; what they hold is left as it was. */
#ifndef PLAY_SPARE_H
#define PLAY_SPARE_H

#include <stddef.h>

#define SPARE_BLOCKS_MAX 256

/* Zeroed is empty. */
struct spare {
	void *first;
	size_t count;
};

/* A block of `size`, always the same for one spare and at least a pointer's; never NULL, not
 * zeroed. */
void *spare_take(struct spare *spare, size_t size);

/* Give a block back. */
void spare_put(struct spare *spare, void *block);

void spare_fini(struct spare *spare);

#endif
