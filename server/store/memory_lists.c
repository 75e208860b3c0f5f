#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"
#include "server/store/memory_inner.h"

/* Whose games: the text of a player's id, or the key of whom the store does not know, which begins
 * with a letter. */
struct memory_owner {
	char *text;
	struct memory_games games;
};

static void games_add(struct memory_games *games, struct memory_game *game)
{
	if (games->count == games->size) {
		games->size = games->size == 0 ? 8 : 2 * games->size;
		games->games = memory_resize(
				games->games, games->size, sizeof(struct memory_game *));
	}
	games->games[games->count] = game;
	games->count++;
}

static void owner_add(struct store_memory *memory, const char *text, struct memory_game *game)
{
	struct memory_owner *owner = map_get(&memory->games_by_owner, text);

	if (owner == NULL) {
		owner = memory_new(1, sizeof(*owner));
		owner->text = memory_string(text);
		map_put(&memory->games_by_owner, owner->text, owner);
	}
	games_add(&owner->games, game);
}

void memory_games_note(struct store_memory *memory, struct memory_game *game)
{
	const char *keys[2] = {game->copy.game.x_key, game->copy.game.o_key};

	game->copy.place = (int64_t)memory->games.count;
	if (game->copy.game.is_private) {
		return;
	}
	games_add(&memory->public_games, game);
	for (int i = 0; i < 2; i++) {
		char id_text[MEMORY_ID_SIZE];

		memory_id_write(game->ids[i], id_text);
		owner_add(memory, game->ids[i] == 0 ? keys[i] : id_text, game);
	}
}

void memory_games_fini(struct store_memory *memory)
{
	struct memory_owner *owner;
	size_t cursor = 0;

	while ((owner = map_next(&memory->games_by_owner, &cursor)) != NULL) {
		free(owner->games.games);
		free(owner->text);
		free(owner);
	}
	map_fini(&memory->games_by_owner);
	free(memory->public_games.games);
}

static const struct memory_games *asked_for(
		const struct store_memory *memory, const struct store_games_query *query)
{
	static const struct memory_games none;
	char id_text[MEMORY_ID_SIZE];
	const struct memory_owner *owner;

	if (query->key == NULL && query->player == 0) {
		return &memory->public_games;
	}
	memory_id_write(query->player, id_text);
	owner = map_get(&memory->games_by_owner, query->key != NULL ? query->key : id_text);
	return owner == NULL ? &none : &owner->games;
}

/* How many of them come before this place. */
static size_t count_before(const struct memory_games *games, int64_t place)
{
	size_t low = 0;
	size_t high = games->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (games->games[middle]->copy.place < place) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static void games_give(struct answer *answer)
{
	store_game_list_give(&answer->games, answer->found, answer->games_loaded, answer->arg);
	store_game_list_fini(&answer->games);
}

void memory_load_games(struct store *store, const struct store_games_query *query,
		store_games_fn *done, void *arg)
{
	struct store_memory *memory = (struct store_memory *)store;
	const struct memory_games *games = asked_for(memory, query);
	struct answer *answer = memory_answer_add(memory, games_give, arg);
	size_t left = query->after == 0 ? games->count : count_before(games, query->after);

	assert(query->limit > 0 && query->limit <= STORE_GAMES_MAX);
	answer->games_loaded = done;
	answer->found = STORE_FOUND;
	while (left > 0 && answer->games.count <= query->limit) {
		left--;
		memory_game_load(memory, games->games[left], store_game_list_add(&answer->games));
	}
	store_game_list_cut(&answer->games, query->limit);
}

/* Who stands before whom. */
static bool is_higher(const struct store_player *one, const struct store_player *other)
{
	return one->rating.milli > other->rating.milli;
}

static bool is_ranked(const struct store_player *player, int64_t day)
{
	return player->rating.games > 0 && player->rating.settled_day >= day &&
	       strncmp(player->key, "gone-", 5) != 0;
}

static void players_give(struct answer *answer)
{
	store_player_list_give(
			&answer->players, answer->found, answer->players_loaded, answer->arg);
	store_player_list_fini(&answer->players);
}

void memory_load_top(
		struct store *store, int64_t day, size_t limit, store_players_fn *done, void *arg)
{
	struct store_memory *memory = (struct store_memory *)store;
	struct answer *answer = memory_answer_add(memory, players_give, arg);
	const struct store_player *top[STORE_TOP_MAX];
	const struct memory_player *player;
	size_t cursor = 0;
	size_t count = 0;

	assert(limit > 0 && limit <= STORE_TOP_MAX);
	answer->players_loaded = done;
	answer->found = STORE_FOUND;
	while ((player = map_next(&memory->players_by_id, &cursor)) != NULL) {
		const struct store_player *known = &player->copy.player;
		size_t at = count;

		while (at > 0 && is_higher(known, top[at - 1])) {
			at--;
		}
		if (at == limit || !is_ranked(known, day)) {
			continue;
		}
		count += count < limit ? 1 : 0;
		for (size_t place = count - 1; place > at; place--) {
			top[place] = top[place - 1];
		}
		top[at] = known;
	}
	for (size_t i = 0; i < count; i++) {
		store_player_copy_init(store_player_list_add(&answer->players), top[i]);
	}
}
