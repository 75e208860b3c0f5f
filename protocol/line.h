/* Bytes into lines. Knows no socket: it is handed what has arrived and says what to take away. */
#ifndef PROTOCOL_LINE_H
#define PROTOCOL_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* State between two calls; zero it at the start. */
struct line_cutter {
	bool skipping; /* in an over-long line that was already reported */
};

enum line_result {
	LINE_MORE,     /* no whole line yet: call again with more bytes */
	LINE_EMPTY,    /* nothing to do: a line without anything but blanks, or the rest of an
			  over-long one */
	LINE_WHOLE,    /* ret_line, ret_length: a line without its LF or CR LF */
	LINE_TOO_LONG, /* told once; the cutter skips up to the next LF by itself */
	LINE_NOT_TEXT  /* a line with a NUL byte or bad UTF-8 */
};

/* Look for the next line in data[0..length). `at_end` tells that nothing will follow: then a rest
 * without LF is a line too. `limit` is the longest line, its LF included.
 * Always sets *ret_consumed (bytes to drop, the line's own included), so the caller must be done
 * with the line before it drops them; sets ret_line, ret_length for LINE_WHOLE and LINE_NOT_TEXT.
 * With LINE_MORE *ret_consumed is 0, unless a skipped line's bytes can already go. */
enum line_result line_cut(struct line_cutter *cutter, const char *data, size_t length, size_t limit,
		bool at_end, size_t *ret_consumed, const char **ret_line, size_t *ret_length);

/* Is this the first line of an HTTP request ("GET / HTTP/1.1")? */
bool line_is_http(const char *line, size_t length);

#endif
