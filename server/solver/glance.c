#include "server/solver/glance.h"

enum { PER_HALF_POINT = 1000, CLASSICAL = 4, SPOOKY_MOST = 2, WORST = 100 * PER_HALF_POINT };

static const uint8_t lines[8][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8},
		{3, 6, 9}, {1, 5, 9}, {3, 5, 7}};

static int sign_of(int mark)
{
	return rules_owner(mark) == RULES_X ? 1 : -1;
}

/* By whose marks each square is held: X's positive. */
static void weigh_squares(const struct rules_state *state, int ret_weights[10])
{
	for (int square = 1; square <= 9; square++) {
		ret_weights[square] = 0;
	}
	for (int mark = 1; mark <= state->moves; mark++) {
		ret_weights[state->ends[mark][0]] += sign_of(mark);
		ret_weights[state->ends[mark][1]] += sign_of(mark);
	}
	for (int square = 1; square <= 9; square++) {
		int *weight = &ret_weights[square];

		if (state->classical[square] != 0) {
			*weight = CLASSICAL * sign_of(state->classical[square]);
		} else if (*weight > SPOOKY_MOST) {
			*weight = SPOOKY_MOST;
		} else if (*weight < -SPOOKY_MOST) {
			*weight = -SPOOKY_MOST;
		}
	}
}

/* Nobody can complete a line with classical marks of both. */
static bool is_closed(const struct rules_state *state, const uint8_t squares[3])
{
	bool has[3] = {false};

	for (int i = 0; i < 3; i++) {
		has[rules_owner(state->classical[squares[i]])] = true;
	}
	return has[RULES_X] && has[RULES_O];
}

static int weigh(const struct rules_state *state)
{
	int weights[10];
	int total = 0;
	int x;
	int o;

	if (rules_phase(state) == RULES_OVER) {
		rules_score(state, &x, &o);
		return (x - o) * PER_HALF_POINT;
	}
	weigh_squares(state, weights);
	for (int i = 0; i < 8; i++) {
		if (!is_closed(state, lines[i])) {
			total += weights[lines[i][0]] + weights[lines[i][1]] + weights[lines[i][2]];
		}
	}
	return total;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as was asked. */
int glance_ahead(const struct rules_state *state, int depth)
{
	enum rules_player player = rules_turn(state);
	struct rules_action actions[RULES_ACTIONS_MAX];
	int sign = player == RULES_X ? 1 : -1;
	int best = -WORST;
	int count;

	if (depth == 0 || player == RULES_NOBODY) {
		return weigh(state);
	}
	count = rules_legal(state, actions);
	for (int i = 0; i < count; i++) {
		struct rules_state after = *state;
		int value;

		rules_apply(&after, player, &actions[i]);
		value = sign * glance_ahead(&after, depth - 1);
		best = value > best ? value : best;
	}
	return sign * best;
}
