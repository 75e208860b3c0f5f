/* How many connections there are from each address group (see peer.h), and no more of one than may
 * be. Memory goes with the connections. */
#ifndef NET_CROWD_H
#define NET_CROWD_H

#include <stddef.h>

#include "server/ops/map.h"

struct crowd {
	struct map groups;
	size_t most; /* from one; 0: no limit */
};

struct crowd_group;

void crowd_init(struct crowd *crowd, size_t most);
/* Nobody may be in it. */
void crowd_fini(struct crowd *crowd);

/* One more; to be given back by crowd_leave. NULL: there are as many as may be. */
struct crowd_group *crowd_enter(struct crowd *crowd, const char *group);
void crowd_leave(struct crowd *crowd, struct crowd_group *group);

#endif
