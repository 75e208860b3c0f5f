/* What falls due in a room without anybody asking: a flag, a first move that does not come, a game
 * that nobody touches, a creator who stays away. Each room has one timer for whatever is next. What
 * fell due is a command in the room's queue with the time at which it did, so that it is decided
 * after all that arrived before, be it still on its way, and before all that came later. */
#ifndef PLAY_DUE_H
#define PLAY_DUE_H

#include "server/play/state.h"

/* The room, or who is present, has changed: see what is next. */
void due_update(struct hosted *hosted);

/* Something arrived for the room at this time: what had fallen due by then goes first. */
void due_before(struct hosted *hosted, int64_t arrived_ms);

/* Who sits in the room, or whether they are here, may have changed. */
void due_presence(struct hosted *hosted);

/* The room was made of stored events: its times begin. */
void due_loaded(struct hosted *hosted);

/* A command was decided, and is not stored. Who acted in time and was not let has all the time
 * again that the last action left him, as after a restart: the disk's trouble is nobody's time. */
struct command;
void due_not_stored(const struct command *command);

/* For so long, until now, nobody was served: nothing runs meanwhile. */
void due_stood_still(struct hosted *hosted, int64_t ms);

/* For rooms.c: the timer's doorway. */
void due_fire(void *owner);

#endif
