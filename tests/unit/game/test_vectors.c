/* Every member of every stored view and case, compared with what the rules make of its moves. Each
 * member has a row in a table here: one that has none fails the test, and so does one that a
 * view lacks. */
#include "server/game/notation.h"
#include "server/game/rules.h"
#include "tests/unit/game/vectors.h"

typedef void (*check_function)(const struct rules_state *state, const json_t *value);

struct member {
	const char *name;
	check_function check;
};

/* Check each member of an object by its row; returns how many there were. */
static int check_members(const struct rules_state *state, json_t *object,
		const struct member *table, size_t rows)
{
	const char *name;
	json_t *value;
	int count = 0;

	json_object_foreach(object, name, value)
	{
		size_t row = 0;

		while (row < rows && strcmp(table[row].name, name) != 0) {
			row++;
		}
		if (row == rows) {
			fail_msg("nobody knows the member \"%s\"", name);
		}
		table[row].check(state, value);
		count++;
	}
	return count;
}

/* What views and cases share. */

static void check_player(enum rules_player player, const json_t *value)
{
	static const char *const names[] = {"", "X", "O"};

	if (json_is_null(value)) {
		assert_int_equal(player, RULES_NOBODY);
	} else {
		assert_string_equal(names[player], json_string_value(value));
	}
}

static void check_turn(const struct rules_state *state, const json_t *value)
{
	check_player(rules_turn(state), value);
}

/* {"5":"O2", …} and no other square */
static void check_classical(const struct rules_state *state, const json_t *value)
{
	size_t found = 0;

	assert_true(json_is_object(value));
	for (int square = 1; square <= 9; square++) {
		char key[2] = {(char)('0' + square), '\0'};
		const json_t *name = json_object_get(value, key);
		int mark = state->classical[square];

		assert_int_equal(mark, name == NULL ? 0 : vectors_mark(json_string_value(name)));
		found += mark != 0;
	}
	assert_int_equal(found, json_object_size(value));
}

static void check_points(int half_points, const json_t *value)
{
	double told = 2 * json_number_value(value);

	assert_true(json_is_number(value));
	assert_true(told >= half_points && told <= half_points);
}

static void check_score(const struct rules_state *state, const json_t *value)
{
	int x;
	int o;

	rules_score(state, &x, &o);
	if (json_is_null(value)) {
		assert_int_not_equal(rules_phase(state), RULES_OVER);
		assert_int_equal(x, 0);
		assert_int_equal(o, 0);
		return;
	}
	assert_int_equal(rules_phase(state), RULES_OVER);
	assert_int_equal(json_object_size(value), 2);
	check_points(x, json_object_get(value, "X"));
	check_points(o, json_object_get(value, "O"));
}

/* The line with these squares, which must be there. */
static void check_line(const struct rules_line *lines, int count, const json_t *letter,
		const json_t *squares, int time)
{
	assert_int_equal(json_array_size(squares), 3);
	for (int i = 0; i < count; i++) {
		bool same = true;

		for (size_t j = 0; j < 3; j++) {
			same = same && lines[i].squares[j] == vectors_integer(squares, j);
		}
		if (same) {
			check_player(lines[i].player, letter);
			assert_int_equal(lines[i].time, time);
			return;
		}
	}
	fail_msg("a line is missing");
}

/* Lines as [letter, …] in any order; `squares_at` and `time_at` say where the rest is. */
static void check_all_lines(const struct rules_state *state, const json_t *value, size_t squares_at,
		size_t time_at)
{
	struct rules_line lines[RULES_LINES_MAX];
	int count = rules_lines(state, lines);
	size_t i;
	json_t *line;

	assert_int_equal(json_array_size(value), count);
	json_array_foreach(value, i, line)
	{
		check_line(lines, count, json_array_get(line, 0), json_array_get(line, squares_at),
				vectors_integer(line, time_at));
	}
}

/* Views of games. */

static void check_phase(const struct rules_state *state, const json_t *value)
{
	static const char *const names[] = {"move", "collapse", "over"};

	assert_string_equal(names[rules_phase(state)], json_string_value(value));
}

static void check_moves(const struct rules_state *state, const json_t *value)
{
	assert_true(json_is_integer(value));
	assert_int_equal(state->moves, json_integer_value(value));
}

/* [["X3",4,6], …] in the order of moves and no other mark */
static void check_spooky_list(const struct rules_state *state, const json_t *value)
{
	size_t found = 0;

	assert_true(json_is_array(value));
	for (int mark = 1; mark <= state->moves; mark++) {
		const json_t *entry = json_array_get(value, found);

		if (state->ends[mark][0] == state->ends[mark][1]) {
			continue;
		}
		assert_int_equal(mark, vectors_mark(json_string_value(json_array_get(entry, 0))));
		assert_int_equal(state->ends[mark][0], vectors_integer(entry, 1));
		assert_int_equal(state->ends[mark][1], vectors_integer(entry, 2));
		found++;
	}
	assert_int_equal(found, json_array_size(value));
}

static void check_squares(const uint8_t *squares, int count, const json_t *value)
{
	if (json_is_null(value)) {
		assert_int_equal(count, 0);
		return;
	}
	assert_int_equal(count, json_array_size(value));
	for (int i = 0; i < count; i++) {
		assert_int_equal(squares[i], vectors_integer(value, (size_t)i));
	}
}

static void check_choices(const struct rules_state *state, const json_t *value)
{
	uint8_t choices[2] = {0};
	int closing = rules_choices(state, choices);

	assert_int_equal(closing, json_is_null(value) ? 0 : state->moves);
	check_squares(choices, closing == 0 ? 0 : 2, value);
}

static void check_cycle(const struct rules_state *state, const json_t *value)
{
	uint8_t squares[9];
	int count = rules_cycle(state, squares);

	check_squares(squares, count, value);
}

/* [["O8",2],["X1",7], …] in the order of forcing */
static void check_outcome(const struct rules_measured *measured, const json_t *value)
{
	assert_int_equal(measured->count, json_array_size(value));
	for (size_t i = 0; i < measured->count; i++) {
		const json_t *entry = json_array_get(value, i);

		assert_int_equal(measured->mark[i],
				vectors_mark(json_string_value(json_array_get(entry, 0))));
		assert_int_equal(measured->square[i], vectors_integer(entry, 1));
	}
}

static void check_outcomes(const struct rules_state *state, const json_t *value)
{
	uint8_t choices[2];

	if (rules_choices(state, choices) == 0) {
		assert_true(json_is_null(value));
		return;
	}
	assert_int_equal(json_array_size(value), 2);
	for (size_t i = 0; i < 2; i++) {
		struct rules_measured measured;

		rules_outcome(state, choices[i], &measured);
		check_outcome(&measured, json_array_get(value, i));
	}
}

/* [letter, squares, time] */
static void check_lines(const struct rules_state *state, const json_t *value)
{
	check_all_lines(state, value, 1, 2);
}

static const struct member view_members[] = {
		{"phase", check_phase},
		{"turn", check_turn},
		{"moves", check_moves},
		{"classical", check_classical},
		{"spooky", check_spooky_list},
		{"choices", check_choices},
		{"outcomes", check_outcomes},
		{"cycle", check_cycle},
		{"score", check_score},
		{"lines", check_lines},
};
#define VIEW_MEMBERS (sizeof(view_members) / sizeof(view_members[0]))

static void check_game(const json_t *game)
{
	const json_t *actions = json_object_get(game, "actions");
	const json_t *views = json_object_get(game, "views");
	struct rules_state state;

	assert_int_equal(json_object_size(game), 3);
	assert_non_null(json_object_get(game, "name"));
	assert_int_equal(json_array_size(views), json_array_size(actions) + 1);
	rules_start(&state);
	for (size_t i = 0; i < json_array_size(views); i++) {
		int members = check_members(
				&state, json_array_get(views, i), view_members, VIEW_MEMBERS);

		assert_int_equal(members, VIEW_MEMBERS);
		if (i < json_array_size(actions)) {
			struct rules_action action = vectors_action(json_array_get(actions, i));

			assert_int_equal(rules_apply(&state, rules_turn(&state), &action),
					RULES_FINE);
		}
	}
}

static void every_view_of_the_stored_games_is_as_told(void **unused)
{
	(void)unused;
	vectors_each_game(check_game);
}

/* Cases. */

static void check_over(const struct rules_state *state, const json_t *value)
{
	assert_true(json_is_boolean(value));
	assert_int_equal(rules_phase(state) == RULES_OVER, json_is_true(value));
}

static void check_action(const struct rules_state *state, const json_t *value)
{
	static const char *const names[] = {"place", "collapse", ""};

	assert_string_equal(names[rules_phase(state)], json_string_value(value));
}

/* May this mark be named in the measurement that is due? Exactly those on the cycle may. */
static bool may_be_named(const struct rules_state *state, int mark)
{
	int squares = 0;

	for (int square = 1; square <= 9; square++) {
		struct rules_action action = {
				.kind = RULES_MEASURE, .mark = mark, .squares = {square}};

		squares += rules_check(state, rules_turn(state), &action) == RULES_FINE;
	}
	assert_true(squares == 0 || squares == 2);
	return squares == 2;
}

/* Of the entanglement that is measured, the marks that may (or may not) be named, in any order. */
static void check_marks(const struct rules_state *state, const json_t *value, bool on_cycle)
{
	struct rules_measured measured;
	uint8_t choices[2];
	bool listed[10] = {false};
	size_t i;
	json_t *name;

	assert_true(json_is_array(value));
	json_array_foreach(value, i, name)
	{
		listed[vectors_mark(json_string_value(name))] = true;
	}
	assert_int_not_equal(rules_choices(state, choices), 0);
	rules_outcome(state, choices[0], &measured);
	for (int n = 0; n < measured.count; n++) {
		int mark = measured.mark[n];

		assert_int_equal(listed[mark], may_be_named(state, mark) == on_cycle);
		listed[mark] = false;
	}
	for (int mark = 0; mark <= 9; mark++) {
		assert_false(listed[mark]);
	}
}

static void check_loop(const struct rules_state *state, const json_t *value)
{
	uint8_t squares[9];

	check_marks(state, value, true);
	assert_int_equal(rules_cycle(state, squares), json_array_size(value));
}

static void check_stems(const struct rules_state *state, const json_t *value)
{
	check_marks(state, value, false);
}

static bool is_option(const struct rules_measured *measured, const json_t *option)
{
	if (json_object_size(option) != measured->count) {
		return false;
	}
	for (int i = 0; i < measured->count; i++) {
		char name[3] = {" XO"[rules_owner(measured->mark[i])],
				(char)('0' + measured->mark[i]), '\0'};
		const json_t *square = json_object_get(option, name);

		if (square == NULL || json_integer_value(square) != measured->square[i]) {
			return false;
		}
	}
	return true;
}

/* Two options, one for each choice, in any order */
static void check_options(const struct rules_state *state, const json_t *value)
{
	struct rules_measured outcomes[2];
	uint8_t choices[2];
	const json_t *first = json_array_get(value, 0);
	const json_t *second = json_array_get(value, 1);

	assert_int_not_equal(rules_choices(state, choices), 0);
	assert_int_equal(json_array_size(value), 2);
	rules_outcome(state, choices[0], &outcomes[0]);
	rules_outcome(state, choices[1], &outcomes[1]);
	assert_true((is_option(&outcomes[0], first) && is_option(&outcomes[1], second)) ||
			(is_option(&outcomes[0], second) && is_option(&outcomes[1], first)));
}

/* Pairs, ascending; none while a measurement is due */
static void check_legal_places(const struct rules_state *state, const json_t *value)
{
	struct rules_action actions[RULES_ACTIONS_MAX];
	int count = rules_phase(state) == RULES_MOVE ? rules_legal(state, actions) : 0;

	assert_int_equal(count, json_array_size(value));
	for (int i = 0; i < count; i++) {
		const json_t *pair = json_array_get(value, (size_t)i);

		assert_int_equal(json_array_size(pair), 2);
		assert_int_equal(actions[i].squares[0], vectors_integer(pair, 0));
		assert_int_equal(actions[i].squares[1], vectors_integer(pair, 1));
	}
}

/* {"O4":[3,4], …} and no other mark */
static void check_spooky(const struct rules_state *state, const json_t *value)
{
	size_t found = 0;

	assert_true(json_is_object(value));
	for (int mark = 1; mark <= state->moves; mark++) {
		char name[3] = {" XO"[rules_owner(mark)], (char)('0' + mark), '\0'};
		const json_t *squares = json_object_get(value, name);

		if (state->ends[mark][0] == state->ends[mark][1]) {
			assert_null(squares);
			continue;
		}
		check_squares(state->ends[mark], 2, squares);
		found++;
	}
	assert_int_equal(found, json_object_size(value));
}

static void check_winner(const struct rules_state *state, const json_t *value)
{
	const char *winner;
	int x;
	int o;

	rules_score(state, &x, &o);
	winner = x > o ? "X" : x < o ? "O" : "draw";
	assert_int_equal(rules_phase(state), RULES_OVER);
	assert_string_equal(winner, json_string_value(value));
}

/* [letter, time, squares] */
static void check_rows(const struct rules_state *state, const json_t *value)
{
	check_all_lines(state, value, 2, 1);
}

/* Compared when the moves are read, see check_case. */
static void check_elsewhere(const struct rules_state *state, const json_t *value)
{
	(void)state;
	assert_non_null(value);
}

static const struct member case_members[] = {
		{"over", check_over},
		{"to_act", check_turn},
		{"action", check_action},
		{"loop", check_loop},
		{"stems", check_stems},
		{"options", check_options},
		{"legal_places", check_legal_places},
		{"classical", check_classical},
		{"spooky", check_spooky},
		{"score", check_score},
		{"winner", check_winner},
		{"rows", check_rows},
		{"illegal_at", check_elsewhere},
		{"illegal_reason", check_elsewhere},
};

/* The cases' words for refusals that have another name in the wire contract. */
static const char *contract_word(const char *reason)
{
	static const char *const words[][2] = {
			{"mark_not_on_loop", "not_a_choice"},
			{"mark_not_in_square", "not_a_choice"},
			{"square_is_classical", "square_taken"},
			{"no_such_square", "bad_square"},
			{"wrong_chooser", "not_your_turn"},
			{"collapse_pending", "collapse_first"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(reason, words[i][0]) == 0) {
			return words[i][1];
		}
	}
	return reason;
}

static size_t join_moves(const json_t *moves, char *text, size_t size)
{
	size_t length = 0;
	size_t i;
	json_t *move;

	json_array_foreach(moves, i, move)
	{
		length += (size_t)snprintf(text + length, size - length, "%s%s", i == 0 ? "" : ",",
				json_string_value(move));
		assert_true(length < size);
	}
	return length;
}

static void check_case(const json_t *test_case)
{
	json_t *expect = json_object_get(test_case, "expect");
	const json_t *illegal_at = json_object_get(expect, "illegal_at");
	struct notation_error error = {0};
	struct notation_record record;
	char text[NOTATION_SIZE];
	size_t length = join_moves(json_object_get(test_case, "moves"), text, sizeof(text));
	bool fine = notation_read(text, length, &record, &error);

	assert_int_equal(json_object_size(test_case), 5); /* name, why, source, moves, expect */
	assert_int_equal(fine, illegal_at == NULL);
	if (illegal_at != NULL) {
		const json_t *reason = json_object_get(expect, "illegal_reason");

		assert_int_equal(error.item, json_integer_value(illegal_at));
		assert_string_equal(rules_refusal_word(error.refusal),
				contract_word(json_string_value(reason)));
	}
	assert_true(check_members(&record.state, expect, case_members,
				    sizeof(case_members) / sizeof(case_members[0])) > 0);
}

static void every_case_is_as_told(void **unused)
{
	FILE *file = vectors_open("cases.json");
	json_t *cases = vectors_next(file);
	size_t i;
	json_t *test_case;

	(void)unused;
	assert_int_equal(json_array_size(cases), VECTORS_CASES);
	json_array_foreach(cases, i, test_case)
	{
		print_message("# %s\n", json_string_value(json_object_get(test_case, "name")));
		check_case(test_case);
	}
	json_decref(cases);
	fclose(file);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(every_view_of_the_stored_games_is_as_told),
			cmocka_unit_test(every_case_is_as_told),
	};

	if (argc != 2) {
		fprintf(stderr, "usage: %s VECTORS-FOLDER\n", argv[0]);
		return 2;
	}
	vectors_folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
