/* Who follows which room, and telling them. A room that is over may leave memory to make place for
 * others; whoever follows it does so on, and is told of it again once it is read. */
#ifndef PLAY_FOLLOWERS_H
#define PLAY_FOLLOWERS_H

#include "server/play/state.h"

struct follower {
	struct session *session;
	struct hosted *hosted; /* NULL: it is over and has left memory */
	struct absent *absent; /* which then is this, else NULL */
	int64_t told_seq;      /* the last event that it knows of */
	bool behind;	       /* it missed something and will get a state */
	TAILQ_ENTRY(follower) of_session;
	TAILQ_ENTRY(follower) of_room;
};

TAILQ_HEAD(follower_list, follower);

/* A room that has left memory though it is followed: what has to be known of it meanwhile. */
struct absent {
	char id[ROOM_ID_SIZE];
	int64_t ended_ms;
	uint64_t end_number;
	struct follower_list followers; /* never empty */
};

/* Is there room for one more, dropping one that is over where need be? */
bool followers_has_place(const struct session *session);

/* Follow from the room's last event on: what happened so far is for the caller to tell. Drops the
 * room that ended longest ago where need be. Following already is fine. False: no place. */
bool followers_add(struct session *session, struct hosted *hosted);

/* NULL if it does not follow. */
struct follower *followers_find(const struct session *session, const struct hosted *hosted);

/* Stop following. */
void followers_remove(struct follower *follower);
void followers_remove_all(struct session *session);

/* The room, which is over, leaves memory: its followers wait for it to be there again. */
void followers_part(struct hosted *hosted);
/* It is there again: they follow it as before, and who has missed something gets its state. */
void followers_return(struct hosted *hosted);
/* There is no such room any more, in the store neither: nobody follows it. */
void followers_lose(struct play *play, const char *id);

/* The id of the room. */
const char *followers_room(const struct follower *follower);

/* The room is over now: from now on it is among those that may be dropped. */
void followers_room_ended(struct hosted *hosted);

/* Tell a stored event, by reference, to whoever does not know of it. `event` may be NULL where only
 * the line is at hand. */
void followers_tell(
		struct hosted *hosted, int64_t seq, const struct event *event, struct bytes *line);

/* Tell an event that is not stored to the followers that can take it, and that `wants` (NULL: all)
 * says yes to. */
typedef bool followers_wants_fn(const struct session *session, const struct hosted *hosted,
		const struct event *event);
void followers_tell_event(
		struct hosted *hosted, const struct event *event, followers_wants_fn *wants);

/* The session has read all: one `state` of each room that it missed something of. */
void followers_catch_up(struct session *session);

/* Send a room's state as an event, and know it told. */
void followers_send_state(struct session *session, struct hosted *hosted);

/* The players go on in the room that follows the old one, and get its `state`: by the connections
 * that follow the old one, or, who has none of those, by all of his. */
void followers_go_on(struct hosted *old, struct hosted *new);

#endif
