/* What an event must say, given the room before it: all in it that does not stand for somebody's
 * choice follows from that. Pure. */
#ifndef UPKEEP_EXPECT_H
#define UPKEEP_EXPECT_H

#include "server/game/room.h"

/* `event` leads from `before` to `after` (room_apply took it). *ret is that event with everything
 * that follows as it has to be, and who did what, when, as it is told. */
void expect_event(const struct room *before, const struct room *after, const struct event *event,
		struct event *ret);

#endif
