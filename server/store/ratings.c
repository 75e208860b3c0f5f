#include "server/store/ratings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/ops/memory.h"

#define ID_TEXT_SIZE 24

struct rating_row {
	char id_text[ID_TEXT_SIZE];
	struct store_rating rating;
};

void store_ratings_init(struct store_ratings *ratings)
{
	map_init(&ratings->by_id);
}

void store_ratings_fini(struct store_ratings *ratings)
{
	struct rating_row *row;
	size_t cursor = 0;

	while ((row = map_next(&ratings->by_id, &cursor)) != NULL) {
		free(row);
	}
	map_fini(&ratings->by_id);
}

static struct rating_row *row_of(struct store_ratings *ratings, int64_t id)
{
	char id_text[ID_TEXT_SIZE];
	struct rating_row *row;

	snprintf(id_text, sizeof(id_text), "%" PRId64, id);
	row = map_get(&ratings->by_id, id_text);
	if (row == NULL) {
		row = memory_new(1, sizeof(*row));
		snprintf(row->id_text, sizeof(row->id_text), "%" PRId64, id);
		map_put(&ratings->by_id, row->id_text, row);
	}
	return row;
}

void store_ratings_add(struct store_ratings *ratings, const int64_t ids[2], int ahead,
		int64_t ended_ms, store_rate_fn *rate)
{
	struct rating_row *x = row_of(ratings, ids[0]);
	struct rating_row *o = row_of(ratings, ids[1]);
	const struct store_rating before[2] = {x->rating, o->rating};
	struct store_rating after[2];

	rate(before, ahead, ended_ms, after);
	x->rating = after[0];
	o->rating = after[1];
}

struct store_rating store_ratings_find(const struct store_ratings *ratings, int64_t id)
{
	char id_text[ID_TEXT_SIZE];
	const struct rating_row *row;

	snprintf(id_text, sizeof(id_text), "%" PRId64, id);
	row = map_get(&ratings->by_id, id_text);
	return row == NULL ? (struct store_rating){0} : row->rating;
}

bool store_rating_same(const struct store_rating *a, const struct store_rating *b)
{
	return a->games == b->games && a->wins == b->wins && a->draws == b->draws &&
	       a->losses == b->losses && a->milli == b->milli &&
	       a->deviation_milli == b->deviation_milli &&
	       a->volatility_nano == b->volatility_nano && a->day == b->day &&
	       a->settled_day == b->settled_day;
}
