#include "server/store/reader.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"
#include "server/store/sqlite_db.h"

static_assert(STORE_READER_THINNED == DB_ROOM_THINNED, "a state as it is stored");

#define SENTENCE_SIZE 400
/* Of SQLite's own check: a file that is broken all over has no end of them. */
#define FINDINGS_OF_FILE "100"

struct store_reader {
	struct db db;
	bool tried_to_prepare;
	bool is_prepared;
	store_reader_find_fn *find;
	void *arg;
};

/* Telling. */

static void find(const struct store_reader *reader, const char *what, const char *sentence)
{
	reader->find(reader->arg, what, sentence);
}

static void find_unreadable(struct store_reader *reader)
{
	char sentence[SENTENCE_SIZE];

	snprintf(sentence, sizeof(sentence), "it can't be read: %s (%d)",
			sqlite3_errmsg(reader->db.handle),
			sqlite3_extended_errcode(reader->db.handle));
	find(reader, "database", sentence);
}

static const char *text_of(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text == NULL ? "" : (const char *)text;
}

/* NULL where it can't be, which is told. */
static sqlite3_stmt *prepare(struct store_reader *reader, const char *sql)
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(reader->db.handle, sql, -1, &statement, NULL) != SQLITE_OK) {
		find_unreadable(reader);
	}
	return statement;
}

/* The next row, if there is one; what can't be read is told. */
static bool next(struct store_reader *reader, sqlite3_stmt *statement)
{
	int result = statement == NULL ? SQLITE_DONE : sqlite3_step(statement);

	if (result != SQLITE_ROW && result != SQLITE_DONE) {
		find_unreadable(reader);
	}
	return result == SQLITE_ROW;
}

/* The file. */

void store_reader_check_file(struct store_reader *reader)
{
	sqlite3_stmt *statement = prepare(reader, "PRAGMA integrity_check(" FINDINGS_OF_FILE ")");

	while (next(reader, statement)) {
		if (strcmp(text_of(statement, 0), "ok") != 0) {
			find(reader, "file", text_of(statement, 0));
		}
	}
	sqlite3_finalize(statement);
}

/* The schema. */

#define OF_SCHEMA "SELECT type || ' ' || name, ifnull(sql, '') FROM sqlite_schema"

/* Tell of what is in one and is not, or is not the same, in the other. */
static void schema_compare(struct store_reader *reader, sqlite3 *one, sqlite3 *other,
		const char *is_missing, const char *is_different)
{
	sqlite3_stmt *all = NULL;
	sqlite3_stmt *twin = NULL;

	sqlite3_prepare_v2(one, OF_SCHEMA, -1, &all, NULL);
	sqlite3_prepare_v2(other, OF_SCHEMA " WHERE type || ' ' || name = ?1", -1, &twin, NULL);
	while (next(reader, all)) {
		sqlite3_bind_text(twin, 1, text_of(all, 0), -1, SQLITE_STATIC);
		if (!next(reader, twin)) {
			find(reader, text_of(all, 0), is_missing);
		} else if (is_different != NULL && strcmp(text_of(all, 1), text_of(twin, 1)) != 0) {
			find(reader, text_of(all, 0), is_different);
		}
		sqlite3_reset(twin);
	}
	sqlite3_finalize(all);
	sqlite3_finalize(twin);
}

void store_reader_check_schema(struct store_reader *reader)
{
	struct db made;

	db_init(&made, ":memory:");
	if (sqlite3_open(":memory:", &made.handle) == SQLITE_OK && db_migrate(&made, 0) == 0) {
		schema_compare(reader, made.handle, reader->db.handle, "it is missing",
				"it is not as this version makes it");
		schema_compare(reader, reader->db.handle, made.handle,
				"it is none of this version's", NULL);
	}
	db_fini(&made);
}

/* The rows. */

/* Each gives what it is about, for every row that is wrong. */
static const struct {
	const char *sql;
	const char *sentence;
} row_checks[] = {
		{"SELECT 'room ' || id FROM rooms WHERE state NOT IN (0, 1, 2, 3)",
				"its state is none that there is"},
		{"SELECT 'game ' || room FROM games"
		 " WHERE NOT EXISTS (SELECT 1 FROM rooms WHERE id = games.room)",
				"its room is not there"},
		{"SELECT 'game ' || room FROM games WHERE x IS NOT NULL"
		 " AND NOT EXISTS (SELECT 1 FROM players WHERE id = games.x)",
				"the player of X is not there"},
		{"SELECT 'game ' || room FROM games WHERE o IS NOT NULL"
		 " AND NOT EXISTS (SELECT 1 FROM players WHERE id = games.o)",
				"the player of O is not there"},
		{"SELECT 'game ' || room FROM games WHERE (x IS NULL) = (x_key IS NULL)",
				"X is to be a player or a key"},
		{"SELECT 'game ' || room FROM games WHERE (o IS NULL) = (o_key IS NULL)",
				"O is to be a player or a key"},
		{"SELECT 'game ' || room FROM games WHERE (x_ms IS NULL) <> (o_ms IS NULL)",
				"only one of its clocks is there"},
		{"SELECT 'game ' || room FROM games WHERE private NOT IN (0, 1)",
				"it is neither private nor public"},
		{"SELECT 'game ' || room FROM games WHERE ahead IS NOT NULL"
		 " AND (x IS NULL OR o IS NULL OR x = o)",
				"it changed ratings, and is not one of two players"},
		{"SELECT 'game ' || room FROM games WHERE ahead NOT BETWEEN -4 AND 4",
				"nobody can be ahead by so much"},
		{"SELECT 'player ' || id FROM players WHERE games < 0 OR wins < 0 OR draws < 0"
		 " OR losses < 0 OR games <> wins + draws + losses",
				"its rated games are not its wins, draws and losses"},
		{"SELECT 'player ' || id FROM players WHERE id < 1 OR version < 1",
				"id and version are to be above 0"},
		{"SELECT 'player ' || id FROM players WHERE length(token_hash) <> 32",
				"the hash of the token is to have 32 bytes"},
		/* No index of games has the private ones by their players. */
		{"SELECT DISTINCT 'player ' || id FROM games CROSS JOIN players"
		 " WHERE id IN (x, o) AND guest_ms > 0",
				"it is to be forgotten as a guest's, and has finished a game"},
};

void store_reader_check_rows(struct store_reader *reader)
{
	for (size_t i = 0; i < sizeof(row_checks) / sizeof(row_checks[0]); i++) {
		sqlite3_stmt *statement = prepare(reader, row_checks[i].sql);

		while (next(reader, statement)) {
			find(reader, text_of(statement, 0), row_checks[i].sentence);
		}
		sqlite3_finalize(statement);
	}
}

/* Statements of the store's own: false, which is told once, where the schema has no place for them.
 */
static bool is_ready(struct store_reader *reader)
{
	if (!reader->tried_to_prepare) {
		reader->tried_to_prepare = true;
		reader->is_prepared = db_prepare(&reader->db) == 0;
		if (!reader->is_prepared) {
			find_unreadable(reader);
		}
	}
	return reader->is_prepared;
}

/* Rooms and events, which are walked side by side: so an index more or less makes no difference,
 * and events of no room are found. */

struct walk {
	struct store_reader *reader;
	const struct store_reader_visit *visit;
	sqlite3_stmt *rooms;
	sqlite3_stmt *events;
	bool has_event; /* the next one */
};

static void find_stray(struct walk *walk, int64_t room)
{
	char what[64];

	snprintf(what, sizeof(what), "room number %lld", (long long)room);
	find(walk->reader, what, "it is not there, and has events");
}

/* Pass over the events of rooms before this one. */
static void pass_strays(struct walk *walk, int64_t until_room)
{
	int64_t told = 0;

	while (walk->has_event && sqlite3_column_int64(walk->events, 0) < until_room) {
		int64_t room = sqlite3_column_int64(walk->events, 0);

		if (room != told) {
			find_stray(walk, room);
		}
		told = room;
		walk->has_event = next(walk->reader, walk->events);
	}
}

static void visit_events(struct walk *walk, int64_t room)
{
	while (walk->has_event && sqlite3_column_int64(walk->events, 0) == room) {
		const void *data = sqlite3_column_blob(walk->events, 2);
		int length = sqlite3_column_bytes(walk->events, 2);
		struct bytes *line = bytes_new(data == NULL ? "" : data, (size_t)length);

		walk->visit->event(walk->visit->arg, sqlite3_column_int64(walk->events, 1), line);
		bytes_unref(line);
		walk->has_event = next(walk->reader, walk->events);
	}
}

static void visit_room(struct walk *walk)
{
	const int64_t n = sqlite3_column_int64(walk->rooms, 0);
	struct store_game_copy game = {0};
	struct store_finished finished;
	struct store_reader_room room = {
			.id = text_of(walk->rooms, 1),
			.state = sqlite3_column_int(walk->rooms, 2),
			.over_ms = sqlite3_column_int64(walk->rooms, 3),
	};

	switch (db_load_game_row(&walk->reader->db, room.id, &game)) {
	case STORE_FOUND:
		store_game_copy_show(&game, &finished);
		room.finished = &finished;
		break;
	case STORE_NOT_READABLE:
		find_unreadable(walk->reader);
		break;
	case STORE_ABSENT:
	case STORE_DROPPED:
		break;
	}
	pass_strays(walk, n);
	walk->visit->begin(walk->visit->arg, &room);
	visit_events(walk, n);
	walk->visit->end(walk->visit->arg);
	store_game_copy_fini(&game);
}

void store_reader_rooms(struct store_reader *reader, const struct store_reader_visit *visit)
{
	struct walk walk = {.reader = reader, .visit = visit};

	if (!is_ready(reader)) {
		return;
	}
	walk.rooms = prepare(reader, "SELECT n, id, state, over_ms FROM rooms ORDER BY n");
	walk.events = prepare(reader, "SELECT room, seq, line FROM events ORDER BY room, seq");
	walk.has_event = next(reader, walk.events);
	while (next(reader, walk.rooms)) {
		visit_room(&walk);
	}
	pass_strays(&walk, INT64_MAX);
	sqlite3_finalize(walk.rooms);
	sqlite3_finalize(walk.events);
}

static bool games_show(const struct store_game_list *games, store_reader_game_fn *each, void *arg)
{
	for (size_t i = 0; i < games->count; i++) {
		struct store_finished finished;

		store_game_copy_show(&games->games[i], &finished);
		if (!each(arg, &finished)) {
			return false;
		}
	}
	return games->count > 0;
}

void store_reader_games(struct store_reader *reader, store_reader_game_fn *each, void *arg)
{
	struct store_game_list games = {0};
	int64_t place = 0;
	bool goes_on = true;

	if (!is_ready(reader)) {
		return;
	}
	while (goes_on) {
		if (db_load_games_after(&reader->db, place, &games) != STORE_FOUND) {
			find_unreadable(reader);
			return;
		}
		place = games.count > 0 ? games.games[games.count - 1].place : place;
		goes_on = games_show(&games, each, arg);
		store_game_list_fini(&games);
	}
}

void store_reader_players(struct store_reader *reader, store_reader_player_fn *each, void *arg)
{
	sqlite3_stmt *keys;

	if (!is_ready(reader)) {
		return;
	}
	keys = prepare(reader, "SELECT key FROM players ORDER BY id");
	while (next(reader, keys)) {
		struct store_player_copy copy = {0};

		switch (db_load_player_by_key(&reader->db, text_of(keys, 0), &copy)) {
		case STORE_FOUND:
			each(arg, &copy.player);
			break;
		case STORE_NOT_READABLE:
			find_unreadable(reader);
			break;
		case STORE_ABSENT:
		case STORE_DROPPED:
			find(reader, text_of(keys, 0), "no player is found by this key");
			break;
		}
		store_player_copy_fini(&copy);
	}
	sqlite3_finalize(keys);
}

/* Games get their numbers as they are stored. */
void store_reader_rated(struct store_reader *reader, store_reader_rated_fn *each, void *arg)
{
	sqlite3_stmt *games = prepare(reader, "SELECT room, x, o, ahead, ended_ms, result"
					      " FROM games WHERE ahead IS NOT NULL ORDER BY n");

	while (next(reader, games)) {
		const struct store_reader_rated game = {
				.room = text_of(games, 0),
				.ids = {sqlite3_column_int64(games, 1),
						sqlite3_column_int64(games, 2)},
				.ahead = sqlite3_column_int(games, 3),
				.ended_ms = sqlite3_column_int64(games, 4),
				.result = text_of(games, 5),
		};

		each(arg, &game);
	}
	sqlite3_finalize(games);
}

bool store_reader_has_room(struct store_reader *reader, const char *id)
{
	return !is_ready(reader) || db_find_room(&reader->db, id) != STORE_ABSENT;
}

/* Life. */

/* All is read in one transaction, which begins with what it reads first. */
static int begin(struct store_reader *reader)
{
	struct db *db = &reader->db;

	if (sqlite3_exec(db->handle,
			    "PRAGMA trusted_schema = OFF; BEGIN;"
			    " SELECT count(*) FROM sqlite_schema",
			    NULL, NULL, NULL) != SQLITE_OK) {
		db_note(db, "read the database");
		return -EIO;
	}
	return 0;
}

static int check_version(struct db *db, int version)
{
	if (version == db_version()) {
		return 0;
	}
	snprintf(db->message, sizeof(db->message),
			"the file %s was written by an older qtttd: its schema is %d, and this one "
			"reads %d; a server that is started on it brings it there",
			db->path, version, db_version());
	return -ESTALE;
}

int store_reader_open(const char *path, store_reader_find_fn *find_fn, void *arg,
		struct store_reader **ret, char ret_message[STORE_SQLITE_MESSAGE_SIZE])
{
	struct store_reader *reader = memory_new(1, sizeof(*reader));
	int version = 0;
	int error;

	reader->find = find_fn;
	reader->arg = arg;
	db_init(&reader->db, path);
	error = db_look(&reader->db, &version);
	if (error == 0) {
		error = check_version(&reader->db, version);
	}
	if (error == 0) {
		error = begin(reader);
	}
	if (error != 0) {
		memcpy(ret_message, reader->db.message, sizeof(reader->db.message));
		store_reader_free(reader);
		return error;
	}
	*ret = reader;
	return 0;
}

void store_reader_free(struct store_reader *reader)
{
	if (reader != NULL) {
		db_fini(&reader->db);
		free(reader);
	}
}
