/* Connections: bytes in, lines to play; lines from play, bytes out. A connection is its own
 * master: it is born by conn_open or conn_refuse and frees itself, from the loop, once its session
 * is gone and its last bytes are out. Knows lines but not what they say. */
#ifndef NET_CONN_H
#define NET_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/net/crowd.h"
#include "server/net/deadline.h"
#include "server/net/input.h"
#include "server/net/loop.h"
#include "server/net/peer.h"
#include "server/net/transport.h"
#include "server/ops/log.h"
#include "server/play/play.h"

/* Lines that a connection hands over at once. When more of them wait, its turns come behind those
 * of all who say one thing at a time, from then on for so long; and in such a turn it may hand over
 * this many before the others have theirs. */
#define CONN_LINES_AT_FIRST 4
#define CONN_CRAMMED_MS 1000
#define CONN_LINES_A_TURN 32
/* And as many bytes of answers, and for so long: whose requests are long work has few of them done
 * in a turn. */
#define CONN_ANSWERS_A_TURN 16384
#define CONN_TURN_US 25
/* Input that waits for its turn: beyond, nothing is read until half of it is gone. That half is a
 * line's length. */
#define CONN_INPUT_BYTES 8192
/* Output that waits for the peer: beyond, nothing is read or carried out until it is all gone. */
#define CONN_OUTPUT_BYTES 262144
/* From the end of a session until its last bytes are out, and then until the peer has closed too,
 * at most. */
#define CONN_CLOSE_MS 5000
#define CONN_LINGER_MS 1000
/* A WebSocket is asked so often whether it is there, so that what stands between keeps it open; who
 * has said nothing by the next time is given up. */
#define CONN_PING_MS 25000

TAILQ_HEAD(conn_list, conn);

/* What those may do who do not read. */
struct conn_limits {
	size_t output;	    /* bytes that wait for one peer: beyond, he is given up */
	size_t output_all;  /* for all; beyond, those are given up for whom most waits */
	int64_t slow_ms;    /* how long bytes may wait of which he takes none */
	size_t per_address; /* connections from one address group; 0: no limit */
	int64_t ping_ms;    /* in place of CONN_PING_MS, for tests that wait for it; 0: that */
};

/* The connections of one loop. */
struct conn_set {
	struct loop *loop;
	struct play *play;
	struct conn_limits limits;
	struct conn_list all;
	struct crowd crowd;
	size_t output;		    /* the weight of all that waits to be written */
	struct loop_task shed;	    /* late: too much waits */
	struct deadlines stuck;	    /* of those for whom something waits, from the last they took */
	size_t open;		    /* connections made by conn_open */
	size_t framed;		    /* of these, those that speak in frames */
	size_t refused;		    /* by conn_refuse */
	struct deadlines flushing;  /* of those that are on their way out with bytes to write */
	struct deadlines lingering; /* of those that have written all, until the peer closes too */
	struct deadlines pings;
	struct input_pool blocks;
	size_t operators; /* of those made by conn_open */
	uint64_t last_id;
	bool stopping;	       /* who is closed from now on is so because the server goes */
	struct log_share logs; /* of their comings and goings */
};

/* *set is the caller's memory; play and loop outlive it. */
void conn_set_init(struct conn_set *set, struct loop *loop, struct play *play,
		const struct conn_limits *limits);

/* Other limits from now on; ping_ms stays. */
void conn_set_change(struct conn_set *set, const struct conn_limits *limits);

/* No connection may be left. */
void conn_set_fini(struct conn_set *set);

/* Who is let in. */
struct conn_guest {
	struct transport transport; /* ready to carry lines */
	const struct peer_name *peer;
	bool has_frames;   /* lines go in frames of a WebSocket */
	const char *early; /* what has come of them already */
	size_t early_length;
};

/* Take over his transport, and open his session; the rest is copied. False: there are as many
 * connections from his address as may be; the transport is still the caller's. */
bool conn_open(struct conn_set *set, const struct conn_guest *guest);

/* Give them all up as they are, with what they have not read; they are gone after the next turn. A
 * request under way is carried out all the same. Returns how many they were. */
size_t conn_set_cut(struct conn_set *set);

/* Take over his transport for nothing but to say this line and close. */
void conn_refuse(struct conn_set *set, const struct conn_guest *guest, struct bytes *line);

#endif
