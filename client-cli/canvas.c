#include "client-cli/canvas.h"

#include <string.h>

#include "protocol/text.h"

void canvas_put(struct canvas *canvas, size_t row, size_t column, const char *text,
		enum paint paint)
{
	size_t length = strlen(text);
	size_t at = 0;
	int codepoint;

	if (row >= CANVAS_ROWS) {
		return;
	}
	if (row >= canvas->rows) {
		canvas->rows = row + 1;
	}
	while (at < length && column < CANVAS_COLUMNS) {
		struct canvas_cell *cell = &canvas->cells[row][column++];
		size_t size = text_char(text + at, length - at, &codepoint);

		memset(cell->character, 0, sizeof(cell->character));
		memcpy(cell->character, text + at, size > 0 ? size : 1);
		cell->paint = (uint8_t)paint;
		at += size > 0 ? size : 1;
	}
}

void canvas_fill(struct canvas *canvas, size_t row, size_t column, const char *character,
		size_t count, enum paint paint)
{
	for (size_t i = 0; i < count; i++) {
		canvas_put(canvas, row, column + i, character, paint);
	}
}

static bool cell_is_blank(const struct canvas_cell *cell)
{
	return cell->character[0] == '\0' || strcmp(cell->character, " ") == 0;
}

static size_t row_width(const struct canvas_cell row[CANVAS_COLUMNS])
{
	size_t width = CANVAS_COLUMNS;

	while (width > 0 && cell_is_blank(&row[width - 1])) {
		width--;
	}
	return width;
}

void canvas_write(const struct canvas *canvas, bool color, FILE *out)
{
	for (size_t row = 0; row < canvas->rows; row++) {
		enum paint paint = PAINT_PLAIN;
		size_t width = row_width(canvas->cells[row]);

		for (size_t column = 0; column < width; column++) {
			const struct canvas_cell *cell = &canvas->cells[row][column];

			if (cell->paint != paint) {
				fputs(paint_end(color, paint), out);
				paint = (enum paint)cell->paint;
				fputs(paint_begin(color, paint), out);
			}
			fputs(cell->character[0] != '\0' ? cell->character : " ", out);
		}
		fputs(paint_end(color, paint), out);
		fputc('\n', out);
	}
}
