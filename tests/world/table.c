#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

static void open_by(struct world *world, const char *create, struct table *ret)
{
	message_copy(ret->room, sizeof(ret->room), ask(ret->x, "%s", create)->room);
	ask(ret->o, "join %s", ret->room);
	world_settle(world);
	client_skip(ret->x);
	client_skip(ret->o);
}

void table_open(struct world *world, const char *x, const char *o, struct table *ret)
{
	ret->x = client_connect_as(world, x, NULL);
	ret->o = client_connect_as(world, o, NULL);
	open_by(world, "create X", ret);
}

void table_open_clocks(
		struct world *world, int64_t base_ms, int64_t increment_ms, struct table *ret)
{
	char create[200];

	ret->x = client_connect_as(world, "ala", NULL);
	ret->o = client_connect_as(world, "ola", NULL);
	snprintf(create, sizeof(create),
			"{\"type\":\"create\",\"side\":\"X\",\"clock\":{\"base_ms\":%" PRId64
			",\"increment_ms\":%" PRId64 "}}",
			base_ms, increment_ms);
	open_by(world, create, ret);
}

void table_play(struct table *table, const char *acts)
{
	for (; *acts != '\0'; acts += strcspn(acts, " "), acts += strspn(acts, " ")) {
		int length = (int)strcspn(acts, " ");
		const struct board *board;
		struct client *player;

		client_skip(table->x);
		client_skip(table->o);
		board = &ask(table->x, "state %s", table->room)->state->board;
		player = board->turn == SEAT_X ? table->x : table->o;
		if (acts[0] == 'c') {
			ask(player, "collapse %.*s room=%s", length - 1, acts + 1, table->room);
		} else {
			ask(player, "move %.*s room=%s", length, acts, table->room);
		}
		client_skip(table->x);
		client_skip(table->o);
	}
}

struct client *table_watch(struct table *table)
{
	struct client *watcher = client_connect(table->x->world);

	ask(watcher, "watch %s", table->room);
	world_advance(table->x->world, 2000);
	client_skip(watcher);
	client_skip(table->x);
	client_skip(table->o);
	return watcher;
}

void ask_unstored(struct client *client, const char *line)
{
	world_store_refuses(client->world);
	ask_refused(client, CODE_UNAVAILABLE, "%s", line);
	world_store_works(client->world);
}

void say_at_once(
		struct client *one, const char *line, struct client *other, const char *others_line)
{
	world_hold(one->world);
	client_say(one, "%s", line);
	client_say(other, "%s", others_line);
	world_settle(one->world);
	world_release(one->world);
}
