#include "server/store/sqlite_db.h"

#include <errno.h>
#include <string.h>

/* What a step of a batch led to. */
enum step { STEP_DONE, STEP_CONFLICT, STEP_FAILED };

static bool run(struct db *db, enum db_statement which)
{
	sqlite3_stmt *statement = db->statements[which];
	int result = sqlite3_step(statement);

	sqlite3_reset(statement);
	return result == SQLITE_DONE;
}

static bool is_taken(int result)
{
	return result == SQLITE_CONSTRAINT_UNIQUE || result == SQLITE_CONSTRAINT_PRIMARYKEY;
}

static enum step finish(struct db *db, sqlite3_stmt *statement, enum step step)
{
	if (step == STEP_FAILED) {
		db_note(db, "write to the database");
	}
	sqlite3_reset(statement);
	/* What was bound is the caller's, and not for longer than this. */
	sqlite3_clear_bindings(statement);
	return step;
}

/* Run a statement that gives one row with a number if it found what it changes. */
static enum step change(struct db *db, enum db_statement which, int64_t *ret_number)
{
	sqlite3_stmt *statement = db->statements[which];
	int result = sqlite3_step(statement);
	enum step step = STEP_FAILED;

	if (result == SQLITE_ROW) {
		*ret_number = sqlite3_column_int64(statement, 0);
		result = sqlite3_step(statement);
		step = result == SQLITE_DONE ? STEP_DONE : STEP_FAILED;
	} else if (result == SQLITE_DONE || is_taken(result)) {
		step = STEP_CONFLICT;
	}
	return finish(db, statement, step);
}

/* Run a statement that adds a row, whose number nobody asks for. */
static enum step add(struct db *db, enum db_statement which)
{
	sqlite3_stmt *statement = db->statements[which];
	int result = sqlite3_step(statement);

	if (is_taken(result)) {
		return finish(db, statement, STEP_CONFLICT);
	}
	return finish(db, statement, result == SQLITE_DONE ? STEP_DONE : STEP_FAILED);
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
	sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

static void bind_bytes(sqlite3_stmt *statement, int at, const struct bytes *bytes)
{
	sqlite3_bind_blob64(statement, at, bytes->data, bytes->length, SQLITE_STATIC);
}

static enum step player_apply(struct db *db, const struct store_player *player)
{
	enum db_statement which = player->version == 1 ? DB_PLAYER_ADD : DB_PLAYER_CHANGE;
	sqlite3_stmt *statement = db->statements[which];
	int64_t id;

	sqlite3_bind_int64(statement, 1, player->id);
	sqlite3_bind_int64(statement, 2, player->version);
	bind_text(statement, 3, player->key);
	sqlite3_bind_blob(statement, 4, player->token_hash, STORE_HASH_BYTES, SQLITE_STATIC);
	bind_bytes(statement, 5, player->record);
	sqlite3_bind_int64(statement, 6, player->guest_ms);
	return change(db, which, &id);
}

/* A conflict if another game was rated before. */
static enum step rating_apply(struct db *db, const struct store_rating_change *changed)
{
	sqlite3_stmt *statement = db->statements[DB_RATING_CHANGE];
	const struct store_rating *rating = &changed->rating;
	const int64_t numbers[] = {changed->player, rating->games, rating->wins, rating->draws,
			rating->losses, rating->milli, rating->deviation_milli,
			rating->volatility_nano, rating->day, rating->settled_day};
	int64_t id;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sqlite3_bind_int64(statement, (int)i + 1, numbers[i]);
	}
	return change(db, DB_RATING_CHANGE, &id);
}

static void bind_over(sqlite3_stmt *statement, int at, const struct store_room_change *room)
{
	if (room->state == STORE_ROOM_OVER) {
		sqlite3_bind_int64(statement, at, room->at_ms);
	} else {
		sqlite3_bind_null(statement, at);
	}
}

static enum step room_open(struct db *db, const struct store_room_change *room, int64_t *ret_n)
{
	sqlite3_stmt *statement = db->statements[DB_ROOM_OPEN];

	bind_text(statement, 1, room->room);
	sqlite3_bind_int(statement, 2, (int)room->state);
	bind_over(statement, 3, room);
	return change(db, DB_ROOM_OPEN, ret_n);
}

static struct db_known_room *known_place(const struct db *db, const char *room)
{
	/* FNV-1a. The ids are the server's own, so nobody can choose where they meet. */
	uint32_t hash = 2166136261U;

	for (const char *letter = room; *letter != '\0'; letter++) {
		hash = (hash ^ (unsigned char)*letter) * 16777619U;
	}
	return &db->known[(hash ^ hash >> 16) % DB_KNOWN_ROOMS];
}

static bool is_known(const struct db *db, const struct store_room_change *room, int64_t *ret_n)
{
	const struct db_known_room *known = known_place(db, room->room);

	if (known->era != db->known_era || known->seq != room->after_seq ||
			strcmp(known->id, room->room) != 0) {
		return false;
	}
	*ret_n = known->n;
	return true;
}

static void know(struct db *db, const struct store_room_change *room, int64_t n)
{
	struct db_known_room *known = known_place(db, room->room);
	size_t size = strlen(room->room) + 1;

	if (size > sizeof(known->id)) {
		return;
	}
	memcpy(known->id, room->room, size);
	known->era = db->known_era;
	known->n = n;
	known->seq = room->after_seq + (int64_t)room->count;
}

void db_forget_rooms(struct db *db)
{
	db->known_era++;
}

/* Find the room by the event that the new ones are to come after: a conflict if it is not there. */
static enum step room_find(struct db *db, const struct store_room_change *room, int64_t *ret_n)
{
	sqlite3_stmt *statement = db->statements[DB_EVENT_LAST];

	if (is_known(db, room, ret_n)) {
		return STEP_DONE;
	}
	bind_text(statement, 1, room->room);
	sqlite3_bind_int64(statement, 2, room->after_seq);
	return change(db, DB_EVENT_LAST, ret_n);
}

/* A conflict if another with its seq is there. */
static enum step event_add(struct db *db, int64_t room, int64_t seq, const struct bytes *line)
{
	sqlite3_stmt *statement = db->statements[DB_EVENT_ADD];

	sqlite3_bind_int64(statement, 1, room);
	sqlite3_bind_int64(statement, 2, seq);
	bind_bytes(statement, 3, line);
	return add(db, DB_EVENT_ADD);
}

static enum step room_set_state(struct db *db, const struct store_room_change *room, int64_t n)
{
	sqlite3_stmt *statement = db->statements[DB_ROOM_CHANGE];

	sqlite3_bind_int64(statement, 1, n);
	sqlite3_bind_int(statement, 2, (int)room->state);
	bind_over(statement, 3, room);
	return add(db, DB_ROOM_CHANGE);
}

static enum step room_apply(struct db *db, const struct store_room_change *room)
{
	bool is_new = room->after_seq == 0;
	int64_t n = 0;
	enum step step = is_new ? room_open(db, room, &n) : room_find(db, room, &n);

	for (size_t i = 0; step == STEP_DONE && i < room->count; i++) {
		step = event_add(db, n, room->after_seq + 1 + (int64_t)i, room->lines[i]);
		/* Once something was written, what does not fit is no conflict but a database at
		 * odds with itself. */
		if (step == STEP_CONFLICT && (is_new || i > 0)) {
			step = STEP_FAILED;
		}
	}
	if (step == STEP_DONE && !is_new && !room->keeps_state) {
		step = room_set_state(db, room, n);
	}
	if (step == STEP_DONE) {
		know(db, room, n);
	}
	return step;
}

/* Who has finished a game is remembered. */
static enum step guest_stays(struct db *db, const char *key)
{
	bind_text(db->statements[DB_GUEST_STAYS], 1, key);
	return add(db, DB_GUEST_STAYS);
}

static enum step game_add(struct db *db, const struct store_game *game)
{
	sqlite3_stmt *statement = db->statements[DB_GAME_ADD];
	int64_t n;

	bind_text(statement, 1, game->room);
	bind_text(statement, 2, game->x_key);
	bind_text(statement, 3, game->o_key);
	sqlite3_bind_int(statement, 4, game->is_private ? 1 : 0);
	sqlite3_bind_int64(statement, 5, game->started_ms);
	sqlite3_bind_int64(statement, 6, game->ended_ms);
	bind_text(statement, 7, game->result);
	bind_text(statement, 8, game->record);
	sqlite3_bind_int64(statement, 9, game->ended_seq);
	for (int i = 0; i < 2 && game->has_clock; i++) {
		sqlite3_bind_int64(statement, 10 + i, game->left_ms[i]);
	}
	if (game->is_rated) {
		sqlite3_bind_int(statement, 12, game->ahead);
		sqlite3_bind_int64(statement, 13, game->rated_ids[0]);
		sqlite3_bind_int64(statement, 14, game->rated_ids[1]);
	}
	sqlite3_bind_int64(statement, 15, game->base_ms);
	sqlite3_bind_int64(statement, 16, game->increment_ms);
	enum step step = change(db, DB_GAME_ADD, &n);
	if (step == STEP_DONE) {
		step = guest_stays(db, game->x_key);
	}
	return step == STEP_DONE ? guest_stays(db, game->o_key) : step;
}

static enum step ban_apply(struct db *db, const struct store_ban_change *change)
{
	enum db_statement which = change->lifts ? DB_BAN_LIFT : DB_BAN_PUT;
	sqlite3_stmt *statement = db->statements[which];

	bind_text(statement, 1, change->ban.whom);
	if (!change->lifts) {
		sqlite3_bind_int64(statement, 2, change->ban.made_ms);
		sqlite3_bind_int64(statement, 3, change->ban.until_ms);
		bind_text(statement, 4, change->ban.why);
	}
	return add(db, which);
}

static bool is_empty(const struct store_batch *batch)
{
	return batch->room_count == 0 && batch->player_count == 0 && batch->rating_count == 0 &&
	       batch->game_count == 0 && batch->guests == NULL && batch->ban_count == 0;
}

static enum step batch_apply(struct db *db, const struct store_batch *batch)
{
	enum step step = STEP_DONE;

	if (is_empty(batch) && !run(db, DB_PROBE)) {
		db_note(db, "write to the database");
		return STEP_FAILED;
	}
	if (batch->guests != NULL && !db_drop_guests(db, batch->guests)) {
		step = STEP_FAILED;
	}
	for (size_t i = 0; step == STEP_DONE && i < batch->player_count; i++) {
		step = player_apply(db, &batch->players[i].player);
	}
	for (size_t i = 0; step == STEP_DONE && i < batch->rating_count; i++) {
		step = rating_apply(db, &batch->ratings[i]);
	}
	for (size_t i = 0; step == STEP_DONE && i < batch->room_count; i++) {
		step = room_apply(db, &batch->rooms[i]);
	}
	for (size_t i = 0; step == STEP_DONE && i < batch->game_count; i++) {
		step = game_add(db, &batch->games[i]);
	}
	for (size_t i = 0; step == STEP_DONE && i < batch->ban_count; i++) {
		step = ban_apply(db, &batch->bans[i]);
	}
	return step;
}

bool db_begin(struct db *db)
{
	if (!run(db, DB_BEGIN)) {
		db_note(db, "begin a transaction");
		return false;
	}
	return true;
}

/* With one room alone a conflict leaves nothing behind by itself: its first statement finds that
 * it fits and writes, or writes nothing. */
static bool is_one_room(const struct store_batch *batch)
{
	return batch->room_count == 1 && batch->player_count == 0 && batch->rating_count == 0 &&
	       batch->game_count == 0 && batch->guests == NULL && batch->ban_count == 0;
}

/* Most batches: no savepoint, which would copy each page once more. */
static enum store_status apply_plainly(struct db *db, const struct store_batch *batch)
{
	switch (room_apply(db, &batch->rooms[0])) {
	case STEP_DONE:
		return STORE_STORED;
	case STEP_CONFLICT:
		return STORE_CONFLICT;
	case STEP_FAILED:
		break;
	}
	return STORE_UNKNOWN;
}

enum store_status db_apply(struct db *db, const struct store_batch *batch)
{
	static const enum store_status statuses[] = {
			[STEP_DONE] = STORE_STORED,
			[STEP_CONFLICT] = STORE_CONFLICT,
			[STEP_FAILED] = STORE_UNAVAILABLE,
	};
	enum step step;

	if (is_one_room(batch)) {
		return apply_plainly(db, batch);
	}
	/* A savepoint for each batch: one that does not fit is undone alone. */
	if (!run(db, DB_SAVEPOINT)) {
		db_note(db, "write to the database");
		return STORE_UNKNOWN;
	}
	step = batch_apply(db, batch);
	if (step != STEP_DONE) {
		db_forget_rooms(db);
	}
	/* After some failures (a full disk among them) SQLite has undone the whole transaction:
	 * then the savepoint is gone too. */
	if ((step != STEP_DONE && !run(db, DB_ROLLBACK_TO)) || !run(db, DB_RELEASE)) {
		db_note(db, "write to the database");
		return STORE_UNKNOWN;
	}
	return statuses[step];
}

enum store_status db_commit(struct db *db)
{
	sqlite3_stmt *statement = db->statements[DB_COMMIT];
	int system;
	int result;

	/* What the system says of a commit SQLite keeps to itself. */
	errno = 0;
	result = sqlite3_step(statement);
	system = errno;
	if (result != SQLITE_DONE) {
		db_note_system(db, "commit", system);
	}
	sqlite3_reset(statement);
	if (result == SQLITE_DONE) {
		return STORE_STORED;
	}
	/* A lock that was not to be had, or a log that found no space for its last page: certainly
	 * not there. Any other failure may have come after the last page was written. */
	if ((result & 0xff) == SQLITE_BUSY || db_is_full(result, system)) {
		db_rollback(db);
		return STORE_UNAVAILABLE;
	}
	return STORE_UNKNOWN;
}

void db_rollback(struct db *db)
{
	db_forget_rooms(db);
	if (db_in_transaction(db) && !run(db, DB_ROLLBACK)) {
		db_note(db, "roll back");
	}
}

bool db_in_transaction(const struct db *db)
{
	return db->handle != NULL && sqlite3_get_autocommit(db->handle) == 0;
}
