#include "client-cli/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_CHUNK 16384

void lines_init(struct lines *lines, size_t limit)
{
	*lines = (struct lines){.limit = limit};
}

void lines_init_whole(struct lines *lines, size_t limit)
{
	*lines = (struct lines){.limit = limit, .only_whole = true};
}

void lines_fini(struct lines *lines)
{
	free(lines->data);
	*lines = (struct lines){0};
}

/* Make room for one more chunk behind what is not yet taken. Growth is bounded: the cutter takes
 * every line away that is longer than the limit, so less than limit + chunk is ever kept. */
static int lines_make_room(struct lines *lines)
{
	size_t kept = lines->end - lines->begin;
	size_t size = lines->size ? lines->size : (size_t)2 * LINES_CHUNK;
	char *data;

	if (lines->begin > 0) {
		memmove(lines->data, lines->data + lines->begin, kept);
		lines->begin = 0;
		lines->end = kept;
	}
	while (size < kept + LINES_CHUNK) {
		size *= 2;
	}
	if (size == lines->size) {
		return 0;
	}
	data = realloc(lines->data, size);
	if (!data) {
		return -ENOMEM;
	}
	lines->data = data;
	lines->size = size;
	return 0;
}

int lines_fill(struct lines *lines, int fd)
{
	ssize_t count;
	int result = lines_make_room(lines);

	if (result < 0) {
		lines->at_end = true;
		return result;
	}
	count = read(fd, lines->data + lines->end, LINES_CHUNK);
	if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
		return 0;
	}
	if (count <= 0) {
		lines->at_end = true;
		return count < 0 ? -errno : 0;
	}
	lines->end += (size_t)count;
	return 0;
}

enum line_result lines_next(struct lines *lines, const char **ret_line, size_t *ret_length)
{
	enum line_result result = LINE_EMPTY;

	while (result == LINE_EMPTY && lines->begin < lines->end) {
		size_t consumed = 0;

		result = line_cut(&lines->cutter, lines->data + lines->begin,
				lines->end - lines->begin, lines->limit,
				lines->at_end && !lines->only_whole, &consumed, ret_line,
				ret_length);
		lines->begin += consumed;
		if (result == LINE_MORE && lines->at_end) {
			lines->begin = lines->end;
		}
	}
	return result == LINE_EMPTY ? LINE_MORE : result;
}

bool lines_done(const struct lines *lines)
{
	return lines->at_end && lines->begin == lines->end;
}
