#include "client-cli/drawing.h"

#include <string.h>

#include "client-cli/canvas.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

/* A square has three rows. Its number is in the first three columns; nine slots follow, three by
 * three, each for a mark, its subscript and a sign of the last action. Mark n has the n-th slot in
 * every square, so that the two halves of a spooky mark are found at the same place. Where three
 * such squares are too wide side by side the number has a row of its own above the slots. */
#define SLOT_ROWS 3
#define CELL_NUMBER 3
#define SLOT_WIDTH 3
#define WIDE_COLUMNS 50
#define NARROW_COLUMNS 39
/* An outcome's square: " X1*". */
#define OUTCOME_CELL 5
#define OUTCOME_WIDTH (3 * OUTCOME_CELL + 2)
#define OUTCOME_GAP 4

struct sheet {
	const struct drawing *drawing;
	const struct board *board;
	struct canvas canvas;
	size_t cell_width;
	size_t cell_rows;
	size_t slots_at; /* of the first slot, in its square */
	size_t indent;
	const char *bar;
	const char *dash;
	const char *crossing;
};

static unsigned int bit(unsigned int number)
{
	return 1U << number;
}

static bool mark_is_one(unsigned int mark)
{
	return mark >= 1 && mark <= 9;
}

static bool mark_is_last(const struct sheet *sheet, unsigned int mark)
{
	return (sheet->drawing->last & bit(mark)) != 0;
}

static enum paint mark_paint(unsigned int mark, bool last)
{
	if (mark % 2 == 1) {
		return last ? PAINT_X_LAST : PAINT_X;
	}
	return last ? PAINT_O_LAST : PAINT_O;
}

static const char *subscript(const struct sheet *sheet, unsigned int mark)
{
	static const char *const plain[] = {"", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
	static const char *const small[] = {"", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};

	return sheet->drawing->ascii ? plain[mark] : small[mark];
}

static const char *letter(unsigned int mark)
{
	return mark % 2 == 1 ? "X" : "O";
}

/* "X1", and a star behind it if it is of the last action. */
static void put_mark(struct sheet *sheet, size_t row, size_t column, unsigned int mark, bool last)
{
	enum paint paint = mark_paint(mark, last);

	canvas_put(&sheet->canvas, row, column, letter(mark), paint);
	canvas_put(&sheet->canvas, row, column + 1, subscript(sheet, mark), paint);
	if (last) {
		canvas_put(&sheet->canvas, row, column + 2, "*", PAINT_STRONG);
	}
}

/* Squares. */

static bool square_is_choice(const struct board *board, unsigned int square)
{
	return board->phase == PHASE_COLLAPSE &&
	       (board->choices[0] == square || board->choices[1] == square);
}

static bool square_is_in_cycle(const struct board *board, unsigned int square)
{
	return board->phase == PHASE_COLLAPSE && board->cycle_count <= 9 &&
	       memchr(board->cycle, (int)square, board->cycle_count) != NULL;
}

/* " 3 " for any, "(3)" on the cycle, "[3]" where the closing mark can go. */
static void put_number(struct sheet *sheet, size_t row, size_t column, unsigned int square)
{
	char text[] = {' ', (char)('0' + square), ' ', '\0'};
	enum paint paint = PAINT_QUIET;

	if (square_is_choice(sheet->board, square)) {
		text[0] = '[';
		text[2] = ']';
		paint = PAINT_CHOICE;
	} else if (square_is_in_cycle(sheet->board, square)) {
		text[0] = '(';
		text[2] = ')';
		paint = PAINT_CYCLE;
	}
	canvas_put(&sheet->canvas, row, column, text, paint);
}

static const char *const large_x[2][SLOT_ROWS] = {
		{"╲ ╱", " ╳ ", "╱ ╲"},
		{"\\ /", " X ", "/ \\"},
};

static const char *const large_o[2][SLOT_ROWS] = {
		{"╭─╮", "│ │", "╰─╯"},
		{"/-\\", "| |", "\\-/"},
};

/* The star of the last action stands beside its subscript: a colour alone would not be seen by
 * all. */
static void put_classical(struct sheet *sheet, size_t row, size_t column, unsigned int mark,
		unsigned int square)
{
	const char *const *rows = mark % 2 == 1 ? large_x[sheet->drawing->ascii]
						: large_o[sheet->drawing->ascii];
	bool in_line = (sheet->drawing->line & bit(square)) != 0;
	enum paint paint = in_line ? PAINT_LINE : mark_paint(mark, false);
	size_t left = column + (sheet->cell_width - 3) / 2;

	for (size_t i = 0; i < SLOT_ROWS; i++) {
		canvas_put(&sheet->canvas, row + i, left, rows[i], paint);
	}
	canvas_put(&sheet->canvas, row + 2, left + 3, subscript(sheet, mark), paint);
	if (mark_is_last(sheet, mark)) {
		canvas_put(&sheet->canvas, row + 2, left + 4, "*", PAINT_STRONG);
	}
}

static void put_square(struct sheet *sheet, size_t row, size_t column, unsigned int square)
{
	const struct board_square *shown = &sheet->board->squares[square - 1];
	size_t slots = column + sheet->slots_at;
	size_t slots_row = row + sheet->cell_rows - SLOT_ROWS;

	if (mark_is_one(shown->classical)) {
		/* It is closed, so its number is of no use. */
		put_classical(sheet, slots_row, column, shown->classical, square);
		return;
	}
	put_number(sheet, row, column, square);
	for (size_t i = 0; i < shown->spooky_count && i < 9; i++) {
		unsigned int mark = shown->spooky[i];

		if (mark_is_one(mark)) {
			put_mark(sheet, slots_row + (mark - 1) / 3,
					slots + (size_t)(mark - 1) % 3 * SLOT_WIDTH, mark,
					mark_is_last(sheet, mark));
		}
	}
}

/* The lines between nine squares of this width and height, from a place on. */
static void put_frame(struct sheet *sheet, size_t row, size_t column, size_t width, size_t height)
{
	for (size_t i = 0; i < 3 * height + 2; i++) {
		bool rule = i % (height + 1) == height;

		if (rule) {
			canvas_fill(&sheet->canvas, row + i, column, sheet->dash, 3 * width + 2,
					PAINT_QUIET);
		}
		for (size_t bar = 1; bar < 3; bar++) {
			canvas_put(&sheet->canvas, row + i, column + bar * (width + 1) - 1,
					rule ? sheet->crossing : sheet->bar, PAINT_QUIET);
		}
	}
}

static void put_board(struct sheet *sheet)
{
	put_frame(sheet, 0, sheet->indent, sheet->cell_width, sheet->cell_rows);
	for (unsigned int square = 1; square <= 9; square++) {
		put_square(sheet, (size_t)(square - 1) / 3 * (sheet->cell_rows + 1),
				sheet->indent + (size_t)(square - 1) % 3 * (sheet->cell_width + 1),
				square);
	}
}

/* Outcomes. */

/* The classical marks after a choice; *ret_new: those that it makes. */
static void outcome_marks(const struct sheet *sheet, size_t choice, uint8_t ret_marks[9],
		unsigned int *ret_new)
{
	const struct measured *outcome = &sheet->board->outcomes[choice];

	*ret_new = 0;
	for (size_t i = 0; i < 9; i++) {
		ret_marks[i] = sheet->board->squares[i].classical;
	}
	for (size_t i = 0; i < outcome->count && i < 9; i++) {
		if (mark_is_one(outcome->square[i]) && mark_is_one(outcome->mark[i])) {
			ret_marks[outcome->square[i] - 1] = outcome->mark[i];
			*ret_new |= bit(outcome->mark[i]);
		}
	}
}

/* What a choice would give: "[3]  O8 in 3" above nine small squares. */
static void put_outcome(struct sheet *sheet, size_t choice, size_t row, size_t column)
{
	unsigned int square = sheet->board->choices[choice];
	unsigned int closing = sheet->board->move;
	uint8_t marks[9];
	unsigned int made;

	outcome_marks(sheet, choice, marks, &made);
	put_number(sheet, row, column, square % 10);
	if (mark_is_one(closing)) {
		char text[CANVAS_COLUMNS];

		put_mark(sheet, row, column + 5, closing, false);
		snprintf(text, sizeof(text), _(" in %u"), square % 10);
		canvas_put(&sheet->canvas, row, column + 7, text, PAINT_PLAIN);
	}
	put_frame(sheet, row + 1, column, OUTCOME_CELL, 1);
	for (size_t i = 0; i < 9; i++) {
		size_t at_row = row + 1 + i / 3 * 2;
		size_t at_column = column + i % 3 * (OUTCOME_CELL + 1) + 1;

		if (mark_is_one(marks[i])) {
			bool is_made = (made & bit(marks[i])) != 0;

			put_mark(sheet, at_row, at_column, marks[i], false);
			canvas_put(&sheet->canvas, at_row, at_column + 2, is_made ? "*" : "",
					PAINT_STRONG);
		} else {
			canvas_put(&sheet->canvas, at_row, at_column + 1,
					sheet->drawing->ascii ? "." : "·", PAINT_QUIET);
		}
	}
}

/* "Cycle 1-5-9: X3 to 1 or 9", in two rows where it may be too wide. Returns the row behind it. */
static size_t put_cycle(struct sheet *sheet, size_t row)
{
	const struct board *board = sheet->board;
	char text[2 * CANVAS_COLUMNS];
	char cycle[2 * 9 + 1] = "";
	size_t column = sheet->indent;
	size_t length = 0;

	for (size_t i = 0; i < board->cycle_count && i < 9; i++) {
		length += (size_t)snprintf(cycle + length, sizeof(cycle) - length, "%s%u",
				i > 0 ? "-" : "", (unsigned int)board->cycle[i] % 10);
	}
	snprintf(text, sizeof(text), _("Cycle %s: "), cycle);
	canvas_put(&sheet->canvas, row, column, text, PAINT_CYCLE);
	if (sheet->cell_rows > SLOT_ROWS) {
		row++;
	} else {
		column += text_columns(text);
	}
	if (mark_is_one(board->move)) {
		put_mark(sheet, row, column, board->move, false);
	}
	snprintf(text, sizeof(text), _(" to %u or %u"), (unsigned int)board->choices[0] % 10,
			(unsigned int)board->choices[1] % 10);
	canvas_put(&sheet->canvas, row, column + 2, text, PAINT_CYCLE);
	return row + 1;
}

/* Side by side, or below each other where two are too wide. */
static void put_outcomes(struct sheet *sheet)
{
	/* Below the board and an empty row. */
	size_t row = put_cycle(sheet, 3 * sheet->cell_rows + 3);
	bool beside = sheet->drawing->columns > 2 * OUTCOME_WIDTH + OUTCOME_GAP + sheet->indent;

	put_outcome(sheet, 0, row, sheet->indent);
	if (beside) {
		put_outcome(sheet, 1, row, sheet->indent + OUTCOME_WIDTH + OUTCOME_GAP);
	} else {
		put_outcome(sheet, 1, row + 7, sheet->indent);
	}
}

void drawing_board(const struct drawing *drawing, const struct board *board, FILE *out)
{
	bool wide = drawing->columns >= WIDE_COLUMNS;
	bool narrow = drawing->columns < NARROW_COLUMNS;
	size_t slots_at = (size_t)(narrow ? 0 : CELL_NUMBER) + (wide ? 2 : 0);
	struct sheet sheet = {
			.drawing = drawing,
			.board = board,
			.cell_width = slots_at + (size_t)3 * SLOT_WIDTH + (wide ? 1 : 0),
			.cell_rows = SLOT_ROWS + (narrow ? 1 : 0),
			.slots_at = slots_at,
			.indent = wide ? 2 : 0,
			.bar = drawing->ascii ? "|" : "│",
			.dash = drawing->ascii ? "-" : "─",
			.crossing = drawing->ascii ? "+" : "┼",
	};

	put_board(&sheet);
	if (board->phase == PHASE_COLLAPSE) {
		put_outcomes(&sheet);
	}
	canvas_write(&sheet.canvas, drawing->color, out);
}
