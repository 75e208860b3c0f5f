/* An open loop: actions fall due at a steady rate, whatever the server does, each in the game that
 * has waited longest. Its latency counts from when it is said; if the server had kept all games
 * waiting, from when it fell due. Games that are over are followed by new ones of the same players,
 * which are on top of the rate. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/driver/machine.h"
#include "tests/bench/driver/run.h"
#include "tests/bench/driver/tally.h"

static struct tally tally;
static bool is_timing;

struct ready {
	struct game *game;
	uint64_t since_ns;
};

/* Games whose next action may be asked for: a ring. */
static struct ready *ready;
static size_t ready_size;
static size_t ready_first;
static size_t ready_count;

static void game_is_ready(struct game *game)
{
	ready[(ready_first + ready_count++) % ready_size] = (struct ready){game, machine_now_ns()};
}

static void turn(struct game *game)
{
	game_is_ready(game);
}

static void over(struct game *game)
{
	game_open(game);
}

static void joined(struct conn *conn)
{
	struct game *game = conn->game;

	if (game->players[0]->joined && game->players[1]->joined) {
		game_begin(game, 0);
		game_is_ready(game);
	}
}

static void own(struct conn *conn, uint64_t latency_ns)
{
	(void)conn;
	if (is_timing) {
		tally.slice.count++;
		tally_add_latency(&tally, latency_ns);
	}
}

static const struct game_hooks hooks = {.joined = joined, .own = own, .turn = turn, .over = over};

/* When actions are said. */
struct pace {
	uint64_t step_ns;
	uint64_t due_ns;  /* the next one */
	uint64_t said_ns; /* the last one was */
};

/* When the driver is late it makes up for that at twice the pace, since players who have nothing to
 * do with each other do not all speak at once. */
static uint64_t next_ns(const struct pace *pace)
{
	const uint64_t least_ns = pace->said_ns + pace->step_ns / 2;

	return pace->due_ns > least_ns ? pace->due_ns : least_ns;
}

static void act_if_due(struct pace *pace)
{
	const uint64_t now_ns = machine_now_ns();
	const struct ready *next = &ready[ready_first];

	if (next_ns(pace) > now_ns || ready_count == 0) {
		return;
	}
	ready_first = (ready_first + 1) % ready_size;
	ready_count--;
	game_act(next->game, next->since_ns <= pace->due_ns ? now_ns : pace->due_ns);
	pace->due_ns += pace->step_ns;
	pace->said_ns = now_ns;
}

/* Go on until that time, without a pause between one stretch and the next. */
static void act_until(uint64_t end_ns, struct pace *pace)
{
	uint64_t now_ns;

	while ((now_ns = machine_now_ns()) < end_ns) {
		act_if_due(pace);
		conn_pump(next_ns(pace) > now_ns && ready_count > 0 ? next_ns(pace) - now_ns : 0);
		conn_check("playing");
	}
}

static void load(const struct run_options *options)
{
	struct pace pace = {.step_ns = (uint64_t)(NS_PER_S / options->rate),
			.due_ns = machine_now_ns()};
	uint64_t end_ns;

	act_until(pace.due_ns + (uint64_t)(options->warm * NS_PER_S), &pace);
	tally_reset(&tally);
	end_ns = machine_now_ns() + (uint64_t)(options->wall * NS_PER_S);
	do {
		is_timing = true;
		tally_start_clock(&tally);
		act_until(machine_now_ns() + TALLY_SLICE_NS, &pace);
		tally_stop_clock(&tally);
		tally_close_slice(&tally, false);
	} while ((double)tally.kept.timed_ns < options->seconds * NS_PER_S &&
			machine_now_ns() < end_ns);
	tally_finish(&tally, options->seconds);
}

void run_load(const struct run_options *options)
{
	const int players = 2 * options->games;
	struct conn *conns = conn_array(players, 0, 0);
	struct game *games = game_array(options->games, conns);
	struct conn *idle = run_idle_conns(options->conns, players, options->window);
	struct conn *people = run_bot_games(options->bots, options->window);

	ready_size = (size_t)options->games;
	ready = calloc(ready_size, sizeof(*ready));
	if (ready == NULL) {
		machine_die("no memory for games");
	}
	game_init(options->dialect, options->scripts, &hooks);
	game_connect(conns, players, options->window);
	for (int i = 0; i < options->games; i++) {
		game_open(&games[i]);
	}
	/* Else the first ones would play at the whole rate, and keep the others waiting. */
	while (ready_count < ready_size) {
		conn_pump(NS_PER_S / 10);
		conn_check("opening games");
	}
	/* For whoever wants to disturb it. */
	fputs("playing\n", stderr);
	tally_init(&tally, options->foreign);
	load(options);
	printf(",\"games\":%d,\"idle\":%d,\"bots\":%d,\"rate\":%.0f", options->games,
			options->conns, options->bots, options->rate);
	printf(",\"rss_kib\":%ld,\"peak_kib\":%ld", machine_server_kib("VmRSS:"),
			machine_server_kib("VmHWM:"));
	tally_print(&tally);
	tally_fini(&tally);
	conn_array_free(people, options->bots);
	conn_array_free(idle, options->conns);
	conn_array_free(conns, players);
}
