/* What the server without sockets asks of the world: a store, a clock, random bytes and someone to
 * write to. Tests bring their own; main.c brings the real ones.
 *
 * All of it runs on one thread, the loop's. A store's answers come later, on that thread, never
 * from within the call that asked. */
#ifndef PLAY_PORTS_H
#define PLAY_PORTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "protocol/bytes.h"

/* Store. */

enum store_status {
	STORE_STORED,	/* all of the batch is there, for good */
	STORE_CONFLICT, /* somebody else was first (seq, version, key or token); nothing is there */
	STORE_UNAVAILABLE, /* could not; nothing is there */
	STORE_UNKNOWN	   /* all of it is there or nothing: load to find out */
};

/* A room's place in life, for looking up without reading its events. */
enum store_room_state { STORE_ROOM_WAITING, STORE_ROOM_PLAYING, STORE_ROOM_OVER };

/* Events of one room, to come after event `after_seq` (0: the room is new). */
struct store_room_change {
	const char *room;
	int64_t after_seq;
	size_t count; /* of lines; 1 or more */
	struct bytes *const *lines;
	enum store_room_state state; /* after them */
	int64_t at_ms;		     /* of the last one */
	/* The state is as it was at after_seq: it need not be written again. */
	bool keeps_state;
};

#define STORE_HASH_BYTES 32

/* How good a player is and how his rated games went; what the numbers mean is in game/rating.h.
 * Zeroed: he has played none. */
struct store_rating {
	int64_t games; /* rated: each makes a new state of all this, so it is its version too */
	int64_t wins;
	int64_t draws;
	int64_t losses;
	int64_t milli;
	int64_t deviation_milli;
	int64_t volatility_nano;
	int64_t day;
	int64_t settled_day; /* the last one on which the deviation is low enough for a table */
};

/* A player as the store knows him. `id` stays for life; key (his name, folded) and token hash are
 * unique among players. */
struct store_player {
	int64_t id;	 /* above 0; made by who adds him */
	int64_t version; /* of what is stored; 1 is the first */
	const char *key;
	unsigned char token_hash[STORE_HASH_BYTES];
	struct bytes *record; /* what is kept about him: protocol's player record */
	/* Since when he is a guest, who may be forgotten; 0: he is none. Who has finished a game is
	 * none to the store, whatever is said later. */
	int64_t guest_ms;
	struct store_rating rating; /* as it was loaded; a change of the player leaves it alone */
};

/* Guests to be forgotten: those since before a time, but for these keys, which are sorted. The
 * store may leave some of them for the next time. */
struct store_guests {
	int64_t before_ms;
	size_t keep_count;
	const char *const *keep_keys;
};
#define STORE_GUESTS_MAX 1000 /* at one time */

/* A new state of a player, to replace version `player.version - 1` (0: he is new). */
struct store_player_change {
	struct store_player player;
};

/* What a rated game makes of a player's rating, to replace that of `rating.games - 1` games. */
struct store_rating_change {
	int64_t player; /* his id */
	struct store_rating rating;
};

/* A game that is over, once a room. Keys are of the players' names; the store keeps who they are,
 * so that a name which changes later changes here too, and the key of whom it does not know. */
struct store_game {
	const char *room;
	int64_t ended_seq; /* of the event that ended it */
	const char *x_key;
	const char *o_key;
	bool is_private;
	int64_t started_ms;
	int64_t ended_ms;
	bool has_clock;
	int64_t left_ms[2]; /* on the clocks of X and O at the end; 0 without a clock */
	const char *result; /* JSON, as in `ended` */
	const char *record; /* Goff's notation */
	/* It changed the ratings of these two, X and O: they played, whatever their keys say. */
	bool is_rated;
	int64_t rated_ids[2];
	int ahead; /* X's half points minus O's */
};

/* Somebody who is not let in. `whom` is unique; what it means is not the store's business. */
struct store_ban {
	const char *whom;
	int64_t made_ms;
	int64_t until_ms; /* 0: for good */
	const char *why;  /* "": not said */
};

/* It is there from now on, in place of one for the same; or it is not, be it that it was or not. */
struct store_ban_change {
	struct store_ban ban;
	bool lifts; /* of `ban` only `whom` counts */
};

/* All or nothing: first the guests go, then come the players, their ratings, then the rooms, then
 * the games (whose keys are looked up then), then the bans in their order. A room, player, rating,
 * key or token stands in it at most once. Arrays, strings
 * and lines are the caller's and live until `done`; the struct itself need not outlive the call. An
 * empty one changes nothing: its answer tells whether the store can be written to. */
struct store_batch {
	size_t room_count;
	const struct store_room_change *rooms;
	size_t player_count;
	const struct store_player_change *players;
	size_t rating_count;
	const struct store_rating_change *ratings;
	size_t game_count;
	const struct store_game *games;
	const struct store_guests *guests; /* or NULL */
	size_t ban_count;
	const struct store_ban_change *bans;
};

typedef void store_done_fn(void *arg, enum store_status status);

enum store_found {
	STORE_FOUND,
	STORE_ABSENT,
	STORE_NOT_READABLE,
	STORE_DROPPED /* events among those asked for are gone: load_game has what is left */
};

/* Events of a room, in order; lines are the store's, take references. STORE_DROPPED: those of them
 * that are still there. */
typedef void store_room_fn(
		void *arg, enum store_found found, size_t count, struct bytes *const *lines);

/* One player; valid during the call (take a reference to the record). NULL unless found. */
typedef void store_player_fn(void *arg, enum store_found found, const struct store_player *player);

/* A game that is over, when its events may be gone. */
struct store_finished {
	struct store_game game; /* a key is NULL where there is a player */
	/* X and O as they are now; NULL: the store never knew him. */
	const struct store_player *players[2];
	/* The room's first event, and those from ended_seq on. */
	size_t count;
	struct bytes *const *lines;
};

/* Valid during the call (take references). NULL unless found. */
typedef void store_game_fn(
		void *arg, enum store_found found, const struct store_finished *finished);

/* One room in progress with all its events, during store_load_unfinished. */
typedef void store_each_room_fn(
		void *arg, const char *room, size_t count, struct bytes *const *lines);

/* All bans, the oldest first; valid during the call. None unless found. */
typedef void store_bans_fn(
		void *arg, enum store_found found, size_t count, const struct store_ban *bans);

struct store;

/* A store is a struct that begins with a pointer to its operations. Strings and hashes given to a
 * load need not outlive the call. Each callback is called exactly once (`each` any number of times
 * before `done`). */
struct store_ops {
	void (*commit)(struct store *store, const struct store_batch *batch, store_done_fn *done,
			void *arg);
	/* Events after after_seq; STORE_ABSENT if there is no such room. */
	void (*load_room)(struct store *store, const char *room, int64_t after_seq,
			store_room_fn *done, void *arg);
	/* The game that ended in a room, whether its events are dropped or not. */
	void (*load_game)(struct store *store, const char *room, store_game_fn *done, void *arg);
	/* Every room that waits or plays; then done(arg, STORE_FOUND or STORE_NOT_READABLE, 0,
	 * NULL). */
	void (*load_unfinished)(struct store *store, store_each_room_fn *each, store_room_fn *done,
			void *arg);
	void (*load_player_by_key)(
			struct store *store, const char *key, store_player_fn *done, void *arg);
	void (*load_player_by_token)(struct store *store,
			const unsigned char token_hash[STORE_HASH_BYTES], store_player_fn *done,
			void *arg);
	/* STORE_FOUND also where there is none. */
	void (*load_bans)(struct store *store, store_bans_fn *done, void *arg);
	/* Rooms that got over before this time need not be kept whole from now on. Of one in which
	 * a game was played its first event, that which ended it and the later ones stay; of one in
	 * which none was nothing does. The store does it by and by, and says nothing. */
	void (*drop_events)(struct store *store, int64_t before_ms);
	/* Finish what was asked for, answer it, and free the store. */
	void (*free)(struct store *store);
};

struct store {
	const struct store_ops *ops;
};

/* Clock and random bytes. */

struct clock_port {
	/* Milliseconds since 1970 UTC that never go back within a process. */
	int64_t (*now_ms)(void *arg);
	/* Wake play (play_wake) at this time, or somewhat later; a new call replaces the time asked
	 * for before. INT64_MAX: not at all. */
	void (*wake_at)(void *arg, int64_t at_ms);
	void *arg;
};

struct random_port {
	void (*fill)(void *arg, void *buffer, size_t size);
	void *arg;
};

/* Work: what is too long for the loop's thread. */

struct work_job;
TAILQ_HEAD(work_job_list, work_job);

TAILQ_HEAD(work_lane_list, work_lane);

/* Whom jobs are for. Those of one lane are begun in their order; lanes take turns, a job each, so
 * nobody who asks for much keeps the others waiting. A lane may be in another (`of`, set before its
 * first job): those in one share its turns, and no jobs are put into that one itself. Zeroed is an
 * empty one; it must live while a job in it waits to be begun. The other members are the worker's.
 */
struct work_lane {
	struct work_job_list jobs;
	struct work_lane_list lanes; /* in it, that have a job */
	TAILQ_ENTRY(work_lane) link;
	bool is_linked;
	struct work_lane *of; /* or NULL */
};

/* Embedded in what it works on; zeroed but for the two functions. It lives until `done`. */
struct work_job {
	/* In a thread of its own, with the tool that belongs to that thread. Touches nothing but
	 * the job, and returns soon once it is cancelled. */
	void (*run)(struct work_job *job, void *tool);
	/* Later, on the loop's thread: it was run, or it was cancelled, and then may not have been.
	 */
	void (*done)(struct work_job *job);
	atomic_bool cancelled;
	/* The worker's: */
	struct work_lane *lane; /* while it waits to be begun */
	TAILQ_ENTRY(work_job) link;
};

struct work;

/* A worker is a struct that begins with a pointer to its operations. Neither calls back from
 * within. It takes any number of jobs: who asks for them sees to a limit. */
struct work_ops {
	void (*submit)(struct work *work, struct work_lane *lane, struct work_job *job);
	/* Give it up: it is in no lane any more, and `done` comes soon. Fine if it is being run, or
	 * was, as long as `done` was not called. */
	void (*cancel)(struct work *work, struct work_job *job);
};

struct work {
	const struct work_ops *ops;
};

/* A connection, as a session sees it. */

struct sink_ops {
	/* Queue a line to be written. Takes no reference of the caller's: adds its own. Never calls
	 * back into play. */
	void (*send)(void *conn, struct bytes *line);
	/* Bytes queued and not yet taken by the kernel. */
	size_t (*queued)(void *conn);
	/* The session can take its next line (it had answered PLAY_BUSY). Comes from within other
	 * sessions' calls or a store's answer: note it and go on later, from the loop. */
	void (*ready)(void *conn);
	/* Write what is queued, then close. The session is gone when this returns: conn must not
	 * use it any more. */
	void (*close)(void *conn);
	/* When the first whole line came that was read and not handed over yet; INT64_MAX if there
	 * is none. A line that is just being carried out may count. */
	int64_t (*waits_since)(void *conn);
};

#endif
