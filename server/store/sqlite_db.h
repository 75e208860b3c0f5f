/* The database itself: a connection, its statements, and what is done with them. Belongs to one
 * thread at a time: the opener's, then the writer's. Results are SQLite's codes unless said. */
#ifndef STORE_SQLITE_DB_H
#define STORE_SQLITE_DB_H

#include <sqlite3.h>
#include <sys/types.h>

#include "server/play/ports.h"
#include "server/store/lines.h"
#include "server/store/sqlite.h"

enum db_statement {
	DB_BEGIN,
	DB_COMMIT,
	DB_ROLLBACK,
	DB_SAVEPOINT,
	DB_RELEASE,
	DB_ROLLBACK_TO,
	DB_ROOM_OPEN,
	DB_ROOM_CHANGE,
	DB_PROBE,      /* changes nothing, and is written all the same */
	DB_EVENT_LAST, /* the one that others are to come after */
	DB_EVENT_ADD,
	DB_PLAYER_ADD,
	DB_PLAYER_CHANGE,
	DB_RATING_CHANGE,
	DB_GAME_ADD,
	DB_ROOM_FIND,
	DB_EVENTS,
	DB_GAME,
	DB_GAMES,
	DB_GAMES_OF,
	DB_GAMES_OF_KEY,
	DB_GAMES_AFTER,
	DB_TOP,
	DB_EVENTS_LEFT,
	DB_PLAYER_BY_ID,
	DB_UNFINISHED,
	DB_PLAYER_BY_KEY,
	DB_PLAYER_BY_TOKEN,
	DB_LONG_OVER,
	DB_EVENTS_DROP, /* all but the first and those from the last one of the game on */
	DB_ROOM_THIN,
	DB_EVENTS_DROP_ALL,
	DB_ROOM_DROP,
	DB_GUEST_STAYS,
	DB_GUESTS,
	DB_GUEST_DROP,
	DB_BAN_PUT,
	DB_BAN_LIFT,
	DB_BANS
};
#define DB_STATEMENT_COUNT (DB_BANS + 1)

/* A room's state in the file when a part of its events is dropped; else enum store_room_state. */
#define DB_ROOM_THINNED 3

/* A room that was written to lately: the next event is added without looking for it. */
struct db_known_room {
	char id[24];
	uint64_t era; /* the db's when it was noted; another one: not true any more */
	int64_t n;
	int64_t seq; /* of its last event */
};
#define DB_KNOWN_ROOMS 4096 /* a power of two */

/* Which file a path names. */
struct db_identity {
	bool is_known;
	dev_t device;
	ino_t inode;
};

struct db {
	char *path;
	char *log_path;
	struct db_identity file; /* the one that was opened first: no other one will do */
	struct db_identity log;
	sqlite3 *handle; /* NULL: closed */
	sqlite3_stmt *statements[DB_STATEMENT_COUNT];
	struct db_known_room *known; /* DB_KNOWN_ROOMS, by a hash of the id */
	uint64_t known_era;	     /* above 0 */
	int wal_pages;		     /* in the write-ahead log */
	int wal_in_file; /* of them, those that a checkpoint has brought into the file */
	uint64_t failures[STORE_SQLITE_FAILURES]; /* since they were asked for */
	char message[STORE_SQLITE_MESSAGE_SIZE];  /* the first failure not yet reported; "": none */
};

/* The file (sqlite_file.c). */

/* The path by which SQLite itself names the file, its log and the other files beside it: through
 * all links, where there is such a file. The caller's. */
char *db_path_resolve(const char *path);

/* The one with the other after it. The caller's. */
char *db_path_join(const char *path, const char *end);

/* Make the directories above path and the file, and lock it against other servers, whichever way
 * they come by. Returns 0 and the lock to be closed after the database, or a negative errno with a
 * sentence. */
int db_file_claim(const char *path, int *ret_lock, char ret_message[STORE_SQLITE_MESSAGE_SIZE]);

/* Note which file a path names; it is not known where there is none. */
void db_identity_note(struct db_identity *identity, const char *path);

/* Does the path still name it? True for one that is not known. */
bool db_identity_stays(const struct db_identity *identity, const char *path);

/* Opening (sqlite_schema.c). */

/* `path` is resolved; the database is closed. */
void db_init(struct db *db, const char *path);

/* Closes it, and frees what db_init took. */
void db_fini(struct db *db);

/* Open the file that db_file_claim made. Returns 0, or a negative errno with a sentence in
 * db->message, and it is closed. */
int db_open(struct db *db);

/* Close it, open or not. */
void db_close(struct db *db);

/* Note what failed and what SQLite says of it, unless a failure waits already to be reported. */
void db_note(struct db *db, const char *what);

/* The same where SQLite does not keep the system's errno (0: there is none). */
void db_note_system(struct db *db, const char *what, int system);

/* Was there no room to write, by SQLite's code and the system's errno? Be it the disk's, a quota's
 * or a limit's on the size of files. */
bool db_is_full(int code, int system);

/* The same for what is no failure to SQLite: why the database can't be used. */
void db_note_text(struct db *db, enum store_sqlite_failure failure, const char *why);

/* Are the database and its log where they were? If it is only the log that went, what it has is
 * brought into the database, which is closed then. False: it can't be used. */
bool db_stays_in_place(struct db *db);

/* Bring the log's pages into the file; `mode` is SQLite's. Returns whether nothing was left. */
bool db_checkpoint(struct db *db, int mode);

/* Steps of opening. They return as db_open does, but leave the database open. */

/* Is it ours, and not of a newer version? ret_version is its schema's; 0: it is empty. */
int db_identify(struct db *db, int *ret_version);

/* Bring its schema from `version` to db_version's. */
int db_migrate(struct db *db, int version);
int db_version(void);

/* Make the statements, which want db_version's schema. */
int db_prepare(struct db *db);

/* Note that a file can't be used, `why` saying what it is or does; returns `error`. */
int db_refuse(struct db *db, int error, const char *why);

/* Looking (sqlite_look.c). */

/* Open it to read, as it is, without statements; any server may be writing to it meanwhile. Returns
 * as db_open does; -ENODATA: nothing was ever stored in it. */
int db_look(struct db *db, int *ret_version);

/* Writing (sqlite_batch.c). */

bool db_begin(struct db *db);

/* Do a batch within the transaction: STORED (once the transaction is), CONFLICT or UNAVAILABLE.
 * UNKNOWN: the transaction itself is lost, with all in it. */
enum store_status db_apply(struct db *db, const struct store_batch *batch);

/* End the transaction: STORED, UNAVAILABLE (nothing of it is there) or UNKNOWN. */
enum store_status db_commit(struct db *db);

/* Give up the transaction, if there is one. */
void db_rollback(struct db *db);

bool db_in_transaction(const struct db *db);

/* What was written last may be gone. */
void db_forget_rooms(struct db *db);

/* Dropping (sqlite_drop.c). */

/* Most rooms of a step: so that nothing waits long for it. */
#define DB_DROP_ROOMS 32

/* Drop events of at most DB_DROP_ROOMS rooms that got over before that time, in a transaction of
 * its own. STORED: of *ret_count rooms; what else as db_commit has it. It does no harm to do it
 * again. */
enum store_status db_drop_step(struct db *db, int64_t before_ms, int *ret_count);

/* Forgetting guests (sqlite_guests.c), within the transaction. False: it can't. */
bool db_drop_guests(struct db *db, const struct store_guests *guests);

/* Reading (sqlite_load.c). */

/* Is there such a room? */
enum store_found db_find_room(struct db *db, const char *room);

/* What they found is added to ret_…; nothing is when they can't read. */
enum store_found db_load_room(
		struct db *db, const char *room, int64_t after_seq, struct store_lines *ret_lines);
enum store_found db_load_game(struct db *db, const char *room, struct store_game_copy *ret_game);
/* The same without its lines. */
enum store_found db_load_game_row(
		struct db *db, const char *room, struct store_game_copy *ret_game);
enum store_found db_load_games(struct db *db, const struct store_games_query *query,
		struct store_game_list *ret_games);
/* Up to STORE_GAMES_MAX after a place, private ones too, in the order of their places. */
enum store_found db_load_games_after(
		struct db *db, int64_t place, struct store_game_list *ret_games);
enum store_found db_load_top(
		struct db *db, int64_t day, size_t limit, struct store_player_list *ret_players);
enum store_found db_load_unfinished(struct db *db, struct store_room_list *ret_rooms);
enum store_found db_load_player_by_key(
		struct db *db, const char *key, struct store_player_copy *ret_player);
enum store_found db_load_player_by_token(struct db *db,
		const unsigned char token_hash[STORE_HASH_BYTES],
		struct store_player_copy *ret_player);
enum store_found db_load_bans(struct db *db, struct store_ban_list *ret_bans);

#endif
