#include <stdlib.h>
#include <string.h>

#include "server/net/websocket.h"
#include "tests/unit/game/cmocka_all.h"

#define HEARD_SIZE 200000

static char heard[HEARD_SIZE];
static size_t heard_length;
static char answered[1024];
static size_t answered_length;

static void hear(void *arg, const char *data, size_t length)
{
	(void)arg;
	assert_true(heard_length + length < HEARD_SIZE);
	memcpy(heard + heard_length, data, length);
	heard_length += length;
	heard[heard_length] = '\0';
}

static void take_answer(void *arg, struct bytes *frame)
{
	(void)arg;
	assert_true(websocket_is_frame(frame));
	assert_true(answered_length + frame->length <= sizeof(answered));
	memcpy(answered + answered_length, frame->data, frame->length);
	answered_length += frame->length;
	bytes_unref(frame);
}

static const struct websocket_sink sink = {.text = hear, .answer = take_answer};

static int set_up(void **state)
{
	*state = websocket_new(&sink, NULL);
	heard_length = answered_length = 0;
	heard[0] = '\0';
	return 0;
}

static int tear_down(void **state)
{
	websocket_free(*state);
	return 0;
}

/* A frame with a mask of zeros. Returns its length. */
static size_t put_frame(char *out, unsigned char first, const char *data, size_t length)
{
	const unsigned char head[] = {first,
			length < 126 ? 0x80 | (unsigned char)length : 0x80 | 126,
			(unsigned char)(length >> 8), (unsigned char)length};
	const size_t used = length < 126 ? 2 : 4;

	memcpy(out, head, used);
	memset(out + used, 0, 4);
	memcpy(out + used + 4, data, length);
	return used + 4 + length;
}

static int take(void *websocket, unsigned char first, const char *text)
{
	char frame[256];

	return websocket_take(websocket, frame, put_frame(frame, first, text, strlen(text)));
}

static void a_message_becomes_a_line(void **state)
{
	assert_int_equal(take(*state, 0x81, "ping"), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x81, ""), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x81, "two\nthree\n"), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x01, "fo"), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x00, ""), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x80, "ur"), WEBSOCKET_OPEN);
	assert_string_equal(heard, "ping\ntwo\nthree\nfour\n");
}

static void masks_are_taken_off_byte_by_byte_too(void **state)
{
	static const unsigned char frame[] = {
			0x81, 0x85, 1, 2, 3, 4, 'h' ^ 1, 'e' ^ 2, 'l' ^ 3, 'l' ^ 4, 'o' ^ 1};

	for (size_t i = 0; i < sizeof(frame); i++) {
		assert_int_equal(
				websocket_take(*state, (const char *)frame + i, 1), WEBSOCKET_OPEN);
	}
	assert_string_equal(heard, "hello\n");
}

static void each_ping_is_answered_and_pongs_are_passed_over(void **state)
{
	assert_int_equal(take(*state, 0x01, "pi"), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x89, "are you there?"), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x8a, "yes"), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x89, ""), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x80, "ng"), WEBSOCKET_OPEN);
	assert_string_equal(heard, "ping\n");
	assert_int_equal(answered_length, 2 + 14 + 2);
	assert_memory_equal(answered,
			"\x8a\x0e"
			"are you there?"
			"\x8a\0",
			answered_length);
}

static void what_comes_after_the_end_is_not_looked_at(void **state)
{
	char frames[64];
	size_t length = put_frame(frames, 0x81, "one", 3);

	length += put_frame(frames + length, 0x88, "\x03\xe8", 2);
	length += put_frame(frames + length, 0x81, "two", 3);
	assert_int_equal(websocket_take(*state, frames, length), WEBSOCKET_NORMAL);
	assert_string_equal(heard, "one\n");
	assert_int_equal(websocket_take(*state, frames, length), WEBSOCKET_NORMAL);
	assert_string_equal(heard, "one\n");
	assert_int_equal(answered_length, 0);
}

static void a_message_has_at_most_its_limit_in_one_piece_or_in_many(void **state)
{
	static char frame[WEBSOCKET_MESSAGE_BYTES / 2 + 8];
	static char data[WEBSOCKET_MESSAGE_BYTES / 2];
	size_t length;

	memset(data, 'x', sizeof(data));
	length = put_frame(frame, 0x01, data, sizeof(data));
	assert_int_equal(websocket_take(*state, frame, length), WEBSOCKET_OPEN);
	length = put_frame(frame, 0x00, data, sizeof(data));
	assert_int_equal(websocket_take(*state, frame, length), WEBSOCKET_OPEN);
	assert_int_equal(heard_length, WEBSOCKET_MESSAGE_BYTES);
	assert_int_equal(take(*state, 0x80, ""), WEBSOCKET_OPEN);
	assert_int_equal(heard_length, WEBSOCKET_MESSAGE_BYTES + 1);
	length = put_frame(frame, 0x01, data, sizeof(data));
	assert_int_equal(websocket_take(*state, frame, length), WEBSOCKET_OPEN);
	length = put_frame(frame, 0x00, data, sizeof(data));
	assert_int_equal(websocket_take(*state, frame, length), WEBSOCKET_OPEN);
	assert_int_equal(take(*state, 0x80, "x"), WEBSOCKET_TOO_BIG);
}

static void a_close_without_a_code_is_answered_without(void **state)
{
	struct bytes *frame = websocket_close_frame(WEBSOCKET_NONE);

	assert_int_equal(take(*state, 0x88, ""), WEBSOCKET_NONE);
	assert_int_equal(frame->length, 2);
	assert_memory_equal(frame->data, "\x88\0", 2);
	bytes_unref(frame);
	frame = websocket_close_frame(WEBSOCKET_PROTOCOL);
	assert_int_equal(frame->length, 4);
	assert_memory_equal(frame->data, "\x88\x02\x03\xea", 4);
	bytes_unref(frame);
}

static void heads_are_as_short_as_they_can_be(void **state)
{
	static const struct {
		size_t length;
		size_t head;
		const char *bytes;
	} cases[] = {{0, 2, "\x81\x00"}, {125, 2, "\x81\x7d"}, {126, 4, "\x81\x7e\x00\x7e"},
			{65535, 4, "\x81\x7e\xff\xff"}, {65536, 10, "\x81\x7f\0\0\0\0\0\x01\0\0"}};
	unsigned char head[WEBSOCKET_HEAD_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(websocket_text_head(cases[i].length, head), cases[i].head);
		assert_memory_equal(head, cases[i].bytes, cases[i].head);
	}
}

static void no_line_is_taken_for_a_frame(void **state)
{
	struct bytes *frame = websocket_ping_frame();

	(void)state;
	assert_true(websocket_is_frame(frame));
	bytes_unref(frame);
	for (const char *const *text = (const char *const[]){"{\"type\":\"ok\"}\n", "# words\n",
			     "\n", "\xc3\xb3\n", "\xf0\x9d\x84\x9e\n", NULL};
			*text != NULL; text++) {
		struct bytes *line = bytes_new(*text, strlen(*text));

		assert_false(websocket_is_frame(line));
		bytes_unref(line);
	}
}

#define WITH_ONE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
			WITH_ONE(a_message_becomes_a_line),
			WITH_ONE(masks_are_taken_off_byte_by_byte_too),
			WITH_ONE(each_ping_is_answered_and_pongs_are_passed_over),
			WITH_ONE(what_comes_after_the_end_is_not_looked_at),
			WITH_ONE(a_message_has_at_most_its_limit_in_one_piece_or_in_many),
			WITH_ONE(a_close_without_a_code_is_answered_without),
			cmocka_unit_test(heads_are_as_short_as_they_can_be),
			cmocka_unit_test(no_line_is_taken_for_a_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
