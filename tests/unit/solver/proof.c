#include "tests/unit/solver/proof.h"

#include <assert.h>

#include "tests/unit/solver/minimax.h"
#include "tests/unit/solver/positions.h"

enum { WORST = -99 };

struct board {
	struct rules_state state;
	struct slow_game game;
	struct slow_view view;
	struct rules_action opening;
};

/* Ishizeki and Matsuura 2010; Kumar, Ang and Huang 2011: X gets half a point, by 1-9 and 3-7
 * alone. Returns false for other positions than the start and those after a move. */
static bool published_value(const struct board *board, int *ret_half_points)
{
	const int *squares = board->opening.squares;

	if (board->game.count == 0) {
		*ret_half_points = 1;
		return true;
	}
	if (board->game.count > 1) {
		return false;
	}
	*ret_half_points = (squares[0] == 1 && squares[1] == 9) ||
			   (squares[0] == 3 && squares[1] == 7);
	return true;
}

/* A judged player is given the position. */
static void judge(const struct board *board, double games_most, struct proof_game *game)
{
	int value;

	if (!published_value(board, &value)) {
		if (minimax_games(&board->view) > games_most) {
			return;
		}
		value = minimax_value(&board->game);
		game->judged++;
		game->earliest = board->view.move < game->earliest ? board->view.move
								   : game->earliest;
	}
	if (board->view.turn == 'X' && value > game->least) {
		game->least = value;
	}
	if (board->view.turn == 'O' && value < game->most) {
		game->most = value;
	}
}

/* Do it in both models of the game. */
static void board_do(struct board *board, const struct rules_action *action)
{
	char turn = board->view.turn;
	bool done = action->kind == RULES_MEASURE
				    ? slow_measure(&board->game, turn, NULL, action->squares[0])
				    : slow_place(&board->game, turn, action->squares[0],
						      action->squares[1]);

	assert(done);
	(void)done;
	position_do(&board->state, action);
	if (board->game.count == 1) {
		board->opening = *action;
	}
	slow_look(&board->game, &board->view);
}

void proof_play(struct solver *solver, const struct proof_match *match, uint64_t *random,
		struct proof_game *ret_game)
{
	struct board board;

	rules_start(&board.state);
	slow_start(&board.game);
	slow_look(&board.game, &board.view);
	*ret_game = (struct proof_game){.earliest = 10, .least = WORST, .most = -WORST};
	while (board.view.phase != SLOW_OVER) {
		enum rules_player player = board.view.turn == 'X' ? RULES_X : RULES_O;
		struct solver_bot bot = {
				.level = match->level[player], .random = random_next(random)};
		struct rules_action action;

		if (match->judged[player]) {
			judge(&board, match->games_most, ret_game);
		}
		solver_choose(solver, &board.state, &bot, NULL, &action);
		board_do(&board, &action);
	}
	ret_game->score = board.view.half_points_x - board.view.half_points_o;
}

bool proof_holds(const struct proof_game *game)
{
	return game->score >= game->least && game->score <= game->most;
}
