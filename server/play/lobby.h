/* The lobby: the public rooms by status, and who follows their coming and going. */
#ifndef PLAY_LOBBY_H
#define PLAY_LOBBY_H

#include "server/play/state.h"

/* A room has opened, or its players, status or move have changed: list it where it belongs and
 * tell those who follow the lobby: opened and over at once, changes at most once a second. */
void lobby_update(struct hosted *hosted);

/* List a loaded room without telling anybody. */
void lobby_list(struct hosted *hosted);

/* Its creator has been away for long: it is told to be gone, until he is back. Fine if it is not
 * listed, or already so. */
void lobby_hide(struct hosted *hosted);
void lobby_show(struct hosted *hosted);

/* Is it a public room that is not hidden? */
bool lobby_shows(const struct hosted *hosted);

/* It leaves memory. */
void lobby_forget(struct hosted *hosted);

/* Up to `limit` rooms of a status after a cursor ("": from the oldest). Returns how many, and a
 * cursor in ret_next ("" when there are no more). False for a cursor that is none. */
bool lobby_page(const struct play *play, enum room_status status, const char *after, size_t limit,
		struct summary *ret_rooms, size_t *ret_count, char ret_next[CURSOR_SIZE]);

/* Follow the lobby, or stop. */
void lobby_follow(struct session *session, bool on);

/* A session that missed lobby events has read all: the state of what changed meanwhile. */
void lobby_catch_up(struct session *session);

/* The oldest waiting public room with this clock that `name` could be matched into and whose seat
 * nobody else is about to get, or NULL. */
struct hosted *lobby_match(
		const struct play *play, const char *name, const struct clock_agreed *clock);

/* For rooms.c: the timer's doorway. */
void lobby_change_due(void *owner);

#endif
