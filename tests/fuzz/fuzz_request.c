/* A client's line into a request: JSON and words. What is understood can be written and read again
 * and is the same; what is refused is refused with a reply that can be sent; and JSON means the
 * same in the quick reading and the thorough one. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "protocol/decode.h"
#include "protocol/encode.h"
#include "protocol/line.h"
#include "protocol/member.h"
#include "protocol/tell.h"
#include "protocol/text.h"

static void expect_same(const struct request *one, const struct request *other)
{
	struct bytes *first = encode_request(one);
	struct bytes *second = encode_request(other);

	FUZZ_EXPECT(one->has == other->has);
	FUZZ_EXPECT(first->length == second->length);
	FUZZ_EXPECT(memcmp(first->data, second->data, first->length) == 0);
	bytes_unref(first);
	bytes_unref(second);
}

/* As who may ask for more, or as anybody else. */
static bool decode_for(bool is_operator, const char *line, size_t length, struct request *ret,
		struct error *ret_error)
{
	return is_operator ? decode_operator_request(line, length, ret, ret_error)
			   : decode_request(line, length, ret, ret_error);
}

/* As a client writes it, in JSON. */
static void expect_round_trip(bool is_operator, const struct request *request)
{
	struct bytes *line = encode_request(request);
	struct request again;
	struct error error;

	FUZZ_EXPECT(decode_for(is_operator, line->data, line->length - 1, &again, &error));
	expect_same(request, &again);
	bytes_unref(line);
}

static void expect_sendable(const struct error *error)
{
	struct bytes *line = encode_error(error);
	struct message message;
	struct tell tell;

	FUZZ_EXPECT(error->code > CODE_NONE && error->code < CODE_COUNT);
	FUZZ_EXPECT(error->message[0] != '\0' && text_chars(error->message) > 0);
	FUZZ_EXPECT(decode_message(line->data, line->length - 1, &message));
	FUZZ_EXPECT(message.kind == MESSAGE_ERROR && message.error.code == error->code);
	tell_init(&tell);
	tell.bare = true;
	tell_error(&tell, &message.error, message.error.to);
	FUZZ_EXPECT(tell.text.length > 0);
	tell_fini(&tell);
	message_fini(&message);
	bytes_unref(line);
}

/* An unknown member in front, which is ignored, makes it a line for the thorough decoder. */
static bool decode_thoroughly(bool is_operator, const char *line, size_t length,
		struct request *ret, struct error *ret_error)
{
	static const char before[] = "{\"?\":0,";
	const size_t more = sizeof(before) - 1;
	char *thorough = malloc(more + length);
	bool done;

	FUZZ_EXPECT(thorough != NULL);
	memcpy(thorough, before, more);
	memcpy(thorough + more, line + 1, length - 1);
	done = decode_for(is_operator, thorough, more + length - 1, ret, ret_error);
	free(thorough);
	return done;
}

static void compare_ways(bool is_operator, const char *line, size_t length)
{
	struct request plain = {0};
	struct request thorough;
	struct error error = {0};

	if (!decode_request_plain(is_operator, line, length, &plain, &error)) {
		return;
	}
	FUZZ_EXPECT(decode_thoroughly(is_operator, line, length, &thorough, &error));
	expect_same(&plain, &thorough);
}

/* As the client answers it by itself. */
static void tell_help_about(bool is_operator, const char *about)
{
	struct tell tell;

	tell_init(&tell);
	tell.is_operator = is_operator;
	tell_help(&tell, about);
	FUZZ_EXPECT(tell.text.length > 0);
	tell_fini(&tell);
}

static void decode(bool is_operator, const char *line, size_t length)
{
	struct request request;
	struct error error;

	if (decode_for(is_operator, line, length, &request, &error)) {
		FUZZ_EXPECT(request_is_for(is_operator, request.type));
		expect_round_trip(is_operator, &request);
		if (request.type == REQUEST_HELP) {
			tell_help_about(is_operator, request.about);
		}
	} else {
		expect_sendable(&error);
	}
	if (line[0] == '{') {
		compare_ways(is_operator, line, length);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct line_cutter cutter = {0};
	size_t at = 0;

	while (at < size) {
		const char *line = NULL;
		size_t length = 0;
		size_t consumed;

		if (line_cut(&cutter, (const char *)data + at, size - at, LIMIT_LINE_BYTES, true,
				    &consumed, &line, &length) == LINE_WHOLE) {
			decode(false, line, length);
			decode(true, line, length);
		}
		at += consumed;
	}
	return 0;
}
