/* Bots: players of chosen strength that are always here. A bot sits in a seat by its name and acts
 * through the room's queue as people do; what it does next is thought about beside the loop. A
 * thought is about a room as it was at one seq, and is dropped if the room went on meanwhile.
 *
 * No bot is a player in the store: it has no record, no token and no connection, is not listed
 * among who is online, and any number of people may play it at once. It resigns never, says
 * nothing, and takes every rematch that the limits leave room for. */
#ifndef PLAY_BOTS_H
#define PLAY_BOTS_H

#include "server/play/rooms.h"

struct bot;
struct player;

/* The name of the bot that is meant, as it stands in a seat; NULL for what is no bot's. */
const char *bots_name(const char *typed);

/* Does a bot sit in the room? */
bool bots_sit_in(const struct room *room);

/* May the player begin another game against a bot? */
bool bots_have_time_for(const struct play *play, const struct player *player);

/* The room has changed or was loaded: its bot, if it has one, does what there is to do. */
void bots_see(struct hosted *hosted);

/* Is its bot about to take a rematch that it was offered? Then the room may not leave memory. */
bool bots_owe(const struct hosted *hosted);

/* The room leaves memory, and its bot with it. */
void bots_leave(struct hosted *hosted);

#endif
