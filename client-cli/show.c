#include "client-cli/show.h"

#include <string.h>

#include "client-cli/clocks.h"
#include "client-cli/drawing.h"
#include "protocol/cells.h"
#include "protocol/encode.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

/* The longest piece of text[0..length) that fits into so many columns and ends before a blank, at
 * the end, or, where a word alone is wider, inside it. */
static size_t row_length(const char *text, size_t length, size_t columns)
{
	size_t at = 0;
	size_t blank = 0;
	size_t width = 0;
	int codepoint;

	while (at < length) {
		size_t size = text_char(text + at, length - at, &codepoint);

		width += size > 0 ? (size_t)text_char_columns(codepoint) : 1;
		if (width > columns) {
			return blank > 0 && text[at] != ' ' ? blank : at;
		}
		if (text[at] == ' ' && at > 0) {
			blank = at;
		}
		at += size > 0 ? size : 1;
	}
	return length;
}

void show_line(const struct show *show, enum paint paint, size_t hang, const char *text)
{
	size_t left = strlen(text);
	size_t indent = 0;

	do {
		size_t columns = show->columns > indent + 9 ? show->columns - indent - 1 : 8;
		size_t length = row_length(text, left, columns);

		fprintf(show->out, "%*s%s%.*s%s\n", (int)indent, "",
				paint_begin(show->color, paint), (int)length, text,
				paint_end(show->color, paint));
		text += length;
		left -= length;
		while (left > 0 && *text == ' ') {
			text++;
			left--;
		}
		indent = hang;
	} while (left > 0);
}

/* Messages. */

static const enum paint event_paints[EVENT_COUNT] = {
		[EVENT_STARTED] = PAINT_STRONG,
		[EVENT_ENDED] = PAINT_STRONG,
		[EVENT_DRAW_OFFERED] = PAINT_CALL,
		[EVENT_REMATCH_OFFERED] = PAINT_CALL,
		[EVENT_INVITED] = PAINT_CALL,
		[EVENT_PRESENCE] = PAINT_QUIET,
		[EVENT_LOBBY] = PAINT_QUIET,
		[EVENT_OPENED] = PAINT_QUIET,
		[EVENT_SAID] = PAINT_CHAT,
		[EVENT_NOTICE] = PAINT_CHOICE,
		[EVENT_BYE] = PAINT_STRONG,
		[EVENT_WELCOME] = PAINT_QUIET,
};

enum paint show_paint(const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_OK:
		break;
	case MESSAGE_ERROR:
		return PAINT_ERROR;
	case MESSAGE_EVENT:
		return event_paints[message->event.type];
	}
	return PAINT_PLAIN;
}

static void show_clocks(const struct show *show, const struct clock_running *clock)
{
	bool low = clocks_low(clock);
	char clocks[TELL_CLOCKS_SIZE];
	char line[2 * TELL_CLOCKS_SIZE];

	if (clock->set) {
		tell_clocks_text(clock, clocks);
		snprintf(line, sizeof(line), "%s%s%s", clocks, low ? " " : "",
				low ? _("Little is left!") : "");
		show_line(show, low ? PAINT_ERROR : PAINT_QUIET, 2, line);
	}
}

void show_board(const struct show *show, const struct scene_room *room)
{
	const struct drawing drawing = {
			.columns = show->columns,
			.ascii = show->ascii,
			.color = show->color,
			.last = room->last,
			.line = room->line,
	};

	fputc('\n', show->out);
	drawing_board(&drawing, &room->board, show->out);
	show_clocks(show, &room->clock);
	fputc('\n', show->out);
}

void show_outcome(
		const struct show *show, const struct tell_room *room, const struct result *result)
{
	int lead = result->half_points_x - result->half_points_o;

	if (!room || room->seat == SEAT_NONE || !result->scored) {
		return;
	}
	if (room->seat == SEAT_O) {
		lead = -lead;
	}
	if (lead > 0) {
		show_line(show, PAINT_LINE, 0, _("You win! Another game: rematch"));
	} else {
		show_line(show, PAINT_STRONG, 0,
				lead < 0 ? _("You lose. Another game: rematch")
					 : _("A draw. Another game: rematch"));
	}
	show_line(show, PAINT_QUIET, 0, _("What each action was worth: analyse"));
}

/* The lobby as a table. The columns on the right are left out first where there is no room. */

static const enum cell shown[] = {
		CELL_ROOM, CELL_X, CELL_O, CELL_MOVE, CELL_CLOCK, CELL_WATCHING, CELL_TITLE};

#define COLUMN_COUNT (sizeof(shown) / sizeof(shown[0]))
#define COLUMN_GAP 2

static size_t column_width(const struct scene *scene, size_t column)
{
	size_t width = text_columns(_(cell_head(shown[column])));
	char text[CELL_SIZE];

	for (size_t i = 0; i < scene->lobby_count; i++) {
		cell_write(shown[column], &scene->lobby[i], text);
		if (text_columns(text) > width) {
			width = text_columns(text);
		}
	}
	return width;
}

/* How many columns fit, the first always. */
static size_t lobby_fit(
		const struct show *show, const struct scene *scene, size_t ret_widths[COLUMN_COUNT])
{
	size_t width = 0;

	for (size_t column = 0; column < COLUMN_COUNT; column++) {
		ret_widths[column] = column_width(scene, column);
		width += ret_widths[column] + (column > 0 ? COLUMN_GAP : 0);
		if (width >= show->columns && column > 0) {
			return column;
		}
	}
	return COLUMN_COUNT;
}

static void lobby_row(const struct show *show, const struct summary *row, const size_t *widths,
		size_t count)
{
	char text[CELL_SIZE];

	for (size_t column = 0; column < count; column++) {
		if (row) {
			cell_write(shown[column], row, text);
		} else {
			snprintf(text, sizeof(text), "%s", _(cell_head(shown[column])));
		}
		fprintf(show->out, "%s%s", column > 0 ? "  " : "", text);
		if (column + 1 < count) {
			fprintf(show->out, "%*s", (int)(widths[column] - text_columns(text)), "");
		}
	}
}

/* A table that stands still looks like one that is kept. */
static void tell_whether_kept(const struct show *show, const struct scene *scene)
{
	if (!scene->follows_lobby) {
		show_line(show, PAINT_QUIET, 2,
				_("The lobby is not kept up to date from now on; lobby begins "
				  "again."));
	}
}

void show_lobby(const struct show *show, const struct scene *scene)
{
	size_t widths[COLUMN_COUNT];
	size_t count = lobby_fit(show, scene, widths);

	if (scene->lobby_count == 0) {
		show_line(show, PAINT_QUIET, 2,
				scene->lobby_status == STATUS_WAITING
						? _("Nobody waits for an opponent. match opens a "
						    "room, or takes the first that comes.")
						: _("No such rooms."));
		tell_whether_kept(show, scene);
		return;
	}
	fputs(paint_begin(show->color, PAINT_QUIET), show->out);
	lobby_row(show, NULL, widths, count);
	fprintf(show->out, "%s\n", paint_end(show->color, PAINT_QUIET));
	for (size_t i = 0; i < scene->lobby_count; i++) {
		lobby_row(show, &scene->lobby[i], widths, count);
		fputc('\n', show->out);
	}
	show_line(show, PAINT_QUIET, 0,
			scene->lobby_status == STATUS_WAITING
					? _("join ROOM plays, watch ROOM looks on.")
					: _("watch ROOM looks on."));
	tell_whether_kept(show, scene);
}
