/* What games make of ratings as they are stored: of one game, and of all of them once more. Knows
 * no room and no connection. */
#ifndef PLAY_RATING_BOOK_H
#define PLAY_RATING_BOOK_H

#include "server/game/rating.h"
#include "server/ops/map.h"
#include "server/play/ports.h"

/* A stored rating as the rules of rating have it: a newcomer's if no game was rated yet. */
struct rating rated_read(const struct store_rating *stored);

/* The rating in thousandths of a point. */
int64_t rated_milli(const struct store_rating *rating);

bool rated_same(const struct store_rating *a, const struct store_rating *b);

/* What a game makes of the ratings of X and O; `ahead` is how many half points X has more. */
void rated_game(const struct store_rating before[2], int ahead, int64_t ended_ms,
		struct store_rating ret_after[2]);

/* Everybody's ratings, calculated game by game. */
struct rating_book {
	struct map by_id;
};

void rating_book_init(struct rating_book *book);
void rating_book_fini(struct rating_book *book);

/* The next game of these two, X and O, in the order in which games were stored. */
void rating_book_add(struct rating_book *book, const int64_t ids[2], int ahead, int64_t ended_ms);

/* Of a player, by his id; zeroed if none of the games was his. */
struct store_rating rating_book_find(const struct rating_book *book, int64_t id);

#endif
