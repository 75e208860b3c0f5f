/* Frames of a WebSocket: what is made of them must be what a plain look at all of the bytes finds,
 * and the same however they arrive.
 *
 * Input: the lengths of the pieces (one after the other), then what arrives. */
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "protocol/text.h"
#include "server/net/websocket.h"

#define HEAD_BYTES 4
#define CONTROL 0x8
#define CLOSE 0x8
#define PING 0x9
#define BINARY 0x2
/* What is longer wslay refuses before it tells of the frame. */
#define WSLAY_MESSAGE_BYTES 0x7fffffffu

/* What came of it: lines, answers to pings, and how it ended. */
struct made {
	char *text;
	size_t length;
	char *answers;
	size_t answers_length;
	int code;
	bool was_close; /* by the peer's, or by what is wrong with that */
	bool may_fail;	/* what is there of the last frame may already be wrong */
};

static void add(char **buffer, size_t *length, const void *data, size_t size)
{
	*buffer = realloc(*buffer, *length + size + 1);
	FUZZ_EXPECT(*buffer != NULL);
	memcpy(*buffer + *length, data, size);
	*length += size;
}

static void made_free(struct made *made)
{
	free(made->text);
	free(made->answers);
}

/* The plain look. */

struct plain {
	struct made made;
	uint8_t *message; /* of the text that is under way */
	size_t length;
	bool is_open; /* there is one */
};

/* Not wrong yet, though a letter may be cut off at the end. */
static bool may_become_text(const uint8_t *data, size_t length)
{
	static const char *const ends[] = {"", "\x80", "\x80\x80", "\x80\x80\x80", "\xa0\x80",
			"\x90\x80\x80", "\xbf", "\x9f\x80", "\x90\x80", "\x8f\x80\x80", "\xa0"};
	char *copy = malloc(length + 4);
	bool may = false;

	FUZZ_EXPECT(copy != NULL);
	memcpy(copy, data, length);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]) && !may; i++) {
		memcpy(copy + length, ends[i], strlen(ends[i]));
		may = text_is_utf8(copy, length + strlen(ends[i]));
	}
	free(copy);
	return may;
}

static bool is_code(unsigned int code)
{
	return (code >= 1000 && code <= 1011 && code != 1004 && code != 1005 && code != 1006) ||
	       (code >= 3000 && code <= 4999);
}

static int code_of_close(const uint8_t *data, size_t length)
{
	const unsigned int code = length < 2 ? 0 : (unsigned int)data[0] << 8 | data[1];

	if (length == 0) {
		return WEBSOCKET_NONE;
	}
	if (length > 2 && !text_is_utf8((const char *)data + 2, length - 2)) {
		return WEBSOCKET_NOT_UTF8;
	}
	return length == 1 || !is_code(code) ? WEBSOCKET_PROTOCOL : (int)code;
}

static void take_control(struct plain *plain, int opcode, const uint8_t *data, size_t length)
{
	struct made *made = &plain->made;

	if (opcode == CLOSE) {
		made->code = code_of_close(data, length);
		made->was_close = true;
	} else if (opcode == PING) {
		const uint8_t head[] = {0x8a, (uint8_t)length};

		add(&made->answers, &made->answers_length, head, sizeof(head));
		add(&made->answers, &made->answers_length, data, length);
	}
}

static void take_text(struct plain *plain, bool is_last, const uint8_t *data, size_t length)
{
	struct made *made = &plain->made;

	add((char **)(void *)&plain->message, &plain->length, data, length);
	plain->is_open = !is_last;
	if (is_last ? !text_is_utf8((char *)plain->message, plain->length)
		    : !may_become_text(plain->message, plain->length)) {
		made->code = WEBSOCKET_NOT_UTF8;
		return;
	}
	add(&made->text, &made->length, data, length);
	if (is_last) {
		if (plain->length > 0 && plain->message[plain->length - 1] != '\n') {
			add(&made->text, &made->length, "\n", 1);
		}
		plain->length = 0;
	}
}

struct head {
	int opcode;
	bool is_last;
	uint64_t length;
	size_t bytes; /* 0: not all there */
};

static struct head read_head(const uint8_t *data, size_t size)
{
	const size_t wide = size < 2		      ? 0
			    : (data[1] & 0x7f) == 126 ? 2
			    : (data[1] & 0x7f) == 127 ? 8
						      : 0;
	struct head head = {0};

	if (size < 2 || size < 2 + wide + 4) {
		return head;
	}
	head.opcode = data[0] & 0x0f;
	head.is_last = (data[0] & 0x80) != 0;
	head.length = wide == 0 ? data[1] & 0x7f : 0;
	for (size_t i = 0; i < wide; i++) {
		head.length = head.length << 8 | data[2 + i];
	}
	head.bytes = 2 + wide + 4;
	return head;
}

/* The code that a whole head closes with, whatever follows. */
static int code_of_head(const struct plain *plain, const uint8_t *data, const struct head *head)
{
	const bool is_control = (head->opcode & CONTROL) != 0;
	const bool is_short = (data[1] & 0x7f) < 126;

	if ((data[0] & 0x70) != 0 || (data[1] & 0x80) == 0 || head->opcode > 0xa ||
			(head->opcode > BINARY && !is_control) ||
			(is_control && (!head->is_last || !is_short)) ||
			(!is_short && head->length < ((data[1] & 0x7f) == 126 ? 126 : 65536)) ||
			head->length >> 63 != 0 ||
			(!is_control && plain->is_open != (head->opcode == 0))) {
		return WEBSOCKET_PROTOCOL;
	}
	if (!is_control && head->length > WSLAY_MESSAGE_BYTES) {
		return WEBSOCKET_TOO_BIG;
	}
	if (!is_control && head->opcode == BINARY) {
		return WEBSOCKET_NOT_TEXT;
	}
	return !is_control && head->length > WEBSOCKET_MESSAGE_BYTES - plain->length
			       ? WEBSOCKET_TOO_BIG
			       : WEBSOCKET_OPEN;
}

/* Returns how many bytes the frame took; 0: that was the last. */
static size_t take_frame(struct plain *plain, const uint8_t *data, size_t size)
{
	const struct head head = read_head(data, size);
	const size_t there =
			size - head.bytes < head.length ? size - head.bytes : (size_t)head.length;
	uint8_t *payload;

	/* A head is looked at when something of what it announces is there. */
	if (head.bytes == 0 || (there == 0 && head.length > 0)) {
		plain->made.may_fail = true;
		return 0;
	}
	plain->made.code = code_of_head(plain, data, &head);
	if (plain->made.code != WEBSOCKET_OPEN) {
		return 0;
	}
	payload = malloc(there + 1);
	FUZZ_EXPECT(payload != NULL);
	for (size_t i = 0; i < there; i++) {
		payload[i] = data[head.bytes + i] ^ data[head.bytes - 4 + i % 4];
	}
	if ((head.opcode & CONTROL) == 0) {
		take_text(plain, head.is_last && there == head.length, payload, there);
	} else if (there == head.length) {
		take_control(plain, head.opcode, payload, there);
	} else {
		plain->made.may_fail = head.opcode == CLOSE;
	}
	free(payload);
	return there == head.length && plain->made.code == WEBSOCKET_OPEN ? head.bytes + there : 0;
}

static void look_plainly(const uint8_t *data, size_t size, struct made *ret)
{
	struct plain plain = {0};
	size_t taken;

	do {
		taken = take_frame(&plain, data, size);
		data += taken;
		size -= taken;
	} while (taken > 0 && size > 0);
	free(plain.message);
	*ret = plain.made;
}

/* The program. */

static void hear(void *arg, const char *data, size_t length)
{
	struct made *made = arg;

	add(&made->text, &made->length, data, length);
}

static void take_answer(void *arg, struct bytes *frame)
{
	struct made *made = arg;

	FUZZ_EXPECT(websocket_is_frame(frame));
	add(&made->answers, &made->answers_length, frame->data, frame->length);
	bytes_unref(frame);
}

static void feed(const uint8_t *data, size_t size, const uint8_t *pieces, struct made *ret)
{
	static const struct websocket_sink sink = {.text = hear, .answer = take_answer};
	struct websocket *websocket = websocket_new(&sink, ret);
	size_t piece = 0;

	while (size > 0) {
		size_t length = pieces == NULL ? size : (size_t)pieces[piece++ % HEAD_BYTES] + 1;
		char *copy;

		length = length < size ? length : size;
		copy = malloc(length); /* of just that length, so that a byte too far is noticed */
		FUZZ_EXPECT(copy != NULL);
		memcpy(copy, data, length);
		ret->code = websocket_take(websocket, copy, length);
		free(copy);
		data += length;
		size -= length;
	}
	websocket_free(websocket);
}

/* One of them may have stopped a little earlier, where something is wrong. */
static void expect_alike(const char *one, size_t one_length, const char *other, size_t other_length,
		bool is_whole)
{
	const size_t both = one_length < other_length ? one_length : other_length;

	FUZZ_EXPECT(both == 0 || memcmp(one, other, both) == 0);
	FUZZ_EXPECT(!is_whole || one_length == other_length);
}

static void compare(const struct made *made, const struct made *plain)
{
	const bool is_open = plain->code == WEBSOCKET_OPEN;

	if (made->code != plain->code) {
		/* Of a close in pieces wslay does not look at every letter of the reason. */
		FUZZ_EXPECT(plain->was_close || plain->may_fail);
		FUZZ_EXPECT(plain->was_close || made->code == WEBSOCKET_PROTOCOL ||
				made->code == WEBSOCKET_NOT_UTF8);
	}
	expect_alike(made->text, made->length, plain->text, plain->length,
			is_open && made->code == WEBSOCKET_OPEN);
	expect_alike(made->answers, made->answers_length, plain->answers, plain->answers_length,
			is_open && made->code == WEBSOCKET_OPEN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct made plain = {0};
	struct made whole = {0};
	struct made pieces = {0};

	if (size < HEAD_BYTES) {
		return 0;
	}
	look_plainly(data + HEAD_BYTES, size - HEAD_BYTES, &plain);
	feed(data + HEAD_BYTES, size - HEAD_BYTES, NULL, &whole);
	feed(data + HEAD_BYTES, size - HEAD_BYTES, data, &pieces);
	compare(&whole, &plain);
	compare(&pieces, &plain);
	made_free(&plain);
	made_free(&whole);
	made_free(&pieces);
	return 0;
}
