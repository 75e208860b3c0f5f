#include "server/play/ages.h"

#include <stddef.h>

static bool comes_before(struct age_place a, struct age_place b)
{
	if (a.created_ms != b.created_ms) {
		return a.created_ms < b.created_ms;
	}
	return a.number < b.number;
}

/* As good as random (the last steps of splitmix64), and the same in every run. */
static uint64_t weight(const struct age *age)
{
	uint64_t mixed = age->place.number + 0x9e3779b97f4a7c15;

	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
	return mixed ^ mixed >> 31;
}

static void split(struct age *tree, struct age_place place, struct age **ret_older,
		struct age **ret_younger)
{
	while (tree != NULL) {
		if (comes_before(tree->place, place)) {
			*ret_older = tree;
			ret_older = &tree->younger;
			tree = tree->younger;
		} else {
			*ret_younger = tree;
			ret_younger = &tree->older;
			tree = tree->older;
		}
	}
	*ret_older = NULL;
	*ret_younger = NULL;
}

/* All of the first are older than all of the second. */
static struct age *join(struct age *older, struct age *younger)
{
	struct age *root = NULL;
	struct age **at = &root;

	while (older != NULL && younger != NULL) {
		if (weight(older) > weight(younger)) {
			*at = older;
			at = &older->younger;
			older = older->younger;
		} else {
			*at = younger;
			at = &younger->older;
			younger = younger->older;
		}
	}
	*at = older != NULL ? older : younger;
	return root;
}

static struct age **child_towards(struct age *age, struct age_place place)
{
	return comes_before(place, age->place) ? &age->older : &age->younger;
}

void ages_add(struct ages *ages, struct age *age)
{
	struct age **at = &ages->root;

	while (*at != NULL && weight(*at) >= weight(age)) {
		at = child_towards(*at, age->place);
	}
	split(*at, age->place, &age->older, &age->younger);
	*at = age;
}

void ages_remove(struct ages *ages, struct age *age)
{
	struct age **at = &ages->root;

	while (*at != age) {
		at = child_towards(*at, age->place);
	}
	*at = join(age->older, age->younger);
}

void *ages_after(const struct ages *ages, struct age_place place)
{
	struct age *age = ages->root;
	void *found = NULL;

	while (age != NULL) {
		if (comes_before(place, age->place)) {
			found = age->owner;
			age = age->older;
		} else {
			age = age->younger;
		}
	}
	return found;
}
