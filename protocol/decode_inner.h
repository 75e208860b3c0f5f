/* What the parts of decode_message share. Private to protocol/. */
#ifndef PROTOCOL_DECODE_INNER_H
#define PROTOCOL_DECODE_INNER_H

#include <jansson.h>

#include "protocol/schema.h"

/* What a message's arrays live in: message_fini frees them all. */
struct owned {
	size_t count;
	void *arrays[];
};

struct reading {
	struct owned *owned; /* NULL until there is one */
	uint32_t allowed;    /* the bits of WHEN_BIT that are read; the rest is as unknown */
	uint32_t absent;     /* the bits of which a member was not there */
};

static inline void *decode_at(const struct field *field, void *base)
{
	return (char *)base + field->offset;
}

/* A digit, `min` to 9. */
bool decode_small(const json_t *value, json_int_t min, uint8_t *ret);

/* Marks and boards (decode_board.c). */
bool decode_measured(struct reading *reading, const struct field *field, const json_t *value,
		void *base);
bool decode_outcomes(struct reading *reading, const struct field *field, const json_t *value,
		void *base);
bool decode_board(struct reading *reading, const struct field *field, const json_t *value,
		void *base);

#endif
