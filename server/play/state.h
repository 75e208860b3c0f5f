/* What the layer's modules share: the server's whole state, and the order in which they stand:
 *
 *     requests/  what each request does
 *     dispatch   which handler, and who may
 *     task       a request under way: look-ups, the one reply
 *     session    a connection: lines in, lines out, who it is
 *     telling    what a session is told in words
 *     due        what falls due in a room by itself
 *     bots       what bots do, and when
 *     queue      the room's queue: decide, store, apply, tell
 *     rated      what a game's end makes of ratings
 *     lobby, invitations, presence    who is told what
 *     followers, players, rooms       who and what there is
 *     thought    what a worker thinks about beside the loop
 *     limits     how much each may do
 *     guests     who is forgotten
 *     bans       who is not let in
 *     drain      how the server comes to an end without ending games
 *     operator   who came by the operator's door, and telling and closing many connections
 *     timers, ages, name
 */
#ifndef PLAY_STATE_H
#define PLAY_STATE_H

#include <sys/queue.h>

#include "protocol/message.h"
#include "server/ops/map.h"
#include "server/ops/prefix_set.h"
#include "server/play/ages.h"
#include "server/play/limits.h"
#include "server/play/play.h"
#include "server/play/spare.h"
#include "server/play/timers.h"

struct hosted;
struct player;
struct task;

TAILQ_HEAD(hosted_list, hosted);
TAILQ_HEAD(player_list, player);
TAILQ_HEAD(task_list, task);
TAILQ_HEAD(command_list, command);
TAILQ_HEAD(thought_list, thought);
TAILQ_HEAD(analysis_list, analysis);

/* Public rooms, oldest first: by status, and those that wait and are not shown. */
enum lobby_list {
	LOBBY_WAITING = STATUS_WAITING,
	LOBBY_PLAYING = STATUS_PLAYING,
	LOBBY_OVER = STATUS_OVER,
	LOBBY_HIDDEN,
	LOBBY_LISTS
};

/* See bans.h. */
struct bans {
	TAILQ_HEAD(ban_list, ban) all; /* the oldest first */
	size_t count;
	uint64_t last_number;
	struct map by_name; /* by key */
	struct prefix_set by_address;
	struct timer expire;
	TAILQ_HEAD(ban_changes, ban_change) changes; /* under way, the first at the store */
};

/* The server is about to stop, see drain.h. */
struct drain {
	bool on;
	int64_t until_ms; /* 0: when no game runs any more */
	struct timer look;
};

/* A look for guests to be forgotten, see guests.h. */
struct guest_drop {
	struct timer timer;
	struct store_batch batch;
	struct store_guests guests;
	char **keys;
	size_t size;
};

/* So many are told at once; where they are more, it may take a moment longer. */
#define PLAY_FEW 16

struct play {
	struct play_config config;
	struct map rooms;  /* by id: every room in memory that is stored */
	struct map roles;  /* by name: struct role_list, see rooms.h */
	struct map absent; /* by id: followed rooms that are not in memory, see followers.h */
	struct map players_by_key;   /* who is connected or asked for right now */
	struct map players_by_token; /* the same, by token hash in hex */
	struct ages lobby[LOBBY_LISTS];
	struct ages open; /* of those that wait and are shown, the ones that anybody may join */
	struct session_list sessions;
	struct session_list lobby_followers;
	size_t lobby_follower_count;
	struct hosted_list news[2]; /* rooms whose news waits, see news.h */
	struct timer news_timer;
	int64_t news_paid_us; /* until when what was told is paid for */
	struct player_list online;
	struct timers timers;
	struct timers rests;	 /* of those who said too much: thousands, and behind the others */
	struct timer drop_timer; /* old events are dropped */
	struct limits limits;
	struct guest_drop guest_drop;
	struct bans bans;
	struct drain drain;
	char motd[MOTD_SIZE];	     /* "": there is none */
	char option_motd[MOTD_SIZE]; /* what the options said last: their own text may be gone */
	int64_t began_ms;
	size_t hosted_count; /* rooms in memory, those not stored yet too */
	/* Rooms that are over, those with which nothing is lost, and those that somebody follows
	 * or that have chat; who was used longest ago first. */
	struct hosted_list leaving[2];
	struct spare tasks;
	struct spare commands; /* of one part */
	int64_t wake_ms;       /* what the clock was asked for */
	bool wakes;	       /* and it is not to be asked now */
	uint64_t room_number;  /* of the room made findable last */
	uint64_t end_number;   /* of the room that ended last */
	size_t session_count;
	size_t rooms_by_status[3]; /* of those that are registered */
	size_t online_count;
	size_t under_way;	   /* of commands and loads */
	size_t lookups;		   /* of them, loads of players */
	size_t frozen;		   /* commands whose outcome the store does not know */
	size_t frozen_most;	   /* at a time, since there were none */
	struct command_list ready; /* commands whose turn has come in every room */
	bool works;		   /* on them, further up the stack */
	/* `match` is opening a room; who asks meanwhile waits for it, lest two who come at once
	 * wait for each other in two rooms. */
	bool match_opens;
	struct task_list match_waits;
	struct thought_list thoughts; /* begun and not done */
	size_t analyses;	      /* of them */
	bool spreads;		      /* what is sent now goes to more than PLAY_FEW */
	bool closing;
	/* What a snapshot points into while it is encoded: too large for the stack. */
	struct chat_line chat[LIMIT_CHAT_LINES];
	play_started_fn *started;
	void *started_arg;
};

int64_t play_now(const struct play *play);

/* Random letters of the room id alphabet, and a NUL: `ret_letters` has room for count + 1. */
void play_random_letters(const struct play *play, size_t count, char *ret_letters);
void play_random(const struct play *play, void *buffer, size_t size);

/* Set a timer and have the clock wake us in time. */
void play_set_timer(struct play *play, struct timer *timer, int64_t due_ms);
/* The same of one who rests: it is in play.rests. */
void play_set_rest(struct play *play, struct timer *timer, int64_t due_ms);

#endif
