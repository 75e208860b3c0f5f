/* A room out of what is stored of it: what both loading it and checking it go by. */
#ifndef PLAY_REPLAY_H
#define PLAY_REPLAY_H

#include "protocol/decode.h"
#include "server/game/room.h"
#include "server/play/ports.h"

/* Decode a stored line. Returns whether it is an event; the message is the caller's to end with
 * message_fini in any case. */
bool replay_read(const struct bytes *line, struct message *ret);

/* The name in a seat of a finished game: a player's as he is called now, or the key of whom the
 * store does not know. False: it can't be told. */
bool replay_name(const struct store_finished *finished, int seat, char ret_name[NAME_SIZE]);

/* Bring a room to which only its first event is applied to where the game's `ended` can follow: the
 * row tells what the events between told, by the players' names of now. Returns false, and changes
 * nothing, when it can't be so. */
bool replay_past(struct room *room, const struct store_finished *finished);

#endif
