/* Connections: bytes in, lines to play; lines from play, bytes out. A connection is its own
 * master: it is born by conn_open or conn_refuse and frees itself, from the loop, once its session
 * is gone and its last bytes are out. Knows lines but not what they say. */
#ifndef NET_CONN_H
#define NET_CONN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/net/deadline.h"
#include "server/net/input.h"
#include "server/net/loop.h"
#include "server/net/peer.h"
#include "server/net/transport.h"
#include "server/play/play.h"

/* Lines that one connection hands over before the others have their turn. */
#define CONN_LINES_A_TURN 32
/* Input that waits for its turn: beyond, nothing is read. */
#define CONN_INPUT_BYTES 65536
/* Output that waits for the peer: beyond, nothing is read or carried out until it is all gone. */
#define CONN_OUTPUT_BYTES 262144
/* Output that waits for the peer: beyond, he is given up. */
#define CONN_OUTPUT_MAX 4194304
/* From the end of a session until its last bytes are out, and then until the peer has closed too,
 * at most. */
#define CONN_CLOSE_MS 5000
#define CONN_LINGER_MS 1000

TAILQ_HEAD(conn_list, conn);

/* The connections of one loop. */
struct conn_set {
	struct loop *loop;
	struct play *play;
	struct conn_list all;
	size_t open;		    /* connections made by conn_open */
	size_t refused;		    /* by conn_refuse */
	struct deadlines flushing;  /* of those that are on their way out with bytes to write */
	struct deadlines lingering; /* of those that have written all, until the peer closes too */
	struct input_pool blocks;
	uint64_t last_id;
};

/* *set is the caller's memory; play and loop outlive it. `close_ms` is in place of CONN_CLOSE_MS
 * and CONN_LINGER_MS, for tests that wait for it; 0: those. */
void conn_set_init(struct conn_set *set, struct loop *loop, struct play *play, int64_t close_ms);

/* No connection may be left. */
void conn_set_fini(struct conn_set *set);

/* Take over a transport, ready to carry lines, and open its session. `peer` is copied. */
void conn_open(struct conn_set *set, const struct transport *transport,
		const struct peer_name *peer);

/* Give them all up as they are, with what they have not read; they are gone after the next turn. A
 * request under way is carried out all the same. Returns how many they were. */
size_t conn_set_cut(struct conn_set *set);

/* Bytes that wait for all peers together. */
size_t conn_set_waiting(const struct conn_set *set);

/* Take over a transport for nothing but to say this line and close. */
void conn_refuse(struct conn_set *set, const struct transport *transport, struct bytes *line);

#endif
