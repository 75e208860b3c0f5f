/* A line into a message. The JSON library's objects do not outlive a call. */
#ifndef PROTOCOL_DECODE_H
#define PROTOCOL_DECODE_H

#include "protocol/message.h"

/* Decode a client's line (without LF; valid UTF-8 without NUL, as line_cut gives it): JSON, or the
 * shorthand if it begins, after blanks, with a letter or digit. Returns true and fills *ret.
 * Otherwise false, and *ret_error says why, with `re` and `to` as far as they could be read:
 *   bad_json      not one JSON object, a duplicate member, too deep, an integer beyond 64 bits
 *   bad_request   a missing or mistyped member, or a member this server can't serve; field is set
 *   unknown_type  `to` repeats the type, at most 32 bytes, cut at a character
 *   bad_name, bad_text, bad_token, no_such_room   a string that can't be one (see requests.h) */
bool decode_request(const char *line, size_t length, struct request *ret, struct error *ret_error);

/* The same at the operator's door, where there are more requests: elsewhere each of those is an
 * unknown_type like any other word. */
bool decode_operator_request(
		const char *line, size_t length, struct request *ret, struct error *ret_error);

/* Decode a server's line (without LF), in the client or from the store. Unknown members are
 * ignored. Returns true and fills *ret, which the caller ends with message_fini; false for a line
 * that is no such message (an event of an unknown type included): then *ret is undefined, but owns
 * nothing. */
bool decode_message(const char *line, size_t length, struct message *ret);

/* Free what a decoded message owns. NULL-safe; also after a false return. */
void message_fini(struct message *message);

/* What is kept about a player, beside the columns that the store looks him up by. */
struct player_record {
	char name[NAME_SIZE];
	bool guest;
	bool given_up;		/* nobody is called so: the name is kept from others for a while */
	char former[NAME_SIZE]; /* the guest's name that he had before; "": absent */
	int64_t created_ms;
	size_t muted_count;
	char (*muted)[NAME_SIZE]; /* owned: player_record_fini frees it; encode only reads */
};

/* Decode what encode_player made, its LF included or not. True and *ret is the caller's to end with
 * player_record_fini; false, and *ret is left alone, for what is no such record. */
bool decode_player(const char *data, size_t length, struct player_record *ret);
/* NULL is fine. */
void player_record_fini(struct player_record *record);

#endif
