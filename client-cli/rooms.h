/* What this client remembers of the rooms that it follows: who sits where. No rule of the game. */
#ifndef CLIENT_ROOMS_H
#define CLIENT_ROOMS_H

#include "protocol/tell.h"

struct rooms {
	char name[NAME_SIZE]; /* ours; "": not known yet */
	size_t count;
	struct tell_room seen[LIMIT_ROOMS_FOLLOWED]; /* the longest known first */
};

/* The room, or NULL. */
struct tell_room *rooms_find(struct rooms *rooms, const char *id);

/* The room, made if it is new; then the first one that is over makes place where there is none. */
struct tell_room *rooms_see(struct rooms *rooms, const char *id);

/* Forget the room, if it is known. */
void rooms_drop(struct rooms *rooms, const char *id);

/* How many rooms wait or play. */
size_t rooms_running(const struct rooms *rooms);

/* The only room that waits or plays, or NULL. */
struct tell_room *rooms_only(struct rooms *rooms);

/* Someone sits down (or sits there under a new name). */
void room_seat_player(const struct rooms *rooms, struct tell_room *room, enum seat seat,
		const char *name);

/* The free seat is kept for somebody ("": for nobody). */
void room_keep_seat(const struct rooms *rooms, struct tell_room *room, const char *name);

#endif
