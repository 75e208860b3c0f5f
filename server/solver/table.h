/* What the search has found out, by name of the position: bounds of its value for who is to move.
 * The table is a fixed piece of memory that somebody else owns. It uses the first part of it, twice
 * as much whenever that is half full: a small search touches little memory. When all is in use, it
 * forgets the positions that cost least to search again. What it holds never changes an answer,
 * only how soon it is there.
 */
#ifndef SOLVER_TABLE_H
#define SOLVER_TABLE_H

#include "server/solver/position.h"

#include <stddef.h>
#include <stdint.h>

enum { TABLE_BUCKET = 4 };

/* Bounds in half points. */
struct table_bounds {
	int lower;
	int upper;
};

/* All zeros: empty. */
struct table_entry {
	uint64_t half[2];
};

struct table_bucket {
	struct table_entry entry[TABLE_BUCKET];
};

struct table {
	struct table_bucket *buckets;
	size_t count;	/* buckets in use; a power of two */
	size_t limit;	/* buckets there are */
	size_t entries; /* in use */
};

/* How many buckets fit in so many bytes, at least one: a power of two. */
size_t table_buckets(size_t bytes);

/* An empty table in `buckets`, which are zero, as many as table_buckets said. */
void table_init(struct table *ret_table, struct table_bucket *buckets, size_t count);

/* Narrows *bounds by what is known of a position, if anything is. */
void table_find(const struct table *table, const struct position_name *name,
		struct table_bounds *bounds);

/* Remembers bounds; what is known of the position is replaced. `moves`: moves made, the fewer the
 * dearer. */
void table_keep(struct table *table, const struct position_name *name, int moves,
		struct table_bounds bounds);

#endif
