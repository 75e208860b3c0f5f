/* When a server that says nothing is asked for a sign of life and given up, and when a lost
 * connection is tried again: times alone. Knows no socket and no clock; times are milliseconds of
 * one that goes on while the machine sleeps. */
#ifndef CLIENT_COMEBACK_H
#define CLIENT_COMEBACK_H

#include <stdbool.h>
#include <stdint.h>

/* The first wait, which doubles with every try that did not hold, and the longest. */
#define COMEBACK_FIRST_MS 500
#define COMEBACK_LONGEST_MS 30000
/* A server may ask for more, but not for more than this. */
#define COMEBACK_ASKED_MS 600000
/* A connection that held this long was a good one: the next wait is the first again. */
#define COMEBACK_HOLDS_MS 10000

enum comeback_state {
	COMEBACK_UP,
	COMEBACK_WAITING,  /* for the time of the next try */
	COMEBACK_TRYING,   /* a connection is being made */
	COMEBACK_RESTORING /* it is there, and what there was is being asked for */
};

enum comeback_silence { SILENCE_FINE, SILENCE_ASK, SILENCE_DEAD };

struct comeback {
	enum comeback_state state;
	int64_t patience_ms;
	int64_t heard_ms; /* when the server last said something */
	int64_t asked_ms; /* when it was asked for a sign of life; -1: not since then */
	int64_t up_ms;	  /* when the connection was made */
	int64_t next_ms;  /* COMEBACK_WAITING: the next try */
	unsigned int tries;
	uint64_t random; /* what the next wait is varied by */
};

/* Connected now. A server is asked after patience_ms without a word, and given up after half as
 * much again. Seed: so that not all clients come back at the same time. */
void comeback_init(struct comeback *comeback, int64_t patience_ms, uint64_t seed, int64_t now_ms);

/* The server said something. */
void comeback_heard(struct comeback *comeback, int64_t now_ms);

/* What to do about its silence; told to ask once only. Fine unless connected. */
enum comeback_silence comeback_silence(struct comeback *comeback, int64_t now_ms);

/* The connection is lost, or was not had. retry_ms: what the server asked for, or 0. */
void comeback_lost(struct comeback *comeback, int64_t retry_ms, int64_t now_ms);

/* Try now, if the next try is waited for. */
void comeback_hurry(struct comeback *comeback, int64_t now_ms);

/* Is it time to try? Then the state is COMEBACK_TRYING. */
bool comeback_due(struct comeback *comeback, int64_t now_ms);

/* The connection is there: COMEBACK_RESTORING. */
void comeback_connected(struct comeback *comeback, int64_t now_ms);

/* All is as it was: COMEBACK_UP. */
void comeback_restored(struct comeback *comeback);

/* How long until something is to be done; -1: nothing will be. */
int64_t comeback_wait_ms(const struct comeback *comeback, int64_t now_ms);

/* Whole seconds until the next try, rounded up. */
int64_t comeback_seconds(const struct comeback *comeback, int64_t now_ms);

#endif
