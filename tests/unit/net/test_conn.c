#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peers.h"
#include "server/net/conn.h"
#include "server/ops/clock.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "tests/unit/game/cmocka_all.h"

static int set_up(void **state)
{
	struct bench *bench = bench_new(1000);

	bench_listen(bench);
	*state = bench;
	return 0;
}

static int tear_down(void **state)
{
	bench_free(*state);
	return 0;
}

/* Lines. */

static void lines_end_with_lf_or_cr_lf_and_empty_ones_are_nothing(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);

	peer_send(ala, "one\ntwo\r\n\n\r\nthree\n");
	peer_expect(bench, ala, "one");
	peer_expect(bench, ala, "two");
	peer_expect(bench, ala, "three");
	assert_int_equal(fake_seen(bench->play)->lines, 3);
}

static void bytes_may_dribble_in(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);

	for (const char *text = "ab\r\ncd\n"; *text != '\0'; text++) {
		peer_send_bytes(ala, text, 1);
		bench_run_once(bench);
	}
	peer_expect(bench, ala, "ab");
	peer_expect(bench, ala, "cd");
}

static void a_line_too_long_is_told_once_and_the_next_one_counts(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	static char text[20001];

	memset(text, 'x', 20000);
	text[20000] = '\0';
	peer_send(ala, text);
	peer_send(ala, "\nnext\na\xff\n");
	peer_expect(bench, ala, "too long");
	peer_expect(bench, ala, "next");
	peer_expect(bench, ala, "not text");
}

static void ten_thousand_lines_at_once_are_answered_in_order_and_others_meanwhile(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);
	char *text = memory_new(10000, 8);
	size_t length = 0;

	for (int i = 0; i < 10000; i++) {
		length += (size_t)sprintf(text + length, "%d\n", i);
	}
	peer_send_bytes(ala, text, length);
	peer_send(ola, "hi\n");
	free(text);
	peer_expect(bench, ola, "hi");
	assert_in_range(fake_seen(bench->play)->lines_before_hi, 0, 4 * CONN_LINES_A_TURN);
	for (int i = 0; i < 10000; i++) {
		char expected[16];

		sprintf(expected, "%d", i);
		peer_expect(bench, ala, expected);
	}
}

static void whose_answers_are_long_has_few_lines_carried_out_in_a_turn(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);

	for (int i = 0; i < 100; i++) {
		peer_send(ala, "big 10000\n");
	}
	peer_send(ola, "hi\n");
	peer_expect(bench, ola, "hi");
	assert_in_range(fake_seen(bench->play)->lines_before_hi, 0, 4 * 2);
	for (int i = 0; i < 100; i++) {
		size_t length = 0;

		peer_line(bench, ala, &length);
		assert_int_equal(length, 9999);
	}
}

#define CROWD 50

static void who_goes_first_does_so_before_a_crowd_that_came_earlier(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *crowd[CROWD];
	size_t before;

	for (size_t i = 0; i < CROWD; i++) {
		crowd[i] = peer_welcome(bench);
	}
	peer_send(ala, "play\n");
	peer_expect(bench, ala, "play");
	before = fake_seen(bench->play)->lines;
	for (size_t i = 0; i < CROWD; i++) {
		peer_send(crowd[i], "x\n");
	}
	peer_send(ala, "hi\n");
	for (size_t i = 0; i < CROWD; i++) {
		peer_expect(bench, crowd[i], "x");
	}
	peer_expect(bench, ala, "hi");
	assert_int_equal(fake_seen(bench->play)->lines_before_hi, before);
}

static bool some_busy(struct bench *bench, void *arg)
{
	(void)arg;
	return fake_busy(bench->play) > 0;
}

static void no_line_is_handed_over_while_one_is_worked_on(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);

	peer_send(ala, "busy one\ntwo\nthree\n");
	bench_run(bench, some_busy, NULL);
	peer_send(ala, "four\n");
	peer_send(ola, "hi\n");
	peer_expect(bench, ola, "hi");
	assert_int_equal(fake_seen(bench->play)->lines, 2);
	fake_release(bench->play);
	peer_expect(bench, ala, "one");
	peer_expect(bench, ala, "two");
	peer_expect(bench, ala, "three");
	peer_expect(bench, ala, "four");
}

static void a_busy_session_is_not_read_without_bound(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);
	char block[4096];
	ssize_t sent = 0;
	size_t total = 0;

	memset(block, '\n', sizeof(block));
	peer_send(ala, "busy one\n");
	bench_run(bench, some_busy, NULL);
	/* The server's receive buffer and its own 64 KiB fill up, then the peer's send buffer. */
	for (int quiet = 0; quiet < 20;) {
		sent = send(ala->fd, block, sizeof(block), MSG_DONTWAIT);
		total += sent > 0 ? (size_t)sent : 0;
		quiet = sent > 0 ? 0 : quiet + 1;
		peer_send(ola, "x\n");
		peer_expect(bench, ola, "x");
		assert_in_range(total, 0, 64 << 20);
	}
	fake_release(bench->play);
	peer_expect(bench, ala, "one");
	shutdown(ala->fd, SHUT_WR);
	peer_expect_end(bench, ala);
}

static bool time_has_come(struct bench *bench, void *arg)
{
	(void)bench;
	return clock_now_ms() >= *(int64_t *)arg;
}

static void nothing(void *arg)
{
	(void)arg;
}

static void a_line_that_waits_counts_from_its_arrival(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);
	struct clock_port clock;
	int64_t later_ms;
	int64_t arrived_ms[2];
	int64_t waits_ms;
	size_t length = 0;

	loop_clock(bench->loop, nothing, NULL, &clock);
	peer_send(ala, "busy one\ntime\n");
	bench_run(bench, some_busy, NULL);
	later_ms = clock_now_ms() + 30;
	clock.wake_at(clock.arg, later_ms);
	bench_run(bench, time_has_come, &later_ms);
	waits_ms = fake_waits_since(bench->play);
	peer_send(ala, "time\n");
	peer_send(ola, "x\n");
	peer_expect(bench, ola, "x");
	fake_release(bench->play);
	peer_expect(bench, ala, "one");
	arrived_ms[0] = strtoll(peer_line(bench, ala, &length), NULL, 10);
	arrived_ms[1] = strtoll(peer_line(bench, ala, &length), NULL, 10);
	assert_true(arrived_ms[0] <= later_ms - 30);
	assert_true(arrived_ms[1] >= later_ms);
	assert_int_equal(waits_ms, arrived_ms[0]);
	assert_int_equal(fake_waits_since(bench->play), INT64_MAX);
}

static void a_line_that_has_not_come_to_its_end_does_not_wait(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);

	peer_send(ala, "busy one\nhalf a");
	bench_run(bench, some_busy, NULL);
	peer_send(ola, "x\n");
	peer_expect(bench, ola, "x");
	assert_int_equal(fake_waits_since(bench->play), INT64_MAX);
	/* The end of input is its end. */
	shutdown(ala->fd, SHUT_WR);
	do {
		peer_send(ola, "x\n");
		peer_expect(bench, ola, "x");
	} while (fake_waits_since(bench->play) == INT64_MAX);
	fake_release(bench->play);
	peer_expect(bench, ala, "one");
	peer_expect(bench, ala, "half a");
	peer_expect_end(bench, ala);
}

/* Ends. */

static bool two_busy(struct bench *bench, void *arg)
{
	(void)arg;
	return fake_busy(bench->play) == 2;
}

static void who_has_to_rest_is_not_read_meanwhile_and_goes_on_after(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);

	fake_rest(bench->play, true);
	peer_send(ala, "one\n");
	/* Bytes count without a line. */
	peer_send(ola, "no line ye");
	bench_run(bench, two_busy, NULL);
	peer_send(ala, "more\n");
	bench_run_once(bench);
	bench_run_once(bench);
	assert_int_equal(fake_seen(bench->play)->lines, 0);
	assert_int_equal(fake_seen(bench->play)->bytes, 14);
	fake_rest(bench->play, false);
	fake_release(bench->play);
	peer_expect(bench, ala, "rested");
	peer_expect(bench, ala, "one");
	peer_expect(bench, ola, "rested");
	peer_send(ola, "t\n");
	peer_expect(bench, ola, "no line yet");
}

static void what_came_before_the_end_of_input_is_answered(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);

	peer_send(ala, "one\ntwo\nlast without LF");
	shutdown(ala->fd, SHUT_WR);
	peer_expect(bench, ala, "one");
	peer_expect(bench, ala, "two");
	peer_expect(bench, ala, "last without LF");
	peer_expect_end(bench, ala);
	assert_int_equal(fake_seen(bench->play)->ended, 1);
	assert_int_equal(fake_seen(bench->play)->lost, 0);
}

static void the_end_of_input_waits_for_the_line_that_is_worked_on(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);

	peer_send(ala, "busy one\nbusy two");
	shutdown(ala->fd, SHUT_WR);
	bench_run(bench, some_busy, NULL);
	peer_send(ola, "x\n");
	peer_expect(bench, ola, "x");
	assert_int_equal(fake_seen(bench->play)->ended, 0);
	fake_release(bench->play);
	peer_expect(bench, ala, "one");
	bench_run(bench, some_busy, NULL);
	assert_int_equal(fake_seen(bench->play)->ended, 0);
	fake_release(bench->play);
	peer_expect(bench, ala, "two");
	peer_expect_end(bench, ala);
}

static void a_thousand_lines_before_the_end_are_all_answered(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	char text[4000];

	for (size_t i = 0; i < 1000; i++) {
		memcpy(text + 4 * i, "abc\n", 4);
	}
	peer_send_bytes(ala, text, sizeof(text));
	shutdown(ala->fd, SHUT_WR);
	for (int i = 0; i < 1000; i++) {
		peer_expect(bench, ala, "abc");
	}
	peer_expect_end(bench, ala);
}

/* What the server logs, kept in a file meanwhile. */
static FILE *log_file;
static int kept_stderr;

static void keep_log(void)
{
	log_file = tmpfile();
	kept_stderr = dup(STDERR_FILENO);
	dup2(fileno(log_file), STDERR_FILENO);
	log_set_level(LOG_INFO);
}

static bool none_open(struct bench *bench, void *arg)
{
	(void)arg;
	return net_connections(bench->net) == 0;
}

static void expect_logged(const char *text)
{
	static char logged[16384];

	dup2(kept_stderr, STDERR_FILENO);
	close(kept_stderr);
	log_set_level(LOG_ERROR);
	rewind(log_file);
	logged[fread(logged, 1, sizeof(logged) - 1, log_file)] = '\0';
	fclose(log_file);
	if (strstr(logged, text) == NULL) {
		print_error("%s is not in the log:\n%s", text, logged);
		fail();
	}
}

static void so_much_is_logged_of_connections_in_a_second_and_what_was_left_out_is_counted(
		void **state)
{
	struct log_share share = {0};
	const int64_t from_ms = clock_now_ms();
	size_t logged = 0;

	(void)state;
	keep_log();
	for (int i = 0; i < 10000; i++) {
		logged += log_may(&share);
	}
	assert_in_range(logged, LOG_SHARE_LINES,
			LOG_SHARE_LINES * ((clock_now_ms() - from_ms) / 1000 + 1));
	while (!log_may(&share)) {
		usleep(10000);
	}
	expect_logged("logs_left_out lines=");
}

static bool some_lost(struct bench *bench, void *arg)
{
	(void)arg;
	return fake_seen(bench->play)->lost > 0;
}

static void what_somebody_said_who_was_reset_while_he_rested_is_not_carried_out(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);

	fake_rest(bench->play, true);
	peer_send(ala, "one\ntwo\n");
	bench_run(bench, some_busy, NULL);
	fake_rest(bench->play, false);
	peer_reset(ala);
	fake_release(bench->play);
	bench_run(bench, some_lost, NULL);
	assert_int_equal(fake_seen(bench->play)->lines, 0);
}

static void a_reset_loses_the_session_with_its_reason(void **state)
{
	struct bench *bench = *state;
	struct peer *ala;

	keep_log();
	ala = peer_welcome(bench);
	peer_send(ala, "one\ntwo\n");
	peer_expect(bench, ala, "one");
	peer_expect(bench, ala, "two");
	peer_reset(ala);
	bench_run(bench, none_open, NULL);
	expect_logged("reason=\"Connection reset by peer\" lines=2\n");
	assert_int_equal(fake_seen(bench->play)->lost, 1);
	assert_int_equal(fake_seen(bench->play)->ended, 0);
}

static void a_reset_loses_a_busy_session_too(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);

	peer_send(ala, "busy one\ntwo\n");
	bench_run(bench, some_busy, NULL);
	peer_reset(ala);
	bench_run(bench, some_lost, NULL);
	assert_int_equal(fake_seen(bench->play)->lines, 1);
}

static bool one_gone(struct bench *bench, void *arg)
{
	const struct fake_seen *seen = fake_seen(bench->play);

	(void)arg;
	return seen->lost + seen->ended == 1;
}

static void half_a_line_before_a_reset_is_none_though_a_write_meets_the_reset_first(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_new(bench, AF_INET);

	peer_connect(bench, ala);
	peer_send(ala, "one\ntwo");
	peer_reset(ala);
	bench_run(bench, one_gone, NULL);
	assert_int_equal(fake_seen(bench->play)->lines, 1);
	bench_run(bench, none_open, NULL);
}

static void half_a_line_before_a_close_is_a_line_though_nobody_reads_the_answer(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);

	peer_send(ala, "one\nbusy two");
	peer_close(ala);
	bench_run(bench, some_busy, NULL);
	fake_release(bench->play);
	bench_run(bench, none_open, NULL);
	assert_int_equal(fake_seen(bench->play)->lines, 2);
}

static bool three_lines(struct bench *bench, void *arg)
{
	(void)arg;
	return fake_seen(bench->play)->lines == 3;
}

static void what_came_before_is_carried_out_even_if_the_answers_have_nowhere_to_go(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);

	peer_send(ala, "busy one\nbusy two\nbusy three\n");
	peer_close(ala);
	for (int i = 1; i <= 3; i++) {
		bench_run(bench, some_busy, NULL);
		/* The answer to the first is answered by a reset. */
		fake_release(bench->play);
	}
	bench_run(bench, three_lines, NULL);
	bench_run(bench, none_open, NULL);
	assert_int_equal(fake_seen(bench->play)->ended + fake_seen(bench->play)->lost, 1);
}

static void the_last_lines_are_flushed_before_the_close_whatever_still_comes(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	char more[8192];
	size_t length = 0;

	memset(more, '\n', sizeof(more));
	peer_send(ala, "big 200000\nquit\nnot this\n");
	peer_send_bytes(ala, more, sizeof(more));
	peer_line(bench, ala, &length);
	assert_int_equal(length, 199999);
	peer_send_bytes(ala, more, sizeof(more));
	peer_expect(bench, ala, "bye");
	peer_send_bytes(ala, more, sizeof(more));
	peer_expect_end(bench, ala);
	assert_int_equal(fake_seen(bench->play)->lines, 2);
	peer_close(ala);
	bench_run(bench, none_open, NULL);
}

static void a_peer_that_does_not_close_is_closed_after_a_while(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);

	keep_log();
	peer_send(ala, "quit\n");
	peer_expect(bench, ala, "bye");
	peer_expect_end(bench, ala);
	bench_run(bench, none_open, NULL);
	expect_logged("reason=\"closed\"");
}

/* Slow readers. */

#define BIG_LINES 300

/* Ask for more than the sockets' buffers hold, while ola is served. */
static void ask_for_much(struct bench *bench, struct peer *deaf, struct peer *ola)
{
	deaf->deaf = true;
	for (int i = 0; i < BIG_LINES; i++) {
		peer_send(deaf, "big 100000\n");
	}
	for (int i = 0; i < 200; i++) {
		peer_send(ola, "x\n");
		peer_expect(bench, ola, "x");
	}
}

static void a_peer_that_does_not_read_its_last_lines_is_given_up_at_the_deadline(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);

	keep_log();
	ask_for_much(bench, ala, ola);
	play_shutdown(bench->play);
	peer_expect(bench, ola, "bye");
	bench_run(bench, none_open, NULL);
	expect_logged("reason=\"close_timeout\"");
}

static void a_peer_that_does_not_read_is_not_served(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);
	size_t served;
	size_t length = 0;

	ask_for_much(bench, ala, ola);
	served = fake_seen(bench->play)->lines - 200;
	assert_in_range(served, 1, BIG_LINES - 1);
	assert_in_range(fake_seen(bench->play)->queued_max, 0, CONN_OUTPUT_BYTES);
	ala->deaf = false;
	for (int i = 0; i < BIG_LINES; i++) {
		peer_line(bench, ala, &length);
		assert_int_equal(length, 99999);
	}
	assert_true(fake_seen(bench->play)->drained > 0);
}

static void who_lets_too_much_pile_up_is_given_up(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);

	keep_log();
	ala->deaf = true;
	for (int i = 0; i < 200 && fake_seen(bench->play)->given_up == 0; i++) {
		size_t length = 0;

		fake_tell_all(bench->play, 200000);
		peer_line(bench, ola, &length);
		assert_int_equal(length, 199999);
	}
	assert_int_equal(fake_seen(bench->play)->given_up, 1);
	peer_close(ala);
	peer_close(ola);
	bench_run(bench, none_open, NULL);
	expect_logged("reason=\"slow_reader\"");
}

#define SHARED_BYTES 512

static void shared_lines_outlive_who_did_not_read_them(void **state)
{
	struct bench *bench = *state;
	struct peer *ala = peer_welcome(bench);
	struct peer *ola = peer_welcome(bench);
	size_t length = 0;

	ala->deaf = true;
	fake_tell_all(bench->play, SHARED_BYTES);
	fake_tell_all(bench->play, SHARED_BYTES - 1);
	peer_line(bench, ola, &length);
	assert_int_equal(length, SHARED_BYTES - 1);
	peer_line(bench, ola, &length);
	assert_int_equal(length, SHARED_BYTES - 2);
	peer_reset(ala);
	bench_run(bench, some_lost, NULL);
}

#define SERVED(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SERVED(lines_end_with_lf_or_cr_lf_and_empty_ones_are_nothing),
			SERVED(bytes_may_dribble_in),
			SERVED(a_line_too_long_is_told_once_and_the_next_one_counts),
			SERVED(ten_thousand_lines_at_once_are_answered_in_order_and_others_meanwhile),
			SERVED(whose_answers_are_long_has_few_lines_carried_out_in_a_turn),
			SERVED(who_goes_first_does_so_before_a_crowd_that_came_earlier),
			SERVED(no_line_is_handed_over_while_one_is_worked_on),
			SERVED(a_busy_session_is_not_read_without_bound),
			SERVED(a_line_that_waits_counts_from_its_arrival),
			SERVED(who_has_to_rest_is_not_read_meanwhile_and_goes_on_after),
			SERVED(what_somebody_said_who_was_reset_while_he_rested_is_not_carried_out),
			SERVED(a_line_that_has_not_come_to_its_end_does_not_wait),
			SERVED(what_came_before_the_end_of_input_is_answered),
			SERVED(the_end_of_input_waits_for_the_line_that_is_worked_on),
			SERVED(a_thousand_lines_before_the_end_are_all_answered),
			cmocka_unit_test(
					so_much_is_logged_of_connections_in_a_second_and_what_was_left_out_is_counted),
			SERVED(a_reset_loses_the_session_with_its_reason),
			SERVED(a_reset_loses_a_busy_session_too),
			SERVED(half_a_line_before_a_reset_is_none_though_a_write_meets_the_reset_first),
			SERVED(half_a_line_before_a_close_is_a_line_though_nobody_reads_the_answer),
			SERVED(what_came_before_is_carried_out_even_if_the_answers_have_nowhere_to_go),
			SERVED(the_last_lines_are_flushed_before_the_close_whatever_still_comes),
			SERVED(a_peer_that_does_not_close_is_closed_after_a_while),
			SERVED(a_peer_that_does_not_read_its_last_lines_is_given_up_at_the_deadline),
			SERVED(a_peer_that_does_not_read_is_not_served),
			SERVED(who_lets_too_much_pile_up_is_given_up),
			SERVED(shared_lines_outlive_who_did_not_read_them),
	};

	alarm(30);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
