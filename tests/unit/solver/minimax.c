#include "tests/unit/solver/minimax.h"

#include <stddef.h>
#include <stdlib.h>

struct slow_game minimax_after(const struct slow_game *game, const struct slow_view *view, int i)
{
	struct slow_game after = *game;
	bool done;

	if (view->phase == SLOW_COLLAPSE) {
		done = slow_measure(&after, view->turn, NULL, view->legal[i][0]);
	} else {
		done = slow_place(&after, view->turn, view->legal[i][0], view->legal[i][1]);
	}
	if (!done) {
		abort();
	}
	return after;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as a game is long. */
int minimax_value(const struct slow_game *game)
{
	struct slow_view view;
	int best = 0;

	slow_look(game, &view);
	if (view.phase == SLOW_OVER) {
		return view.half_points_x - view.half_points_o;
	}
	for (int i = 0; i < view.legal_count; i++) {
		struct slow_game after = minimax_after(game, &view, i);
		int value = minimax_value(&after);

		if (i == 0 || (view.turn == 'X' ? value > best : value < best)) {
			best = value;
		}
	}
	return best;
}

/* Each mark to come may be in any pair of the squares still open. */
double minimax_games(const struct slow_view *view)
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
