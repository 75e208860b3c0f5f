#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "peers.h"
#include "tests/unit/game/cmocka_all.h"

#define FDS_MAX 4096
#define CONNECTIONS 3000

static struct bench *bench;

static int tear_down(void **state)
{
	(void)state;
	bench_free(bench);
	return 0;
}

/* A net on this address; what it announced is the caller's to free. */
static char *open_bench(const char *address, size_t max_connections)
{
	char why[LISTENER_WHY_SIZE] = "";
	char *told = NULL;
	size_t size = 0;
	FILE *announce = open_memstream(&told, &size);

	bench = bench_new(max_connections);
	if (!net_bind(bench->net, DOOR_TCP, address, why)) {
		print_error("%s\n", why);
		fail();
	}
	net_open(bench->net, announce);
	fclose(announce);
	return told;
}

static void expect_announced(char *told, const char *host)
{
	char expected[128];

	assert_true(net_port(bench->net, 0) > 0);
	snprintf(expected, sizeof(expected), "listening tcp %s:%d\n", host,
			net_port(bench->net, 0));
	assert_string_equal(told, expected);
	free(told);
}

static void the_real_port_is_announced_and_answers(void **state)
{
	(void)state;
	expect_announced(open_bench("127.0.0.1:0", 10), "127.0.0.1");
	peer_welcome(bench);
}

static long table_of_files(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[256];
	long size = 0;

	assert_non_null(status);
	while (size == 0 && fgets(line, sizeof(line), status) != NULL) {
		sscanf(line, "FDSize: %ld", &size);
	}
	fclose(status);
	return size;
}

/* Else all would stand still while it grows. */
static void there_is_room_for_the_files_of_all_connections_at_first(void **state)
{
	struct rlimit limit;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_true(table_of_files() < CONNECTIONS);
	free(open_bench("127.0.0.1:0", CONNECTIONS));
	assert_true(table_of_files() >= CONNECTIONS ||
			limit.rlim_max < CONNECTIONS + NET_FILES_KEPT);
}

static void ipv6_is_spoken(void **state)
{
	const int probe = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const struct sockaddr_in6 loopback = {
			.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	const bool available =
			bind(probe, (const struct sockaddr *)&loopback, sizeof(loopback)) == 0;
	char why[LISTENER_WHY_SIZE];
	struct peer *ala;

	(void)state;
	close(probe);
	if (!available) {
		/* Then binding it is a failure with a sentence. */
		bench = bench_new(10);
		assert_false(net_bind(bench->net, DOOR_TCP, "[::1]:0", why));
		assert_non_null(strstr(why, "can't listen on [::1]:0: "));
		return;
	}
	expect_announced(open_bench("[::1]:0", 10), "[::1]");
	ala = peer_new(bench, AF_INET6);
	peer_connect(bench, ala);
	peer_expect(bench, ala, "welcome");
}

static void host_names_are_resolved(void **state)
{
	(void)state;
	free(open_bench("localhost:0", 10));
	assert_true(net_port(bench->net, 0) > 0);
}

static void a_listener_that_cannot_be_had_is_told_in_a_sentence(void **state)
{
	char why[LISTENER_WHY_SIZE];
	char address[32];
	char expected[LISTENER_WHY_SIZE];

	(void)state;
	free(open_bench("127.0.0.1:0", 10));
	snprintf(address, sizeof(address), "127.0.0.1:%d", net_port(bench->net, 0));
	assert_false(net_bind(bench->net, DOOR_TCP, address, why));
	snprintf(expected, sizeof(expected), "can't listen on %s: Address already in use", address);
	assert_string_equal(why, expected);
	assert_false(net_bind(bench->net, DOOR_TCP, "192.0.2.1:0", why));
	assert_string_equal(why, "can't listen on 192.0.2.1:0: Cannot assign requested address");
	assert_false(net_bind(bench->net, DOOR_TCP, "nonsense", why));
	assert_string_equal(why, "can't listen on nonsense: that is no ADDRESS:PORT");
	assert_false(net_bind(bench->net, DOOR_TCP, "no such host:1", why));
	assert_non_null(strstr(why, "can't listen on no such host:1: "));
}

static bool one_left(struct bench *which, void *arg)
{
	(void)arg;
	return net_connections(which->net) == 1;
}

static void one_more_than_the_limit_is_told_so_and_closed(void **state)
{
	struct peer *ala;
	struct peer *ola;
	struct peer *ela;

	(void)state;
	free(open_bench("127.0.0.1:0", 2));
	ala = peer_welcome(bench);
	ola = peer_welcome(bench);
	ela = peer_new(bench, AF_INET);
	peer_connect(bench, ela);
	peer_send(ela, "sent before the answer\n");
	peer_expect(bench, ela, "full");
	peer_expect_end(bench, ela);
	peer_send(ala, "x\n");
	peer_expect(bench, ala, "x");
	peer_close(ela);
	peer_close(ola);
	bench_run(bench, one_left, NULL);
	peer_welcome(bench);
}

static void a_crowd_beyond_the_limit_is_told_so_too(void **state)
{
	struct peer *crowd[NET_REFUSED + 8];

	(void)state;
	free(open_bench("127.0.0.1:0", 1));
	peer_welcome(bench);
	for (size_t i = 0; i < NET_REFUSED + 8; i++) {
		crowd[i] = peer_new(bench, AF_INET);
		peer_connect(bench, crowd[i]);
	}
	for (size_t i = 0; i < NET_REFUSED + 8; i++) {
		peer_expect(bench, crowd[i], "full");
		peer_expect_end(bench, crowd[i]);
	}
}

static void one_more_than_may_come_from_an_address_is_told_so_and_closed(void **state)
{
	const struct conn_limits limits = {.output = 1000000,
			.output_all = SIZE_MAX,
			.slow_ms = 60000,
			.per_address = 2};
	struct peer *ala;
	struct peer *ela;

	(void)state;
	bench = bench_new_with(10, &limits);
	bench_listen(bench);
	ala = peer_welcome(bench);
	assert_string_equal(fake_seen(bench->play)->address, "127.0.0.1");
	peer_welcome(bench);
	ela = peer_new(bench, AF_INET);
	peer_connect(bench, ela);
	peer_expect(bench, ela, "crowded");
	peer_expect_end(bench, ela);
	peer_close(ela);
	peer_close(ala);
	bench_run(bench, one_left, NULL);
	peer_welcome(bench);
}

static int64_t steady_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool time_is(struct bench *which, void *arg)
{
	(void)which;
	return steady_ms() >= *(int64_t *)arg;
}

static void without_files_accepting_rests_and_goes_on(void **state)
{
	struct rlimit limit;
	struct rlimit lowered;
	struct peer *ala;
	struct peer *ola;
	size_t passes;
	int64_t end_ms;

	(void)state;
	free(open_bench("127.0.0.1:0", 10));
	ala = peer_welcome(bench);
	ola = peer_new(bench, AF_INET);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	lowered = limit;
	lowered.rlim_cur = (rlim_t)ola->fd + 1;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &lowered), 0);
	peer_connect(bench, ola);
	/* A listener that did not rest would spin: the bench itself looks up twice in a millisecond
	 * at the most. */
	passes = bench->passes;
	end_ms = steady_ms() + 3 * LISTENER_REST_MS;
	bench_run(bench, time_is, &end_ms);
	assert_in_range(bench->passes - passes, 1, 6 * LISTENER_REST_MS);
	peer_send(ala, "x\n");
	peer_expect(bench, ala, "x");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	peer_expect(bench, ola, "welcome");
}

/* The server's end of a peer's connection, which is in this process too. */
static int server_end(const struct peer *peer)
{
	struct sockaddr_in own;
	socklen_t length = sizeof(own);

	assert_int_equal(getsockname(peer->fd, (struct sockaddr *)&own, &length), 0);
	for (int fd = 0; fd < FDS_MAX; fd++) {
		struct sockaddr_in other = {0};

		length = sizeof(other);
		if (fd != peer->fd && getpeername(fd, (struct sockaddr *)&other, &length) == 0 &&
				other.sin_family == AF_INET && other.sin_port == own.sin_port) {
			return fd;
		}
	}
	fail();
	return -1;
}

static int option_of(int fd, int level, int name)
{
	int value = -1;
	socklen_t length = sizeof(value);

	assert_int_equal(getsockopt(fd, level, name, &value, &length), 0);
	return value;
}

static void connections_do_not_wait_to_send_and_find_dead_peers_in_a_minute(void **state)
{
	int fd;

	(void)state;
	free(open_bench("127.0.0.1:0", 10));
	fd = server_end(peer_welcome(bench));
	assert_true(option_of(fd, IPPROTO_TCP, TCP_NODELAY) != 0);
	assert_true(option_of(fd, SOL_SOCKET, SO_KEEPALIVE) != 0);
	assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_USER_TIMEOUT), 60000);
	assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_KEEPIDLE) +
					 option_of(fd, IPPROTO_TCP, TCP_KEEPINTVL) *
							 option_of(fd, IPPROTO_TCP, TCP_KEEPCNT),
			60);
}

static void at_the_end_everybody_hears_bye(void **state)
{
	struct peer *ala;
	struct peer *ola;

	(void)state;
	free(open_bench("127.0.0.1:0", 10));
	ala = peer_welcome(bench);
	ola = peer_welcome(bench);
	net_close(bench->net);
	play_shutdown(bench->play);
	peer_expect(bench, ala, "bye");
	peer_expect(bench, ola, "bye");
	peer_expect_end(bench, ala);
	peer_expect_end(bench, ola);
	assert_int_equal(net_port(bench->net, 0), 0);
}

static bool none_left(struct bench *which, void *arg)
{
	(void)arg;
	return net_connections(which->net) == 0;
}

static void who_does_not_go_by_himself_is_cut(void **state)
{
	struct peer *busy;

	(void)state;
	free(open_bench("127.0.0.1:0", 10));
	busy = peer_welcome(bench);
	peer_send(busy, "busy later\n");
	while (fake_busy(bench->play) == 0) {
		bench_run_once(bench);
	}
	peer_welcome(bench);
	net_close(bench->net);
	assert_int_equal(net_connections(bench->net), 2);
	assert_int_equal(net_cut(bench->net), 2);
	assert_int_equal(net_cut(bench->net), 0);
	bench_run(bench, none_left, NULL);
	assert_int_equal(fake_seen(bench->play)->lost, 2);
}

#define BENCHED(name) cmocka_unit_test_teardown(name, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
			BENCHED(the_real_port_is_announced_and_answers),
			BENCHED(there_is_room_for_the_files_of_all_connections_at_first),
			BENCHED(ipv6_is_spoken),
			BENCHED(host_names_are_resolved),
			BENCHED(a_listener_that_cannot_be_had_is_told_in_a_sentence),
			BENCHED(one_more_than_the_limit_is_told_so_and_closed),
			BENCHED(a_crowd_beyond_the_limit_is_told_so_too),
			BENCHED(one_more_than_may_come_from_an_address_is_told_so_and_closed),
			BENCHED(without_files_accepting_rests_and_goes_on),
			BENCHED(connections_do_not_wait_to_send_and_find_dead_peers_in_a_minute),
			BENCHED(at_the_end_everybody_hears_bye),
			BENCHED(who_does_not_go_by_himself_is_cut),
	};

	alarm(30);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
