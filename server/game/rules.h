/* The rules of quantum tic-tac-toe (Allan Goff, Am. J. Phys. 74(11), 962-973, 2006; "AJP" below).
 *
 * A position is a value: copy it, compare it, throw it away. Nothing here allocates, does input or
 * output, or looks at a clock. Squares are 1..9, left to right, top to bottom. A mark is its
 * subscript n, 1..9: move n is X's if n is odd, O's if it is even; so 4 is the mark O4.
 * Pass squares, marks and players as they came from a stranger: what can't be is refused by name.
 */
#ifndef GAME_RULES_H
#define GAME_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum rules_player { RULES_NOBODY, RULES_X, RULES_O };
enum rules_phase { RULES_MOVE, RULES_COLLAPSE, RULES_OVER };

/* A position. Anyone may read its members, only rules.c writes them; a valid one is what
 * rules_start and rules_apply leave. Two positions are the same exactly if their bytes are: what
 * is over and done with (where a classical mark came from) is not kept. At most 64 bytes. */
struct rules_state {
	uint8_t moves;	       /* spooky moves made, 0..9; their marks are 1..moves */
	uint8_t phase;	       /* enum rules_phase */
	uint8_t ends[10][2];   /* [mark]: its two squares, ascending; once classical, its one
				  square twice; 0, 0 before it is made */
	uint8_t classical[10]; /* [square]: the mark that became classical there, or 0 */
};

enum rules_kind { RULES_PLACE, RULES_MEASURE };

/* What a player does. RULES_PLACE: both marks, in squares[0] and squares[1] in any order (the last
 * square: twice the same, AJP III.B). RULES_MEASURE: `mark`, any mark on the cycle, goes to
 * squares[0]; mark 0 is the one that closed the cycle. squares[1] is then unused. */
struct rules_action {
	enum rules_kind kind;
	int mark;
	int squares[2];
};

enum rules_refusal {
	RULES_FINE,
	RULES_GAME_OVER,
	RULES_NOT_YOUR_TURN,
	RULES_COLLAPSE_FIRST,	   /* a measurement is due */
	RULES_NOTHING_TO_COLLAPSE, /* none is due */
	RULES_BAD_SQUARE,	   /* not 1..9 */
	RULES_SAME_SQUARE,	   /* twice the same while more than one is free */
	RULES_SQUARE_TAKEN,	   /* holds a classical mark */
	RULES_NOT_A_CHOICE	   /* a mark that is not on the cycle, or a square it is not in */
};

/* Marks with the squares that they became classical in, in the order in which they force each
 * other: the closing mark first, then breadth first, the marks of one square ascending. */
struct rules_measured {
	uint8_t count;
	uint8_t mark[9];
	uint8_t square[9];
};

/* Three classical marks of one letter in a row, column or diagonal (AJP III.B). */
struct rules_line {
	enum rules_player player;
	uint8_t squares[3]; /* ascending */
	uint8_t time;	    /* its largest subscript */
};

/* Legal in one position: two of nine squares. */
#define RULES_ACTIONS_MAX 36
/* In a whole game: nine moves and at most four measurements. */
#define RULES_GAME_MAX 13
#define RULES_LINES_MAX 2

/* The opening position. */
void rules_start(struct rules_state *ret_state);

enum rules_phase rules_phase(const struct rules_state *state);

/* Who must act: the mover, or the chooser of a measurement (AJP II: never he who closed the cycle);
 * RULES_NOBODY when the game is over. */
enum rules_player rules_turn(const struct rules_state *state);

/* Whose mark it is: odd X, even O; RULES_NOBODY for what is no mark, 1..9. */
enum rules_player rules_owner(int mark);

/* Number of squares without a classical mark. */
int rules_open_squares(const struct rules_state *state);

/* Every legal action in ascending order of squares: places with squares[0] < squares[1] (the last
 * square: equal), or the two ways of a measurement as the closing mark's squares. Returns how
 * many, 0 when the game is over. */
int rules_legal(const struct rules_state *state,
		struct rules_action ret_actions[RULES_ACTIONS_MAX]);

/* Would `player` be allowed this action? Checks in the order of enum rules_refusal, with the phase
 * after whose turn it is. */
enum rules_refusal rules_check(const struct rules_state *state, enum rules_player player,
		const struct rules_action *action);

/* Do it, if rules_check finds it fine; else *state is untouched and the refusal is returned.
 * After a measurement (or the last square) lines are judged, then the board's being full. */
enum rules_refusal rules_apply(struct rules_state *state, enum rules_player player,
		const struct rules_action *action);

/* The move that closed the cycle and its two squares, ascending. Returns the mark, 0 (and leaves
 * ret_choices alone) unless a measurement is due. */
int rules_choices(const struct rules_state *state, uint8_t ret_choices[2]);

/* The squares of the cycle, ascending. Returns how many (2..9), 0 unless a measurement is due. */
int rules_cycle(const struct rules_state *state, uint8_t ret_squares[9]);

/* What the measurement would give, were the closing mark to go to `square`, one of the choices. The
 * whole entanglement is measured, no other (AJP II, III.A). No marks at all if no measurement is
 * due or `square` is not one of its choices. */
void rules_outcome(const struct rules_state *state, int square, struct rules_measured *ret);

/* For a legal measurement: the square that the closing mark goes to, when `action` is done; 0 for
 * any other. */
int rules_closing_square(const struct rules_state *state, const struct rules_action *action);

/* The lines there are, the earliest first, equal times by squares. Returns how many, 0..2. */
int rules_lines(const struct rules_state *state, struct rules_line ret_lines[RULES_LINES_MAX]);

/* Points in halves: the earliest line earns 2, a later one 1 (AJP III.C); X's two lines that cross
 * in X9 have one time and neither is the later: 4 in all (our reading, Goff leaves it open). All 0
 * without a line. */
void rules_score(const struct rules_state *state, int *ret_half_points_x, int *ret_half_points_o);

/* A refusal's word, as in the wire's error codes ("square_taken"); "" for RULES_FINE. */
const char *rules_refusal_word(enum rules_refusal refusal);

#endif
