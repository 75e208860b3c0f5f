/* Blocks of memory of one size that are used again: each request takes a few that are too large for
 * the allocator's quick lists. Keeps at most SPARE_BLOCKS_MAX; what they hold is left as it was. */
#ifndef PLAY_SPARE_H
#define PLAY_SPARE_H

#include <stddef.h>

/* Under the address sanitizer none is kept, so that it finds who uses what he gave back. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPARE_BLOCKS_MAX 0
#endif
#endif
#ifndef SPARE_BLOCKS_MAX
#define SPARE_BLOCKS_MAX 256
#endif

/* Zeroed is empty. */
struct spare {
	void *first;
	size_t count;
};

/* A block of `size`, always the same for one spare and at least a pointer's; never NULL, not
 * zeroed. */
void *spare_take(struct spare *spare, size_t size);

/* Give a block back: it must not be used any more. */
void spare_put(struct spare *spare, void *block);

/* Free the blocks that wait; those that were taken are their takers'. */
void spare_fini(struct spare *spare);

#endif
