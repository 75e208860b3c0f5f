#include "protocol/writer.h"

#include <stdbool.h>
#include <stdlib.h>

#include "protocol/heap.h"

void writer_init(struct writer *writer)
{
	writer->data = writer->start;
	writer->length = 0;
	writer->size = sizeof(writer->start);
}

void writer_fini(struct writer *writer)
{
	if (writer->data != writer->start) {
		free(writer->data);
	}
}

struct bytes *writer_take(struct writer *writer)
{
	struct bytes *line;

	writer_put_char(writer, '\n');
	line = bytes_new(writer->data, writer->length);
	writer_fini(writer);
	return line;
}

void writer_grow(struct writer *writer, size_t more)
{
	bool in_place = writer->data == writer->start;

	while (writer->size - writer->length < more) {
		writer->size *= 2;
	}
	writer->data = heap_resized(in_place ? NULL : writer->data, writer->size);
	if (in_place) {
		memcpy(writer->data, writer->start, writer->length);
	}
}

/* The letter after the backslash; 'u' for the long form, 0 for a byte that stays. */
static char escape_of(unsigned char byte)
{
	static const char control[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";

	if (byte < 0x20) {
		return control[byte];
	}
	if (byte == '"' || byte == '\\') {
		return (char)byte;
	}
	return '\0';
}

static void put_escape(struct writer *writer, unsigned char byte, char escape)
{
	static const char digits[] = "0123456789abcdef";
	char form[6] = {'\\', escape, '0', '0', digits[byte >> 4], digits[byte & 0xf]};

	writer_put(writer, form, escape == 'u' ? sizeof(form) : 2);
}

void writer_put_text(struct writer *writer, const char *text)
{
	writer_put_char(writer, '"');
	while (*text != '\0') {
		size_t span = 0;

		while (text[span] != '\0' && escape_of((unsigned char)text[span]) == '\0') {
			span++;
		}
		writer_put(writer, text, span);
		text += span;
		if (*text != '\0') {
			unsigned char byte = (unsigned char)*text;

			put_escape(writer, byte, escape_of(byte));
			text++;
		}
	}
	writer_put_char(writer, '"');
}

void writer_put_integer(struct writer *writer, int64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);
	/* The smallest integer has no positive counterpart of its own type. */
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	if (rest < 10 && value >= 0) {
		writer_put_char(writer, (char)('0' + rest));
		return;
	}
	if (value < 0) {
		writer_put_char(writer, '-');
	}
	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest != 0);
	writer_put(writer, digits + at, sizeof(digits) - at);
}

void writer_close(struct writer *writer, size_t start, char open, char close)
{
	if (writer->length == start) {
		writer_put_char(writer, open);
	}
	writer->data[start] = open;
	writer_put_char(writer, close);
}
