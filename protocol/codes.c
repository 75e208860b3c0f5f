#include "protocol/codes.h"

#include <stddef.h>
#include <string.h>

struct code_row {
	const char *word;
	const char *sentence;
};

static const struct code_row rows[CODE_COUNT] = {
		[CODE_NONE] = {"", "Nothing went wrong."},
		[CODE_BAD_JSON] = {"bad_json",
				"A line must be one JSON object in UTF-8, or words; ask for help."},
		[CODE_TOO_LONG] = {"too_long", "The line is too long; it was skipped."},
		[CODE_BAD_REQUEST] = {"bad_request", "A member is missing or of the wrong kind."},
		[CODE_UNKNOWN_TYPE] = {"unknown_type", "There is no such request; ask for help."},
		[CODE_BAD_PROTOCOL] = {"bad_protocol", "The server does not speak that version."},
		[CODE_BAD_NAME] = {"bad_name", "That can't be a name: one has 2 to 20 letters, "
					       "digits, - and _, and begins with a letter."},
		[CODE_BAD_TEXT] = {"bad_text", "That text is empty, too long or has characters "
					       "that don't show."},
		[CODE_NAME_TAKEN] = {"name_taken", "That name is taken; if it is yours, say hello "
						   "token=... with its token."},
		[CODE_BAD_TOKEN] = {"bad_token", "Nobody has that token."},
		[CODE_NO_SUCH_PLAYER] = {"no_such_player", "There is no player of that name."},
		[CODE_NO_SUCH_ROOM] = {"no_such_room", "There is no such room."},
		[CODE_ROOM_FULL] = {"room_full", "That seat is taken."},
		[CODE_NOT_IN_ROOM] = {"not_in_room", "You are in no room."},
		[CODE_NOT_SEATED] = {"not_seated", "You have no seat in this room."},
		[CODE_NOT_STARTED] = {"not_started", "The game has not started."},
		[CODE_GAME_OVER] = {"game_over", "The game is over."},
		[CODE_NOT_YOUR_TURN] = {"not_your_turn", "It is not your turn."},
		[CODE_COLLAPSE_FIRST] = {"collapse_first",
				"A cycle was closed: choose where its mark goes first."},
		[CODE_NOTHING_TO_COLLAPSE] = {"nothing_to_collapse",
				"There is no cycle to measure."},
		[CODE_BAD_SQUARE] = {"bad_square", "Squares are 1 to 9."},
		[CODE_SAME_SQUARE] = {"same_square", "A move needs two different squares."},
		[CODE_SQUARE_TAKEN] = {"square_taken", "A classical mark is in that square."},
		[CODE_NOT_A_CHOICE] = {"not_a_choice", "That mark can't go to that square."},
		[CODE_STALE] = {"stale", "The game has moved on."},
		[CODE_TOO_LATE] = {"too_late", "It is too late for that."},
		[CODE_TOO_EARLY] = {"too_early", "It is too early for that."},
		[CODE_NO_OFFER] = {"no_offer", "There is no offer to answer."},
		[CODE_NOT_ALLOWED] = {"not_allowed", "You may not do that."},
		[CODE_RATE_LIMITED] = {"rate_limited", "You are asking too often; wait a little."},
		[CODE_TOO_MANY_ROOMS] = {"too_many_rooms", "You are in too many rooms."},
		[CODE_TOO_MANY_CONNECTIONS] = {"too_many_connections",
				"There are too many connections from your address."},
		[CODE_SERVER_FULL] = {"server_full", "The server is full; try again later."},
		[CODE_UNAVAILABLE] = {"unavailable", "It could not be stored; nothing happened."},
		[CODE_INTERNAL] = {"internal", "The server made a mistake."},
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
