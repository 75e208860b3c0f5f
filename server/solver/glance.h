/* How a position looks to somebody who does not search: for bots that can be beaten.
 */
#ifndef SOLVER_GLANCE_H
#define SOLVER_GLANCE_H

#include "server/game/rules.h"

/* The best for X (or O, with the sign turned) that can be seen `depth` actions ahead: a score far
 * outweighs everything else; else it is who has more marks on lines that are not closed to him. */
int glance_ahead(const struct rules_state *state, int depth);

#endif
