/* Games that are over as the records tell them, and places in lists of them. */
#ifndef PLAY_RECORDS_H
#define PLAY_RECORDS_H

#include "server/game/room.h"
#include "server/play/ports.h"

/* A finished game as the store has it; false, and a line in the log, when its row can't be read. */
bool records_read(const struct store_finished *finished, struct game_row *ret);

/* A game in a room in memory, be it over or not; it has started. */
void records_see(const struct room *room, struct game_row *ret);

/* How a player stands on a day, as the store has him but for whether he is online; under the name
 * "" if he only keeps one from others. False, and a line in the log, when his record can't be read.
 */
bool records_read_standing(const struct store_player *player, int64_t day, struct standing *ret);

/* How a bot stands, who is never rated. */
void records_bot_standing(const char *name, struct standing *ret);

/* A place in a list of games as `next` tells it, and back: "" is the beginning. False: it is none.
 */
void records_write_cursor(int64_t place, char ret_cursor[CURSOR_SIZE]);
bool records_read_cursor(const char *cursor, int64_t *ret_place);

#endif
