/* What the stores hand around: lists of lines, rooms with their lines, copies of players.
 * References are counted by one thread at a time: a list is handed over whole. */
#ifndef STORE_LINES_H
#define STORE_LINES_H

#include "server/play/ports.h"

/* A game's room, keys, result and record. */
#define STORE_GAME_TEXTS 5

/* Lines, each with a reference of the list's own. Zeroed is the empty one. */
struct store_lines {
	size_t count;
	size_t size;
	struct bytes **line;
};

/* Takes over the reference. */
void store_lines_add(struct store_lines *lines, struct bytes *line);

/* Gives the references back and leaves the empty list. */
void store_lines_fini(struct store_lines *lines);

/* Rooms with their lines. Zeroed is the empty one. */
struct store_room_list {
	size_t count;
	size_t size;
	struct store_room_lines *rooms;
};

struct store_room_lines {
	char *room;
	struct store_lines lines;
};

/* One more room; its lines, none yet, are valid until the next one is added. */
struct store_lines *store_room_list_add(struct store_room_list *list, const char *room);

/* Call `each` for every room, in order. */
void store_room_list_give(const struct store_room_list *list, store_each_room_fn *each, void *arg);

void store_room_list_fini(struct store_room_list *list);

/* Is this one of the keys to be kept? */
bool store_guests_keep(const struct store_guests *guests, const char *key);

/* Takes a copy of the text; NULL stays NULL. */
char *store_text_copy(const char *text);

/* Bans with texts of their own. Zeroed is the empty list. */
struct store_ban_list {
	size_t count;
	size_t size;
	struct store_ban *bans;
	char **texts; /* each what one's whom and why show */
};

/* Takes copies of the texts; there is none for the same. */
void store_ban_list_add(struct store_ban_list *list, const struct store_ban *ban);
/* A new one is last. */
void store_ban_list_change(struct store_ban_list *list, const struct store_ban_change *change);
void store_ban_list_fini(struct store_ban_list *list);

/* A player with key and record of its own. Zeroed is none. */
struct store_player_copy {
	struct store_player player;
	char *key; /* what player.key shows */
};

/* The record gets one more reference. */
void store_player_copy_init(struct store_player_copy *copy, const struct store_player *player);

/* Frees the key, gives back the record, and leaves none. */
void store_player_copy_fini(struct store_player_copy *copy);

/* A game with texts, players and lines of its own. Zeroed is none. */
struct store_game_copy {
	int64_t place;
	struct store_game game;
	char *texts[STORE_GAME_TEXTS]; /* what `game` shows */
	struct store_player_copy players[2];
	bool has_player[2];
	struct store_lines lines;
};

/* Games, and where a list of them goes on. Zeroed is the empty one. */
struct store_game_list {
	size_t count;
	size_t size;
	struct store_game_copy *games;
	int64_t next;
};

/* One more, zeroed, valid until the next one is added. */
struct store_game_copy *store_game_list_add(struct store_game_list *list);

/* Leave those out that are beyond the limit, by one at most: it tells that there are more. */
void store_game_list_cut(struct store_game_list *list, size_t limit);

void store_game_list_give(const struct store_game_list *list, enum store_found found,
		store_games_fn *done, void *arg);
void store_game_list_fini(struct store_game_list *list);

/* Players. Zeroed is the empty list. */
struct store_player_list {
	size_t count;
	size_t size;
	struct store_player_copy *players;
};

struct store_player_copy *store_player_list_add(struct store_player_list *list);
void store_player_list_give(const struct store_player_list *list, enum store_found found,
		store_players_fn *done, void *arg);
void store_player_list_fini(struct store_player_list *list);

/* Copies the game's texts; adds no players and no lines. */
void store_game_copy_init(struct store_game_copy *copy, const struct store_game *game);

/* As it is shown to whoever asked; valid as long as the copy is. */
void store_game_copy_show(const struct store_game_copy *copy, struct store_finished *ret);

/* Show it to `done` as found. */
void store_game_copy_give(const struct store_game_copy *copy, store_game_fn *done, void *arg);

/* Frees what it owns, and leaves none. */
void store_game_copy_fini(struct store_game_copy *copy);

#endif
