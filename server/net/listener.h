/* The sockets that are listened on. Takes a rest when the system has no more files for new
 * connections; knows nothing of what is done with them. */
#ifndef NET_LISTENER_H
#define NET_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "server/net/loop.h"
#include "server/net/peer.h"

/* Sockets at most: a host name may have several addresses. */
#define LISTENER_SOCKETS 64
/* What the kernel holds of what one peer says while nobody reads it; left to itself it goes up to
 * megabytes for each. It doubles this for its own needs. */
#define LISTENER_RECEIVE_BYTES 32768
/* And of what it is told while it does not read: who is slow shall be known for slow. It is what is
 * on its way to a peer far off, too. */
#define LISTENER_SEND_BYTES 65536
/* After the system refused a new connection for want of files or memory. */
#define LISTENER_REST_MS 100
/* Such refusals are logged at most this often. */
#define LISTENER_LOG_MS 60000
#define LISTENER_WHY_SIZE 512
/* What is spoken on a socket, and how it is told. */
enum door { DOOR_TCP, DOOR_TLS, DOOR_HTTP, DOOR_HTTPS, DOOR_ADMIN };

static inline bool door_has_tls(enum door door)
{
	return door == DOOR_TLS || door == DOOR_HTTPS;
}

static inline bool door_has_http(enum door door)
{
	return door == DOOR_HTTP || door == DOOR_HTTPS;
}

struct listener;

/* A new connection: the socket, which does not block, is the callee's; *address is valid during the
 * call. */
typedef void listener_fn(void *arg, enum door door, int fd, const struct sockaddr *address,
		socklen_t length);

struct listener *listener_new(struct loop *loop, listener_fn *accepted, void *arg);

/* Bind "127.0.0.1:4242", "[::1]:0", "localhost:4242" (see ops/address.h) to every address that the
 * host's name has; connections wait in the kernel until listener_open. False if that can't be
 * done: ret_why is a sentence that names it. */
bool listener_bind(struct listener *listener, enum door door, const char *text,
		char ret_why[LISTENER_WHY_SIZE]);

/* The same at a path, see unix_socket.h. */
bool listener_bind_path(struct listener *listener, enum door door, const char *path,
		char ret_why[LISTENER_WHY_SIZE]);
/* The door of which this is the word; false if there is none. */
bool listener_door(const char *word, enum door *ret);

/* Listen on a socket that listens already, bound by somebody else; takes it over. False if it is no
 * such socket: ret_why is a sentence that names it, and it is still the caller's. */
bool listener_adopt(
		struct listener *listener, enum door door, int fd, char ret_why[LISTENER_WHY_SIZE]);

/* Is there a socket for this door? */
bool listener_has(const struct listener *listener, enum door door);

/* Begin to accept; then tell a line `listening tcp 127.0.0.1:4242` (tls, http, https) for each
 * socket, with its real port, or its path (`listening admin PATH`). */
void listener_open(struct listener *listener, FILE *announce);

/* Close the sockets. */
void listener_close(struct listener *listener);

/* The port of the n-th socket, from 0; 0 if there is none. */
int listener_port(const struct listener *listener, size_t n);

/* NULL is fine. */
void listener_free(struct listener *listener);

#endif
