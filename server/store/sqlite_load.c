#include <string.h>

#include "server/ops/memory.h"
#include "server/store/sqlite_db.h"

static struct bytes *column_bytes(sqlite3_stmt *statement, int column)
{
	const void *data = sqlite3_column_blob(statement, column);

	return bytes_new(data == NULL ? "" : data, (size_t)sqlite3_column_bytes(statement, column));
}

/* "" where there is none, as in a damaged file. */
static const char *column_text(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text == NULL ? "" : (const char *)text;
}

/* A statement that was read to its end, or can't be. */
static bool statement_end(struct db *db, sqlite3_stmt *statement, int result)
{
	bool done = result == SQLITE_DONE || result == SQLITE_ROW;

	if (!done) {
		db_note(db, "read the database");
	}
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
	return done;
}

/* ret_whole_from: events before this one may be gone, but for the first. */
static enum store_found room_find(
		struct db *db, const char *room, int64_t *ret_n, int64_t *ret_whole_from)
{
	sqlite3_stmt *statement = db->statements[DB_ROOM_FIND];
	int result;

	sqlite3_bind_text(statement, 1, room, -1, SQLITE_STATIC);
	result = sqlite3_step(statement);
	if (result == SQLITE_ROW) {
		*ret_n = sqlite3_column_int64(statement, 0);
		*ret_whole_from = sqlite3_column_int64(statement, 1);
	}
	if (!statement_end(db, statement, result)) {
		return STORE_NOT_READABLE;
	}
	return result == SQLITE_ROW ? STORE_FOUND : STORE_ABSENT;
}

/* `which` takes the room and a seq. */
static bool events_read(struct db *db, enum db_statement which, int64_t n, int64_t seq,
		struct store_lines *ret_lines)
{
	sqlite3_stmt *statement = db->statements[which];
	int result;

	sqlite3_bind_int64(statement, 1, n);
	sqlite3_bind_int64(statement, 2, seq);
	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		store_lines_add(ret_lines, column_bytes(statement, 0));
	}
	if (!statement_end(db, statement, result)) {
		store_lines_fini(ret_lines);
		return false;
	}
	return true;
}

enum store_found db_load_room(
		struct db *db, const char *room, int64_t after_seq, struct store_lines *ret_lines)
{
	int64_t n = 0;
	int64_t whole_from = 0;
	int64_t first_dropped = after_seq < 1 ? 2 : after_seq + 1;
	enum store_found found = room_find(db, room, &n, &whole_from);

	if (found == STORE_FOUND && !events_read(db, DB_EVENTS, n, after_seq, ret_lines)) {
		found = STORE_NOT_READABLE;
	}
	return found == STORE_FOUND && first_dropped < whole_from ? STORE_DROPPED : found;
}

enum store_found db_load_unfinished(struct db *db, struct store_room_list *ret_rooms)
{
	sqlite3_stmt *statement = db->statements[DB_UNFINISHED];
	bool readable = true;
	int result = SQLITE_DONE;

	while (readable && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *room = column_text(statement, 1);
		struct store_lines *lines = store_room_list_add(ret_rooms, room);

		readable = events_read(db, DB_EVENTS, sqlite3_column_int64(statement, 0), 0, lines);
	}
	if (!statement_end(db, statement, readable ? result : SQLITE_DONE) || !readable) {
		store_room_list_fini(ret_rooms);
		return STORE_NOT_READABLE;
	}
	return STORE_FOUND;
}

/* As PLAYER_COLUMNS has them, from that column on. */
static struct store_rating rating_read(sqlite3_stmt *statement, int column)
{
	return (struct store_rating){
			.games = sqlite3_column_int64(statement, column),
			.wins = sqlite3_column_int64(statement, column + 1),
			.draws = sqlite3_column_int64(statement, column + 2),
			.losses = sqlite3_column_int64(statement, column + 3),
			.milli = sqlite3_column_int64(statement, column + 4),
			.deviation_milli = sqlite3_column_int64(statement, column + 5),
			.volatility_nano = sqlite3_column_int64(statement, column + 6),
			.day = sqlite3_column_int64(statement, column + 7),
			.settled_day = sqlite3_column_int64(statement, column + 8),
	};
}

static enum store_found player_read(
		struct db *db, sqlite3_stmt *statement, struct store_player_copy *ret_player)
{
	struct store_player *player = &ret_player->player;
	int result = sqlite3_step(statement);

	if (result == SQLITE_ROW) {
		const void *hash = sqlite3_column_blob(statement, 3);

		ret_player->key = memory_string(column_text(statement, 2));
		player->key = ret_player->key;
		player->id = sqlite3_column_int64(statement, 0);
		player->version = sqlite3_column_int64(statement, 1);
		if (sqlite3_column_bytes(statement, 3) == STORE_HASH_BYTES) {
			memcpy(player->token_hash, hash, STORE_HASH_BYTES);
		}
		player->record = column_bytes(statement, 4);
		player->rating = rating_read(statement, 5);
	}
	if (!statement_end(db, statement, result)) {
		return STORE_NOT_READABLE;
	}
	return result == SQLITE_ROW ? STORE_FOUND : STORE_ABSENT;
}

enum store_found db_load_player_by_key(
		struct db *db, const char *key, struct store_player_copy *ret_player)
{
	sqlite3_stmt *statement = db->statements[DB_PLAYER_BY_KEY];

	sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
	return player_read(db, statement, ret_player);
}

enum store_found db_load_player_by_token(struct db *db,
		const unsigned char token_hash[STORE_HASH_BYTES],
		struct store_player_copy *ret_player)
{
	sqlite3_stmt *statement = db->statements[DB_PLAYER_BY_TOKEN];

	sqlite3_bind_blob(statement, 1, token_hash, STORE_HASH_BYTES, SQLITE_STATIC);
	return player_read(db, statement, ret_player);
}

enum store_found db_load_bans(struct db *db, struct store_ban_list *ret_bans)
{
	sqlite3_stmt *statement = db->statements[DB_BANS];
	int result;

	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		const struct store_ban ban = {
				.whom = (const char *)sqlite3_column_text(statement, 0),
				.made_ms = sqlite3_column_int64(statement, 1),
				.until_ms = sqlite3_column_int64(statement, 2),
				.why = (const char *)sqlite3_column_text(statement, 3),
		};

		store_ban_list_add(ret_bans, &ban);
	}
	if (!statement_end(db, statement, result)) {
		store_ban_list_fini(ret_bans);
		return STORE_NOT_READABLE;
	}
	return STORE_FOUND;
}

/* Games. */

static int64_t game_read(sqlite3_stmt *statement, int64_t ret_ids[2], struct store_game_copy *ret)
{
	bool is_rated = sqlite3_column_type(statement, 14) != SQLITE_NULL;
	const struct store_game game = {
			.room = column_text(statement, 1),
			.is_private = sqlite3_column_int(statement, 4) != 0,
			.started_ms = sqlite3_column_int64(statement, 5),
			.ended_ms = sqlite3_column_int64(statement, 6),
			.result = column_text(statement, 7),
			.record = column_text(statement, 8),
			.ended_seq = sqlite3_column_int64(statement, 9),
			.x_key = (const char *)sqlite3_column_text(statement, 10),
			.o_key = (const char *)sqlite3_column_text(statement, 11),
			.has_clock = sqlite3_column_type(statement, 12) != SQLITE_NULL,
			.left_ms = {sqlite3_column_int64(statement, 12),
					sqlite3_column_int64(statement, 13)},
			.is_rated = is_rated,
			.rated_ids = {is_rated ? sqlite3_column_int64(statement, 2) : 0,
					is_rated ? sqlite3_column_int64(statement, 3) : 0},
			.ahead = sqlite3_column_int(statement, 14),
	};

	ret_ids[0] = sqlite3_column_int64(statement, 2);
	ret_ids[1] = sqlite3_column_int64(statement, 3);
	store_game_copy_init(ret, &game);
	return sqlite3_column_int64(statement, 0);
}

static bool game_player_read(struct db *db, int64_t id, int seat, struct store_game_copy *ret_game)
{
	sqlite3_stmt *statement = db->statements[DB_PLAYER_BY_ID];
	enum store_found found;

	sqlite3_bind_int64(statement, 1, id);
	found = player_read(db, statement, &ret_game->players[seat]);
	ret_game->has_player[seat] = found == STORE_FOUND;
	return found != STORE_NOT_READABLE;
}

static enum store_found game_load(
		struct db *db, const char *room, int64_t *ret_n, struct store_game_copy *ret_game)
{
	sqlite3_stmt *statement = db->statements[DB_GAME];
	int64_t ids[2] = {0, 0};
	int result;

	sqlite3_bind_text(statement, 1, room, -1, SQLITE_STATIC);
	result = sqlite3_step(statement);
	if (result == SQLITE_ROW) {
		*ret_n = game_read(statement, ids, ret_game);
	}
	if (!statement_end(db, statement, result)) {
		return STORE_NOT_READABLE;
	}
	if (result != SQLITE_ROW) {
		return STORE_ABSENT;
	}
	if (!game_player_read(db, ids[0], 0, ret_game) ||
			!game_player_read(db, ids[1], 1, ret_game)) {
		store_game_copy_fini(ret_game);
		return STORE_NOT_READABLE;
	}
	return STORE_FOUND;
}

enum store_found db_load_game_row(struct db *db, const char *room, struct store_game_copy *ret_game)
{
	int64_t n;

	return game_load(db, room, &n, ret_game);
}

enum store_found db_load_game(struct db *db, const char *room, struct store_game_copy *ret_game)
{
	int64_t n = 0;
	enum store_found found = game_load(db, room, &n, ret_game);

	if (found == STORE_FOUND && !events_read(db, DB_EVENTS_LEFT, n, ret_game->game.ended_seq,
						    &ret_game->lines)) {
		store_game_copy_fini(ret_game);
		return STORE_NOT_READABLE;
	}
	return found;
}
