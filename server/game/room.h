/* A room: two seats, a game between them, and their clocks. A room is its list of events: it is
 * decided what a command would cause, the caller stores that, and only then are the events applied.
 *
 * Pure: no clock, no random numbers, no ids of its own, no memory but what it is handed. Knows no
 * connection, follower or store. Text in commands (names, titles) is taken as valid. */
#ifndef GAME_ROOM_H
#define GAME_ROOM_H

#include "protocol/message.h"
#include "server/game/room_limits.h"
#include "server/game/rules.h"

/* Draws that one player may offer in a game: each adds to the room's log, and so does its being
 * declined. */
#define ROOM_DRAW_OFFERS_MAX 16

/* A room as its events have made it. Zeroed is the room before its first event. */
struct room {
	char id[ROOM_ID_SIZE];
	int64_t seq; /* of the last event applied; 0: none yet */
	int64_t created_ms;
	int64_t started_ms; /* 0: not yet */
	int64_t ended_ms;   /* 0: not yet */
	int64_t at_ms;	    /* of the last event */
	enum room_status status;
	bool is_private;
	char title[TITLE_SIZE];
	struct clock_agreed clock;
	struct rated_asked rated;
	bool is_rated;		   /* the game that began counts for ratings, if it has a score */
	struct clock_running left; /* after the last action; not set before the game begins */
	char opponent[NAME_SIZE];  /* the free seat is kept for him; "": for anyone */
	char creator[NAME_SIZE];
	char players[2][NAME_SIZE]; /* X, O; "": free */
	struct rules_state game;
	uint8_t action_count; /* of actions: placements and measurements so far */
	struct rules_action actions[RULES_GAME_MAX];
	bool acted[2];		    /* has X, has O? */
	enum seat draw_offer;	    /* who offers */
	uint8_t draw_offers[2];	    /* how often each has offered, X, O */
	enum seat rematch_offer;    /* who asked first */
	char rematch[ROOM_ID_SIZE]; /* the room that follows; "": none */
	bool has_result;
	struct result result;
};

/* In place of a time since when somebody is away: he is here, or the seat is free. */
#define ROOM_HERE INT64_MAX

/* Since when things are as they are: points in time of the process that serves the room. They are
 * in no event: a time that another process has stored says nothing of how much time has passed. */
struct room_watch {
	const struct room_limits *limits;
	int64_t turn_ms;    /* who must act knows that he must: his clock runs from here */
	int64_t touched_ms; /* something happened */
	int64_t away_ms[2]; /* X, O is away; or ROOM_HERE */
};

enum room_command_kind {
	ROOM_OPEN,     /* player opens new_room: side, is_private, title, opponent, opponent_sits,
			  clock, rated */
	ROOM_JOIN,     /* player takes a seat: side, or SEAT_NONE for any; former */
	ROOM_RENAME,   /* player is called new_name from now on */
	ROOM_FORGET,   /* player gives his name up for new_name: what waits for him or for others
			  is closed, and he is called so; too_early while he plays */
	ROOM_LEAVE,    /* the creator gives up a waiting room */
	ROOM_DECLINE,  /* the invited player turns it down */
	ROOM_CLOSE,    /* the operator ends it */
	ROOM_MOVE,     /* squares, square_count; number if has_number */
	ROOM_COLLAPSE, /* mark_seat/mark (0: the closing one), square; number if has_number */
	ROOM_RESIGN,
	ROOM_ABORT,
	ROOM_DRAW,    /* has_accept, accept */
	ROOM_CLAIM,   /* the win, as the other is away */
	ROOM_REMATCH, /* new_room: the id for the room that would follow */
	ROOM_TIME     /* nobody's: what has fallen due by arrived_ms */
};

struct room_command {
	enum room_command_kind kind;
	const char *player; /* who: a name; "" is nobody, who does not open or join */
	int64_t arrived_ms; /* when it was asked for: what counts for clocks */
	const struct room_watch *watch;
	int64_t now_ms; /* when it is decided: the events' at_ms */
	/* As the kind says: */
	enum seat side;
	bool side_coin; /* ROOM_OPEN with SEAT_NONE: a random bit, true is X */
	bool is_private;
	bool opponent_sits; /* he takes his seat at once, and the game starts */
	struct clock_agreed clock;
	struct rated_asked rated;
	const char *title;    /* or NULL */
	const char *opponent; /* or NULL */
	const char *former;   /* or NULL: the guest's name that he was invited under */
	const char *new_name;
	const char *new_room;
	int64_t number;
	int64_t squares[2];
	int64_t mark;
	enum seat mark_seat;
	bool has_number;
	uint8_t square_count;
	bool has_accept;
	bool accept;
};

#define ROOM_EVENTS_MAX 4

/* What a command would cause: a refusal, or 0..4 events with room, seq and at_ms filled in. No
 * event and CODE_NONE: there is nothing to do (asked again). */
struct room_decision {
	enum code code;
	const char *message; /* a sentence that fits better than the code's own, or NULL; static */
	const char *field;   /* bad_request: the member, else NULL; static */
	int64_t retry_ms;    /* too_early: ask again after this; else 0 */
	int count;
	bool opens_rematch; /* ROOM_REMATCH: another room opens, by room_open_rematch */
	struct event events[ROOM_EVENTS_MAX]; /* the first `count` are filled in */
};

/* Decide a command. The checks come in the contract's order: the seat, not_started, game_over,
 * stale, not_your_turn, the phase, the squares. What arrived when something had fallen due already
 * is `unavailable`: whoever asks sees to it that ROOM_TIME is decided first, and so it is only if
 * that could not be stored. *ret is filled, but for events that are not there. */
void room_decide(const struct room *room, const struct room_command *command,
		struct room_decision *ret);

/* The events of the room that follows `old` once both have asked: opened (by who asked first),
 * two seated (sides changed) and started: exactly ROOM_REMATCH_EVENTS. */
#define ROOM_REMATCH_EVENTS 4
void room_open_rematch(const struct room *old, const char *new_room, int64_t now_ms,
		struct event ret_events[ROOM_REMATCH_EVENTS]);

/* What falls due next if nothing happens before, and how the room ends then. at_ms is INT64_MAX
 * where nothing does. */
struct room_due {
	int64_t at_ms;
	struct result result;
};
void room_next_due(const struct room *room, const struct room_watch *watch, struct room_due *ret);

/* When the other may claim if the player in this seat is still away then and has to act: once he
 * has been away for the grace time, which is at most half of what his clock shows as he goes, and
 * at least 10 s (but never more than the limit). INT64_MAX: never, as he is here, nobody plays, or
 * the game is called off anyway without his first action. */
int64_t room_claim_at(const struct room *room, const struct room_watch *watch, enum seat seat);

/* What the clocks show at a time of this process; not set where there are none. */
struct clock_running room_clocks(
		const struct room *room, const struct room_watch *watch, int64_t at_ms);

/* Apply a stored event, in order of seq. Returns false, and changes nothing, for an event that
 * can't follow (wrong seq, or the rules refuse it): a corrupt or foreign log. */
bool room_apply(struct room *room, const struct event *event);

/* What lies between a room's first event and the one that ended its game, when those events are no
 * longer there. */
struct room_past {
	const char *players[2]; /* X, O */
	int64_t started_ms;
	bool is_rated;		   /* its end counted for ratings */
	struct clock_running left; /* what the clocks showed at the end */
	int64_t last_seq;	   /* of the last event of the past */
	int action_count;
	const struct rules_action *actions;
};

/* Bring a room of which only `opened` is applied to where its `ended` can be. Returns false, and
 * changes nothing, when that is no room's past. */
bool room_apply_past(struct room *room, const struct room_past *past);

/* The other seat; of SEAT_NONE itself. */
enum seat room_other(enum seat seat);

/* The seat of a name; SEAT_NONE if he has none. Names compare as they are. */
enum seat room_seat_of(const struct room *room, const char *player);

/* What a name begins with of one who gave his own up, or had it taken: nobody comes by it. */
#define ROOM_GONE "gone-"
/* Is it such a name? */
bool room_is_gone(const char *player);

/* Is it a name that somebody has claimed, and so a player who has a rating? Guests, bots and who
 * has given his name up have none. */
bool room_has_rating(const char *player);

/* The name in a seat, "" if it is free. */
const char *room_player(const struct room *room, enum seat seat);

/* The board as the wire shows it. */
void room_board(const struct room *room, struct board *ret);

/* Snapshot and summary, without what a room does not know: online, spectators, chat, and the
 * clocks that run on. */
void room_snapshot(const struct room *room, struct snapshot *ret);
void room_summary(const struct room *room, struct summary *ret);

#endif
