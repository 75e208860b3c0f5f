/* Lines out of a file descriptor: standard input, or the server. Owns its buffer, not the
 * descriptor. */
#ifndef CLIENT_LINES_H
#define CLIENT_LINES_H

#include "protocol/line.h"

struct lines {
	struct line_cutter cutter;
	size_t limit; /* the longest line, its LF included */
	char *data;
	size_t begin; /* data[begin..end) is not yet taken */
	size_t end;
	size_t size;
	bool at_end;	 /* nothing will follow */
	bool only_whole; /* what stands without LF at the end is dropped */
};

void lines_init(struct lines *lines, size_t limit);

/* The same for lines that may be cut in the middle, as a connection does that is lost: what came of
 * the last one is none. */
void lines_init_whole(struct lines *lines, size_t limit);

void lines_fini(struct lines *lines);

/* Read once from fd. Returns 0, also where nothing was there or the end was reached (at_end), or a
 * negative errno, which is an end as well. */
int lines_fill(struct lines *lines, int fd);

/* The next line, as line_cut says; LINE_MORE when there is none (with at_end: none will come).
 * Empty lines are skipped. The line is good until the next call. */
enum line_result lines_next(struct lines *lines, const char **ret_line, size_t *ret_length);

/* True when the end was reached and all lines were taken. */
bool lines_done(const struct lines *lines);

#endif
