/* Files that earlier versions wrote. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <sqlite3.h>

#include "tests/unit/store/folder.h"

/* What version 1 made, byte for byte. */
static const char version_1[] =
		"PRAGMA journal_mode = WAL;"
		"CREATE TABLE rooms (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
		" state INTEGER NOT NULL, deadline_ms INTEGER NOT NULL) STRICT;"
		"CREATE INDEX rooms_unfinished ON rooms (state) WHERE state < 2;"
		"CREATE TABLE events (n INTEGER PRIMARY KEY, room INTEGER NOT NULL,"
		" seq INTEGER NOT NULL, line BLOB NOT NULL) STRICT;"
		"CREATE UNIQUE INDEX events_by_room ON events (room, seq);"
		"CREATE TABLE players (id INTEGER PRIMARY KEY, version INTEGER NOT NULL,"
		" key TEXT NOT NULL UNIQUE, token_hash BLOB NOT NULL UNIQUE,"
		" record BLOB NOT NULL) STRICT;"
		"CREATE TABLE games (n INTEGER PRIMARY KEY, room TEXT NOT NULL UNIQUE,"
		" x INTEGER, o INTEGER, private INTEGER NOT NULL, started_ms INTEGER NOT NULL,"
		" ended_ms INTEGER NOT NULL, result TEXT NOT NULL, record TEXT NOT NULL) STRICT;"
		"CREATE INDEX games_by_time ON games (ended_ms);"
		"CREATE INDEX games_by_x ON games (x, ended_ms);"
		"CREATE INDEX games_by_o ON games (o, ended_ms);"
		"PRAGMA application_id = 0x71747474;"
		"PRAGMA user_version = 1;";

/* A game that was won and one without an end that can be recognised, both of old; a room that was
 * closed, and one that plays. */
static const char rows_1[] =
		"INSERT INTO rooms (id, state, deadline_ms) VALUES"
		" ('ended', 2, 0), ('weird', 2, 0), ('close', 2, 0), ('plays', 1, 0);"
		"INSERT INTO events (room, seq, line)"
		" SELECT rooms.n, value, CAST('{\"type\":\"moved\",\"room\":\"' || rooms.id ||"
		" '\",\"seq\":' || value || '}' || char(10) AS BLOB)"
		" FROM rooms, json_each('[1,2,3,4,5]');"
		"UPDATE events SET line = CAST('{\"type\":\"ended\",\"room\":\"ended\",\"seq\":4}'"
		" || char(10) AS BLOB) WHERE room = 1 AND seq = 4;"
		"INSERT INTO players VALUES (7, 1, 'ala', zeroblob(32), zeroblob(3)),"
		" (8, 1, 'guest-new', randomblob(32), zeroblob(3)),"
		" (9, 1, 'guest-old', randomblob(32), zeroblob(3));"
		"INSERT INTO games (room, x, o, private, started_ms, ended_ms, result, record) "
		"VALUES"
		" ('ended', 7, 9, 0, 11, 22, '{}', '1:X(1-2)'),"
		" ('weird', 7, NULL, 0, 11, 22, '{}', '1:X(1-2)');";

static void run(const struct suite *suite, const char *sql)
{
	char *message = NULL;
	sqlite3 *other;

	assert_int_equal(sqlite3_open(folder_path(suite, "qttt.db"), &other), SQLITE_OK);
	if (sqlite3_exec(other, sql, NULL, NULL, &message) != SQLITE_OK) {
		fail_msg("%s", message);
	}
	sqlite3_close(other);
}

static int64_t number(const struct suite *suite, const char *sql)
{
	sqlite3_stmt *statement;
	sqlite3 *other;
	int64_t number;

	assert_int_equal(sqlite3_open(folder_path(suite, "qttt.db"), &other), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(other, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(other);
	return number;
}

static int setup(void **state)
{
	struct suite *suite = folder_new();

	run(suite, version_1);
	run(suite, rows_1);
	folder_open(suite);
	*state = suite;
	return 0;
}

static int teardown(void **state)
{
	folder_free(*state);
	return 0;
}

static void wait_while_found(struct suite *suite, const char *room)
{
	const struct timespec pause = {.tv_nsec = 10000000};

	for (int i = 0; i < 2000 && suite_found(suite, room) == STORE_FOUND; i++) {
		nanosleep(&pause, NULL);
	}
}

static void a_file_of_version_1_goes_on(void **state)
{
	struct suite *suite = *state;

	assert_int_equal(suite_found(suite, "ended"), STORE_FOUND);
	assert_int_equal(suite_count_events(suite, "plays", 0), 5);
	assert_int_equal(suite_commit_events(suite, "plays", 5, 1, STORE_ROOM_PLAYING),
			STORE_STORED);
	assert_int_equal(suite_player_by_key(suite, "ala").id, 7);
	folder_close(suite);
	folder_open(suite);
	assert_int_equal(suite_count_events(suite, "plays", 0), 6);
}

static void games_of_version_1_are_dropped_where_their_end_is_known(void **state)
{
	struct suite *suite = *state;

	suite->store->ops->drop_events(suite->store, 1000);
	wait_while_found(suite, "ended");
	assert_int_equal(suite_found(suite, "ended"), STORE_DROPPED);
	assert_int_equal(number(suite, "SELECT count(*) FROM events WHERE room = 1"), 3);
	assert_int_equal(number(suite, "SELECT ended_seq FROM games WHERE room = 'ended'"), 4);
	assert_int_equal(suite_found(suite, "weird"), STORE_FOUND);
	assert_int_equal(suite_found(suite, "close"), STORE_FOUND);
}

static void rooms_that_were_closed_in_version_1_are_dropped_a_day_after_the_change(void **state)
{
	struct suite *suite = *state;
	int64_t now_ms = (int64_t)time(NULL) * 1000;

	assert_in_range(number(suite, "SELECT over_ms FROM rooms WHERE id = 'close'"),
			now_ms - 60000, now_ms + 60000);
	suite->store->ops->drop_events(suite->store, now_ms + 100000);
	wait_while_found(suite, "close");
	assert_int_equal(suite_found(suite, "close"), STORE_ABSENT);
	assert_int_equal(suite_found(suite, "weird"), STORE_FOUND);
	assert_int_equal(number(suite, "SELECT count(*) FROM events WHERE room = 3"), 0);
}

static void guests_of_earlier_versions_count_from_the_change(void **state)
{
	struct suite *suite = *state;
	int64_t now_ms = (int64_t)time(NULL) * 1000;

	assert_in_range(number(suite, "SELECT guest_ms FROM players WHERE key = 'guest-new'"),
			now_ms - 60000, now_ms + 60000);
	assert_int_equal(number(suite, "SELECT guest_ms FROM players WHERE key = 'guest-old'"), 0);
	assert_int_equal(number(suite, "SELECT guest_ms FROM players WHERE key = 'ala'"), 0);
}

static void games_of_earlier_versions_count_for_no_rating(void **state)
{
	struct suite *suite = *state;

	assert_int_equal(number(suite, "SELECT count(*) FROM games WHERE ahead IS NOT NULL"), 0);
	assert_int_equal(number(suite, "SELECT games FROM players WHERE key = 'ala'"), 0);
}

/* As version 6 had it, which kept a clock only where the room was opened. */
static const char as_version_6[] =
		"DROP INDEX games_public; DROP INDEX games_public_x; DROP INDEX games_public_o;"
		"DROP INDEX games_public_x_key; DROP INDEX games_public_o_key;"
		"DROP INDEX players_top;"
		"ALTER TABLE games DROP COLUMN base_ms; ALTER TABLE games DROP COLUMN increment_ms;"
		"CREATE INDEX games_by_time ON games (ended_ms);"
		"CREATE INDEX games_by_x ON games (x, ended_ms);"
		"CREATE INDEX games_by_o ON games (o, ended_ms);"
		"UPDATE events SET line = CAST('{\"type\":\"opened\",\"clock\":"
		"{\"base_ms\":180000,\"increment_ms\":2000}}' AS BLOB) WHERE room = 1 AND seq = 1;"
		"UPDATE events SET line = CAST('torn' AS BLOB) WHERE room = 2 AND seq = 1;"
		"UPDATE games SET x_ms = 5, o_ms = 6;"
		"PRAGMA user_version = 6;";

static void the_clocks_of_earlier_games_are_those_that_the_rooms_were_opened_with(void **state)
{
	struct suite *suite = *state;

	folder_close(suite);
	run(suite, as_version_6);
	folder_open(suite);
	assert_int_equal(number(suite, "SELECT base_ms FROM games WHERE room = 'ended'"), 180000);
	assert_int_equal(
			number(suite, "SELECT increment_ms FROM games WHERE room = 'ended'"), 2000);
	assert_int_equal(number(suite, "SELECT base_ms FROM games WHERE room = 'weird'"), 0);
}

#define SENTENCE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SENTENCE(a_file_of_version_1_goes_on),
			SENTENCE(games_of_version_1_are_dropped_where_their_end_is_known),
			SENTENCE(rooms_that_were_closed_in_version_1_are_dropped_a_day_after_the_change),
			SENTENCE(guests_of_earlier_versions_count_from_the_change),
			SENTENCE(games_of_earlier_versions_count_for_no_rating),
			SENTENCE(the_clocks_of_earlier_games_are_those_that_the_rooms_were_opened_with),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
