/* Blocks of addresses, each with a thing, and the narrowest of them that an address lies in: found
 * by a search in their order and a step for each block that lies in another. Changing it takes a
 * walk through all. Owns no thing. */
#ifndef OPS_PREFIX_SET_H
#define OPS_PREFIX_SET_H

#include <stddef.h>

#include "server/ops/prefix.h"

struct prefix_entry {
	struct prefix prefix;
	void *value;
	size_t outer; /* its place + 1 of the narrowest other one that it lies in; 0: none */
};

/* Zeroed is empty. */
struct prefix_set {
	size_t count;
	size_t size;
	struct prefix_entry *entries; /* by address, the wider first */
};

/* Put a thing, not NULL, at a block, and return what was there before, or NULL. */
void *prefix_set_put(struct prefix_set *set, const struct prefix *prefix, void *value);

/* Take it out and return it; NULL if there is none. */
void *prefix_set_remove(struct prefix_set *set, const struct prefix *prefix);

/* What stands at exactly this block; and at the narrowest that holds an address. Or NULL. */
void *prefix_set_get(const struct prefix_set *set, const struct prefix *prefix);
void *prefix_set_find(const struct prefix_set *set, const uint8_t bytes[PREFIX_ADDRESS_BYTES]);

void prefix_set_fini(struct prefix_set *set);

#endif
