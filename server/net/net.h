/* The network: listens, admits connections as far as there is room, and lets them go. What comes
 * before the lines of one is entry.h's, the rest conn.h's. */
#ifndef NET_NET_H
#define NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "server/net/conn.h"
#include "server/net/http.h"
#include "server/net/listener.h"
#include "server/net/loop.h"
#include "server/net/tls.h"
#include "server/net/upgrade.h"
#include "server/play/play.h"

/* Open files that are kept back from connections: for the database, the log, the loop, HTTP, and
 * for those who are told that there is no room. */
#define NET_FILES_KEPT (64 + HTTP_CONNECTIONS_MAX + NET_OPERATORS_MAX)
/* For so many connections the system makes room at first; for more of them, as they come. */
#define NET_FILES_READY 65536
/* Operators at a time, who don't count among the connections. */
#define NET_OPERATORS_MAX 16
/* Connections at a time that are told so politely; beyond, they are told and closed at once. */
#define NET_REFUSED 32

struct net;

struct net_config {
	struct loop *loop; /* not owned, like all here */
	struct play *play;
	size_t max_connections;	  /* fewer if the system's limit of open files asks for it */
	struct bytes *full_line;  /* what those hear for whom there is no room */
	struct bytes *crowd_line; /* and those with too many from their address */
	struct bytes *bye_line;	  /* and those who get through when it is closed already */
	struct conn_limits limits;
	struct tls *tls;   /* NULL: no door may speak TLS */
	struct http *http; /* NULL: no door may speak HTTP */
	struct upgrade_origins origins;
	const struct prefix *proxies; /* outlive it */
	size_t proxy_count;
	int64_t entry_ms; /* see entry_config */
};

/* Raises the process's limit of open files as far as it goes. */
struct net *net_new(const struct net_config *config);

/* Take of *config what may change while it runs: max_connections, limits, proxies. Connections that
 * there are stay. */
void net_change(struct net *net, const struct net_config *config);

/* Listen on a socket that somebody else has bound; `name` is the word of its door. False if that
 * can't be done: ret_why is a sentence that names it, and the socket is still the caller's. */
bool net_adopt(struct net *net, const char *name, int fd, char ret_why[LISTENER_WHY_SIZE]);

/* See listener_has, listener_bind, listener_bind_path, listener_open, listener_port. */
bool net_has(const struct net *net, enum door door);
bool net_bind(struct net *net, enum door door, const char *text, char ret_why[LISTENER_WHY_SIZE]);
bool net_bind_path(
		struct net *net, enum door door, const char *path, char ret_why[LISTENER_WHY_SIZE]);
void net_open(struct net *net, FILE *announce);
int net_port(const struct net *net, size_t n);

/* Answer a request for a WebSocket: the connection goes on as one that speaks lines, in frames. */
void net_websocket(struct net *net, struct http_call *call);

/* Accept no more connections. Those on their way in get a moment to get through and be told so; the
 * others end when play closes them. */
void net_close(struct net *net);

/* Give up all that are still there, on their way in or in; see conn_set_cut. */
size_t net_cut(struct net *net);

/* Connections that are not gone yet, those on their way in and those with no room for them
 * included. */
size_t net_connections(const struct net *net);

/* Bring the gauges of connections up to date. */
void net_measure(const struct net *net);

/* No connection may be left. NULL is fine. */
void net_free(struct net *net);

#endif
