/* Memory that is there or the process ends: on Linux a small allocation that fails means that the
 * machine is past saving, and what was acknowledged is stored. */
#ifndef OPS_MEMORY_H
#define OPS_MEMORY_H

#include <stddef.h>

/* Zeroed memory for count things of size; never NULL. */
void *memory_new(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* realloc for an array; never NULL. */
void *memory_resize(void *old, size_t count, size_t size) __attribute__((returns_nonnull));

char *memory_string(const char *text) __attribute__((malloc, returns_nonnull));

#endif
