/* Logins: connect, say hello, read `welcome` and the answer with a new name and token, close, and
 * the next, so many at a time. */
#include <stdio.h>
#include <string.h>

#include "tests/bench/driver/machine.h"
#include "tests/bench/driver/run.h"
#include "tests/bench/driver/tally.h"

#define LOGINS_MAX 1024

static struct tally tally;
static bool is_timing;
static uint64_t begun_ns[LOGINS_MAX]; /* by number of the connection */

static void login_opened(struct conn *conn)
{
	static const char hello[] = "{\"type\":\"hello\"}\n";

	conn_send(conn, hello, sizeof(hello) - 1);
}

static void begin(struct conn *conn);

static void login_line(struct conn *conn, const char *line, size_t length)
{
	(void)length;
	if (strncmp(line, "{\"type\":\"welcome\"", 17) == 0) {
		return;
	}
	if (strncmp(line, "{\"type\":\"ok\",\"to\":\"hello\"", 25) != 0) {
		conn_fail(conn, line);
		return;
	}
	if (is_timing) {
		tally.slice.count++;
		tally_add_latency(&tally, conn_now_ns() - begun_ns[conn->number]);
	}
	conn_progress();
	conn_close(conn);
	begin(conn);
}

static const struct conn_ops login_ops = {.opened = login_opened, .line = login_line};

static void begin(struct conn *conn)
{
	begun_ns[conn->number] = machine_now_ns();
	conn_open(conn, &login_ops);
}

static void go_on_until(uint64_t end_ns)
{
	while (machine_now_ns() < end_ns) {
		conn_pump(NS_PER_S / 100);
		conn_check("logging in");
	}
}

void run_login(const struct run_options *options)
{
	const int at_once = options->window < LOGINS_MAX ? options->window : LOGINS_MAX;
	struct conn *conns = conn_array(at_once, -1, 0);
	uint64_t end_ns;

	tally_init(&tally, options->foreign);
	for (int i = 0; i < at_once; i++) {
		begin(&conns[i]);
	}
	go_on_until(machine_now_ns() + (uint64_t)(options->warm * NS_PER_S));
	tally_reset(&tally);
	end_ns = machine_now_ns() + (uint64_t)(options->wall * NS_PER_S);
	is_timing = true;
	do {
		tally_start_clock(&tally);
		go_on_until(machine_now_ns() + TALLY_SLICE_NS);
		tally_stop_clock(&tally);
		tally_close_slice(&tally, false);
	} while ((double)tally.kept.timed_ns < options->seconds * NS_PER_S &&
			machine_now_ns() < end_ns);
	tally_finish(&tally, options->seconds);
	tally_print(&tally);
	tally_fini(&tally);
	conn_array_free(conns, at_once);
}
