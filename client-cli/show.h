/* Pages for a terminal: sentences in colour that break at blanks, boards, tables, help. Writes to a
 * stream in memory; what of it comes from other people was made clean by protocol/tell, or is here.
 */
#ifndef CLIENT_SHOW_H
#define CLIENT_SHOW_H

#include <stdio.h>

#include "client-cli/paint.h"
#include "client-cli/scene.h"

struct show {
	FILE *out;
	size_t columns;
	bool color;
	bool ascii;
};

/* A line of text, perhaps of several rows: those after the first are indented by `hang`. */
void show_line(const struct show *show, enum paint paint, size_t hang, const char *text);

/* How a kind of message is painted. */
enum paint show_paint(const struct message *message);

/* The room's board, between empty lines. */
void show_board(const struct show *show, const struct scene_room *room);

/* The lobby's table; the columns that matter least are left out where it is narrow. */
void show_lobby(const struct show *show, const struct scene *scene);

/* "You win." and the like, if it was our game. */
void show_outcome(
		const struct show *show, const struct tell_room *room, const struct result *result);

/* All words, or all about one; "": all. */
void show_help(const struct show *show, const char *about);
void show_rules(const struct show *show);
void show_keys(const struct show *show);

#endif
