#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client-cli/token.h"
#include "tests/unit/game/cmocka_all.h"

#define TOKEN "abcdefghijklmnopqrst-_"

static char folder[] = "/tmp/qttt-token-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder)) {
		return -1;
	}
	snprintf(path, sizeof(path), "%s/token", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	(void)unlink(path);
	return rmdir(folder); /* fails if anything else was left in it */
}

static void write_file(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void a_file_that_is_not_there_is_no_token(void **state)
{
	char token[TOKEN_SIZE] = "x";

	(void)state;
	assert_int_equal(token_load(path, token), 0);
	assert_string_equal(token, "");
}

static void a_kept_token_comes_back_and_is_the_owners_alone(void **state)
{
	char token[TOKEN_SIZE];
	struct stat status;

	(void)state;
	write_file("old");
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(token_save(path, TOKEN), 0);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	assert_int_equal(token_load(path, token), 0);
	assert_string_equal(token, TOKEN);
}

static void a_file_with_something_else_is_refused(void **state)
{
	static const char *const texts[] = {"", "\n", "short\n", TOKEN " x\n", TOKEN "\nmore\n",
			TOKEN TOKEN TOKEN "\n"};
	char token[TOKEN_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		write_file(texts[i]);
		assert_int_equal(token_load(path, token), -EBADMSG);
	}
}

static void a_folder_that_is_not_there_is_told(void **state)
{
	char absent[64];

	(void)state;
	/* In a folder of our own: others on this machine may make any other. */
	snprintf(absent, sizeof(absent), "%s/absent/token", folder);
	assert_int_equal(token_save(absent, TOKEN), -ENOENT);
}

static void every_server_and_name_has_a_place_of_its_own(void **state)
{
	char place[PATH_MAX];
	char expected[PATH_MAX];
	struct stat status;

	(void)state;
	assert_int_equal(setenv("XDG_STATE_HOME", folder, 1), 0);
	assert_true(token_path("::1", "4242", "Ala_../ż", place));
	snprintf(expected, sizeof(expected), "%s/qttt/%%3a%%3a1_4242_ala%%5f..%%2f%%c5%%bc",
			folder);
	assert_string_equal(place, expected);
	/* One name, however its letters are written and composed. */
	assert_true(token_path("::1", "4242", "ALA_../Ż", place));
	assert_string_equal(place, expected);
	assert_true(token_path("::1", "4242", "ala_../z\xcc\x87", place));
	assert_string_equal(place, expected);
	snprintf(expected, sizeof(expected), "%s/qttt", folder);
	assert_int_equal(stat(expected, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0700);
	assert_int_equal(rmdir(expected), 0);
}

static void without_a_folder_there_is_no_place(void **state)
{
	char place[PATH_MAX];

	(void)state;
	assert_int_equal(setenv("XDG_STATE_HOME", "relative", 1), 0);
	assert_int_equal(setenv("HOME", "/dev/null", 1), 0);
	assert_false(token_path("host", "4242", "ala", place));
	assert_int_equal(unsetenv("HOME"), 0);
	assert_false(token_path("host", "4242", "ala", place));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_file_that_is_not_there_is_no_token),
			cmocka_unit_test(a_kept_token_comes_back_and_is_the_owners_alone),
			cmocka_unit_test(a_file_with_something_else_is_refused),
			cmocka_unit_test(every_server_and_name_has_a_place_of_its_own),
			cmocka_unit_test(without_a_folder_there_is_no_place),
			cmocka_unit_test(a_folder_that_is_not_there_is_told),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
