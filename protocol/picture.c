#include "protocol/picture.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "protocol/phrase.h"

/* A square: its number in the first row, and nine slots for marks in three rows of three. Mark n
 * has the n-th slot in every square, so that the two halves of a spooky mark are found at the same
 * place of their squares. */
#define CELL_ROWS 3
#define CELL_WIDTH 13
#define CELL_NUMBER_AT 1
#define CELL_SLOTS_AT 4
#define CELL_SLOT_WIDTH 3
#define CELL_CLASSICAL_ROW 1
#define CELL_CLASSICAL_AT 6

struct pen {
	char *text; /* PICTURE_SIZE bytes */
	size_t length;
	const char *bar;
	const char *dash;
	const char *crossing;
};

struct cell {
	char rows[CELL_ROWS][CELL_WIDTH + 1];
};

static void pen_put(struct pen *pen, const char *text)
{
	size_t length = strlen(text);

	assert(length < PICTURE_SIZE - pen->length);
	memcpy(pen->text + pen->length, text, length + 1);
	pen->length += length;
}

static void pen_end_line(struct pen *pen)
{
	while (pen->length > 0 && pen->text[pen->length - 1] == ' ') {
		pen->length--;
	}
	pen_put(pen, "\n");
}

static bool mark_is_one(unsigned int mark)
{
	return mark >= 1 && mark <= 9;
}

static char mark_letter(unsigned int mark)
{
	return mark % 2 == 1 ? 'X' : 'O';
}

static void cell_put_mark(struct cell *cell, size_t row, size_t column, unsigned int mark)
{
	cell->rows[row][column] = mark_letter(mark);
	cell->rows[row][column + 1] = (char)('0' + mark);
}

static void cell_put_spooky(struct cell *cell, const struct board_square *square)
{
	for (size_t i = 0; i < square->spooky_count && i < 9; i++) {
		unsigned int mark = square->spooky[i];

		if (mark_is_one(mark)) {
			cell_put_mark(cell, (mark - 1) / 3,
					CELL_SLOTS_AT + (mark - 1) % 3 * CELL_SLOT_WIDTH, mark);
		}
	}
}

static void cell_fill(struct cell *cell, const struct board_square *square, size_t index)
{
	for (size_t row = 0; row < CELL_ROWS; row++) {
		memset(cell->rows[row], ' ', CELL_WIDTH);
		cell->rows[row][CELL_WIDTH] = '\0';
	}
	cell->rows[0][CELL_NUMBER_AT] = (char)('1' + index);
	if (mark_is_one(square->classical)) {
		char *row = cell->rows[CELL_CLASSICAL_ROW];

		row[CELL_CLASSICAL_AT] = '*';
		cell_put_mark(cell, CELL_CLASSICAL_ROW, CELL_CLASSICAL_AT + 1, square->classical);
		row[CELL_CLASSICAL_AT + 3] = '*';
	} else {
		cell_put_spooky(cell, square);
	}
}

static void draw_rule(struct pen *pen)
{
	for (size_t column = 0; column < 3; column++) {
		if (column > 0) {
			pen_put(pen, pen->crossing);
		}
		for (size_t i = 0; i < CELL_WIDTH; i++) {
			pen_put(pen, pen->dash);
		}
	}
	pen_end_line(pen);
}

/* The three squares from squares[first] on. */
static void draw_row(struct pen *pen, const struct board *board, size_t first)
{
	struct cell cells[3];

	for (size_t column = 0; column < 3; column++) {
		cell_fill(&cells[column], &board->squares[first + column], first + column);
	}
	for (size_t row = 0; row < CELL_ROWS; row++) {
		for (size_t column = 0; column < 3; column++) {
			if (column > 0) {
				pen_put(pen, pen->bar);
			}
			pen_put(pen, cells[column].rows[row]);
		}
		pen_end_line(pen);
	}
}

/* The classical marks after a choice: those that are, and those that it would make. */
static void outcome_marks(const struct board *board, size_t choice, uint8_t ret_marks[9])
{
	const struct measured *outcome = &board->outcomes[choice];

	for (size_t i = 0; i < 9; i++) {
		ret_marks[i] = board->squares[i].classical;
	}
	for (size_t i = 0; i < outcome->count && i < 9; i++) {
		if (outcome->square[i] >= 1 && outcome->square[i] <= 9) {
			ret_marks[outcome->square[i] - 1] = outcome->mark[i];
		}
	}
}

static void draw_outcome_row(struct pen *pen, const uint8_t marks[3])
{
	for (size_t column = 0; column < 3; column++) {
		char text[] = ".  ";

		if (mark_is_one(marks[column])) {
			text[0] = mark_letter(marks[column]);
			text[1] = (char)('0' + marks[column]);
		}
		if (column > 0) {
			pen_put(pen, pen->bar);
			pen_put(pen, " ");
		}
		pen_put(pen, text);
	}
}

static void draw_cycle(struct pen *pen, const struct board *board)
{
	char cycle[9 * 4 + 1] = "";
	size_t length = 0;
	char text[160];

	for (size_t i = 0; i < board->cycle_count && i < 9; i++) {
		length += (size_t)snprintf(cycle + length, sizeof(cycle) - length, "%s%u",
				i > 0 ? "-" : "", (unsigned int)board->cycle[i]);
	}
	snprintf(text, sizeof(text), _("Cycle %s: %c%u goes to %u or to %u."), cycle,
			mark_letter(board->move), (unsigned int)board->move,
			(unsigned int)board->choices[0], (unsigned int)board->choices[1]);
	pen_put(pen, text);
	pen_end_line(pen);
}

/* The two boards that a measurement can give, side by side; a dot is a square that stays open. */
static void draw_outcomes(struct pen *pen, const struct board *board)
{
	uint8_t marks[2][9];
	char text[64];

	draw_cycle(pen, board);
	snprintf(text, sizeof(text), "  collapse %u        collapse %u",
			(unsigned int)board->choices[0], (unsigned int)board->choices[1]);
	pen_put(pen, text);
	pen_end_line(pen);
	outcome_marks(board, 0, marks[0]);
	outcome_marks(board, 1, marks[1]);
	for (size_t first = 0; first < 9; first += 3) {
		pen_put(pen, "  ");
		draw_outcome_row(pen, marks[0] + first);
		pen_put(pen, "     ");
		draw_outcome_row(pen, marks[1] + first);
		pen_end_line(pen);
	}
}

size_t picture_board(const struct board *board, const struct picture_style *style,
		char ret_text[PICTURE_SIZE])
{
	struct pen pen = {NULL, 0, style->ascii ? "|" : "│", style->ascii ? "-" : "─",
			style->ascii ? "+" : "┼"};

	pen.text = ret_text;
	for (size_t first = 0; first < 9; first += 3) {
		if (first > 0) {
			draw_rule(&pen);
		}
		draw_row(&pen, board, first);
	}
	if (board->phase == PHASE_COLLAPSE) {
		draw_outcomes(&pen, board);
	}
	return pen.length;
}
