#include "server/store/memory_inner.h"

static struct memory_player *player_of(const struct store_memory *memory, int64_t id)
{
	char id_text[MEMORY_ID_SIZE];

	memory_id_write(id, id_text);
	return map_get(&memory->players_by_id, id_text);
}

bool memory_ratings_fit(const struct store_memory *memory, const struct store_batch *batch)
{
	for (size_t i = 0; i < batch->rating_count; i++) {
		const struct store_rating_change *change = &batch->ratings[i];
		const struct memory_player *player = player_of(memory, change->player);

		if (player == NULL ||
				player->copy.player.rating.games != change->rating.games - 1) {
			return false;
		}
	}
	return true;
}

void memory_ratings_change(struct store_memory *memory, const struct store_batch *batch)
{
	for (size_t i = 0; i < batch->rating_count; i++) {
		const struct store_rating_change *change = &batch->ratings[i];

		player_of(memory, change->player)->copy.player.rating = change->rating;
	}
}

bool store_memory_rating(const struct store *store, int64_t id, struct store_rating *ret_rating)
{
	const struct memory_player *player = player_of((const struct store_memory *)store, id);

	if (player == NULL) {
		return false;
	}
	*ret_rating = player->copy.player.rating;
	return true;
}
