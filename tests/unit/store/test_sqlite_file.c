#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "server/ops/memory.h"
#include "tests/unit/store/folder.h"

static int setup(void **state)
{
	*state = folder_new();
	return 0;
}

static int teardown(void **state)
{
	folder_free(*state);
	return 0;
}

/* Another program at the same file. */

static sqlite3 *other_open(const struct suite *suite)
{
	sqlite3 *other;

	assert_int_equal(sqlite3_open(folder_path(suite, "qttt.db"), &other), SQLITE_OK);
	return other;
}

static void other_run(sqlite3 *other, const char *sql)
{
	char *message = NULL;

	if (sqlite3_exec(other, sql, NULL, NULL, &message) != SQLITE_OK) {
		fail_msg("%s: %s", sql, message);
	}
}

static int64_t other_number(sqlite3 *other, const char *sql)
{
	sqlite3_stmt *statement;
	int64_t number;

	assert_int_equal(sqlite3_prepare_v2(other, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return number;
}

/* Many commits at once. */

struct crowd {
	size_t count;
	size_t answered;
	size_t by_status[STORE_UNKNOWN + 1];
	char (*rooms)[16];
	struct bytes **lines;
	struct store_room_change *changes;
	struct store_batch *batches;
	int tell; /* a descriptor to which the number of each stored room is written; -1: none */
};

struct member {
	struct crowd *crowd;
	size_t number;
};

static struct crowd *crowd_new(size_t count)
{
	struct crowd *crowd = memory_new(1, sizeof(*crowd));

	crowd->count = count;
	crowd->rooms = memory_new(count, sizeof(*crowd->rooms));
	crowd->lines = memory_new(count, sizeof(*crowd->lines));
	crowd->changes = memory_new(count, sizeof(*crowd->changes));
	crowd->batches = memory_new(count, sizeof(*crowd->batches));
	crowd->tell = -1;
	for (size_t i = 0; i < count; i++) {
		snprintf(crowd->rooms[i], sizeof(crowd->rooms[i]), "r%zu", i);
		crowd->lines[i] = suite_line(crowd->rooms[i], 1);
		crowd->changes[i] = (struct store_room_change){.room = crowd->rooms[i],
				.count = 1,
				.lines = &crowd->lines[i],
				.state = STORE_ROOM_PLAYING};
		crowd->batches[i] =
				(struct store_batch){.room_count = 1, .rooms = &crowd->changes[i]};
	}
	return crowd;
}

static void crowd_free(struct crowd *crowd)
{
	for (size_t i = 0; i < crowd->count; i++) {
		bytes_unref(crowd->lines[i]);
	}
	free(crowd->rooms);
	free(crowd->lines);
	free(crowd->changes);
	free(crowd->batches);
	free(crowd);
}

static void note_member(void *arg, enum store_status status)
{
	struct member *member = arg;
	struct crowd *crowd = member->crowd;

	if (status == STORE_STORED && crowd->tell >= 0) {
		assert_int_equal(write(crowd->tell, &member->number, sizeof(member->number)),
				sizeof(member->number));
	}
	crowd->answered++;
	crowd->by_status[status]++;
	free(member);
}

static void crowd_ask(struct suite *suite, struct crowd *crowd, size_t number)
{
	struct member *member = memory_new(1, sizeof(*member));

	*member = (struct member){.crowd = crowd, .number = number};
	suite->store->ops->commit(suite->store, &crowd->batches[number], note_member, member);
}

static void crowd_ask_all(struct suite *suite, struct crowd *crowd)
{
	for (size_t i = 0; i < crowd->count; i++) {
		crowd_ask(suite, crowd, i);
	}
}

static void crowd_wait(struct suite *suite, struct crowd *crowd)
{
	while (crowd->answered < crowd->count) {
		suite->deliver(suite->store);
	}
}

/* What survives. */

static void what_was_stored_is_there_after_opening_again(void **state)
{
	struct suite *suite = *state;

	folder_open(suite);
	suite_commit_events(suite, "k7m2q", 0, 3, STORE_ROOM_PLAYING);
	suite_commit_player(suite, 7, 1, "ala", 'a');
	folder_close(suite);
	folder_open(suite);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 3);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 3, 1, STORE_ROOM_OVER), STORE_STORED);
	assert_int_equal(suite_commit_player(suite, 7, 2, "ala", 'a'), STORE_STORED);
}

static void a_closed_database_is_one_file_without_a_log(void **state)
{
	struct suite *suite = *state;

	folder_open(suite);
	suite_commit_events(suite, "k7m2q", 0, 3, STORE_ROOM_PLAYING);
	folder_close(suite);
	assert_int_equal(access(folder_path(suite, "qttt.db"), F_OK), 0);
	assert_int_not_equal(access(folder_path(suite, "qttt.db-wal"), F_OK), 0);
}

/* In the child: commits until it has told of `count` answers, then dies as it stands. */
static void child_run(struct suite *suite, int tell, size_t count)
{
	struct crowd *crowd = crowd_new(10 * count);

	folder_open(suite);
	crowd->tell = tell;
	crowd_ask_all(suite, crowd);
	while (crowd->answered < count) {
		suite->deliver(suite->store);
	}
	raise(SIGKILL);
}

static void what_was_answered_survives_kill_9(void **state)
{
	struct suite *suite = *state;
	bool *stored = memory_new(5000, sizeof(*stored));
	size_t told = 0;
	size_t number;
	int status;
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		child_run(suite, ends[1], 500);
	}
	close(ends[1]);
	while (read(ends[0], &number, sizeof(number)) == (ssize_t)sizeof(number)) {
		stored[number] = true;
		told++;
	}
	close(ends[0]);
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_true(told >= 500);
	folder_open(suite);
	for (size_t i = 0; i < 5000; i++) {
		char room[16];

		snprintf(room, sizeof(room), "r%zu", i);
		if (stored[i]) {
			assert_int_equal(suite_count_events(suite, room, 0), 1);
		}
	}
	free(stored);
}

/* What is refused. */

/* The lock would be another one by the link's name. */
static void a_second_server_on_the_same_file_is_refused_also_by_a_link(void **state)
{
	static const char *const names[] = {"qttt.db", "link.db"};
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];

	assert_int_equal(symlink("qttt.db", folder_path(suite, "link.db")), 0);
	folder_open(suite);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(folder_try(suite, names[i], message), -EBUSY);
		assert_non_null(strstr(message, "another server uses the database"));
	}
	assert_int_equal(suite_commit_events(suite, "k7m2q", 0, 1, STORE_ROOM_WAITING),
			STORE_STORED);
	folder_close(suite);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(folder_try(suite, names[i], message), 0);
	}
}

static void a_link_to_nothing_is_where_the_file_is_made(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];

	assert_int_equal(symlink("qttt.db", folder_path(suite, "link.db")), 0);
	assert_int_equal(folder_try(suite, "link.db", message), 0);
	assert_int_equal(access(folder_path(suite, "qttt.db.lock"), F_OK), 0);
	folder_open(suite);
	assert_int_equal(folder_try(suite, "link.db", message), -EBUSY);
}

static void a_file_of_a_newer_version_is_refused_and_left_alone(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];
	sqlite3 *other;

	folder_open(suite);
	folder_close(suite);
	other = other_open(suite);
	other_run(other, "PRAGMA user_version = 1000");
	sqlite3_close(other);
	assert_int_equal(folder_try(suite, "qttt.db", message), -ENOTSUP);
	assert_non_null(strstr(message, "newer qtttd"));
	assert_non_null(strstr(message, "1000"));
	other = other_open(suite);
	assert_int_equal(other_number(other, "PRAGMA user_version"), 1000);
	sqlite3_close(other);
}

static void a_file_that_is_no_database_is_refused_and_left_alone(void **state)
{
	struct suite *suite = *state;
	static const char text[] = "Dear diary, today I played nine games and lost them all.\n";
	char message[STORE_SQLITE_MESSAGE_SIZE];
	char after[sizeof(text)];
	FILE *file = fopen(folder_path(suite, "qttt.db"), "w");

	for (int i = 0; i < 100; i++) {
		fputs(text, file);
	}
	fclose(file);
	assert_int_equal(folder_try(suite, "qttt.db", message), -EINVAL);
	assert_non_null(strstr(message, "is not a qttt database"));
	file = fopen(folder_path(suite, "qttt.db"), "r");
	assert_non_null(fgets(after, sizeof(after), file));
	assert_string_equal(after, text);
	fclose(file);
}

static void a_database_of_another_program_is_refused_and_left_alone(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];
	sqlite3 *other = other_open(suite);

	other_run(other, "CREATE TABLE recipes (name TEXT)");
	sqlite3_close(other);
	assert_int_equal(folder_try(suite, "qttt.db", message), -EINVAL);
	assert_non_null(strstr(message, "another program"));
	other = other_open(suite);
	assert_int_equal(other_number(other, "SELECT count(*) FROM sqlite_schema"), 1);
	sqlite3_close(other);
}

static void a_directory_in_place_of_the_file_is_refused(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];

	assert_int_equal(mkdir(folder_path(suite, "qttt.db"), 0700), 0);
	assert_int_equal(folder_try(suite, "qttt.db", message), -EISDIR);
	assert_non_null(strstr(message, "can't open the database"));
}

static void a_directory_that_can_not_be_made_is_named(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];
	char path[512];
	struct store_sqlite_config config = {.path = path};
	struct store *store;
	FILE *file = fopen(folder_path(suite, "file"), "w");

	fclose(file);
	snprintf(path, sizeof(path), "%s", folder_path(suite, "file/deep/qttt.db"));
	assert_int_equal(store_sqlite_open(&config, &store, message), -ENOTDIR);
	assert_non_null(strstr(message, "file/deep"));
}

static void a_database_needs_a_name(void **state)
{
	char message[STORE_SQLITE_MESSAGE_SIZE];
	struct store_sqlite_config config = {.path = ""};
	struct store *store;

	(void)state;
	assert_int_equal(store_sqlite_open(&config, &store, message), -EINVAL);
}

/* Modes. */

static void assert_mode(const char *path, mode_t mode)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, mode);
}

static void its_files_are_the_owners_alone(void **state)
{
	struct suite *suite = *state;
	char message[STORE_SQLITE_MESSAGE_SIZE];
	char path[512];
	struct store_sqlite_config config = {.path = path};
	mode_t before = umask(0);

	snprintf(path, sizeof(path), "%s", folder_path(suite, "one/two/qttt.db"));
	assert_int_equal(store_sqlite_open(&config, &suite->store, message), 0);
	umask(before);
	assert_mode(folder_path(suite, "one"), 0700);
	assert_mode(folder_path(suite, "one/two"), 0700);
	assert_mode(folder_path(suite, "one/two/qttt.db"), 0600);
	assert_mode(folder_path(suite, "one/two/qttt.db-wal"), 0600);
	assert_mode(folder_path(suite, "one/two/qttt.db.lock"), 0600);
}

/* How it writes. */

static void all_that_waits_goes_into_one_transaction(void **state)
{
	struct suite *suite = *state;
	struct crowd *crowd = crowd_new(1000);
	struct store_sqlite_counts before;
	struct store_sqlite_counts after;
	sqlite3 *other;

	folder_open(suite);
	store_sqlite_count(suite->store, &before);
	other = other_open(suite);
	/* While another program holds the file the first of them waits, and the others behind it.
	 */
	other_run(other, "BEGIN IMMEDIATE");
	crowd_ask_all(suite, crowd);
	other_run(other, "ROLLBACK");
	sqlite3_close(other);
	crowd_wait(suite, crowd);
	store_sqlite_count(suite->store, &after);
	assert_int_equal(crowd->by_status[STORE_STORED], 1000);
	assert_int_equal(after.batches - before.batches, 1000);
	print_message("# %" PRIu64 " transactions for 1000 batches\n",
			after.transactions - before.transactions);
	assert_true(after.transactions - before.transactions <= 3);
	crowd_free(crowd);
}

static void a_conflict_in_a_group_is_undone_alone(void **state)
{
	struct suite *suite = *state;
	struct crowd *crowd = crowd_new(300);
	sqlite3 *other;

	folder_open(suite);
	other = other_open(suite);
	for (size_t i = 0; i < 300; i += 3) {
		crowd->changes[i].after_seq = 5;
	}
	other_run(other, "BEGIN IMMEDIATE");
	crowd_ask_all(suite, crowd);
	other_run(other, "ROLLBACK");
	crowd_wait(suite, crowd);
	assert_int_equal(crowd->by_status[STORE_CONFLICT], 100);
	assert_int_equal(crowd->by_status[STORE_STORED], 200);
	assert_int_equal(other_number(other, "SELECT count(*) FROM rooms"), 200);
	assert_int_equal(other_number(other, "SELECT count(*) FROM events"), 200);
	sqlite3_close(other);
	crowd_free(crowd);
}

static void a_file_that_another_program_holds_is_unavailable_and_then_again_there(void **state)
{
	struct suite *suite = *state;
	sqlite3 *other;

	folder_open(suite);
	other = other_open(suite);
	other_run(other, "BEGIN IMMEDIATE");
	assert_int_equal(suite_commit_events(suite, "k7m2q", 0, 1, STORE_ROOM_WAITING),
			STORE_UNAVAILABLE);
	assert_non_null(strstr(folder_report(suite), "locked"));
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), -1);
	other_run(other, "ROLLBACK");
	sqlite3_close(other);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 0, 1, STORE_ROOM_WAITING),
			STORE_STORED);
}

static void a_game_keeps_who_played_it(void **state)
{
	struct suite *suite = *state;
	struct store_game game = {.room = "k7m2q",
			.x_key = "ala",
			.o_key = "nobody",
			.is_private = true,
			.started_ms = 11,
			.ended_ms = 22,
			.result = "{}",
			.record = "1:X(1-2)"};
	struct store_batch batch = {.game_count = 1, .games = &game};
	sqlite3 *other;

	folder_open(suite);
	suite_commit_player(suite, 7, 1, "ala", 'a');
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	other = other_open(suite);
	assert_int_equal(other_number(other, "SELECT x FROM games WHERE room = 'k7m2q'"), 7);
	assert_int_equal(other_number(other, "SELECT count(*) FROM games WHERE o IS NULL AND"
					     " private = 1 AND started_ms = 11 AND ended_ms = 22 "
					     "AND result = '{}' AND record = '1:X(1-2)'"),
			1);
	sqlite3_close(other);
}

static void the_log_is_brought_into_the_file_at_a_size(void **state)
{
	struct suite *suite = *state;
	struct store_sqlite_counts counts;
	char *data = memory_new(1, 1000000);
	struct bytes *lines[20];
	struct store_room_change change = {
			.room = "k7m2q", .count = 20, .lines = lines, .state = STORE_ROOM_OVER};
	struct store_batch batch = {.room_count = 1, .rooms = &change};

	for (size_t i = 0; i < 20; i++) {
		lines[i] = bytes_new(data, 1000000);
	}
	folder_open(suite);
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	/* The answer comes first; the next one is behind the checkpoint. */
	assert_int_equal(suite_commit_events(suite, "zzzzz", 0, 1, STORE_ROOM_WAITING),
			STORE_STORED);
	store_sqlite_count(suite->store, &counts);
	assert_int_equal(counts.checkpoints, 1);
	for (size_t i = 0; i < 20; i++) {
		bytes_unref(lines[i]);
	}
	free(data);
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void ten_thousand_commits_are_stored_a_hundred_under_way(void **state)
{
	struct suite *suite = *state;
	struct crowd *crowd = crowd_new(10000);
	struct store_sqlite_counts counts;
	double start;
	size_t asked = 0;

	folder_open(suite);
	start = seconds_now();
	while (crowd->answered < crowd->count) {
		while (asked < crowd->count && asked < crowd->answered + 100) {
			crowd_ask(suite, crowd, asked++);
		}
		suite->deliver(suite->store);
	}
	store_sqlite_count(suite->store, &counts);
	print_message("# %.0f commits a second, %.0f a transaction\n",
			10000 / (seconds_now() - start), 10000 / (double)counts.transactions);
	assert_int_equal(crowd->by_status[STORE_STORED], 10000);
	crowd_free(crowd);
}

#define SENTENCE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SENTENCE(what_was_stored_is_there_after_opening_again),
			SENTENCE(a_closed_database_is_one_file_without_a_log),
			SENTENCE(what_was_answered_survives_kill_9),
			SENTENCE(a_second_server_on_the_same_file_is_refused_also_by_a_link),
			SENTENCE(a_link_to_nothing_is_where_the_file_is_made),
			SENTENCE(a_file_of_a_newer_version_is_refused_and_left_alone),
			SENTENCE(a_file_that_is_no_database_is_refused_and_left_alone),
			SENTENCE(a_database_of_another_program_is_refused_and_left_alone),
			SENTENCE(a_directory_in_place_of_the_file_is_refused),
			SENTENCE(a_directory_that_can_not_be_made_is_named),
			SENTENCE(a_database_needs_a_name),
			SENTENCE(its_files_are_the_owners_alone),
			SENTENCE(all_that_waits_goes_into_one_transaction),
			SENTENCE(a_conflict_in_a_group_is_undone_alone),
			SENTENCE(a_file_that_another_program_holds_is_unavailable_and_then_again_there),
			SENTENCE(a_game_keeps_who_played_it),
			SENTENCE(the_log_is_brought_into_the_file_at_a_size),
			SENTENCE(ten_thousand_commits_are_stored_a_hundred_under_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
