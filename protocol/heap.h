/* Memory that is there or the process ends: the messages are small and bounded by the line, so a
 * failure means that the machine has none left and nothing sensible can be answered. */
#ifndef PROTOCOL_HEAP_H
#define PROTOCOL_HEAP_H

#include <stddef.h>
#include <stdlib.h>

/* `count` zeroed objects of `size`; never NULL. */
static inline void *heap_zeroed(size_t count, size_t size)
{
	void *memory = calloc(count == 0 ? 1 : count, size);

	if (memory == NULL) {
		abort();
	}
	return memory;
}

/* realloc that does not fail. */
static inline void *heap_resized(void *memory, size_t size)
{
	void *resized = realloc(memory, size);

	if (resized == NULL) {
		abort();
	}
	return resized;
}

#endif
