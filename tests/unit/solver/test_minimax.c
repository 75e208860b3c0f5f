/* The solver against plain minimax over the slow model of the rules: nothing is shared, nothing is
 * remembered, nothing is left out. Positions are random, as early as minimax can bear. */
#include "server/solver/solver.h"
#include "tests/unit/game/cmocka_all.h"
#include "tests/unit/game/random.h"
#include "tests/unit/game/slow_model.h"

/* Games that minimax may have to play out, about, from a position: for most, and for one in
 * LARGE_SHARE of them. As many as asked for have at most FEW_OPEN open squares, others come on top.
 */
enum { GAMES = 1000, GAMES_LARGE = 30000, LARGE_SHARE = 400, FEW_OPEN = 6 };

struct pair_of_games {
	struct rules_state state;
	struct slow_game game;
	struct slow_view view;
};

/* The slow model's i-th legal action, done to a copy. */
static struct slow_game slow_after(
		const struct slow_game *game, const struct slow_view *view, int i)
{
	struct slow_game after = *game;
	bool done;

	if (view->phase == SLOW_COLLAPSE) {
		done = slow_measure(&after, view->turn, NULL, view->legal[i][0]);
	} else {
		done = slow_place(&after, view->turn, view->legal[i][0], view->legal[i][1]);
	}
	assert_true(done);
	return after;
}

/* X's half points less O's. NOLINTNEXTLINE(misc-no-recursion): as deep as a game is long. */
static int minimax(const struct slow_game *game)
{
	struct slow_view view;
	int best = 0;

	slow_look(game, &view);
	if (view.phase == SLOW_OVER) {
		return view.half_points_x - view.half_points_o;
	}
	for (int i = 0; i < view.legal_count; i++) {
		struct slow_game after = slow_after(game, &view, i);
		int value = minimax(&after);

		if (i == 0 || (view.turn == 'X' ? value > best : value < best)) {
			best = value;
		}
	}
	return best;
}

/* How long minimax would take: each mark to come may be in any pair of the squares still open. */
static double count_games(const struct slow_view *view)
{
	int open = 0;
	double games = 1;

	for (int square = 1; square <= 9; square++) {
		open += view->classical[square] == NULL;
	}
	if (view->phase == SLOW_COLLAPSE) {
		open -= view->cycle_count;
	}
	for (int mark = view->phase == SLOW_COLLAPSE ? view->move + 1 : view->move; mark <= 9;
			mark++) {
		games *= open * (open - 1) / 2.0 + 1;
	}
	return games;
}

static void do_random(struct pair_of_games *games, uint64_t *random)
{
	int i = random_below(random, games->view.legal_count);
	struct rules_action action = {
			.squares = {games->view.legal[i][0], games->view.legal[i][1]}};

	if (games->view.phase == SLOW_COLLAPSE) {
		action.kind = RULES_MEASURE;
	}
	games->game = slow_after(&games->game, &games->view, i);
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
			(count_games(&ret_games->view) > most_games || further-- > 0)) {
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
		struct slow_game after = slow_after(&games->game, view, i);

		value = minimax(&after);
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
