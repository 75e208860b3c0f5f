/* The server as a service: tells its supervisor (ops/supervisor.h) when it serves, reads its
 * configuration again or stops, and meanwhile, from the loop and so only while that goes round,
 * that it is alive and what it does. */
#ifndef SERVICE_H
#define SERVICE_H

#include <stdbool.h>

#include "server/net/loop.h"
#include "server/net/net.h"
#include "server/ops/supervisor.h"
#include "server/play/play.h"

/* Zeroed: nothing is told. */
struct service {
	struct loop *loop;
	const struct net *net;
	const struct play *play;
	bool begun;
	struct event *beat; /* NULL: nobody asks */
	int64_t beat_ms;
};

/* Listen on the sockets that were passed. False, with a sentence on standard error, if one of them
 * is not what it should be. */
bool service_adopt_sockets(struct net *net, const struct supervisor_sockets *sockets);

/* From now on it serves. All outlive it; the caller's memory. */
void service_begin(struct service *service, struct loop *loop, const struct net *net,
		const struct play *play);

/* The configuration is being read again; it has been. Nothing before it has begun: whoever waits
 * for it to serve is not to be told that it does. */
void service_reloading(const struct service *service);
void service_reloaded(const struct service *service);

void service_fini(struct service *service);

#endif
