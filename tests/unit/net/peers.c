#include "peers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "tests/unit/game/cmocka_all.h"

#define READ_BYTES 65536
#define OUTPUT_MAX 4194304

/* What the server has written may reach a peer's socket only after the loop has gone to sleep. */
#define LOOK_EVERY_US 2000

static void look(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
}

struct bench *bench_new_with(size_t max_connections, const struct conn_limits *limits)
{
	struct bench *bench = memory_new(1, sizeof(*bench));
	struct net_config config = {.max_connections = max_connections, .limits = *limits};

	log_set_level(LOG_ERROR);
	bench->loop = loop_new();
	bench->look = event_new(loop_base(bench->loop), -1, EV_PERSIST, look, NULL);
	assert_non_null(bench->look);
	assert_int_equal(event_add(bench->look, &(struct timeval){.tv_usec = LOOK_EVERY_US}), 0);
	bench->play = fake_new();
	bench->full_line = bytes_new("full\n", 5);
	config.loop = bench->loop;
	config.play = bench->play;
	config.full_line = bench->full_line;
	bench->crowd_line = bytes_new("crowded\n", 8);
	config.crowd_line = bench->crowd_line;
	bench->bye_line = bytes_new("bye\n", 4);
	config.bye_line = bench->bye_line;
	bench->net = net_new(&config);
	return bench;
}

struct bench *bench_new(size_t max_connections)
{
	const struct conn_limits limits = {
			.output = OUTPUT_MAX, .output_all = SIZE_MAX, .slow_ms = 60000};

	return bench_new_with(max_connections, &limits);
}

void bench_listen(struct bench *bench)
{
	char why[LISTENER_WHY_SIZE];
	FILE *nowhere = fopen("/dev/null", "w");

	assert_true(net_bind(bench->net, DOOR_TCP, "127.0.0.1:0", why));
	net_open(bench->net, nowhere);
	fclose(nowhere);
}

static bool all_gone(struct bench *bench, void *arg)
{
	(void)arg;
	return net_connections(bench->net) == 0;
}

void bench_free(struct bench *bench)
{
	net_close(bench->net);
	play_shutdown(bench->play);
	for (size_t i = 0; i < bench->peer_count; i++) {
		peer_close(&bench->peers[i]);
		free(bench->peers[i].input);
	}
	bench_run(bench, all_gone, NULL);
	net_free(bench->net);
	fake_free(bench->play);
	bytes_unref(bench->full_line);
	bytes_unref(bench->crowd_line);
	bytes_unref(bench->bye_line);
	event_free(bench->look);
	loop_free(bench->loop);
	free(bench);
}

/* Running the loop, with the peers reading in between. */

static void peer_read(struct peer *peer)
{
	ssize_t got = 1;

	while (peer->fd >= 0 && !peer->deaf && !peer->ended && got > 0) {
		if (peer->room < peer->used + READ_BYTES) {
			peer->room = 2 * peer->room + READ_BYTES;
			peer->input = memory_resize(peer->input, peer->room, 1);
		}
		got = recv(peer->fd, peer->input + peer->used, READ_BYTES, MSG_DONTWAIT);
		peer->used += got > 0 ? (size_t)got : 0;
		peer->ended = got == 0 || (got < 0 && errno != EAGAIN);
		peer->error = got < 0 && errno != EAGAIN ? errno : 0;
	}
}

struct wait {
	struct bench *bench;
	bench_until_fn *until;
	void *arg;
};

static bool wait_is_over(void *arg)
{
	struct wait *wait = arg;

	wait->bench->passes++;
	for (size_t i = 0; i < wait->bench->peer_count; i++) {
		peer_read(&wait->bench->peers[i]);
	}
	return wait->until(wait->bench, wait->arg);
}

void bench_run(struct bench *bench, bench_until_fn *until, void *arg)
{
	struct wait wait = {bench, until, arg};

	if (!wait_is_over(&wait)) {
		loop_run(bench->loop, wait_is_over, &wait);
	}
}

static bool always(void *arg)
{
	(void)arg;
	return true;
}

void bench_run_once(struct bench *bench)
{
	loop_run(bench->loop, always, NULL);
}

/* Peers. */

struct peer *peer_new(struct bench *bench, int family)
{
	struct peer *peer = &bench->peers[bench->peer_count++];

	assert_in_range(bench->peer_count, 1, PEERS_MAX);
	peer->fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(peer->fd >= 0);
	return peer;
}

void peer_connect(struct bench *bench, struct peer *peer)
{
	struct sockaddr_in ipv4 = {.sin_family = AF_INET,
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
			.sin_port = htons((uint16_t)net_port(bench->net, 0))};
	struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6,
			.sin6_addr = IN6ADDR_LOOPBACK_INIT,
			.sin6_port = ipv4.sin_port};
	int family = 0;
	socklen_t length = sizeof(family);

	assert_int_equal(getsockopt(peer->fd, SOL_SOCKET, SO_DOMAIN, &family, &length), 0);
	assert_int_equal(
			family == AF_INET6
					? connect(peer->fd, (struct sockaddr *)&ipv6, sizeof(ipv6))
					: connect(peer->fd, (struct sockaddr *)&ipv4, sizeof(ipv4)),
			0);
}

struct peer *peer_welcome(struct bench *bench)
{
	struct peer *peer = peer_new(bench, AF_INET);

	peer_connect(bench, peer);
	peer_expect(bench, peer, "welcome");
	return peer;
}

void peer_send_bytes(struct peer *peer, const char *data, size_t length)
{
	assert_int_equal(send(peer->fd, data, length, MSG_NOSIGNAL), length);
}

void peer_send(struct peer *peer, const char *text)
{
	peer_send_bytes(peer, text, strlen(text));
}

static const char *rest_of(const struct peer *peer)
{
	return peer->input + peer->taken;
}

static bool line_or_end(struct bench *bench, void *arg)
{
	const struct peer *peer = arg;

	(void)bench;
	return peer->ended ||
	       (peer->used > peer->taken &&
			       memchr(rest_of(peer), '\n', peer->used - peer->taken) != NULL);
}

const char *peer_line(struct bench *bench, struct peer *peer, size_t *ret_length)
{
	const char *line;
	const char *end;

	bench_run(bench, line_or_end, peer);
	line = rest_of(peer);
	assert_true(peer->used > peer->taken);
	end = memchr(line, '\n', peer->used - peer->taken);
	assert_non_null(end);
	*ret_length = (size_t)(end - line);
	peer->taken += *ret_length + 1;
	return line;
}

void peer_expect(struct bench *bench, struct peer *peer, const char *expected)
{
	size_t length = 0;
	const char *line = peer_line(bench, peer, &length);

	if (length != strlen(expected) || memcmp(line, expected, length) != 0) {
		print_error("\"%.*s\" came in place of \"%s\"\n", (int)length, line, expected);
		fail();
	}
}

static bool has_ended(struct bench *bench, void *arg)
{
	const struct peer *peer = arg;

	(void)bench;
	return peer->ended;
}

void peer_expect_end(struct bench *bench, struct peer *peer)
{
	bench_run(bench, has_ended, peer);
	assert_int_equal(peer->used, peer->taken);
	assert_int_equal(peer->error, 0);
}

void peer_close(struct peer *peer)
{
	if (peer->fd >= 0) {
		close(peer->fd);
		peer->fd = -1;
	}
}

void peer_reset(struct peer *peer)
{
	const struct linger at_once = {.l_onoff = 1};

	setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	peer_close(peer);
}
