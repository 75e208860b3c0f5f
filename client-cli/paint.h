/* Colours by what they are for. Everything that is painted can be told apart without them. */
#ifndef CLIENT_PAINT_H
#define CLIENT_PAINT_H

#include <stdbool.h>

enum paint {
	PAINT_PLAIN,
	PAINT_X,
	PAINT_O,
	PAINT_X_LAST, /* a mark of the last action */
	PAINT_O_LAST,
	PAINT_QUIET, /* frames, and what matters less */
	PAINT_CYCLE, /* a square of the cycle that is to be measured */
	PAINT_CHOICE,
	PAINT_LINE, /* a line that scored */
	PAINT_STRONG,
	PAINT_ERROR,
	PAINT_CHAT,
	PAINT_CALL, /* somebody wants something of you */
	PAINT_COUNT
};

enum paint_when { PAINT_AUTO, PAINT_ALWAYS, PAINT_NEVER };

/* Is colour wanted? With PAINT_AUTO on a terminal alone, unless NO_COLOR is set (to anything but
 * "") or TERM is "dumb"; either may be NULL. */
bool paint_wanted(enum paint_when when, bool is_terminal, const char *no_color, const char *term);

/* The bytes that begin a paint, and those that end it; "" without colour. */
const char *paint_begin(bool color, enum paint paint);
const char *paint_end(bool color, enum paint paint);

#endif
