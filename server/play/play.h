/* The server without sockets: sessions, rooms, lobby, players. Lines come in, lines go out by a
 * sink; time, random bytes and storage come through ports.h. Single-threaded. */
#ifndef PLAY_PLAY_H
#define PLAY_PLAY_H

#include "protocol/line.h"
#include "server/game/room_limits.h"
#include "server/ops/prefix.h"
#include "server/play/ports.h"

struct play;
struct session;

/* What costs others and may be done only so often. */
enum play_rate {
	RATE_OPENS,   /* rooms opened, by a name in a minute */
	RATE_SAYS,    /* lines of chat, by a name in a minute */
	RATE_INVITES, /* invitations, by a name in a minute */
	RATE_NAMES,   /* names made, guests' too, from an address in an hour */
	RATE_COUNT
};

/* 0 is no limit, in each. */
struct play_limits {
	int64_t rooms;		    /* in memory */
	int64_t rooms_per_name;	    /* that he sits in, waiting or running */
	int64_t bot_games_per_name; /* of those, running against bots */
	int64_t invites_per_name;   /* that wait for his answer */
	int64_t connections_per_name;
	int64_t watchers_per_room;
	int64_t rates[RATE_COUNT];
	int64_t allowance; /* units that a connection may use up in a second; see dispatch.c */
	int64_t address_allowance; /* the same for all connections from one address */
	int64_t first_line_ms;	   /* until a connection has said its first line */
	int64_t idle_ms;	   /* without a request and a room that waits or runs */
};

/* Text of an address group with its NUL, see play_session_open. */
#define PLAY_ADDRESS_SIZE 64

struct play_config {
	const char *version; /* "0.1.0" */
	const char *name;    /* the server's, for `welcome` */
	const char *motd;    /* or NULL */
	struct play_limits most;
	/* A connection with more than this many bytes waiting misses room events until it has read
	 * them; then it gets one `state` of each room that it missed something of. */
	size_t behind_bytes;
	/* A room that has been over this long and that nobody follows leaves memory. */
	int64_t keep_over_ms;
	/* Events of a room that has been over this long are dropped from the store; 0: never. */
	int64_t keep_events_ms;
	/* A guest who has finished no game is forgotten after so long; 0: never. */
	int64_t keep_guests_ms;
	/* A room that waits leaves the lobby once its creator has been away for so long. */
	int64_t hide_away_ms;
	struct room_limits limits;
	/* When one may come again after a shutdown, which mostly is a restart; told by `bye`. */
	int64_t retry_ms;
	/* How long a bot takes to answer: half of this to one and a half times as long. */
	int64_t bot_pace_ms;
	struct store *store; /* not owned */
	struct work *work;   /* not owned; the tool of each of its threads is a struct solver */
	struct clock_port clock;
	struct random_port random;
	/* Or NULL. What an operator's `drain` waited for has come: it is time to stop. Called from
	 * within play_wake, as often as somebody drains it. */
	void (*drained)(void *arg);
	void *drained_arg;
};

/* Nothing is loaded yet. Names and texts of *config are the caller's and outlive it; never NULL. */
struct play *play_new(const struct play_config *config);

/* Take of *config what may change while it runs: all but version, retry_ms, store,
 * work, clock and random.
 * What a deadline was made from holds on until that is set again. */
void play_change(struct play *play, const struct play_config *config);

/* Load the rooms in progress. `done` is called later: 0, or a negative errno when the store can't
 * be read. No session may be opened before. */
typedef void play_started_fn(void *arg, int error);
void play_start(struct play *play, play_started_fn *done, void *arg);

/* No session may be open, no commit under way (see play_idle). NULL is fine. */
void play_free(struct play *play);

/* Who is at the other end of a connection; copied. */
struct play_peer {
	/* What connections of one household have in common: an IPv4 address, the first half of an
	 * IPv6 address. */
	const char *group;
	const uint8_t *address; /* PREFIX_ADDRESS_BYTES of them; NULL: there is none */
	/* NULL, or he came by the operator's door: who he is, for the log. There is no group then.
	 */
	const char *operator_name;
};

/* A new connection; it gets `welcome`. NULL after play_shutdown: close the connection. */
struct session *play_session_open(struct play *play, const struct sink_ops *sink, void *conn,
		const struct play_peer *peer);

/* Is the address banned? Then this is the line to tell, which is play's (take a reference);
 * else NULL. To be asked before a connection gets a session. */
struct bytes *play_banned(const struct play *play, const uint8_t address[PREFIX_ADDRESS_BYTES]);

enum play_line_result {
	PLAY_NEXT,  /* answered: the next line may come */
	PLAY_BUSY,  /* being worked on, or resting: hand no line before sink.ready */
	PLAY_CLOSED /* sink.close was called; the session is gone */
};

/* One result of line_cut: LINE_WHOLE, LINE_TOO_LONG or LINE_NOT_TEXT (the latter two without a
 * line). arrived_ms is when its last byte came. Not while busy. */
enum play_line_result play_session_line(struct session *session, enum line_result kind,
		const char *line, size_t length, int64_t arrived_ms);

/* So many bytes came: they use up some of the session's allowance, also where they are no whole
 * line. PLAY_BUSY: it has to rest, as above. PLAY_NEXT: go on as before. */
enum play_line_result play_session_bytes(struct session *session, size_t count);

/* Is it to be served before others? Who sits in a game that runs and that this connection follows,
 * or did within PLAY_PLAYED_MS (the next game may begin), and does nothing else: for
 * PLAY_STRAYED_MS after a request that is no act in a game, or was refused, he is one of many. */
#define PLAY_PLAYED_MS 60000
#define PLAY_STRAYED_MS 1000
bool play_session_goes_first(struct session *session);

/* The connection is given up because it does not read: the session sends its last word, which is
 * all that should still be written, and is gone as if the connection were lost. */
void play_session_give_up(struct session *session);

/* No more lines will come (end of input), and the session is not busy: it is closed by sink.close
 * and is gone, at once or when the last of its analyses is answered. */
void play_session_end(struct session *session);

/* The connection is lost, at any time: the session is gone; sink is not called any more. A request
 * under way is carried out all the same. */
void play_session_lost(struct session *session);

/* The connection's output has all been taken by the kernel. */
void play_session_drained(struct session *session);

/* The time asked for by clock.wake_at has come. */
void play_wake(struct play *play);

/* For so long nobody could be served, until now: it is nobody's time. */
void play_stood_still(struct play *play, int64_t ms);

/* Say `bye` (shutdown) to every session and close them, each once the request that it waits for is
 * answered; no new ones are opened. What was decided is stored all the same. */
void play_shutdown(struct play *play);

/* True when nothing is being stored or loaded. */
bool play_idle(const struct play *play);

/* Numbers for the log and for tests. */
struct play_counts {
	size_t sessions;
	size_t rooms;		   /* in memory */
	size_t players;		   /* in memory */
	size_t under_way;	   /* commands and loads that the store has not answered */
	size_t frozen;		   /* commands whose outcome is not known; their rooms wait */
	size_t rooms_by_status[3]; /* in memory, by enum room_status */
};
void play_count(const struct play *play, struct play_counts *ret);

#endif
