/* Every sequence of actions from the start, counted and compared with the known numbers: one rule
 * that is off anywhere early in the game changes them. */
#include "server/game/rules.h"
#include "tests/unit/game/cmocka_all.h"

static void apply_legal(struct rules_state *state, const struct rules_action *action)
{
	assert_int_equal(rules_apply(state, rules_turn(state), action), RULES_FINE);
}

/* Do every action, the last one too.
 * NOLINTNEXTLINE(misc-no-recursion): as deep as `depth`. */
static uint64_t count_by_doing(const struct rules_state *state, int depth)
{
	struct rules_action actions[RULES_ACTIONS_MAX];
	uint64_t total = 0;
	int count;

	if (depth == 0) {
		return 1;
	}
	count = rules_legal(state, actions);
	for (int i = 0; i < count; i++) {
		struct rules_state next = *state;

		apply_legal(&next, &actions[i]);
		total += count_by_doing(&next, depth - 1);
	}
	return total;
}

/* Trust rules_legal for the last action, which count_by_doing has found to be right.
 * NOLINTNEXTLINE(misc-no-recursion): as deep as `depth`. */
static uint64_t count_by_legal(const struct rules_state *state, int depth)
{
	struct rules_action actions[RULES_ACTIONS_MAX];
	int count = rules_legal(state, actions);
	uint64_t total = 0;

	if (depth == 1) {
		return (uint64_t)count;
	}
	for (int i = 0; i < count; i++) {
		struct rules_state next = *state;

		apply_legal(&next, &actions[i]);
		total += count_by_legal(&next, depth - 1);
	}
	return total;
}

static void sequences_up_to_four_actions_are_as_many_as_known(void **unused)
{
	static const uint64_t known[] = {1, 36, 1296, 45432, 1531656};
	struct rules_state state;

	(void)unused;
	rules_start(&state);
	for (int depth = 0; depth <= 4; depth++) {
		assert_int_equal(count_by_doing(&state, depth), known[depth]);
	}
}

static void sequences_of_five_actions_are_as_many_as_known(void **unused)
{
	struct rules_state state;

	(void)unused;
	rules_start(&state);
	assert_int_equal(count_by_legal(&state, 5), 48684888);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(sequences_up_to_four_actions_are_as_many_as_known),
			cmocka_unit_test(sequences_of_five_actions_are_as_many_as_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
