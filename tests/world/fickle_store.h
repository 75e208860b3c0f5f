/* The tests' store: one in memory that answers late and out of order, refuses, or does not know, as
 * a seed decides. The same seed and the same calls give the same answers.
 *
 * A batch is there from the moment its answer is given, not before: whoever tells of it earlier is
 * found out. Answers about one room, and those about players, stay in the order of the questions;
 * otherwise any order may come. A conflict is never made up. */
#ifndef TESTS_FICKLE_STORE_H
#define TESTS_FICKLE_STORE_H

#include "server/play/ports.h"

/* How often, in a thousand; all zero: each answer comes in the next step. */
struct fickle_knobs {
	unsigned int late;	   /* an answer is late … */
	unsigned int late_steps;   /* … by 1 to this many steps */
	unsigned int unavailable;  /* a commit is refused, and nothing kept */
	unsigned int unknown;	   /* a commit's outcome is not known … */
	unsigned int unknown_kept; /* … and it is kept all the same */
	unsigned int not_readable; /* a load fails */
};

struct store *fickle_store_new(uint64_t seed, const struct fickle_knobs *knobs);

/* From now on, also for what waits: only lateness is decided when a question is asked. */
void fickle_store_turn(struct store *store, const struct fickle_knobs *knobs);

/* Give the answers that are due now, in some order. What they ask for waits for the next step at
 * least. Returns how many were given. */
size_t fickle_store_step(struct store *store);

/* Turn all knobs to zero, release what is held, and give answers until none waits. Returns how
 * many. */
size_t fickle_store_settle(struct store *store);

/* Commits wait until they are released, and what must come after them waits too. */
void fickle_store_hold(struct store *store);
void fickle_store_release(struct store *store);

/* Questions not yet answered. */
size_t fickle_store_waiting(const struct store *store);

/* What is stored right now. */
bool fickle_store_has_event(const struct store *store, const char *room, int64_t seq);

/* A game that changed ratings. */
struct fickle_rated {
	char room[24];
	int64_t ids[2];
	int ahead;
	int64_t ended_ms;
};

/* Those that were stored, in that order; valid until the next answer. */
const struct fickle_rated *fickle_store_rated(const struct store *store, size_t *ret_count);

/* A player's rating as it is stored now. False: there is no such player. */
bool fickle_store_rating(const struct store *store, int64_t id, struct store_rating *ret_rating);

/* The lines of a room as they are stored now, valid until the next answer; NULL and 0 if there is
 * no such room. */
struct bytes *const *fickle_store_lines(
		const struct store *store, const char *room, size_t *ret_count);

#endif
