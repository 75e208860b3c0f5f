#include "server/play/rating_book.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/ops/memory.h"

struct rating rated_read(const struct store_rating *stored)
{
	struct rating rating = {.milli = stored->milli,
			.deviation_milli = stored->deviation_milli,
			.volatility_nano = stored->volatility_nano,
			.day = stored->day};

	if (stored->games == 0) {
		rating_start(&rating);
	}
	return rating;
}

int64_t rated_milli(const struct store_rating *rating)
{
	return rating->games == 0 ? RATING_START_MILLI : rating->milli;
}

static struct store_rating after_game(
		const struct store_rating *own, const struct rating *rating, int ahead)
{
	return (struct store_rating){.games = own->games + 1,
			.wins = own->wins + (ahead > 0 ? 1 : 0),
			.draws = own->draws + (ahead == 0 ? 1 : 0),
			.losses = own->losses + (ahead < 0 ? 1 : 0),
			.milli = rating->milli,
			.deviation_milli = rating->deviation_milli,
			.volatility_nano = rating->volatility_nano,
			.day = rating->day,
			.settled_day = rating_settled_until(rating)};
}

void rated_game(const struct store_rating before[2], int ahead, int64_t ended_ms,
		struct store_rating ret_after[2])
{
	const struct rating x = rated_read(&before[0]);
	const struct rating o = rated_read(&before[1]);
	int64_t day = ended_ms / RATING_DAY_MS;
	struct rating after;

	rating_game(&x, &o, ahead, day, &after);
	ret_after[0] = after_game(&before[0], &after, ahead);
	rating_game(&o, &x, -ahead, day, &after);
	ret_after[1] = after_game(&before[1], &after, -ahead);
}

#define ID_TEXT_SIZE 24

struct rating_row {
	char id_text[ID_TEXT_SIZE];
	struct store_rating rating;
};

void rating_book_init(struct rating_book *book)
{
	map_init(&book->by_id);
}

void rating_book_fini(struct rating_book *book)
{
	struct rating_row *row;
	size_t cursor = 0;

	while ((row = map_next(&book->by_id, &cursor)) != NULL) {
		free(row);
	}
	map_fini(&book->by_id);
}

static struct rating_row *row_of(struct rating_book *book, int64_t id)
{
	char id_text[ID_TEXT_SIZE];
	struct rating_row *row;

	snprintf(id_text, sizeof(id_text), "%" PRId64, id);
	row = map_get(&book->by_id, id_text);
	if (row == NULL) {
		row = memory_new(1, sizeof(*row));
		snprintf(row->id_text, sizeof(row->id_text), "%" PRId64, id);
		map_put(&book->by_id, row->id_text, row);
	}
	return row;
}

void rating_book_add(struct rating_book *book, const int64_t ids[2], int ahead, int64_t ended_ms)
{
	struct rating_row *x = row_of(book, ids[0]);
	struct rating_row *o = row_of(book, ids[1]);
	const struct store_rating before[2] = {x->rating, o->rating};
	struct store_rating after[2];

	rated_game(before, ahead, ended_ms, after);
	x->rating = after[0];
	o->rating = after[1];
}

struct store_rating rating_book_find(const struct rating_book *book, int64_t id)
{
	char id_text[ID_TEXT_SIZE];
	const struct store_rating none = {0};
	const struct rating_row *row;

	snprintf(id_text, sizeof(id_text), "%" PRId64, id);
	row = map_get(&book->by_id, id_text);
	return row == NULL ? none : row->rating;
}

bool rated_same(const struct store_rating *a, const struct store_rating *b)
{
	return a->games == b->games && a->wins == b->wins && a->draws == b->draws &&
	       a->losses == b->losses && a->milli == b->milli &&
	       a->deviation_milli == b->deviation_milli &&
	       a->volatility_nano == b->volatility_nano && a->day == b->day &&
	       a->settled_day == b->settled_day;
}
