#include "server/solver/solver.h"

#include "server/solver/search.h"
#include "server/solver/variant.h"

#include <assert.h>
#include <stdlib.h>

enum { WARM_MOVES = 3 };

struct solver {
	struct search search;
	struct table_bucket *buckets;
};

struct solver *solver_new(size_t table_bytes)
{
	struct solver *solver = calloc(1, sizeof(*solver));
	size_t count = table_buckets(table_bytes);

	if (solver == NULL) {
		return NULL;
	}
	solver->buckets = calloc(count, sizeof(*solver->buckets));
	if (solver->buckets == NULL) {
		free(solver);
		return NULL;
	}
	board_fill(&solver->search.board);
	table_init(&solver->search.table, solver->buckets, count);
	return solver;
}

void solver_free(struct solver *solver)
{
	if (solver != NULL) {
		free(solver->buckets);
		free(solver);
	}
}

uint64_t solver_nodes(const struct solver *solver)
{
	return solver->search.nodes;
}

void solver_rest_by(struct solver *solver, void (*rest)(void))
{
	solver->search.rest = rest;
}

void solver_forbid_repeats(struct solver *solver)
{
	assert(solver->search.nodes == 0);
	solver->search.exact = true;
}

/* From here on values are X's. */

static int value_for_x(struct search *search, const struct position *position)
{
	int value = search_value(search, position);

	return position->moves % 2 == 0 ? value : -value;
}

static int value_settled(struct search *search, const struct position *position, int square)
{
	struct position after = *position;
	struct position_outcome outcome;
	int score;

	position_measure(position, square, &outcome);
	if (position_is_over(&outcome, &search->board, &score)) {
		return score;
	}
	position_settle(&after, &search->board, square, &outcome);
	return value_for_x(search, &after);
}

/* The next mark closes a cycle, and who did not make it chooses: the worse for its owner. */
static int value_closed(struct search *search, const struct position *position, int one, int other)
{
	int values[2] = {value_settled(search, position, one),
			value_settled(search, position, other)};
	bool first_is_less = values[0] < values[1];

	return values[(position->moves % 2 == 0) == first_is_less ? 0 : 1];
}

static int value_placed(struct search *search, const struct position *position, int one, int other)
{
	struct position after = *position;

	if (one == other) {
		return value_settled(search, position, one);
	}
	if (position->entangled[one] >> other & 1) {
		return value_closed(search, position, one, other);
	}
	position_link(&after, &search->board, one, other, search->exact);
	return value_for_x(search, &after);
}

static int score_of(const struct rules_state *state)
{
	int x;
	int o;

	rules_score(state, &x, &o);
	return x - o;
}

static void begin(struct search *search, const atomic_bool *cancel)
{
	search->cancel = cancel;
	search->stopped = cancel != NULL && atomic_load(cancel);
}

static bool end(struct search *search)
{
	search->cancel = NULL;
	return !search->stopped;
}

bool solver_value(struct solver *solver, const struct rules_state *state, const atomic_bool *cancel,
		int *ret_half_points)
{
	struct search *search = &solver->search;
	struct position position;
	uint8_t choices[2];
	int value;

	begin(search, cancel);
	position_read(&position, &search->board, state, search->exact);
	if (rules_phase(state) == RULES_OVER) {
		value = score_of(state);
	} else if (rules_choices(state, choices) != 0) {
		value = value_closed(search, &position, choices[0] - 1, choices[1] - 1);
	} else {
		value = value_for_x(search, &position);
	}
	if (!end(search)) {
		return false;
	}
	*ret_half_points = value;
	return true;
}

bool solver_each(struct solver *solver, const struct rules_state *state, const atomic_bool *cancel,
		struct solver_each *ret_each)
{
	struct search *search = &solver->search;
	struct solver_each each;
	struct position position;

	begin(search, cancel);
	position_read(&position, &search->board, state, search->exact);
	each.count = rules_legal(state, each.action);
	for (int i = 0; i < each.count && !search->stopped; i++) {
		const int *squares = each.action[i].squares;

		if (each.action[i].kind == RULES_MEASURE) {
			each.half_points[i] = value_settled(search, &position, squares[0] - 1);
		} else {
			each.half_points[i] = value_placed(
					search, &position, squares[0] - 1, squares[1] - 1);
		}
	}
	if (!end(search)) {
		return false;
	}
	*ret_each = each;
	return true;
}

/* Ask for each action here, and in all positions less than `moves` actions on. The table finds out
 * by itself which of them are alike.
 * NOLINTNEXTLINE(misc-no-recursion): as deep as was asked. */
static bool warm_from(struct solver *solver, const struct rules_state *state, int moves,
		const atomic_bool *cancel)
{
	struct solver_each each;

	if (moves == 0) {
		return true;
	}
	if (!solver_each(solver, state, cancel, &each)) {
		return false;
	}
	for (int i = 0; i < each.count; i++) {
		struct rules_state after = *state;

		rules_apply(&after, rules_turn(state), &each.action[i]);
		if (!warm_from(solver, &after, moves - 1, cancel)) {
			return false;
		}
	}
	return true;
}

bool solver_warm(struct solver *solver, const atomic_bool *cancel)
{
	struct rules_state start;

	rules_start(&start);
	return warm_from(solver, &start, WARM_MOVES, cancel);
}
