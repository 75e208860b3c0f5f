#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/http_request.h"
#include "tests/unit/game/cmocka_all.h"

#define HOST "Host: a\r\n"

static struct http_request request;
static size_t used;

/* Reads from memory of just that length, so that a byte too far is noticed. */
static int parse(const char *text, size_t length)
{
	static char *kept;
	enum http_parsed parsed;
	int status = 0;

	free(kept);
	kept = malloc(length + 1);
	assert_non_null(kept);
	char *copy = kept + 1;
	memcpy(copy, text, length);
	used = 0;
	parsed = http_parse(copy, length, &request, &used, &status);
	if (parsed == HTTP_WHOLE) {
		return 200;
	}
	return parsed == HTTP_BAD ? status : 0;
}

static int status_of(const char *text)
{
	return parse(text, strlen(text));
}

static void a_request_is_its_path_and_its_headers(void **state)
{
	static const char text[] =
			"GET /metrics?x=1&y HTTP/1.1\r\nHost: a:1\r\nOrigin:  http://b \r\n"
			"\r\nGET";
	struct http_text value;

	(void)state;
	assert_int_equal(status_of(text), 200);
	assert_int_equal(used, sizeof(text) - 1 - 3);
	assert_true(http_text_is(request.path, "/metrics"));
	assert_true(http_text_is(request.query, "x=1&y"));
	assert_false(request.is_head);
	assert_true(request.keeps_alive);
	assert_true(http_header(&request, "origin", &value));
	assert_true(http_text_is(value, "http://b"));
	assert_true(http_header(&request, "Host", &value));
	assert_true(http_text_is(value, "a:1"));
	assert_false(http_header(&request, "Cookie", &value));
}

static void every_beginning_of_a_request_wants_more(void **state)
{
	static const char text[] = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";

	(void)state;
	for (size_t length = 0; length < sizeof(text) - 1; length++) {
		assert_int_equal(parse(text, length), 0);
	}
	assert_int_equal(status_of(text), 200);
	assert_true(request.is_head);
}

static void connections_stay_open_unless_told_or_old(void **state)
{
	(void)state;
	assert_int_equal(status_of("GET / HTTP/1.1\r\n" HOST "Connection: Close\r\n\r\n"), 200);
	assert_false(request.keeps_alive);
	assert_int_equal(status_of("GET / HTTP/1.0\r\n\r\n"), 200);
	assert_false(request.keeps_alive);
	assert_false(http_header(&request, "Host", &(struct http_text){0}));
}

static void lines_may_end_without_cr_and_begin_late(void **state)
{
	(void)state;
	assert_int_equal(status_of("\r\n\r\nGET / HTTP/1.1\nHost: a\n\n"), 200);
	assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"), 200);
}

static void what_is_no_request_is_refused(void **state)
{
	static const struct {
		const char *text;
		int status;
	} wrong[] = {
			{"\x16\x03\x01\x02\x03 GET / HTTP/1.1", 400},
			{"{\"type\":\"ping\"}\n\n", 400},
			{"GET /\r\n\r\n", 400},
			{"GET\r\n\r\n", 400},
			{"GET  / HTTP/1.1\r\n" HOST "\r\n", 400},
			{"GET / HTTP/1.1 \r\n" HOST "\r\n", 400},
			{"G(T / HTTP/1.1\r\n" HOST "\r\n", 400},
			{"GET * HTTP/1.1\r\n" HOST "\r\n", 400},
			{"GET http://a/ HTTP/1.1\r\n" HOST "\r\n", 400},
			{"GET / HTTP/1.1\r\n\r\n", 400},
			{"GET / HTTP/1.1\r\n" HOST HOST "\r\n", 400},
			{"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
			{"GET / HTTP/1.1\r\nHost\r\n\r\n", 400},
			{"GET / HTTP/1.1\r\n" HOST " folded\r\n\r\n", 400},
			{"GET / HTTP/1.1\r\n" HOST "X: \x01\r\n\r\n", 400},
			{"GET / HTTP/2.0\r\n" HOST "\r\n", 505},
			{"GET / HTTX/1.1\r\n" HOST "\r\n", 400},
			{"POST / HTTP/1.1\r\n" HOST "\r\n", 405},
			{"get / HTTP/1.1\r\n" HOST "\r\n", 405},
			{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
			{"GET / HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\n", 413},
			{"GET / HTTP/1.1\r\n" HOST "content-length: -1\r\n\r\n", 413},
			{"GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n", 413},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (status_of(wrong[i].text) != wrong[i].status) {
			print_error("%s\n", wrong[i].text);
			assert_int_equal(status_of(wrong[i].text), wrong[i].status);
		}
	}
}

static void a_nul_byte_is_refused(void **state)
{
	static const char text[] = "GET / HTTP/1.1\r\n" HOST "X: a\0b\r\n\r\n";

	(void)state;
	assert_int_equal(parse(text, sizeof(text) - 1), 400);
}

/* A request of just so many bytes. */
static int status_of_length(size_t length)
{
	char *text = malloc(length + 1);
	int status;

	assert_non_null(text);
	memset(text, 'x', length);
	status = sprintf(text, "GET / HTTP/1.1\r\n" HOST "X:");
	text[status] = ' ';
	strcpy(text + length - 4, "\r\n\r\n");
	status = parse(text, length);
	free(text);
	return status;
}

static void a_request_has_at_most_its_limit(void **state)
{
	(void)state;
	assert_int_equal(status_of_length(HTTP_REQUEST_BYTES), 200);
	assert_int_equal(status_of_length(HTTP_REQUEST_BYTES + 1), 431);
}

static void the_beginning_of_one_that_is_too_long_is_enough(void **state)
{
	static char text[HTTP_REQUEST_BYTES];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(parse(text, sizeof(text) - 1), 0);
	assert_int_equal(parse(text, sizeof(text)), 431);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_request_is_its_path_and_its_headers),
			cmocka_unit_test(every_beginning_of_a_request_wants_more),
			cmocka_unit_test(connections_stay_open_unless_told_or_old),
			cmocka_unit_test(lines_may_end_without_cr_and_begin_late),
			cmocka_unit_test(what_is_no_request_is_refused),
			cmocka_unit_test(a_nul_byte_is_refused),
			cmocka_unit_test(a_request_has_at_most_its_limit),
			cmocka_unit_test(the_beginning_of_one_that_is_too_long_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
