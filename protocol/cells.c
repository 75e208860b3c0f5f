#include "protocol/cells.h"

#include <assert.h>
#include <stdio.h>

#include "protocol/encode.h"
#include "protocol/phrase.h"
#include "protocol/tell_parts.h"
#include "protocol/text.h"

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
	snprintf(ret_text, CELL_SIZE, "%s", tell_status(row->status));
}

static void cell_move(const struct summary *row, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%lld", (long long)row->move);
}

static void cell_clock(const struct summary *row, char ret_text[CELL_SIZE])
{
	static_assert(CLOCK_TEXT_SIZE <= CELL_SIZE, "a clock fits into a cell");
	tell_clock_agreed(&row->clock, ret_text);
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
	const char *head;
	void (*write)(const struct summary *row, char ret_text[CELL_SIZE]);
} columns[CELL_COUNT] = {
		[CELL_ROOM] = {N_("ROOM"), cell_room},
		[CELL_X] = {"X", cell_x},
		[CELL_O] = {"O", cell_o},
		[CELL_STATUS] = {N_("STATUS"), cell_status},
		[CELL_MOVE] = {N_("MOVE"), cell_move},
		[CELL_CLOCK] = {N_("CLOCK"), cell_clock},
		[CELL_WATCHING] = {N_("WATCHING"), cell_watching},
		[CELL_TITLE] = {N_("TITLE"), cell_title},
};

const char *cell_head(enum cell cell)
{
	return columns[cell].head;
}

void cell_write(enum cell cell, const struct summary *row, char ret_text[CELL_SIZE])
{
	columns[cell].write(row, ret_text);
	if (!text_is_clean(ret_text)) {
		snprintf(ret_text, CELL_SIZE, "?");
	}
}
