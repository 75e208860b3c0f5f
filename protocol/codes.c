#include "protocol/codes.h"

#include <stddef.h>
#include <string.h>

#include "protocol/phrase.h"

struct code_row {
	const char *word;
	const char *sentence;
};

static const struct code_row rows[CODE_COUNT] = {
		[CODE_NONE] = {"", N_("Nothing went wrong.")},
		[CODE_BAD_JSON] = {"bad_json", N_("A line must be one JSON object in UTF-8, or "
						  "words; ask for help.")},
		[CODE_TOO_LONG] = {"too_long", N_("The line is too long; it was skipped.")},
		[CODE_BAD_REQUEST] = {"bad_request",
				N_("A member is missing or of the wrong kind.")},
		[CODE_UNKNOWN_TYPE] = {"unknown_type",
				N_("There is no such request; ask for help.")},
		[CODE_BAD_PROTOCOL] = {"bad_protocol",
				N_("The server does not speak that version.")},
		[CODE_BAD_NAME] = {"bad_name", N_("That can't be a name: one has 2 to 20 letters, "
						  "digits, - and _, and begins with a letter.")},
		[CODE_BAD_TEXT] = {"bad_text", N_("That text is empty, too long or has characters "
						  "that don't show.")},
		[CODE_NAME_TAKEN] = {"name_taken",
				N_("That name is taken; if it is yours, say hello "
				   "token=... with its token.")},
		[CODE_BAD_TOKEN] = {"bad_token", N_("Nobody has that token.")},
		[CODE_NO_SUCH_PLAYER] = {"no_such_player", N_("There is no player of that name.")},
		[CODE_NO_SUCH_ROOM] = {"no_such_room", N_("There is no such room.")},
		[CODE_ROOM_FULL] = {"room_full", N_("That seat is taken.")},
		[CODE_NOT_IN_ROOM] = {"not_in_room", N_("You are in no room.")},
		[CODE_NOT_SEATED] = {"not_seated", N_("You have no seat in this room.")},
		[CODE_NOT_STARTED] = {"not_started", N_("The game has not started.")},
		[CODE_GAME_OVER] = {"game_over", N_("The game is over.")},
		[CODE_NOT_YOUR_TURN] = {"not_your_turn", N_("It is not your turn.")},
		[CODE_COLLAPSE_FIRST] = {"collapse_first",
				N_("A cycle was closed: choose where its mark goes first.")},
		[CODE_NOTHING_TO_COLLAPSE] = {"nothing_to_collapse",
				N_("There is no cycle to measure.")},
		[CODE_BAD_SQUARE] = {"bad_square", N_("Squares are 1 to 9.")},
		[CODE_SAME_SQUARE] = {"same_square", N_("A move needs two different squares.")},
		[CODE_SQUARE_TAKEN] = {"square_taken", N_("A classical mark is in that square.")},
		[CODE_NOT_A_CHOICE] = {"not_a_choice", N_("That mark can't go to that square.")},
		[CODE_STALE] = {"stale", N_("The game has moved on.")},
		[CODE_TOO_LATE] = {"too_late", N_("It is too late for that.")},
		[CODE_TOO_EARLY] = {"too_early", N_("It is too early for that.")},
		[CODE_NO_OFFER] = {"no_offer", N_("There is no offer to answer.")},
		[CODE_NOT_ALLOWED] = {"not_allowed", N_("You may not do that.")},
		[CODE_RATE_LIMITED] = {"rate_limited",
				N_("You are asking too often; wait a little.")},
		[CODE_TOO_MANY_ROOMS] = {"too_many_rooms", N_("You are in too many rooms.")},
		[CODE_TOO_MANY_CONNECTIONS] = {"too_many_connections",
				N_("There are too many connections from your address.")},
		[CODE_SERVER_FULL] = {"server_full", N_("The server is full; try again later.")},
		[CODE_UNAVAILABLE] = {"unavailable",
				N_("It could not be stored; nothing happened.")},
		[CODE_INTERNAL] = {"internal", N_("The server made a mistake.")},
};

const char *code_word(enum code code)
{
	return rows[code].word;
}

const char *code_sentence(enum code code)
{
	return rows[code].sentence;
}

enum code code_of_word(const char *word)
{
	for (size_t i = CODE_NONE + 1; i < CODE_COUNT; i++) {
		if (strcmp(rows[i].word, word) == 0) {
			return (enum code)i;
		}
	}
	return CODE_NONE;
}
