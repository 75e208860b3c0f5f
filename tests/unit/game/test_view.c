/* A position as the wire's board. */
#include "server/game/view.h"

#include "server/game/notation.h"
#include "tests/unit/game/vectors.h"

static struct rules_state read_state(const char *text)
{
	struct notation_record record;
	struct notation_error error;

	assert_true(notation_read(text, strlen(text), &record, &error));
	return record.state;
}

static struct board board_of(const char *text, bool over)
{
	struct rules_state state = read_state(text);
	struct board board;

	memset(&board, 0xa5, sizeof(board)); /* what was there before must not shine through */
	view_board(&state, over, &board);
	return board;
}

static void assert_nothing_to_choose(const struct board *board)
{
	assert_memory_equal(board->choices, ((uint8_t[2]){0}), 2);
	assert_int_equal(board->cycle_count, 0);
	assert_int_equal(board->outcomes[0].count, 0);
	assert_int_equal(board->outcomes[1].count, 0);
}

#define ENDED "1:X(1-5),2:O(5-3),3:X(1-4),4:O(3-6),5:X(4-7),6:O(6-9),7:X(1-5),7c:O(X7(5))"

static void move_is_the_next_moves_number(void **unused)
{
	struct board board = board_of("", false);

	(void)unused;
	assert_int_equal(board.move, 1);
	assert_int_equal(board.turn, SEAT_X);
	assert_int_equal(board.phase, PHASE_MOVE);
	board = board_of("1:X(1-2)", false);
	assert_int_equal(board.move, 2);
	assert_int_equal(board.turn, SEAT_O);
	board = board_of("1:X(1-2),2:O(1-2),2c:X(O2(1))", false);
	assert_int_equal(board.move, 3);
	assert_int_equal(board.turn, SEAT_X);
}

static void move_is_the_closing_moves_number_while_a_measurement_is_due(void **unused)
{
	struct board board = board_of("1:X(1-2),2:O(2-5),3:X(1-5)", false);

	(void)unused;
	assert_int_equal(board.move, 3);
	assert_int_equal(board.turn, SEAT_O);
	assert_int_equal(board.phase, PHASE_COLLAPSE);
}

static void move_is_the_last_one_made_when_the_game_is_over(void **unused)
{
	struct board board = board_of(ENDED, true);

	(void)unused;
	assert_int_equal(board.move, 7);
	assert_int_equal(board.turn, SEAT_NONE);
	assert_int_equal(board.phase, PHASE_OVER);
	board = board_of(ENDED, false);
	assert_int_equal(board.move, 7);
	assert_int_equal(board.turn, SEAT_NONE);
	assert_int_equal(board.phase, PHASE_OVER);
}

static void a_game_resigned_before_a_move_is_over_at_move_0(void **unused)
{
	struct board board = board_of("", true);

	(void)unused;
	assert_int_equal(board.move, 0);
	assert_int_equal(board.turn, SEAT_NONE);
	assert_int_equal(board.phase, PHASE_OVER);
}

static void a_game_resigned_keeps_its_marks_and_nobody_must_act(void **unused)
{
	struct board board = board_of("1:X(1-2),2:O(1-2),2c:X(O2(1)),3:X(8-9)", true);

	(void)unused;
	assert_int_equal(board.move, 3);
	assert_int_equal(board.turn, SEAT_NONE);
	assert_int_equal(board.squares[0].classical, 2);
	assert_int_equal(board.squares[8].spooky_count, 1);
	assert_int_equal(board.squares[8].spooky[0], 3);
}

static void a_game_resigned_while_a_measurement_is_due_has_nothing_to_choose(void **unused)
{
	struct board board = board_of("1:X(1-2),2:O(1-2)", true);

	(void)unused;
	assert_int_equal(board.phase, PHASE_OVER);
	assert_int_equal(board.move, 2);
	assert_nothing_to_choose(&board);
	assert_int_equal(board.squares[0].spooky_count, 2);
}

static void a_square_shows_its_spooky_marks_ascending(void **unused)
{
	struct board board = board_of("1:X(5-1),2:O(5-2),3:X(5-3),4:O(5-4),5:X(5-6),6:O(5-7),"
				      "7:X(5-8),8:O(5-9),9:X(5-1)",
			false);

	(void)unused;
	assert_int_equal(board.squares[4].spooky_count, 9);
	assert_memory_equal(board.squares[4].spooky, ((uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9}), 9);
	assert_int_equal(board.squares[0].spooky_count, 2);
	assert_memory_equal(board.squares[0].spooky, ((uint8_t[9]){1, 9}), 9);
}

static void the_last_square_of_nine_is_classical(void **unused)
{
	struct board board = board_of("1:X(4-9),2:O(3-7),3:X(6-9),4:O(6-8),5:X(3-8),6:O(2-7),"
				      "7:X(1-8),8:O(6-8),8c:X(O8(6)),9:X(5-5)",
			false);

	(void)unused;
	assert_int_equal(board.squares[4].classical, 9);
	assert_int_equal(board.squares[4].spooky_count, 0);
	assert_int_equal(board.move, 9);
	assert_int_equal(board.phase, PHASE_OVER);
}

static void lines_and_score_are_told(void **unused)
{
	struct rules_state state = read_state(ENDED);
	struct result result = {.reason = REASON_FLAG, .cause = CAUSE_REQUEST, .scored = true};

	(void)unused;
	view_lines(&state, &result);
	assert_int_equal(result.half_points_x, 2);
	assert_int_equal(result.half_points_o, 1);
	assert_int_equal(result.line_count, 2);
	assert_int_equal(result.lines[0].seat, SEAT_X);
	assert_int_equal(result.lines[0].max, 5);
	assert_memory_equal(result.lines[0].squares, ((uint8_t[]){1, 4, 7}), 3);
	assert_int_equal(result.lines[1].seat, SEAT_O);
	assert_int_equal(result.lines[1].max, 6);
	assert_memory_equal(result.lines[1].squares, ((uint8_t[]){3, 6, 9}), 3);
	assert_int_equal(result.reason, REASON_FLAG);
	assert_int_equal(result.cause, CAUSE_REQUEST);
	assert_true(result.scored);
}

static void a_position_without_a_line_has_no_score(void **unused)
{
	struct rules_state state = read_state("1:X(1-2)");
	struct result result = {.half_points_x = 4, .half_points_o = 4, .line_count = 2};

	(void)unused;
	view_lines(&state, &result);
	assert_int_equal(result.half_points_x, 0);
	assert_int_equal(result.half_points_o, 0);
	assert_int_equal(result.line_count, 0);
}

static void every_refusal_has_its_code(void **unused)
{
	static const enum code codes[] = {CODE_NONE, CODE_GAME_OVER, CODE_NOT_YOUR_TURN,
			CODE_COLLAPSE_FIRST, CODE_NOTHING_TO_COLLAPSE, CODE_BAD_SQUARE,
			CODE_SAME_SQUARE, CODE_SQUARE_TAKEN, CODE_NOT_A_CHOICE};

	(void)unused;
	for (int refusal = RULES_FINE; refusal <= RULES_NOT_A_CHOICE; refusal++) {
		assert_int_equal(view_code((enum rules_refusal)refusal), codes[refusal]);
	}
}

/* The stored games. */

static const char *word_of(const json_t *view, const char *member)
{
	const json_t *word = json_object_get(view, member);

	return json_is_null(word) ? "" : json_string_value(word);
}

/* A square as the view tells it: its classical mark, else every spooky mark with it as an end. */
static void check_square(const struct board_square *shown, const json_t *view, int square)
{
	char key[2] = {(char)('0' + square), '\0'};
	const json_t *classical = json_object_get(json_object_get(view, "classical"), key);
	int spooky_count = 0;
	size_t i;
	json_t *mark;

	assert_int_equal(shown->classical,
			classical == NULL ? 0 : vectors_mark(json_string_value(classical)));
	json_array_foreach(json_object_get(view, "spooky"), i, mark)
	{
		if (vectors_integer(mark, 1) == square || vectors_integer(mark, 2) == square) {
			assert_int_equal(shown->spooky[spooky_count++],
					vectors_mark(json_string_value(json_array_get(mark, 0))));
		}
	}
	assert_int_equal(shown->spooky_count, spooky_count);
}

static void check_outcome(const struct measured *measured, const json_t *outcome)
{
	assert_int_equal(measured->count, json_array_size(outcome));
	for (size_t i = 0; i < measured->count; i++) {
		const json_t *landing = json_array_get(outcome, i);

		assert_int_equal(measured->mark[i],
				vectors_mark(json_string_value(json_array_get(landing, 0))));
		assert_int_equal(measured->square[i], vectors_integer(landing, 1));
	}
}

static void check_collapse(const struct board *board, const json_t *view)
{
	const json_t *cycle = json_object_get(view, "cycle");

	if (board->phase != PHASE_COLLAPSE) {
		assert_true(json_is_null(cycle));
		assert_nothing_to_choose(board);
		return;
	}
	assert_int_equal(board->cycle_count, json_array_size(cycle));
	for (size_t i = 0; i < board->cycle_count; i++) {
		assert_int_equal(board->cycle[i], vectors_integer(cycle, i));
	}
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(board->choices[i],
				vectors_integer(json_object_get(view, "choices"), i));
		check_outcome(&board->outcomes[i],
				json_array_get(json_object_get(view, "outcomes"), i));
	}
}

static void check_view(const struct rules_state *state, const json_t *view)
{
	static const char *const phases[] = {"move", "collapse", "over"};
	static const char *const seats[] = {"", "X", "O"};
	struct board board;

	view_board(state, false, &board);
	assert_string_equal(phases[board.phase], word_of(view, "phase"));
	assert_string_equal(seats[board.turn], word_of(view, "turn"));
	assert_int_equal(board.move, json_integer_value(json_object_get(view, "moves")) +
						     (board.phase == PHASE_MOVE));
	for (int square = 1; square <= 9; square++) {
		check_square(&board.squares[square - 1], view, square);
	}
	check_collapse(&board, view);
}

static void check_game(const json_t *game)
{
	const json_t *actions = json_object_get(game, "actions");
	struct rules_state state;

	rules_start(&state);
	for (size_t i = 0; i <= json_array_size(actions); i++) {
		check_view(&state, json_array_get(json_object_get(game, "views"), i));
		if (i < json_array_size(actions)) {
			struct rules_action action = vectors_action(json_array_get(actions, i));

			assert_int_equal(rules_apply(&state, rules_turn(&state), &action),
					RULES_FINE);
		}
	}
}

static void boards_of_the_stored_games_are_as_told(void **unused)
{
	(void)unused;
	vectors_each_game(check_game);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(move_is_the_next_moves_number),
			cmocka_unit_test(
					move_is_the_closing_moves_number_while_a_measurement_is_due),
			cmocka_unit_test(move_is_the_last_one_made_when_the_game_is_over),
			cmocka_unit_test(a_game_resigned_before_a_move_is_over_at_move_0),
			cmocka_unit_test(a_game_resigned_keeps_its_marks_and_nobody_must_act),
			cmocka_unit_test(
					a_game_resigned_while_a_measurement_is_due_has_nothing_to_choose),
			cmocka_unit_test(a_square_shows_its_spooky_marks_ascending),
			cmocka_unit_test(the_last_square_of_nine_is_classical),
			cmocka_unit_test(lines_and_score_are_told),
			cmocka_unit_test(a_position_without_a_line_has_no_score),
			cmocka_unit_test(every_refusal_has_its_code),
			cmocka_unit_test(boards_of_the_stored_games_are_as_told),
	};

	if (argc != 2) {
		fprintf(stderr, "usage: %s VECTORS-FOLDER\n", argv[0]);
		return 2;
	}
	vectors_folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
