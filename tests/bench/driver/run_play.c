/* Games in rounds: all are set up, then all are played at once, as quick as they go. Time counts
 * until half of them are over, so that as many as were asked for are under way. */
#include <stdio.h>

#include "tests/bench/driver/machine.h"
#include "tests/bench/driver/run.h"
#include "tests/bench/driver/tally.h"

#define WARM_GAMES 50

static struct tally tally;
static bool is_timing;
static bool for_watchers;
static uint64_t counted;
static uint64_t play_bytes; /* that came while games were played, and the events in them */
static uint64_t play_events;

static void count(uint64_t latency_ns)
{
	if (is_timing) {
		counted++;
		tally_add_latency(&tally, latency_ns);
	}
}

static void saw_own(struct conn *conn, uint64_t latency_ns)
{
	(void)conn;
	if (!for_watchers) {
		count(latency_ns);
	}
}

static void saw_watched(struct conn *conn, uint64_t latency_ns)
{
	(void)conn;
	count(latency_ns);
}

static const struct game_hooks hooks = {.own = saw_own, .watched = saw_watched};

static void open_games(struct game *games, int count, int window)
{
	int begun = 0;

	game_counts.joined = 0;
	conn_progress();
	while (game_counts.joined < 2 * count) {
		while (begun < count && 2 * begun - game_counts.joined < 2 * window) {
			game_open(&games[begun++]);
		}
		conn_pump(NS_PER_S / 10);
		conn_check("joining");
	}
}

static void watch_game(struct conn *watchers, int count, struct game *game, int window)
{
	int begun = 0;

	game_counts.joined = 0;
	while (game_counts.joined < count) {
		while (begun < count && begun - game_counts.joined < window) {
			game_watch(&watchers[begun++], game);
		}
		conn_pump(NS_PER_S / 10);
		conn_check("watching");
	}
}

static void play_until(int live)
{
	while (game_counts.live > live) {
		conn_pump(NS_PER_S);
		conn_check("playing");
	}
}

static void play_round(struct game *games, int count, int watchers)
{
	const uint64_t bytes = conn_bytes_read();
	const uint64_t events = game_counts.seen;

	for (int i = 0; i < count; i++) {
		game_begin(&games[i], watchers);
	}
	conn_progress();
	counted = 0;
	tally_start_clock(&tally);
	is_timing = true;
	for (int i = 0; i < count; i++) {
		game_act(&games[i], machine_now_ns());
	}
	play_until(count > 1 ? count / 2 : 0);
	is_timing = false;
	tally_stop_clock(&tally);
	tally.slice.count += counted;
	play_until(0);
	play_bytes += conn_bytes_read() - bytes;
	play_events += game_counts.seen - events;
}

struct course {
	const struct run_options *options;
	struct conn *watchers;
	struct game *games;
};

static void round_of(const struct course *course, int games)
{
	const struct run_options *options = course->options;

	open_games(course->games, games, options->window);
	watch_game(course->watchers, options->watchers, course->games, options->window);
	while (conn_pump(NS_PER_S / 1000) > 0) {
		/* what the joins still bring */
	}
	play_round(course->games, games, options->watchers);
}

static void play_for(const struct course *course)
{
	const struct run_options *options = course->options;
	const uint64_t warm_end_ns = machine_now_ns() + (uint64_t)(options->warm * NS_PER_S);
	uint64_t end_ns;

	do {
		round_of(course, options->games < WARM_GAMES ? options->games : WARM_GAMES);
	} while (machine_now_ns() < warm_end_ns);
	tally_reset(&tally);
	end_ns = machine_now_ns() + (uint64_t)(options->wall * NS_PER_S);
	do {
		round_of(course, options->games);
		tally_close_slice(&tally, false);
	} while ((double)tally.kept.timed_ns < options->seconds * NS_PER_S &&
			machine_now_ns() < end_ns);
	tally_finish(&tally, options->seconds);
}

void run_play(const struct run_options *options)
{
	const int players = 2 * options->games;
	struct conn *conns = conn_array(players, 0, 0);
	struct conn *watchers = conn_array(options->watchers, -1, players);
	struct course course = {options, watchers, game_array(options->games, conns)};

	conn_array_frame(watchers, options->watchers, options->ws_port);
	for_watchers = options->watchers > 0;
	game_init(options->dialect, options->scripts, &hooks);
	game_connect(conns, players, options->window);
	game_connect(watchers, options->watchers, options->window);
	tally_init(&tally, options->foreign);
	play_for(&course);
	if (game_counts.own != game_counts.planned) {
		machine_die("played %llu actions of %llu", (unsigned long long)game_counts.own,
				(unsigned long long)game_counts.planned);
	}
	printf(",\"games\":%d,\"watchers\":%d", options->games, options->watchers);
	tally_print(&tally);
	printf(",\"bytes_per_event\":%.0f", (double)play_bytes / (double)play_events);
	tally_fini(&tally);
	conn_array_free(conns, players);
	conn_array_free(watchers, options->watchers);
}
