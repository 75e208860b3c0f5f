#include <stdio.h>

#include "protocol/encode.h"
#include "protocol/tell_parts.h"
#include "protocol/text.h"

void tell_players(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, "Online: %lld.", (long long)ok->online);
	for (size_t i = 0; i < ok->player_count; i++) {
		const struct who_row *row = &ok->players[i];

		tell_line(tell, "  %s%s%s", row->name, row->room[0] != '\0' ? " in room " : "",
				row->room);
	}
}

void tell_muted(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, ok->muted_count > 0 ? "Muted:" : "Nobody is muted.");
	for (size_t i = 0; i < ok->muted_count; i++) {
		tell_line(tell, "  %s", ok->muted[i]);
	}
}

/* The lobby is a table: a column is a title and how to write a cell. */

#define CELL_SIZE (TITLE_SIZE + 1)

static void cell_room(const struct summary *row, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%s", row->room);
}

static void cell_x(const struct summary *row, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%s", row->players[0][0] != '\0' ? row->players[0] : "-");
}

static void cell_o(const struct summary *row, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%s", row->players[1][0] != '\0' ? row->players[1] : "-");
}

static void cell_status(const struct summary *row, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%s", status_word(row->status));
}

static void cell_move(const struct summary *row, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%lld", (long long)row->move);
}

static void cell_clock(const struct summary *row, char ret_text[CELL_SIZE])
{
	char clock[CLOCK_TEXT_SIZE];

	tell_clock_agreed(&row->clock, clock);
	snprintf(ret_text, CELL_SIZE, "%s", clock);
}

static void cell_watching(const struct summary *row, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%lld", (long long)row->spectators);
}

static void cell_title(const struct summary *row, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%s", row->title);
}

static const struct {
	const char *title;
	void (*write)(const struct summary *row, char ret_text[CELL_SIZE]);
} columns[] = {
		{"ROOM", cell_room},
		{"X", cell_x},
		{"O", cell_o},
		{"STATUS", cell_status},
		{"MOVE", cell_move},
		{"CLOCK", cell_clock},
		{"WATCHING", cell_watching},
		{"TITLE", cell_title},
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

/* Columns on the screen, as far as one character is one column. */
static size_t cell_width(const char *text)
{
	long chars = text_chars(text);

	return chars >= 0 ? (size_t)chars : strlen(text);
}

static void lobby_widths(const struct ok *ok, size_t ret_widths[COLUMN_COUNT])
{
	char text[CELL_SIZE];

	for (size_t column = 0; column < COLUMN_COUNT; column++) {
		ret_widths[column] = cell_width(columns[column].title);
		for (size_t i = 0; i < ok->summary_count; i++) {
			columns[column].write(&ok->summaries[i], text);
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

	for (size_t column = 0; column < COLUMN_COUNT; column++) {
		size_t padding;

		if (row) {
			columns[column].write(row, text);
		} else {
			snprintf(text, sizeof(text), "%s", columns[column].title);
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

void tell_rooms(struct tell *tell, const struct ok *ok)
{
	size_t widths[COLUMN_COUNT];

	if (ok->summary_count == 0) {
		tell_line(tell, "No such rooms. To open one: create. To play whoever comes next: "
				"match");
		return;
	}
	lobby_widths(ok, widths);
	lobby_row(tell, NULL, widths);
	for (size_t i = 0; i < ok->summary_count; i++) {
		lobby_row(tell, &ok->summaries[i], widths);
	}
	if (ok->carries & OK_NEXT) {
		tell_line(tell, "There are more: add after=%s", ok->next);
	}
}
