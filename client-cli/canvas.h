/* A sheet of characters, each of one column, which parts of a drawing are put on in any order. */
#ifndef CLIENT_CANVAS_H
#define CLIENT_CANVAS_H

#include <stdint.h>
#include <stdio.h>

#include "client-cli/paint.h"

#define CANVAS_ROWS 32
#define CANVAS_COLUMNS 56

struct canvas_cell {
	char character[5]; /* one of UTF-8, NUL-ended; "": a blank */
	uint8_t paint;
};

struct canvas {
	size_t rows; /* as many as were put something on */
	struct canvas_cell cells[CANVAS_ROWS][CANVAS_COLUMNS];
};

/* Put text from here to the right; what is beyond the sheet is left out. */
void canvas_put(struct canvas *canvas, size_t row, size_t column, const char *text,
		enum paint paint);

/* One character, `count` times to the right. */
void canvas_fill(struct canvas *canvas, size_t row, size_t column, const char *character,
		size_t count, enum paint paint);

/* Write it as lines, without blanks at their ends. */
void canvas_write(const struct canvas *canvas, bool color, FILE *out);

#endif
