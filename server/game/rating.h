/* Ratings: Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013), on points.
 *
 * The convention. A rating period is a day, by UTC. A game is rated as soon as it ends, alone, so
 * that both see what it gave; but the deviation grows by the volatility only once for each day
 * begun, as it does in the paper for each period, idle ones included, and no further than a
 * newcomer's. The score of a game is 1/2 + (own - other's points) / 2, within 0 and 1: the half
 * point that X is worth when both play perfectly weighs half.
 *
 * A rating is settled while its deviation is below 110: after a score of games, and then for some
 * weeks without one.
 *
 * What is kept is whole numbers, rounded after each game, so that a second calculation from the
 * same games meets the first. Pure. */
#ifndef GAME_RATING_H
#define GAME_RATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RATING_START_MILLI 1500000
#define RATING_DEVIATION_MAX_MILLI 350000
#define RATING_SETTLED_BELOW_MILLI 110000
#define RATING_DAY_MS INT64_C(86400000)

struct rating {
	int64_t milli;		 /* thousandths of a point */
	int64_t deviation_milli; /* above 0 */
	int64_t volatility_nano; /* on the scale of the paper, 0.06 at first */
	int64_t day;		 /* of the last game, since 1970; 0: there was none */
};

/* One opponent of a period, and the score against him, 0..1. */
struct rating_opponent {
	int64_t milli;
	int64_t deviation_milli;
	double score;
};

/* A newcomer's. */
void rating_start(struct rating *ret);

/* With the deviation that it has on a later day on which no game was played yet: an earlier day, or
 * a player without a game, changes nothing. */
void rating_age(const struct rating *rating, int64_t day, struct rating *ret);

/* The last day on which it is settled if no game comes; 0: it is not even on the day of its last
 * game. */
int64_t rating_settled_until(const struct rating *rating);

/* The paper's steps 2 to 8 for the games of one period, at least one; `ends_period`: the deviation
 * grows by it. Keeps `day`. */
void rating_update(const struct rating *rating, const struct rating_opponent *opponents,
		size_t count, bool ends_period, struct rating *ret);

/* What one game that ended on a day makes of a player's rating, `half_points_ahead` being his half
 * points minus the other's. Both are as they were before the game; in a pair of calls neither sees
 * what the other gave. A day before that of his last game counts as that day. */
void rating_game(const struct rating *own, const struct rating *other, int half_points_ahead,
		int64_t day, struct rating *ret);

#endif
