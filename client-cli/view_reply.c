#include <assert.h>
#include <string.h>
#include <time.h>

#include "client-cli/view_parts.h"
#include "protocol/encode.h"
#include "protocol/text.h"

/* One function a request, for what its `ok` tells. NULL: the events that follow tell it. */
typedef void (*reply_teller)(struct view *view, const struct ok *ok);

static void tell_hello(struct view *view, const struct ok *ok)
{
	if (ok->own_room_count > 0) {
		view_line(view, "Your unfinished games:");
	}
	for (size_t i = 0; i < ok->own_room_count; i++) {
		view_line(view, "  %s", ok->own_rooms[i]);
	}
}

static void tell_help(struct view *view, const struct ok *ok)
{
	view_help_rows(view, ok->requests, ok->request_count);
}

static void tell_who(struct view *view, const struct ok *ok)
{
	view_line(view, "Online: %lld.", (long long)ok->online);
	for (size_t i = 0; i < ok->player_count; i++) {
		const struct who_row *row = &ok->players[i];

		view_line(view, "  %s%s%s", row->name, row->room[0] != '\0' ? " in room " : "",
				row->room);
	}
}

static void tell_muted(struct view *view, const struct ok *ok)
{
	view_line(view, ok->muted_count > 0 ? "Muted:" : "Nobody is muted.");
	for (size_t i = 0; i < ok->muted_count; i++) {
		view_line(view, "  %s", ok->muted[i]);
	}
}

static void tell_ping(struct view *view, const struct ok *ok)
{
	time_t seconds = (time_t)(ok->now_ms / 1000);
	struct tm parts;
	char text[32] = "?";

	if (gmtime_r(&seconds, &parts)) {
		(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts);
	}
	view_line(view, "The server answers; its time is %s UTC.", text);
}

/* create, match and join: the seat is ours before the snapshot is told. */
static void tell_seat(struct view *view, const struct ok *ok)
{
	if (ok->carries & OK_SEAT) {
		rooms_see(&view->rooms, ok->room)->seat = ok->seat;
	}
	if (ok->state) {
		view_snapshot(view, ok->state);
	}
}

static void tell_state(struct view *view, const struct ok *ok)
{
	if (ok->state) {
		view_snapshot(view, ok->state);
	}
}

static void tell_declined(struct view *view, const struct ok *ok)
{
	view_line(view, "You declined the invitation to room %s.", ok->room);
}

static void tell_left(struct view *view, const struct ok *ok)
{
	rooms_drop(&view->rooms, ok->room);
	view_line(view, "You left room %s.", ok->room);
}

/* The lobby as a table: a column is a title and how to write a cell. */

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

	view_clock_agreed(&row->clock, clock);
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
static void lobby_row(struct view *view, const struct summary *row, const size_t *widths)
{
	char line[VIEW_LINE_SIZE] = "";
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
		view_append(line, sizeof(line), "%s%s%*s", column > 0 ? "  " : "", text,
				(int)padding, "");
	}
	length = strlen(line);
	while (length > 0 && line[length - 1] == ' ') {
		line[--length] = '\0';
	}
	view_line(view, "%s", line);
}

static void tell_lobby(struct view *view, const struct ok *ok)
{
	size_t widths[COLUMN_COUNT];

	if (ok->summary_count == 0) {
		view_line(view, "No such rooms. To open one: create. To play whoever comes next: "
				"match");
		return;
	}
	lobby_widths(ok, widths);
	lobby_row(view, NULL, widths);
	for (size_t i = 0; i < ok->summary_count; i++) {
		lobby_row(view, &ok->summaries[i], widths);
	}
	if (ok->carries & OK_NEXT) {
		view_line(view, "There are more: add after=%s", ok->next);
	}
}

static const reply_teller reply_rows[REQUEST_COUNT] = {
		[REQUEST_HELLO] = tell_hello,
		[REQUEST_HELP] = tell_help,
		[REQUEST_WHO] = tell_who,
		[REQUEST_MUTE] = tell_muted,
		[REQUEST_PING] = tell_ping,
		[REQUEST_CREATE] = tell_seat,
		[REQUEST_MATCH] = tell_seat,
		[REQUEST_JOIN] = tell_seat,
		[REQUEST_DECLINE] = tell_declined,
		[REQUEST_WATCH] = tell_state,
		[REQUEST_LEAVE] = tell_left,
		[REQUEST_LOBBY] = tell_lobby,
		[REQUEST_STATE] = tell_state,
};

/* Who we are can come with any reply: a guest is named by the first request that needs a name. */
static void learn_name(struct view *view, const struct ok *ok)
{
	const char *name = ok->to == REQUEST_HELLO ? ok->name : ok->you;

	if (name[0] != '\0' && (ok->to == REQUEST_HELLO || strcmp(name, view->rooms.name) != 0)) {
		snprintf(view->rooms.name, sizeof(view->rooms.name), "%s", name);
		view_line(view, "You are %s.", name);
	}
	if (ok->token[0] != '\0' && !view->hides_token) {
		view_line(view, "Your token, a secret that proves your name (hello token=...): %s",
				ok->token);
	}
}

void view_ok(struct view *view, const struct ok *ok)
{
	reply_teller tell;

	assert(ok->to < REQUEST_COUNT);
	tell = reply_rows[ok->to];
	learn_name(view, ok);
	if (tell) {
		tell(view, ok);
	}
}
