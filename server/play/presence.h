/* Telling followers who is there: players coming and going at once, the number of spectators at
 * most once a second. */
#ifndef PLAY_PRESENCE_H
#define PLAY_PRESENCE_H

#include "server/play/state.h"

/* A player's first connection came, or his last one went: tell the rooms that he sits in. */
void presence_player(struct play *play, const char *name, bool online);

/* Somebody began or stopped to follow. */
void presence_spectators(struct hosted *hosted);

/* For rooms.c: the timer's doorway. */
void presence_spectators_due(void *owner);

#endif
