#include "server/play/guests.h"

#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"
#include "server/play/name.h"
#include "server/play/players.h"
#include "server/play/rooms.h"

#define FORGET_EVERY_MS 60000
/* Until it is tried again when somebody was being looked for. */
#define AGAIN_MS 1000

static const char prefix[] = "guest-";

static bool is_guest(const char *name)
{
	return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

/* The keys to be kept. A guest's name is made of small letters: it is his key. */
static void add_key(struct guest_drop *drop, const char *key)
{
	if (drop->guests.keep_count == drop->size) {
		drop->size = drop->size == 0 ? 64 : 2 * drop->size;
		drop->keys = memory_resize(drop->keys, drop->size, sizeof(*drop->keys));
	}
	drop->keys[drop->guests.keep_count] = memory_string(key);
	drop->guests.keep_count++;
	drop->guests.keep_keys = (const char *const *)drop->keys;
}

static int compare(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

static void collect_keys(struct play *play, struct guest_drop *drop)
{
	const struct role_list *roles;
	const struct player *player;
	size_t cursor = 0;

	while ((player = map_next(&play->players_by_key, &cursor)) != NULL) {
		if (player->record.guest) {
			add_key(drop, player->key);
		}
	}
	cursor = 0;
	while ((roles = map_next(&play->roles, &cursor)) != NULL) {
		if (is_guest(roles->name)) {
			add_key(drop, roles->name);
		}
	}
	if (drop->guests.keep_count > 0) {
		qsort(drop->keys, drop->guests.keep_count, sizeof(*drop->keys), compare);
	}
}

static void drop_fini(struct guest_drop *drop)
{
	for (size_t i = 0; i < drop->guests.keep_count; i++) {
		free(drop->keys[i]);
	}
	free(drop->keys);
	drop->keys = NULL;
	drop->size = 0;
	drop->guests = (struct store_guests){0};
}

static void on_dropped(void *arg, enum store_status status)
{
	struct play *play = arg;

	/* If it failed, the next time will do. */
	(void)status;
	play->under_way--;
	drop_fini(&play->guest_drop);
	play_set_timer(play, &play->guest_drop.timer, play_now(play) + FORGET_EVERY_MS);
}

static void forget_due(void *owner)
{
	struct play *play = owner;
	struct guest_drop *drop = &play->guest_drop;
	struct store *store = play->config.store;

	if (play->config.keep_guests_ms == 0) {
		play_set_timer(play, &drop->timer, play_now(play) + FORGET_EVERY_MS);
		return;
	}
	/* Whom the store finds before it forgets him is not in memory yet, and so not among those
	 * to be kept. Whom it is asked for later it does not find any more. */
	if (play->lookups > 0 || play->closing) {
		play_set_timer(play, &drop->timer, play_now(play) + AGAIN_MS);
		return;
	}
	collect_keys(play, drop);
	drop->guests.before_ms = play_now(play) - play->config.keep_guests_ms;
	drop->batch = (struct store_batch){.guests = &drop->guests};
	play->under_way++;
	store->ops->commit(store, &drop->batch, on_dropped, play);
}

void guests_begin(struct play *play)
{
	struct guest_drop *drop = &play->guest_drop;

	drop->timer = (struct timer){.fire = forget_due, .owner = play};
	play_set_timer(play, &drop->timer, play_now(play) + FORGET_EVERY_MS);
}
