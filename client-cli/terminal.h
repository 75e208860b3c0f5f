/* The terminal itself: keys as they are pressed, its size, and one row at the bottom of what was
 * printed that is kept for the prompt. All else scrolls, as with any program: no full-screen mode,
 * so that scrolling back, searching and copying stay the terminal's.
 *
 * The row is at most one column narrower than the window. When the window gets narrower, a terminal
 * that flows its lines anew breaks the row; it is found again by the place of the cursor in it. */
#ifndef CLIENT_TERMINAL_H
#define CLIENT_TERMINAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "client-cli/paint.h"

/* Without an answer from the system. */
#define TERMINAL_COLUMNS 80
#define TERMINAL_ROWS 24

struct terminal {
	int input;
	int output;
	size_t columns;
	size_t rows;
	struct termios before;
	sigset_t mask_before; /* for ppoll: the only time that the signals are let in */
	bool begun;
	bool shown;	   /* the prompt's row is on the screen, the cursor in it */
	size_t cursor;	   /* its column */
	size_t block_rows; /* of what was printed last, if that may be replaced */
	bool failed;	   /* it can't be written to */
};

struct terminal_prompt {
	const char *text;
	enum paint paint;
	bool color;
	const char *line; /* what is seen of the line that is typed */
	size_t cursor;	  /* columns before the cursor in it */
};

/* What signals have asked for since the last time. */
struct terminal_signals {
	bool resized;	/* the window's size is another */
	bool continued; /* after a stop: the terminal may have been used by others */
	bool ended;	/* by SIGTERM, SIGHUP or SIGINT */
};

/* Take keys as they are pressed from here on. Returns 0 or a negative errno. */
int terminal_begin(struct terminal *terminal, int input, int output);

/* Leave the terminal as it was; the prompt's row is erased. */
void terminal_end(struct terminal *terminal);

/* Ask the system for the size; a block that was printed may be of other rows now. */
void terminal_measure(struct terminal *terminal);

struct terminal_signals terminal_take_signals(void);

/* Has one come that was not taken? Ask before waiting: it may have come while something was
 * written. */
bool terminal_has_signals(void);

/* Print text above the prompt's row. A `block` may be replaced by the next one, if nothing else is
 * printed between them. */
void terminal_print(struct terminal *terminal, const char *text, size_t length,
		const struct terminal_prompt *prompt, bool block);

/* Draw the prompt's row. */
void terminal_show(struct terminal *terminal, const struct terminal_prompt *prompt);

/* Leave the prompt's row as it is, as a line of what was printed. */
void terminal_pass(struct terminal *terminal);

/* Erase the whole window. */
void terminal_wipe(struct terminal *terminal);

/* Stop, as ^Z asks; returns when the shell lets us go on. */
void terminal_suspend(struct terminal *terminal);

/* After a stop that another asked for: take keys again, and nothing of ours is on the screen. */
void terminal_resume(struct terminal *terminal);

#endif
