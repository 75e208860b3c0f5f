#include "server/net/output.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

#define LINES_MIN 4
/* A queue that was longer than this is not kept once it is empty. */
#define LINES_KEPT 16

static void make_room(struct output *output)
{
	if (output->first > 0) {
		memmove(output->lines, output->lines + output->first,
				output->count * sizeof(struct bytes *));
		output->first = 0;
		return;
	}
	output->size = output->size == 0 ? LINES_MIN : 2 * output->size;
	output->lines = memory_resize(output->lines, output->size, sizeof(struct bytes *));
}

void output_add(struct output *output, struct bytes *line)
{
	if (output->first + output->count == output->size) {
		make_room(output);
	}
	output->lines[output->first + output->count] = bytes_ref(line);
	output->count++;
	output->queued += line->length;
}

static void drop_line(struct output *output)
{
	bytes_unref(output->lines[output->first]);
	output->first++;
	output->count--;
	output->written = 0;
	if (output->count > 0) {
		return;
	}
	output->first = 0;
	if (output->size > LINES_KEPT) {
		free(output->lines);
		output->lines = NULL;
		output->size = 0;
	}
}

static void was_written(struct output *output, size_t count)
{
	output->queued -= count;
	while (count > 0) {
		assert(output->lines != NULL && output->count > 0);
		const size_t left = output->lines[output->first]->length - output->written;

		if (count < left) {
			output->written += count;
			return;
		}
		count -= left;
		drop_line(output);
	}
}

/* The lines that are first as pieces of memory. Returns how many bytes. */
static size_t fill_pieces(const struct output *output, struct iovec *ret_pieces, size_t *ret_count)
{
	size_t skip = output->written;
	size_t bytes = 0;
	size_t count = 0;

	while (count < output->count && count < OUTPUT_PIECES) {
		struct bytes *line = output->lines[output->first + count];

		ret_pieces[count].iov_base = line->data + skip;
		ret_pieces[count].iov_len = line->length - skip;
		bytes += line->length - skip;
		skip = 0;
		count++;
	}
	*ret_count = count;
	return bytes;
}

int output_write(struct output *output, struct transport *transport)
{
	struct iovec pieces[OUTPUT_PIECES];

	while (output->count > 0) {
		size_t count = 0;
		const size_t bytes = fill_pieces(output, pieces, &count);
		const ssize_t taken = transport->ops->write(transport, pieces, count);

		if (taken < 0) {
			return taken == -EAGAIN || taken == -EINTR ? 0 : (int)taken;
		}
		was_written(output, (size_t)taken);
		if ((size_t)taken < bytes) {
			return 0;
		}
	}
	return 0;
}

void output_cut(struct output *output)
{
	const size_t kept = output->written > 0 ? 1 : 0;

	while (output->count > kept) {
		struct bytes *last = output->lines[output->first + output->count - 1];

		output->queued -= last->length;
		output->count--;
		bytes_unref(last);
	}
}

void output_drop(struct output *output)
{
	while (output->count > 0) {
		drop_line(output);
	}
	output->queued = 0;
}

void output_fini(struct output *output)
{
	output_drop(output);
	free(output->lines);
	*output = (struct output){0};
}
