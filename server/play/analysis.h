/* Analyses: what a position is worth, thought about beside the loop and answered when that is done,
 * while the connection goes on. A connection that is lost loses its analyses. */
#ifndef PLAY_ANALYSIS_H
#define PLAY_ANALYSIS_H

#include "server/game/rules.h"
#include "server/play/task.h"

/* Under way for one connection, and for all of them. */
#define ANALYSES_A_SESSION 8
#define ANALYSES_MAX 1024
/* Once so many wait, the rest is for addresses that wait for fewer than this. */
#define ANALYSES_SHARED 768
#define ANALYSES_AN_ADDRESS 80

/* A position, and how it came about. */
struct analysis_question {
	int count; /* of states: 1 or more */
	/* After 0, 1, 2 … actions; the last one is asked about. */
	struct rules_state states[RULES_GAME_MAX + 1];
	struct board board; /* of the last one */
	bool steps;	    /* is what each state is worth asked too? */
	/* The game is over, maybe not by what stands on the board: this is what it ended with. */
	bool is_over;
	int half_points; /* X's minus O's */
};

/* Begin, and end the task: the answer comes later. Or refuse: rate_limited. */
void analysis_begin(struct task *task, const struct analysis_question *question);

/* The session goes: nobody waits for its analyses any more. */
void analyses_leave(struct session *session);

#endif
