/* What the parts of the view share. */
#ifndef CLIENT_VIEW_PARTS_H
#define CLIENT_VIEW_PARTS_H

#include "client-cli/view.h"

/* Longest line; what is longer is cut. */
#define VIEW_LINE_SIZE 4096

/* "ala (X)" */
#define PERSON_SIZE (NAME_SIZE + 4)
#define CLOCK_TEXT_SIZE 48

/* Print one line. This is the only place that writes to the output: control, bidi and other
 * characters that are not clean, also a newline inside, come out as \xNN. */
void view_line(struct view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append to the text, which is cut where it would be longer than its size. */
void view_append(char *text, size_t size, const char *format, ...)
		__attribute__((format(printf, 3, 4)));

/* Lines are marked with the room from here on, if another room runs beside it. "": none. */
void view_mark_room(struct view *view, const char *room);

/* The player in a seat: "ala (X)", or "X" while the name is not known. room may be NULL. */
void view_person(const struct room_seen *room, enum seat seat, char ret_text[PERSON_SIZE]);

/* Who sits in a seat of a table: the name, or "free". */
const char *view_name_or_free(const char *name);

/* "3+2" */
void view_clock_agreed(const struct clock_agreed *clock, char ret_text[CLOCK_TEXT_SIZE]);

/* The drawing, the clocks if they run, and whose turn it is. room and clock may be NULL. */
void view_board(struct view *view, const struct room_seen *room, const struct board *board,
		const struct clock_running *clock);

/* How a game ended, in a sentence. */
void view_result(struct view *view, const struct result *result);

/* A room as it stands; what it tells is remembered. */
void view_snapshot(struct view *view, const struct snapshot *state);

void view_said(struct view *view, const char *player, enum seat seat, const char *text);

void view_event(struct view *view, const struct event *event);
void view_ok(struct view *view, const struct ok *ok);
void view_help_rows(struct view *view, const enum request_type *types, size_t count);

#endif
