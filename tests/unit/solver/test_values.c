/* The solver against values that others have found: stored ones, and published ones. */
#include "server/solver/solver.h"
#include "server/solver/variant.h"
#include "tests/unit/game/vectors.h"
#include "tests/unit/solver/positions.h"

#define VECTORS_VALUES 120

/* A value in points, to half points. */
static int half_points_of(const json_t *value)
{
	double half_points;
	int rounded;

	assert_true(json_is_number(value));
	half_points = 2 * json_number_value(value);
	rounded = (int)half_points;
	assert_true(half_points <= rounded && half_points >= rounded);
	return rounded;
}

static void check_action(const struct rules_action *action, const json_t *name)
{
	if (action->kind == RULES_MEASURE) {
		assert_int_equal(action->squares[0], json_integer_value(name));
		return;
	}
	assert_int_equal(action->squares[0], vectors_integer(name, 0));
	assert_int_equal(action->squares[1], vectors_integer(name, json_array_size(name) - 1));
}

static void check_each(const struct solver_each *each, const json_t *expected)
{
	assert_int_equal(each->count, json_array_size(expected));
	for (int i = 0; i < each->count; i++) {
		const json_t *pair = json_array_get(expected, (size_t)i);

		check_action(&each->action[i], json_array_get(pair, 0));
		assert_int_equal(each->half_points[i], half_points_of(json_array_get(pair, 1)));
	}
}

static void check_line(struct solver *solver, const json_t *line)
{
	struct rules_state state;
	struct solver_each each;
	const json_t *action;
	size_t i;
	int value;

	rules_start(&state);
	json_array_foreach(json_object_get(line, "actions"), i, action)
	{
		struct rules_action done = vectors_action(action);

		position_do(&state, &done);
	}
	assert_true(solver_value(solver, &state, NULL, &value));
	assert_int_equal(value, half_points_of(json_object_get(line, "value")));
	assert_true(solver_each(solver, &state, NULL, &each));
	check_each(&each, json_object_get(line, "each"));
}

static void stored_values_are_found(void **unused)
{
	struct solver *solver = solver_new(SOLVER_TABLE_BYTES);
	FILE *file = vectors_open("values.jsonl");
	json_t *line;
	int count = 0;

	(void)unused;
	assert_non_null(solver);
	while ((line = vectors_next(file)) != NULL) {
		check_line(solver, line);
		json_decref(line);
		count++;
	}
	fclose(file);
	solver_free(solver);
	assert_int_equal(count, VECTORS_VALUES);
}

/* Ishizeki and Matsuura 2010; Kumar, Ang and Huang 2011. */
static void perfect_play_from_the_start_gives_x_half_a_point(void **unused)
{
	struct solver *solver = solver_new(SOLVER_TABLE_BYTES);
	struct rules_state start;
	int value;

	(void)unused;
	rules_start(&start);
	assert_true(solver_value(solver, &start, NULL, &value));
	assert_int_equal(value, 1);
	solver_free(solver);
}

static void only_the_openings_1_9_and_3_7_win(void **unused)
{
	struct solver *solver = solver_new(SOLVER_TABLE_BYTES);
	struct rules_state start;
	struct solver_each each;

	(void)unused;
	rules_start(&start);
	assert_true(solver_each(solver, &start, NULL, &each));
	assert_int_equal(each.count, 36);
	for (int i = 0; i < each.count; i++) {
		const int *squares = each.action[i].squares;
		bool corners = (squares[0] == 1 && squares[1] == 9) ||
			       (squares[0] == 3 && squares[1] == 7);

		assert_int_equal(each.half_points[i], corners ? 1 : 0);
	}
	solver_free(solver);
}

static void without_repeated_pairs_nobody_wins(void **unused)
{
	struct solver *solver = solver_new(SOLVER_TABLE_BYTES);
	struct rules_state start;
	int value;

	(void)unused;
	solver_forbid_repeats(solver);
	rules_start(&start);
	assert_true(solver_value(solver, &start, NULL, &value));
	assert_int_equal(value, 0);
	solver_free(solver);
}

/* The article's example: O8 into 5 gives O 1 and X 1/2, into 3 it gives O 1 and X nothing. */
static void the_earlier_line_is_worth_more(void **unused)
{
	static const int moves[8][2] = {
			{1, 7}, {6, 8}, {2, 8}, {5, 9}, {1, 6}, {7, 9}, {2, 3}, {3, 5}};
	struct solver *solver = solver_new(1024);
	struct rules_state state;
	struct solver_each each;

	(void)unused;
	rules_start(&state);
	for (int i = 0; i < 8; i++) {
		position_place(&state, moves[i][0], moves[i][1]);
	}
	assert_true(solver_each(solver, &state, NULL, &each));
	assert_int_equal(each.count, 2);
	assert_int_equal(each.action[0].squares[0], 3);
	assert_int_equal(each.half_points[0], -2);
	assert_int_equal(each.action[1].squares[0], 5);
	assert_int_equal(each.half_points[1], -1);
	solver_free(solver);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(stored_values_are_found),
			cmocka_unit_test(perfect_play_from_the_start_gives_x_half_a_point),
			cmocka_unit_test(only_the_openings_1_9_and_3_7_win),
			cmocka_unit_test(without_repeated_pairs_nobody_wins),
			cmocka_unit_test(the_earlier_line_is_worth_more),
	};

	vectors_folder = argc > 1 ? argv[1] : "tests/vectors";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
