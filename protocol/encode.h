/* A message into one line: no spaces, members in the contract's order, `type` first, one LF at the
 * end. Each returns a new line with one reference, the caller's. The lists that a message points to
 * may be of any length. Text is escaped as JSON asks (control characters, quote, backslash); all
 * else stays UTF-8. */
#ifndef PROTOCOL_ENCODE_H
#define PROTOCOL_ENCODE_H

#include "protocol/bytes.h"
#include "protocol/decode.h"
#include "protocol/message.h"

struct bytes *encode_event(const struct event *event);
struct bytes *encode_ok(const struct ok *ok);
struct bytes *encode_error(const struct error *error);

/* For clients: only the members in request->has (and the required ones) are written. */
struct bytes *encode_request(const struct request *request);

/* A game that is over, for whoever reads a whole database: as `games` has it, and `private`. */
struct bytes *encode_game(const struct game_row *game);

struct bytes *encode_player(const struct player_record *record);

/* The words of the wire. */
const char *event_word(enum event_type type);
const char *seat_word(enum seat seat); /* "X", "O", "" */
const char *reason_word(enum end_reason reason);
const char *cause_word(enum end_cause cause);
const char *status_word(enum room_status status);

#endif
