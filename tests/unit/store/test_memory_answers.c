#include <stdio.h>

#include "server/store/memory.h"
#include "tests/unit/store/suite.h"

static void count_up(void *arg)
{
	(*(int *)arg)++;
}

static void count_answer(void *arg, enum store_status status)
{
	(void)status;
	count_up(arg);
}

static void its_owner_is_told_once_that_answers_wait(void **state)
{
	int notices = 0;
	int answers = 0;
	struct store *store = store_memory_new(count_up, &notices);
	struct store_batch batch = {0};

	(void)state;
	store->ops->commit(store, &batch, count_answer, &answers);
	store->ops->commit(store, &batch, count_answer, &answers);
	assert_int_equal(notices, 1);
	assert_int_equal(answers, 0);
	assert_int_equal(store_memory_deliver(store), 2);
	assert_int_equal(answers, 2);
	assert_int_equal(store_memory_deliver(store), 0);
	store->ops->commit(store, &batch, count_answer, &answers);
	assert_int_equal(notices, 2);
	store->ops->free(store);
	assert_int_equal(answers, 3);
}

struct asker {
	struct store *store;
	int notices;
	int answers;
};

static void count_notice(void *arg)
{
	struct asker *asker = arg;

	asker->notices++;
}

static void ask_once_more(void *arg, enum store_status status)
{
	struct asker *asker = arg;
	static const struct store_batch nothing = {0};

	(void)status;
	if (++asker->answers == 1) {
		asker->store->ops->commit(asker->store, &nothing, ask_once_more, asker);
	}
}

static void what_an_answer_asks_for_waits_for_the_next_time(void **state)
{
	struct asker asker = {0};
	struct store_batch batch = {0};

	(void)state;
	asker.store = store_memory_new(count_notice, &asker);
	asker.store->ops->commit(asker.store, &batch, ask_once_more, &asker);
	assert_int_equal(store_memory_deliver(asker.store), 1);
	assert_int_equal(asker.answers, 1);
	assert_int_equal(asker.notices, 2);
	assert_int_equal(store_memory_deliver(asker.store), 1);
	assert_int_equal(asker.answers, 2);
	asker.store->ops->free(asker.store);
}

static void the_lines_of_a_room_can_be_looked_at(void **state)
{
	struct suite suite = {
			.store = store_memory_new(NULL, NULL), .deliver = store_memory_deliver};
	struct bytes *const *lines;
	struct bytes *second;
	size_t count = 7;

	(void)state;
	assert_null(store_memory_lines(suite.store, "k7m2q", &count));
	assert_int_equal(count, 0);
	suite_commit_events(&suite, "k7m2q", 0, 2, STORE_ROOM_PLAYING);
	lines = store_memory_lines(suite.store, "k7m2q", &count);
	assert_int_equal(count, 2);
	second = suite_line("k7m2q", 2);
	assert_memory_equal(lines[1]->data, second->data, second->length);
	bytes_unref(second);
	suite.store->ops->free(suite.store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(its_owner_is_told_once_that_answers_wait),
			cmocka_unit_test(what_an_answer_asks_for_waits_for_the_next_time),
			cmocka_unit_test(the_lines_of_a_room_can_be_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
