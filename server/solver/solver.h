/* Perfect play: what a position is worth, and each thing that can be done in it.
 *
 * Worth means: X's points minus O's when both play perfectly from there on, in half points (-2..4).
 * It is found by searching; nothing is stored in the program. What one question found out helps
 * the next, but never changes an answer: the same question has the same answer whatever the size of
 * the table, and whatever was asked before.
 *
 * The solver knows the rules and nothing else: no clock, no room, no random bits of its own. A
 * question may take a good part of a second, so the server asks from a thread of its own.
 *
 * One solver is used by one thread at a time; different solvers share nothing. Threads could share
 * what one of them found out: a table that nobody writes to any more may be read by all, so each
 * would look in its own small table, then in the common one. Only search.c's look-ups would change.
 *
 * `cancel` may be NULL. Else another thread may set it to have an answer given up; it is looked at
 * before the search and every few hundred positions (less than a millisecond). What was found so
 * far is kept for the next question.
 */
#ifndef SOLVER_SOLVER_H
#define SOLVER_SOLVER_H

#include "server/game/rules.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct solver;

#define SOLVER_TABLE_BYTES ((size_t)64 << 20)

/* The legal actions of a position in the order of rules_legal, and the worth of what each leads
 * to. */
struct solver_each {
	int count;
	struct rules_action action[RULES_ACTIONS_MAX];
	int half_points[RULES_ACTIONS_MAX];
};

/* With a table of at most `table_bytes`, but never less than one bucket of it. The memory is taken
 * into use only as it fills: the value of the start needs 1 MiB, solver_warm 16. NULL if there is
 * none. */
struct solver *solver_new(size_t table_bytes);
void solver_free(struct solver *solver);

/* From now on `rest` is called every few hundred positions (about 0.1 ms), in the thread that asks:
 * a moment to let another one have the core. */
void solver_rest_by(struct solver *solver, void (*rest)(void));

/* Positions looked at since solver_new, of all questions. */
uint64_t solver_nodes(const struct solver *solver);

/* The worth of a position; when the game is over, its score. Returns false, and leaves the answer
 * alone, if it was cancelled. */
bool solver_value(struct solver *solver, const struct rules_state *state, const atomic_bool *cancel,
		int *ret_half_points);

/* The worth of each legal action; none when the game is over. Returns false if cancelled. */
bool solver_each(struct solver *solver, const struct rules_state *state, const atomic_bool *cancel,
		struct solver_each *ret_each);

/* Ask in advance for each action in all positions after up to two actions: about two seconds of
 * work. From then on solver_each takes milliseconds, whatever the position. Returns false if
 * cancelled. */
bool solver_warm(struct solver *solver, const atomic_bool *cancel);

/* How bots play. */
enum solver_level {
	SOLVER_RANDOM, /* any legal action, all alike */
	SOLVER_GOOD,   /* can be beaten: sees two actions ahead, beyond them only who has more marks
			  on lines still open; and one time in SOLVER_GOOD_SLIP plays like
			  SOLVER_RANDOM */
	SOLVER_PERFECT /* gives away nothing, ever; of actions of the same worth prefers those
			  that leave the opponent the fewest right answers, then those that leave
			  him the largest share of losing ones */
};

enum { SOLVER_GOOD_SLIP = 8 };

/* Who chooses. The same bits choose the same; new ones, evenly random, are needed for each choice.
 */
struct solver_bot {
	enum solver_level level;
	uint64_t random;
};

/* A legal action for whose turn it is; not for a game that is over. Only SOLVER_PERFECT needs the
 * solver, for other levels it may be NULL. Returns false if cancelled. */
bool solver_choose(struct solver *solver, const struct rules_state *state,
		const struct solver_bot *bot, const atomic_bool *cancel,
		struct rules_action *ret_action);

#endif
