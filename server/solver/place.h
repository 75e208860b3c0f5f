/* Places: where a mark can be. A spooky mark is in a pair of squares, a classical one in a single
 * square; that makes 36 + 9 places, so a set of them fits in a word. Here too are the eight
 * symmetries of the board, as they move places.
 *
 * Within server/solver a square is 0..8 and a set of squares has bit n for square n.
 */
#ifndef SOLVER_PLACE_H
#define SOLVER_PLACE_H

#include <stdint.h>

enum {
	PLACE_SQUARES = 9,
	PLACE_PAIRS = 36,
	PLACE_COUNT = PLACE_PAIRS + PLACE_SQUARES,
	PLACE_NONE = 63, /* where a mark is that has not been made */
	PLACE_SYMMETRIES = 8,
	PLACE_CHUNKS = 5, /* a set of places, looked up nine bits at a time */
	PLACE_CHUNK_BITS = 9
};

/* Tables, made once by place_fill_tables and only read then. */
struct place_tables {
	uint8_t pair[PLACE_SQUARES][PLACE_SQUARES]; /* the place of two squares; of one twice: its
						       own place */
	uint64_t pairs_of[PLACE_SQUARES];	    /* the pairs that a square is in */
	uint8_t moved[PLACE_SYMMETRIES][PLACE_NONE + 1]; /* a place's image; none stays none */
	uint64_t image[PLACE_SYMMETRIES][PLACE_CHUNKS][1 << PLACE_CHUNK_BITS];
};

void place_fill_tables(struct place_tables *ret_tables);

/* Where a symmetry (0 moves nothing) takes a set of places. */
static inline uint64_t place_image(const struct place_tables *tables, int symmetry, uint64_t places)
{
	const uint64_t mask = (1U << PLACE_CHUNK_BITS) - 1;
	uint64_t image = 0;

	for (int i = 0; i < PLACE_CHUNKS; i++) {
		image |= tables->image[symmetry][i][places >> (PLACE_CHUNK_BITS * i) & mask];
	}
	return image;
}

#endif
