/* Error codes: stable words for programs, and the default sentence for people.
 * protocol.md's list is this table; `tests` compare it with PROTOCOL.md. */
#ifndef PROTOCOL_CODES_H
#define PROTOCOL_CODES_H

enum code {
	CODE_NONE, /* no error; has no word */
	CODE_BAD_JSON,
	CODE_TOO_LONG,
	CODE_BAD_REQUEST,
	CODE_UNKNOWN_TYPE,
	CODE_BAD_PROTOCOL,
	CODE_BAD_NAME,
	CODE_BAD_TEXT,
	CODE_NAME_TAKEN,
	CODE_BAD_TOKEN,
	CODE_NO_SUCH_PLAYER,
	CODE_NO_SUCH_ROOM,
	CODE_ROOM_FULL,
	CODE_NOT_IN_ROOM,
	CODE_NOT_SEATED,
	CODE_NOT_STARTED,
	CODE_GAME_OVER,
	CODE_NOT_YOUR_TURN,
	CODE_COLLAPSE_FIRST,
	CODE_NOTHING_TO_COLLAPSE,
	CODE_BAD_SQUARE,
	CODE_SAME_SQUARE,
	CODE_SQUARE_TAKEN,
	CODE_NOT_A_CHOICE,
	CODE_STALE,
	CODE_TOO_LATE,
	CODE_TOO_EARLY,
	CODE_NO_OFFER,
	CODE_NOT_ALLOWED,
	CODE_RATE_LIMITED,
	CODE_TOO_MANY_ROOMS,
	CODE_TOO_MANY_CONNECTIONS,
	CODE_SERVER_FULL,
	CODE_UNAVAILABLE,
	CODE_INTERNAL,
	CODE_COUNT
};

/* The code's word, as on the wire ("not_your_turn"); "" for CODE_NONE. Never NULL. */
const char *code_word(enum code code);

/* A sentence for people, in English, that fits the code when nothing better is known. Never NULL.
 */
const char *code_sentence(enum code code);

/* The code of a word, CODE_NONE if there is none such. */
enum code code_of_word(const char *word);

#endif
