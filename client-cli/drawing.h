/* A board as it is drawn on a terminal: spooky marks with subscripts in small cells, classical
 * marks large, the last action marked, the cycle marked when it is to be measured, and then both
 * outcomes. protocol/picture has the plain one. */
#ifndef CLIENT_DRAWING_H
#define CLIENT_DRAWING_H

#include <stdio.h>

#include "protocol/message.h"

/* Narrower terminals are drawn for as if they had this many columns. */
#define DRAWING_COLUMNS_MIN 30

struct drawing {
	size_t columns; /* of the terminal */
	bool ascii;
	bool color;
	unsigned int last; /* bit n: mark n is of the last action */
	unsigned int line; /* bit n: square n is in a line that scored */
};

/* Write the board and, in PHASE_COLLAPSE, what each choice would give. */
void drawing_board(const struct drawing *drawing, const struct board *board, FILE *out);

#endif
