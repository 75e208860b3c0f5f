/* How games are played over lines: with qtttd, as protocol/PROTOCOL.md has it, and with the
 * yardstick, which relays what it does not understand. */
#include <stdio.h>
#include <string.h>

#include "tests/bench/driver/game.h"

/* qtttd. */

/* The players take turns in making rooms: the limit of these is a name's. */
static void qttt_open(struct game *game)
{
	const int opener = game->rooms++ % 2;

	conn_sendf(game->players[opener], "{\"type\":\"create\",\"side\":\"%c\"}\n", "XO"[opener]);
}

static void qttt_watch(struct conn *conn, const struct game *game)
{
	conn_sendf(conn, "{\"type\":\"watch\",\"room\":\"%s\"}\n", game->id);
}

/* The room is never named: the ones before are over. */
static void qttt_act(struct conn *conn, const struct game_action *action)
{
	switch ((enum game_action_kind)action->kind) {
	case GAME_MOVE:
		conn_sendf(conn, "{\"type\":\"move\",\"squares\":[%d,%d]}\n", action->squares[0],
				action->squares[1]);
		break;
	case GAME_LAST_SQUARE:
		conn_sendf(conn, "{\"type\":\"move\",\"squares\":[%d]}\n", action->squares[0]);
		break;
	case GAME_COLLAPSE:
		conn_sendf(conn, "{\"type\":\"collapse\",\"square\":%d}\n", action->squares[0]);
		break;
	}
}

static void qttt_created(struct conn *conn, const char *line)
{
	struct game *game = conn->game;
	const char *room = strstr(line, "\"room\":\"");

	if (room == NULL || sscanf(room, "\"room\":\"%23[^\"]", game->id) != 1) {
		conn_fail(conn, line);
		return;
	}
	conn_sendf(game->players[1 - conn->role], "{\"type\":\"join\",\"room\":\"%s\"}\n",
			game->id);
}

static void qttt_seated(struct conn *conn, const char *line)
{
	(void)line;
	game_joined(conn);
}

static void qttt_saw(struct conn *conn, const char *line)
{
	(void)line;
	game_saw(conn);
}

/* Comes after the last action's event, never before. */
static void qttt_ended(struct conn *conn, const char *line)
{
	const struct game *game = conn->game;

	if (game->script != NULL && conn->seen != game->script->count) {
		conn_fail(conn, line);
	}
}

static void qttt_failed(struct conn *conn, const char *line)
{
	conn_fail(conn, line);
}

static void qttt_line(struct conn *conn, const char *line, size_t length)
{
	/* A snapshot means that events were left out. */
	static const struct {
		const char *begin;
		void (*took)(struct conn *conn, const char *line);
	} kinds[] = {
			{"moved\"", qttt_saw},
			{"collapsed\"", qttt_saw},
			{"ok\",\"to\":\"create\"", qttt_created},
			{"ok\",\"to\":\"join\"", qttt_seated},
			{"ok\",\"to\":\"watch\"", qttt_seated},
			{"started\"", qttt_seated},
			{"ended\"", qttt_ended},
			{"error\"", qttt_failed},
			{"bye\"", qttt_failed},
			{"state\"", qttt_failed},
	};
	static const char type[] = "{\"type\":\"";
	const char *word = line + sizeof(type) - 1;

	if (length < sizeof(type) || strncmp(line, type, sizeof(type) - 1) != 0) {
		conn_fail(conn, line);
		return;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strncmp(word, kinds[i].begin, strlen(kinds[i].begin)) == 0) {
			kinds[i].took(conn, line);
			return;
		}
	}
}

/* The yardstick. */

static void room_open(struct game *game)
{
	snprintf(game->id, sizeof(game->id), "%ld", game->number);
	conn_sendf(game->players[0], "J %s\n", game->id);
	conn_sendf(game->players[1], "J %s\n", game->id);
}

static void room_watch(struct conn *conn, const struct game *game)
{
	conn_sendf(conn, "W %s\n", game->id);
}

static void room_act(struct conn *conn, const struct game_action *action)
{
	conn_sendf(conn, "{\"op\":\"%c\",\"a\":%d,\"b\":%d}\n", action->kind, action->squares[0],
			action->squares[1]);
}

static void room_line(struct conn *conn, const char *line, size_t length)
{
	(void)length;
	if (line[0] == '{') {
		game_saw(conn);
	} else if (line[0] == 'J' || line[0] == 'W') {
		game_joined(conn);
	} else {
		conn_fail(conn, line);
	}
}

/* By name. */

static const struct game_dialect dialects[] = {
		{"qttt", qttt_open, qttt_watch, qttt_act, qttt_line},
		{"room", room_open, room_watch, room_act, room_line},
};

const struct game_dialect *game_dialect_named(const char *name)
{
	for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++) {
		if (strcmp(dialects[i].name, name) == 0) {
			return &dialects[i];
		}
	}
	return NULL;
}
