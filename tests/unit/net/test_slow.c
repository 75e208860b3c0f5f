/* Peers that do not read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peers.h"
#include "server/ops/clock.h"
#include "server/ops/log.h"
#include "tests/unit/game/cmocka_all.h"

#define OUTPUT 1000000
#define OUTPUT_ALL 2500000
#define SLOW_MS 200
#define GREEDY 8
#define LINE 50000

static int begin(void **state, int64_t slow_ms)
{
	const struct conn_limits limits = {
			.output = OUTPUT, .output_all = OUTPUT_ALL, .slow_ms = slow_ms};
	struct bench *bench = bench_new_with(100, &limits);

	bench_listen(bench);
	*state = bench;
	return 0;
}

static int set_up(void **state)
{
	return begin(state, SLOW_MS);
}

static int set_up_patient(void **state)
{
	return begin(state, 60000);
}

static int tear_down(void **state)
{
	bench_free(*state);
	return 0;
}

/* A peer with a small buffer, so that what waits for him waits in the server. */
static struct peer *deaf_peer(struct bench *bench)
{
	struct peer *peer = peer_new(bench, AF_INET);
	const int small = 4096;

	assert_int_equal(setsockopt(peer->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
	peer_connect(bench, peer);
	peer_expect(bench, peer, "welcome");
	peer->deaf = true;
	return peer;
}

static bool given_up(struct bench *bench, void *arg)
{
	return fake_seen(bench->play)->given_up >= *(size_t *)arg;
}

static bool time_came(struct bench *bench, void *arg)
{
	(void)bench;
	return clock_now_ms() >= *(int64_t *)arg;
}

static void who_takes_nothing_for_long_is_given_up_and_may_still_read_why(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = deaf_peer(bench);
	size_t one = 1;
	size_t length = 0;
	const char *line;

	/* More than the kernel buffers, less than may wait. */
	peer_send(ala, "big 200000\nbig 200000\nbig 200000\nbig 200000\nbig 200000\nbig 200000\n"
		       "big 200000\nbig 200000\nbig 200000\nbig 200000\nbig 200000\nbig 200000\n"
		       "big 200000\nbig 200000\nbig 200000\nbig 200000\nbig 200000\nbig 200000\n"
		       "big 200000\nbig 200000\nbig 200000\nbig 200000\nbig 200000\nbig 200000\n");
	bench_run(bench, given_up, &one);
	ala->deaf = false;
	do {
		line = peer_line(bench, ala, &length);
	} while (length == 199999);
	assert_int_equal(length, strlen("slow"));
	assert_memory_equal(line, "slow", length);
	peer_expect_end(bench, ala);
}

static void who_takes_a_little_at_a_time_stays(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = deaf_peer(bench);
	int64_t end_ms;

	for (int i = 0; i < 24; i++) {
		peer_send(ala, "big 200000\n");
	}
	end_ms = clock_now_ms() + 4 * (int64_t)SLOW_MS;
	while (clock_now_ms() < end_ms) {
		char some[10000];
		int64_t soon_ms = clock_now_ms() + SLOW_MS / 8;

		assert_true(recv(ala->fd, some, sizeof(some), MSG_DONTWAIT) != 0);
		bench_run(bench, time_came, &soon_ms);
	}
	assert_int_equal(fake_seen(bench->play)->given_up, 0);
}

static void who_has_nothing_to_read_is_not_slow(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	int64_t end_ms = clock_now_ms() + 2 * (int64_t)SLOW_MS;

	peer_send(ala, "x\n");
	peer_expect(bench, ala, "x");
	bench_run(bench, time_came, &end_ms);
	assert_int_equal(fake_seen(bench->play)->given_up, 0);
}

/* Everybody is sent a line, and the reader has read his. */
static void tell(struct bench *bench, struct peer *reader)
{
	size_t length = 0;

	fake_tell_all(bench->play, LINE);
	peer_line(bench, reader, &length);
	assert_int_equal(length, LINE - 1);
}

/* Each stays below what may wait for one; together they are too many. */
static void when_too_much_waits_for_all_those_with_most_go_first(void **state)
{
	struct bench *bench = *state;
	struct peer *reader = peer_welcome(bench);
	struct peer *little;
	size_t length = 0;

	for (int i = 0; i < GREEDY; i++) {
		deaf_peer(bench);
	}
	while (fake_queued(bench->play) < OUTPUT_ALL / GREEDY / 2) {
		tell(bench, reader);
	}
	little = deaf_peer(bench);
	while (fake_seen(bench->play)->given_up == 0) {
		assert_in_range(fake_queued(bench->play), 1, OUTPUT);
		tell(bench, reader);
	}
	assert_in_range(fake_seen(bench->play)->given_up, 1, GREEDY);
	little->deaf = false;
	peer_send(little, "y\n");
	do {
		peer_line(bench, little, &length);
	} while (length == LINE - 1);
	assert_int_equal(length, 1);
}

#define CROWD 20

/* What all ask for in one pass of the loop is more than may wait: the rest is not carried out
 * before something was done about it. */
static void a_crowd_that_asks_at_once_makes_no_more_wait_than_may(void **state)
{
	struct bench *bench = *state;
	struct peer *crowd[CROWD];
	size_t one = 1;

	for (int i = 0; i < CROWD; i++) {
		crowd[i] = deaf_peer(bench);
	}
	for (int i = 0; i < CROWD; i++) {
		for (int j = 0; j < 100; j++) {
			peer_send(crowd[i], "big 200000\n");
		}
	}
	bench_run(bench, given_up, &one);
	/* The last line that there was still place for, and its answer, come on top. */
	assert_in_range(fake_seen(bench->play)->queued_all_max, OUTPUT_ALL / 2, OUTPUT_ALL + LINE);
}

#define SLOW(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SLOW(who_takes_nothing_for_long_is_given_up_and_may_still_read_why),
			SLOW(who_takes_a_little_at_a_time_stays),
			SLOW(who_has_nothing_to_read_is_not_slow),
			cmocka_unit_test_setup_teardown(
					a_crowd_that_asks_at_once_makes_no_more_wait_than_may,
					set_up_patient, tear_down),
			cmocka_unit_test_setup_teardown(
					when_too_much_waits_for_all_those_with_most_go_first,
					set_up_patient, tear_down),
	};

	alarm(60);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
