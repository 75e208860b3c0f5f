#include "server/play/spare.h"

#include <stdlib.h>

#include "server/ops/memory.h"

/* A block that waits begins with a pointer to the next. */
struct waiting {
	struct waiting *next;
};

void *spare_take(struct spare *spare, size_t size)
{
	struct waiting *block = spare->first;

	if (block == NULL) {
		return memory_resize(NULL, 1, size);
	}
	spare->first = block->next;
	spare->count--;
	return block;
}

void spare_put(struct spare *spare, void *block)
{
	struct waiting *waiting = block;

	if (spare->count == SPARE_BLOCKS_MAX) {
		free(block);
		return;
	}
	waiting->next = spare->first;
	spare->first = waiting;
	spare->count++;
}

void spare_fini(struct spare *spare)
{
	while (spare->first != NULL) {
		free(spare_take(spare, sizeof(struct waiting)));
	}
}
