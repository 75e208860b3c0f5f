#include <stdlib.h>

#include "server/play/ages.h"
#include "tests/unit/game/cmocka_all.h"
#include "tests/unit/game/random.h"

#define COUNT 2000

/* Several of one millisecond. */
static struct age age_of(uint64_t n)
{
	return (struct age){.place = {(int64_t)(n / 3), n}};
}

static uint64_t number_of(const struct age *age)
{
	return age->place.number;
}

static void expect_all(const struct ages *ages, const bool *is_in)
{
	struct age_place place = AGE_BEGINNING;
	const struct age *found;

	for (uint64_t n = 0; n < COUNT; n++) {
		if (!is_in[n]) {
			continue;
		}
		found = ages_after(ages, place);
		assert_non_null(found);
		assert_int_equal(number_of(found), n);
		place = found->place;
	}
	assert_null(ages_after(ages, place));
}

static void they_come_in_the_order_of_their_age_whatever_comes_and_goes(void **state)
{
	struct age *all = calloc(COUNT, sizeof(*all));
	bool is_in[COUNT] = {false};
	struct ages ages = {0};
	uint64_t random = 7;

	(void)state;
	for (uint64_t n = 0; n < COUNT; n++) {
		all[n] = age_of(n);
		all[n].owner = &all[n];
	}
	for (int step = 0; step < 20 * COUNT; step++) {
		int n = random_below(&random, COUNT);
		if (is_in[n]) {
			ages_remove(&ages, &all[n]);
		} else {
			ages_add(&ages, &all[n]);
		}
		is_in[n] = !is_in[n];
		if (step % COUNT == 0) {
			expect_all(&ages, is_in);
		}
	}
	expect_all(&ages, is_in);
	free(all);
}

static int depth(const struct age *age)
{
	if (age == NULL) {
		return 0;
	}
	int older = depth(age->older);
	int younger = depth(age->younger);
	return 1 + (older > younger ? older : younger);
}

static void the_way_to_each_is_short_however_they_came(void **state)
{
	struct age *all = calloc(COUNT, sizeof(*all));
	struct ages ages = {0};

	(void)state;
	for (uint64_t n = 0; n < COUNT; n++) {
		all[n] = age_of(n);
		ages_add(&ages, &all[n]);
	}
	assert_in_range(depth(ages.root), 11, 40);
	free(all);
}

static void none_comes_after_the_last_and_the_oldest_after_the_beginning(void **state)
{
	struct ages ages = {0};
	struct age one = {.place = {5, 1}};
	struct age two = {.place = {5, 2}};

	(void)state;
	one.owner = &one;
	two.owner = &two;
	assert_null(ages_after(&ages, AGE_BEGINNING));
	ages_add(&ages, &two);
	ages_add(&ages, &one);
	assert_ptr_equal(ages_after(&ages, AGE_BEGINNING), &one);
	assert_ptr_equal(ages_after(&ages, (struct age_place){5, 0}), &one);
	assert_ptr_equal(ages_after(&ages, one.place), &two);
	assert_null(ages_after(&ages, two.place));
	ages_remove(&ages, &one);
	assert_ptr_equal(ages_after(&ages, AGE_BEGINNING), &two);
	ages_remove(&ages, &two);
	assert_null(ages.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(
					they_come_in_the_order_of_their_age_whatever_comes_and_goes),
			cmocka_unit_test(the_way_to_each_is_short_however_they_came),
			cmocka_unit_test(
					none_comes_after_the_last_and_the_oldest_after_the_beginning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
