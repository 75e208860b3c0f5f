/* What a database has of ratings, against what its games make of them. */
#ifndef STORE_SQLITE_RATINGS_H
#define STORE_SQLITE_RATINGS_H

#include <sqlite3.h>

#include "server/play/ports.h"

/* A player whose rating is not what his games make it. */
typedef void sqlite_ratings_fn(void *arg, const char *key, const struct store_rating *stored,
		const struct store_rating *calculated);

/* Calculate all ratings from the games that counted, in the order in which they ended, and call
 * `differs` for each player who has another one. Only reads; a transaction around it keeps others
 * from writing between. Returns SQLITE_OK, with how many games and players there were, or SQLite's
 * code. */
int sqlite_ratings_check(sqlite3 *handle, store_rate_fn *rate, sqlite_ratings_fn *differs,
		void *arg, int64_t *ret_games, int64_t *ret_players);

#endif
