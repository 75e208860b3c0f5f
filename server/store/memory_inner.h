/* What the files of the store in memory share: memory.c; memory_fit.c, which says whether a batch
 * can be carried out; and memory_ratings.c. */
#ifndef STORE_MEMORY_INNER_H
#define STORE_MEMORY_INNER_H

#include "server/ops/map.h"
#include "server/store/lines.h"
#include "server/store/memory.h"

#define MEMORY_ID_SIZE 24
#define MEMORY_TOKEN_SIZE (2 * STORE_HASH_BYTES + 1)

struct memory_room {
	char *id;
	enum store_room_state state;
	int64_t over_ms;	  /* when it got over */
	struct store_lines lines; /* line i is event i + 1; NULL: dropped */
};

struct memory_game {
	struct store_game_copy copy; /* as it was given: no lines, no players */
	int64_t ids[2];		     /* of X and O; 0: not known */
};

struct memory_player {
	struct store_player_copy copy;
	char id_text[MEMORY_ID_SIZE];
	char token_text[MEMORY_TOKEN_SIZE];
};

struct answer {
	struct answer *next;
	void (*give)(struct answer *answer);
	store_done_fn *committed;
	store_each_room_fn *each;
	store_room_fn *room_loaded;
	store_player_fn *player_loaded;
	store_game_fn *game_loaded;
	store_bans_fn *bans_loaded;
	void *arg;
	enum store_status status;
	enum store_found found;
	struct store_lines lines;
	struct store_room_list rooms;
	struct store_player_copy copy;
	struct store_game_copy game;
	struct store_ban_list bans;
};

struct store_memory {
	struct store store; /* first: it is what others hold */
	struct map rooms;   /* by id */
	struct map players_by_id;
	struct map players_by_key;
	struct map players_by_token;
	struct map games; /* by the room's id */
	struct store_ban_list bans;
	struct answer *first;
	struct answer **last;
	store_memory_notify_fn *notify;
	void *notify_arg;
};

/* The key of a player in `players_by_id`. */
void memory_id_write(int64_t id, char ret_text[MEMORY_ID_SIZE]);
void memory_token_write(
		const unsigned char hash[STORE_HASH_BYTES], char ret_text[MEMORY_TOKEN_SIZE]);

/* Is everything as the batch expects it? */
bool memory_fits(const struct store_memory *memory, const struct store_batch *batch);

/* Are the ratings, and the batch's changes of them. */
bool memory_ratings_fit(const struct store_memory *memory, const struct store_batch *batch);
void memory_ratings_change(struct store_memory *memory, const struct store_batch *batch);

#endif
