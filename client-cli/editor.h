/* A line that is being typed: bytes of keys in, a line out. Knows no terminal and no clock, so that
 * a test is a string of keys.
 *
 * It is our own, not libedit's el_* interface, which was tried first: between two keys, when
 * something is to be printed above a half-typed line, el_* tells neither how many rows of the
 * screen its prompt and line take nor where its cursor stands. A line that wraps then leaves its
 * first row behind, and after a change of the window's width it is drawn in the wrong place. Here
 * the line always takes one row, and scrolls sideways in it. */
#ifndef CLIENT_EDITOR_H
#define CLIENT_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/limits.h"

/* A line with its NUL: as long as a line to the server may be. */
#define EDITOR_LINE_SIZE LIMIT_LINE_BYTES
/* Lines that are remembered; the oldest is forgotten. */
#define EDITOR_HISTORY_MAX 200
/* The longest sequence of bytes that is one key. */
#define EDITOR_KEY_SIZE 16

enum editor_event {
	EDITOR_NONE,	  /* all keys are taken; the line may have changed */
	EDITOR_LINE,	  /* Enter: editor->text is to be taken, then editor_clear */
	EDITOR_COMPLETE,  /* Tab */
	EDITOR_END,	  /* ^D in an empty line */
	EDITOR_INTERRUPT, /* ^C */
	EDITOR_SUSPEND,	  /* ^Z */
	EDITOR_REDRAW	  /* ^L */
};

struct editor {
	char text[EDITOR_LINE_SIZE]; /* clean UTF-8, NUL-ended */
	size_t length;
	size_t cursor;		       /* bytes before it */
	size_t first;		       /* of the window: bytes that are scrolled out on its left */
	char killed[EDITOR_LINE_SIZE]; /* what ^K, ^U or ^W took last, for ^Y */
	char *history[EDITOR_HISTORY_MAX]; /* owned; the oldest first */
	size_t history_count;
	size_t history_at;	      /* the line that is shown; history_count: the new one */
	char draft[EDITOR_LINE_SIZE]; /* the new one, while an old one is shown */
	char key[EDITOR_KEY_SIZE];    /* the beginning of a key of several bytes */
	size_t key_length;
	bool pasting; /* what comes is pasted: text, whatever it says */
};

void editor_init(struct editor *editor);
void editor_fini(struct editor *editor);

/* Take keys up to the first that is an event for the caller, who calls again with the rest. Returns
 * the number of bytes taken. */
size_t editor_take(struct editor *editor, const char *data, size_t length,
		enum editor_event *ret_event);

/* An empty line. */
void editor_clear(struct editor *editor);

/* Remember the line, unless it is empty or the one before was the same. */
void editor_remember(struct editor *editor);

/* Replace the bytes from `from` to the cursor by text, as completion does. What does not fit is
 * left out. */
void editor_replace(struct editor *editor, size_t from, const char *text);

/* What is seen of the line through a window of some columns, which follows the cursor. The text is
 * at most `columns` wide; *ret_cursor is below `columns`. */
void editor_window(struct editor *editor, size_t columns, char ret_text[EDITOR_LINE_SIZE],
		size_t *ret_cursor);

#endif
