#include "server/store/lines.h"

#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

#define FIRST_SIZE 8

void store_lines_add(struct store_lines *lines, struct bytes *line)
{
	if (lines->count == lines->size) {
		lines->size = lines->size == 0 ? FIRST_SIZE : 2 * lines->size;
		lines->line = memory_resize(lines->line, lines->size, sizeof(struct bytes *));
	}
	lines->line[lines->count++] = line;
}

void store_lines_fini(struct store_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		bytes_unref(lines->line[i]);
	}
	free(lines->line);
	*lines = (struct store_lines){0};
}

struct store_lines *store_room_list_add(struct store_room_list *list, const char *room)
{
	struct store_room_lines *added;

	if (list->count == list->size) {
		list->size = list->size == 0 ? FIRST_SIZE : 2 * list->size;
		list->rooms = memory_resize(list->rooms, list->size, sizeof(*list->rooms));
	}
	added = &list->rooms[list->count++];
	*added = (struct store_room_lines){.room = memory_string(room)};
	return &added->lines;
}

void store_room_list_give(const struct store_room_list *list, store_each_room_fn *each, void *arg)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct store_room_lines *room = &list->rooms[i];

		each(arg, room->room, room->lines.count, room->lines.line);
	}
}

void store_room_list_fini(struct store_room_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->rooms[i].room);
		store_lines_fini(&list->rooms[i].lines);
	}
	free(list->rooms);
	*list = (struct store_room_list){0};
}

void store_player_copy_init(struct store_player_copy *copy, const struct store_player *player)
{
	copy->key = memory_string(player->key);
	copy->player = *player;
	copy->player.key = copy->key;
	bytes_ref(player->record);
}

void store_player_copy_fini(struct store_player_copy *copy)
{
	free(copy->key);
	bytes_unref(copy->player.record);
	*copy = (struct store_player_copy){0};
}

char *store_text_copy(const char *text)
{
	return text == NULL ? NULL : memory_string(text);
}

/* Where a game's texts stand. */
static void game_texts(struct store_game *game, const char **ret_texts[STORE_GAME_TEXTS])
{
	ret_texts[0] = &game->room;
	ret_texts[1] = &game->x_key;
	ret_texts[2] = &game->o_key;
	ret_texts[3] = &game->result;
	ret_texts[4] = &game->record;
}

void store_game_copy_init(struct store_game_copy *copy, const struct store_game *game)
{
	const char **texts[STORE_GAME_TEXTS];

	*copy = (struct store_game_copy){.game = *game};
	game_texts(&copy->game, texts);
	for (size_t i = 0; i < STORE_GAME_TEXTS; i++) {
		copy->texts[i] = store_text_copy(*texts[i]);
		*texts[i] = copy->texts[i];
	}
}

void store_game_copy_show(const struct store_game_copy *copy, struct store_finished *ret)
{
	*ret = (struct store_finished){.place = copy->place,
			.game = copy->game,
			.count = copy->lines.count,
			.lines = copy->lines.line};
	for (int i = 0; i < 2; i++) {
		ret->players[i] = copy->has_player[i] ? &copy->players[i].player : NULL;
	}
}

void store_game_copy_give(const struct store_game_copy *copy, store_game_fn *done, void *arg)
{
	struct store_finished finished;

	store_game_copy_show(copy, &finished);
	done(arg, STORE_FOUND, &finished);
}

void store_game_copy_fini(struct store_game_copy *copy)
{
	for (size_t i = 0; i < STORE_GAME_TEXTS; i++) {
		free(copy->texts[i]);
	}
	for (int i = 0; i < 2; i++) {
		store_player_copy_fini(&copy->players[i]);
	}
	store_lines_fini(&copy->lines);
	*copy = (struct store_game_copy){0};
}

/* Place for one more element of a list; returns it, zeroed. */
static void *list_grow(void **elements, size_t *count, size_t *size, size_t element)
{
	char *added;

	if (*count == *size) {
		*size = *size == 0 ? 8 : *size * 2;
		*elements = memory_resize(*elements, *size, element);
	}
	added = (char *)*elements + *count * element;
	memset(added, 0, element);
	(*count)++;
	return added;
}

struct store_game_copy *store_game_list_add(struct store_game_list *list)
{
	void *games = list->games;
	struct store_game_copy *added =
			list_grow(&games, &list->count, &list->size, sizeof(*list->games));

	list->games = games;
	return added;
}

void store_game_list_cut(struct store_game_list *list, size_t limit)
{
	if (list->count <= limit) {
		return;
	}
	list->count = limit;
	store_game_copy_fini(&list->games[limit]);
	list->next = list->games[limit - 1].place;
}

void store_game_list_give(const struct store_game_list *list, enum store_found found,
		store_games_fn *done, void *arg)
{
	struct store_finished *games = memory_new(list->count + 1, sizeof(*games));

	for (size_t i = 0; i < list->count; i++) {
		store_game_copy_show(&list->games[i], &games[i]);
	}
	done(arg, found, list->count, games, list->next);
	free(games);
}

void store_game_list_fini(struct store_game_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		store_game_copy_fini(&list->games[i]);
	}
	free(list->games);
	*list = (struct store_game_list){0};
}

struct store_player_copy *store_player_list_add(struct store_player_list *list)
{
	void *players = list->players;
	struct store_player_copy *added =
			list_grow(&players, &list->count, &list->size, sizeof(*list->players));

	list->players = players;
	return added;
}

void store_player_list_give(const struct store_player_list *list, enum store_found found,
		store_players_fn *done, void *arg)
{
	const struct store_player **players =
			memory_new(list->count + 1, sizeof(struct store_player *));

	for (size_t i = 0; i < list->count; i++) {
		players[i] = &list->players[i].player;
	}
	done(arg, found, list->count, players);
	free(players);
}

void store_player_list_fini(struct store_player_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		store_player_copy_fini(&list->players[i]);
	}
	free(list->players);
	*list = (struct store_player_list){0};
}

static int key_compare(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

bool store_guests_keep(const struct store_guests *guests, const char *key)
{
	return guests->keep_count > 0 && bsearch(&key, guests->keep_keys, guests->keep_count,
							 sizeof(key), key_compare) != NULL;
}

/* Bans. */

static void lift(struct store_ban_list *list, const char *whom)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->bans[i].whom, whom) == 0) {
			free(list->texts[i]);
		} else {
			list->bans[kept] = list->bans[i];
			list->texts[kept] = list->texts[i];
			kept++;
		}
	}
	list->count = kept;
}

void store_ban_list_add(struct store_ban_list *list, const struct store_ban *ban)
{
	const size_t whom_size = strlen(ban->whom) + 1;
	const size_t why_size = strlen(ban->why) + 1;
	char *text = memory_new(whom_size + why_size, 1);

	if (list->count == list->size) {
		list->size = list->size == 0 ? FIRST_SIZE : 2 * list->size;
		list->bans = memory_resize(list->bans, list->size, sizeof(*list->bans));
		list->texts = memory_resize(list->texts, list->size, sizeof(*list->texts));
	}
	memcpy(text, ban->whom, whom_size);
	memcpy(text + whom_size, ban->why, why_size);
	list->bans[list->count] = *ban;
	list->bans[list->count].whom = text;
	list->bans[list->count].why = text + whom_size;
	list->texts[list->count] = text;
	list->count++;
}

void store_ban_list_change(struct store_ban_list *list, const struct store_ban_change *change)
{
	lift(list, change->ban.whom);
	if (!change->lifts) {
		store_ban_list_add(list, &change->ban);
	}
}

void store_ban_list_fini(struct store_ban_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->texts[i]);
	}
	free(list->bans);
	free(list->texts);
	*list = (struct store_ban_list){0};
}
