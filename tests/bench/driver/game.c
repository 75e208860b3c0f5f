#include "tests/bench/driver/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/driver/machine.h"

#define SCRIPTS_MAX 10000
#define SCRIPT_LINE_BYTES 256

struct game_counts game_counts;

static const struct game_dialect *dialect;
static const struct game_hooks *hooks;
static struct game_script *scripts;
static long script_count;
static int opened;

/* Scripts: "Xm12" marks squares 1 and 2, "Oc3" collapses, "Xt9" takes the last one. */

static void read_action(struct game_action *action, const char *word)
{
	action->who = word[0] == 'O';
	action->kind = (unsigned char)word[1];
	action->squares[0] = (unsigned char)(word[2] - '0');
	action->squares[1] = word[3] == '\0' ? 0 : (unsigned char)(word[3] - '0');
}

static void read_script(struct game_script *script, char *line)
{
	char *rest = NULL;

	for (char *word = strtok_r(line, " \n", &rest); word != NULL;
			word = strtok_r(NULL, " \n", &rest)) {
		if (script->count < GAME_ACTIONS_MAX && strlen(word) >= 3) {
			read_action(&script->actions[script->count++], word);
		}
	}
}

void game_init(const struct game_dialect *spoken, const char *name, const struct game_hooks *wanted)
{
	char line[SCRIPT_LINE_BYTES];
	FILE *file = fopen(name, "r");

	if (file == NULL) {
		machine_die("%s can't be read", name);
	}
	dialect = spoken;
	hooks = wanted;
	scripts = calloc(SCRIPTS_MAX, sizeof(*scripts));
	if (scripts == NULL) {
		machine_die("no memory for scripts");
	}
	while (script_count < SCRIPTS_MAX && fgets(line, sizeof(line), file) != NULL) {
		read_script(&scripts[script_count], line);
		script_count += scripts[script_count].count > 0;
	}
	fclose(file);
	if (script_count == 0) {
		machine_die("%s has no games", name);
	}
}

/* Connections. */

static void connection_opened(struct conn *conn)
{
	(void)conn;
	opened++;
	conn_progress();
}

static void connection_line(struct conn *conn, const char *line, size_t length)
{
	dialect->line(conn, line, length);
}

const struct conn_ops game_conn_ops = {.opened = connection_opened, .line = connection_line};

void game_connect(struct conn *conns, int count, int window)
{
	int begun = 0;

	opened = 0;
	conn_progress();
	while (opened < count) {
		while (begun < count && begun - opened < window) {
			conn_open(&conns[begun++], &game_conn_ops);
		}
		conn_pump(NS_PER_S / 10);
		conn_check("connecting");
	}
}

/* A game's course. */

const struct game_script *game_script_numbered(long number)
{
	return &scripts[number % script_count];
}

struct game *game_array(int count, struct conn *players)
{
	struct game *games = calloc((size_t)count, sizeof(*games));

	if (games == NULL) {
		machine_die("no memory for games");
	}
	for (int i = 0; i < count; i++) {
		for (int side = 0; side < 2; side++) {
			struct conn *conn = &players[2 * i + side];

			conn->role = side;
			conn->game = &games[i];
			games[i].players[side] = conn;
		}
	}
	return games;
}

void game_open(struct game *game)
{
	game->script = NULL;
	game->number = ++game_counts.games;
	for (int side = 0; side < 2; side++) {
		game->players[side]->seen = 0;
		game->players[side]->joined = 0;
	}
	dialect->open(game);
}

void game_watch(struct conn *conn, struct game *game)
{
	conn->game = game;
	conn->seen = 0;
	conn->joined = 0;
	dialect->watch(conn, game);
}

void game_joined(struct conn *conn)
{
	if (conn->joined) {
		return;
	}
	conn->joined = 1;
	game_counts.joined++;
	conn_progress();
	if (hooks->joined != NULL) {
		hooks->joined(conn);
	}
}

void game_begin(struct game *game, int watchers)
{
	game->script = game_script_numbered(game->number);
	game->done = 0;
	game->left = game->script->count * (2 + watchers);
	memset(game->acted_ns, 0, sizeof(game->acted_ns));
	game_counts.live++;
	game_counts.planned += (uint64_t)game->script->count;
}

void game_act(struct game *game, uint64_t at_ns)
{
	const struct game_action *action = &game->script->actions[game->done];

	game->acted_ns[game->done] = at_ns;
	dialect->act(game->players[action->who], action);
}

/* An actor saw his own action, so it is done. Whoever is next acts when he himself has seen it. */
static void player_saw(struct conn *conn, struct game *game, int number)
{
	const struct game_script *script = game->script;

	if (script->actions[number].who == conn->role) {
		game_counts.own++;
		if (hooks->own != NULL) {
			hooks->own(conn, conn_now_ns() - game->acted_ns[number]);
		}
	}
	if (number + 1 == script->count || script->actions[number + 1].who != conn->role) {
		return;
	}
	game->done = number + 1;
	if (hooks->turn != NULL) {
		hooks->turn(game);
	} else {
		game_act(game, machine_now_ns());
	}
}

void game_saw(struct conn *conn)
{
	struct game *game = conn->game;
	const int number = conn->seen;

	if (game == NULL || game->script == NULL || number >= game->script->count ||
			game->acted_ns[number] == 0) {
		conn_fail(conn, "an event of no action");
		return;
	}
	conn->seen++;
	game_counts.seen++;
	conn_progress();
	game->left--;
	if (conn->role >= 0) {
		player_saw(conn, game, number);
	} else if (hooks->watched != NULL) {
		hooks->watched(conn, conn_now_ns() - game->acted_ns[number]);
	}
	if (game->left == 0) {
		game_counts.live--;
		if (hooks->over != NULL) {
			hooks->over(game);
		}
	}
}
