#include "server/net/net.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/ops/log.h"
#include "server/ops/memory.h"

struct net {
	struct conn_set conns;
	struct listener *listener;
	size_t max_connections;
	struct bytes *full_line;
	struct bytes *crowd_line;
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

static void refuse(struct net *net, int fd, struct bytes *line)
{
	if (line == net->full_line && !net->full) {
		net->full = true;
		log_event(LOG_WARN, "too_many_connections", "open=%zu", net->conns.open);
	}
	if (net->conns.refused < NET_REFUSED) {
		conn_refuse(&net->conns, fd, line);
		return;
	}
	/* The socket's buffer is empty, so all of the line goes, or the peer is gone. */
	if (send(fd, line->data, line->length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
		log_event(LOG_DEBUG, "refusal_failed", "open=%zu", net->conns.open);
	}
	close(fd);
}

static void net_accepted(void *arg, int fd, const struct peer_name *peer)
{
	struct net *net = arg;

	if (net->conns.open >= net->max_connections) {
		refuse(net, fd, net->full_line);
		return;
	}
	net->full = false;
	if (!conn_open(&net->conns, fd, peer)) {
		log_event(LOG_DEBUG, "crowded", "peer=%s", peer->text);
		refuse(net, fd, net->crowd_line);
	}
}

struct net *net_new(const struct net_config *config)
{
	struct net *net = memory_new(1, sizeof(*net));
	const size_t files = files_for_connections();

	conn_set_init(&net->conns, config->loop, config->play, &config->limits);
	net->listener = listener_new(config->loop, net_accepted, net);
	net->max_connections = config->max_connections < files ? config->max_connections : files;
	net->full_line = config->full_line;
	net->crowd_line = config->crowd_line;
	return net;
}

bool net_bind(struct net *net, const char *text, char ret_why[LISTENER_WHY_SIZE])
{
	return listener_bind(net->listener, text, ret_why);
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
	listener_close(net->listener);
}

size_t net_cut(struct net *net)
{
	return conn_set_cut(&net->conns);
}

size_t net_connections(const struct net *net)
{
	return net->conns.open + net->conns.refused;
}

void net_free(struct net *net)
{
	if (net == NULL) {
		return;
	}
	listener_free(net->listener);
	conn_set_fini(&net->conns);
	free(net);
}
