/* Games of people, who answer at once and by chance, against bots that play perfectly: for `bots`
 * how long a bot takes to act, for `load` as something that goes on beside other games. And
 * analyses: how long the answer takes, each connection asking again when it has one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/driver/machine.h"
#include "tests/bench/driver/run.h"
#include "tests/bench/driver/tally.h"

#define PLAYERS_MAX 1024
#define SQUARES 9

static struct tally tally;
static bool is_timing;
static uint64_t asked_ns[PLAYERS_MAX]; /* by number of the connection; 0: nothing is waited for */
static int opened;
static uint64_t chance = 1;

static int below(size_t limit)
{
	chance = chance * 6364136223846793005u + 1442695040888963407u;
	return (int)((chance >> 33) % limit);
}

/* What was waited for has come. */
static void count_latency(struct conn *conn)
{
	if (is_timing && asked_ns[conn->number] != 0) {
		tally.slice.count++;
		tally_add_latency(&tally, conn_now_ns() - asked_ns[conn->number]);
	}
	asked_ns[conn->number] = 0;
	conn_progress();
}

static bool has(const char *line, const char *text)
{
	return strstr(line, text) != NULL;
}

/* A person against a bot. */

static void begin_game(struct conn *conn)
{
	conn->role = below(2);
	conn_sendf(conn, "{\"type\":\"create\",\"opponent\":\"bot-perfect\",\"side\":\"%s\"}\n",
			conn->role == 0 ? "X" : "O");
}

static void bot_game_opened(struct conn *conn)
{
	opened++;
	conn_progress();
	begin_game(conn);
}

/* The open squares of a board: lists, where classical ones are strings. */
static int open_squares(const char *board, int ret_open[SQUARES])
{
	const char *at = strstr(board, "\"squares\":[");
	int count = 0;

	at = at == NULL ? "" : at + strlen("\"squares\":[");
	for (int square = 1; square <= SQUARES && *at != '\0'; square++) {
		if (*at == '[') {
			ret_open[count++] = square;
			at = strchr(at, ']');
		}
		at = at == NULL ? "" : at + strcspn(at, ",");
		at += *at == ',';
	}
	return count;
}

static void act(struct conn *conn, const char *board)
{
	const char *choices = strstr(board, "\"choices\":[");
	int open[SQUARES];
	int count;

	if (choices != NULL) {
		conn_sendf(conn, "{\"type\":\"collapse\",\"square\":%c}\n",
				choices[strlen("\"choices\":[") + 2 * (size_t)below(2)]);
		return;
	}
	count = open_squares(board, open);
	if (count == 1) {
		conn_sendf(conn, "{\"type\":\"move\",\"squares\":[%d]}\n", open[0]);
	} else if (count > 1) {
		int first = below((size_t)count);
		int second = (first + 1 + below((size_t)count - 1)) % count;

		conn_sendf(conn, "{\"type\":\"move\",\"squares\":[%d,%d]}\n", open[first],
				open[second]);
	}
}

/* A line with a board: whose turn is it? */
static void see_board(struct conn *conn, const char *board)
{
	static const char *const turns[] = {"\"turn\":\"X\"", "\"turn\":\"O\""};

	if (has(board, turns[conn->role])) {
		act(conn, board);
	} else if (has(board, turns[1 - conn->role])) {
		asked_ns[conn->number] = conn_now_ns();
	}
}

static void bot_game_line(struct conn *conn, const char *line, size_t length)
{
	static const char *const players[] = {"\"by\":\"X\"", "\"by\":\"O\""};
	const char *board = strstr(line, "\"board\":{");

	(void)length;
	conn_progress();
	if (has(line, "\"type\":\"error\"")) {
		conn_fail(conn, line);
	} else if (has(line, "\"type\":\"ended\"")) {
		begin_game(conn);
	} else if (board != NULL) {
		if (has(line, players[1 - conn->role])) {
			count_latency(conn);
		}
		see_board(conn, board);
	}
}

static const struct conn_ops bot_game_ops = {.opened = bot_game_opened, .line = bot_game_line};

struct conn *run_bot_games(int count, int window)
{
	struct conn *conns = conn_array(count, 0, 0);
	int begun = 0;

	if (count > PLAYERS_MAX) {
		machine_die("%d games against bots are more than %d", count, PLAYERS_MAX);
	}
	opened = 0;
	while (opened < count) {
		while (begun < count && begun - opened < window) {
			conn_open(&conns[begun++], &bot_game_ops);
		}
		conn_pump(NS_PER_S / 10);
		conn_check("opening games against bots");
	}
	return conns;
}

/* Analyses of games that are not over, at any of their actions. */

static void ask(struct conn *conn)
{
	const struct game_script *script = game_script_numbered(below(1 << 30));
	const int actions = below((size_t)script->count);
	char line[512] = "analyse actions=";
	size_t length = strlen(line);

	for (int i = 0; i < actions; i++) {
		const struct game_action *action = &script->actions[i];
		const unsigned char *squares = action->squares;

		length += (size_t)snprintf(line + length, sizeof(line) - length,
				action->kind == GAME_COLLAPSE ? "%s%d" : "%s%d-%d",
				i > 0 ? "," : "", squares[0],
				action->kind == GAME_LAST_SQUARE ? squares[0] : squares[1]);
	}
	line[length] = '\n';
	asked_ns[conn->number] = machine_now_ns();
	conn_send(conn, line, length + 1);
}

static void analysis_line(struct conn *conn, const char *line, size_t length)
{
	(void)length;
	if (has(line, "\"type\":\"welcome\"")) {
		opened++;
	} else if (!has(line, "\"to\":\"analyse\",\"board\"")) {
		conn_fail(conn, line);
		return;
	} else {
		count_latency(conn);
	}
	ask(conn);
}

static const struct conn_ops analysis_ops = {.line = analysis_line};

/* Timing. */

static void go_on_until(uint64_t end_ns)
{
	while (machine_now_ns() < end_ns) {
		conn_pump(NS_PER_S / 100);
		conn_check("thinking");
	}
}

static void time_it(const struct run_options *options)
{
	uint64_t end_ns;

	tally_init(&tally, options->foreign);
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
	is_timing = false;
	tally_finish(&tally, options->seconds);
	tally_print(&tally);
	tally_fini(&tally);
}

void run_bots(const struct run_options *options)
{
	struct conn *conns = run_bot_games(options->games, options->window);

	printf(",\"games\":%d", options->games);
	time_it(options);
	conn_array_free(conns, options->games);
}

void run_analyse(const struct run_options *options)
{
	struct conn *conns = conn_array(options->conns, -1, 0);

	game_init(options->dialect, options->scripts, NULL);
	for (int i = 0; i < options->conns; i++) {
		conn_open(&conns[i], &analysis_ops);
	}
	printf(",\"conns\":%d", options->conns);
	time_it(options);
	conn_array_free(conns, options->conns);
}
