/* Dispatching: each request of protocol/requests.h to its handler, by one table. */
#ifndef PLAY_DISPATCH_H
#define PLAY_DISPATCH_H

#include "server/play/task.h"

/* Work on a task's request. */
void dispatch(struct task *task);

#endif
