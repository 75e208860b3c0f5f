/* How bots choose: of all legal actions those of the highest rank, and one of these by chance. */
#include "server/solver/glance.h"
#include "server/solver/solver.h"

#include <assert.h>

enum { GOOD_SEES = 2 };

struct choice {
	struct solver *solver;
	const struct rules_state *state;
	const atomic_bool *cancel;
	enum rules_player player;
};

/* What an action leaves the opponent with. */
struct snare {
	int right;  /* actions that keep what he has; if he has none to take: more than any */
	int losing; /* actions that lose */
	int all;
};

static const struct snare no_snare = {.right = RULES_ACTIONS_MAX + 1, .losing = 0, .all = 1};

static bool find_snare(struct choice choice, struct snare *ret_snare);

/* Evenly one of `count`, but for 2^-32. */
static int draw(uint32_t random, int count)
{
	return (int)((uint64_t)random * (uint64_t)count >> 32);
}

static int compare_snares(const struct snare *one, const struct snare *other)
{
	if (one->right != other->right) {
		return other->right - one->right;
	}
	return one->losing * other->all - other->losing * one->all;
}

static int best_of(const struct solver_each *each, enum rules_player player)
{
	int best = each->half_points[0];

	for (int i = 1; i < each->count; i++) {
		int value = each->half_points[i];

		if (player == RULES_X ? value > best : value < best) {
			best = value;
		}
	}
	return best;
}

static struct snare count_answers(const struct solver_each *each, enum rules_player opponent)
{
	struct snare snare = {.all = each->count};
	int best = best_of(each, opponent);

	for (int i = 0; i < each->count; i++) {
		int value = each->half_points[i];

		snare.right += value == best;
		snare.losing += opponent == RULES_X ? value < 0 : value > 0;
	}
	return snare;
}

/* Keeps, of the actions that keep the player's value, those with the best snare.
 * NOLINTNEXTLINE(misc-no-recursion): see find_snare. */
static bool keep_perfect(
		struct choice choice, struct solver_each *ret_kept, struct snare *ret_snare)
{
	struct solver_each each;
	int best;
	int count = 0;

	if (!solver_each(choice.solver, choice.state, choice.cancel, &each)) {
		return false;
	}
	best = best_of(&each, choice.player);
	for (int i = 0; i < each.count; i++) {
		struct rules_state after = *choice.state;
		struct choice next = choice;
		struct snare snare;
		int order;

		if (each.half_points[i] != best) {
			continue;
		}
		rules_apply(&after, choice.player, &each.action[i]);
		next.state = &after;
		if (!find_snare(next, &snare)) {
			return false;
		}
		order = count == 0 ? 1 : compare_snares(&snare, ret_snare);
		if (order > 0) {
			*ret_snare = snare;
			count = 0;
		}
		if (order >= 0) {
			ret_kept->action[count++] = each.action[i];
		}
	}
	ret_kept->count = count;
	return true;
}

/* The snare in a position that the player has just made. He who measures also makes the next move,
 * so what he sets is the best that he can set by that.
 * NOLINTNEXTLINE(misc-no-recursion): a measurement is followed by a move, so it is two deep. */
static bool find_snare(struct choice choice, struct snare *ret_snare)
{
	enum rules_player turn = rules_turn(choice.state);
	struct solver_each each;

	*ret_snare = no_snare;
	if (turn == RULES_NOBODY) {
		return true;
	}
	if (turn == choice.player) {
		return keep_perfect(choice, &each, ret_snare);
	}
	if (!solver_each(choice.solver, choice.state, choice.cancel, &each)) {
		return false;
	}
	*ret_snare = count_answers(&each, turn);
	return true;
}

static void keep_good(struct choice choice, struct solver_each *ret_kept)
{
	struct rules_action actions[RULES_ACTIONS_MAX];
	int all = rules_legal(choice.state, actions);
	int best = 0;
	int count = 0;

	for (int i = 0; i < all; i++) {
		struct rules_state after = *choice.state;
		int value;

		rules_apply(&after, choice.player, &actions[i]);
		value = glance_ahead(&after, GOOD_SEES - 1);
		value = choice.player == RULES_X ? value : -value;
		if (count == 0 || value > best) {
			best = value;
			count = 0;
		}
		if (value == best) {
			ret_kept->action[count++] = actions[i];
		}
	}
	ret_kept->count = count;
}

bool solver_choose(struct solver *solver, const struct rules_state *state,
		const struct solver_bot *bot, const atomic_bool *cancel,
		struct rules_action *ret_action)
{
	struct choice choice = {.solver = solver,
			.state = state,
			.cancel = cancel,
			.player = rules_turn(state)};
	uint32_t high = (uint32_t)(bot->random >> 32);
	uint32_t low = (uint32_t)bot->random;
	struct solver_each kept;
	struct snare snare;

	assert(choice.player != RULES_NOBODY);
	kept.count = rules_legal(state, kept.action);
	if (bot->level == SOLVER_PERFECT && !keep_perfect(choice, &kept, &snare)) {
		return false;
	}
	if (bot->level == SOLVER_GOOD && draw(high, SOLVER_GOOD_SLIP) != 0) {
		keep_good(choice, &kept);
	}
	*ret_action = kept.action[draw(low, kept.count)];
	return true;
}
