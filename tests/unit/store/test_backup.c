/* Copying and reading a database on a disk that fails. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "server/store/backup.h"
#include "server/store/reader.h"
#include "tests/unit/store/faulty_disk.h"
#include "tests/unit/store/folder.h"

static char path[512];
static char copy[512];
static char why[STORE_SQLITE_MESSAGE_SIZE];
static volatile sig_atomic_t stop;
static size_t findings;
static char finding[600];

static int setup(void **state)
{
	struct suite *suite = folder_new();

	folder_open(suite);
	suite_commit_events(suite, "k7m2q", 0, 2, STORE_ROOM_PLAYING);
	snprintf(path, sizeof(path), "%s", folder_path(suite, "qttt.db"));
	snprintf(copy, sizeof(copy), "%s", folder_path(suite, "copy.db"));
	faulty_disk_heal();
	stop = 0;
	findings = 0;
	*state = suite;
	return 0;
}

static int teardown(void **state)
{
	faulty_disk_heal();
	folder_free(*state);
	return 0;
}

static int make_copy(void)
{
	int64_t bytes;

	why[0] = '\0';
	return store_backup(path, copy, &stop, &bytes, why);
}

static bool is_there(const char *name)
{
	struct stat status;

	return lstat(name, &status) == 0;
}

/* The copy alone, or nothing; and no side files of it. */
static void assert_folder(struct suite *suite, bool has_copy)
{
	char command[600];
	FILE *list;
	char line[300];
	int others = 0;

	snprintf(command, sizeof(command), "ls -A %s", folder_path(suite, ""));
	list = popen(command, "r");
	while (fgets(line, sizeof(line), list) != NULL) {
		others += strncmp(line, "copy.db", strlen("copy.db")) == 0 ? 1 : 0;
	}
	pclose(list);
	assert_int_equal(others, has_copy ? 1 : 0);
	assert_int_equal(is_there(copy), has_copy);
}

static void note_finding(void *arg, const char *what, const char *sentence)
{
	(void)arg;
	findings++;
	snprintf(finding, sizeof(finding), "%s: %s", what, sentence);
}

static void a_copy_has_what_was_stored_and_is_a_stores(void **state)
{
	struct suite *suite = *state;

	assert_int_equal(make_copy(), 0);
	suite_commit_events(suite, "k7m2q", 2, 1, STORE_ROOM_PLAYING);
	assert_folder(suite, true);
	folder_close(suite);
	assert_int_equal(rename(copy, path), 0);
	folder_open(suite);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 2);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 2, 1, STORE_ROOM_PLAYING),
			STORE_STORED);
}

static void a_disk_that_is_full_or_fails_leaves_no_copy(void **state)
{
	static const struct {
		enum faulty_disk_act act;
		int code;
		const char *why;
	} faults[] = {{FAULTY_WRITE, SQLITE_FULL, "database or disk is full (13"},
			{FAULTY_WRITE, SQLITE_IOERR_WRITE, "disk I/O error (778"},
			{FAULTY_READ, SQLITE_IOERR_READ, "disk I/O error (266"}};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		faulty_disk_fail(faults[i].act, 1, faults[i].code);
		assert_int_equal(make_copy(), -EIO);
		assert_int_equal(faulty_disk_heal(), 1);
		assert_non_null(strstr(why, faults[i].why));
		assert_folder(*state, false);
	}
	assert_int_equal(make_copy(), 0);
}

static void a_backup_that_is_stopped_leaves_no_copy(void **state)
{
	sqlite3 *other;

	/* More than SQLite does between two looks. */
	assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other,
					 "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1"
					 " FROM r WHERE n < 20000) INSERT INTO events (room, seq, "
					 "line) SELECT 99, n, x'00' FROM r",
					 NULL, NULL, NULL),
			SQLITE_OK);
	sqlite3_close(other);
	stop = 1;
	assert_int_equal(make_copy(), -EINTR);
	assert_string_equal(why, "the backup was stopped");
	assert_folder(*state, false);
}

static void a_file_that_is_there_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(make_copy(), 0);
	assert_int_equal(make_copy(), -EEXIST);
	assert_folder(*state, true);
}

/* Looks at everything. */
static int read_all(struct store_reader **ret)
{
	int error = store_reader_open(path, note_finding, NULL, ret, why);

	if (error == 0) {
		store_reader_check_file(*ret);
		store_reader_check_schema(*ret);
		store_reader_check_rows(*ret);
	}
	return error;
}

static void what_can_not_be_read_is_told(void **state)
{
	struct store_reader *reader;

	(void)state;
	assert_int_equal(read_all(&reader), 0);
	assert_int_equal(findings, 0);
	store_reader_free(reader);

	assert_int_equal(store_reader_open(path, note_finding, NULL, &reader, why), 0);
	faulty_disk_fail(FAULTY_READ, 1000, SQLITE_IOERR_READ);
	store_reader_check_file(reader);
	assert_true(findings > 0);
	assert_non_null(strstr(finding, "disk I/O error"));
	store_reader_free(reader);
	faulty_disk_heal();

	faulty_disk_fail(FAULTY_READ, 1000, SQLITE_IOERR_READ);
	assert_int_equal(store_reader_open(path, note_finding, NULL, &reader, why), -EIO);
	assert_non_null(strstr(why, "disk I/O error"));
}

static void note_room(void *arg, const struct store_reader_room *room)
{
	(void)room;
	(*(size_t *)arg)++;
}

static void note_event(void *arg, int64_t seq, const struct bytes *line)
{
	(void)seq;
	(void)line;
	(*(size_t *)arg)++;
}

static void note_end(void *arg)
{
	(*(size_t *)arg)++;
}

/* A commit comes while it is read. */
static void a_reader_sees_one_moment_and_holds_up_no_writer(void **state)
{
	struct suite *suite = *state;
	size_t calls = 0;
	const struct store_reader_visit visit = {note_room, note_event, note_end, &calls};
	struct store_reader *reader;

	assert_int_equal(store_reader_open(path, note_finding, NULL, &reader, why), 0);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 2, 1, STORE_ROOM_PLAYING),
			STORE_STORED);
	assert_int_equal(suite_commit_events(suite, "k7m2r", 0, 1, STORE_ROOM_WAITING),
			STORE_STORED);
	store_reader_rooms(reader, &visit);
	/* A room of two events. */
	assert_int_equal(calls, 4);
	assert_true(store_reader_has_room(reader, "k7m2q"));
	assert_false(store_reader_has_room(reader, "k7m2r"));
	assert_int_equal(findings, 0);
	store_reader_free(reader);
}

#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
			SENTENCE(a_copy_has_what_was_stored_and_is_a_stores),
			SENTENCE(a_disk_that_is_full_or_fails_leaves_no_copy),
			SENTENCE(a_backup_that_is_stopped_leaves_no_copy),
			SENTENCE(a_file_that_is_there_is_left_alone),
			SENTENCE(what_can_not_be_read_is_told),
			SENTENCE(a_reader_sees_one_moment_and_holds_up_no_writer),
	};

	faulty_disk_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
