/* What is thought about beside the loop, by a worker with a solver: a bot's next action, an
 * analysis. */
#ifndef PLAY_THOUGHT_H
#define PLAY_THOUGHT_H

#include "server/play/state.h"

struct solver;

/* Embedded in what it belongs to; zeroed but for the two functions. */
struct thought {
	/* In a thread of its own: may touch nothing that others change. Returns false if the
	 * solver was cancelled. */
	bool (*think)(struct thought *thought, struct solver *solver, const atomic_bool *cancelled);
	/* On the loop's thread, once for each thought_begin. `found`: what `think` returned, false
	 * also if it was cancelled before that was called. */
	void (*done)(struct thought *thought, bool found);
	/* For thought.c: */
	struct play *play;
	struct work_job job;
	bool found;
	TAILQ_ENTRY(thought) of_play;
};

void thought_begin(struct play *play, struct work_lane *lane, struct thought *thought);

/* Give up what was begun: `done` comes soon, and nothing was found. */
void thought_cancel(struct thought *thought);

/* Give all of them up, at the end. */
void thoughts_cancel(struct play *play);

#endif
