/* Ratings calculated again from the games that counted, in memory. */
#ifndef STORE_RATINGS_H
#define STORE_RATINGS_H

#include "server/ops/map.h"
#include "server/play/ports.h"

struct store_ratings {
	struct map by_id;
};

void store_ratings_init(struct store_ratings *ratings);
void store_ratings_fini(struct store_ratings *ratings);

/* The next game, in the order in which they were stored. */
void store_ratings_add(struct store_ratings *ratings, const int64_t ids[2], int ahead,
		int64_t ended_ms, store_rate_fn *rate);

/* Of a player, by his id; zeroed if none of the games was his. */
struct store_rating store_ratings_find(const struct store_ratings *ratings, int64_t id);

bool store_rating_same(const struct store_rating *a, const struct store_rating *b);

#endif
