/* Plain minimax over the slow model of the rules, to judge the solver by: shares nothing with it,
 * remembers nothing, leaves nothing out. */
#ifndef TEST_MINIMAX_H
#define TEST_MINIMAX_H

#include "tests/unit/game/slow_model.h"

/* What a position is worth: X's half points less O's. */
int minimax_value(const struct slow_game *game);

/* The view's i-th legal action, done to a copy of its game. */
struct slow_game minimax_after(const struct slow_game *game, const struct slow_view *view, int i);

/* About how many games minimax has to play out from here. */
double minimax_games(const struct slow_view *view);

#endif
