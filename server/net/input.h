/* What a connection has read and not yet handed over, as one piece of memory. While there is
 * nothing, it has none: the blocks of those who are done go to those who read next. */
#ifndef NET_INPUT_H
#define NET_INPUT_H

#include <stddef.h>
#include <sys/types.h>

#include "server/net/transport.h"

/* A block that is kept for the next reader; whoever needs more has one of his own. */
#define INPUT_BLOCK_BYTES 1024
/* Blocks that are kept: as many connections may have said something in one pass of the loop. */
#define INPUT_BLOCKS_MAX 1024
/* Read in one go, at most: then it is the others' turn. */
#define INPUT_READ_BYTES 8192

struct input_block;

struct input_pool {
	struct input_block *first;
	size_t count;
};

/* Zeroed: nothing was read. */
struct input {
	char *data; /* NULL: no block */
	size_t start;
	size_t length; /* from start on */
	size_t size;
};

/* Zeroed, a pool is empty. No input may have a block of it. */
void input_pool_fini(struct input_pool *pool);

/* Read what there is, INPUT_READ_BYTES at most. Returns how much, 0 at the end, or a negative errno
 * (-EAGAIN: nothing now). */
ssize_t input_read(struct input *input, struct input_pool *pool, struct transport *transport);

/* Bytes that came by another way. */
void input_add(struct input *input, struct input_pool *pool, const char *data, size_t length);

/* The first `count` bytes, which there are, are done with. */
void input_drop(struct input *input, struct input_pool *pool, size_t count);

static inline const char *input_data(const struct input *input)
{
	return input->data + input->start;
}

#endif
