/* A room's clocks and what ends it without anybody's doing: for room_decide.c. What others ask for
 * is in room.h. */
#ifndef GAME_ROOM_TIME_H
#define GAME_ROOM_TIME_H

#include "server/game/room.h"

/* How a room ends: without a score, or 1 to 0. */
struct result room_time_aborted(enum end_cause cause);
struct result room_time_won(enum end_reason reason, enum seat winner);

/* The clocks as the game begins; not set where none was agreed on. */
struct clock_running room_time_start(const struct clock_agreed *agreed);

/* The clocks after an action of whose turn it is, which leaves the game as `after`: his time up to
 * the command's arrival is gone, and he gets the increment. */
struct clock_running room_time_after(const struct room *room, const struct room_command *command,
		const struct rules_state *after);

#endif
