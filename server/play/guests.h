/* Guests who came once and never finished a game are forgotten after a while, their tokens with
 * them. Not those who are here, or sit in a room that waits or runs. */
#ifndef PLAY_GUESTS_H
#define PLAY_GUESTS_H

#include "server/play/state.h"

/* From now on, now and then; nobody while guests are kept for ever. */
void guests_begin(struct play *play);

#endif
