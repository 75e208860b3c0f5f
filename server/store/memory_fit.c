#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/store/memory_inner.h"

void memory_id_write(int64_t id, char ret_text[MEMORY_ID_SIZE])
{
	snprintf(ret_text, MEMORY_ID_SIZE, "%" PRId64, id);
}

void memory_token_write(
		const unsigned char hash[STORE_HASH_BYTES], char ret_text[MEMORY_TOKEN_SIZE])
{
	for (size_t i = 0; i < STORE_HASH_BYTES; i++) {
		snprintf(ret_text + 2 * i, 3, "%02x", hash[i]);
	}
}

static bool room_fits(const struct store_memory *memory, const struct store_room_change *change)
{
	const struct memory_room *room = map_get(&memory->rooms, change->room);

	if (room == NULL) {
		return change->after_seq == 0;
	}
	return change->after_seq > 0 && (int64_t)room->lines.count == change->after_seq;
}

static bool player_fits(const struct store_memory *memory, const struct store_player *player)
{
	char id_text[MEMORY_ID_SIZE];
	char token_text[MEMORY_TOKEN_SIZE];
	const struct memory_player *known;
	const struct memory_player *key_holder = map_get(&memory->players_by_key, player->key);
	const struct memory_player *token_holder;

	memory_id_write(player->id, id_text);
	memory_token_write(player->token_hash, token_text);
	known = map_get(&memory->players_by_id, id_text);
	token_holder = map_get(&memory->players_by_token, token_text);
	if ((known == NULL ? 0 : known->copy.player.version) != player->version - 1) {
		return false;
	}
	return (key_holder == NULL || key_holder == known) &&
	       (token_holder == NULL || token_holder == known);
}

static bool players_differ(const struct store_player *one, const struct store_player *other)
{
	assert(one->id != other->id);
	return strcmp(one->key, other->key) != 0 &&
	       memcmp(one->token_hash, other->token_hash, STORE_HASH_BYTES) != 0;
}

static bool players_fit(const struct store_memory *memory, const struct store_batch *batch)
{
	for (size_t i = 0; i < batch->player_count; i++) {
		const struct store_player *player = &batch->players[i].player;

		if (!player_fits(memory, player)) {
			return false;
		}
		for (size_t j = 0; j < i; j++) {
			if (!players_differ(player, &batch->players[j].player)) {
				return false;
			}
		}
	}
	return true;
}

static bool rooms_fit(const struct store_memory *memory, const struct store_batch *batch)
{
	for (size_t i = 0; i < batch->room_count; i++) {
		if (!room_fits(memory, &batch->rooms[i])) {
			return false;
		}
		for (size_t j = 0; j < i; j++) {
			assert(strcmp(batch->rooms[i].room, batch->rooms[j].room) != 0);
		}
	}
	return true;
}

static bool games_fit(const struct store_memory *memory, const struct store_batch *batch)
{
	for (size_t i = 0; i < batch->game_count; i++) {
		if (map_get(&memory->games, batch->games[i].room) != NULL) {
			return false;
		}
	}
	return true;
}

bool memory_fits(const struct store_memory *memory, const struct store_batch *batch)
{
	return players_fit(memory, batch) && memory_ratings_fit(memory, batch) &&
	       rooms_fit(memory, batch) && games_fit(memory, batch);
}
