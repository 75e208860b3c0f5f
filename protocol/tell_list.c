#include <stdio.h>

#include "protocol/cells.h"
#include "protocol/encode.h"
#include "protocol/tell_parts.h"
#include "protocol/text.h"

void tell_players(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, "Online: %lld.", (long long)ok->online);
	for (size_t i = 0; i < ok->player_count; i++) {
		const struct who_row *row = &ok->players[i];

		char rating[32] = "";

		if (row->rating.set) {
			snprintf(rating, sizeof(rating), " (%lld)",
					(long long)tell_rating(row->rating.milli));
		}
		tell_line(tell, "  %s%s%s%s", row->name, rating,
				row->room[0] != '\0' ? " in room " : "", row->room);
	}
}

void tell_muted(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, ok->muted_count > 0 ? "Muted:" : "Nobody is muted.");
	for (size_t i = 0; i < ok->muted_count; i++) {
		tell_line(tell, "  %s", ok->muted[i]);
	}
}

/* The lobby is a table of cells. */

/* Columns on the screen, as far as one character is one column. */
static size_t cell_width(const char *text)
{
	long chars = text_chars(text);

	return chars >= 0 ? (size_t)chars : strlen(text);
}

static const struct summary *row_at(const struct summary *rows, size_t step, size_t index)
{
	return (const void *)((const char *)rows + index * step);
}

static void lobby_widths(const struct summary *rows, size_t step, size_t count,
		size_t ret_widths[CELL_COUNT])
{
	char text[CELL_SIZE];

	for (size_t column = 0; column < CELL_COUNT; column++) {
		ret_widths[column] = cell_width(cell_head((enum cell)column));
		for (size_t i = 0; i < count; i++) {
			cell_write((enum cell)column, row_at(rows, step, i), text);
			if (cell_width(text) > ret_widths[column]) {
				ret_widths[column] = cell_width(text);
			}
		}
	}
}

/* One row of the table, the titles' where row is NULL. */
static void lobby_row(struct tell *tell, const struct summary *row, const size_t *widths)
{
	char line[TELL_LINE_SIZE] = "";
	char text[CELL_SIZE];
	size_t length;

	for (size_t column = 0; column < CELL_COUNT; column++) {
		size_t padding;

		if (row) {
			cell_write((enum cell)column, row, text);
		} else {
			snprintf(text, sizeof(text), "%s", cell_head((enum cell)column));
		}
		padding = widths[column] - cell_width(text);
		tell_append(line, sizeof(line), "%s%s%*s", column > 0 ? "  " : "", text,
				(int)padding, "");
	}
	length = strlen(line);
	while (length > 0 && line[length - 1] == ' ') {
		line[--length] = '\0';
	}
	tell_line(tell, "%s", line);
}

void tell_summaries(struct tell *tell, const struct summary *rows, size_t step, size_t count)
{
	size_t widths[CELL_COUNT];

	lobby_widths(rows, step, count, widths);
	lobby_row(tell, NULL, widths);
	for (size_t i = 0; i < count; i++) {
		lobby_row(tell, row_at(rows, step, i), widths);
	}
}

void tell_rooms(struct tell *tell, const struct ok *ok)
{
	if (ok->summary_count == 0) {
		tell_line(tell, "No such rooms. To open one: create. To play whoever comes next: "
				"match");
		return;
	}
	tell_summaries(tell, ok->summaries, sizeof(*ok->summaries), ok->summary_count);
	if (ok->carries & OK_NEXT) {
		tell_line(tell, "There are more: add after=%s", ok->next);
	}
}
