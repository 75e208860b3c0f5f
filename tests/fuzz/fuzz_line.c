/* Bytes into lines: the same lines must come of them however they arrive, and they must be those
 * that a plain look at all of the bytes finds.
 *
 * Input: the limit, the length of the first pieces (one after the other), then what arrives. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "protocol/line.h"
#include "protocol/text.h"

#define HEAD_BYTES 5
#define LIMIT_MIN 2u

struct found {
	enum line_result kind; /* LINE_MORE: there is no further line */
	const uint8_t *line;
	size_t length;
};

/* All of the bytes, looked at plainly. */
struct plain {
	const uint8_t *data;
	size_t size;
	size_t at;
	size_t limit;
};

static struct found judge_plainly(const uint8_t *line, size_t length, size_t limit)
{
	size_t blank = 0;

	if (length + 1 > limit) {
		return (struct found){LINE_TOO_LONG, NULL, 0};
	}
	if (length > 0 && line[length - 1] == '\r') {
		length--;
	}
	while (blank < length && (line[blank] == ' ' || line[blank] == '\t')) {
		blank++;
	}
	if (blank == length) {
		return (struct found){LINE_EMPTY, NULL, 0};
	}
	if (memchr(line, 0, length) != NULL || !text_is_utf8((const char *)line, length)) {
		return (struct found){LINE_NOT_TEXT, line, length};
	}
	return (struct found){LINE_WHOLE, line, length};
}

static struct found next_plain(struct plain *plain)
{
	while (plain->at < plain->size) {
		const uint8_t *line = plain->data + plain->at;
		const size_t left = plain->size - plain->at;
		const uint8_t *lf = memchr(line, '\n', left);
		const size_t length = lf == NULL ? left : (size_t)(lf - line);
		struct found found = judge_plainly(line, length, plain->limit);

		plain->at += length + 1;
		if (found.kind != LINE_EMPTY) {
			return found;
		}
	}
	return (struct found){LINE_MORE, NULL, 0};
}

static void compare(struct plain *plain, enum line_result kind, const char *line, size_t length)
{
	struct found found = next_plain(plain);

	FUZZ_EXPECT(kind == found.kind);
	if (found.line != NULL) {
		FUZZ_EXPECT(length == found.length);
		FUZZ_EXPECT(memcmp(line, found.line, length) == 0);
		line_is_http(line, length);
	}
}

/* Cut all lines that data[0..size) has so far, and drop them. Returns what is left. */
static size_t cut(struct line_cutter *cutter, struct plain *plain, uint8_t *data, size_t size,
		bool at_end)
{
	enum line_result kind;
	size_t begin = 0;
	size_t consumed;

	do {
		const char *line = NULL;
		size_t length = 0;

		kind = line_cut(cutter, (const char *)data + begin, size - begin, plain->limit,
				at_end, &consumed, &line, &length);
		FUZZ_EXPECT(consumed <= size - begin);
		FUZZ_EXPECT(kind == LINE_MORE || consumed > 0);
		if (kind != LINE_MORE && kind != LINE_EMPTY) {
			compare(plain, kind, line, length);
		}
		begin += consumed;
	} while (kind != LINE_MORE);
	memmove(data, data + begin, size - begin);
	return size - begin;
}

static void feed(struct plain *plain, const uint8_t *pieces)
{
	struct line_cutter cutter = {0};
	uint8_t *waiting = malloc(plain->size + 1);
	size_t have = 0;
	size_t piece = 0;

	FUZZ_EXPECT(waiting != NULL);
	for (size_t fed = 0; fed < plain->size;) {
		size_t length = (size_t)pieces[piece++ % (HEAD_BYTES - 1)] + 1;

		length = length < plain->size - fed ? length : plain->size - fed;
		memcpy(waiting + have, plain->data + fed, length);
		fed += length;
		have = cut(&cutter, plain, waiting, have + length, false);
		/* What waits is bounded, whatever comes. */
		FUZZ_EXPECT(have < plain->limit);
	}
	have = cut(&cutter, plain, waiting, have, true);
	FUZZ_EXPECT(have == 0);
	FUZZ_EXPECT(next_plain(plain).kind == LINE_MORE);
	free(waiting);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct plain plain;

	if (size < HEAD_BYTES) {
		return 0;
	}
	plain = (struct plain){data + HEAD_BYTES, size - HEAD_BYTES, 0, LIMIT_MIN + data[0]};
	feed(&plain, data + 1);
	return 0;
}
