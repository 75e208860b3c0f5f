#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/map.h"
#include "server/ops/memory.h"
#include "tests/unit/game/cmocka_all.h"

struct thing {
	char key[16];
	bool inside;
};

static void thing_name(struct thing *thing, size_t number)
{
	snprintf(thing->key, sizeof(thing->key), "room%zu", number);
}

static void an_empty_map_has_nothing(void **state)
{
	struct map map;
	size_t cursor = 0;

	(void)state;
	map_init(&map);
	assert_null(map_get(&map, "k7m2q"));
	assert_null(map_remove(&map, "k7m2q"));
	assert_null(map_next(&map, &cursor));
	map_fini(&map);
}

static void what_was_put_is_there_until_it_is_removed(void **state)
{
	struct map map;
	int one = 1;
	int two = 2;

	(void)state;
	map_init(&map);
	assert_null(map_put(&map, "k7m2q", &one));
	assert_null(map_put(&map, "", &two));
	assert_int_equal(map.count, 2);
	assert_ptr_equal(map_get(&map, "k7m2q"), &one);
	assert_ptr_equal(map_get(&map, ""), &two);
	assert_null(map_get(&map, "k7m2"));
	assert_ptr_equal(map_remove(&map, "k7m2q"), &one);
	assert_null(map_get(&map, "k7m2q"));
	assert_null(map_remove(&map, "k7m2q"));
	assert_int_equal(map.count, 1);
	map_fini(&map);
}

static void putting_again_replaces_and_keeps_the_new_key(void **state)
{
	struct map map;
	char first[] = "ala";
	char second[] = "ala";
	int one = 1;
	int two = 2;

	(void)state;
	map_init(&map);
	map_put(&map, first, &one);
	assert_ptr_equal(map_put(&map, second, &two), &one);
	memset(first, 'z', sizeof(first) - 1);
	assert_ptr_equal(map_get(&map, "ala"), &two);
	assert_int_equal(map.count, 1);
	map_fini(&map);
}

static void walking_goes_in_the_order_of_putting(void **state)
{
	enum { COUNT = 100 };
	struct thing things[COUNT];
	struct map map;
	size_t cursor = 0;

	(void)state;
	map_init(&map);
	for (size_t i = 0; i < COUNT; i++) {
		thing_name(&things[i], i);
		map_put(&map, things[i].key, &things[i]);
	}
	map_remove(&map, "room7");
	map_remove(&map, "room0");
	map_put(&map, "room7", &things[7]);
	for (size_t i = 1; i < COUNT; i++) {
		if (i != 7) {
			assert_ptr_equal(map_next(&map, &cursor), &things[i]);
		}
	}
	assert_ptr_equal(map_next(&map, &cursor), &things[7]);
	assert_null(map_next(&map, &cursor));
	map_fini(&map);
}

static void things_may_be_removed_on_the_way(void **state)
{
	enum { COUNT = 50 };
	struct thing things[COUNT];
	struct thing *thing;
	struct map map;
	size_t cursor = 0;
	size_t seen = 0;

	(void)state;
	map_init(&map);
	for (size_t i = 0; i < COUNT; i++) {
		thing_name(&things[i], i);
		map_put(&map, things[i].key, &things[i]);
	}
	while ((thing = map_next(&map, &cursor)) != NULL) {
		assert_ptr_equal(thing, &things[seen]);
		assert_ptr_equal(map_remove(&map, thing->key), thing);
		seen++;
	}
	assert_int_equal(seen, COUNT);
	assert_int_equal(map.count, 0);
	map_fini(&map);
}

static void rooms_that_come_and_go_do_not_make_it_grow(void **state)
{
	struct thing things[10];
	struct map map;

	(void)state;
	map_init(&map);
	for (size_t i = 0; i < 100000; i++) {
		struct thing *thing = &things[i % 10];

		if (i >= 10) {
			assert_ptr_equal(map_remove(&map, thing->key), thing);
		}
		thing_name(thing, i);
		assert_null(map_put(&map, thing->key, thing));
	}
	assert_int_equal(map.count, 10);
	assert_true(map.slot_count <= 64);
	map_fini(&map);
}

static uint64_t seed_read(void)
{
	const char *text = getenv("QTTT_SEED");
	uint64_t seed = text == NULL ? 20261130 : strtoull(text, NULL, 10);

	printf("# QTTT_SEED=%llu\n", (unsigned long long)seed);
	return seed;
}

static uint64_t random_next(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

static void it_agrees_with_a_plain_list_whatever_is_done(void **state)
{
	enum { COUNT = 3000 };
	struct thing *things = memory_new(COUNT, sizeof(*things));
	uint64_t random = seed_read() * 2 + 1;
	struct map map;
	size_t count = 0;

	(void)state;
	map_init(&map);
	for (size_t i = 0; i < COUNT; i++) {
		thing_name(&things[i], i);
	}
	for (int step = 0; step < 200000; step++) {
		struct thing *thing = &things[random_next(&random) % COUNT];
		struct thing *expected = thing->inside ? thing : NULL;

		/* Phases of growing and of shrinking, by turns. */
		if (random_next(&random) % 4 < (step / 20000 % 2 == 0 ? 3 : 1)) {
			assert_ptr_equal(map_put(&map, thing->key, thing), expected);
			count += thing->inside ? 0 : 1;
			thing->inside = true;
		} else {
			assert_ptr_equal(map_remove(&map, thing->key), expected);
			count -= thing->inside ? 1 : 0;
			thing->inside = false;
		}
		assert_int_equal(map.count, count);
	}
	for (size_t i = 0; i < COUNT; i++) {
		assert_ptr_equal(
				map_get(&map, things[i].key), things[i].inside ? &things[i] : NULL);
	}
	map_fini(&map);
	free(things);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(an_empty_map_has_nothing),
			cmocka_unit_test(what_was_put_is_there_until_it_is_removed),
			cmocka_unit_test(putting_again_replaces_and_keeps_the_new_key),
			cmocka_unit_test(walking_goes_in_the_order_of_putting),
			cmocka_unit_test(things_may_be_removed_on_the_way),
			cmocka_unit_test(rooms_that_come_and_go_do_not_make_it_grow),
			cmocka_unit_test(it_agrees_with_a_plain_list_whatever_is_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
