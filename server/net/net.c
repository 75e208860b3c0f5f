#include "server/net/net.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/net/entry.h"
#include "server/net/unix_socket.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"

struct net {
	struct conn_set conns;
	struct entry_set entries;
	struct http *http;
	struct upgrade_origins origins;
	struct listener *listener;
	size_t files; /* that connections may have open */
	size_t max_connections;
	struct bytes *full_line;
	struct bytes *crowd_line;
	struct bytes *bye_line;
	bool closed;
	bool full; /* somebody was refused, and that was logged */
};

/* As many connections as open files allow. */
static size_t files_for_connections(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
		return 1;
	}
	if (limit.rlim_cur < limit.rlim_max) {
		struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};

		if (setrlimit(RLIMIT_NOFILE, &raised) == 0) {
			limit = raised;
		}
	}
	return limit.rlim_cur > NET_FILES_KEPT ? (size_t)(limit.rlim_cur - NET_FILES_KEPT) : 1;
}

static size_t least(size_t one, size_t other)
{
	return one < other ? one : other;
}

/* The kernel's table of open files grows as they become more, and a process with threads stands
 * still meanwhile, for ten milliseconds and more: let it grow once, and now. */
static void make_room_for_files(const struct net *net)
{
	const size_t files = least(net->max_connections, NET_FILES_READY) + NET_FILES_KEPT;
	const int some = open("/", O_PATH | O_CLOEXEC);
	const int last = fcntl(some, F_DUPFD_CLOEXEC, (int)files - 1);

	if (some >= 0) {
		close(some);
	}
	if (last >= 0) {
		close(last);
	}
}

static void refuse(struct net *net, const struct conn_guest *guest, const char *word,
		struct bytes *line)
{
	struct transport transport = guest->transport;
	struct iovec piece = {line->data, line->length};

	metrics_count_word(METRIC_REFUSED, word);
	if (net->conns.refused < NET_REFUSED) {
		conn_refuse(&net->conns, guest, line);
		return;
	}
	/* The socket's buffer is empty, so all of the line goes, or the peer is gone. */
	if (!guest->has_frames && transport.ops->write(&transport, &piece, 1) < 0) {
		log_event(LOG_DEBUG, "refusal_failed", "open=%zu", net->conns.open);
	}
	transport.ops->shut(&transport);
	transport.ops->close(&transport);
}

static void tell_full(struct net *net)
{
	if (!net->full && log_may(&net->conns.logs)) {
		net->full = true;
		log_event(LOG_WARN, "too_many_connections", "open=%zu", net->conns.open);
	}
}

/* Whoever is here speaks lines. */
static void take_guest(struct net *net, const struct conn_guest *guest)
{
	struct bytes *banned = guest->peer->has_address
					       ? play_banned(net->conns.play, guest->peer->address)
					       : NULL;

	if (banned != NULL) {
		log_event(LOG_DEBUG, "banned", "peer=%s", guest->peer->text);
		refuse(net, guest, "banned", banned);
		return;
	}
	if (net->closed) {
		refuse(net, guest, "stopping", net->bye_line);
		return;
	}
	if (net->conns.open - net->conns.operators >= net->max_connections) {
		tell_full(net);
		refuse(net, guest, "full", net->full_line);
		return;
	}
	net->full = false;
	if (!conn_open(&net->conns, guest)) {
		log_event(LOG_DEBUG, "crowded", "peer=%s", guest->peer->text);
		refuse(net, guest, "crowded", net->crowd_line);
	}
}

/* *peer is the client himself. */
static void net_admitted(void *arg, enum door door, const struct transport *transport,
		const struct peer_name *peer)
{
	struct net *net = arg;
	struct conn_guest guest = {.transport = *transport, .peer = peer};

	if (door_has_http(door) && net->closed) {
		guest.transport.ops->close(&guest.transport);
	} else if (door_has_http(door)) {
		http_open(net->http, transport, peer);
	} else {
		take_guest(net, &guest);
	}
}

static void net_upgraded(void *arg, const struct transport *transport, const struct peer_name *peer,
		struct http_text early)
{
	const struct conn_guest guest = {.transport = *transport,
			.peer = peer,
			.has_frames = true,
			.early = early.data,
			.early_length = early.length};

	take_guest(arg, &guest);
}

void net_websocket(struct net *net, struct http_call *call)
{
	struct upgrade_answer answer;
	char headers[UPGRADE_ACCEPT_SIZE + 100];

	upgrade_judge(http_call_request(call), &net->origins, &answer);
	if (answer.status != 101) {
		http_answer_text(call, answer.status, answer.why);
		return;
	}
	snprintf(headers, sizeof(headers),
			"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n",
			answer.accept);
	http_upgrade(call, headers, net_upgraded, net);
}

static bool net_keeps_out(void *arg, const struct peer_name *peer)
{
	const struct net *net = arg;

	return peer->has_address && play_banned(net->conns.play, peer->address) != NULL;
}

static void operator_came(struct net *net, int fd)
{
	struct peer_name peer = {.is_operator = true};
	struct conn_guest guest = {.peer = &peer};

	unix_socket_who(fd, peer.text);
	transport_init_plain(&guest.transport, fd);
	if (net->conns.operators == NET_OPERATORS_MAX) {
		refuse(net, &guest, "full", net->full_line);
	} else {
		conn_open(&net->conns, &guest);
	}
}

/* Those on their way in have no more files than those who are in; and a few more, who are to be
 * told that there is no room. */
static void net_accepted(
		void *arg, enum door door, int fd, const struct sockaddr *address, socklen_t length)
{
	struct net *net = arg;

	if (door == DOOR_ADMIN) {
		operator_came(net, fd);
		return;
	}
	if (net->entries.count > 0 && net->entries.count + net->conns.open >=
						      net->max_connections + NET_REFUSED) {
		metrics_count_word(METRIC_REFUSED, "full");
		close(fd);
		return;
	}
	entry_begin(&net->entries, door, fd, address, length);
}

static void limit_http(struct net *net, const struct net_config *config)
{
	const struct http_limits limits = {.proxies = config->proxies,
			.proxy_count = config->proxy_count,
			.per_address = config->limits.per_address};

	if (net->http != NULL) {
		http_set_limits(net->http, &limits);
	}
}

struct net *net_new(const struct net_config *config)
{
	struct net *net = memory_new(1, sizeof(*net));
	const struct entry_config entries = {
			.loop = config->loop,
			.tls = config->tls,
			.proxies = config->proxies,
			.proxy_count = config->proxy_count,
			.per_address = config->limits.per_address,
			.wait_ms = config->entry_ms,
			.keeps_out = net_keeps_out,
			.admitted = net_admitted,
			.arg = net,
	};

	conn_set_init(&net->conns, config->loop, config->play, &config->limits);
	entry_set_init(&net->entries, &entries);
	net->listener = listener_new(config->loop, net_accepted, net);
	net->files = files_for_connections();
	net->max_connections = least(config->max_connections, net->files);
	make_room_for_files(net);
	net->full_line = config->full_line;
	net->crowd_line = config->crowd_line;
	net->bye_line = config->bye_line;
	net->http = config->http;
	net->origins = config->origins;
	limit_http(net, config);
	return net;
}

void net_change(struct net *net, const struct net_config *config)
{
	net->max_connections = least(config->max_connections, net->files);
	make_room_for_files(net);
	conn_set_change(&net->conns, &config->limits);
	entry_set_change(&net->entries, config->proxies, config->proxy_count,
			config->limits.per_address);
	limit_http(net, config);
}

bool net_adopt(struct net *net, const char *name, int fd, char ret_why[LISTENER_WHY_SIZE])
{
	enum door door;

	if (!listener_door(name, &door)) {
		snprintf(ret_why, LISTENER_WHY_SIZE,
				"descriptor %d is named %s, which is no name of a socket here "
				"(FileDescriptorName= has to be tcp, tls, http or https)",
				fd, log_text(name));
		return false;
	}
	if (door_has_tls(door) && net->entries.config.tls == NULL) {
		snprintf(ret_why, LISTENER_WHY_SIZE,
				"descriptor %d is a socket for TLS: that wants --cert and --key",
				fd);
		return false;
	}
	return listener_adopt(net->listener, door, fd, ret_why);
}

bool net_has(const struct net *net, enum door door)
{
	return listener_has(net->listener, door);
}

bool net_bind(struct net *net, enum door door, const char *text, char ret_why[LISTENER_WHY_SIZE])
{
	return listener_bind(net->listener, door, text, ret_why);
}

bool net_bind_path(
		struct net *net, enum door door, const char *path, char ret_why[LISTENER_WHY_SIZE])
{
	return listener_bind_path(net->listener, door, path, ret_why);
}

void net_open(struct net *net, FILE *announce)
{
	listener_open(net->listener, announce);
}

int net_port(const struct net *net, size_t n)
{
	return listener_port(net->listener, n);
}

void net_close(struct net *net)
{
	net->closed = true;
	net->conns.stopping = true;
	listener_close(net->listener);
	entry_set_stop(&net->entries);
	if (net->http != NULL) {
		http_close(net->http);
	}
}

size_t net_cut(struct net *net)
{
	entry_set_close(&net->entries);
	return conn_set_cut(&net->conns);
}

size_t net_connections(const struct net *net)
{
	return net->entries.count + net->conns.open + net->conns.refused;
}

void net_measure(const struct net *net)
{
	metrics_set(METRIC_CONNECTIONS, 0, net->conns.open);
	metrics_set(METRIC_WEBSOCKETS, 0, net->conns.framed);
	metrics_set(METRIC_ENTERING, 0, net->entries.count);
	metrics_set(METRIC_BYTES_WAITING, 0, net->conns.output);
}

void net_free(struct net *net)
{
	if (net == NULL) {
		return;
	}
	listener_free(net->listener);
	entry_set_fini(&net->entries);
	conn_set_fini(&net->conns);
	free(net);
}
