/* How long a room lets things take. */
#ifndef GAME_ROOM_LIMITS_H
#define GAME_ROOM_LIMITS_H

#include <stdint.h>

/* All above 0. */
struct room_limits {
	int64_t first_move_ms;	  /* a player's first action, where there are clocks */
	int64_t claim_ms;	  /* being away before the other may claim; see room_claim_at */
	int64_t claim_untimed_ms; /* the same without clocks */
	int64_t untouched_ms;	  /* a game without clocks in which nothing happens */
	int64_t creator_away_ms;  /* a room that waits */
};

#endif
