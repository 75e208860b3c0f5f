/* The solver against plain minimax. Positions are random, as early as minimax can bear. */
#include "server/solver/solver.h"
#include "tests/unit/game/cmocka_all.h"
#include "tests/unit/game/random.h"
#include "tests/unit/solver/minimax.h"

/* Games that minimax may have to play out, about, from a position: for most, and for one in
 * LARGE_SHARE of them. As many as asked for have at most FEW_OPEN open squares, others come on top.
 */
enum { GAMES = 1000, GAMES_LARGE = 30000, LARGE_SHARE = 400, FEW_OPEN = 6 };

struct pair_of_games {
	struct rules_state state;
	struct slow_game game;
	struct slow_view view;
};

static void do_random(struct pair_of_games *games, uint64_t *random)
{
	int i = random_below(random, games->view.legal_count);
	struct rules_action action = {
			.squares = {games->view.legal[i][0], games->view.legal[i][1]}};

	if (games->view.phase == SLOW_COLLAPSE) {
		action.kind = RULES_MEASURE;
	}
	games->game = minimax_after(&games->game, &games->view, i);
	assert_int_equal(
			rules_apply(&games->state, rules_turn(&games->state), &action), RULES_FINE);
	slow_look(&games->game, &games->view);
}

/* A random game's first position that is small enough, or one of those after it. */
static void find_position(uint64_t *random, double most_games, struct pair_of_games *ret_games)
{
	int further = random_below(random, 3);

	rules_start(&ret_games->state);
	slow_start(&ret_games->game);
	slow_look(&ret_games->game, &ret_games->view);
	while (ret_games->view.phase != SLOW_OVER &&
			(minimax_games(&ret_games->view) > most_games || further-- > 0)) {
		do_random(ret_games, random);
	}
}

static void compare(struct solver *solver, const struct pair_of_games *games)
{
	const struct slow_view *view = &games->view;
	struct solver_each each;
	int best = view->half_points_x - view->half_points_o;
	int value;

	assert_true(solver_each(solver, &games->state, NULL, &each));
	assert_int_equal(each.count, view->legal_count);
	for (int i = 0; i < view->legal_count; i++) {
		struct slow_game after = minimax_after(&games->game, view, i);

		value = minimax_value(&after);
		assert_int_equal(each.action[i].squares[0], view->legal[i][0]);
		assert_int_equal(each.half_points[i], value);
		if (i == 0 || (view->turn == 'X' ? value > best : value < best)) {
			best = value;
		}
	}
	assert_true(solver_value(solver, &games->state, NULL, &value));
	assert_int_equal(value, best);
}

static void every_action_is_worth_what_minimax_says(void **unused)
{
	uint64_t positions = number_from_environment("QTTT_POSITIONS", 5000);
	uint64_t random = random_seed();
	struct solver *solver = solver_new(SOLVER_TABLE_BYTES);
	uint64_t by_open[10] = {0};

	(void)unused;
	assert_true(positions > 0);
	assert_non_null(solver);
	for (uint64_t i = 0, few = 0; few < positions; i++) {
		bool large = i % LARGE_SHARE == LARGE_SHARE - 1;
		struct pair_of_games games;

		find_position(&random, large ? GAMES_LARGE : GAMES, &games);
		compare(solver, &games);
		by_open[rules_open_squares(&games.state)]++;
		few += rules_open_squares(&games.state) <= FEW_OPEN;
	}
	for (int i = 1; i < 10; i++) {
		printf("# %" PRIu64 " positions with %d open squares\n", by_open[i], i);
	}
	solver_free(solver);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(every_action_is_worth_what_minimax_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
