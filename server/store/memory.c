#include "server/store/memory.h"

#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"
#include "server/store/memory_inner.h"

static struct store_memory *store_memory(struct store *store)
{
	return (struct store_memory *)store;
}

static struct answer *answer_add(
		struct store_memory *memory, void (*give)(struct answer *answer), void *arg)
{
	bool first = memory->first == NULL;
	struct answer *answer = memory_new(1, sizeof(*answer));

	answer->give = give;
	answer->arg = arg;
	*memory->last = answer;
	memory->last = &answer->next;
	if (first && memory->notify != NULL) {
		memory->notify(memory->notify_arg);
	}
	return answer;
}

/* Commit. */

static void room_change(struct store_memory *memory, const struct store_room_change *change)
{
	struct memory_room *room = map_get(&memory->rooms, change->room);

	if (room == NULL) {
		room = memory_new(1, sizeof(*room));
		room->id = memory_string(change->room);
		map_put(&memory->rooms, room->id, room);
	}
	if (change->state == STORE_ROOM_OVER && room->state != STORE_ROOM_OVER) {
		room->over_ms = change->at_ms;
	}
	room->state = change->state;
	for (size_t i = 0; i < change->count; i++) {
		store_lines_add(&room->lines, bytes_ref(change->lines[i]));
	}
}

static void player_forget(struct store_memory *memory, struct memory_player *known)
{
	map_remove(&memory->players_by_id, known->id_text);
	map_remove(&memory->players_by_key, known->copy.player.key);
	map_remove(&memory->players_by_token, known->token_text);
	store_player_copy_fini(&known->copy);
	free(known);
}

static void player_change(struct store_memory *memory, const struct store_player *player)
{
	struct memory_player *changed = memory_new(1, sizeof(*changed));
	struct memory_player *known;

	store_player_copy_init(&changed->copy, player);
	memory_id_write(player->id, changed->id_text);
	memory_token_write(player->token_hash, changed->token_text);
	known = map_get(&memory->players_by_id, changed->id_text);
	changed->copy.player.rating = (struct store_rating){0};
	if (known != NULL) {
		if (known->copy.player.guest_ms == 0) {
			changed->copy.player.guest_ms = 0;
		}
		changed->copy.player.rating = known->copy.player.rating;
		player_forget(memory, known);
	}
	map_put(&memory->players_by_id, changed->id_text, changed);
	map_put(&memory->players_by_key, changed->copy.key, changed);
	map_put(&memory->players_by_token, changed->token_text, changed);
}

static int64_t id_of(const struct store_memory *memory, const char *key)
{
	const struct memory_player *player = map_get(&memory->players_by_key, key);

	return player == NULL ? 0 : player->copy.player.id;
}

/* Who has finished a game is remembered. */
static void guest_stays(struct store_memory *memory, const char *key)
{
	struct memory_player *player = map_get(&memory->players_by_key, key);

	if (player != NULL) {
		player->copy.player.guest_ms = 0;
	}
}

static void guests_drop(struct store_memory *memory, const struct store_guests *guests)
{
	struct memory_player *player;
	size_t cursor = 0;

	while ((player = map_next(&memory->players_by_id, &cursor)) != NULL) {
		const struct store_player *known = &player->copy.player;

		if (known->guest_ms > 0 && known->guest_ms < guests->before_ms &&
				!store_guests_keep(guests, known->key)) {
			player_forget(memory, player);
		}
	}
}

static void game_add(struct store_memory *memory, const struct store_game *game)
{
	struct memory_game *added = memory_new(1, sizeof(*added));

	store_game_copy_init(&added->copy, game);
	added->ids[0] = game->is_rated ? game->rated_ids[0] : id_of(memory, game->x_key);
	added->ids[1] = game->is_rated ? game->rated_ids[1] : id_of(memory, game->o_key);
	map_put(&memory->games, added->copy.game.room, added);
	guest_stays(memory, game->x_key);
	guest_stays(memory, game->o_key);
}

static void committed_give(struct answer *answer)
{
	answer->committed(answer->arg, answer->status);
}

static void memory_commit(struct store *store, const struct store_batch *batch, store_done_fn *done,
		void *arg)
{
	struct store_memory *memory = store_memory(store);
	bool fits = memory_fits(memory, batch);
	struct answer *answer;

	if (fits && batch->guests != NULL) {
		guests_drop(memory, batch->guests);
	}
	for (size_t i = 0; fits && i < batch->player_count; i++) {
		player_change(memory, &batch->players[i].player);
	}
	if (fits) {
		memory_ratings_change(memory, batch);
	}
	for (size_t i = 0; fits && i < batch->room_count; i++) {
		room_change(memory, &batch->rooms[i]);
	}
	for (size_t i = 0; fits && i < batch->game_count; i++) {
		game_add(memory, &batch->games[i]);
	}
	for (size_t i = 0; fits && i < batch->ban_count; i++) {
		store_ban_list_change(&memory->bans, &batch->bans[i]);
	}
	answer = answer_add(memory, committed_give, arg);
	answer->committed = done;
	answer->status = fits ? STORE_STORED : STORE_CONFLICT;
}

/* Load. */

static void room_give(struct answer *answer)
{
	answer->room_loaded(answer->arg, answer->found, answer->lines.count, answer->lines.line);
	store_lines_fini(&answer->lines);
}

static void memory_load_room(struct store *store, const char *room, int64_t after_seq,
		store_room_fn *done, void *arg)
{
	struct store_memory *memory = store_memory(store);
	const struct memory_room *known = map_get(&memory->rooms, room);
	struct answer *answer = answer_add(memory, room_give, arg);

	answer->room_loaded = done;
	answer->found = known == NULL ? STORE_ABSENT : STORE_FOUND;
	for (int64_t i = after_seq; known != NULL && i < (int64_t)known->lines.count; i++) {
		struct bytes *line = known->lines.line[i];

		if (line == NULL) {
			answer->found = STORE_DROPPED;
		} else {
			store_lines_add(&answer->lines, bytes_ref(line));
		}
	}
}

static void game_give(struct answer *answer)
{
	if (answer->found == STORE_FOUND) {
		store_game_copy_give(&answer->game, answer->game_loaded, answer->arg);
	} else {
		answer->game_loaded(answer->arg, answer->found, NULL);
	}
	store_game_copy_fini(&answer->game);
}

static void game_load(const struct store_memory *memory, const struct memory_game *known,
		struct store_game_copy *ret)
{
	const struct memory_room *room = map_get(&memory->rooms, known->copy.game.room);
	size_t ended = (size_t)known->copy.game.ended_seq;

	store_game_copy_init(ret, &known->copy.game);
	for (int i = 0; i < 2; i++) {
		char id_text[MEMORY_ID_SIZE];
		const struct memory_player *player;

		memory_id_write(known->ids[i], id_text);
		player = map_get(&memory->players_by_id, id_text);
		if (player == NULL) {
			continue;
		}
		ret->has_player[i] = true;
		store_player_copy_init(&ret->players[i], &player->copy.player);
		*(i == 0 ? &ret->game.x_key : &ret->game.o_key) = NULL;
	}
	for (size_t i = 0; room != NULL && i < room->lines.count; i++) {
		if (i == 0 || i + 1 >= ended) {
			store_lines_add(&ret->lines, bytes_ref(room->lines.line[i]));
		}
	}
}

static void memory_load_game(struct store *store, const char *room, store_game_fn *done, void *arg)
{
	struct store_memory *memory = store_memory(store);
	const struct memory_game *known = map_get(&memory->games, room);
	struct answer *answer = answer_add(memory, game_give, arg);

	answer->game_loaded = done;
	answer->found = known == NULL ? STORE_ABSENT : STORE_FOUND;
	if (known != NULL) {
		game_load(memory, known, &answer->game);
	}
}

static void unfinished_give(struct answer *answer)
{
	store_room_list_give(&answer->rooms, answer->each, answer->arg);
	answer->room_loaded(answer->arg, STORE_FOUND, 0, NULL);
	store_room_list_fini(&answer->rooms);
}

static void memory_load_unfinished(
		struct store *store, store_each_room_fn *each, store_room_fn *done, void *arg)
{
	struct store_memory *memory = store_memory(store);
	struct answer *answer = answer_add(memory, unfinished_give, arg);
	const struct memory_room *room;
	size_t cursor = 0;

	answer->each = each;
	answer->room_loaded = done;
	while ((room = map_next(&memory->rooms, &cursor)) != NULL) {
		struct store_lines *lines;

		if (room->state == STORE_ROOM_OVER) {
			continue;
		}
		lines = store_room_list_add(&answer->rooms, room->id);
		for (size_t i = 0; i < room->lines.count; i++) {
			store_lines_add(lines, bytes_ref(room->lines.line[i]));
		}
	}
}

static void player_give(struct answer *answer)
{
	bool found = answer->found == STORE_FOUND;

	answer->player_loaded(answer->arg, answer->found, found ? &answer->copy.player : NULL);
	store_player_copy_fini(&answer->copy);
}

static void player_answer(struct store_memory *memory, const struct memory_player *known,
		store_player_fn *done, void *arg)
{
	struct answer *answer = answer_add(memory, player_give, arg);

	answer->player_loaded = done;
	answer->found = known == NULL ? STORE_ABSENT : STORE_FOUND;
	if (known != NULL) {
		store_player_copy_init(&answer->copy, &known->copy.player);
	}
}

static void memory_load_player_by_key(
		struct store *store, const char *key, store_player_fn *done, void *arg)
{
	struct store_memory *memory = store_memory(store);

	player_answer(memory, map_get(&memory->players_by_key, key), done, arg);
}

static void memory_load_player_by_token(struct store *store,
		const unsigned char token_hash[STORE_HASH_BYTES], store_player_fn *done, void *arg)
{
	struct store_memory *memory = store_memory(store);
	char token_text[MEMORY_TOKEN_SIZE];

	memory_token_write(token_hash, token_text);
	player_answer(memory, map_get(&memory->players_by_token, token_text), done, arg);
}

static void bans_give(struct answer *answer)
{
	answer->bans_loaded(answer->arg, STORE_FOUND, answer->bans.count, answer->bans.bans);
	store_ban_list_fini(&answer->bans);
}

static void memory_load_bans(struct store *store, store_bans_fn *done, void *arg)
{
	struct store_memory *memory = store_memory(store);
	struct answer *answer = answer_add(memory, bans_give, arg);

	answer->bans_loaded = done;
	for (size_t i = 0; i < memory->bans.count; i++) {
		store_ban_list_add(&answer->bans, &memory->bans.bans[i]);
	}
}

/* Dropping. */

static void room_free(struct memory_room *room)
{
	store_lines_fini(&room->lines);
	free(room->id);
	free(room);
}

static void room_drop(struct store_memory *memory, struct memory_room *room)
{
	const struct memory_game *game = map_get(&memory->games, room->id);

	if (game == NULL) {
		map_remove(&memory->rooms, room->id);
		room_free(room);
		return;
	}
	for (int64_t i = 1; i < game->copy.game.ended_seq - 1; i++) {
		bytes_unref(room->lines.line[i]);
		room->lines.line[i] = NULL;
	}
}

static void memory_drop_events(struct store *store, int64_t before_ms)
{
	struct store_memory *memory = store_memory(store);
	struct memory_room *room;
	size_t cursor = 0;

	while ((room = map_next(&memory->rooms, &cursor)) != NULL) {
		if (room->state == STORE_ROOM_OVER && room->over_ms < before_ms) {
			room_drop(memory, room);
		}
	}
}

/* Life. */

static void rooms_free(struct store_memory *memory)
{
	struct memory_room *room;
	size_t cursor = 0;

	while ((room = map_next(&memory->rooms, &cursor)) != NULL) {
		room_free(room);
	}
	map_fini(&memory->rooms);
}

static void players_free(struct store_memory *memory)
{
	struct memory_player *player;
	size_t cursor = 0;

	while ((player = map_next(&memory->players_by_id, &cursor)) != NULL) {
		player_forget(memory, player);
	}
	map_fini(&memory->players_by_id);
	map_fini(&memory->players_by_key);
	map_fini(&memory->players_by_token);
}

static void games_free(struct store_memory *memory)
{
	struct memory_game *game;
	size_t cursor = 0;

	while ((game = map_next(&memory->games, &cursor)) != NULL) {
		store_game_copy_fini(&game->copy);
		free(game);
	}
	map_fini(&memory->games);
}

static void memory_free(struct store *store)
{
	struct store_memory *memory = store_memory(store);

	memory->notify = NULL;
	while (store_memory_deliver(store) > 0) {
	}
	rooms_free(memory);
	players_free(memory);
	games_free(memory);
	store_ban_list_fini(&memory->bans);
	free(memory);
}

static const struct store_ops memory_ops = {
		.commit = memory_commit,
		.load_room = memory_load_room,
		.load_game = memory_load_game,
		.load_unfinished = memory_load_unfinished,
		.load_player_by_key = memory_load_player_by_key,
		.load_player_by_token = memory_load_player_by_token,
		.load_bans = memory_load_bans,
		.drop_events = memory_drop_events,
		.free = memory_free,
};

struct store *store_memory_new(store_memory_notify_fn *notify, void *arg)
{
	struct store_memory *memory = memory_new(1, sizeof(*memory));

	memory->store.ops = &memory_ops;
	map_init(&memory->rooms);
	map_init(&memory->players_by_id);
	map_init(&memory->players_by_key);
	map_init(&memory->players_by_token);
	map_init(&memory->games);
	memory->last = &memory->first;
	memory->notify = notify;
	memory->notify_arg = arg;
	return &memory->store;
}

size_t store_memory_deliver(struct store *store)
{
	struct store_memory *memory = store_memory(store);
	struct answer *answer = memory->first;
	size_t count = 0;

	memory->first = NULL;
	memory->last = &memory->first;
	while (answer != NULL) {
		struct answer *next = answer->next;

		answer->give(answer);
		free(answer);
		answer = next;
		count++;
	}
	return count;
}

struct bytes *const *store_memory_lines(
		const struct store *store, const char *room, size_t *ret_count)
{
	const struct store_memory *memory = (const struct store_memory *)store;
	const struct memory_room *known = map_get(&memory->rooms, room);

	*ret_count = known == NULL ? 0 : known->lines.count;
	return known == NULL ? NULL : known->lines.line;
}
