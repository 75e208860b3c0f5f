/* The threads that think, for bots and analyses: the pool of work/, each thread with a solver of
 * its own, and what they hand back brought to the loop. */
#ifndef THINKERS_H
#define THINKERS_H

#include <stdbool.h>

#include "server/net/loop.h"
#include "server/ops/config.h"
#include "server/play/ports.h"

/* Zeroed: there are none. */
struct thinkers {
	const struct config *config;
	struct work *work; /* of pool.h; for play to ask */
	struct loop_watch *watch;
};

/* False, with a sentence on standard error, when the system does not give what it takes. The
 * caller's memory; loop and config outlive it. */
bool thinkers_init(struct thinkers *thinkers, struct loop *loop, const struct config *config);

/* Nothing that was asked may be unanswered. */
void thinkers_fini(struct thinkers *thinkers);

#endif
