/* What may not matter to the answers does not: the table's size, what was asked before, a question
 * that was cancelled. */
#include <pthread.h>
#include <string.h>

#include "server/solver/solver.h"
#include "tests/unit/game/cmocka_all.h"
#include "tests/unit/solver/positions.h"

enum { LATE = 6, LATE_POSITIONS = 100 };

static struct solver *new_solver(size_t table_bytes)
{
	struct solver *solver = solver_new(table_bytes);

	assert_non_null(solver);
	return solver;
}

static struct solver_each ask(struct solver *solver, const struct rules_state *state)
{
	struct solver_each each;

	memset(&each, 0, sizeof(each));
	assert_true(solver_each(solver, state, NULL, &each));
	return each;
}

static int ask_value(struct solver *solver, const struct rules_state *state)
{
	int value;

	assert_true(solver_value(solver, state, NULL, &value));
	return value;
}

static void same_answers(const struct solver_each *one, const struct solver_each *other)
{
	assert_int_equal(one->count, other->count);
	for (int i = 0; i < one->count; i++) {
		assert_int_equal(one->half_points[i], other->half_points[i]);
	}
}

/* Two solvers are asked the same, about late positions: a table of a few entries is no help with
 * others. */
static void same_in_late_positions(size_t table_bytes)
{
	struct solver *large = new_solver(SOLVER_TABLE_BYTES);
	struct solver *small = new_solver(table_bytes);
	uint64_t random = random_seed();

	for (int i = 0; i < LATE_POSITIONS; i++) {
		struct solver_each answers[2];
		struct rules_state state;

		position_random(&random, LATE + random_below(&random, 4), &state);
		answers[0] = ask(large, &state);
		answers[1] = ask(small, &state);
		same_answers(&answers[0], &answers[1]);
	}
	solver_free(large);
	solver_free(small);
}

static void a_table_of_a_kibibyte_gives_the_same_answers(void **unused)
{
	(void)unused;
	same_in_late_positions(1024);
}

static void a_table_of_no_bytes_has_one_bucket_and_gives_the_same_answers(void **unused)
{
	(void)unused;
	same_in_late_positions(0);
}

/* 4 096 entries for the whole game, which finds eight times as many: it forgets, and searches
 * again. */
static void a_table_that_is_too_small_for_the_game_gives_its_value(void **unused)
{
	struct solver *large = new_solver(SOLVER_TABLE_BYTES);
	struct solver *small = new_solver((size_t)64 << 10);
	struct rules_state start;

	(void)unused;
	rules_start(&start);
	assert_int_equal(ask_value(large, &start), 1);
	assert_int_equal(ask_value(small, &start), 1);
	assert_true(solver_nodes(small) > solver_nodes(large));
	solver_free(large);
	solver_free(small);
}

static void a_question_costs_the_same_each_time_it_is_new(void **unused)
{
	uint64_t nodes[2];
	struct rules_state start;

	(void)unused;
	rules_start(&start);
	for (int i = 0; i < 2; i++) {
		struct solver *solver = new_solver(SOLVER_TABLE_BYTES);

		assert_int_equal(ask_value(solver, &start), 1);
		nodes[i] = solver_nodes(solver);
		solver_free(solver);
	}
	assert_int_equal(nodes[0], nodes[1]);
	assert_true(nodes[0] > 1000);
}

static void a_question_asked_again_costs_nothing(void **unused)
{
	struct solver *solver = new_solver(SOLVER_TABLE_BYTES);
	struct rules_state start;
	uint64_t nodes;

	(void)unused;
	rules_start(&start);
	ask_value(solver, &start);
	nodes = solver_nodes(solver);
	ask_value(solver, &start);
	assert_true(solver_nodes(solver) - nodes < 10);
	solver_free(solver);
}

static void a_warm_solver_gives_the_answers_of_a_new_one(void **unused)
{
	uint64_t positions = number_from_environment("QTTT_WARM_POSITIONS", 30);
	uint64_t random = random_seed();
	struct solver *warm = new_solver(SOLVER_TABLE_BYTES);

	(void)unused;
	assert_true(solver_warm(warm, NULL));
	for (uint64_t i = 0; i < positions; i++) {
		struct solver *fresh = new_solver(SOLVER_TABLE_BYTES);
		struct solver_each answers[2];
		struct rules_state state;

		position_random(&random, 2 + random_below(&random, 8), &state);
		answers[0] = ask(warm, &state);
		answers[1] = ask(fresh, &state);
		same_answers(&answers[0], &answers[1]);
		solver_free(fresh);
	}
	solver_free(warm);
}

static void a_game_that_is_over_is_worth_its_score_and_has_no_actions(void **unused)
{
	uint64_t random = random_seed();
	struct solver *solver = new_solver(1024);

	(void)unused;
	for (int i = 0; i < 500; i++) {
		struct rules_state state;
		struct solver_each each;

		position_random(&random, 20, &state);
		assert_int_equal(rules_phase(&state), RULES_OVER);
		assert_int_equal(ask_value(solver, &state), position_score(&state));
		each = ask(solver, &state);
		assert_int_equal(each.count, 0);
	}
	solver_free(solver);
}

static void what_is_cancelled_before_it_begins_is_not_answered(void **unused)
{
	struct solver *solver = new_solver(SOLVER_TABLE_BYTES);
	struct solver_bot perfect = {.level = SOLVER_PERFECT};
	atomic_bool cancel = true;
	struct rules_state start;
	struct solver_each each = {.count = -1};
	struct rules_action action = {.mark = -1};
	int value = 77;

	(void)unused;
	rules_start(&start);
	assert_false(solver_value(solver, &start, &cancel, &value));
	assert_int_equal(value, 77);
	assert_false(solver_each(solver, &start, &cancel, &each));
	assert_int_equal(each.count, -1);
	assert_false(solver_choose(solver, &start, &perfect, &cancel, &action));
	assert_int_equal(action.mark, -1);
	assert_false(solver_warm(solver, &cancel));
	assert_true(solver_nodes(solver) < 100);
	solver_free(solver);
}

static uint64_t rests;

static void count_rest(void)
{
	rests++;
}

static void who_thinks_rests_again_and_again(void **unused)
{
	struct solver *solver = new_solver(SOLVER_TABLE_BYTES);
	struct rules_state start;

	(void)unused;
	rests = 0;
	rules_start(&start);
	solver_rest_by(solver, count_rest);
	assert_int_equal(ask_value(solver, &start), 1);
	assert_in_range(rests, solver_nodes(solver) / 1000, solver_nodes(solver) / 100);
	solver_free(solver);
}

struct question {
	struct solver *solver;
	atomic_bool cancel;
	atomic_bool asking;
	bool answered;
};

static void *ask_in_thread(void *argument)
{
	struct question *question = argument;

	atomic_store(&question->asking, true);
	question->answered = solver_warm(question->solver, &question->cancel);
	return NULL;
}

/* The flag may come too late on a busy machine: then the answer is there, and tried again. */
static bool cancel_from_outside(struct solver *solver)
{
	struct question question = {.solver = solver};
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, ask_in_thread, &question), 0);
	while (!atomic_load(&question.asking)) {
	}
	atomic_store(&question.cancel, true);
	pthread_join(thread, NULL);
	return !question.answered;
}

static void another_thread_can_cancel_and_the_next_answer_is_right(void **unused)
{
	struct rules_state start;
	bool cancelled = false;

	(void)unused;
	rules_start(&start);
	for (int i = 0; i < 20 && !cancelled; i++) {
		struct solver *solver = new_solver(SOLVER_TABLE_BYTES);

		cancelled = cancel_from_outside(solver);
		assert_int_equal(ask_value(solver, &start), 1);
		solver_free(solver);
	}
	assert_true(cancelled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_table_of_a_kibibyte_gives_the_same_answers),
			cmocka_unit_test(
					a_table_of_no_bytes_has_one_bucket_and_gives_the_same_answers),
			cmocka_unit_test(a_table_that_is_too_small_for_the_game_gives_its_value),
			cmocka_unit_test(a_question_costs_the_same_each_time_it_is_new),
			cmocka_unit_test(a_question_asked_again_costs_nothing),
			cmocka_unit_test(a_warm_solver_gives_the_answers_of_a_new_one),
			cmocka_unit_test(a_game_that_is_over_is_worth_its_score_and_has_no_actions),
			cmocka_unit_test(who_thinks_rests_again_and_again),
			cmocka_unit_test(what_is_cancelled_before_it_begins_is_not_answered),
			cmocka_unit_test(another_thread_can_cancel_and_the_next_answer_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
