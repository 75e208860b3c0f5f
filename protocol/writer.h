/* A line, or several, that grow while they are written. Starts in place, so that a usual line costs
 * one allocation: the one that keeps it. */
#ifndef PROTOCOL_WRITER_H
#define PROTOCOL_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "protocol/bytes.h"

#define WRITER_SIZE 1024

struct writer {
	char *data; /* start, or memory of its own once the line has outgrown that */
	size_t length;
	size_t size;
	char start[WRITER_SIZE];
};

void writer_init(struct writer *writer);
void writer_fini(struct writer *writer);

/* The line, ended by a LF; the writer is over. */
struct bytes *writer_take(struct writer *writer);

void writer_grow(struct writer *writer, size_t more);

/* Room for `more` bytes, to be filled and added to writer->length. */
static inline char *writer_room(struct writer *writer, size_t more)
{
	if (writer->size - writer->length < more) {
		writer_grow(writer, more);
	}
	return writer->data + writer->length;
}

static inline void writer_put(struct writer *writer, const char *data, size_t length)
{
	memcpy(writer_room(writer, length), data, length);
	writer->length += length;
}

static inline void writer_put_char(struct writer *writer, char character)
{
	*writer_room(writer, 1) = character;
	writer->length++;
}

/* A string that needs no escape, without quotes. */
static inline void writer_put_plain(struct writer *writer, const char *text)
{
	writer_put(writer, text, strlen(text));
}

/* A JSON string: quoted and escaped. */
void writer_put_text(struct writer *writer, const char *text);

void writer_put_integer(struct writer *writer, int64_t value);

/* Every member and every element begins with its own comma. Closing what began at `start` turns
 * the first comma into the bracket. */
void writer_close(struct writer *writer, size_t start, char open, char close);

#endif
