/* A position as the search sees it: only what the rest of the game depends on, and so that what is
 * alike becomes the same. It is always somebody's move here; a measurement that is due is the
 * chooser's pick of two such positions. position.c proves that nothing is lost.
 */
#ifndef SOLVER_POSITION_H
#define SOLVER_POSITION_H

#include "server/game/rules.h"
#include "server/solver/place.h"

#include <stdbool.h>
#include <stdint.h>

/* What is left of a mark's subscript. */
enum position_colour {
	POSITION_X5, /* X1, X3, X5 */
	POSITION_O6, /* O2, O4, O6 */
	POSITION_X7,
	POSITION_O8,
	POSITION_SPOOKY_COLOURS, /* no ninth mark is still spooky when a move is due */
	POSITION_X9 = POSITION_SPOOKY_COLOURS,
	POSITION_COLOURS
};

struct position {
	/* The name of the position, see position_name: of X5 and O6 the places that two squares
	 * of a group or a classical mark fill, of X7 and O8 the one place. */
	uint64_t places[2];
	uint8_t late[2];

	uint8_t moves;
	uint16_t open;			      /* squares without a classical mark */
	uint16_t classical[POSITION_COLOURS]; /* squares, by the colour of their mark */
	/* Of open squares: those that marks of one colour connect it with, and itself; those that
	 * any marks connect it with (its entanglement). */
	uint16_t group[POSITION_SPOOKY_COLOURS][PLACE_SQUARES];
	uint16_t entangled[PLACE_SQUARES];
};

/* Positions with the same name have the same value for who is to move, and the same number of
 * moves made. 51 bits each. */
struct position_name {
	uint64_t half[2];
};

/* The colour of the next mark. Not for a position with nine marks. */
enum position_colour position_next_colour(const struct position *position);

/* All marks of `state` but the last, if that closed a cycle. `exact`: remember just which squares
 * a spooky mark is in, as only the game without repeated pairs needs it. */
void position_read(struct position *ret_position, const struct place_tables *tables,
		const struct rules_state *state, bool exact);

/* The next mark, spooky in squares of different entanglements. */
void position_link(struct position *position, const struct place_tables *tables, int one, int other,
		bool exact);

/* The next mark becomes classical in `square`, with all that this forces: so a measurement ends,
 * and so the last square is taken. */
void position_settle(struct position *position, const struct place_tables *tables, int square);

/* Is the game over? If so, X's half points less O's. */
bool position_is_over(const struct position *position, int *ret_score);

/* The least name among the position's eight images. */
struct position_name position_name(
		const struct position *position, const struct place_tables *tables);

static inline int position_lowest(unsigned squares)
{
	return __builtin_ctz(squares);
}

#endif
