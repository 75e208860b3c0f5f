/* A request's members and what may stand in them, however they came: the checks that JSON and the
 * shorthand share. Private to protocol/. */
#ifndef PROTOCOL_MEMBER_H
#define PROTOCOL_MEMBER_H

#include "protocol/requests.h"

/* Fill in code, field ("" for none) and the sentence, `re` and `to` left as they are. Returns
 * false, for the caller to return. */
bool member_refuse(struct error *error, enum code code, const char *field, const char *format, ...)
		__attribute__((format(printf, 4, 5)));

/* The member is of another kind or beyond its bounds: bad_request, and what it should be. */
bool member_refuse_kind(struct error *error, const struct request_member *member);

/* Members are set in *request with their bit; false with *error filled in if they can't be. */
bool member_set_text(const struct request_member *member, const char *text, size_t length,
		struct request *request, struct error *error);
bool member_set_integer(const struct request_member *member, int64_t value, struct request *request,
		struct error *error);
/* A bool, a side, a status, a mode, a mark, a clock, as a text; letters of any case if `any_case`.
 */
bool member_set_word(const struct request_member *member, const char *text, size_t length,
		bool any_case, struct request *request, struct error *error);
bool member_set_clock(const struct request_member *member, int64_t base_ms, int64_t increment_ms,
		struct request *request, struct error *error);
void member_set_bool(const struct request_member *member, bool value, struct request *request);

/* One more of MEMBER_ACTIONS, left out beyond LIMIT_ACTIONS: a move with this many squares, or with
 * none a measurement with squares[0]. A bad one, the at'th, is refused. */
void member_add_action(struct request *request, size_t square_count, const int64_t squares[2]);
bool member_refuse_action(struct error *error, const struct request_member *member, size_t at);

/* The first member that is required and not there; NULL if none is missing. */
const struct request_member *member_missing(
		const struct request_row *row, const struct request *request);

/* An id that came as a text; false if it is longer than LIMIT_ID_BYTES. */
bool member_set_id_text(const char *text, size_t length, struct request_id *id);

/* Is the member's value a text that member_set_text takes? */
bool member_is_text(const struct request_member *member);

/* The decoder of the shorthand, see decode.h; *request and *error are zeroed. */
bool decode_request_words(bool is_operator, const char *line, size_t length,
		struct request *request, struct error *error);

/* The decoder of plain JSON, see decode_plain.c: true if it understood all of it and all was fine,
 * and then *request is what the thorough decoder would make of it. Else *request and *error are to
 * be zeroed again. */
bool decode_request_plain(bool is_operator, const char *line, size_t length,
		struct request *request, struct error *error);

#endif
