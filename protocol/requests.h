/* The request table: one row a request, with its members in the order of the shorthand. The
 * decoder, the shorthand, `help`, the client's completion and the documentation check read it; the
 * server's dispatch table (server/play/dispatch.c) adds who may, what it costs and its handler. */
#ifndef PROTOCOL_REQUESTS_H
#define PROTOCOL_REQUESTS_H

#include "protocol/message.h"

enum member_kind {
	MEMBER_NAME,	/* string, NAME_TYPED_SIZE; too long is bad_name */
	MEMBER_TOKEN,	/* 22 to 64 characters of base64url; else bad_token */
	MEMBER_ROOM,	/* room id in any case, lowered; a string that can't be one: no_such_room */
	MEMBER_TITLE,	/* text of at most LIMIT_TITLE_CHARS; else bad_text. Rest of line */
	MEMBER_TEXT,	/* text of 1 to LIMIT_TEXT_CHARS; else bad_text. Rest of line */
	MEMBER_WORD,	/* string, WORD_SIZE; longer is bad_request */
	MEMBER_CURSOR,	/* string, CURSOR_SIZE */
	MEMBER_INTEGER, /* within min..max, else bad_request */
	MEMBER_BOOL,
	MEMBER_SIDE,	/* X, O, random */
	MEMBER_STATUS,	/* waiting, playing, over */
	MEMBER_MODE,	/* on, off, only */
	MEMBER_SQUARES, /* list of one or two integers; in words 1 5, 1-5 or 5 */
	MEMBER_SQUARE,	/* integer */
	MEMBER_MARK,	/* string X1..O8; another shape is bad_request */
	MEMBER_CLOCK,	/* {"base_ms","increment_ms"?} or "3+2"; beyond its limits is bad_request */
	MEMBER_RECORD,	/* string of at most LIMIT_RECORD_BYTES, else bad_request. Rest of line */
	MEMBER_WHOM,	/* string, NAME_TYPED_SIZE: an address, a block of them, or a name */
	MEMBER_SPAN,	/* milliseconds, an integer; or "90s", "30m", "2h", "7d" */
	MEMBER_ACTIONS	/* list of {"squares":[1,5]} and {"square":5}; in words 1-5,1-5,5 */
};
#define MEMBER_KINDS (MEMBER_ACTIONS + 1)

struct request_member {
	const char *name;
	enum member_kind kind;
	uint32_t has; /* its bit in request.has */
	bool required;
	bool positional;  /* ◂ in the contract's tables */
	size_t offset;	  /* in struct request */
	int64_t min, max; /* MEMBER_INTEGER */
};

#define REQUEST_MEMBERS_MAX 8

struct request_row {
	const char *name;				    /* the type's word */
	const char *about;				    /* one line, for help, in English */
	struct request_member members[REQUEST_MEMBERS_MAX]; /* ended by name NULL */
	bool is_operators; /* at the operator's door alone; elsewhere there is no such request */
};

/* The row of a type; never NULL for type < REQUEST_COUNT. */
const struct request_row *request_row(enum request_type type);

/* What may stand for a member of a kind, for people, in English: "two squares, 1 to 9". Never NULL.
 */
const char *member_kind_text(enum member_kind kind);

/* The type of a word in any case; REQUEST_COUNT if there is none such. */
enum request_type request_type_of(const char *word, size_t length);

/* The same for who speaks: an operator, or anybody else, for whom there are fewer. */
enum request_type request_type_for(bool is_operator, const char *word, size_t length);

/* Is it one of his? */
static inline bool request_is_for(bool is_operator, enum request_type type)
{
	return is_operator || !request_row(type)->is_operators;
}

#endif
