#include "server/ops/new_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/game/cmocka_all.h"

static char folder[64];
static char path[128];
static char why[NEW_FILE_WHY_SIZE];

static int setup(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/qttt-new-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/games", folder);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	/* A part that was left would keep it. */
	assert_int_equal(rmdir(folder), 0);
	return 0;
}

static bool is_there(const char *name)
{
	struct stat status;

	return lstat(name, &status) == 0;
}

static void put(const struct new_file *file, const char *text)
{
	assert_int_equal(write(file->fd, text, strlen(text)), strlen(text));
}

static void assert_holds(const char *text)
{
	char all[64] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_int_equal(fread(all, 1, sizeof(all) - 1, file), strlen(text));
	fclose(file);
	assert_string_equal(all, text);
}

static void a_new_file_has_its_name_once_it_is_whole(void **state)
{
	struct new_file file;
	struct stat status;

	(void)state;
	assert_int_equal(new_file_begin(&file, path, why), 0);
	put(&file, "one");
	assert_false(is_there(path));
	assert_true(is_there(file.part));
	assert_int_equal(strncmp(file.part, path, strlen(path)), 0);
	put(&file, "two");
	assert_int_equal(new_file_finish(&file, why), 0);
	new_file_fini(&file);
	assert_holds("onetwo");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
}

static void a_new_file_that_is_not_finished_is_gone(void **state)
{
	struct new_file file;

	(void)state;
	assert_int_equal(new_file_begin(&file, path, why), 0);
	put(&file, "one");
	new_file_fini(&file);
	assert_false(is_there(path));
}

static void a_new_file_takes_no_others_place(void **state)
{
	struct new_file first;
	struct new_file second;
	struct new_file third;

	(void)state;
	assert_int_equal(new_file_begin(&first, path, why), 0);
	assert_int_equal(new_file_begin(&second, path, why), 0);
	put(&first, "first");
	put(&second, "second");
	assert_int_equal(new_file_finish(&first, why), 0);
	assert_int_equal(new_file_finish(&second, why), -EEXIST);
	assert_non_null(strstr(why, "already"));
	assert_int_equal(new_file_begin(&third, path, why), -EEXIST);
	new_file_fini(&third);
	new_file_fini(&second);
	new_file_fini(&first);
	assert_holds("first");
}

static void a_new_file_wants_a_folder_that_is_there(void **state)
{
	struct new_file file;

	(void)state;
	assert_int_equal(new_file_begin(&file, "/tmp/qttt-no-such-folder/games", why), -ENOENT);
	assert_string_equal(why, "can't make the file /tmp/qttt-no-such-folder/games: No such file "
				 "or directory");
	new_file_fini(&file);
}

static void a_new_file_may_have_a_name_of_the_folder_one_is_in(void **state)
{
	struct new_file file;

	(void)state;
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(new_file_begin(&file, "games", why), 0);
	put(&file, "one");
	assert_int_equal(new_file_finish(&file, why), 0);
	new_file_fini(&file);
	assert_int_equal(chdir("/"), 0);
	assert_holds("one");
}

#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
			SENTENCE(a_new_file_has_its_name_once_it_is_whole),
			SENTENCE(a_new_file_that_is_not_finished_is_gone),
			SENTENCE(a_new_file_takes_no_others_place),
			SENTENCE(a_new_file_wants_a_folder_that_is_there),
			SENTENCE(a_new_file_may_have_a_name_of_the_folder_one_is_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
