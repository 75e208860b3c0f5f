/* What this client remembers of the rooms that it follows: who sits where. No rule of the game. */
#ifndef CLIENT_ROOMS_H
#define CLIENT_ROOMS_H

#include "protocol/message.h"

struct room_seen {
	char id[ROOM_ID_SIZE];
	enum seat seat;		    /* ours; SEAT_NONE: we watch, or do not know */
	char players[2][NAME_SIZE]; /* X, O; "": nobody yet */
	enum room_status status;
};

struct rooms {
	char name[NAME_SIZE]; /* ours; "": not known yet */
	size_t count;
	struct room_seen seen[LIMIT_ROOMS_FOLLOWED]; /* the longest known first */
};

/* The room, or NULL. */
struct room_seen *rooms_find(struct rooms *rooms, const char *id);

/* The room, made if it is new; then the first one that is over makes place where there is none. */
struct room_seen *rooms_see(struct rooms *rooms, const char *id);

/* Forget the room, if it is known. */
void rooms_drop(struct rooms *rooms, const char *id);

/* How many rooms wait or play. */
size_t rooms_running(const struct rooms *rooms);

/* The only room that waits or plays, or NULL. */
struct room_seen *rooms_only(struct rooms *rooms);

/* Someone sits down (or sits there under a new name). */
void room_seat_player(const struct rooms *rooms, struct room_seen *room, enum seat seat,
		const char *name);

#endif
