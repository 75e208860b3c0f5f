/* Connections on their way in: what comes before the first line. A proxy that is known says whose
 * connection it hands on (proxy.h), then TLS shakes hands (tls.h), both within one deadline that
 * no byte moves. Who has got through is handed over; who has not is told by an alert, where TLS has
 * one, and closed. */
#ifndef NET_ENTRY_H
#define NET_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/net/crowd.h"
#include "server/net/deadline.h"
#include "server/net/listener.h"
#include "server/net/loop.h"
#include "server/net/peer.h"
#include "server/net/tls.h"
#include "server/net/transport.h"
#include "server/ops/log.h"
#include "server/ops/prefix.h"

/* From the connection to the last byte of what comes before the lines. */
#define ENTRY_MS 10000
/* Who waits for us then, and not we for him, has as long again, so many times. */
#define ENTRY_EXTENSIONS 3

struct entry;
TAILQ_HEAD(entry_list, entry);

/* Got through: the transport is the callee's; *peer, the client behind a proxy that told of him, is
 * valid during the call. */
typedef void entry_fn(void *arg, enum door door, const struct transport *transport,
		const struct peer_name *peer);

struct entry_config {
	struct loop *loop; /* not owned, like all here */
	struct tls *tls;   /* NULL: there are no doors that want it */
	const struct prefix *proxies;
	size_t proxy_count;
	size_t per_address; /* from one address group that shake hands at a time; 0: no limit */
	int64_t wait_ms;    /* in place of ENTRY_MS, for tests; 0: that */
	/* Is he not to come in? Asked before a handshake. */
	bool (*keeps_out)(void *arg, const struct peer_name *peer);
	entry_fn *admitted;
	void *arg;
};

struct entry_set {
	struct entry_config config;
	struct entry_list all;
	size_t count;
	struct entry_list shaking[2]; /* whose handshakes can begin; and can go on */
	struct entry *broken_off;     /* one of them, in the midst of it; or NULL */
	struct loop_task turn;	      /* of theirs: it is long work */
	bool stopping;
	struct crowd crowd;
	struct log_share logs; /* of those who were refused */
	struct deadlines entering;
	struct deadlines lingering; /* of those who were refused, until they close too */
};

/* *set is the caller's memory. */
void entry_set_init(struct entry_set *set, const struct entry_config *config);

/* Other proxies and another limit from now on. */
void entry_set_change(struct entry_set *set, const struct prefix *proxies, size_t proxy_count,
		size_t per_address);

/* Close all that there are, and free what is owned. */
void entry_set_fini(struct entry_set *set);

/* The server stops: those that there are get as long, from when they came, to get through. */
#define ENTRY_STOP_MS 1000
void entry_set_stop(struct entry_set *set);

/* Close all that there are: they have heard nothing yet that would have to be taken back. */
void entry_set_close(struct entry_set *set);

/* Take over a new connection's socket. `admitted` may be called from within. */
void entry_begin(struct entry_set *set, enum door door, int fd, const struct sockaddr *address,
		socklen_t length);

#endif
