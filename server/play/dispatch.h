/* The dispatch table: what the server does with each request of protocol/requests.h. */
#ifndef PLAY_DISPATCH_H
#define PLAY_DISPATCH_H

#include "server/play/task.h"

enum dispatch_who {
	WHO_ANYONE, /* named or not */
	WHO_NAMED   /* who has no name is given a guest's first */
};

struct dispatch_row {
	enum dispatch_who who;
	unsigned int cost; /* in units of a reading allowance; nobody counts yet */
	handler_fn *handle;
};

/* The row of a request; never NULL for type < REQUEST_COUNT. */
const struct dispatch_row *dispatch_row(enum request_type type);

/* Work on a task's request. */
void dispatch(struct task *task);

#endif
