/* The network: listens, admits connections as far as there is room, and lets them go. */
#ifndef NET_NET_H
#define NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "server/net/conn.h"
#include "server/net/listener.h"
#include "server/net/loop.h"
#include "server/play/play.h"

/* Open files that are kept back from connections: for the database, the log, the loop, and for
 * those who are told that there is no room. */
#define NET_FILES_KEPT 64
/* Connections at a time that are told so politely; beyond, they are told and closed at once. */
#define NET_REFUSED 32

struct net;

struct net_config {
	struct loop *loop; /* not owned, like all here */
	struct play *play;
	size_t max_connections;	  /* fewer if the system's limit of open files asks for it */
	struct bytes *full_line;  /* what those hear for whom there is no room */
	struct bytes *crowd_line; /* and those with too many from their address */
	struct conn_limits limits;
};

/* Raises the process's limit of open files as far as it goes. */
struct net *net_new(const struct net_config *config);

/* See listener_bind, listener_open, listener_port. */
bool net_bind(struct net *net, const char *text, char ret_why[LISTENER_WHY_SIZE]);
void net_open(struct net *net, FILE *announce);
int net_port(const struct net *net, size_t n);

/* Accept no more connections. Those that there are end when play closes them. */
void net_close(struct net *net);

/* Give up all that are still there; see conn_set_cut. */
size_t net_cut(struct net *net);

/* Connections that are not gone yet, those with no room for them included. */
size_t net_connections(const struct net *net);

/* No connection may be left. NULL is fine. */
void net_free(struct net *net);

#endif
