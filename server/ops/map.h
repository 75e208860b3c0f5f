/* A map from strings to things. Looking up, putting and removing take the same few steps however
 * many there are, also when strangers choose the keys: the hash is keyed by random bytes. Walking
 * through it goes in the order in which the keys were put, so it is the same in every run.
 *
 * Owns neither keys nor things: a key must stay as it is while it is in the map, so it is best kept
 * within its thing. */
#ifndef OPS_MAP_H
#define OPS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys that a map can hold. */
#define MAP_KEYS_MAX ((size_t)1 << 30)

struct map_entry {
	const char *key; /* NULL: it was removed */
	void *value;
	uint32_t hash;
};

/* Members are for map.c alone, but `count` may be read. */
struct map {
	size_t count;		   /* of keys */
	size_t used;		   /* of entries, with those removed */
	size_t size;		   /* of entries there is room for */
	struct map_entry *entries; /* in the order of putting */
	size_t slot_count;	   /* a power of two */
	uint32_t *slots;	   /* index of an entry + 1; 0: free */
	unsigned char secret[16];
};

/* An empty map; holds no memory before the first key. */
void map_init(struct map *map);

/* Frees the map's own memory: keys and things are the caller's. */
void map_fini(struct map *map);

/* What was put under key; NULL if nothing was. */
void *map_get(const struct map *map, const char *key);

/* Put a thing, not NULL, under key, and return what was there before (NULL: nothing, and the key
 * comes last in the order). Keeps the new key in any case: the old one may go with its thing. */
void *map_put(struct map *map, const char *key, void *value);

/* Take out what is under key and return it; NULL if nothing was. */
void *map_remove(struct map *map, const char *key);

/* Walk through the things: start with *cursor 0; NULL after the last. Things may be removed on the
 * way, none put. */
void *map_next(const struct map *map, size_t *cursor);

#endif
