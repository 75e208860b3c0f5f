/* Things in the order of their age, however many there are: putting one in, taking one out and
 * finding the next take a few steps. A treap: a tree by age, and a heap by a weight that is made of
 * the number, which keeps it flat. Owns nothing: each age lives in the thing that it belongs to. */
#ifndef PLAY_AGES_H
#define PLAY_AGES_H

#include <stdbool.h>
#include <stdint.h>

/* What is of one millisecond is told apart by its number. */
struct age_place {
	int64_t created_ms;
	uint64_t number;
};

/* Before all there can be. */
#define AGE_BEGINNING ((struct age_place){.created_ms = INT64_MIN})

struct age {
	struct age_place place;
	struct age *older;
	struct age *younger;
	void *owner;
};

/* Zeroed is empty. */
struct ages {
	struct age *root;
};

/* Its place and owner are filled in, and no other in it has the same place. */
void ages_add(struct ages *ages, struct age *age);

/* It is in it. */
void ages_remove(struct ages *ages, struct age *age);

/* The owner of the oldest that is younger than a place; NULL: there is none. */
void *ages_after(const struct ages *ages, struct age_place place);

#endif
