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

/* The head of a line's frame; 0 bytes where it has none. */
static size_t head_of(const struct output *output, const struct bytes *line,
		unsigned char ret_head[WEBSOCKET_HEAD_BYTES])
{
	if (!output->has_frames || websocket_is_frame(line)) {
		return 0;
	}
	return websocket_text_head(line->length - 1, ret_head);
}

/* Bytes that a line is on its way. */
static size_t length_of(const struct output *output, const struct bytes *line)
{
	unsigned char head[WEBSOCKET_HEAD_BYTES];
	const size_t length = head_of(output, line, head);

	return length == 0 ? line->length : length + line->length - 1;
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

/* What is handed to the system at once: a line is one piece, or a head and one. */
struct batch {
	struct iovec pieces[OUTPUT_PIECES];
	size_t count;
	size_t bytes;
	unsigned char heads[OUTPUT_PIECES / 2][WEBSOCKET_HEAD_BYTES];
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

/* The lines that are first. */
static void fill_batch(const struct output *output, struct batch *ret)
{
	const size_t most = output->has_frames ? OUTPUT_PIECES / 2 : OUTPUT_PIECES;
	const size_t lines = output->count < most ? output->count : most;
	size_t skip = output->written;

	ret->count = 0;
	ret->bytes = 0;
	for (size_t i = 0; i < lines; i++) {
		struct bytes *line = output->lines[output->first + i];
		const size_t head = output->has_frames ? head_of(output, line, ret->heads[i]) : 0;

		add_piece(ret, ret->heads[i], head, &skip);
		add_piece(ret, line->data, head == 0 ? line->length : line->length - 1, &skip);
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
