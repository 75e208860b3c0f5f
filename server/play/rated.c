#include "server/play/rated.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

struct rating_shown rated_shown(const struct play *play, const char *name)
{
	const struct player *player = room_has_rating(name) ? rooms_player(play, name) : NULL;

	if (player != NULL) {
		return (struct rating_shown){.set = true, .milli = rated_milli(&player->rating)};
	}
	return rooms_of(play, name)->rating;
}

/* He is in memory for as long as this takes: his rooms know his rating from then on. */
static void on_learnt(void *arg, enum store_found found, const struct store_player *stored)
{
	struct play *play = arg;

	play->lookups--;
	play->under_way--;
	if (found == STORE_FOUND) {
		player_unref(players_load(play, stored));
	}
}

void rated_learn(struct play *play)
{
	struct store *store = play->config.store;
	const struct role_list *roles;
	size_t cursor = 0;

	while ((roles = map_next(&play->roles, &cursor)) != NULL) {
		if (room_has_rating(roles->name) && !roles->rating.set) {
			char key[NAME_KEY_SIZE];
			name_key(roles->name, key);
			play->lookups++;
			play->under_way++;
			store->ops->load_player_by_key(store, key, on_learnt, play);
		}
	}
}

/* A command's part in it. */

static struct rated *rated_of(struct command *command)
{
	if (command->rated == NULL) {
		command->rated = memory_new(1, sizeof(*command->rated));
		command->rated->command = command;
	}
	return command->rated;
}

/* The event that ends a game which counts, or NULL. Whose name was taken from him plays on, and
 * counts for nobody. */
static struct event *rated_end(struct part *part)
{
	const struct room *room = &part->hosted->room;

	if (!room->is_rated || room->status != STATUS_PLAYING || room_is_gone(room->players[0]) ||
			room_is_gone(room->players[1])) {
		return NULL;
	}
	for (size_t i = 0; i < part->count; i++) {
		struct event *event = &part->events[i];
		if (event->type == EVENT_ENDED) {
			return event->ended.result.scored ? event : NULL;
		}
	}
	return NULL;
}

/* Reading who is not in memory. */

static void take_loaded(struct rated *rated, const struct store_player *stored)
{
	struct player *player = players_load(rated->command->play, stored);
	int seat = rated->loading;

	/* Another may have his name since: then this game is nobody's any more. */
	if (player == NULL || player->id != stored->id) {
		rated->is_absent = true;
		player_unref(player);
		return;
	}
	if (stored->rating.games >= player->rating.games) {
		player->rating = stored->rating;
	}
	player->distrusts_rating = false;
	player_unref(rated->players[seat]);
	rated->players[seat] = player;
}

static void on_loaded(void *arg, enum store_found found, const struct store_player *stored)
{
	struct rated *rated = arg;
	struct play *play = rated->command->play;

	play->lookups--;
	if (found == STORE_NOT_READABLE) {
		rated->is_not_readable = true;
	} else if (found == STORE_ABSENT) {
		rated->is_absent = true;
	} else {
		take_loaded(rated, stored);
	}
	queue_ready(rated->command);
	queue_work(play);
}

/* Is the player of that seat there? Else he is being read. */
static bool has_player(struct rated *rated, const struct part *part, int seat)
{
	struct play *play = rated->command->play;
	struct store *store = play->config.store;
	char key[NAME_KEY_SIZE];
	struct player *player;

	name_key(part->hosted->room.players[seat], key);
	player = players_by_key(play, key);
	if (player != NULL && !player->distrusts_rating) {
		player_ref(player);
		player_unref(rated->players[seat]);
		rated->players[seat] = player;
		return true;
	}
	rated->loading = seat;
	play->lookups++;
	store->ops->load_player_by_key(store, key, on_loaded, rated);
	return false;
}

/* Having them for oneself. */

static bool is_free(struct rated *rated, struct player *player)
{
	if (player->rated_by == NULL || player->rated_by == rated) {
		return true;
	}
	TAILQ_INSERT_TAIL(&player->rated_by->waiting, rated, waits);
	return false;
}

static void hold(struct rated *rated)
{
	if (!rated->holds) {
		TAILQ_INIT(&rated->waiting);
		rated->holds = true;
	}
	for (int i = 0; i < 2; i++) {
		rated->players[i]->rated_by = rated;
	}
}

static void fill_in(struct rated *rated, struct event *event)
{
	struct ratings_changed *changed = &event->ended.ratings;
	const struct result *result = &event->ended.result;
	const struct store_rating before[2] = {
			rated->players[0]->rating, rated->players[1]->rating};

	rated->ahead = (int)result->half_points_x - (int)result->half_points_o;
	rated_game(before, rated->ahead, event->at_ms, rated->after);
	rated->is_decided = true;
	changed->set = true;
	for (int i = 0; i < 2; i++) {
		changed->before_milli[i] = rated_milli(&before[i]);
		changed->after_milli[i] = rated->after[i].milli;
	}
}

enum rated_outcome rated_decide(struct command *command, struct part *part)
{
	struct event *event = rated_end(part);

	if (event == NULL) {
		return RATED_DONE;
	}
	struct rated *rated = rated_of(command);
	rated->is_decided = false;
	if (rated->is_not_readable) {
		return RATED_FAILED;
	}
	for (int i = 0; i < 2 && !rated->is_absent; i++) {
		if (!has_player(rated, part, i)) {
			return RATED_WAITS;
		}
	}
	if (rated->is_absent || rated->players[0] == rated->players[1]) {
		return RATED_DONE;
	}
	if (!is_free(rated, rated->players[0]) || !is_free(rated, rated->players[1])) {
		return RATED_WAITS;
	}
	hold(rated);
	fill_in(rated, event);
	return RATED_DONE;
}

void rated_apply(const struct command *command)
{
	const struct rated *rated = command->rated;

	if (rated == NULL || !rated->is_decided) {
		return;
	}
	for (int i = 0; i < 2; i++) {
		rated->players[i]->rating = rated->after[i];
	}
}

void rated_distrust(const struct command *command)
{
	const struct rated *rated = command->rated;

	if (rated == NULL) {
		return;
	}
	for (int i = 0; i < 2; i++) {
		if (rated->players[i] != NULL) {
			rated->players[i]->distrusts_rating = true;
		}
	}
}

void rated_release(struct command *command)
{
	struct rated *rated = command->rated;
	struct rated *next;

	if (rated == NULL) {
		return;
	}
	command->rated = NULL;
	for (int i = 0; i < 2; i++) {
		struct player *player = rated->players[i];
		if (player != NULL && player->rated_by == rated) {
			player->rated_by = NULL;
		}
		player_unref(player);
	}
	while (rated->holds && (next = TAILQ_FIRST(&rated->waiting)) != NULL) {
		TAILQ_REMOVE(&rated->waiting, next, waits);
		queue_ready(next->command);
	}
	free(rated);
}
