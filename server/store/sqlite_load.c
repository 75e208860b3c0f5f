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

enum store_found db_find_room(struct db *db, const char *room)
{
	int64_t n;
	int64_t whole_from;

	return room_find(db, room, &n, &whole_from);
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
	/* The first event is never dropped. */
	const int64_t known = after_seq < 1 ? 1 : after_seq;
	enum store_found found = room_find(db, room, &n, &whole_from);

	if (found == STORE_FOUND && !events_read(db, DB_EVENTS, n, after_seq, ret_lines)) {
		found = STORE_NOT_READABLE;
	}
	return found == STORE_FOUND && known < whole_from - 1 ? STORE_DROPPED : found;
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

static void player_columns_read(sqlite3_stmt *statement, struct store_player_copy *ret_player)
{
	struct store_player *player = &ret_player->player;
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

static enum store_found player_read(
		struct db *db, sqlite3_stmt *statement, struct store_player_copy *ret_player)
{
	int result = sqlite3_step(statement);

	if (result == SQLITE_ROW) {
		player_columns_read(statement, ret_player);
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
				.whom = column_text(statement, 0),
				.made_ms = sqlite3_column_int64(statement, 1),
				.until_ms = sqlite3_column_int64(statement, 2),
				.why = column_text(statement, 3),
		};

		store_ban_list_add(ret_bans, &ban);
	}
	if (!statement_end(db, statement, result)) {
		store_ban_list_fini(ret_bans);
		return STORE_NOT_READABLE;
	}
	return STORE_FOUND;
}

/* Games: the columns are GAME_COLUMNS of sqlite_schema.c, and after them the room's number. */
#define GAME_ROOM_COLUMN 17

static void game_read(sqlite3_stmt *statement, int64_t ret_ids[2], struct store_game_copy *ret)
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
			.base_ms = sqlite3_column_int64(statement, 15),
			.increment_ms = sqlite3_column_int64(statement, 16),
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
	ret->place = sqlite3_column_int64(statement, 0);
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
		game_read(statement, ids, ret_game);
		*ret_n = sqlite3_column_int64(statement, GAME_ROOM_COLUMN);
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

/* Rows are read to the end before their players are looked up, whose ids are kept meanwhile. */
static bool games_read(struct db *db, sqlite3_stmt *statement, int64_t (*ret_ids)[2],
		struct store_game_list *ret_games)
{
	int result;

	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		size_t at = ret_games->count;

		game_read(statement, ret_ids[at], store_game_list_add(ret_games));
	}
	return statement_end(db, statement, result);
}

/* The player of an earlier seat of the list, if he is the same: most of a player's games have him.
 */
static const struct store_player_copy *games_player_known(
		const int64_t (*ids)[2], const struct store_game_list *games, size_t seats)
{
	int64_t id = ids[seats / 2][seats % 2];

	for (size_t i = 0; i < seats; i++) {
		if (ids[i / 2][i % 2] == id && games->games[i / 2].has_player[i % 2]) {
			return &games->games[i / 2].players[i % 2];
		}
	}
	return NULL;
}

static bool games_players_read(
		struct db *db, const int64_t (*ids)[2], struct store_game_list *ret_games)
{
	bool readable = true;

	for (size_t i = 0; readable && i < 2 * ret_games->count; i++) {
		const struct store_player_copy *known = games_player_known(ids, ret_games, i);
		struct store_game_copy *game = &ret_games->games[i / 2];

		if (known == NULL) {
			readable = game_player_read(db, ids[i / 2][i % 2], (int)(i % 2), game);
		} else {
			store_player_copy_init(&game->players[i % 2], &known->player);
			game->has_player[i % 2] = true;
		}
	}
	return readable;
}

static void query_bind(sqlite3_stmt *statement, const struct store_games_query *query)
{
	sqlite3_bind_int64(statement, 1, query->after == 0 ? INT64_MAX : query->after);
	/* One more tells whether there are more. */
	sqlite3_bind_int64(statement, 2, (int64_t)query->limit + 1);
	if (query->key != NULL) {
		sqlite3_bind_text(statement, 3, query->key, -1, SQLITE_STATIC);
	} else if (query->player != 0) {
		sqlite3_bind_int64(statement, 3, query->player);
	}
}

enum store_found db_load_games(struct db *db, const struct store_games_query *query,
		struct store_game_list *ret_games)
{
	enum db_statement which = query->key != NULL   ? DB_GAMES_OF_KEY
				  : query->player != 0 ? DB_GAMES_OF
						       : DB_GAMES;
	int64_t ids[STORE_GAMES_MAX + 1][2] = {0};

	query_bind(db->statements[which], query);
	bool readable = games_read(db, db->statements[which], ids, ret_games);
	store_game_list_cut(ret_games, query->limit);
	if (!readable || !games_players_read(db, (const int64_t(*)[2])ids, ret_games)) {
		store_game_list_fini(ret_games);
		return STORE_NOT_READABLE;
	}
	return STORE_FOUND;
}

enum store_found db_load_games_after(
		struct db *db, int64_t place, struct store_game_list *ret_games)
{
	sqlite3_stmt *statement = db->statements[DB_GAMES_AFTER];
	int64_t ids[STORE_GAMES_MAX][2] = {0};

	sqlite3_bind_int64(statement, 1, place);
	sqlite3_bind_int64(statement, 2, STORE_GAMES_MAX);
	if (!games_read(db, statement, ids, ret_games) ||
			!games_players_read(db, (const int64_t(*)[2])ids, ret_games)) {
		store_game_list_fini(ret_games);
		return STORE_NOT_READABLE;
	}
	return STORE_FOUND;
}

enum store_found db_load_top(
		struct db *db, int64_t day, size_t limit, struct store_player_list *ret_players)
{
	sqlite3_stmt *statement = db->statements[DB_TOP];
	int result;

	sqlite3_bind_int64(statement, 1, day);
	sqlite3_bind_int64(statement, 2, (int64_t)limit);
	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		player_columns_read(statement, store_player_list_add(ret_players));
	}
	if (!statement_end(db, statement, result)) {
		store_player_list_fini(ret_players);
		return STORE_NOT_READABLE;
	}
	return STORE_FOUND;
}
