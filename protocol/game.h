/* The game's own values, as the wire contract names them: what requests, replies and events are
 * made of. Knows no JSON and no library. */
#ifndef PROTOCOL_GAME_H
#define PROTOCOL_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"

enum seat { SEAT_NONE, SEAT_X, SEAT_O };

/* Squares are 1..9, left to right, top to bottom. A mark is its subscript 1..9: X's are odd,
 * O's even, so 4 is the mark "O4"; 0 is none. */

enum phase { PHASE_MOVE, PHASE_COLLAPSE, PHASE_OVER };
enum room_status { STATUS_WAITING, STATUS_PLAYING, STATUS_OVER };

/* Words beside the JSON of a connection, or in its place. */
enum text_mode { TEXT_OFF, TEXT_ON, TEXT_ONLY };

enum end_reason {
	REASON_LINE,
	REASON_FULL_BOARD,
	REASON_RESIGN,
	REASON_FLAG,
	REASON_CLAIM,
	REASON_AGREEMENT,
	REASON_ABORTED
};

/* Why a game was aborted; CAUSE_NONE for every other reason. */
enum end_cause {
	CAUSE_NONE,
	CAUSE_REQUEST,
	CAUSE_NO_FIRST_MOVE,
	CAUSE_UNTOUCHED,
	CAUSE_CREATOR_LEFT,
	CAUSE_DECLINED,
	CAUSE_OPERATOR
};

/* Marks with the squares that they became classical in, in the order in which they force each
 * other: the closing mark first, then breadth first, the marks of one square ascending. */
struct measured {
	uint8_t count; /* 0..9 */
	uint8_t mark[9];
	uint8_t square[9];
};

struct board_square {
	uint8_t classical; /* a mark, or 0 */
	uint8_t spooky_count;
	uint8_t spooky[9]; /* marks, ascending; empty if classical */
};

struct board {
	uint8_t move;	/* see PROTOCOL.md: the next move's number, the closing move's
			   while a measurement is due, the last one's when over */
	enum seat turn; /* who must act; SEAT_NONE when over */
	enum phase phase;
	struct board_square squares[9]; /* squares[0] is square 1 */
	/* In PHASE_COLLAPSE alone, else zero: */
	uint8_t choices[2]; /* the closing mark's squares, ascending */
	uint8_t cycle_count;
	uint8_t cycle[9];	     /* the squares of the cycle, ascending */
	struct measured outcomes[2]; /* for each choice what it would give */
};

/* A line: three classical marks of one letter; max is its time, the largest subscript. */
struct line_made {
	enum seat seat;
	uint8_t squares[3]; /* ascending */
	uint8_t max;
};

/* How a game ended. Scores are in half points: 3 is 1.5 on the wire. */
struct result {
	enum end_reason reason;
	enum end_cause cause;
	bool scored; /* false: score is null (aborted) */
	uint8_t half_points_x;
	uint8_t half_points_o;
	uint8_t line_count; /* 0..2 */
	struct line_made lines[2];
};

/* The clock that was agreed on; absent (set false) in untimed games. */
struct clock_agreed {
	bool set;
	int64_t base_ms;
	int64_t increment_ms;
};

static inline bool clock_agreed_same(const struct clock_agreed *a, const struct clock_agreed *b)
{
	return a->set == b->set && a->base_ms == b->base_ms && a->increment_ms == b->increment_ms;
}

/* Whether a game is to count for ratings, where that was said; else it does if it can. */
struct rated_asked {
	bool set;
	bool on;
};

/* A player's rating in thousandths of a point. */
struct rating_shown {
	bool set; /* false: he has none, or it is not known */
	int64_t milli;
};

/* What a game made of the ratings of X and O. */
struct ratings_changed {
	bool set; /* false: it did not count */
	int64_t before_milli[2];
	int64_t after_milli[2];
};

/* The clock that runs: what is left to each, and whose time passes (SEAT_NONE: nobody's). */
struct clock_running {
	bool set;
	int64_t x_ms;
	int64_t o_ms;
	enum seat running;
};

#endif
