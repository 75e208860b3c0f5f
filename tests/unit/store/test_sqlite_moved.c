/* Somebody moves, removes, replaces, locks or spoils the files of a database that is in use. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "tests/unit/store/folder.h"

#define NOBODY 65534

static int setup(void **state)
{
	struct suite *suite = folder_new();

	folder_open(suite);
	suite_commit_events(suite, "k7m2q", 0, 2, STORE_ROOM_PLAYING);
	*state = suite;
	return 0;
}

static int teardown(void **state)
{
	if (getuid() == 0) {
		assert_int_equal(seteuid(0), 0);
	}
	chmod(folder_path(*state, ""), 0700);
	folder_free(*state);
	return 0;
}

/* Root may write everything. */
static void be_an_ordinary_user(struct suite *suite)
{
	static const char *const names[] = {"", "qttt.db", "qttt.db.lock"};

	if (getuid() != 0) {
		return;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(chown(folder_path(suite, names[i]), NOBODY, NOBODY), 0);
	}
	assert_int_equal(seteuid(NOBODY), 0);
}

/* Two paths in the folder. */
static void move(struct suite *suite, const char *from, const char *to)
{
	char path[512];

	snprintf(path, sizeof(path), "%s", folder_path(suite, from));
	assert_int_equal(rename(path, folder_path(suite, to)), 0);
}

static void copy(struct suite *suite, const char *from, const char *to)
{
	static char data[65536];
	FILE *file = fopen(folder_path(suite, from), "r");
	size_t size = fread(data, 1, sizeof(data), file);

	fclose(file);
	file = fopen(folder_path(suite, to), "w");
	assert_int_equal(fwrite(data, 1, size, file), size);
	fclose(file);
}

static enum store_status commit(struct suite *suite, int64_t after_seq)
{
	return suite_commit_events(suite, "k7m2q", after_seq, 1, STORE_ROOM_PLAYING);
}

static uint64_t failures(struct suite *suite, enum store_sqlite_failure failure)
{
	struct store_sqlite_counts counts;

	store_sqlite_count(suite->store, &counts);
	return counts.failures[failure];
}

static void assert_lost(struct suite *suite)
{
	for (int i = 0; i < 3; i++) {
		assert_int_equal(commit(suite, 2), STORE_UNAVAILABLE);
		assert_int_equal(suite_found(suite, "k7m2q"), STORE_NOT_READABLE);
		assert_int_equal(suite_found(suite, "zzzzz"), STORE_NOT_READABLE);
	}
	assert_int_equal(failures(suite, STORE_SQLITE_MOVED), 9);
	assert_non_null(strstr(folder_report(suite), "moved, removed or replaced"));
	assert_int_equal(folder_reports(suite, STORE_SQLITE_FAILS), 1);
}

static void a_file_that_is_removed_is_told_of_and_nothing_is_promised(void **state)
{
	struct suite *suite = *state;

	assert_int_equal(unlink(folder_path(suite, "qttt.db")), 0);
	assert_lost(suite);
}

static void a_folder_that_is_moved_away_and_put_back_goes_on(void **state)
{
	struct suite *suite = *state;
	char path[512];
	char away[520];

	snprintf(path, sizeof(path), "%s", folder_path(suite, ""));
	path[strlen(path) - 1] = '\0';
	snprintf(away, sizeof(away), "%s-away", path);
	assert_int_equal(rename(path, away), 0);
	assert_lost(suite);
	assert_int_equal(rename(away, path), 0);
	assert_int_equal(commit(suite, 2), STORE_STORED);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 3);
	folder_close(suite);
	folder_open(suite);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 3);
}

static void a_copy_in_place_of_the_file_is_not_taken_for_it(void **state)
{
	struct suite *suite = *state;

	folder_close(suite);
	copy(suite, "qttt.db", "copy");
	folder_open(suite);
	move(suite, "qttt.db", "original");
	move(suite, "copy", "qttt.db");
	assert_lost(suite);
	move(suite, "qttt.db", "copy");
	move(suite, "original", "qttt.db");
	assert_int_equal(commit(suite, 2), STORE_STORED);
}

static void a_log_that_is_removed_costs_nothing(void **state)
{
	struct suite *suite = *state;

	assert_int_equal(commit(suite, 2), STORE_STORED);
	assert_int_equal(unlink(folder_path(suite, "qttt.db-wal")), 0);
	assert_int_equal(commit(suite, 3), STORE_STORED);
	assert_int_equal(failures(suite, STORE_SQLITE_MOVED), 1);
	assert_non_null(strstr(folder_report(suite), "its log was moved"));
	assert_int_equal(access(folder_path(suite, "qttt.db-wal"), F_OK), 0);
	assert_int_equal(commit(suite, 4), STORE_STORED);
	assert_int_equal(failures(suite, STORE_SQLITE_MOVED), 1);
	folder_close(suite);
	folder_open(suite);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 5);
}

static void a_server_that_lost_its_files_leaves_anothers_log_alone(void **state)
{
	struct suite *suite = *state;
	struct store *lost = suite->store;

	move(suite, "qttt.db", "lost.db");
	move(suite, "qttt.db-wal", "lost.db-wal");
	move(suite, "qttt.db-shm", "lost.db-shm");
	move(suite, "qttt.db.lock", "lost.db.lock");
	folder_open(suite);
	assert_int_equal(suite_commit_events(suite, "zzzzz", 0, 2, STORE_ROOM_PLAYING),
			STORE_STORED);
	lost->ops->free(lost);
	assert_int_equal(access(folder_path(suite, "qttt.db-wal"), F_OK), 0);
	assert_int_equal(failures(suite, STORE_SQLITE_MOVED), 0);
	assert_int_equal(suite_commit_events(suite, "zzzzz", 2, 1, STORE_ROOM_PLAYING),
			STORE_STORED);
	assert_int_equal(failures(suite, STORE_SQLITE_MOVED), 0);
}

/* Rights. */

static void a_file_that_can_only_be_read_is_refused(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];

	folder_close(suite);
	be_an_ordinary_user(suite);
	assert_int_equal(chmod(folder_path(suite, "qttt.db"), 0400), 0);
	assert_int_equal(folder_try(suite, "qttt.db", message), -EACCES);
	assert_non_null(strstr(message, "can't open the database"));
	assert_non_null(strstr(message, "Permission denied"));
	assert_int_equal(chmod(folder_path(suite, "qttt.db"), 0600), 0);
	assert_int_equal(folder_try(suite, "qttt.db", message), 0);
}

static void a_folder_in_which_nothing_can_be_made_is_refused(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];

	folder_close(suite);
	be_an_ordinary_user(suite);
	assert_int_equal(chmod(folder_path(suite, ""), 0500), 0);
	assert_true(folder_try(suite, "qttt.db", message) < 0);
	assert_non_null(strstr(message, "qttt.db"));
	assert_int_equal(chmod(folder_path(suite, ""), 0700), 0);
	assert_int_equal(folder_try(suite, "qttt.db", message), 0);
}

static void a_file_that_another_program_keeps_to_itself_is_refused(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];
	sqlite3 *other;

	folder_close(suite);
	assert_int_equal(sqlite3_open(folder_path(suite, "qttt.db"), &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other,
					 "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;"
					 " UPDATE rooms SET state = 1; COMMIT",
					 NULL, NULL, NULL),
			SQLITE_OK);
	assert_true(folder_try(suite, "qttt.db", message) < 0);
	assert_non_null(strstr(message, "locked"));
	sqlite3_close(other);
	assert_int_equal(folder_try(suite, "qttt.db", message), 0);
}

/* Damage. */

/* Nonsense from this place on. */
static void spoil(const struct suite *suite, long from)
{
	FILE *file = fopen(folder_path(suite, "qttt.db"), "r+");

	fseek(file, 0, SEEK_END);
	long size = ftell(file);
	fseek(file, from, SEEK_SET);
	for (long i = from; i < size; i++) {
		fputc(0x5a, file);
	}
	fclose(file);
}

static void a_file_that_is_damaged_all_over_is_refused(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];

	folder_close(suite);
	spoil(suite, 100);
	assert_true(folder_try(suite, "qttt.db", message) < 0);
	assert_non_null(strstr(message, "malformed"));
}

static void damage_that_is_met_later_is_told_and_nothing_is_made_up(void **state)
{
	struct suite *suite = *state;

	folder_close(suite);
	spoil(suite, 4096);
	folder_open(suite);
	assert_int_equal(suite_found(suite, "k7m2q"), STORE_NOT_READABLE);
	assert_int_equal(commit(suite, 2), STORE_UNAVAILABLE);
	assert_true(failures(suite, STORE_SQLITE_CORRUPT) >= 2);
	assert_non_null(strstr(folder_report(suite), "malformed"));
}

#define SENTENCE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SENTENCE(a_file_that_is_removed_is_told_of_and_nothing_is_promised),
			SENTENCE(a_folder_that_is_moved_away_and_put_back_goes_on),
			SENTENCE(a_copy_in_place_of_the_file_is_not_taken_for_it),
			SENTENCE(a_log_that_is_removed_costs_nothing),
			SENTENCE(a_server_that_lost_its_files_leaves_anothers_log_alone),
			SENTENCE(a_file_that_can_only_be_read_is_refused),
			SENTENCE(a_folder_in_which_nothing_can_be_made_is_refused),
			SENTENCE(a_file_that_another_program_keeps_to_itself_is_refused),
			SENTENCE(a_file_that_is_damaged_all_over_is_refused),
			SENTENCE(damage_that_is_met_later_is_told_and_nothing_is_made_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
