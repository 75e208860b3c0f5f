#include "server/solver/table.h"

#include <assert.h>

/* An entry is a name, whose halves have 45 bits, with its bounds above the first half, and above
 * the second the moves made and a bit that tells it from an empty one. */
enum { NAME_BITS = 45, BOUND_BITS = 4, BOUND_ZERO = 8, MOVES_BITS = 4 };
enum { FIRST_BUCKETS = 1024 };

static const uint64_t name_mask = (1ULL << NAME_BITS) - 1;
static const uint64_t used = 1ULL << (NAME_BITS + MOVES_BITS);

size_t table_buckets(size_t bytes)
{
	size_t count = 1;

	while (count <= bytes / sizeof(struct table_bucket) / 2) {
		count *= 2;
	}
	return count;
}

void table_init(struct table *ret_table, struct table_bucket *buckets, size_t count)
{
	assert(count > 0 && (count & (count - 1)) == 0);
	*ret_table = (struct table){.buckets = buckets,
			.count = count < FIRST_BUCKETS ? count : FIRST_BUCKETS,
			.limit = count};
}

static size_t hash_halves(uint64_t one, uint64_t other)
{
	uint64_t hash = one * 0x9e3779b97f4a7c15U;

	hash = (hash ^ hash >> 32 ^ other) * 0xd6e8feb86659fd93U;
	hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93U;
	return (size_t)(hash >> 20);
}

static struct table_bucket *find_bucket(const struct table *table, const struct position_name *name)
{
	return &table->buckets[hash_halves(name->half[0], name->half[1]) & (table->count - 1)];
}

static bool is_of(const struct table_entry *entry, const struct position_name *name)
{
	return (entry->half[0] & name_mask) == name->half[0] &&
	       (entry->half[1] & (name_mask | used)) == (name->half[1] | used);
}

static int moves_of(const struct table_entry *entry)
{
	return (int)(entry->half[1] >> NAME_BITS & ((1U << MOVES_BITS) - 1));
}

static bool is_used(const struct table_entry *entry)
{
	return (entry->half[1] & used) != 0;
}

static uint64_t bound_in(int bound, int at)
{
	return (uint64_t)(bound + BOUND_ZERO) << (NAME_BITS + at * BOUND_BITS);
}

static int bound_of(const struct table_entry *entry, int at)
{
	unsigned bits = entry->half[0] >> (NAME_BITS + at * BOUND_BITS) & ((1U << BOUND_BITS) - 1);

	return (int)bits - BOUND_ZERO;
}

void table_find(const struct table *table, const struct position_name *name,
		struct table_bounds *bounds)
{
	const struct table_bucket *bucket = find_bucket(table, name);

	for (int i = 0; i < TABLE_BUCKET; i++) {
		if (is_of(&bucket->entry[i], name)) {
			bounds->lower = bound_of(&bucket->entry[i], 0);
			bounds->upper = bound_of(&bucket->entry[i], 1);
			return;
		}
	}
}

/* The same position's entry, else an empty one, else that with the most moves made; of equal ones
 * the last. */
static struct table_entry *choose_victim(
		struct table_bucket *bucket, const struct position_name *name)
{
	struct table_entry *victim = &bucket->entry[0];

	for (int i = 0; i < TABLE_BUCKET; i++) {
		struct table_entry *entry = &bucket->entry[i];

		if (is_of(entry, name)) {
			return entry;
		}
		if (is_used(victim) && (!is_used(entry) || moves_of(entry) >= moves_of(victim))) {
			victim = entry;
		}
	}
	return victim;
}

/* With twice the buckets, what was in one belongs there or in its counterpart of the second half.
 */
static void split_bucket(struct table *table, size_t at)
{
	struct table_bucket *bucket = &table->buckets[at];

	for (int i = 0; i < TABLE_BUCKET; i++) {
		struct table_entry *entry = &bucket->entry[i];
		size_t hash = hash_halves(entry->half[0] & name_mask, entry->half[1] & name_mask);

		if (is_used(entry) && (hash & table->count) != 0) {
			table->buckets[at + table->count].entry[i] = *entry;
			*entry = (struct table_entry){0};
		}
	}
}

static void grow(struct table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		split_bucket(table, i);
	}
	table->count *= 2;
}

void table_keep(struct table *table, const struct position_name *name, int moves,
		struct table_bounds bounds)
{
	struct table_entry *entry;

	if (table->entries > table->count * TABLE_BUCKET / 2 && table->count < table->limit) {
		grow(table);
	}
	entry = choose_victim(find_bucket(table, name), name);
	table->entries += !is_used(entry);
	entry->half[0] = name->half[0] | bound_in(bounds.lower, 0) | bound_in(bounds.upper, 1);
	entry->half[1] = name->half[1] | (uint64_t)moves << NAME_BITS | used;
}
