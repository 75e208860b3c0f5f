#include "server/ops/map.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

#define SLOTS_MIN 16

static_assert(sizeof((struct map){0}.secret) == crypto_shorthash_KEYBYTES, "one secret a map");

static uint32_t key_hash(const struct map *map, const char *key)
{
	unsigned char hash[crypto_shorthash_BYTES];
	uint32_t low;

	crypto_shorthash(hash, (const unsigned char *)key, strlen(key), map->secret);
	memcpy(&low, hash, sizeof(low));
	return low;
}

void map_init(struct map *map)
{
	*map = (struct map){0};
	randombytes_buf(map->secret, sizeof(map->secret));
}

void map_fini(struct map *map)
{
	free(map->entries);
	free(map->slots);
	*map = (struct map){0};
}

/* The slot that holds key, or the free one where the search for it ends. At least a quarter of
 * the slots is free, so it ends. An entry that was removed keeps its slot until the next rebuild:
 * searches go on past it. */
static uint32_t *slot_find(const struct map *map, const char *key, uint32_t hash)
{
	size_t mask = map->slot_count - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		const struct map_entry *entry;

		if (map->slots[i] == 0) {
			return &map->slots[i];
		}
		entry = &map->entries[map->slots[i] - 1];
		if (entry->hash == hash && entry->key != NULL && strcmp(entry->key, key) == 0) {
			return &map->slots[i];
		}
	}
}

static struct map_entry *entry_find(const struct map *map, const char *key)
{
	uint32_t slot;

	if (map->count == 0) {
		return NULL;
	}
	slot = *slot_find(map, key, key_hash(map, key));
	return slot == 0 ? NULL : &map->entries[slot - 1];
}

static void close_gaps(struct map *map)
{
	size_t kept = 0;

	assert(map->used == 0 || map->entries != NULL);
	for (size_t i = 0; i < map->used; i++) {
		if (map->entries[i].key != NULL) {
			map->entries[kept++] = map->entries[i];
		}
	}
	map->used = kept;
}

static void slots_fill(struct map *map)
{
	size_t mask = map->slot_count - 1;

	assert(map->entries != NULL && map->slots != NULL);
	memset(map->slots, 0, map->slot_count * sizeof(*map->slots));
	for (size_t i = 0; i < map->used; i++) {
		size_t slot = map->entries[i].hash & mask;

		while (map->slots[slot] != 0) {
			slot = (slot + 1) & mask;
		}
		map->slots[slot] = (uint32_t)i + 1;
	}
}

/* Room for one more entry: without the gaps, and with at least as much again before the next
 * time. */
static void make_room(struct map *map)
{
	size_t slot_count = SLOTS_MIN;

	assert(map->count < MAP_KEYS_MAX);
	while (slot_count / 2 <= map->count) {
		slot_count *= 2;
	}
	close_gaps(map);
	if (slot_count != map->slot_count) {
		map->slot_count = slot_count;
		map->size = slot_count / 4 * 3;
		map->entries = memory_resize(map->entries, map->size, sizeof(*map->entries));
		map->slots = memory_resize(map->slots, slot_count, sizeof(*map->slots));
	}
	slots_fill(map);
}

void *map_get(const struct map *map, const char *key)
{
	const struct map_entry *entry = entry_find(map, key);

	return entry == NULL ? NULL : entry->value;
}

void *map_put(struct map *map, const char *key, void *value)
{
	struct map_entry *entry = entry_find(map, key);
	uint32_t hash;

	assert(value != NULL);
	if (entry != NULL) {
		void *old = entry->value;

		entry->key = key;
		entry->value = value;
		return old;
	}
	if (map->used == map->size) {
		make_room(map);
	}
	assert(map->entries != NULL);
	hash = key_hash(map, key);
	*slot_find(map, key, hash) = (uint32_t)map->used + 1;
	map->entries[map->used++] = (struct map_entry){.key = key, .value = value, .hash = hash};
	map->count++;
	return NULL;
}

void *map_remove(struct map *map, const char *key)
{
	struct map_entry *entry = entry_find(map, key);
	void *old;

	if (entry == NULL) {
		return NULL;
	}
	old = entry->value;
	entry->key = NULL;
	entry->value = NULL;
	map->count--;
	return old;
}

void *map_next(const struct map *map, size_t *cursor)
{
	while (*cursor < map->used) {
		const struct map_entry *entry = &map->entries[(*cursor)++];

		if (entry->key != NULL) {
			return entry->value;
		}
	}
	return NULL;
}
