#include "server/solver/board.h"

#include <string.h>

enum { LINES = 8 };

/* Rows, columns, diagonals; an octal digit is three squares, the first row the last digit. */
static const unsigned lines[LINES] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

/* Bit 0 of a symmetry mirrors left and right, bit 1 top and bottom, bit 2 swaps rows and columns:
 * all eight that a square has. */
static int move_square(int symmetry, int square)
{
	int row = square / 3;
	int column = square % 3;

	if (symmetry & 1) {
		column = 2 - column;
	}
	if (symmetry & 2) {
		row = 2 - row;
	}
	return symmetry & 4 ? 3 * column + row : 3 * row + column;
}

static void fill_pairs(struct board *board)
{
	uint8_t next = 0;

	for (int one = 0; one < BOARD_SQUARES; one++) {
		board->pair[one][one] = (uint8_t)(BOARD_PAIRS + one);
		for (int other = one + 1; other < BOARD_SQUARES; other++) {
			board->pair[one][other] = next;
			board->pair[other][one] = next;
			board->pairs_of[one] |= 1ULL << next;
			board->pairs_of[other] |= 1ULL << next;
			next++;
		}
	}
}

static void fill_lines(struct board *board)
{
	for (unsigned set = 0; set < BOARD_SETS; set++) {
		for (int i = 0; i < LINES; i++) {
			if ((set & lines[i]) == lines[i]) {
				board->lines[set]++;
			}
		}
	}
}

/* In each set that has `place`, its image. */
static void fill_image(struct board *board, int symmetry, int place, int moved)
{
	uint64_t *images = board->image[symmetry][place / BOARD_CHUNK_BITS];
	unsigned bit = 1U << place % BOARD_CHUNK_BITS;

	for (unsigned set = 0; set < 1U << BOARD_CHUNK_BITS; set++) {
		if (set & bit) {
			images[set] |= 1ULL << moved;
		}
	}
}

static void fill_images(struct board *board, int symmetry)
{
	for (int one = 0; one < BOARD_SQUARES; one++) {
		for (int other = one; other < BOARD_SQUARES; other++) {
			fill_image(board, symmetry, board->pair[one][other],
					board->pair[move_square(symmetry, one)]
						   [move_square(symmetry, other)]);
		}
	}
}

void board_fill(struct board *ret_board)
{
	memset(ret_board, 0, sizeof(*ret_board));
	fill_pairs(ret_board);
	fill_lines(ret_board);
	for (int symmetry = 0; symmetry < BOARD_SYMMETRIES; symmetry++) {
		fill_images(ret_board, symmetry);
	}
}
