/* Positions for tests of the solver. */
#ifndef TEST_POSITIONS_H
#define TEST_POSITIONS_H

#include <assert.h>

#include "server/game/rules.h"
#include "tests/unit/game/random.h"

/* Do what the rules allow; no test asks for anything else. */
static inline void position_do(struct rules_state *state, const struct rules_action *action)
{
	enum rules_refusal refusal = rules_apply(state, rules_turn(state), action);

	assert(refusal == RULES_FINE);
	(void)refusal;
}

static inline void position_place(struct rules_state *state, int one, int other)
{
	position_do(state, &(struct rules_action){.kind = RULES_PLACE, .squares = {one, other}});
}

/* After so many random actions from the start, fewer if the game is over then. */
static inline void position_random(uint64_t *random, int actions, struct rules_state *ret_state)
{
	struct rules_action legal[RULES_ACTIONS_MAX];

	rules_start(ret_state);
	for (int i = 0; i < actions && rules_phase(ret_state) != RULES_OVER; i++) {
		int count = rules_legal(ret_state, legal);

		position_do(ret_state, &legal[random_below(random, count)]);
	}
}

static inline int position_score(const struct rules_state *state)
{
	int x;
	int o;

	rules_score(state, &x, &o);
	return x - o;
}

#endif
