#include "server/net/output.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/websocket.h"
#include "server/ops/memory.h"

#define LINES_MIN 4
/* A queue that was longer than this is not kept once it is empty. */
#define LINES_KEPT 16

/* Bytes that a line is on its way: in a frame it has a head, and no LF. */
static size_t length_of(const struct output *output, const struct bytes *line)
{
	if (!output->has_frames || websocket_is_frame(line)) {
		return line->length;
	}
	return websocket_head_bytes(line->length - 1) + line->length - 1;
}

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
	output->queued += length_of(output, line);
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
		const struct bytes *line = output->lines[output->first];
		const size_t left = length_of(output, line) - output->written;

		if (count < left) {
			output->written += count;
			return;
		}
		count -= left;
		drop_line(output);
	}
}

/* What is handed to the system at once. */
struct batch {
	struct iovec pieces[OUTPUT_PIECES];
	size_t count;
	size_t bytes;
	unsigned char long_head[WEBSOCKET_HEAD_BYTES];
};

/* Without its first `*skip` bytes, which are counted down. */
static void add_piece(struct batch *batch, void *data, size_t length, size_t *skip)
{
	const size_t done = *skip < length ? *skip : length;

	*skip -= done;
	if (length > done) {
		batch->pieces[batch->count++] = (struct iovec){(char *)data + done, length - done};
		batch->bytes += length - done;
	}
}

/* A line with its head is one piece too, as the head has its place before it: one of many bytes
 * apart, for which there is none. */
static void add_frame(struct batch *batch, struct bytes *line, size_t *skip)
{
	const size_t length = line->length - 1;
	const size_t head = websocket_text_head(length, batch->long_head);

	if (head <= BYTES_ROOM) {
		add_piece(batch, bytes_with_head(line, batch->long_head, head), head + length,
				skip);
	} else {
		add_piece(batch, batch->long_head, head, skip);
		add_piece(batch, line->data, length, skip);
	}
}

/* The lines that are first; of those with a long head one, as the last. */
static void fill_batch(const struct output *output, struct batch *ret)
{
	const size_t lines = output->count < OUTPUT_PIECES ? output->count : OUTPUT_PIECES;
	size_t skip = output->written;
	bool more = true;

	ret->count = 0;
	ret->bytes = 0;
	for (size_t i = 0; i < lines && more; i++) {
		struct bytes *line = output->lines[output->first + i];

		if (!output->has_frames || websocket_is_frame(line)) {
			add_piece(ret, line->data, line->length, &skip);
		} else {
			more = websocket_head_bytes(line->length - 1) <= BYTES_ROOM;
			if (more || ret->count < OUTPUT_PIECES - 1) {
				add_frame(ret, line, &skip);
			}
		}
	}
}

int output_write(struct output *output, struct transport *transport)
{
	struct batch batch;

	while (output->count > 0) {
		ssize_t taken;

		fill_batch(output, &batch);
		taken = transport->ops->write(transport, batch.pieces, batch.count);
		if (taken < 0) {
			return taken == -EAGAIN || taken == -EINTR ? 0 : (int)taken;
		}
		was_written(output, (size_t)taken);
		if ((size_t)taken < batch.bytes) {
			return 0;
		}
	}
	return 0;
}

/* How many lines reach into the next `bytes`, and the one that was begun. */
static size_t count_lines(const struct output *output, size_t bytes)
{
	const size_t end = output->written + bytes;
	size_t covered = 0;
	size_t count = 0;

	while (covered < end && count < output->count) {
		covered += length_of(output, output->lines[output->first + count]);
		count++;
	}
	return count;
}

void output_cut(struct output *output, const struct transport *transport)
{
	const size_t kept = count_lines(output, transport->promised);

	while (output->count > kept) {
		struct bytes *last = output->lines[output->first + output->count - 1];

		output->queued -= length_of(output, last);
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
