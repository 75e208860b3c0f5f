#include "server/net/crowd.h"
#include "tests/unit/game/cmocka_all.h"

static void as_many_as_may_be_enter_from_one_address_and_no_more(void **state)
{
	struct crowd crowd;
	struct crowd_group *one;
	struct crowd_group *other;

	(void)state;
	crowd_init(&crowd, 2);
	one = crowd_enter(&crowd, "192.0.2.1");
	assert_non_null(one);
	assert_ptr_equal(crowd_enter(&crowd, "192.0.2.1"), one);
	assert_null(crowd_enter(&crowd, "192.0.2.1"));
	other = crowd_enter(&crowd, "192.0.2.2");
	assert_non_null(other);
	crowd_leave(&crowd, one);
	assert_non_null(crowd_enter(&crowd, "192.0.2.1"));
	assert_null(crowd_enter(&crowd, "192.0.2.1"));
	crowd_leave(&crowd, one);
	crowd_leave(&crowd, one);
	crowd_leave(&crowd, other);
	assert_int_equal(crowd.groups.count, 0);
	crowd_fini(&crowd);
}

static void without_a_limit_any_number_enters(void **state)
{
	struct crowd crowd;
	struct crowd_group *group = NULL;

	(void)state;
	crowd_init(&crowd, 0);
	for (int i = 0; i < 1000; i++) {
		group = crowd_enter(&crowd, "2001:db8::/64");
		assert_non_null(group);
	}
	for (int i = 0; i < 1000; i++) {
		crowd_leave(&crowd, group);
	}
	crowd_fini(&crowd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(as_many_as_may_be_enter_from_one_address_and_no_more),
			cmocka_unit_test(without_a_limit_any_number_enters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
