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
	SEARCH_BEST = 4,  /* X's 2-0 */
	SEARCH_POLL = 512 /* positions between two looks at the flag, and two rests */
};

struct search {
	struct board board;
	struct table table;
	uint64_t nodes;		   /* positions looked at, ever */
	const atomic_bool *cancel; /* or NULL; may be set by another thread */
	void (*rest)(void);	   /* or NULL */
	bool stopped;		   /* it was set: what is returned means nothing */
	bool exact;		   /* for tests: the same two squares may not be taken twice */
};

/* The value of a position whose game is not over. */
int search_value(struct search *search, const struct position *position);

#endif
