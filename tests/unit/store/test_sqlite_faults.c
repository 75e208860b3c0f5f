#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "server/store/trouble.h"
#include "tests/unit/store/faulty_disk.h"
#include "tests/unit/store/folder.h"

static int setup(void **state)
{
	struct suite *suite = folder_new();

	folder_open(suite);
	suite_commit_events(suite, "k7m2q", 0, 2, STORE_ROOM_PLAYING);
	faulty_disk_heal();
	*state = suite;
	return 0;
}

static int teardown(void **state)
{
	faulty_disk_heal();
	folder_free(*state);
	return 0;
}

static enum store_status commit_third(struct suite *suite)
{
	return suite_commit_events(suite, "k7m2q", 2, 1, STORE_ROOM_PLAYING);
}

struct loaded {
	bool answered;
	enum store_found found;
	size_t count;
};

static void note_loaded(void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	(void)lines;
	*(struct loaded *)arg = (struct loaded){true, found, count};
}

/* What was told when the disk was well again is what stays. */
static void assert_settled(struct suite *suite)
{
	int64_t told = suite_count_events(suite, "k7m2q", 0);

	assert_in_range(told, 2, 3);
	assert_int_equal(suite_commit_events(suite, "k7m2q", told, 1, STORE_ROOM_PLAYING),
			STORE_STORED);
	folder_close(suite);
	folder_open(suite);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), told + 1);
}

static void a_sync_that_fails_leaves_the_commit_unknown_and_a_load_tells(void **state)
{
	struct suite *suite = *state;

	faulty_disk_fail(FAULTY_SYNC, 1, SQLITE_IOERR_FSYNC);
	assert_int_equal(commit_third(suite), STORE_UNKNOWN);
	assert_int_equal(faulty_disk_heal(), 1);
	assert_non_null(strstr(folder_report(suite), "can't commit"));
	assert_settled(suite);
}

static void a_log_that_can_not_be_written_leaves_the_commit_unknown_and_a_load_tells(void **state)
{
	struct suite *suite = *state;

	faulty_disk_fail(FAULTY_WRITE, 1, SQLITE_IOERR_WRITE);
	assert_int_equal(commit_third(suite), STORE_UNKNOWN);
	assert_int_equal(faulty_disk_heal(), 1);
	assert_settled(suite);
}

static void nothing_is_told_while_the_disk_can_not_be_synced(void **state)
{
	struct suite *suite = *state;
	struct store_sqlite_counts counts;

	faulty_disk_fail(FAULTY_SYNC, INT_MAX, SQLITE_IOERR_FSYNC);
	assert_int_equal(commit_third(suite), STORE_UNKNOWN);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(suite_found(suite, "k7m2q"), STORE_NOT_READABLE);
		assert_int_equal(commit_third(suite), STORE_UNAVAILABLE);
	}
	faulty_disk_heal();
	assert_int_equal(suite_found(suite, "k7m2q"), STORE_FOUND);
	store_sqlite_count(suite->store, &counts);
	assert_int_equal(counts.reopened, 1);
	assert_settled(suite);
}

static void a_full_disk_refuses_and_keeps_nothing(void **state)
{
	struct suite *suite = *state;
	struct store_sqlite_counts counts;

	faulty_disk_fail(FAULTY_WRITE, INT_MAX, SQLITE_FULL);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(commit_third(suite), STORE_UNAVAILABLE);
		assert_int_equal(suite_count_events(suite, "k7m2q", 0), 2);
	}
	assert_true(faulty_disk_heal() >= 3);
	assert_non_null(strstr(folder_report(suite), "full"));
	assert_int_equal(commit_third(suite), STORE_STORED);
	store_sqlite_count(suite->store, &counts);
	assert_int_equal(counts.reopened, 0);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 3);
}

static void a_file_that_can_not_be_read_says_so_and_is_read_later(void **state)
{
	struct suite *suite = *state;

	for (int i = 0; i < 40; i++) {
		suite_commit_events(suite, "zzzzz", i * 60, 60, STORE_ROOM_PLAYING);
	}
	folder_close(suite);
	folder_open(suite);
	faulty_disk_fail(FAULTY_READ, INT_MAX, SQLITE_IOERR_READ);
	assert_int_equal(suite_found(suite, "zzzzz"), STORE_NOT_READABLE);
	assert_true(faulty_disk_heal() >= 1);
	assert_non_null(strstr(folder_report(suite), "can't read"));
	assert_int_equal(suite_count_events(suite, "zzzzz", 0), 40 * 60);
}

#define LOADS 200

/* Faults met while so many loads wait for a database that can't be opened. */
static int faults_of_loads(struct suite *suite, size_t count)
{
	struct loaded loaded[LOADS] = {0};
	size_t answered = 0;

	for (size_t i = 0; i < count; i++) {
		suite->store->ops->load_room(suite->store, "k7m2q", 0, note_loaded, &loaded[i]);
	}
	while (answered < count) {
		answered += suite->deliver(suite->store);
	}
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(loaded[i].found, STORE_NOT_READABLE);
	}
	return faulty_disk_heal();
}

static void loads_that_wait_together_open_the_database_once_for_all(void **state)
{
	struct suite *suite = *state;
	int faults;

	faulty_disk_fail(FAULTY_SYNC, INT_MAX, SQLITE_IOERR_FSYNC);
	assert_int_equal(commit_third(suite), STORE_UNKNOWN);
	faulty_disk_heal();
	faulty_disk_fail(FAULTY_SYNC, INT_MAX, SQLITE_IOERR_FSYNC);
	faults = faults_of_loads(suite, 1);
	assert_true(faults > 0);
	faulty_disk_fail(FAULTY_SYNC, INT_MAX, SQLITE_IOERR_FSYNC);
	/* The first may be under way already when the next are asked for, and so may some more. */
	assert_true(faults_of_loads(suite, LOADS) < faults * LOADS / 2);
	assert_settled(suite);
}

static void a_reader_that_keeps_a_lost_database_away_is_told_of(void **state)
{
	struct suite *suite = *state;
	sqlite3 *other;

	assert_int_equal(sqlite3_open(folder_path(suite, "qttt.db"), &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN; SELECT * FROM rooms", NULL, NULL, NULL),
			SQLITE_OK);
	assert_int_equal(commit_third(suite), STORE_STORED);
	faulty_disk_fail(FAULTY_SYNC, 1, SQLITE_IOERR_FSYNC);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 3, 1, STORE_ROOM_PLAYING),
			STORE_UNKNOWN);
	assert_int_equal(suite_found(suite, "k7m2q"), STORE_NOT_READABLE);
	assert_non_null(strstr(folder_report(suite), "another program that reads"));
	sqlite3_close(other);
	assert_int_equal(suite_found(suite, "k7m2q"), STORE_FOUND);
}

static void a_failure_that_lasts_is_told_a_few_times_and_so_is_its_end(void **state)
{
	struct suite *suite = *state;
	struct store_sqlite_counts counts;

	faulty_disk_fail(FAULTY_WRITE, INT_MAX, SQLITE_FULL);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(commit_third(suite), STORE_UNAVAILABLE);
	}
	faulty_disk_heal();
	assert_int_equal(folder_reports(suite, STORE_SQLITE_FAILS), 1);
	assert_int_equal(folder_reports(suite, STORE_SQLITE_WORKS), 0);
	assert_int_equal(commit_third(suite), STORE_STORED);
	/* Nobody asks for anything more. */
	while (folder_reports(suite, STORE_SQLITE_WORKS) == 0) {
		suite->deliver(suite->store);
	}
	assert_non_null(strstr(folder_report(suite), "100 failed"));
	assert_int_equal(folder_reports(suite, STORE_SQLITE_FAILS), 1);
	store_sqlite_count(suite->store, &counts);
	assert_int_equal(counts.failures[STORE_SQLITE_FULL], 100);
	assert_int_equal(counts.unavailable, 100);
}

static void what_can_be_read_is_no_end_of_a_full_disk(void **state)
{
	struct suite *suite = *state;

	faulty_disk_fail(FAULTY_WRITE, INT_MAX, SQLITE_FULL);
	assert_int_equal(commit_third(suite), STORE_UNAVAILABLE);
	for (int ms = 0; ms < TROUBLE_OVER_MS + 1000; ms += 50) {
		assert_int_equal(suite_found(suite, "k7m2q"), STORE_FOUND);
		poll(NULL, 0, 50);
	}
	assert_int_equal(folder_reports(suite, STORE_SQLITE_WORKS), 0);
	faulty_disk_heal();
	assert_int_equal(commit_third(suite), STORE_STORED);
}

static void each_kind_of_failure_is_counted(void **state)
{
	static const struct {
		enum faulty_disk_act act;
		int code;
		enum store_sqlite_failure failure;
		const char *word;
	} kinds[] = {
			{FAULTY_SYNC, SQLITE_IOERR_FSYNC, STORE_SQLITE_SYNC, "sync"},
			{FAULTY_WRITE, SQLITE_IOERR_WRITE, STORE_SQLITE_WRITE, "write"},
			{FAULTY_WRITE, SQLITE_FULL, STORE_SQLITE_FULL, "full"},
			{FAULTY_WRITE, SQLITE_READONLY, STORE_SQLITE_READ_ONLY, "read_only"},
	};
	struct suite *suite = *state;
	struct store_sqlite_counts counts;
	int64_t seq = 2;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		faulty_disk_fail(kinds[i].act, 1, kinds[i].code);
		assert_int_not_equal(
				suite_commit_events(suite, "k7m2q", seq, 1, STORE_ROOM_PLAYING),
				STORE_STORED);
		faulty_disk_heal();
		store_sqlite_count(suite->store, &counts);
		assert_int_equal(counts.failures[kinds[i].failure], 1);
		assert_string_equal(store_sqlite_failure_word(kinds[i].failure), kinds[i].word);
		seq = suite_count_events(suite, "k7m2q", 0);
	}
	assert_int_equal(suite_commit_events(suite, "k7m2q", seq, 1, STORE_ROOM_PLAYING),
			STORE_STORED);
}

struct answered {
	size_t *count;
	enum store_status status;
};

static void note_answered(void *arg, enum store_status status)
{
	struct answered *answered = arg;

	answered->status = status;
	(*answered->count)++;
}

/* One new event in each of some rooms; every tenth is a conflict. */
struct group {
	size_t count; /* of answers */
	char rooms[50][8];
	struct bytes *lines[50];
	struct store_room_change changes[50];
	struct answered answers[50];
};

static void group_ask(struct suite *suite, struct group *group)
{
	for (size_t i = 0; i < 50; i++) {
		struct store_batch batch = {.room_count = 1, .rooms = &group->changes[i]};

		snprintf(group->rooms[i], sizeof(group->rooms[i]), "r%zu", i);
		group->lines[i] = suite_line(group->rooms[i], 1);
		group->changes[i] = (struct store_room_change){.room = group->rooms[i],
				.after_seq = i % 10 == 0 ? 3 : 0,
				.count = 1,
				.lines = &group->lines[i]};
		group->answers[i] = (struct answered){.count = &group->count};
		suite->store->ops->commit(suite->store, &batch, note_answered, &group->answers[i]);
	}
}

static void a_group_that_is_lost_is_unknown_as_a_whole_and_its_loads_are_read_again(void **state)
{
	struct suite *suite = *state;
	struct bytes *line = suite_line("none", 4);
	const struct store_room_change unfit = {
			.room = "none", .after_seq = 3, .count = 1, .lines = &line};
	const struct store_batch refused = {.room_count = 1, .rooms = &unfit};
	struct group group = {0};
	struct answered first = {.count = &group.count};
	struct loaded loaded = {0};
	sqlite3 *other;

	/* Another program holds the file, so the writer waits with the first batch in hand and the
	 * others are one group behind it. */
	assert_int_equal(sqlite3_open(folder_path(suite, "qttt.db"), &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	suite->store->ops->commit(suite->store, &refused, note_answered, &first);
	faulty_disk_await_lock();
	group_ask(suite, &group);
	suite->store->ops->load_room(suite->store, "r1", 0, note_loaded, &loaded);
	/* A transaction that changes nothing syncs nothing. */
	faulty_disk_fail(FAULTY_SYNC, 1, SQLITE_IOERR_FSYNC);
	sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_close(other);
	while (group.count < 51 || !loaded.answered) {
		suite->deliver(suite->store);
	}
	assert_int_equal(faulty_disk_heal(), 1);
	assert_int_equal(first.status, STORE_CONFLICT);
	bytes_unref(line);
	assert_int_equal(loaded.count, loaded.found == STORE_FOUND ? 1 : 0);
	for (size_t i = 0; i < 50; i++) {
		assert_int_equal(group.answers[i].status,
				i % 10 == 0 ? STORE_UNAVAILABLE : STORE_UNKNOWN);
		/* All of the group is there or nothing, and the load has told which. */
		assert_int_equal(suite_found(suite, group.rooms[i]),
				i % 10 == 0 ? STORE_ABSENT : loaded.found);
		bytes_unref(group.lines[i]);
	}
}

static void a_batch_of_nothing_tells_whether_the_disk_takes_anything(void **state)
{
	static const struct {
		enum faulty_disk_act act;
		int code;
		enum store_status status;
	} faults[] = {{FAULTY_WRITE, SQLITE_FULL, STORE_UNAVAILABLE},
			{FAULTY_SYNC, SQLITE_IOERR_FSYNC, STORE_UNKNOWN}};
	static const struct store_batch nothing = {0};
	struct suite *suite = *state;

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		size_t count = 0;
		struct answered failed = {.count = &count};
		struct answered healed = {.count = &count};

		faulty_disk_fail(faults[i].act, 1, faults[i].code);
		suite->store->ops->commit(suite->store, &nothing, note_answered, &failed);
		while (count < 1) {
			suite->deliver(suite->store);
		}
		assert_int_equal(faulty_disk_heal(), 1);
		assert_int_equal(failed.status, faults[i].status);
		suite->store->ops->commit(suite->store, &nothing, note_answered, &healed);
		while (count < 2) {
			suite->deliver(suite->store);
		}
		assert_int_equal(healed.status, STORE_STORED);
	}
}

#define SENTENCE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SENTENCE(a_sync_that_fails_leaves_the_commit_unknown_and_a_load_tells),
			SENTENCE(a_log_that_can_not_be_written_leaves_the_commit_unknown_and_a_load_tells),
			SENTENCE(a_batch_of_nothing_tells_whether_the_disk_takes_anything),
			SENTENCE(nothing_is_told_while_the_disk_can_not_be_synced),
			SENTENCE(loads_that_wait_together_open_the_database_once_for_all),
			SENTENCE(a_reader_that_keeps_a_lost_database_away_is_told_of),
			SENTENCE(a_full_disk_refuses_and_keeps_nothing),
			SENTENCE(a_file_that_can_not_be_read_says_so_and_is_read_later),
			SENTENCE(a_failure_that_lasts_is_told_a_few_times_and_so_is_its_end),
			SENTENCE(what_can_be_read_is_no_end_of_a_full_disk),
			SENTENCE(each_kind_of_failure_is_counted),
			SENTENCE(a_group_that_is_lost_is_unknown_as_a_whole_and_its_loads_are_read_again),
	};

	faulty_disk_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
