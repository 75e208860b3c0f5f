/* Telling players that a seat is kept for them. */
#ifndef PLAY_INVITATIONS_H
#define PLAY_INVITATIONS_H

#include "server/play/state.h"

/* Tell a player of this one, wherever he is, unless he has muted whom it is from. */
void invitations_tell(const struct hosted *hosted, const struct player *player);

/* Tell a session of every one that stands. */
void invitations_tell_all(struct session *session);

/* A session that missed one because much waited for it has read all. */
void invitations_catch_up(struct session *session);

#endif
