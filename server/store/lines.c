#include "server/store/lines.h"

#include <stdlib.h>

#include "server/ops/memory.h"

#define FIRST_SIZE 8

void lines_add(struct lines *lines, struct bytes *line)
{
	if (lines->count == lines->size) {
		lines->size = lines->size == 0 ? FIRST_SIZE : 2 * lines->size;
		lines->line = memory_resize(lines->line, lines->size, sizeof(*lines->line));
	}
	lines->line[lines->count++] = line;
}

void lines_fini(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		bytes_unref(lines->line[i]);
	}
	free(lines->line);
	*lines = (struct lines){0};
}

struct lines *room_list_add(struct room_list *list, const char *room)
{
	struct room_lines *added;

	if (list->count == list->size) {
		list->size = list->size == 0 ? FIRST_SIZE : 2 * list->size;
		list->rooms = memory_resize(list->rooms, list->size, sizeof(*list->rooms));
	}
	added = &list->rooms[list->count++];
	*added = (struct room_lines){.room = memory_string(room)};
	return &added->lines;
}

void room_list_give(const struct room_list *list, store_each_room_fn *each, void *arg)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct room_lines *room = &list->rooms[i];

		each(arg, room->room, room->lines.count, room->lines.line);
	}
}

void room_list_fini(struct room_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->rooms[i].room);
		lines_fini(&list->rooms[i].lines);
	}
	free(list->rooms);
	*list = (struct room_list){0};
}

void player_copy(const struct store_player *player, struct store_player *ret)
{
	*ret = *player;
	ret->key = memory_string(player->key);
	ret->record = bytes_ref(player->record);
}

void player_fini(struct store_player *player)
{
	/* The copy's key is its own memory; the port shows it as const. */
	free((void *)(uintptr_t)player->key);
	bytes_unref(player->record);
	*player = (struct store_player){0};
}
