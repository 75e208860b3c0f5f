/* Dispatching: each request of protocol/requests.h to its handler, by one table. */
#ifndef PLAY_DISPATCH_H
#define PLAY_DISPATCH_H

#include "server/play/task.h"

/* What a request uses up of the allowance of who asks. */
unsigned int dispatch_cost(enum request_type type);

/* Is it an act in a game, or to get into one? */
bool dispatch_acts(enum request_type type);

/* Work on a task's request. */
void dispatch(struct task *task);

#endif
