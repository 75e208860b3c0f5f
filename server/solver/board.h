/* The board: its lines, and its eight symmetries as they move places. A place is where a mark can
 * be: in a pair of squares while it is spooky, in a single square once it is classical. That makes
 * 36 + 9 places, so a set of them fits in a word.
 *
 * Within server/solver a square is 0..8 and a set of squares has bit n for square n. The pairs are
 * places 0..35, and square n is place 36 + n.
 */
#ifndef SOLVER_BOARD_H
#define SOLVER_BOARD_H

#include <stdint.h>

enum {
	BOARD_SQUARES = 9,
	BOARD_SETS = 1 << BOARD_SQUARES,
	BOARD_PAIRS = 36,
	BOARD_PLACES = BOARD_PAIRS + BOARD_SQUARES,
	BOARD_SYMMETRIES = 8,
	BOARD_CHUNK_BITS = 9, /* a set of places is looked up in parts */
	BOARD_CHUNKS = BOARD_PLACES / BOARD_CHUNK_BITS
};

/* Made once by board_fill, and only read then. */
struct board {
	uint8_t pair[BOARD_SQUARES][BOARD_SQUARES]; /* the place of two squares; of one twice: of
						       that square */
	uint64_t pairs_of[BOARD_SQUARES];	    /* the pairs that a square is in */
	uint8_t lines[BOARD_SETS];		    /* how many lines a set of squares holds */
	uint64_t image[BOARD_SYMMETRIES][BOARD_CHUNKS][1 << BOARD_CHUNK_BITS];
};

void board_fill(struct board *ret_board);

/* Where a symmetry (0 moves nothing) takes a set of places. */
static inline uint64_t board_image(const struct board *board, int symmetry, uint64_t places)
{
	const uint64_t mask = (1U << BOARD_CHUNK_BITS) - 1;
	uint64_t image = 0;

	for (int i = 0; i < BOARD_CHUNKS; i++) {
		image |= board->image[symmetry][i][places >> (BOARD_CHUNK_BITS * i) & mask];
	}
	return image;
}

/* The first of a set of squares, which is not empty. */
static inline int board_first(unsigned squares)
{
	return __builtin_ctz(squares);
}

#endif
