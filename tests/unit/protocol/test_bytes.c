#include "protocol/bytes.h"
#include "with_cmocka.h"

static void a_line_is_a_copy_and_lives_until_its_last_reference_goes(void **state)
{
	char data[] = "abc\n";
	struct bytes *bytes = bytes_new(data, 4);

	(void)state;
	data[0] = 'z';
	assert_ptr_equal(bytes_ref(bytes), bytes);
	bytes_unref(bytes);
	assert_int_equal(bytes->references, 1);
	assert_int_equal(bytes->length, 4);
	assert_memory_equal(bytes->data, "abc\n", 4);
	bytes_unref(bytes);
}

static void no_line_at_all_can_be_let_go(void **state)
{
	struct bytes *empty = bytes_new(NULL, 0);

	(void)state;
	assert_int_equal(empty->length, 0);
	bytes_unref(empty);
	bytes_unref(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_line_is_a_copy_and_lives_until_its_last_reference_goes),
			cmocka_unit_test(no_line_at_all_can_be_let_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
