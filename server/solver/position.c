/* What of a position the future depends on.
 *
 * (1) Subscripts. They matter only through the times of lines, and there only through which of two
 * lines is earlier. Three marks of X have at least X5 among them or a later one, so the time of X's
 * line is 5, 7 or 9, and which it is depends on whether X7 or X9 is in the line, not on how X1, X3
 * and X5 are arranged: these three are one colour. Likewise O's lines have time 6, or 8 if O8 is in
 * them: O2, O4 and O6 are one colour. X7, O8 and X9 are one mark each.
 *
 * (2) Groups. An entanglement without a cycle is a tree of squares. If the mark that closes a cycle
 * in it goes to square r, every other mark of the tree goes to that one of its squares which is
 * farther from r: so square v gets the last mark on the way from r to v. Take the squares that
 * marks of one colour connect, a group, and replace these marks by any other tree over the same
 * squares. A way from r enters the group at the same square as before (or starts there), and every
 * other square of the group is reached by a mark of that colour; ways that go on leave from the
 * same squares by the same marks. So every outcome is as before: of each colour it is enough to
 * know the groups. A further mark joins two groups of its colour, whichever of their squares it is
 * in; whether it closes a cycle, and which squares are connected at all, depends on groups alone.
 * The number of marks too: a group of n squares has n - 1.
 *
 * (3) Symmetries. The lines of the board are the same seen from eight sides.
 *
 * A group is written as the set of all pairs of its squares, so that a symmetry need only move
 * places. Names end before X7, so there are two colours in them. */
#include "server/solver/position.h"

#include <assert.h>

static const enum position_colour colours[] = {
		[1] = POSITION_X5,
		[2] = POSITION_O6,
		[3] = POSITION_X5,
		[4] = POSITION_O6,
		[5] = POSITION_X5,
		[6] = POSITION_O6,
		[7] = POSITION_X7,
		[8] = POSITION_O8,
		[9] = POSITION_X9,
};

enum position_colour position_next_colour(const struct position *position)
{
	assert(position->moves < 9);
	return colours[position->moves + 1];
}

static void clear(struct position *ret_position)
{
	*ret_position = (struct position){.open = BOARD_SETS - 1};
	for (int square = 0; square < BOARD_SQUARES; square++) {
		for (int colour = 0; colour < POSITION_SPOOKY_COLOURS; colour++) {
			ret_position->group[colour][square] = (uint16_t)(1U << square);
		}
		ret_position->entangled[square] = (uint16_t)(1U << square);
	}
}

/* The squares of two sets are connected from now on. */
static void join(uint16_t sets[BOARD_SQUARES], int one, int other)
{
	uint16_t joined = sets[one] | sets[other];

	for (unsigned rest = joined; rest != 0; rest &= rest - 1) {
		sets[board_first(rest)] = joined;
	}
}

/* All pairs of a square of one set with one of the other. */
static uint64_t pairs_between(const struct board *board, unsigned one, unsigned other)
{
	uint64_t pairs = 0;

	for (; one != 0; one &= one - 1) {
		for (unsigned rest = other; rest != 0; rest &= rest - 1) {
			pairs |= 1ULL << board->pair[board_first(one)][board_first(rest)];
		}
	}
	return pairs;
}

static void add_spooky(struct position *position, const struct board *board,
		enum position_colour colour, const int squares[2], bool exact)
{
	uint16_t *group = position->group[colour];

	if (exact) {
		position->pairs[colour] |= 1ULL << board->pair[squares[0]][squares[1]];
	} else if (colour < POSITION_EARLY_COLOURS) {
		position->pairs[colour] |=
				pairs_between(board, group[squares[0]], group[squares[1]]);
	}
	join(group, squares[0], squares[1]);
	join(position->entangled, squares[0], squares[1]);
}

void position_read(struct position *ret_position, const struct board *board,
		const struct rules_state *state, bool exact)
{
	int marks = state->phase == RULES_COLLAPSE ? state->moves - 1 : state->moves;

	clear(ret_position);
	for (int mark = 1; mark <= marks; mark++) {
		int squares[2] = {state->ends[mark][0] - 1, state->ends[mark][1] - 1};

		if (squares[0] == squares[1]) {
			ret_position->classical[colours[mark]] |= (uint16_t)(1U << squares[0]);
			ret_position->open &= (uint16_t) ~(1U << squares[0]);
		} else {
			add_spooky(ret_position, board, colours[mark], squares, exact);
		}
	}
	ret_position->moves = (uint8_t)marks;
}

void position_link(struct position *position, const struct board *board, int one, int other,
		bool exact)
{
	int squares[2] = {one, other};

	assert((position->entangled[one] >> other & 1) == 0 && position->moves < 8);
	add_spooky(position, board, position_next_colour(position), squares, exact);
	position->moves++;
}

/* Colours that there may be spooky marks of: two, and X7's and O8's once they are made. */
static int count_spooky_colours(const struct position *position)
{
	return position->moves < 7 ? POSITION_EARLY_COLOURS : position->moves - 4;
}

/* From a square that has its mark, the marks of each group it is in move on to the group's other
 * squares, and drive others on from there. */
void position_measure(
		const struct position *position, int square, struct position_outcome *ret_outcome)
{
	int count = count_spooky_colours(position);
	unsigned settled = 1U << square;
	unsigned waiting = settled;

	for (int colour = 0; colour < POSITION_COLOURS; colour++) {
		ret_outcome->classical[colour] = position->classical[colour];
	}
	ret_outcome->classical[position_next_colour(position)] |= (uint16_t)settled;
	while (waiting != 0) {
		int from = board_first(waiting);

		waiting &= waiting - 1;
		for (int colour = 0; colour < count; colour++) {
			unsigned driven = position->group[colour][from] & ~settled;

			ret_outcome->classical[colour] |= (uint16_t)driven;
			settled |= driven;
			waiting |= driven;
		}
	}
}

void position_settle(struct position *position, const struct board *board, int square,
		const struct position_outcome *outcome)
{
	unsigned settled = position->entangled[square];

	for (int colour = 0; colour < POSITION_COLOURS; colour++) {
		position->classical[colour] = outcome->classical[colour];
	}
	position->open &= (uint16_t)~settled;
	for (; settled != 0; settled &= settled - 1) {
		uint64_t pairs = board->pairs_of[board_first(settled)];

		for (int colour = 0; colour < POSITION_SPOOKY_COLOURS; colour++) {
			position->pairs[colour] &= ~pairs;
		}
	}
	position->moves++;
}

/* A line has the time of the last of its marks: go through the times, and count what lines each
 * adds. The first time at which there are lines earns a point for each (there are two only if both
 * are X9's), a later one half a point (AJP III.C). */
static int score(const struct position_outcome *outcome, const struct board *board)
{
	unsigned squares[2] = {0, 0};
	int counted[2] = {0, 0};
	int total = 0;
	int worth = 2;

	for (int colour = 0; colour < POSITION_COLOURS; colour++) {
		int player = colour % 2; /* X's and O's alternate */
		int count;

		squares[player] |= outcome->classical[colour];
		count = board->lines[squares[player]] - counted[player];
		counted[player] += count;
		total += player == 0 ? count * worth : -count * worth;
		if (count > 0) {
			worth = 1;
		}
	}
	return total;
}

bool position_is_over(
		const struct position_outcome *outcome, const struct board *board, int *ret_score)
{
	const uint16_t *classical = outcome->classical;
	unsigned x = classical[POSITION_X5] | classical[POSITION_X7] | classical[POSITION_X9];
	unsigned o = classical[POSITION_O6] | classical[POSITION_O8];

	if (board->lines[x] != 0 || board->lines[o] != 0) {
		*ret_score = score(outcome, board);
		return true;
	}
	*ret_score = 0;
	return (x | o) == BOARD_SETS - 1;
}

/* Symmetries whose first half is not the least are seen off before their second half is looked
 * up. */
struct position_name position_name(const struct position *position, const struct board *board)
{
	const uint64_t halves[2] = {
			position->pairs[0] | (uint64_t)position->classical[0] << BOARD_PAIRS,
			position->pairs[1] | (uint64_t)position->classical[1] << BOARD_PAIRS};
	struct position_name least = {.half = {halves[0], halves[1]}};

	assert(position->moves <= POSITION_NAMED_MOVES);
	for (int symmetry = 1; symmetry < BOARD_SYMMETRIES; symmetry++) {
		uint64_t first = board_image(board, symmetry, halves[0]);
		uint64_t second;

		if (first > least.half[0]) {
			continue;
		}
		second = board_image(board, symmetry, halves[1]);
		if (first < least.half[0] || second < least.half[1]) {
			least = (struct position_name){.half = {first, second}};
		}
	}
	return least;
}
