/* What the files of the store in memory share: memory.c, and memory_fit.c, which says whether a
 * batch can be carried out. */
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

void memory_id_write(int64_t id, char ret_text[MEMORY_ID_SIZE]);
void memory_token_write(
		const unsigned char hash[STORE_HASH_BYTES], char ret_text[MEMORY_TOKEN_SIZE]);

/* Is everything as the batch expects it? */
bool memory_fits(const struct store_memory *memory, const struct store_batch *batch);

#endif
