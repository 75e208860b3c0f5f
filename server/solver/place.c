#include "server/solver/place.h"

#include <string.h>

/* Bit 0 of a symmetry mirrors left and right, bit 1 top and bottom, bit 2 swaps rows and columns:
 * all eight that a square has. */
static int square_moved(int symmetry, int square)
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

static void fill_pairs(struct place_tables *tables)
{
	uint8_t next = 0;

	for (int one = 0; one < PLACE_SQUARES; one++) {
		tables->pair[one][one] = (uint8_t)(PLACE_PAIRS + one);
		for (int other = one + 1; other < PLACE_SQUARES; other++) {
			tables->pair[one][other] = next;
			tables->pair[other][one] = next;
			tables->pairs_of[one] |= 1ULL << next;
			tables->pairs_of[other] |= 1ULL << next;
			next++;
		}
	}
}

static void fill_moved(struct place_tables *tables, int symmetry)
{
	for (int one = 0; one < PLACE_SQUARES; one++) {
		for (int other = one; other < PLACE_SQUARES; other++) {
			int place = tables->pair[one][other];

			tables->moved[symmetry][place] = tables->pair[square_moved(
					symmetry, one)][square_moved(symmetry, other)];
		}
	}
	tables->moved[symmetry][PLACE_NONE] = PLACE_NONE;
}

static void fill_images(struct place_tables *tables, int symmetry)
{
	for (int place = 0; place < PLACE_COUNT; place++) {
		uint64_t *images = tables->image[symmetry][place / PLACE_CHUNK_BITS];
		unsigned bit = 1U << place % PLACE_CHUNK_BITS;

		for (unsigned set = 0; set < 1U << PLACE_CHUNK_BITS; set++) {
			if (set & bit) {
				images[set] |= 1ULL << tables->moved[symmetry][place];
			}
		}
	}
}

void place_fill_tables(struct place_tables *ret_tables)
{
	memset(ret_tables, 0, sizeof *ret_tables);
	fill_pairs(ret_tables);
	for (int symmetry = 0; symmetry < PLACE_SYMMETRIES; symmetry++) {
		fill_moved(ret_tables, symmetry);
		fill_images(ret_tables, symmetry);
	}
}
