#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/ops/log.h"
#include "tests/unit/game/cmocka_all.h"

static char written[8192];
static int kept_stderr;
static int ends[2];

static int catch_stderr(void **state)
{
	(void)state;
	kept_stderr = dup(STDERR_FILENO);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	return 0;
}

static int release_stderr(void **state)
{
	(void)state;
	dup2(kept_stderr, STDERR_FILENO);
	close(kept_stderr);
	close(ends[0]);
	close(ends[1]);
	log_set_level(LOG_INFO);
	return 0;
}

/* What has been written so far; something must have been. */
static const char *read_written(void)
{
	const ssize_t length = read(ends[0], written, sizeof(written) - 1);

	assert_true(length > 0);
	written[length] = '\0';
	return written;
}

static void expect_match(const char *text, const char *pattern)
{
	regex_t regex;
	int result;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	result = regexec(&regex, text, 0, NULL, 0);
	regfree(&regex);
	if (result != 0) {
		print_error("%s does not match %s\n", text, pattern);
	}
	assert_int_equal(result, 0);
}

static void an_event_is_one_line_with_time_and_level(void **state)
{
	(void)state;
	log_event(LOG_INFO, "conn_open", "conn=%d peer=%s", 17, "127.0.0.1:1");
	expect_match(read_written(), "^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6]"
				     "[0-9]\\.[0-9]{3}Z info conn_open conn=17 "
				     "peer=127\\.0\\.0\\.1:1\n$");
	log_event(LOG_ERROR, "stopping", "%s", "");
	expect_match(read_written(), "Z error stopping\n$");
}

static void only_the_level_and_graver_ones_are_written(void **state)
{
	(void)state;
	log_event(LOG_DEBUG, "no", "%d", 1);
	log_event(LOG_WARN, "one", "%d", 1);
	log_set_level(LOG_ERROR);
	log_event(LOG_WARN, "no", "%d", 1);
	log_set_level(LOG_DEBUG);
	log_event(LOG_DEBUG, "two", "%d", 1);
	expect_match(read_written(), "^[^ ]+ warn one 1\n[^ ]+ debug two 1\n$");
}

static void a_long_event_is_cut_and_stays_one_line(void **state)
{
	char text[3000];
	const char *line;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	log_event(LOG_INFO, "long", "%s", text);
	line = read_written();
	assert_int_equal(strlen(line), 1024);
	assert_ptr_equal(strchr(line, '\n'), line + 1023);
}

static void strangers_text_is_quoted_and_escaped(void **state)
{
	(void)state;
	assert_string_equal(log_text("plain text"), "\"plain text\"");
	assert_string_equal(log_text(""), "\"\"");
	assert_string_equal(log_text("a\"b\\c"), "\"a\\\"b\\\\c\"");
	assert_string_equal(log_text("a\nb\x1b[31m\x7f\xc4\x85"),
			"\"a\\x0ab\\x1b[31m\\x7f\\xc4\\x85\"");
}

static void text_is_cut_at_a_hundred_bytes(void **state)
{
	char text[102];
	char expected[106];

	(void)state;
	memset(text, 'x', 101);
	text[101] = '\0';
	snprintf(expected, sizeof(expected), "\"%.100s\"...", text);
	assert_string_equal(log_text(text), expected);
	text[100] = '\0';
	expected[102] = '\0';
	assert_string_equal(log_text(text), expected);
}

static void eight_texts_can_stand_in_one_event(void **state)
{
	const char *texts[8];

	(void)state;
	for (int i = 0; i < 8; i++) {
		const char text[2] = {(char)('a' + i), '\0'};

		texts[i] = log_text(text);
	}
	for (int i = 0; i < 8; i++) {
		assert_int_equal(texts[i][1], 'a' + i);
	}
}

#define CAUGHT(name) cmocka_unit_test_setup_teardown(name, catch_stderr, release_stderr)

int main(void)
{
	const struct CMUnitTest tests[] = {
			CAUGHT(an_event_is_one_line_with_time_and_level),
			CAUGHT(only_the_level_and_graver_ones_are_written),
			CAUGHT(a_long_event_is_cut_and_stays_one_line),
			cmocka_unit_test(strangers_text_is_quoted_and_escaped),
			cmocka_unit_test(text_is_cut_at_a_hundred_bytes),
			cmocka_unit_test(eight_texts_can_stand_in_one_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
