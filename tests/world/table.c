#include <string.h>

#include "tests/world/world.h"

void table_open(struct world *world, const char *x, const char *o, struct table *ret)
{
	ret->x = client_connect_as(world, x, NULL);
	ret->o = client_connect_as(world, o, NULL);
	message_copy(ret->room, sizeof(ret->room), ask(ret->x, "create X")->room);
	ask(ret->o, "join %s", ret->room);
	world_settle(world);
	client_skip(ret->x);
	client_skip(ret->o);
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
