/* The lines that wait to be written to a connection: references, never copies, so that a line that
 * goes to a thousand is there once. Where frames are spoken, each line gets its frame's head as it
 * is written, and goes without its LF. */
#ifndef NET_OUTPUT_H
#define NET_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/bytes.h"
#include "server/net/transport.h"

/* Lines that are handed to the system at once. */
#define OUTPUT_PIECES 64

/* What a line takes beside its bytes. */
#define OUTPUT_LINE_COST 64

/* Zeroed: nothing waits. */
struct output {
	struct bytes **lines;
	size_t first; /* the line that is written next */
	size_t count; /* of lines, from first on */
	size_t size;
	size_t written; /* bytes of the first line, its head counted in */
	size_t queued;	/* bytes that wait, heads counted in */
	bool has_frames;
};

/* Queue a line, by a reference of its own; where there are frames, one of websocket.h too. */
void output_add(struct output *output, struct bytes *line);

/* Write as much as the transport takes. Returns 0, also if that was not all, or a negative errno.
 */
int output_write(struct output *output, struct transport *transport);

/* The memory that it all takes, were the lines nobody else's. */
static inline size_t output_weight(const struct output *output)
{
	return output->queued + output->count * OUTPUT_LINE_COST;
}

/* Forget what waits, but for lines that were begun or that the transport was promised. */
void output_cut(struct output *output, const struct transport *transport);

/* Forget what waits. */
void output_drop(struct output *output);

void output_fini(struct output *output);

#endif
