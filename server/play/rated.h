/* Games that count: what the end of one makes of both players' ratings, decided with it, and stored
 * in one batch with it under the number of games that either has played before.
 *
 * A command that would end such a game needs both players in memory, with the newest numbers that
 * the store has, and for itself until it is stored: the ends of two games of one player come one
 * after the other. If another server was first all the same, that is a conflict as any other: the
 * numbers are read again, and the end is decided again with them. */
#ifndef PLAY_RATED_H
#define PLAY_RATED_H

#include "server/play/queue.h"
#include "server/play/rating_book.h"

/* The rating to be shown beside a name; not set where there is none, or it is not known here. */
struct rating_shown rated_shown(const struct play *play, const char *name);

/* The server starts: read the ratings of who sits in its rooms, so that they can be shown. */
void rated_learn(struct play *play);

enum rated_outcome {
	RATED_DONE,   /* its events say what becomes of ratings, if anything does */
	RATED_WAITS,  /* make nothing of the decision: it becomes ready again by itself */
	RATED_FAILED, /* the store can't be read */
};

/* For the queue: a part of the command was decided. */
enum rated_outcome rated_decide(struct command *command, struct part *part);

/* What was decided is stored: it holds from now on. */
void rated_apply(const struct command *command);

/* Somebody else was first: nothing that is in memory of these players' ratings can be relied on. */
void rated_distrust(const struct command *command);

/* The command is done, or will be decided anew: let go of the players. Who waited for them becomes
 * ready. */
void rated_release(struct command *command);

#endif
