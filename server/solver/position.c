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
 * places. X7 and O8 are never more than one mark, their group is their place. */
#include "server/solver/position.h"

#include <assert.h>

enum { LINES = 8 };

static const uint16_t lines[LINES] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

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
	*ret_position = (struct position){.late = {PLACE_NONE, PLACE_NONE}, .open = 0777};
	for (int square = 0; square < PLACE_SQUARES; square++) {
		for (int colour = 0; colour < POSITION_SPOOKY_COLOURS; colour++) {
			ret_position->group[colour][square] = (uint16_t)(1U << square);
		}
		ret_position->entangled[square] = (uint16_t)(1U << square);
	}
}

/* A mark is in this place. An X9 is not remembered: it ends the game. */
static void fill_place(struct position *position, enum position_colour colour, int place)
{
	if (colour <= POSITION_O6) {
		position->places[colour] |= 1ULL << place;
	} else if (colour <= POSITION_O8) {
		position->late[colour - POSITION_X7] = (uint8_t)place;
	}
}

/* The squares of two sets are connected from now on. */
static void join(uint16_t sets[PLACE_SQUARES], int one, int other)
{
	uint16_t joined = sets[one] | sets[other];

	for (unsigned rest = joined; rest != 0; rest &= rest - 1) {
		sets[position_lowest(rest)] = joined;
	}
}

static void add_group(struct position *position, const struct place_tables *tables,
		enum position_colour colour, const int squares[2])
{
	const uint16_t *group = position->group[colour];

	for (unsigned i = group[squares[0]]; i != 0; i &= i - 1) {
		for (unsigned j = group[squares[1]]; j != 0; j &= j - 1) {
			fill_place(position, colour,
					tables->pair[position_lowest(i)][position_lowest(j)]);
		}
	}
}

static void add_spooky(struct position *position, const struct place_tables *tables,
		enum position_colour colour, const int squares[2], bool exact)
{
	if (exact) {
		fill_place(position, colour, tables->pair[squares[0]][squares[1]]);
	} else {
		add_group(position, tables, colour, squares);
	}
	join(position->group[colour], squares[0], squares[1]);
	join(position->entangled, squares[0], squares[1]);
}

static void add_classical(struct position *position, enum position_colour colour, int square)
{
	fill_place(position, colour, PLACE_PAIRS + square);
	position->classical[colour] |= (uint16_t)(1U << square);
	position->open &= (uint16_t) ~(1U << square);
}

void position_read(struct position *ret_position, const struct place_tables *tables,
		const struct rules_state *state, bool exact)
{
	int marks = state->phase == RULES_COLLAPSE ? state->moves - 1 : state->moves;

	clear(ret_position);
	for (int mark = 1; mark <= marks; mark++) {
		int squares[2] = {state->ends[mark][0] - 1, state->ends[mark][1] - 1};

		if (squares[0] == squares[1]) {
			add_classical(ret_position, colours[mark], squares[0]);
		} else {
			add_spooky(ret_position, tables, colours[mark], squares, exact);
		}
	}
	ret_position->moves = (uint8_t)marks;
}

void position_link(struct position *position, const struct place_tables *tables, int one, int other,
		bool exact)
{
	enum position_colour colour = position_next_colour(position);
	int squares[2] = {one, other};

	assert((position->entangled[one] & 1U << other) == 0 && colour != POSITION_X9);
	add_spooky(position, tables, colour, squares, exact);
	position->moves++;
}

/* Forget that squares were in pairs: they are being measured. */
static void leave_pairs(
		struct position *position, const struct place_tables *tables, unsigned squares)
{
	for (; squares != 0; squares &= squares - 1) {
		uint64_t pairs = tables->pairs_of[position_lowest(squares)];

		position->places[0] &= ~pairs;
		position->places[1] &= ~pairs;
	}
}

/* From a square that has its mark, the marks of each group it is in move on to the group's other
 * squares, and drive others on from there. */
void position_settle(struct position *position, const struct place_tables *tables, int square)
{
	unsigned settled = 1U << square;
	unsigned waiting = settled;

	leave_pairs(position, tables, position->entangled[square]);
	add_classical(position, position_next_colour(position), square);
	while (waiting != 0) {
		int from = position_lowest(waiting);

		waiting &= waiting - 1;
		for (int colour = 0; colour < POSITION_SPOOKY_COLOURS; colour++) {
			unsigned driven = position->group[colour][from] & ~settled;

			settled |= driven;
			waiting |= driven;
			for (; driven != 0; driven &= driven - 1) {
				add_classical(position, (enum position_colour)colour,
						position_lowest(driven));
			}
		}
	}
	position->moves++;
}

static bool has_line(unsigned squares)
{
	for (int i = 0; i < LINES; i++) {
		if ((squares & lines[i]) == lines[i]) {
			return true;
		}
	}
	return false;
}

static int count_lines(unsigned squares)
{
	int count = 0;

	for (int i = 0; i < LINES; i++) {
		count += (squares & lines[i]) == lines[i];
	}
	return count;
}

/* A line has the time of the last of its marks: go through the times, and count what lines each
 * adds. The first time at which there are lines earns a point for each (there are two
 * only if both are X9's), a later one half a point (AJP III.C). */
static int score(const struct position *position)
{
	static const enum position_colour in_time[] = {
			POSITION_X5, POSITION_O6, POSITION_X7, POSITION_O8, POSITION_X9};
	unsigned squares[2] = {0, 0};
	int counted[2] = {0, 0};
	int total = 0;
	int worth = 2;

	for (int i = 0; i < POSITION_COLOURS; i++) {
		int player = i % 2;
		int count;

		squares[player] |= position->classical[in_time[i]];
		count = count_lines(squares[player]) - counted[player];
		counted[player] += count;
		total += player == 0 ? count * worth : -count * worth;
		if (count > 0) {
			worth = 1;
		}
	}
	return total;
}

bool position_is_over(const struct position *position, int *ret_score)
{
	const uint16_t *classical = position->classical;

	if (has_line(classical[POSITION_X5] | classical[POSITION_X7] | classical[POSITION_X9]) ||
			has_line(classical[POSITION_O6] | classical[POSITION_O8])) {
		*ret_score = score(position);
		return true;
	}
	*ret_score = 0;
	return position->open == 0;
}

static struct position_name image(
		const struct position *position, const struct place_tables *tables, int symmetry)
{
	struct position_name name;

	for (int i = 0; i < 2; i++) {
		uint64_t late = tables->moved[symmetry][position->late[i]];

		name.half[i] = place_image(tables, symmetry, position->places[i]) << 6 | late;
	}
	return name;
}

struct position_name position_name(
		const struct position *position, const struct place_tables *tables)
{
	struct position_name least = image(position, tables, 0);

	for (int symmetry = 1; symmetry < PLACE_SYMMETRIES; symmetry++) {
		struct position_name other = image(position, tables, symmetry);

		if (other.half[0] < least.half[0] ||
				(other.half[0] == least.half[0] && other.half[1] < least.half[1])) {
			least = other;
		}
	}
	return least;
}
