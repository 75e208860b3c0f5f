#include <errno.h>
#include <string.h>

#include "server/net/input.h"
#include "tests/unit/game/cmocka_all.h"

/* A transport that gives `left` bytes, counting up, and then `then`. */
struct source {
	struct transport transport; /* first: it is what input_read is given */
	size_t left;
	unsigned char next;
	ssize_t then;
};

static ssize_t source_read(struct transport *transport, void *data, size_t size)
{
	struct source *source = (struct source *)transport;
	unsigned char *bytes = data;
	const size_t count = size < source->left ? size : source->left;

	if (count == 0) {
		return source->then;
	}
	for (size_t i = 0; i < count; i++) {
		bytes[i] = source->next++;
	}
	source->left -= count;
	return (ssize_t)count;
}

static const struct transport_ops source_ops = {.read = source_read};

static ssize_t give(
		struct input *input, struct input_pool *pool, struct source *source, size_t count)
{
	source->transport.ops = &source_ops;
	source->left = count;
	return input_read(input, pool, &source->transport);
}

static void expect_from(const struct input *input, unsigned char first)
{
	for (size_t i = 0; i < input->length; i++) {
		assert_int_equal((unsigned char)input_data(input)[i], (unsigned char)(first + i));
	}
}

static void what_was_read_lies_in_one_piece(void **state)
{
	struct input_pool pool = {0};
	struct input input = {0};
	struct source source = {.then = -EAGAIN};

	(void)state;
	assert_int_equal(give(&input, &pool, &source, 700), 700);
	input_drop(&input, &pool, 690);
	assert_int_equal(give(&input, &pool, &source, 5000), 5000);
	assert_int_equal(input.length, 5010);
	expect_from(&input, (unsigned char)690);
	input_drop(&input, &pool, 5010);
	input_pool_fini(&pool);
}

static void the_end_is_told_after_what_came_before_it(void **state)
{
	struct input_pool pool = {0};
	struct input input = {0};
	struct source source = {.then = 0};

	(void)state;
	assert_int_equal(give(&input, &pool, &source, INPUT_BLOCK_BYTES), INPUT_BLOCK_BYTES);
	assert_int_equal(give(&input, &pool, &source, 0), 0);
	assert_int_equal(input.length, INPUT_BLOCK_BYTES);
	input_drop(&input, &pool, input.length);
	source.then = -ECONNRESET;
	assert_int_equal(give(&input, &pool, &source, 0), -ECONNRESET);
	assert_null(input.data);
	input_pool_fini(&pool);
}

static void one_read_is_bounded_however_much_there_is(void **state)
{
	struct input_pool pool = {0};
	struct input input = {0};
	struct source source = {.then = -EAGAIN};

	(void)state;
	for (int i = 1; i < 5; i++) {
		assert_int_equal(give(&input, &pool, &source, 1000000), INPUT_READ_BYTES);
		assert_int_equal(input.length, i * INPUT_READ_BYTES);
	}
	input_drop(&input, &pool, input.length);
	input_pool_fini(&pool);
}

static void who_has_nothing_has_no_block(void **state)
{
	struct input_pool pool = {0};
	struct input one = {0};
	struct input other = {0};
	struct source source = {.then = -EAGAIN};
	const char *block;

	(void)state;
	give(&one, &pool, &source, 10);
	block = one.data;
	input_drop(&one, &pool, 10);
	assert_null(one.data);
	give(&other, &pool, &source, 10);
	assert_ptr_equal(other.data, block);
	input_drop(&other, &pool, 10);
	assert_int_equal(give(&one, &pool, &source, 0), -EAGAIN);
	assert_null(one.data);
	input_pool_fini(&pool);
}

static void so_many_blocks_are_kept_and_no_more(void **state)
{
	static struct input inputs[INPUT_BLOCKS_MAX + 1];
	struct input_pool pool = {0};
	struct source source = {.then = -EAGAIN};

	(void)state;
	for (size_t i = 0; i <= INPUT_BLOCKS_MAX; i++) {
		give(&inputs[i], &pool, &source, 1);
	}
	for (size_t i = 0; i < INPUT_BLOCKS_MAX; i++) {
		input_drop(&inputs[i], &pool, 1);
	}
	assert_int_equal(pool.count, INPUT_BLOCKS_MAX);
	input_drop(&inputs[INPUT_BLOCKS_MAX], &pool, 1);
	assert_int_equal(pool.count, INPUT_BLOCKS_MAX);
	input_pool_fini(&pool);
	assert_int_equal(pool.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(what_was_read_lies_in_one_piece),
			cmocka_unit_test(the_end_is_told_after_what_came_before_it),
			cmocka_unit_test(one_read_is_bounded_however_much_there_is),
			cmocka_unit_test(who_has_nothing_has_no_block),
			cmocka_unit_test(so_many_blocks_are_kept_and_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
