#include "server/net/crowd.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

struct crowd_group {
	size_t count;
	char name[];
};

void crowd_init(struct crowd *crowd, size_t most)
{
	map_init(&crowd->groups);
	crowd->most = most;
}

void crowd_fini(struct crowd *crowd)
{
	assert(crowd->groups.count == 0);
	map_fini(&crowd->groups);
}

struct crowd_group *crowd_enter(struct crowd *crowd, const char *name)
{
	struct crowd_group *group = map_get(&crowd->groups, name);
	const size_t size = strlen(name) + 1;

	if (group == NULL) {
		group = memory_new(1, sizeof(*group) + size);
		memcpy(group->name, name, size);
		map_put(&crowd->groups, group->name, group);
	}
	if (crowd->most != 0 && group->count >= crowd->most) {
		return NULL;
	}
	group->count++;
	return group;
}

void crowd_leave(struct crowd *crowd, struct crowd_group *group)
{
	group->count--;
	if (group->count == 0) {
		map_remove(&crowd->groups, group->name);
		free(group);
	}
}
