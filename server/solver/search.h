/* The exact value of a position. search.c tells how.
 *
 * Values are in half points for who is to move: his less the other's. One search is used by one
 * thread at a time.
 */
#ifndef SOLVER_SEARCH_H
#define SOLVER_SEARCH_H

#include "server/solver/position.h"
#include "server/solver/table.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	SEARCH_BEST = 4,   /* X's 2-0 */
	SEARCH_POLL = 4096 /* positions between two looks at the flag */
};

struct search {
	struct place_tables tables;
	struct table table;
	uint64_t nodes;		   /* positions looked at, ever */
	const atomic_bool *cancel; /* or NULL; may be set by another thread */
	bool stopped;		   /* it was set: what is returned means nothing */
	bool exact;		   /* for tests: the same two squares may not be taken twice */
};

/* The value of a position, if it is above `alpha` and below `beta`; else something on the same side
 * of that bound. */
int search_value(struct search *search, const struct position *position, int alpha, int beta);

/* The value for who is to move of the next mark's going to `square` in a measurement, bounds as
 * above. It is he whose mark it is, not he who chooses. */
int search_settled(struct search *search, const struct position *position, int square, int alpha,
		int beta);

#endif
