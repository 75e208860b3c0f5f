#include <string.h>

#include "protocol/requests.h"
#include "with_cmocka.h"

static void each_word_leads_back_to_its_type_in_any_case(void **state)
{
	(void)state;
	for (int type = 0; type < REQUEST_COUNT; type++) {
		const char *name = request_row((enum request_type)type)->name;

		assert_int_equal(request_type_of(name, strlen(name)), type);
	}
	assert_int_equal(request_type_of("MoVe", 4), REQUEST_MOVE);
	assert_int_equal(request_type_of("move it", 4), REQUEST_MOVE);
	assert_int_equal(request_type_of("move", 3), REQUEST_COUNT);
	assert_int_equal(request_type_of("moves", 5), REQUEST_COUNT);
	assert_int_equal(request_type_of("", 0), REQUEST_COUNT);
}

static void an_operators_words_are_no_requests_of_others(void **state)
{
	size_t count = 0;

	(void)state;
	for (int type = 0; type < REQUEST_COUNT; type++) {
		const struct request_row *row = request_row((enum request_type)type);
		size_t length = strlen(row->name);

		assert_int_equal(request_type_for(true, row->name, length), type);
		assert_int_equal(request_type_for(false, row->name, length),
				row->is_operators ? REQUEST_COUNT : type);
		count += row->is_operators ? 1 : 0;
	}
	assert_int_equal(count, 11);
	assert_int_equal(request_type_for(true, "dance", 5), REQUEST_COUNT);
}

static void check_member(const struct request_member *member, uint32_t *seen)
{
	assert_true(member->offset < sizeof(struct request));
	/* One bit, and its own. */
	assert_int_not_equal(member->has, 0);
	assert_int_equal(member->has & (member->has - 1), 0);
	assert_int_equal(*seen & member->has, 0);
	*seen |= member->has;
	if (member->kind == MEMBER_INTEGER || member->kind == MEMBER_SQUARE ||
			member->kind == MEMBER_SPAN) {
		assert_true(member->min < member->max);
	}
}

static void each_row_is_sane(void **state)
{
	uint32_t all = 0;

	(void)state;
	for (int type = 0; type < REQUEST_COUNT; type++) {
		const struct request_row *row = request_row((enum request_type)type);
		const struct request_member *member = row->members;
		uint32_t seen = 0;
		bool named = false;

		assert_in_range(strlen(row->about), 10, 79);
		for (; member->name != NULL; member++) {
			check_member(member, &seen);
			/* Positional ones come first, and what is required is positional. */
			assert_false(member->positional && named);
			assert_true(member->positional || !member->required);
			named = named || !member->positional;
		}
		assert_true(member - row->members < REQUEST_MEMBERS_MAX);
		all |= seen;
	}
	assert_int_equal(all, 2 * (uint32_t)HAS_RENEW - 1);
}

static void the_same_member_is_the_same_bit_everywhere(void **state)
{
	(void)state;
	for (int type = 0; type < REQUEST_COUNT * REQUEST_COUNT; type++) {
		const struct request_row *row =
				request_row((enum request_type)(type / REQUEST_COUNT));
		const struct request_row *other =
				request_row((enum request_type)(type % REQUEST_COUNT));

		for (const struct request_member *a = row->members; a->name != NULL; a++) {
			for (const struct request_member *b = other->members; b->name != NULL;
					b++) {
				bool same_name = strcmp(a->name, b->name) == 0;

				assert_true(!same_name || a->has == b->has);
				/* A player's name is one under either word. */
				assert_true(a->has != b->has ||
						(a->kind == b->kind && a->offset == b->offset));
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(each_word_leads_back_to_its_type_in_any_case),
			cmocka_unit_test(an_operators_words_are_no_requests_of_others),
			cmocka_unit_test(each_row_is_sane),
			cmocka_unit_test(the_same_member_is_the_same_bit_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
