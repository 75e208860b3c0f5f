/* What each message from the server looks like on the wire: one table a shape, one row a member,
 * in the contract's order. encode.c writes from these tables, decode_message.c reads by them; a
 * new member is one row. Private to protocol/. */
#ifndef PROTOCOL_SCHEMA_H
#define PROTOCOL_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "protocol/message.h"
#include "protocol/words.h"

enum field_kind {
	FIELD_TEXT,    /* char[size], NUL-ended: a name; one too long or not clean is refused */
	FIELD_PROSE,   /* the same, for people: one that is too long is cut; may be unclean */
	FIELD_INTEGER, /* int64_t */
	FIELD_SMALL,   /* uint8_t, 0..9 */
	FIELD_BOOL,    /* bool */
	FIELD_WORD,    /* an enum, as a word of `words` */
	FIELD_HALF,    /* uint8_t of half points: 3 is 1.5 */
	FIELD_VALUE,   /* int8_t of half points that may be below 0: -3 is -1.5, 0 is 0 */
	FIELD_MILLI,   /* int64_t of thousandths: 1500250 is 1500.25 */
	FIELD_SQUARES, /* uint8_t[size]: squares, `count_offset` tells how many; without it all */
	FIELD_OBJECT,  /* `fields`, relative to offset */
	FIELD_INLINE,  /* `fields`, relative to offset, as members of this object */
	FIELD_POINTER, /* the same behind a pointer to an object of `size` bytes */
	FIELD_ROWS,    /* an array of at most `size` / `element`->size elements, count an uint8_t */
	FIELD_LIST,    /* an array behind a pointer, count a size_t */
	FIELD_ID,      /* struct request_id */
	FIELD_CODE,    /* enum code */
	FIELD_REQUEST, /* enum request_type, as its word */
	FIELD_HELP,    /* FIELD_LIST of enum request_type, each written with its row */
	FIELD_MEASURED, /* struct measured */
	FIELD_BOARD,	/* struct board_square[9] */
	FIELD_OUTCOMES, /* struct measured[2] */
	FIELD_CONSTANT, /* always `constant`; not read */
	FIELD_KINDS
};

/* When a member is there. `when_offset` is where that is told. */
enum field_when {
	WHEN_ALWAYS,
	WHEN_TOLD,   /* a bool; a reader that meets the member sets it */
	WHEN_BIT,    /* the bit `when_bit` of an uint32_t; a reader that meets the member sets it */
	WHEN_FILLED, /* a byte that is not 0: a text's first, a count, a bool that another row sets
		      */
	WHEN_CHOSEN  /* an enum that is not 0 */
};

struct field {
	const char *name;
	const char *key;   /* ,"name": */
	size_t key_length; /* not a byte: gcc would copy it by `rep movs`, three times slower */
	enum field_kind kind;
	enum field_when when;
	bool null; /* a member that is not there is written as null, not left out */
	uint32_t when_bit;
	size_t when_offset;
	size_t offset;
	size_t size;	     /* of a text, an array or an element */
	size_t count_offset; /* of a list's count; NO_COUNT for none */
	union {
		const struct words *words;
		const struct field *fields;
		const struct field *element; /* FIELD_ROWS, FIELD_LIST: its offset is 0, its size
						the step */
		const char *constant;
	};
};

#define NO_COUNT SIZE_MAX

extern const struct field *const schema_events[EVENT_COUNT]; /* of struct event */
/* An ok's members but the token, which comes after the name in hello's reply, elsewhere last. */
extern const struct field schema_ok_head[];
extern const struct field schema_ok_token[];
extern const struct field schema_ok_body[];
extern const struct field schema_error[];
extern const struct field schema_player[]; /* of struct player_record */

static inline uint32_t field_load_u32(const void *base, size_t offset)
{
	uint32_t value;

	memcpy(&value, (const char *)base + offset, sizeof(value));
	return value;
}

static inline uint8_t field_load_byte(const void *base, size_t offset)
{
	return ((const uint8_t *)base)[offset];
}

#endif
