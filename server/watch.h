/* What the running server tells by HTTP: of itself /healthz, and /metrics with the numbers of every
 * layer; the page (page.h), and /ws for it to play by. To serve another path is to add a row to its
 * table. */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>

#include "server/net/http.h"
#include "server/net/loop.h"
#include "server/net/net.h"
#include "server/ops/prefix.h"
#include "server/play/play.h"
#include "server/play/ports.h"

struct watch;

struct watch_config {
	struct loop *loop; /* not owned, like all here */
	struct play *play;
	struct store *store;
	struct work *work;  /* of pool.h */
	bool store_is_file; /* it is a store of sqlite.h */
	/* Who may look, beside this machine. */
	const struct prefix *from;
	size_t from_count;
};

struct watch *watch_new(const struct watch_config *config);

/* Where connections that speak HTTP go; stays the watch's. */
struct http *watch_http(const struct watch *watch);

/* The net, which is made with that; before it is opened. */
void watch_set_net(struct watch *watch, struct net *net);

/* After the store, whose last answers it takes. NULL is fine. */
void watch_free(struct watch *watch);

#endif
