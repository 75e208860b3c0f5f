#include "server/net/input.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

/* A block that waits begins with a pointer to the next. */
struct input_block {
	struct input_block *next;
};

static char *take_block(struct input_pool *pool)
{
	struct input_block *block = pool->first;

	if (block == NULL) {
		return memory_resize(NULL, 1, INPUT_BLOCK_BYTES);
	}
	pool->first = block->next;
	pool->count--;
	return (char *)block;
}

static void give_back(struct input *input, struct input_pool *pool)
{
	struct input_block *block = (struct input_block *)(void *)input->data;
	const size_t size = input->size;

	*input = (struct input){0};
	if (block == NULL) {
		return;
	}
	if (size != INPUT_BLOCK_BYTES || pool->count == INPUT_BLOCKS_MAX) {
		free(block);
		return;
	}
	block->next = pool->first;
	pool->first = block;
	pool->count++;
}

void input_pool_fini(struct input_pool *pool)
{
	while (pool->first != NULL) {
		free(take_block(pool));
	}
}

/* Free memory behind what there is. Returns how much. */
static size_t make_room(struct input *input, struct input_pool *pool)
{
	if (input->data == NULL) {
		input->data = take_block(pool);
		input->size = INPUT_BLOCK_BYTES;
	}
	if (input->start > 0) {
		memmove(input->data, input->data + input->start, input->length);
		input->start = 0;
	}
	if (input->length == input->size) {
		input->size *= 2;
		input->data = memory_resize(input->data, 1, input->size);
	}
	return input->size - input->length;
}

ssize_t input_read(struct input *input, struct input_pool *pool, struct transport *transport)
{
	size_t read = 0;
	size_t wanted;
	ssize_t got;

	do {
		wanted = make_room(input, pool);
		if (wanted > INPUT_READ_BYTES - read) {
			wanted = INPUT_READ_BYTES - read;
		}
		got = transport->ops->read(transport, input->data + input->length, wanted);
		if (got > 0) {
			input->length += (size_t)got;
			read += (size_t)got;
		}
	} while (got == (ssize_t)wanted && read < INPUT_READ_BYTES);
	if (input->length == 0) {
		give_back(input, pool);
	}
	/* The end, or an error, is there again for the next read. */
	return read > 0 ? (ssize_t)read : got;
}

void input_add(struct input *input, struct input_pool *pool, const char *data, size_t length)
{
	while (length > 0) {
		const size_t room = make_room(input, pool);
		const size_t part = room < length ? room : length;

		memcpy(input->data + input->length, data, part);
		input->length += part;
		data += part;
		length -= part;
	}
}

void input_drop(struct input *input, struct input_pool *pool, size_t count)
{
	assert(count <= input->length);
	input->start += count;
	input->length -= count;
	if (input->length == 0) {
		give_back(input, pool);
	}
}
