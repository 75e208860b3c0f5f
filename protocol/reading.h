/* Reading an object by a table of schema.h, for whoever has a struct that such a table describes.
 * Private to protocol/. */
#ifndef PROTOCOL_READING_H
#define PROTOCOL_READING_H

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

/* Read what the table says from the object into the struct at `base`, which is zeroed. False if it
 * is not all there: what was read so far, and reading->owned, are still the caller's. */
bool reading_fields(struct reading *reading, const struct field *fields, const json_t *object,
		void *base);

#endif
