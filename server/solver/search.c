/* How the whole game is searched in a moment.
 *
 * The tree has 18 227 289 232 224 leaves, but most of it says the same thing again. What is left
 * rests on four ideas.
 *
 * Few positions. position.c gives positions that have the same future the same name, and the table
 * remembers what was found under a name.
 *
 * Few moves. A mark that connects two entanglements may be in any square of the two groups it
 * joins: one move stands for all of them.
 *
 * No measurements. Closing a cycle gives the opponent the choice between two squares for the last
 * mark, and each fixes all the rest: the position after it depends on the square alone, not on the
 * other end. So value each square of an entanglement once, for who closes the cycle. The pair
 * he likes best is the best square with the second best one, and its value is that of the
 * second best, for the opponent will take that from him. (Without repeated pairs not every pair is
 * to be had, and all are tried.)
 *
 * Bounds. There are only seven results. So the search is asked whether the value is at least so
 * much, and again until just one is left (MTD); inside, it keeps to the question (alpha-beta,
 * fail-soft) and tries first what ends soonest: cycles, then links of entangled squares.
 *
 * After eight marks, all open squares are one entanglement, or one square is left: nothing needs
 * searching then. So what comes after the sixth mark is found sooner than it could be looked up. */
#include "server/solver/search.h"

#include <assert.h>

static int search_within(
		struct search *search, const struct position *position, int alpha, int beta);

/* A player's search of his moves: the best value so far, and the window. */
struct quest {
	int best;
	int alpha; /* the best, or what it was at the start */
	int beta;
};

static bool is_single(unsigned squares)
{
	return (squares & (squares - 1)) == 0;
}

static bool enough(const struct quest *quest)
{
	return quest->best >= quest->beta;
}

static void take(struct quest *quest, int value)
{
	if (value > quest->best) {
		quest->best = value;
	}
	if (value > quest->alpha) {
		quest->alpha = value;
	}
}

/* For who is to move: X may get from -2 to 4 half points, O the contrary. */
static struct table_bounds widest(const struct position *position)
{
	return position->moves % 2 == 0 ? (struct table_bounds){-2, 4}
					: (struct table_bounds){-4, 2};
}

static void poll(struct search *search)
{
	if (++search->nodes % SEARCH_POLL != 0) {
		return;
	}
	if (search->rest != NULL) {
		search->rest();
	}
	if (search->cancel != NULL && atomic_load_explicit(search->cancel, memory_order_relaxed)) {
		search->stopped = true;
	}
}

/* The value for who is to move of the next mark's going to `square` in a measurement. It is he
 * whose mark it is, not he who chooses. */
static int try_settled(struct search *search, const struct position *position, int square,
		int alpha, int beta)
{
	struct position_outcome outcome;
	struct position after;
	int score;

	position_measure(position, square, &outcome);
	if (position_is_over(&outcome, &search->board, &score)) {
		return position->moves % 2 == 0 ? score : -score;
	}
	after = *position;
	position_settle(&after, &search->board, square, &outcome);
	return -search_within(search, &after, -beta, -alpha);
}

/* The second best square of an entanglement. A square matters only if it is better than the second
 * best so far. */
static void try_entanglement(struct search *search, const struct position *position,
		unsigned squares, struct quest *quest)
{
	int first = -SEARCH_BEST - 1;
	int second = first;

	for (; squares != 0 && !enough(quest) && !search->stopped; squares &= squares - 1) {
		int floor = second > quest->alpha ? second : quest->alpha;
		int value = try_settled(search, position, board_first(squares), floor, quest->beta);

		if (value > first) {
			second = first;
			first = value;
		} else if (value > second) {
			second = value;
		}
		take(quest, second);
	}
}

static bool is_taken(
		const struct search *search, const struct position *position, int one, int other)
{
	int pair = search->board.pair[one][other];
	uint64_t taken = 0;

	for (int colour = 0; colour < POSITION_SPOOKY_COLOURS; colour++) {
		taken |= position->pairs[colour];
	}
	return (taken >> pair & 1) != 0;
}

/* The same without repeated pairs: of each pair that is not taken, the worse square. */
static void try_exact_cycles(struct search *search, const struct position *position,
		unsigned squares, struct quest *quest)
{
	for (unsigned i = squares; i != 0; i &= i - 1) {
		for (unsigned j = i & (i - 1); j != 0; j &= j - 1) {
			int one = board_first(i);
			int other = board_first(j);
			int value;
			int chosen;

			if (is_taken(search, position, one, other)) {
				continue;
			}
			value = try_settled(
					search, position, one, -SEARCH_BEST - 1, SEARCH_BEST + 1);
			chosen = try_settled(
					search, position, other, -SEARCH_BEST - 1, SEARCH_BEST + 1);
			take(quest, value < chosen ? value : chosen);
		}
	}
}

static void try_cycles(struct search *search, const struct position *position, struct quest *quest)
{
	unsigned rest = position->open;

	while (rest != 0 && !enough(quest)) {
		unsigned squares = position->entangled[board_first(rest)];

		rest &= ~squares;
		if (is_single(squares)) {
			continue;
		}
		if (search->exact) {
			try_exact_cycles(search, position, squares, quest);
		} else {
			try_entanglement(search, position, squares, quest);
		}
	}
}

static void try_link(struct search *search, const struct position *position, int one, int other,
		struct quest *quest)
{
	struct position after = *position;

	position_link(&after, &search->board, one, other, search->exact);
	take(quest, -search_within(search, &after, -quest->beta, -quest->alpha));
}

/* One square of each group of the next mark's colour; those that are entangled first: to join these
 * leaves least to be done. Returns how many. */
static int find_leaders(const struct search *search, const struct position *position,
		uint8_t ret_leaders[BOARD_SQUARES])
{
	const uint16_t *group = position->group[position_next_colour(position)];
	unsigned leaders = 0;
	int count = 0;

	for (unsigned rest = position->open; rest != 0; rest &= rest - 1) {
		unsigned square = rest & -rest;

		if (search->exact || (group[board_first(square)] & (square - 1)) == 0) {
			leaders |= square;
		}
	}
	for (int entangled = 1; entangled >= 0; entangled--) {
		for (unsigned rest = leaders; rest != 0; rest &= rest - 1) {
			int square = board_first(rest);

			if (is_single(position->entangled[square]) != entangled) {
				ret_leaders[count++] = (uint8_t)square;
			}
		}
	}
	return count;
}

static void try_links(struct search *search, const struct position *position, struct quest *quest)
{
	uint8_t leaders[BOARD_SQUARES];
	int count = find_leaders(search, position, leaders);

	for (int j = 1; j < count; j++) {
		for (int i = 0; i < j; i++) {
			if (position->entangled[leaders[i]] >> leaders[j] & 1) {
				continue;
			}
			if (enough(quest) || search->stopped) {
				return;
			}
			try_link(search, position, leaders[i], leaders[j], quest);
		}
	}
}

/* Eight classical marks leave a single square, which takes the ninth as it is. */
static void try_all(struct search *search, const struct position *position, struct quest *quest)
{
	if (is_single(position->open)) {
		take(quest, try_settled(search, position, board_first(position->open), quest->alpha,
					    quest->beta));
		return;
	}
	try_cycles(search, position, quest);
	if (position->moves < 8) {
		try_links(search, position, quest);
	}
	if (quest->best < -SEARCH_BEST) {
		take(quest, 0); /* no pair is left: nobody has won */
	}
}

static int search_new(struct search *search, const struct position *position,
		const struct position_name *name, struct quest quest, struct table_bounds bounds)
{
	int alpha = quest.alpha;

	try_all(search, position, &quest);
	if (search->stopped) {
		return 0;
	}
	if (quest.best > alpha && quest.best > bounds.lower) {
		bounds.lower = quest.best;
	}
	if (quest.best < quest.beta && quest.best < bounds.upper) {
		bounds.upper = quest.best;
	}
	table_keep(&search->table, name, position->moves, bounds);
	return quest.best;
}

/* The value, if it is above alpha and below beta; else something on the same side of that bound.
 * NOLINTNEXTLINE(misc-no-recursion): nine deep at most, a mark is made at each step. */
static int search_within(
		struct search *search, const struct position *position, int alpha, int beta)
{
	struct quest quest = {.best = -SEARCH_BEST - 1, .alpha = alpha, .beta = beta};
	struct table_bounds bounds = widest(position);
	struct position_name name;

	poll(search);
	if (position->moves > POSITION_NAMED_MOVES) {
		try_all(search, position, &quest);
		return quest.best;
	}
	name = position_name(position, &search->board);
	table_find(&search->table, &name, &bounds);
	if (bounds.lower >= beta || bounds.lower == bounds.upper) {
		return bounds.lower;
	}
	if (bounds.upper <= alpha) {
		return bounds.upper;
	}
	if (bounds.lower > quest.alpha) {
		quest.alpha = bounds.lower;
	}
	if (bounds.upper < quest.beta) {
		quest.beta = bounds.upper;
	}
	return search_new(search, position, &name, quest, bounds);
}

int search_value(struct search *search, const struct position *position)
{
	int lower = -SEARCH_BEST;
	int upper = SEARCH_BEST;
	int guess = 0;

	while (lower < upper && !search->stopped) {
		int least = guess > lower ? guess : lower + 1;

		guess = search_within(search, position, least - 1, least);
		if (guess < least) {
			upper = guess;
		} else {
			lower = guess;
		}
	}
	return guess;
}
