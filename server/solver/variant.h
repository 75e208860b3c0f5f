/* For tests: a game whose value has been published too. */
#ifndef SOLVER_VARIANT_H
#define SOLVER_VARIANT_H

#include "server/solver/solver.h"

/* From now on the two squares of a mark that is spooky may not both be taken again; who has no pair
 * left ends the game without points. Only for a solver that has not been asked yet, and only for
 * solver_value. */
void solver_forbid_repeats(struct solver *solver);

#endif
