#include "server/ops/prefix_set.h"

#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

#define FIRST_SIZE 8
#define ALL_BITS (PREFIX_ADDRESS_BYTES * 8U)

static int compare(const struct prefix *one, const struct prefix *other)
{
	const int by_bytes = memcmp(one->bytes, other->bytes, sizeof(one->bytes));

	return by_bytes != 0 ? by_bytes : (int)one->bits - (int)other->bits;
}

/* How many stand before this block or at it. */
static size_t rank(const struct prefix_set *set, const struct prefix *prefix)
{
	size_t from = 0;
	size_t to = set->count;

	while (from < to) {
		const size_t middle = from + (to - from) / 2;

		if (compare(&set->entries[middle].prefix, prefix) <= 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

/* The entry of exactly this block, or NULL. */
static struct prefix_entry *entry_of(const struct prefix_set *set, const struct prefix *prefix)
{
	const size_t count = rank(set, prefix);
	struct prefix_entry *entry = count == 0 ? NULL : &set->entries[count - 1];

	return entry != NULL && compare(&entry->prefix, prefix) == 0 ? entry : NULL;
}

/* What an address lies in stands before it, and so does all that lies between: whoever begins at
 * the last one before it and goes outwards meets the narrowest that holds it first. By bits alone:
 * IPv4 addresses lie amid those of IPv6. */
static size_t innermost(const struct prefix_set *set, size_t place, const uint8_t *bytes)
{
	while (place != 0 && !prefix_begins(&set->entries[place - 1].prefix, bytes)) {
		place = set->entries[place - 1].outer;
	}
	return place;
}

static void link_outers(struct prefix_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		set->entries[i].outer = innermost(set, i, set->entries[i].prefix.bytes);
	}
}

void *prefix_set_put(struct prefix_set *set, const struct prefix *prefix, void *value)
{
	struct prefix_entry *entry = entry_of(set, prefix);
	const size_t place = rank(set, prefix);

	if (entry != NULL) {
		void *before = entry->value;

		entry->value = value;
		return before;
	}
	if (set->count == set->size) {
		set->size = set->size == 0 ? FIRST_SIZE : 2 * set->size;
		set->entries = memory_resize(set->entries, set->size, sizeof(*set->entries));
	}
	memmove(&set->entries[place + 1], &set->entries[place],
			(set->count - place) * sizeof(*set->entries));
	set->entries[place] = (struct prefix_entry){.prefix = *prefix, .value = value};
	set->count++;
	link_outers(set);
	return NULL;
}

void *prefix_set_remove(struct prefix_set *set, const struct prefix *prefix)
{
	struct prefix_entry *entry = entry_of(set, prefix);
	void *value;

	if (entry == NULL) {
		return NULL;
	}
	value = entry->value;
	set->count--;
	memmove(entry, entry + 1,
			(size_t)(&set->entries[set->count] - entry) * sizeof(*set->entries));
	link_outers(set);
	return value;
}

void *prefix_set_get(const struct prefix_set *set, const struct prefix *prefix)
{
	const struct prefix_entry *entry = entry_of(set, prefix);

	return entry == NULL ? NULL : entry->value;
}

void *prefix_set_find(const struct prefix_set *set, const uint8_t bytes[PREFIX_ADDRESS_BYTES])
{
	struct prefix alone = {.bits = ALL_BITS};
	size_t place;

	if (set->count == 0) {
		return NULL;
	}
	memcpy(alone.bytes, bytes, sizeof(alone.bytes));
	place = innermost(set, rank(set, &alone), bytes);
	/* If that is one of IPv6 and it an IPv4 address, the wider ones are so too. */
	return place == 0 || !prefix_holds(&set->entries[place - 1].prefix, bytes)
			       ? NULL
			       : set->entries[place - 1].value;
}

void prefix_set_fini(struct prefix_set *set)
{
	free(set->entries);
	*set = (struct prefix_set){0};
}
