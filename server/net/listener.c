#include "server/net/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#include "server/net/unix_socket.h"
#include "server/ops/address.h"
#include "server/ops/clock.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"

/* A dead peer is found in about a minute: by probes after 30 + 3 * 10 seconds of silence, or when
 * bytes to it have not been acknowledged for as long. */
#define KEEPALIVE_IDLE_S 30
#define KEEPALIVE_INTERVAL_S 10
#define KEEPALIVE_PROBES 3
#define UNACKNOWLEDGED_MS 60000

struct listener_socket {
	struct listener *listener;
	int fd;
	struct event *readable;
	struct loop_task accept; /* lets one in, and the next one when it is its turn again */
	enum door door;
	struct unix_socket file; /* if it has a path */
};

struct listener {
	struct loop *loop;
	listener_fn *accepted;
	void *arg;
	size_t count;
	struct listener_socket sockets[LISTENER_SOCKETS];
	struct event *rest_over;
	bool rests;
	int64_t logged_ms; /* 0: never */
};

/* Accepting. */

static void set_accepting(struct listener *listener, bool on)
{
	for (size_t i = 0; i < listener->count; i++) {
		if (on) {
			event_add(listener->sockets[i].readable, NULL);
		} else {
			event_del(listener->sockets[i].readable);
		}
	}
}

/* Without a rest the loop would spin: the connection that could not be accepted stays ready. */
static void rest(struct listener *listener, int error)
{
	const int64_t now_ms = clock_now_ms();

	metrics_add(METRIC_ACCEPT_RESTS, 0, 1);
	if (listener->logged_ms == 0 || now_ms - listener->logged_ms >= LISTENER_LOG_MS) {
		listener->logged_ms = now_ms;
		log_event(LOG_WARN, "accept_rests", "error=%s", log_text(strerror(error)));
	}
	listener->rests = true;
	set_accepting(listener, false);
	loop_timer_set(listener->rest_over, LISTENER_REST_MS);
}

/* False: there is none just now. */
static bool accept_one(const struct listener_socket *socket)
{
	struct listener *listener = socket->listener;
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	const int fd = accept4(socket->fd, (struct sockaddr *)&address, &length,
			SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd >= 0) {
		metrics_add(METRIC_ACCEPTED, socket->door, 1);
		listener->accepted(listener->arg, socket->door, fd, (struct sockaddr *)&address,
				length);
		return true;
	}
	if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
		rest(listener, errno);
	}
	return false;
}

/* The others wait in the kernel until those who are here have had their turn. */
static void listener_accept(struct loop_task *task)
{
	struct listener_socket *socket =
			(void *)((char *)task - offsetof(struct listener_socket, accept));
	struct listener *listener = socket->listener;

	if (listener->rests) {
		return;
	}
	if (accept_one(socket)) {
		loop_defer(listener->loop, LOOP_ARRIVALS, task);
	} else if (!listener->rests) {
		event_add(socket->readable, NULL);
	}
}

static void listener_ready(evutil_socket_t fd, short what, void *arg)
{
	struct listener_socket *socket = arg;

	(void)fd;
	(void)what;
	event_del(socket->readable);
	loop_defer(socket->listener->loop, LOOP_ARRIVALS, &socket->accept);
}

static void listener_rested(evutil_socket_t fd, short what, void *arg)
{
	struct listener *listener = arg;

	(void)fd;
	(void)what;
	listener->rests = false;
	set_accepting(listener, true);
}

/* Binding. */

struct socket_option {
	int level;
	int name;
	int value;
};

static int set_options(int fd, const struct socket_option *options, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (setsockopt(fd, options[i].level, options[i].name, &options[i].value,
				    sizeof(options[i].value)) != 0) {
			return -errno;
		}
	}
	return 0;
}

/* The kernel hands these on to the connections that are accepted. */
static const struct socket_option tcp_options[] = {
		{SOL_SOCKET, SO_REUSEADDR, 1},
		{SOL_SOCKET, SO_KEEPALIVE, 1},
		{SOL_SOCKET, SO_RCVBUF, LISTENER_RECEIVE_BYTES},
		{SOL_SOCKET, SO_SNDBUF, LISTENER_SEND_BYTES},
		{IPPROTO_TCP, TCP_NODELAY, 1},
		{IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE_S},
		{IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S},
		{IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES},
		{IPPROTO_TCP, TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS},
};

/* So that *:4242 and [::]:4242 can both be listened on. */
static const struct socket_option ipv6_options[] = {{IPPROTO_IPV6, IPV6_V6ONLY, 1}};

static int prepare_socket(int fd, const struct addrinfo *address)
{
	int error = set_options(fd, tcp_options, sizeof(tcp_options) / sizeof(tcp_options[0]));

	if (error == 0 && address->ai_family == AF_INET6) {
		error = set_options(fd, ipv6_options, 1);
	}
	if (error == 0 && (bind(fd, address->ai_addr, address->ai_addrlen) != 0 ||
					  listen(fd, SOMAXCONN) != 0)) {
		error = -errno;
	}
	return error;
}

/* Takes over a socket that listens, unless it fails: 0 or a negative errno. */
static int add_socket(struct listener *listener, enum door door, int fd)
{
	struct listener_socket *place = &listener->sockets[listener->count];

	if (listener->count == LISTENER_SOCKETS) {
		return -ENOSPC;
	}
	*place = (struct listener_socket){.listener = listener,
			.fd = fd,
			.accept.run = listener_accept,
			.door = door};
	place->readable = event_new(
			loop_base(listener->loop), fd, EV_READ | EV_PERSIST, listener_ready, place);
	if (place->readable == NULL) {
		return -ENOMEM;
	}
	listener->count++;
	return 0;
}

/* 0 or a negative errno. */
static int bind_one(struct listener *listener, enum door door, const struct addrinfo *address)
{
	int fd;
	int error;

	fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		return -errno;
	}
	error = prepare_socket(fd, address);
	if (error == 0) {
		error = add_socket(listener, door, fd);
	}
	if (error != 0) {
		close(fd);
	}
	return error;
}

/* A name may have an address of a family that this machine does not speak; one that can be had is
 * enough. Any other failure is one. */
static int bind_all(struct listener *listener, enum door door, const struct addrinfo *addresses)
{
	int missing = 0;
	bool bound = false;

	for (; addresses != NULL; addresses = addresses->ai_next) {
		const int error = bind_one(listener, door, addresses);

		if (error == -EADDRNOTAVAIL || error == -EAFNOSUPPORT) {
			missing = error;
		} else if (error != 0) {
			return error;
		} else {
			bound = true;
		}
	}
	return bound ? 0 : missing;
}

bool listener_bind(struct listener *listener, enum door door, const char *text,
		char ret_why[LISTENER_WHY_SIZE])
{
	const struct addrinfo hints = {.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM};
	struct addrinfo *addresses = NULL;
	struct address address;
	const char *why = NULL;
	int error;

	if (!address_split(text, &address)) {
		why = "that is no ADDRESS:PORT";
	} else if ((error = getaddrinfo(address.host, address.port, &hints, &addresses)) != 0) {
		why = error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error);
	} else if ((error = bind_all(listener, door, addresses)) != 0) {
		why = strerror(-error);
	}
	if (addresses != NULL) {
		freeaddrinfo(addresses);
	}
	if (why != NULL) {
		snprintf(ret_why, LISTENER_WHY_SIZE, "can't listen on %.300s: %s", text, why);
	}
	return why == NULL;
}

bool listener_bind_path(struct listener *listener, enum door door, const char *path,
		char ret_why[LISTENER_WHY_SIZE])
{
	char why[UNIX_SOCKET_WHY_SIZE] = "";
	struct unix_socket file = {0};
	int fd = unix_socket_listen(path, &file, why);
	int error = fd < 0 ? -EINVAL : add_socket(listener, door, fd);

	if (error == 0) {
		listener->sockets[listener->count - 1].file = file;
		return true;
	}
	if (fd >= 0) {
		close(fd);
		snprintf(why, sizeof(why), "%s", strerror(-error));
	}
	unix_socket_remove(&file);
	snprintf(ret_why, LISTENER_WHY_SIZE, "can't listen on %.300s: %s", path, why);
	return false;
}

/* Sockets of somebody else. */

/* What a socket may be passed for, by its word: the operator's door has a path, and is made here.
 */
static const char *const door_words[] = {[DOOR_TCP] = "tcp",
		[DOOR_TLS] = "tls",
		[DOOR_HTTP] = "http",
		[DOOR_HTTPS] = "https",
		[DOOR_ADMIN] = "admin"};

bool listener_door(const char *word, enum door *ret)
{
	for (size_t i = 0; i < DOOR_ADMIN; i++) {
		if (strcmp(word, door_words[i]) == 0) {
			*ret = (enum door)i;
			return true;
		}
	}
	return false;
}

static bool has_option(int fd, int name, int wanted)
{
	int value = 0;
	socklen_t length = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &length) == 0 && value == wanted;
}

static bool listens_for_tcp(int fd)
{
	return has_option(fd, SO_TYPE, SOCK_STREAM) && has_option(fd, SO_ACCEPTCONN, 1) &&
	       has_option(fd, SO_PROTOCOL, IPPROTO_TCP);
}

bool listener_adopt(
		struct listener *listener, enum door door, int fd, char ret_why[LISTENER_WHY_SIZE])
{
	int error;

	if (!listens_for_tcp(fd)) {
		snprintf(ret_why, LISTENER_WHY_SIZE,
				"descriptor %d (%s) is no socket that listens for TCP", fd,
				door_words[door]);
		return false;
	}
	error = set_options(fd, tcp_options, sizeof(tcp_options) / sizeof(tcp_options[0]));
	if (error == 0 && (evutil_make_socket_nonblocking(fd) != 0 ||
					  evutil_make_socket_closeonexec(fd) != 0)) {
		error = -errno;
	}
	if (error == 0) {
		error = add_socket(listener, door, fd);
	}
	if (error != 0) {
		snprintf(ret_why, LISTENER_WHY_SIZE, "can't listen on descriptor %d (%s): %s", fd,
				door_words[door], strerror(-error));
	}
	return error == 0;
}

bool listener_has(const struct listener *listener, enum door door)
{
	for (size_t i = 0; i < listener->count; i++) {
		if (listener->sockets[i].door == door) {
			return true;
		}
	}
	return false;
}

/* Life. */

struct listener *listener_new(struct loop *loop, listener_fn *accepted, void *arg)
{
	struct listener *listener = memory_new(1, sizeof(*listener));

	listener->loop = loop;
	listener->accepted = accepted;
	listener->arg = arg;
	listener->rest_over = loop_timer_new(loop, listener_rested, listener);
	return listener;
}

static bool own_address(const struct listener *listener, size_t n, struct sockaddr_storage *ret,
		socklen_t *ret_length)
{
	*ret_length = sizeof(*ret);
	return n < listener->count &&
	       getsockname(listener->sockets[n].fd, (struct sockaddr *)ret, ret_length) == 0;
}

void listener_open(struct listener *listener, FILE *announce)
{
	struct sockaddr_storage address = {0};
	socklen_t length = 0;
	struct peer_name own;

	set_accepting(listener, true);
	for (size_t i = 0; own_address(listener, i, &address, &length); i++) {
		const char *word = door_words[listener->sockets[i].door];

		const char *path = listener->sockets[i].file.path;

		peer_name_of((struct sockaddr *)&address, length, &own);
		log_event(LOG_INFO, "listening", "door=%s address=%s", word,
				path == NULL ? own.text : log_text(path));
		fprintf(announce, "listening %s %s\n", word, path == NULL ? own.text : path);
	}
	fflush(announce);
}

void listener_close(struct listener *listener)
{
	evtimer_del(listener->rest_over);
	for (size_t i = 0; i < listener->count; i++) {
		event_free(listener->sockets[i].readable);
		loop_forget(&listener->sockets[i].accept);
		close(listener->sockets[i].fd);
		unix_socket_remove(&listener->sockets[i].file);
	}
	listener->count = 0;
}

int listener_port(const struct listener *listener, size_t n)
{
	struct sockaddr_storage address = {0};
	socklen_t length = 0;
	struct sockaddr_in ipv4;

	if (!own_address(listener, n, &address, &length)) {
		return 0;
	}
	/* Both families have the port at the same place. */
	memcpy(&ipv4, &address, sizeof(ipv4));
	return ntohs(ipv4.sin_port);
}

void listener_free(struct listener *listener)
{
	if (listener == NULL) {
		return;
	}
	listener_close(listener);
	event_free(listener->rest_over);
	free(listener);
}
