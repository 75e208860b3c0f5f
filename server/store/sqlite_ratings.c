#include "server/store/sqlite_ratings.h"

#include "server/store/ratings.h"

/* Numbers are given out in the order in which games are stored. */
static const char games_sql[] =
		"SELECT x, o, ahead, ended_ms FROM games WHERE ahead IS NOT NULL ORDER BY n";
static const char players_sql[] =
		"SELECT id, key, games, wins, draws, losses, rating_milli, deviation_milli,"
		" volatility_nano, rating_day, settled_day FROM players";

static int games_read(sqlite3 *handle, struct store_ratings *ratings, store_rate_fn *rate,
		int64_t *ret_games)
{
	sqlite3_stmt *statement;
	int result = sqlite3_prepare_v2(handle, games_sql, -1, &statement, NULL);

	if (result != SQLITE_OK) {
		return result;
	}
	*ret_games = 0;
	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		const int64_t ids[2] = {sqlite3_column_int64(statement, 0),
				sqlite3_column_int64(statement, 1)};

		store_ratings_add(ratings, ids, sqlite3_column_int(statement, 2),
				sqlite3_column_int64(statement, 3), rate);
		*ret_games += 1;
	}
	sqlite3_finalize(statement);
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

static struct store_rating rating_read(sqlite3_stmt *statement)
{
	return (struct store_rating){
			.games = sqlite3_column_int64(statement, 2),
			.wins = sqlite3_column_int64(statement, 3),
			.draws = sqlite3_column_int64(statement, 4),
			.losses = sqlite3_column_int64(statement, 5),
			.milli = sqlite3_column_int64(statement, 6),
			.deviation_milli = sqlite3_column_int64(statement, 7),
			.volatility_nano = sqlite3_column_int64(statement, 8),
			.day = sqlite3_column_int64(statement, 9),
			.settled_day = sqlite3_column_int64(statement, 10),
	};
}

static int players_compare(sqlite3 *handle, const struct store_ratings *ratings,
		sqlite_ratings_fn *differs, void *arg, int64_t *ret_players)
{
	sqlite3_stmt *statement;
	int result = sqlite3_prepare_v2(handle, players_sql, -1, &statement, NULL);

	if (result != SQLITE_OK) {
		return result;
	}
	*ret_players = 0;
	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		const struct store_rating stored = rating_read(statement);
		const struct store_rating calculated =
				store_ratings_find(ratings, sqlite3_column_int64(statement, 0));

		if (!store_rating_same(&stored, &calculated)) {
			differs(arg, (const char *)sqlite3_column_text(statement, 1), &stored,
					&calculated);
		}
		*ret_players += 1;
	}
	sqlite3_finalize(statement);
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

int sqlite_ratings_check(sqlite3 *handle, store_rate_fn *rate, sqlite_ratings_fn *differs,
		void *arg, int64_t *ret_games, int64_t *ret_players)
{
	struct store_ratings ratings;

	store_ratings_init(&ratings);
	int result = games_read(handle, &ratings, rate, ret_games);
	if (result == SQLITE_OK) {
		result = players_compare(handle, &ratings, differs, arg, ret_players);
	}
	store_ratings_fini(&ratings);
	return result;
}
