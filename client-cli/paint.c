#include "client-cli/paint.h"

#include <stddef.h>
#include <string.h>

/* The sixteen colours that a terminal's user can set, so that they fit his background. */
static const char *const codes[PAINT_COUNT] = {
		[PAINT_PLAIN] = "",
		[PAINT_X] = "\033[36m",
		[PAINT_O] = "\033[35m",
		[PAINT_X_LAST] = "\033[1;7;36m",
		[PAINT_O_LAST] = "\033[1;7;35m",
		[PAINT_QUIET] = "\033[2m",
		[PAINT_CYCLE] = "\033[33m",
		[PAINT_CHOICE] = "\033[1;33m",
		[PAINT_LINE] = "\033[1;32m",
		[PAINT_STRONG] = "\033[1m",
		[PAINT_ERROR] = "\033[31m",
		[PAINT_CHAT] = "\033[34m",
		[PAINT_CALL] = "\033[1;32m",
};

bool paint_wanted(enum paint_when when, bool is_terminal, const char *no_color, const char *term)
{
	if (when != PAINT_AUTO) {
		return when == PAINT_ALWAYS;
	}
	return is_terminal && !(no_color && no_color[0] != '\0') && term &&
	       strcmp(term, "dumb") != 0;
}

const char *paint_begin(bool color, enum paint paint)
{
	return color ? codes[paint] : "";
}

const char *paint_end(bool color, enum paint paint)
{
	return color && paint != PAINT_PLAIN ? "\033[m" : "";
}
