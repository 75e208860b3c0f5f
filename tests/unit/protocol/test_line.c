#include <string.h>

#include "protocol/line.h"
#include "with_cmocka.h"

#define LIMIT 16

/* A reader as a connection is one: what arrived and was not taken away yet, and what came of it. */
struct reader {
	struct line_cutter cutter;
	char held[256];
	size_t length;
	char told[512];
};

static void tell(struct reader *reader, enum line_result result, const char *line, size_t length)
{
	if (result == LINE_WHOLE) {
		strcat(reader->told, "<");
		strncat(reader->told, line, length);
		strcat(reader->told, ">");
	} else if (result == LINE_TOO_LONG) {
		strcat(reader->told, "!long");
	} else if (result == LINE_NOT_TEXT) {
		const char count[] = {(char)('0' + length), '\0'};

		strcat(strcat(reader->told, "!text"), count);
	}
}

static void arrive(struct reader *reader, const char *data, size_t length, bool at_end)
{
	enum line_result result;

	memcpy(reader->held + reader->length, data, length);
	reader->length += length;
	do {
		size_t consumed;
		const char *line = NULL;
		size_t line_length = 0;

		result = line_cut(&reader->cutter, reader->held, reader->length, LIMIT, at_end,
				&consumed, &line, &line_length);
		assert_true(consumed <= reader->length);
		assert_true(result == LINE_MORE || consumed > 0);
		tell(reader, result, line, line_length);
		reader->length -= consumed;
		memmove(reader->held, reader->held + consumed, reader->length);
	} while (result != LINE_MORE);
}

static void assert_told(const char *data, size_t length, const char *told)
{
	struct reader reader = {0};

	arrive(&reader, data, length, true);
	assert_string_equal(reader.told, told);
	assert_int_equal(reader.length, 0);
}

#define TOLD(data, told) assert_told(data, sizeof(data) - 1, told)

static void lines_are_the_same_wherever_the_bytes_are_split(void **state)
{
	static const char data[] = "one\r\n\n\r\ntwo \xc5\xbc\nthis is far too long a line\nx\0y\n"
				   "\xff\r\n0123456789abcde\n0123456789abcdef\nlast";
	static const char told[] =
			"<one><two \xc5\xbc>!long!text3!text1<0123456789abcde>!long<last>";
	const size_t length = sizeof(data) - 1;

	(void)state;
	for (size_t first = 0; first <= length; first++) {
		for (size_t second = first; second <= length; second++) {
			struct reader reader = {0};

			arrive(&reader, data, first, false);
			arrive(&reader, data + first, second - first, false);
			arrive(&reader, data + second, length - second, true);
			assert_string_equal(reader.told, told);
		}
	}
}

static void a_line_without_lf_at_the_end_is_a_line(void **state)
{
	struct reader reader = {0};

	(void)state;
	arrive(&reader, "ping", 4, false);
	assert_string_equal(reader.told, "");
	assert_int_equal(reader.length, 4);
	arrive(&reader, "", 0, true);
	assert_string_equal(reader.told, "<ping>");
	TOLD("ping\r", "<ping>");
	TOLD("\r", "");
	TOLD("", "");
}

static void only_one_cr_belongs_to_the_end(void **state)
{
	(void)state;
	TOLD("a\r\r\nb\rc\n", "<a\r><b\rc>");
}

static void the_limit_counts_the_lf(void **state)
{
	(void)state;
	TOLD("0123456789abcde\n", "<0123456789abcde>");
	TOLD("0123456789abcdef\n", "!long");
	TOLD("0123456789abcd\r\n", "<0123456789abcd>");
	TOLD("0123456789abcde\r\n", "!long");
	TOLD("0123456789abcde", "<0123456789abcde>");
	TOLD("0123456789abcdef", "!long");
}

static void an_over_long_line_is_told_once_and_skipped_to_its_lf(void **state)
{
	struct reader reader = {0};

	(void)state;
	arrive(&reader, "0123456789abcdefghi", 19, false);
	assert_string_equal(reader.told, "!long");
	assert_int_equal(reader.length, 0);
	for (int i = 0; i < 100; i++) {
		arrive(&reader, "0123456789abcdefghi", 19, false);
		assert_int_equal(reader.length, 0);
	}
	arrive(&reader, "0123\nnext\n", 10, false);
	assert_string_equal(reader.told, "!long<next>");
}

static void an_over_long_line_may_never_end(void **state)
{
	struct reader reader = {0};

	(void)state;
	arrive(&reader, "0123456789abcdefghi", 19, false);
	arrive(&reader, "rest", 4, true);
	assert_string_equal(reader.told, "!long");
	assert_int_equal(reader.length, 0);
}

static void what_is_not_text_is_told(void **state)
{
	(void)state;
	TOLD("a\0b\n", "!text3");
	TOLD("\0\n", "!text1");
	TOLD("\xc0\xaf\n", "!text2");	      /* overlong */
	TOLD("\xe0\x80\xaf\n", "!text3");     /* overlong */
	TOLD("\xf0\x80\x80\xaf\n", "!text4"); /* overlong */
	TOLD("\xed\xa0\x80\n", "!text3");     /* a surrogate */
	TOLD("\xf4\x90\x80\x80\n", "!text4"); /* beyond U+10FFFF */
	TOLD("\x80\n", "!text1");	      /* a continuation alone */
	TOLD("abc\xc5\n", "!text4");	      /* half a character */
	TOLD("abc\xc5", "!text4");
	TOLD("\xf4\x8f\xbf\xbf\n", "<\xf4\x8f\xbf\xbf>");
}

static void an_http_request_is_known_by_its_first_line(void **state)
{
	static const char *const http[] = {"GET / HTTP/1.1", "POST /x?y=z HTTP/1.0",
			"PRI * HTTP/2.0", "GET /a b HTTP/1.1"};
	static const char *const other[] = {"", "GET", "GET /", "get / HTTP/1.1", "GET/ HTTP/1.1",
			"GET / HTTP/1.", "GET / HTTP/1.x", "GET / HTTP/x.1", "GET / HTTP/1-1",
			"GET / http/1.1", "{\"type\":\"GET / HTTP/1.1\"}", " GET / HTTP/1.1",
			"G HTTP/1.1", "say GET / HTTP/1.1"};

	(void)state;
	for (size_t i = 0; i < sizeof(http) / sizeof(http[0]); i++) {
		assert_true(line_is_http(http[i], strlen(http[i])));
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		assert_false(line_is_http(other[i], strlen(other[i])));
	}
}

static void a_line_of_blanks_is_empty(void **state)
{
	static const char text[] = " \t \r\n";
	struct line_cutter cutter = {0};
	size_t consumed = 0;
	const char *line = NULL;
	size_t length = 0;

	(void)state;
	assert_int_equal(line_cut(&cutter, text, sizeof(text) - 1, 100, false, &consumed, &line,
					 &length),
			LINE_EMPTY);
	assert_int_equal(consumed, sizeof(text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(lines_are_the_same_wherever_the_bytes_are_split),
			cmocka_unit_test(a_line_without_lf_at_the_end_is_a_line),
			cmocka_unit_test(only_one_cr_belongs_to_the_end),
			cmocka_unit_test(a_line_of_blanks_is_empty),
			cmocka_unit_test(the_limit_counts_the_lf),
			cmocka_unit_test(an_over_long_line_is_told_once_and_skipped_to_its_lf),
			cmocka_unit_test(an_over_long_line_may_never_end),
			cmocka_unit_test(what_is_not_text_is_told),
			cmocka_unit_test(an_http_request_is_known_by_its_first_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
