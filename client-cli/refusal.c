#include "client-cli/refusal.h"

#include <stdio.h>
#include <string.h>

#include "protocol/phrase.h"

/* The server's sentences that stand in its tables and macros, for xgettext, which finds the others
 * where they are said. */
static const char *const of_tables[] __attribute__((unused)) = {
		N_("A cycle is closed: it must be measured first."),
		N_("It is the other player's turn."),
		N_("Squares are 1 to 9."),
		N_("That is not a mark on the cycle with one of its squares."),
		N_("That square holds a classical mark."),
		N_("The game is over."),
		N_("The server is about to stop: no new games begin."),
		N_("The server stops."),
		N_("The two squares must be different."),
		N_("There is no cycle to measure."),
		N_("This is a game server, not a web server: it reads lines of JSON or words."),
};

/* Codes whose sentence is true whatever the message says: it says no more than the code. */
static const bool is_true[CODE_COUNT] = {
		[CODE_NO_SUCH_PLAYER] = true,
		[CODE_NO_SUCH_ROOM] = true,
		[CODE_NOT_IN_ROOM] = true,
		[CODE_NOT_SEATED] = true,
		[CODE_NOT_STARTED] = true,
		[CODE_GAME_OVER] = true,
		[CODE_NOT_YOUR_TURN] = true,
		[CODE_STALE] = true,
		[CODE_TOO_LATE] = true,
		[CODE_TOO_EARLY] = true,
		[CODE_NO_OFFER] = true,
		[CODE_NOT_ALLOWED] = true,
		[CODE_INTERNAL] = true,
};

void refusal_translate(struct error *error)
{
	const char *english = code_sentence(error->code);
	const char *sentence = phrase(english);
	char text[2 * sizeof(error->message)];
	int length;

	if (phrase(error->message) != error->message) {
		message_copy(error->message, sizeof(error->message), phrase(error->message));
		return;
	}
	if (!is_true[error->code] || sentence == english || error->message[0] == '\0') {
		return;
	}
	length = snprintf(text, sizeof(text), "%s (%s)", sentence, error->message);
	if (length < (int)sizeof(error->message)) {
		memcpy(error->message, text, (size_t)length + 1);
	}
}
