#include <stdlib.h>

#include "server/play/spare.h"
#include "tests/unit/game/cmocka_all.h"

#define SIZE 64

static void fill(struct spare *spare, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		spare_put(spare, malloc(SIZE));
	}
}

static void a_block_that_was_given_back_is_taken_again(void **state)
{
	struct spare spare = {0};
	void *block = spare_take(&spare, SIZE);

	(void)state;
	assert_non_null(block);
	spare_put(&spare, block);
	if (SPARE_BLOCKS_MAX > 0) {
		assert_ptr_equal(spare_take(&spare, SIZE), block);
		spare_put(&spare, block);
	}
	spare_fini(&spare);
	assert_int_equal(spare.count, 0);
}

static void two_that_are_taken_are_two(void **state)
{
	struct spare spare = {0};
	void *one;
	void *other;

	(void)state;
	fill(&spare, 1);
	one = spare_take(&spare, SIZE);
	other = spare_take(&spare, SIZE);
	assert_ptr_not_equal(one, other);
	free(one);
	free(other);
}

static void no_more_wait_than_there_may(void **state)
{
	struct spare spare = {0};

	(void)state;
	fill(&spare, SPARE_BLOCKS_MAX);
	assert_int_equal(spare.count, SPARE_BLOCKS_MAX);
	fill(&spare, 1);
	assert_int_equal(spare.count, SPARE_BLOCKS_MAX);
	spare_fini(&spare);
	assert_null(spare.first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_block_that_was_given_back_is_taken_again),
			cmocka_unit_test(two_that_are_taken_are_two),
			cmocka_unit_test(no_more_wait_than_there_may),
	};

	return cmocka_run_group_tests_name("spare", tests, NULL, NULL);
}
