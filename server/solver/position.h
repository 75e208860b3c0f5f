/* A position as the search sees it: only what the rest of the game depends on, and so that what is
 * alike becomes the same. It is always somebody's move here; a measurement that is due is the
 * chooser's pick of two such positions. position.c proves that nothing is lost.
 */
#ifndef SOLVER_POSITION_H
#define SOLVER_POSITION_H

#include "server/game/rules.h"
#include "server/solver/board.h"

#include <stdbool.h>
#include <stdint.h>

/* What is left of a mark's subscript: in the order of the times of lines that it makes. */
enum position_colour {
	POSITION_X5, /* X1, X3, X5 */
	POSITION_O6, /* O2, O4, O6 */
	POSITION_X7,
	POSITION_O8,
	POSITION_X9,
	POSITION_COLOURS,
	POSITION_SPOOKY_COLOURS = POSITION_X9, /* X9 isn't spooky when a move is due */
	POSITION_EARLY_COLOURS = POSITION_X7
};

/* Up to so many moves a position has a name. */
enum { POSITION_NAMED_MOVES = 6 };

struct position {
	uint8_t moves;
	uint16_t open;			      /* squares without a classical mark */
	uint16_t classical[POSITION_COLOURS]; /* squares, by the colour of their mark */
	/* Of open squares: those that marks of one colour connect it with, and itself; those that
	 * any marks connect it with (its entanglement). */
	uint16_t group[POSITION_SPOOKY_COLOURS][BOARD_SQUARES];
	uint16_t entangled[BOARD_SQUARES];
	/* For the name: all pairs of squares that are in one group. Read exactly, only pairs of
	 * squares that a mark is in; then the squares that X7 and O8 are in count too. */
	uint64_t pairs[POSITION_SPOOKY_COLOURS];
};

/* Positions with the same name have the same value for who is to move, and the same number of
 * moves made. 45 bits each. */
struct position_name {
	uint64_t half[2];
};

/* The classical marks after a measurement, as in struct position. */
struct position_outcome {
	uint16_t classical[POSITION_COLOURS];
};

/* The colour of the next mark. Not for a position with nine marks. */
enum position_colour position_next_colour(const struct position *position);

/* All marks of `state` but the last, if that closed a cycle. `exact`: remember just which squares
 * a spooky mark is in, as only the game without repeated pairs needs it. */
void position_read(struct position *ret_position, const struct board *board,
		const struct rules_state *state, bool exact);

/* The next mark, spooky in squares of different entanglements. */
void position_link(struct position *position, const struct board *board, int one, int other,
		bool exact);

/* The next mark becomes classical in `square`, with all that this forces: so a measurement ends,
 * and so the last square is taken. First what that would give, then to do it. */
void position_measure(
		const struct position *position, int square, struct position_outcome *ret_outcome);
void position_settle(struct position *position, const struct board *board, int square,
		const struct position_outcome *outcome);

/* Is the game over with these classical marks? If so, X's half points less O's. */
bool position_is_over(
		const struct position_outcome *outcome, const struct board *board, int *ret_score);

/* The least name among the position's eight images. For at most POSITION_NAMED_MOVES. */
struct position_name position_name(const struct position *position, const struct board *board);

#endif
