/* Resident memory of connections that say nothing, and of rooms in which nobody acts: what the
 * server's process grew by from a tenth of them to all, divided by how many came in between. So
 * neither the program itself nor what it keeps ready counts. */
#include <stdio.h>
#include <string.h>

#include "protocol/limits.h"
#include "tests/bench/driver/machine.h"
#include "tests/bench/driver/run.h"

/* Of a line in the server's memory: struct bytes and the allocator's own. */
#define LINE_OVERHEAD 24
#define SETTLE_NS (NS_PER_S / 2)
#define IDLE_NS (2ull * NS_PER_S)

static int welcomed;

/* Connections. */

static void idle_line(struct conn *conn, const char *line, size_t length)
{
	(void)conn;
	(void)line;
	(void)length;
	welcomed++;
	conn_progress();
}

static const struct conn_ops idle_ops = {.line = idle_line};

static void open_idle(struct conn *conns, int count, int window)
{
	int begun = 0;

	welcomed = 0;
	conn_progress();
	while (welcomed < count) {
		while (begun < count && begun - welcomed < window) {
			conn_open(&conns[begun++], &idle_ops);
		}
		conn_pump(NS_PER_S / 10);
		conn_check("waiting for welcome");
	}
}

struct conn *run_idle_conns(int count, int first, int window)
{
	struct conn *conns = conn_array(count, -1, first);

	open_idle(conns, count, window);
	return conns;
}

void run_idle(const struct run_options *options)
{
	const int few = options->conns / 10;
	struct conn *conns = run_idle_conns(few, 0, options->window);
	struct conn *more;
	long before_kib;
	long after_kib;
	uint64_t cpu_ns;

	conn_pump_for(SETTLE_NS);
	before_kib = machine_server_kib("VmRSS:");
	more = run_idle_conns(options->conns - few, few, options->window);
	conn_pump_for(SETTLE_NS);
	after_kib = machine_server_kib("VmRSS:");
	cpu_ns = machine_server_ns();
	conn_pump_for(IDLE_NS);
	cpu_ns = machine_server_ns() - cpu_ns;
	conn_check("being idle");
	printf(",\"conns\":%d,\"kib_per_conn\":%.3f,\"rss_kib\":%ld,\"idle_cpu_percent\":%.2f",
			options->conns, (double)(after_kib - before_kib) / (options->conns - few),
			after_kib, 100 * (double)cpu_ns / (double)IDLE_NS);
	conn_array_free(more, options->conns - few);
	conn_array_free(conns, few);
}

/* Rooms. */

static const struct game_hooks hooks;

/* One more room for each pair. */
static void open_rooms(struct game *games, int count, int window)
{
	int begun = 0;

	game_counts.joined = 0;
	conn_progress();
	while (game_counts.joined < 2 * count) {
		while (begun < count && 2 * begun - game_counts.joined < 2 * window) {
			game_open(&games[begun++]);
		}
		conn_pump(NS_PER_S / 10);
		conn_check("opening rooms");
	}
}

/* What is stored of a room, as the server has it in memory: each line with its count and length,
 * from the heap. One game's tell for all, their names are as long. */
static size_t stored_bytes;
static bool all_told;

static void stored_line(struct conn *conn, const char *line, size_t length)
{
	(void)conn;
	if (strncmp(line, "{\"type\":\"welcome\"", 17) == 0) {
		return;
	}
	if (strncmp(line, "{\"type\":\"ok\"", 12) == 0) {
		all_told = true;
	} else {
		stored_bytes += LINE_OVERHEAD + length + 1;
	}
	conn_progress();
}

static const struct conn_ops stored_ops = {.line = stored_line};

static double stored_bytes_of(const struct game *game)
{
	struct conn *conn = conn_array(1, -1, 0);

	conn_open(conn, &stored_ops);
	conn_sendf(conn, "{\"type\":\"state\",\"room\":\"%s\",\"since\":0}\n", game->id);
	while (!all_told) {
		conn_pump(NS_PER_S / 10);
		conn_check("asking for stored events");
	}
	conn_array_free(conn, 1);
	return (double)stored_bytes;
}

/* The pairs have as many rooms each as a connection may follow, so their number, and the
 * connections' memory with it, stays as it is while rooms are added. */
void run_rooms(const struct run_options *options)
{
	const int few = LIMIT_ROOMS_FOLLOWED / 10;
	const int pairs = options->games;
	struct conn *conns = conn_array(2 * pairs, 0, 0);
	struct game *games = game_array(pairs, conns);
	double stored;
	double kib;
	long before_kib;
	long after_kib;

	game_init(options->dialect, options->scripts, &hooks);
	game_connect(conns, 2 * pairs, options->window);
	for (int i = 0; i < few; i++) {
		open_rooms(games, pairs, options->window);
	}
	conn_pump_for(SETTLE_NS);
	before_kib = machine_server_kib("VmRSS:");
	for (int i = few; i < LIMIT_ROOMS_FOLLOWED; i++) {
		open_rooms(games, pairs, options->window);
	}
	conn_pump_for(SETTLE_NS);
	after_kib = machine_server_kib("VmRSS:");
	kib = (double)(after_kib - before_kib) / (pairs * (LIMIT_ROOMS_FOLLOWED - few));
	stored = stored_bytes_of(games) / 1024;
	printf(",\"rooms\":%d,\"kib_per_room\":%.3f,\"stored_kib_per_room\":%.3f,\"rss_kib\":%ld",
			pairs * LIMIT_ROOMS_FOLLOWED, kib, stored, after_kib);
	conn_array_free(conns, 2 * pairs);
}
