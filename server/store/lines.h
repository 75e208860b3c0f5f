/* What the stores hand around: lists of lines, rooms with their lines, copies of players.
 * References are counted by one thread at a time: a list is handed over whole. */
#ifndef STORE_LINES_H
#define STORE_LINES_H

#include "server/play/ports.h"

/* Lines, each with a reference of the list's own. Zeroed is the empty one. */
struct lines {
	size_t count;
	size_t size;
	struct bytes **line;
};

/* Takes over the reference. */
void lines_add(struct lines *lines, struct bytes *line);

/* Gives the references back and leaves the empty list. */
void lines_fini(struct lines *lines);

/* Rooms with their lines. Zeroed is the empty one. */
struct room_list {
	size_t count;
	size_t size;
	struct room_lines *rooms;
};

struct room_lines {
	char *room;
	struct lines lines;
};

/* One more room; its lines, none yet, are valid until the next one is added. */
struct lines *room_list_add(struct room_list *list, const char *room);

/* Call `each` for every room, in order. */
void room_list_give(const struct room_list *list, store_each_room_fn *each, void *arg);

void room_list_fini(struct room_list *list);

/* A player with key and record of its own. */
void player_copy(const struct store_player *player, struct store_player *ret);

/* Frees the key and gives back the record of a copy; zeroed is fine. */
void player_fini(struct store_player *player);

#endif
