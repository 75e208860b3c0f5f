#include <stdio.h>

#include "protocol/cells.h"
#include "protocol/encode.h"
#include "protocol/phrase.h"
#include "protocol/tell_parts.h"
#include "protocol/text.h"

void tell_players(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, _("Online: %lld."), (long long)ok->online);
	for (size_t i = 0; i < ok->player_count; i++) {
		const struct who_row *row = &ok->players[i];

		char rating[32] = "";

		if (row->rating.set) {
			snprintf(rating, sizeof(rating), " (%lld)",
					(long long)tell_rating(row->rating.milli));
		}
		if (row->room[0] != '\0') {
			tell_line(tell, _("  %s%s in room %s"), row->name, rating, row->room);
		} else {
			tell_line(tell, "  %s%s", row->name, rating);
		}
	}
}

void tell_muted(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, "%s", ok->muted_count > 0 ? _("Muted:") : _("Nobody is muted."));
	for (size_t i = 0; i < ok->muted_count; i++) {
		tell_line(tell, "  %s", ok->muted[i]);
	}
}

/* Tables. */

static size_t column_width(const struct tell_table *table, size_t column)
{
	size_t width = text_columns(_(table->heads[column]));
	char text[CELL_SIZE];

	for (size_t row = 0; row < table->row_count; row++) {
		table->cell(table, row, column, text);
		width = text_columns(text) > width ? text_columns(text) : width;
	}
	return width;
}

static void cell_cut(char text[CELL_SIZE], size_t width)
{
	while (text_columns(text) > width) {
		text[text_cut(text, strlen(text), strlen(text) - 1)] = '\0';
	}
}

/* A column of width 0 is left out. */
#define COLUMN_GAP 2
#define COLUMN_LEAST 3

static size_t table_width(const struct tell_table *table, const size_t *widths)
{
	size_t width = 0;

	for (size_t column = 0; column < table->column_count; column++) {
		width += widths[column] > 0 ? widths[column] + COLUMN_GAP : 0;
	}
	return width > 0 ? width - COLUMN_GAP : 0;
}

static size_t *table_widest(const struct tell_table *table, size_t *widths)
{
	size_t *widest = widths;

	for (size_t column = 1; column < table->column_count; column++) {
		widest = widths[column] > *widest ? &widths[column] : widest;
	}
	return widest;
}

static void table_fit(const struct tell_table *table, size_t columns, size_t *widths)
{
	for (size_t i = 0; i < table->spare_count && table_width(table, widths) > columns; i++) {
		widths[table->spare[i]] = 0;
	}
	while (table_width(table, widths) > columns &&
			*table_widest(table, widths) > COLUMN_LEAST) {
		(*table_widest(table, widths))--;
	}
}

/* One row of the table; the titles' is the one after the last. */
static void table_row(
		struct tell *tell, const struct tell_table *table, size_t row, const size_t *widths)
{
	char line[TELL_LINE_SIZE] = "";
	char text[CELL_SIZE];
	size_t length;

	for (size_t column = 0; column < table->column_count; column++) {
		if (widths[column] == 0) {
			continue;
		}
		if (row < table->row_count) {
			table->cell(table, row, column, text);
		} else {
			snprintf(text, sizeof(text), "%s", _(table->heads[column]));
		}
		cell_cut(text, widths[column]);
		tell_append(line, sizeof(line), "%s%s%*s", line[0] != '\0' ? "  " : "", text,
				(int)(widths[column] - text_columns(text)), "");
	}
	length = strlen(line);
	while (length > 0 && line[length - 1] == ' ') {
		line[--length] = '\0';
	}
	tell_line(tell, "%s", line);
}

void tell_table(struct tell *tell, const struct tell_table *table)
{
	size_t widths[TELL_COLUMNS_MAX];

	for (size_t column = 0; column < table->column_count; column++) {
		widths[column] = column_width(table, column);
	}
	if (tell->columns > 0) {
		table_fit(table, tell->columns, widths);
	}
	table_row(tell, table, table->row_count, widths);
	for (size_t row = 0; row < table->row_count; row++) {
		table_row(tell, table, row, widths);
	}
}

/* Rooms. */

static void rooms_cell(
		const struct tell_table *table, size_t row, size_t column, char ret_text[CELL_SIZE])
{
	const void *summary = (const char *)table->rows + row * table->step;

	cell_write((enum cell)column, summary, ret_text);
}

void tell_summaries(struct tell *tell, const struct summary *rows, size_t step, size_t count)
{
	static const size_t spare[] = {
			CELL_TITLE, CELL_WATCHING, CELL_CLOCK, CELL_MOVE, CELL_STATUS};
	const char *heads[CELL_COUNT];
	const struct tell_table table = {.column_count = CELL_COUNT,
			.heads = heads,
			.row_count = count,
			.rows = rows,
			.step = step,
			.cell = rooms_cell,
			.spare_count = sizeof(spare) / sizeof(spare[0]),
			.spare = spare};

	for (size_t column = 0; column < CELL_COUNT; column++) {
		heads[column] = cell_head((enum cell)column);
	}
	tell_table(tell, &table);
}

void tell_rooms(struct tell *tell, const struct ok *ok)
{
	if (ok->summary_count == 0) {
		tell_line(tell, "%s",
				_("No such rooms. To open one: create. To play whoever comes next: "
				  "match"));
		return;
	}
	tell_summaries(tell, ok->summaries, sizeof(*ok->summaries), ok->summary_count);
	if (ok->carries & OK_NEXT) {
		tell_line(tell, _("There are more: add after=%s"), ok->next);
	}
}
