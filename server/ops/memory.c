#include "server/ops/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
	if (memory == NULL) {
		fputs("out of memory\n", stderr);
		abort();
	}
	return memory;
}

void *memory_new(size_t count, size_t size)
{
	/* Nothing is one byte: what is asked for is never NULL. */
	return must(count == 0 || size == 0 ? calloc(1, 1) : calloc(count, size));
}

void *memory_resize(void *old, size_t count, size_t size)
{
	return must(count == 0 || size == 0 ? realloc(old, 1) : reallocarray(old, count, size));
}

char *memory_string(const char *text)
{
	return must(strdup(text));
}
