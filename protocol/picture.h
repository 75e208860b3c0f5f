/* A board as lines of plain text: for the client, and for people at a bare netcat. */
#ifndef PROTOCOL_PICTURE_H
#define PROTOCOL_PICTURE_H

#include "protocol/message.h"

/* Longest drawing, its NUL included. */
#define PICTURE_SIZE 4096

struct picture_style {
	bool ascii; /* '|' and '-' in place of box-drawing characters */
};

/* Draw the board: nine squares in three rows; a square with its number, a classical mark large
 * ("*X3*" style, told apart without colour), spooky marks with their subscripts, as many as nine.
 * Every line ends in LF; no line has trailing blanks or is wider than 79 columns. Below the
 * drawing, while a measurement is due: the cycle and what each of the two choices would give.
 * Returns the drawing's length, its NUL not counted. */
size_t picture_board(const struct board *board, const struct picture_style *style,
		char ret_text[PICTURE_SIZE]);

#endif
