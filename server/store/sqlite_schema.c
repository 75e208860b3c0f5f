#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"
#include "server/store/sqlite_db.h"

/* "qttt": how a file of this project is told from other databases. */
#define APPLICATION_ID 0x71747474
#define TEXT_OF(token) #token
#define VALUE_TEXT(macro) TEXT_OF(macro)
#define BUSY_MS 1000
/* As SQLite names the log. */
#define LOG_SUFFIX "-wal"

/* The numbers are in the files: they stay. */
static_assert(STORE_ROOM_WAITING == 0 && STORE_ROOM_PLAYING == 1 && STORE_ROOM_OVER == 2 &&
				DB_ROOM_THINNED == 3,
		"states as they are stored");

/* Number i brings a file of version i to i + 1. Those that were ever released stay as they are.
 *
 * Events are appended by rowid, which is fast, and found by an index, which also decides a
 * race for the next seq. A player's id is for life, so games keep ids and names may change. A game
 * outlives its room's events, hence the room's id in full. deadline_ms is 0: what falls due counts
 * from the start of the server, which loads every unfinished room. */
static const char *const migrations[] = {
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
		"CREATE INDEX games_by_o ON games (o, ended_ms);",

		/* What is needed to drop events: when a room got over, which event ended its game,
		 * and who played there without being a player. The index has only the rooms that
		 * are still whole. Version 1 did not note when rooms without a game were closed. */
		"ALTER TABLE rooms ADD COLUMN over_ms INTEGER;"
		"ALTER TABLE games ADD COLUMN ended_seq INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE games ADD COLUMN x_key TEXT;"
		"ALTER TABLE games ADD COLUMN o_key TEXT;"
		"UPDATE games SET ended_seq = coalesce((SELECT seq FROM events"
		" WHERE room = (SELECT n FROM rooms WHERE id = games.room)"
		" AND substr(line, 1, 15) = CAST('{\"type\":\"ended\"' AS BLOB)"
		" ORDER BY seq DESC LIMIT 1), 0);"
		"UPDATE rooms SET over_ms = coalesce((SELECT ended_ms FROM games"
		" WHERE games.room = rooms.id), unixepoch() * 1000) WHERE state = 2;"
		"UPDATE rooms SET over_ms = NULL"
		" WHERE id IN (SELECT room FROM games WHERE ended_seq = 0);"
		"CREATE INDEX rooms_whole ON rooms (over_ms) WHERE state = 2;",

		/* What clocks showed at the end; NULL: there were none. */
		("ALTER TABLE games ADD COLUMN x_ms INTEGER;"
		 "ALTER TABLE games ADD COLUMN o_ms INTEGER;"),
		/* Guests who have finished no game are forgotten some day; version 2 did not note
		 * who they are, but their names are nobody else's. */
		"ALTER TABLE players ADD COLUMN guest_ms INTEGER NOT NULL DEFAULT 0;"
		"UPDATE players SET guest_ms = unixepoch() * 1000 WHERE substr(key, 1, 6) = "
		"'guest-'"
		" AND NOT EXISTS (SELECT 1 FROM games WHERE x = players.id)"
		" AND NOT EXISTS (SELECT 1 FROM games WHERE o = players.id);"
		"CREATE INDEX players_guests ON players (guest_ms) WHERE guest_ms > 0;",

		/* Who is not let in; until_ms is 0 for good. */
		("CREATE TABLE bans (whom TEXT PRIMARY KEY, made_ms INTEGER NOT NULL,"
		 " until_ms INTEGER NOT NULL, why TEXT NOT NULL) STRICT;"),

		/* Ratings: what struct store_rating has, and by how many half points X was ahead
		 * in a game that counted; NULL: it did not, as none did before. */
		"ALTER TABLE players ADD COLUMN games INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE players ADD COLUMN wins INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE players ADD COLUMN draws INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE players ADD COLUMN losses INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE players ADD COLUMN rating_milli INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE players ADD COLUMN deviation_milli INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE players ADD COLUMN volatility_nano INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE players ADD COLUMN rating_day INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE players ADD COLUMN settled_day INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE games ADD COLUMN ahead INTEGER;",

		/* Lists: of games the public ones, by their rowids, which grow; nothing goes by
		 * their times. The clock that was agreed stood only in a room's first event. */
		"ALTER TABLE games ADD COLUMN base_ms INTEGER NOT NULL DEFAULT 0;"
		"ALTER TABLE games ADD COLUMN increment_ms INTEGER NOT NULL DEFAULT 0;"
		"UPDATE games SET (base_ms, increment_ms) = ("
		" SELECT coalesce(json_extract(text, '$.clock.base_ms'), 0),"
		" coalesce(json_extract(text, '$.clock.increment_ms'), 0)"
		" FROM (SELECT CASE WHEN json_valid(CAST(line AS TEXT)) THEN CAST(line AS TEXT) "
		"END"
		" AS text FROM rooms JOIN events ON events.room = rooms.n"
		" WHERE rooms.id = games.room AND seq = 1))"
		" WHERE x_ms IS NOT NULL"
		" AND EXISTS (SELECT 1 FROM rooms JOIN events ON events.room = rooms.n"
		" WHERE rooms.id = games.room AND seq = 1);"
		"DROP INDEX games_by_time;"
		"DROP INDEX games_by_x;"
		"DROP INDEX games_by_o;"
		"CREATE INDEX games_public ON games (n) WHERE private = 0;"
		"CREATE INDEX games_public_x ON games (x) WHERE private = 0 AND x IS NOT NULL;"
		"CREATE INDEX games_public_o ON games (o) WHERE private = 0 AND o IS NOT NULL;"
		"CREATE INDEX games_public_x_key ON games (x_key)"
		" WHERE private = 0 AND x_key IS NOT NULL;"
		"CREATE INDEX games_public_o_key ON games (o_key)"
		" WHERE private = 0 AND o_key IS NOT NULL;"
		"CREATE INDEX players_top ON players (rating_milli, settled_day)"
		" WHERE games > 0 AND substr(key, 1, 5) <> 'gone-';",
};
#define SCHEMA_VERSION ((int)(sizeof(migrations) / sizeof(migrations[0])))

#define PLAYER_COLUMNS                                                                             \
	"id, version, key, token_hash, record, games, wins, draws, losses, rating_milli,"          \
	" deviation_milli, volatility_nano, rating_day, settled_day"

#define GAME_COLUMNS                                                                               \
	"games.n, games.room, x, o, private, started_ms, ended_ms, result, record, ended_seq,"     \
	" x_key, o_key, x_ms, o_ms, ahead, base_ms, increment_ms"

/* Of the public games those that have ?3 in one of two columns: from each of the two indices so
 * many as a list may have. */
#define GAMES_WHERE(x, o)                                                                          \
	"SELECT " GAME_COLUMNS " FROM games WHERE n IN ("                                          \
	"SELECT n FROM (SELECT n FROM games INDEXED BY games_public_" x                            \
	" WHERE private = 0 AND " x " = ?3 AND n < ?1 ORDER BY n DESC LIMIT ?2)"                   \
	" UNION ALL "                                                                              \
	"SELECT n FROM (SELECT n FROM games INDEXED BY games_public_" o                            \
	" WHERE private = 0 AND " o " = ?3 AND n < ?1 ORDER BY n DESC LIMIT ?2))"                  \
	" ORDER BY n DESC LIMIT ?2"

static const char *const statements[DB_STATEMENT_COUNT] = {
		[DB_BEGIN] = "BEGIN IMMEDIATE",
		[DB_COMMIT] = "COMMIT",
		[DB_ROLLBACK] = "ROLLBACK",
		[DB_SAVEPOINT] = "SAVEPOINT batch",
		[DB_RELEASE] = "RELEASE batch",
		[DB_ROLLBACK_TO] = "ROLLBACK TO batch",
		[DB_ROOM_OPEN] = "INSERT INTO rooms (id, state, deadline_ms, over_ms)"
				 " VALUES (?1, ?2, 0, ?3) RETURNING n",
		[DB_ROOM_CHANGE] = "UPDATE rooms SET state = ?2, over_ms = ?3 WHERE n = ?1",
		[DB_PROBE] = "PRAGMA application_id = " VALUE_TEXT(APPLICATION_ID),
		[DB_EVENT_LAST] = "SELECT rooms.n FROM rooms JOIN events ON events.room = rooms.n"
				  " WHERE rooms.id = ?1 AND events.seq = ?2",
		[DB_EVENT_ADD] = "INSERT INTO events (room, seq, line) VALUES (?1, ?2, ?3)",
		[DB_PLAYER_ADD] = "INSERT INTO players"
				  " (id, version, key, token_hash, record, guest_ms)"
				  " VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
		[DB_PLAYER_CHANGE] = "UPDATE players SET version = ?2, key = ?3, token_hash = ?4,"
				     " record = ?5, guest_ms = min(guest_ms, ?6)"
				     " WHERE id = ?1 AND version = ?2 - 1 RETURNING id",
		[DB_RATING_CHANGE] = "UPDATE players SET games = ?2, wins = ?3, draws = ?4,"
				     " losses = ?5, rating_milli = ?6, deviation_milli = ?7,"
				     " volatility_nano = ?8, rating_day = ?9, settled_day = ?10"
				     " WHERE id = ?1 AND games = ?2 - 1 RETURNING id",
		[DB_GAME_ADD] = "INSERT INTO games"
				" (room, x, o, private, started_ms, ended_ms, result, record,"
				" ended_seq, x_key, o_key, x_ms, o_ms, ahead, base_ms,"
				" increment_ms)"
				" SELECT ?1, x.id, o.id, ?4, ?5, ?6, ?7, ?8, ?9,"
				" CASE WHEN x.id IS NULL THEN ?2 END,"
				" CASE WHEN o.id IS NULL THEN ?3 END, ?10, ?11, ?12, ?15,"
				" ?16"
				" FROM (SELECT 1) LEFT JOIN players AS x ON x.id ="
				" coalesce(?13, (SELECT id FROM players WHERE key = ?2))"
				" LEFT JOIN players AS o ON o.id ="
				" coalesce(?14, (SELECT id FROM players WHERE key = ?3))"
				" RETURNING n",
		[DB_ROOM_FIND] = "SELECT n, CASE WHEN state = 3 THEN"
				 " (SELECT ended_seq FROM games WHERE room = rooms.id) END"
				 " FROM rooms WHERE id = ?1",
		[DB_EVENTS] = "SELECT line FROM events WHERE room = ?1 AND seq > ?2 ORDER BY seq",
		[DB_GAME] = "SELECT " GAME_COLUMNS
			    ", rooms.n FROM games JOIN rooms ON rooms.id = games.room"
			    " WHERE games.room = ?1",
		[DB_GAMES] = "SELECT " GAME_COLUMNS " FROM games INDEXED BY games_public"
			     " WHERE private = 0 AND n < ?1 ORDER BY n DESC LIMIT ?2",
		[DB_GAMES_OF] = GAMES_WHERE("x", "o"),
		[DB_GAMES_OF_KEY] = GAMES_WHERE("x_key", "o_key"),
		[DB_GAMES_AFTER] = "SELECT " GAME_COLUMNS " FROM games WHERE n > ?1"
				   " ORDER BY n LIMIT ?2",
		[DB_TOP] = "SELECT " PLAYER_COLUMNS " FROM players INDEXED BY players_top"
			   " WHERE games > 0 AND substr(key, 1, 5) <> 'gone-'"
			   " AND settled_day >= ?1 ORDER BY rating_milli DESC LIMIT ?2",
		[DB_EVENTS_LEFT] = "SELECT line FROM events"
				   " WHERE room = ?1 AND (seq = 1 OR seq >= ?2) ORDER BY seq",
		[DB_PLAYER_BY_ID] = "SELECT " PLAYER_COLUMNS " FROM players"
				    " WHERE id = ?1",
		/* By itself it would go by n, through all rooms that ever were. */
		[DB_UNFINISHED] = "SELECT n, id FROM rooms INDEXED BY rooms_unfinished"
				  " WHERE state < 2 ORDER BY n",
		[DB_PLAYER_BY_KEY] = "SELECT " PLAYER_COLUMNS " FROM players"
				     " WHERE key = ?1",
		[DB_PLAYER_BY_TOKEN] = "SELECT " PLAYER_COLUMNS " FROM players"
				       " WHERE token_hash = ?1",
		[DB_LONG_OVER] = "SELECT rooms.n, games.ended_seq FROM rooms"
				 " LEFT JOIN games ON games.room = rooms.id"
				 " WHERE rooms.state = 2 AND over_ms < ?1"
				 " ORDER BY over_ms LIMIT ?2",
		[DB_EVENTS_DROP] = "DELETE FROM events WHERE room = ?1 AND seq > 1 AND seq < ?2",
		[DB_ROOM_THIN] = "UPDATE rooms SET state = 3 WHERE n = ?1",
		[DB_EVENTS_DROP_ALL] = "DELETE FROM events WHERE room = ?1",
		[DB_ROOM_DROP] = "DELETE FROM rooms WHERE n = ?1",
		[DB_GUEST_STAYS] =
				"UPDATE players SET guest_ms = 0 WHERE key = ?1 AND guest_ms > 0",
		[DB_GUESTS] = "SELECT id, key FROM players WHERE guest_ms > 0 AND guest_ms < ?1"
			      " ORDER BY guest_ms",
		[DB_GUEST_DROP] = "DELETE FROM players WHERE id = ?1",
		[DB_BAN_PUT] = "INSERT OR REPLACE INTO bans (whom, made_ms, until_ms, why)"
			       " VALUES (?1, ?2, ?3, ?4)",
		[DB_BAN_LIFT] = "DELETE FROM bans WHERE whom = ?1",
		[DB_BANS] = "SELECT whom, made_ms, until_ms, why FROM bans ORDER BY rowid",
};

/* FULL syncs the log at each commit; checkpoints are made by the writer at its own times, hence 0;
 * a log that grew is cut back when it is begun anew. What undoes a batch is kept in memory: else a
 * group would need a file in a folder for temporary ones, which may be full or not writable. */
static const char settings[] = "PRAGMA journal_mode = WAL;"
			       "PRAGMA synchronous = FULL;"
			       "PRAGMA wal_autocheckpoint = 0;"
			       "PRAGMA journal_size_limit = 67108864;"
			       "PRAGMA cache_size = -16384;"
			       "PRAGMA temp_store = MEMORY;"
			       "PRAGMA trusted_schema = OFF;";

void db_init(struct db *db, const char *path)
{
	*db = (struct db){.path = db_path_resolve(path), .known_era = 1};
	db->log_path = db_path_join(db->path, LOG_SUFFIX);
	db->known = memory_new(DB_KNOWN_ROOMS, sizeof(*db->known));
}

void db_fini(struct db *db)
{
	db_close(db);
	free(db->path);
	free(db->log_path);
	free(db->known);
	db->path = NULL;
	db->log_path = NULL;
	db->known = NULL;
}

static enum store_sqlite_failure failure_of(int code)
{
	static const struct {
		int code; /* an extended one, or a primary one for all of its kind */
		enum store_sqlite_failure failure;
	} failures[] = {
			{SQLITE_READONLY, STORE_SQLITE_READ_ONLY},
			{SQLITE_BUSY, STORE_SQLITE_LOCKED},
			{SQLITE_CORRUPT, STORE_SQLITE_CORRUPT},
			{SQLITE_NOTADB, STORE_SQLITE_CORRUPT},
			{SQLITE_IOERR_READ, STORE_SQLITE_READ},
			{SQLITE_IOERR_SHORT_READ, STORE_SQLITE_READ},
			{SQLITE_IOERR_WRITE, STORE_SQLITE_WRITE},
			{SQLITE_IOERR_TRUNCATE, STORE_SQLITE_WRITE},
			{SQLITE_IOERR_FSYNC, STORE_SQLITE_SYNC},
			{SQLITE_IOERR_DIR_FSYNC, STORE_SQLITE_SYNC},
	};

	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		if (failures[i].code == code || failures[i].code == (code & 0xff)) {
			return failures[i].failure;
		}
	}
	return STORE_SQLITE_OTHER;
}

bool db_is_full(int code, int system)
{
	return (code & 0xff) == SQLITE_FULL ||
	       (code == SQLITE_IOERR_WRITE && (system == EDQUOT || system == EFBIG));
}

void db_note_system(struct db *db, const char *what, int system)
{
	const int code = sqlite3_extended_errcode(db->handle);

	db->failures[db_is_full(code, system) ? STORE_SQLITE_FULL : failure_of(code)]++;
	if (db->message[0] == '\0') {
		snprintf(db->message, sizeof(db->message), "can't %s in %s: %s (%d%s%s)", what,
				db->path, sqlite3_errmsg(db->handle), code, system == 0 ? "" : ", ",
				system == 0 ? "" : strerrordesc_np(system));
	}
}

void db_note(struct db *db, const char *what)
{
	db_note_system(db, what, sqlite3_system_errno(db->handle));
}

void db_note_text(struct db *db, enum store_sqlite_failure failure, const char *why)
{
	db->failures[failure]++;
	if (db->message[0] == '\0') {
		snprintf(db->message, sizeof(db->message), "can't use %s: %s", db->path, why);
	}
}

static int number_read(struct db *db, const char *sql, int *ret_number)
{
	sqlite3_stmt *statement;
	int result = sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL);

	if (result != SQLITE_OK) {
		return result;
	}
	result = sqlite3_step(statement);
	if (result == SQLITE_ROW) {
		*ret_number = sqlite3_column_int(statement, 0);
		result = SQLITE_OK;
	}
	sqlite3_finalize(statement);
	return result;
}

int db_refuse(struct db *db, int error, const char *why)
{
	db->failures[error == -EROFS ? STORE_SQLITE_READ_ONLY : STORE_SQLITE_OTHER]++;
	snprintf(db->message, sizeof(db->message), "the file %s %s", db->path, why);
	return error;
}

static int fail(struct db *db, const char *what)
{
	db_note(db, what);
	return -EIO;
}

/* Ours, or empty? Asked before anything is written: a stranger's file stays as it is. */
int db_identify(struct db *db, int *ret_version)
{
	int application = 0;
	int tables = 0;
	int result = number_read(db, "PRAGMA application_id", &application);

	if (result == SQLITE_OK) {
		result = number_read(db, "PRAGMA user_version", ret_version);
	}
	if (result == SQLITE_OK) {
		result = number_read(db, "SELECT count(*) FROM sqlite_schema", &tables);
	}
	if (result == SQLITE_NOTADB) {
		return db_refuse(db, -EINVAL, "is not a qttt database");
	}
	if (result != SQLITE_OK) {
		return fail(db, "read the database");
	}
	if (application != APPLICATION_ID &&
			(application != 0 || *ret_version != 0 || tables != 0)) {
		return db_refuse(db, -EINVAL, "is a database of another program, not of qttt");
	}
	if (*ret_version > SCHEMA_VERSION) {
		snprintf(db->message, sizeof(db->message),
				"the file %s was written by a newer qtttd: its schema is %d, "
				"this one knows %d",
				db->path, *ret_version, SCHEMA_VERSION);
		return -ENOTSUP;
	}
	return 0;
}

int db_version(void)
{
	return SCHEMA_VERSION;
}

int db_migrate(struct db *db, int version)
{
	for (; version < SCHEMA_VERSION; version++) {
		char *sql = sqlite3_mprintf("BEGIN IMMEDIATE; %s PRAGMA application_id = %d;"
					    " PRAGMA user_version = %d; COMMIT",
				migrations[version], APPLICATION_ID, version + 1);
		int result = sql == NULL ? SQLITE_NOMEM
					 : sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

		sqlite3_free(sql);
		if (result != SQLITE_OK) {
			return fail(db, "bring the database to this version");
		}
	}
	return 0;
}

int db_prepare(struct db *db)
{
	for (size_t i = 0; i < DB_STATEMENT_COUNT; i++) {
		if (sqlite3_prepare_v3(db->handle, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
				    &db->statements[i], NULL) != SQLITE_OK) {
			return fail(db, "prepare a statement");
		}
	}
	return 0;
}

static int log_grew(void *arg, sqlite3 *handle, const char *name, int pages)
{
	struct db *db = arg;

	(void)handle;
	(void)name;
	db->wal_in_file = pages < db->wal_pages ? 0 : db->wal_in_file;
	db->wal_pages = pages;
	return SQLITE_OK;
}

static const char moved[] =
		"it was moved, removed or replaced while the server runs; it has to be put "
		"back, or the server started again";

static int connect(struct db *db)
{
	/* No mutex: only one thread uses it at a time. */
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;

	if (!db_identity_stays(&db->file, db->path)) {
		db_note_text(db, STORE_SQLITE_MOVED, moved);
		return -ESTALE;
	}
	if (sqlite3_open_v2(db->path, &db->handle, flags, NULL) != SQLITE_OK) {
		return fail(db, "open the database");
	}
	/* SQLite falls back to reading. */
	if (sqlite3_db_readonly(db->handle, "main") == 1) {
		return db_refuse(db, -EROFS, "can only be read");
	}
	sqlite3_busy_timeout(db->handle, BUSY_MS);
	return 0;
}

static int set_up(struct db *db)
{
	int is_wal = 0;

	if (sqlite3_exec(db->handle, settings, NULL, NULL, NULL) != SQLITE_OK) {
		return fail(db, "set up the database");
	}
	if (number_read(db, "SELECT journal_mode = 'wal' FROM pragma_journal_mode", &is_wal) !=
					SQLITE_OK ||
			is_wal == 0) {
		return db_refuse(db, -EOPNOTSUPP,
				"lies on a file system that allows no write-ahead log");
	}
	sqlite3_wal_hook(db->handle, log_grew, db);
	return 0;
}

int db_open(struct db *db)
{
	int version = 0;
	int error = connect(db);

	db->wal_pages = 0;
	db->wal_in_file = 0;
	if (error == 0) {
		error = db_identify(db, &version);
	}
	if (error == 0) {
		error = set_up(db);
	}
	if (error == 0) {
		error = db_migrate(db, version);
	}
	if (error == 0) {
		error = db_prepare(db);
	}
	if (error != 0) {
		db_close(db);
		return error;
	}
	if (!db->file.is_known) {
		db_identity_note(&db->file, db->path);
	}
	db_identity_note(&db->log, db->log_path);
	return 0;
}

bool db_stays_in_place(struct db *db)
{
	if (!db_identity_stays(&db->file, db->path)) {
		db_note_text(db, STORE_SQLITE_MOVED, moved);
		return false;
	}
	if (db_identity_stays(&db->log, db->log_path)) {
		return true;
	}
	db_note_text(db, STORE_SQLITE_MOVED,
			"its log was moved, removed or replaced while the server runs");
	/* It is still open here, and nobody else will ever read it. */
	if (!db_checkpoint(db, SQLITE_CHECKPOINT_TRUNCATE)) {
		return false;
	}
	db_close(db);
	return true;
}

/* Closing, SQLite removes the log by its name: not if that may be another database's by now. */
static void leave_others_alone(struct db *db)
{
	int keeps = 1;

	if (db->handle == NULL || (db_identity_stays(&db->file, db->path) &&
						  db_identity_stays(&db->log, db->log_path))) {
		return;
	}
	sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps);
}

void db_close(struct db *db)
{
	for (size_t i = 0; i < DB_STATEMENT_COUNT; i++) {
		sqlite3_finalize(db->statements[i]);
		db->statements[i] = NULL;
	}
	leave_others_alone(db);
	sqlite3_close_v2(db->handle);
	db->handle = NULL;
	db_forget_rooms(db);
}

bool db_checkpoint(struct db *db, int mode)
{
	int pages = 0;
	int in_file = 0;

	if (sqlite3_wal_checkpoint_v2(db->handle, NULL, mode, &pages, &in_file) != SQLITE_OK) {
		db_note(db, "bring the log into the database");
		return false;
	}
	db->wal_pages = pages;
	db->wal_in_file = in_file;
	return in_file >= pages;
}
