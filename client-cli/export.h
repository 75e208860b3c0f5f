/* Finished games out of a server, as text that --replay reads: headers in brackets, an empty line,
 * the record in Goff's notation, an empty line. */
#ifndef CLIENT_EXPORT_H
#define CLIENT_EXPORT_H

#include "client-cli/session.h"

/* Write one game: as `game` or a row of `games` tells it. */
void export_game(FILE *out, const struct game_row *game);

/* Write the games of the player, or the game in the room, that options->export names, to `out`;
 * those of a player as they come, the newest first. Returns the exit status, and tells on standard
 * error what went wrong. */
enum exit_status export_run(const struct options *options, struct link *link, FILE *out);

#endif
