/* Goff's record of a game, read and written:
 *
 *     1:X(1-2),2:O(2-3),3:X(6-7),4:O(3-1),4c:X(O4(3)),5:X(5-9)
 *
 * A placement n:P(a-b), the last square 9:X(5-5); a measurement nc:P(MARK(square)) with n the
 * closing move and P the chooser; a game that ended by a line or a full board ends in
 * "::X(0.5)-O(1)", which the reader checks. A reader takes any mark on the cycle, a writer names
 * the closing one. Blanks and newlines between items are ignored; anything else is refused. */
#ifndef GAME_NOTATION_H
#define GAME_NOTATION_H

#include <stddef.h>

#include "server/game/rules.h"

/* Longest text that notation_write makes, its NUL included. */
#define NOTATION_SIZE 256

struct notation_record {
	int count;
	struct rules_action actions[RULES_GAME_MAX];
	struct rules_state state; /* after them all */
};

struct notation_error {
	size_t at;		    /* the character, from 1; length + 1 is the end; for an action
				       that is refused, the first of its item */
	int item;		    /* index of the item it is in, from 0 */
	enum rules_refusal refusal; /* RULES_FINE: the text itself is wrong, else this action is */
	const char *message;	    /* a sentence; static */
};

/* Read text[0..length). Returns true and fills *ret (an empty text is the empty game); else false
 * and fills *ret_error, and *ret then holds what was played before the fault. */
bool notation_read(const char *text, size_t length, struct notation_record *ret,
		struct notation_error *ret_error);

/* Write the record of legal actions from the start; the score is added when the position that they
 * lead to is over. Returns the length, its NUL not counted. */
size_t notation_write(const struct rules_action *actions, int count, char ret_text[NOTATION_SIZE]);

#endif
