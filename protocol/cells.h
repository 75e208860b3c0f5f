/* A room of the lobby as cells of a table of text, for whoever draws one. */
#ifndef PROTOCOL_CELLS_H
#define PROTOCOL_CELLS_H

#include "protocol/message.h"

enum cell {
	CELL_ROOM,
	CELL_X,
	CELL_O,
	CELL_STATUS,
	CELL_MOVE,
	CELL_CLOCK,
	CELL_WATCHING,
	CELL_TITLE,
	CELL_COUNT
};

/* The longest cell, its NUL included. */
#define CELL_SIZE (TITLE_SIZE + 1)

/* The column's head, in English. Never NULL. */
const char *cell_head(enum cell cell);

/* What stands there for a room; "-" for a free seat or no clock, "?" for what is not clean: that
 * comes from a server which does not keep its word. */
void cell_write(enum cell cell, const struct summary *row, char ret_text[CELL_SIZE]);

#endif
