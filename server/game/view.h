/* A position of the rules as the wire's board. Seats are the rules' players under another name: one
 * is cast into the other. */
#ifndef GAME_VIEW_H
#define GAME_VIEW_H

#include <assert.h>

#include "protocol/message.h"
#include "server/game/rules.h"

static_assert((int)SEAT_NONE == (int)RULES_NOBODY && (int)SEAT_X == (int)RULES_X &&
				(int)SEAT_O == (int)RULES_O,
		"seats are the players");

/* The board of a position. `over` tells that the game ended, by the rules or otherwise (resigned,
 * aborted, …): then nobody must act and `move` is the last move made. */
void view_board(const struct rules_state *state, bool over, struct board *ret);

/* What a measurement gave, as the wire tells it. */
void view_measured(const struct rules_measured *measured, struct measured *ret);

/* The lines and score of a position into a result; reason, cause and scored are the caller's. */
void view_lines(const struct rules_state *state, struct result *result);

/* The error code of a refusal; CODE_NONE for RULES_FINE. */
enum code view_code(enum rules_refusal refusal);

#endif
