#include "protocol/line.h"

#include <string.h>

#include "protocol/text.h"

/* The rest of an over-long line: dropped as it comes, up to its LF. */
static enum line_result line_skip(
		struct line_cutter *cutter, const char *data, size_t length, size_t *ret_consumed)
{
	const char *lf = length > 0 ? memchr(data, '\n', length) : NULL;

	if (lf == NULL) {
		*ret_consumed = length;
		return LINE_MORE;
	}
	cutter->skipping = false;
	*ret_consumed = (size_t)(lf - data) + 1;
	return LINE_EMPTY;
}

static bool is_blank(const char *data, size_t length)
{
	while (length > 0 && (data[length - 1] == ' ' || data[length - 1] == '\t')) {
		length--;
	}
	return length == 0;
}

/* One line of data[0..length), its LF not counted. */
static enum line_result line_judge(
		const char *data, size_t length, const char **ret_line, size_t *ret_length)
{
	if (length > 0 && data[length - 1] == '\r') {
		length--;
	}
	if (is_blank(data, length)) {
		return LINE_EMPTY;
	}
	*ret_line = data;
	*ret_length = length;
	if (memchr(data, '\0', length) != NULL || !text_is_utf8(data, length)) {
		return LINE_NOT_TEXT;
	}
	return LINE_WHOLE;
}

enum line_result line_cut(struct line_cutter *cutter, const char *data, size_t length, size_t limit,
		bool at_end, size_t *ret_consumed, const char **ret_line, size_t *ret_length)
{
	size_t searched = length < limit ? length : limit;
	const char *lf;

	*ret_consumed = 0;
	if (cutter->skipping) {
		return line_skip(cutter, data, length, ret_consumed);
	}
	lf = searched > 0 ? memchr(data, '\n', searched) : NULL;
	if (lf != NULL) {
		*ret_consumed = (size_t)(lf - data) + 1;
		return line_judge(data, (size_t)(lf - data), ret_line, ret_length);
	}
	if (length >= limit) {
		cutter->skipping = true;
		line_skip(cutter, data, length, ret_consumed);
		return LINE_TOO_LONG;
	}
	if (!at_end || length == 0) {
		return LINE_MORE;
	}
	*ret_consumed = length;
	return line_judge(data, length, ret_line, ret_length);
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

bool line_is_http(const char *line, size_t length)
{
	static const char version[] = " HTTP/d.d";
	const size_t tail = sizeof(version) - 1;
	size_t method = 0;
	const char *end;

	while (method < length && line[method] >= 'A' && line[method] <= 'Z') {
		method++;
	}
	if (method == 0 || length < method + 2 + tail || line[method] != ' ') {
		return false;
	}
	end = line + length - tail;
	return memcmp(end, version, tail - 3) == 0 && is_digit(end[tail - 3]) &&
	       end[tail - 2] == '.' && is_digit(end[tail - 1]);
}
