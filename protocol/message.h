/* Requests, replies and events as plain values, as the wire contract names them.
 * Knows no JSON and no library. A value holds no pointer unless its comment says who owns it. */
#ifndef PROTOCOL_MESSAGE_H
#define PROTOCOL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "protocol/codes.h"
#include "protocol/game.h"
#include "protocol/limits.h"

/* Copy a NUL-ended string into an array of `size` bytes; it must fit (a longer one is cut, so that
 * even then nothing beyond the array is written). */
static inline void message_copy(char *to, size_t size, const char *from)
{
	size_t length = strnlen(from, size - 1);

	memcpy(to, from, length);
	to[length] = '\0';
}

/* Requests. */

enum request_type {
	REQUEST_HELLO,
	REQUEST_HELP,
	REQUEST_WHO,
	REQUEST_TEXT,
	REQUEST_MUTE,
	REQUEST_FORGET,
	REQUEST_PING,
	REQUEST_QUIT,
	REQUEST_CREATE,
	REQUEST_MATCH,
	REQUEST_JOIN,
	REQUEST_DECLINE,
	REQUEST_WATCH,
	REQUEST_LEAVE,
	REQUEST_LOBBY,
	REQUEST_MOVE,
	REQUEST_COLLAPSE,
	REQUEST_RESIGN,
	REQUEST_ABORT,
	REQUEST_DRAW,
	REQUEST_CLAIM,
	REQUEST_REMATCH,
	REQUEST_SAY,
	REQUEST_STATE,
	REQUEST_GAME,
	REQUEST_GAMES,
	REQUEST_PLAYER,
	REQUEST_TOP,
	REQUEST_ANALYSE,
	/* At the operator's door alone: */
	REQUEST_NOTICE,
	REQUEST_KICK,
	REQUEST_BAN,
	REQUEST_UNBAN,
	REQUEST_BANS,
	REQUEST_ROOMS,
	REQUEST_CLOSE,
	REQUEST_STATS,
	REQUEST_RELEASE,
	REQUEST_DRAIN,
	REQUEST_MOTD,
	REQUEST_COUNT
};

/* A request's `id`, given back as `re`. */
struct request_id {
	enum { ID_NONE, ID_INTEGER, ID_STRING } kind;
	int64_t integer;
	char string[LIMIT_ID_BYTES + 1];
};

/* Bits of request.has: which optional members were there (null is as absent). */
enum request_has {
	HAS_NAME = 1 << 0,
	HAS_TOKEN = 1 << 1,
	HAS_PROTOCOL = 1 << 2,
	HAS_ABOUT = 1 << 3,
	HAS_LIMIT = 1 << 4,
	HAS_ON = 1 << 5,
	HAS_OPPONENT = 1 << 6,
	HAS_SIDE = 1 << 7,
	HAS_PRIVATE = 1 << 8,
	HAS_TITLE = 1 << 9,
	HAS_ROOM = 1 << 10,
	HAS_SINCE = 1 << 11,
	HAS_STATUS = 1 << 12,
	HAS_AFTER = 1 << 13,
	HAS_FOLLOW = 1 << 14,
	HAS_SQUARES = 1 << 15,
	HAS_SQUARE = 1 << 16,
	HAS_MARK = 1 << 17,
	HAS_MOVE = 1 << 18,
	HAS_ACCEPT = 1 << 19,
	HAS_TEXT = 1 << 20,
	HAS_MODE = 1 << 21,
	HAS_CLOCK = 1 << 22,
	HAS_RECORD = 1 << 23,
	HAS_ACTIONS = 1 << 24,
	HAS_STEPS = 1 << 25,
	HAS_FOR = 1 << 26,
	HAS_WHOM = 1 << 27,
	HAS_WHY = 1 << 28,
	HAS_RATED = 1 << 29,
	HAS_RENEW = 1 << 30
};

/* What a player does, in a list of actions: a move with one or two squares, or, with none, a
 * measurement that puts the closing mark into `square`. A square that is none of 1..9 is 0. */
struct action {
	uint8_t square_count;
	uint8_t squares[2];
	uint8_t square;
};

/* One request: its type, its id and the members that its row in protocol/requests.h names. The
 * decoder has checked kinds and bounds of shape (lengths, integer, enum word); squares and marks
 * may still be any integer, for the rules to refuse by name. A member that was absent is zero. */
struct request {
	enum request_type type;
	struct request_id id;
	uint32_t has;			/* enum request_has */
	char name[NAME_TYPED_SIZE];	/* as typed, not normalised; or `whom` */
	char opponent[NAME_TYPED_SIZE]; /* create */
	char token[TOKEN_SIZE];
	char room[ROOM_ID_SIZE]; /* lower case; not checked to exist */
	char title[TITLE_SIZE];
	union {
		char text[TEXT_SIZE];	  /* say, notice, motd; ban: `why` */
		char record[RECORD_SIZE]; /* analyse: as sent, not read yet */
	};
	char after[CURSOR_SIZE];
	char about[WORD_SIZE];
	int64_t protocol;
	int64_t limit;
	int64_t since;
	int64_t move; /* the number that the move has or would have */
	enum room_status status;
	enum text_mode mode; /* text */
	enum seat side;	     /* SEAT_NONE: random */
	struct clock_agreed clock;
	bool on;
	bool is_private;
	bool rated; /* create */
	bool follow;
	bool renew;
	bool accept;
	uint8_t square_count; /* of squares: 1 or 2 */
	int64_t squares[2];   /* move: as sent, so maybe beyond 1..9 */
	int64_t square;	      /* collapse */
	enum seat mark_seat;  /* collapse: "O4" is SEAT_O and 4 */
	int64_t mark_number;
	int64_t for_ms;	      /* ban, drain */
	bool steps;	      /* analyse */
	uint8_t action_count; /* analyse */
	struct action actions[LIMIT_ACTIONS];
};

/* Snapshots and summaries. */

struct seat_shown {
	bool taken; /* false: null */
	char name[NAME_SIZE];
	bool online;
	struct rating_shown rating;
};

struct chat_line {
	char player[NAME_SIZE];
	enum seat seat; /* SEAT_NONE: a watcher */
	char text[TEXT_SIZE];
};

struct snapshot {
	char room[ROOM_ID_SIZE];
	int64_t seq;
	int64_t at_ms; /* of the room's last event */
	enum room_status status;
	struct seat_shown players[2]; /* X, O */
	bool is_private;
	char title[TITLE_SIZE]; /* "" : absent */
	struct clock_agreed agreed;
	struct rated_asked rated;
	struct clock_running clock;
	int64_t spectators;
	enum seat draw_offer;
	struct board board;
	bool has_result;
	struct result result;
	size_t chat_count;
	const struct chat_line *chat; /* the maker's; a decoded message owns it */
};

struct summary {
	char room[ROOM_ID_SIZE];
	enum room_status status;
	char players[2][NAME_SIZE]; /* X, O; "": null */
	struct clock_agreed clock;
	struct rated_asked rated;
	char title[TITLE_SIZE];
	int64_t move; /* as board.move */
	int64_t spectators;
	int64_t created_ms;
};

/* A game as the records tell it. */
struct game_row {
	char room[ROOM_ID_SIZE];
	char players[2][NAME_SIZE]; /* X, O */
	bool is_private;	    /* not on the wire */
	struct clock_agreed agreed;
	struct rated_asked rated; /* set: it counts */
	bool has_result;	  /* false: it is being played; then there is no end either */
	struct result result;
	int64_t started_ms;
	int64_t ended_ms;
	char record[GAME_RECORD_SIZE]; /* Goff's notation */
};

/* How a player stands: his rating as it is today, and how his rated games went. */
struct standing {
	char name[NAME_SIZE];
	bool online;
	int64_t rating_milli;
	int64_t deviation_milli;
	int64_t games;
	int64_t wins;
	int64_t draws;
	int64_t losses;
};

/* Events. */

enum event_type {
	/* Stored, with room, seq and at_ms: */
	EVENT_OPENED,
	EVENT_SEATED,
	EVENT_STARTED,
	EVENT_MOVED,
	EVENT_COLLAPSED,
	EVENT_DRAW_OFFERED,
	EVENT_DRAW_DECLINED,
	EVENT_ENDED,
	EVENT_REMATCH_OFFERED,
	EVENT_REMATCH,
	/* Never stored: */
	EVENT_STATE,
	EVENT_PRESENCE,
	EVENT_SAID,
	EVENT_LOBBY,
	EVENT_INVITED,
	EVENT_NOTICE,
	EVENT_BYE,
	EVENT_WELCOME,
	EVENT_COUNT
};

enum lobby_change { LOBBY_ADDED, LOBBY_CHANGED, LOBBY_REMOVED };
enum bye_reason { BYE_QUIT, BYE_SHUTDOWN, BYE_SLOW_READER, BYE_IDLE, BYE_KICKED };

struct event_opened {
	char player[NAME_SIZE];
	bool is_private;
	struct clock_agreed clock;
	struct rated_asked rated;
	char title[TITLE_SIZE];	  /* "": absent */
	char opponent[NAME_SIZE]; /* "": absent; the seat is kept for him */
};

struct event_seated {
	enum seat seat;
	char player[NAME_SIZE];
};

struct event_started {
	char players[2][NAME_SIZE]; /* X, O */
	struct board board;
	struct clock_running clock;
};

struct event_moved {
	enum seat by;
	uint8_t move;
	uint8_t square_count; /* 1: the last square */
	uint8_t squares[2];   /* ascending */
	struct board board;
	struct clock_running clock;
};

struct event_collapsed {
	enum seat by;
	uint8_t move;	/* the one that closed the cycle */
	uint8_t square; /* where that one went */
	struct measured measured;
	struct board board;
	struct clock_running clock;
};

struct event_ended {
	struct result result;
	struct board board;
	struct ratings_changed ratings;
};

struct event_presence {
	char player[NAME_SIZE]; /* "": no player member, no online member */
	bool online;
	bool has_claim; /* he is away, and the other may claim once this has passed */
	int64_t claim_in_ms;
	int64_t spectators;
};

struct event_said {
	char player[NAME_SIZE];
	enum seat seat;
	char text[TEXT_SIZE];
};

struct event_lobby {
	enum lobby_change change;
	struct summary summary;
};

struct event_invited {
	char player[NAME_SIZE]; /* who invites */
	struct clock_agreed clock;
	struct rated_asked rated;
};

struct event_bye {
	enum bye_reason reason;
	bool has_retry;
	int64_t retry_ms;
};

struct event_welcome {
	char server[WORD_SIZE]; /* "qtttd/0.1.0" */
	char name[64];		/* the server's */
	char motd[MOTD_SIZE];	/* "": absent */
	char help[512];		/* lines to paste */
	bool has_limits;	/* of what one may do; absent where there are none: */
	int64_t rooms_per_name;
	int64_t bot_games_per_name;
	int64_t connections_per_name;
	int64_t watchers_per_room;
	int64_t opens_per_minute;
	int64_t says_per_minute;
	int64_t invites_per_minute;
	int64_t names_per_hour;
};

struct event {
	enum event_type type;
	char room[ROOM_ID_SIZE]; /* "" where the event has no room of its own */
	int64_t seq;		 /* stored events alone, from 1 */
	int64_t at_ms;		 /* stored events alone */
	union {
		struct event_opened opened;
		struct event_seated seated;
		struct event_started started;
		struct event_moved moved;
		struct event_collapsed collapsed;
		enum seat by; /* draw_offered, draw_declined, rematch_offered */
		struct event_ended ended;
		char new_room[ROOM_ID_SIZE]; /* rematch */
		struct snapshot state;
		struct event_presence presence;
		struct event_said said;
		struct event_lobby lobby;
		struct event_invited invited;
		char notice[TEXT_SIZE];
		struct event_bye bye;
		struct event_welcome welcome;
	};
};

/* Replies. */

struct who_row {
	struct rating_shown rating;
	char name[NAME_SIZE];
	char room[ROOM_ID_SIZE]; /* "": absent */
};

/* A legal action with what it leads to. */
struct action_value {
	struct action action;
	int8_t half_points; /* X's minus O's when both play perfectly from there */
};

/* What an operator is told. */

struct ban_row {
	char whom[NAME_SIZE]; /* an address, a block of them, or a name */
	int64_t made_ms;
	bool has_until;
	int64_t until_ms;
	char why[TEXT_SIZE]; /* "": absent */
};

struct room_row {
	struct summary summary;
	bool is_private;
	size_t here_count; /* names that follow it, LIMIT_LIST at most; the maker's */
	char (*here)[NAME_SIZE];
};

struct stats {
	char version[WORD_SIZE];
	int64_t uptime_ms;
	int64_t connections;
	int64_t online;	  /* names */
	int64_t rooms[3]; /* in memory, by enum room_status */
	int64_t bans;
	int64_t store_waiting; /* asked of the store and not answered */
	int64_t store_unknown; /* of them, those of which the store does not know what came of it */
	int64_t thoughts;      /* of bots and analyses, begun or waiting */
	int64_t accepted;      /* connections, since the server began; so are those below */
	int64_t refused;
	int64_t lines;
	int64_t bytes_in;
	int64_t bytes_out;
	int64_t memory_bytes;
	bool draining;
};

/* What an `ok` carries; `carries` says which members are there. Arrays behind pointers belong to
 * the maker, in a decoded message to the message. Written in the order of this struct, but for
 * hello's token, which follows the name. */
enum ok_carries {
	OK_NAME = 1 << 0,      /* name */
	OK_ROOM = 1 << 1,      /* room */
	OK_SEQ = 1 << 2,       /* seq */
	OK_NEW = 1 << 3,       /* new */
	OK_YOU = 1 << 4,       /* you */
	OK_SEAT = 1 << 5,      /* seat */
	OK_STATE = 1 << 6,     /* state */
	OK_TOKEN = 1 << 7,     /* token */
	OK_OWN_ROOMS = 1 << 8, /* rooms: ids (hello) */
	OK_SUMMARIES = 1 << 9, /* rooms: summaries (lobby) */
	OK_NEXT = 1 << 10,     /* next */
	OK_ONLINE = 1 << 11,   /* online */
	OK_PLAYERS = 1 << 12,  /* players (who) */
	OK_MUTED = 1 << 13,    /* muted */
	OK_REQUESTS = 1 << 14, /* requests (help) */
	OK_NOW = 1 << 15,      /* now_ms */
	OK_MODE = 1 << 16,     /* mode (text) */
	OK_VALUES = 1 << 17,   /* board, value, each (analyse) */
	OK_STEPS = 1 << 18,    /* steps (analyse) */
	OK_GAME = 1 << 19,     /* players, settings, result, times, record (game) */
	OK_GAMES = 1 << 20,    /* games (games) */
	OK_STANDING = 1 << 21, /* online, rating, deviation, games … (player) */
	OK_TOP = 1 << 22,      /* players (top) */
	OK_WHOM = 1 << 23,     /* whom */
	OK_UNTIL = 1 << 24,    /* until_ms */
	OK_TOUCHED = 1 << 25,  /* connections: how many heard it, or were closed */
	OK_BANS = 1 << 26,     /* bans */
	OK_ROOMS = 1 << 27,    /* rooms: all of them (rooms) */
	OK_STATS = 1 << 28,    /* stats */
	OK_DRAIN = 1 << 29,    /* draining, games */
	OK_MOTD = 1 << 30      /* motd */
};

struct ok {
	struct request_id re;
	enum request_type to;
	uint32_t carries; /* enum ok_carries */
	char name[NAME_SIZE];
	char room[ROOM_ID_SIZE];
	int64_t seq;
	char new_room[ROOM_ID_SIZE];
	char you[NAME_SIZE];
	enum seat seat;
	const struct snapshot *state;
	char token[TOKEN_SIZE];
	size_t own_room_count;
	char (*own_rooms)[ROOM_ID_SIZE]; /* only read */
	size_t summary_count;
	const struct summary *summaries;
	char next[CURSOR_SIZE];
	int64_t online;
	size_t player_count;
	const struct who_row *players;
	size_t muted_count;
	char (*muted)[NAME_SIZE]; /* only read */
	size_t request_count;
	const enum request_type *requests; /* written with members and about of their rows */
	int64_t now_ms;
	enum text_mode mode;
	const struct board *board;
	int8_t half_points; /* value: X's minus O's */
	size_t each_count;
	const struct action_value *each;
	size_t step_count;
	const int8_t *steps; /* half points */
	const struct game_row *game;
	size_t game_count;
	const struct game_row *games;
	const struct standing *standing;
	size_t top_count;
	const struct standing *top;
	int64_t until_ms;
	int64_t connections;
	size_t ban_count;
	const struct ban_row *bans;
	size_t room_count;
	const struct room_row *rooms;
	const struct stats *stats;
	char whom[NAME_SIZE];
	bool draining;
	int64_t games_left;   /* that run */
	char motd[MOTD_SIZE]; /* "": there is none */
};

struct error {
	struct request_id re;
	char to[WORD_SIZE]; /* the request's type as it came; "": absent */
	enum code code;
	char message[200];
	char field[WORD_SIZE]; /* "": absent */
	bool has_at;
	int64_t at; /* where in that field, from 1 */
	bool has_retry;
	int64_t retry_ms;
	bool has_board; /* seq and board of the room that it is about */
	int64_t seq;
	struct board board;
};

/* A line from the server, decoded. */
struct message {
	enum { MESSAGE_OK, MESSAGE_ERROR, MESSAGE_EVENT } kind;
	union {
		struct ok ok;
		struct error error;
		struct event event;
	};
	void *owned; /* what the arrays live in; message_fini frees it */
};

#endif
