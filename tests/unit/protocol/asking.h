/* Checks of decode_request by what becomes of a line: the request as JSON again, or the error. */
#ifndef ASKING_H
#define ASKING_H

#include <stdio.h>
#include <string.h>

#include "protocol/decode.h"
#include "protocol/encode.h"
#include "with_cmocka.h"

/* The line is the request that `json`, without its LF, says. */
static inline void assert_asks(const char *line, const char *json)
{
	struct request request;
	struct error error = {.message = "fine"};
	struct bytes *again;

	if (!decode_request(line, strlen(line), &request, &error)) {
		print_error("%s: %s\n", line, error.message);
		fail();
	}
	again = encode_request(&request);
	again->data[again->length - 1] = '\0';
	assert_string_equal(again->data, json);
	bytes_unref(again);
}

/* The line is refused; the error without its sentence is `told`: re|to|code|field. */
static inline void assert_refused(const char *line, const char *told)
{
	struct request request;
	struct error error;
	char re[LIMIT_ID_BYTES + 3] = "";
	char text[256];

	assert_false(decode_request(line, strlen(line), &request, &error));
	if (error.re.kind == ID_INTEGER) {
		snprintf(re, sizeof(re), "%lld", (long long)error.re.integer);
	} else if (error.re.kind == ID_STRING) {
		snprintf(re, sizeof(re), "'%s'", error.re.string);
	}
	snprintf(text, sizeof(text), "%s|%s|%s|%s", re, error.to, code_word(error.code),
			error.field);
	assert_string_equal(text, told);
	assert_true(strlen(error.message) > 5);
	assert_false(error.has_board || error.has_retry);
}

/* The sentence that the line is refused with. */
static inline void assert_sentence(const char *line, const char *sentence)
{
	struct request request;
	struct error error;

	assert_false(decode_request(line, strlen(line), &request, &error));
	assert_string_equal(error.message, sentence);
}

#endif
