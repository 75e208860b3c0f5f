/* The rules of the game, one by one. */
#include "server/game/rules.h"

#include <limits.h>

#include "tests/unit/game/words.h"

/* Squares 1 to 9 as their classical marks, '.' for none. */
static void assert_classical(const struct rules_state *state, const char *expected)
{
	char marks[10] = {0};

	for (int square = 1; square <= 9; square++) {
		int mark = state->classical[square];

		marks[square - 1] = (char)(mark == 0 ? '.' : '0' + mark);
	}
	assert_string_equal(marks, expected);
}

static void assert_score(const struct rules_state *state, int half_points_x, int half_points_o)
{
	int x;
	int o;

	assert_int_equal(rules_phase(state), RULES_OVER);
	rules_score(state, &x, &o);
	assert_int_equal(x, half_points_x);
	assert_int_equal(o, half_points_o);
}

static void assert_outcome(const struct rules_state *state, int square, const char *expected)
{
	struct rules_measured measured;
	char text[64] = "";
	char *end = text;

	rules_outcome(state, square, &measured);
	for (int i = 0; i < measured.count; i++) {
		*end++ = (char)('0' + measured.mark[i]);
		*end++ = ':';
		*end++ = (char)('0' + measured.square[i]);
		*end++ = i + 1 < measured.count ? ' ' : '\0';
	}
	assert_string_equal(text, expected);
}

#define EIGHT_CLASSICAL "4-9 3-7 6-9 6-8 3-8 2-7 1-8 6-8 c6"
#define SEVEN_CLASSICAL "2-4 2-6 1-8 5-8 5-6 4-9 1-2 c2"

/* Moves. */

static void X_begins_and_the_players_take_turns(void **unused)
{
	struct rules_state state = play("");

	(void)unused;
	assert_int_equal(rules_turn(&state), RULES_X);
	state = play("1-2");
	assert_int_equal(rules_turn(&state), RULES_O);
	state = play("1-2 3-4");
	assert_int_equal(rules_turn(&state), RULES_X);
}

static void odd_marks_are_of_X_and_even_ones_of_O(void **unused)
{
	(void)unused;
	for (int mark = 1; mark <= 9; mark++) {
		assert_int_equal(rules_owner(mark), mark % 2 == 1 ? RULES_X : RULES_O);
	}
	assert_int_equal(rules_owner(0), RULES_NOBODY);
	assert_int_equal(rules_owner(10), RULES_NOBODY);
	assert_int_equal(rules_owner(INT_MIN), RULES_NOBODY);
}

static void a_move_out_of_turn_is_refused(void **unused)
{
	struct rules_state state = play("1-2");
	struct rules_action action = {.kind = RULES_PLACE, .squares = {3, 4}};

	(void)unused;
	assert_int_equal(rules_check(&state, RULES_X, &action), RULES_NOT_YOUR_TURN);
	assert_int_equal(rules_check(&state, RULES_NOBODY, &action), RULES_NOT_YOUR_TURN);
	assert_int_equal(rules_check(&state, RULES_O, &action), RULES_FINE);
}

static void the_order_of_the_two_squares_does_not_matter(void **unused)
{
	struct rules_state one = play("1-5 7-3");
	struct rules_state other = play("5-1 3-7");

	(void)unused;
	assert_memory_equal(&one, &other, sizeof(one));
}

static void squares_are_1_to_9(void **unused)
{
	static const int bad[] = {0, 10, -1, 42, INT_MAX, INT_MIN};
	struct rules_state state = play("1-2");

	(void)unused;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(place(&state, bad[i], 5), RULES_BAD_SQUARE);
		assert_int_equal(place(&state, 5, bad[i]), RULES_BAD_SQUARE);
		assert_int_equal(place(&state, bad[i], bad[i]), RULES_BAD_SQUARE);
	}
}

static void the_two_squares_must_differ_while_more_than_one_is_open(void **unused)
{
	struct rules_state state = play("");

	(void)unused;
	assert_int_equal(place(&state, 4, 4), RULES_SAME_SQUARE);
	state = play(SEVEN_CLASSICAL);
	assert_int_equal(rules_open_squares(&state), 2);
	assert_int_equal(place(&state, 3, 3), RULES_SAME_SQUARE);
	assert_int_equal(place(&state, 1, 1), RULES_SAME_SQUARE);
}

static void a_square_with_a_classical_mark_is_closed(void **unused)
{
	struct rules_state state = play("1-5 1-5 c5");

	(void)unused;
	assert_int_equal(place(&state, 5, 9), RULES_SQUARE_TAKEN);
	assert_int_equal(place(&state, 9, 1), RULES_SQUARE_TAKEN);
	assert_int_equal(place(&state, 8, 9), RULES_FINE);
}

static void a_refusal_changes_nothing(void **unused)
{
	struct rules_state state = play("1-2 2-5 1-5");
	struct rules_state before = state;

	(void)unused;
	assert_int_equal(place(&state, 3, 4), RULES_COLLAPSE_FIRST);
	assert_int_equal(measure(&state, 0, 2), RULES_NOT_A_CHOICE);
	assert_memory_equal(&state, &before, sizeof(state));
}

static void the_opening_has_36_moves_in_ascending_order(void **unused)
{
	struct rules_state state = play("");
	struct rules_action actions[RULES_ACTIONS_MAX];
	int n = 0;

	(void)unused;
	assert_int_equal(rules_legal(&state, actions), 36);
	for (int one = 1; one <= 9; one++) {
		for (int other = one + 1; other <= 9; other++, n++) {
			assert_int_equal(actions[n].kind, RULES_PLACE);
			assert_int_equal(actions[n].squares[0], one);
			assert_int_equal(actions[n].squares[1], other);
		}
	}
}

/* Cycles. */

static void marks_that_only_share_a_square_are_no_cycle(void **unused)
{
	struct rules_state state = play("5-2 5-3 5-1 5-6 5-4 5-9 5-7");
	uint8_t squares[9];

	(void)unused;
	assert_int_equal(rules_phase(&state), RULES_MOVE);
	assert_int_equal(rules_cycle(&state, squares), 0);
	assert_int_equal(rules_choices(&state, squares), 0);
}

static void the_same_two_squares_again_are_a_cycle_of_two(void **unused)
{
	struct rules_state state = play("4-6 4-6");
	uint8_t squares[9];

	(void)unused;
	assert_int_equal(rules_phase(&state), RULES_COLLAPSE);
	assert_int_equal(rules_choices(&state, squares), 2);
	assert_int_equal(rules_cycle(&state, squares), 2);
	assert_memory_equal(squares, ((uint8_t[]){4, 6}), 2);
	assert_outcome(&state, 4, "2:4 1:6");
	assert_outcome(&state, 6, "2:6 1:4");
}

static void a_cycle_may_pass_through_all_nine_squares(void **unused)
{
	struct rules_state state = play("1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-1");
	uint8_t squares[9];

	(void)unused;
	assert_int_equal(rules_cycle(&state, squares), 9);
	assert_memory_equal(squares, ((uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9}), 9);
	assert_outcome(&state, 1, "9:1 1:2 2:3 3:4 4:5 5:6 6:7 7:8 8:9");
}

static void a_square_may_hold_nine_spooky_marks_while_a_measurement_is_due(void **unused)
{
	struct rules_state state = play("5-1 5-2 5-3 5-4 5-6 5-7 5-8 5-9 5-1");

	(void)unused;
	assert_int_equal(rules_phase(&state), RULES_COLLAPSE);
	assert_int_equal(rules_turn(&state), RULES_O);
	assert_outcome(&state, 5, "9:5 1:1 2:2 3:3 4:4 5:6 6:7 7:8 8:9");
	assert_outcome(&state, 1, "9:1 1:5 2:2 3:3 4:4 5:6 6:7 7:8 8:9");
}

static void what_hangs_on_a_cycle_is_not_part_of_it(void **unused)
{
	struct rules_state state = play("1-2 2-5 5-9 5-1");
	uint8_t squares[9];

	(void)unused;
	assert_int_equal(rules_cycle(&state, squares), 3);
	assert_memory_equal(squares, ((uint8_t[]){1, 2, 5}), 3);
}

/* Measurement. */

static void he_who_did_not_close_the_cycle_chooses(void **unused)
{
	struct rules_state state = play("1-2 2-5 1-5");
	struct rules_action action = {.kind = RULES_MEASURE, .squares = {5}};

	(void)unused;
	assert_int_equal(rules_turn(&state), RULES_O);
	assert_int_equal(rules_check(&state, RULES_X, &action), RULES_NOT_YOUR_TURN);
	assert_int_equal(rules_check(&state, RULES_O, &action), RULES_FINE);
}

static void he_chooses_even_if_all_the_marks_on_it_are_the_others(void **unused)
{
	struct rules_state state = play("1-5 5-3 1-4 3-6 4-7 6-9 1-5");

	(void)unused;
	assert_int_equal(rules_turn(&state), RULES_O);
	assert_int_equal(measure(&state, 1, 1), RULES_FINE);
}

static void nothing_is_placed_while_a_measurement_is_due(void **unused)
{
	struct rules_state state = play("1-2 1-2");

	(void)unused;
	assert_int_equal(place(&state, 3, 4), RULES_COLLAPSE_FIRST);
	assert_int_equal(place(&state, 42, 42), RULES_COLLAPSE_FIRST);
}

static void nothing_is_measured_while_none_is_due(void **unused)
{
	struct rules_state state = play("1-2");
	struct rules_measured measured;
	struct rules_action action = {.kind = RULES_MEASURE, .squares = {1}};

	(void)unused;
	assert_int_equal(measure(&state, 0, 1), RULES_NOTHING_TO_COLLAPSE);
	assert_int_equal(rules_closing_square(&state, &action), 0);
	rules_outcome(&state, 1, &measured);
	assert_int_equal(measured.count, 0);
}

static void there_are_exactly_two_outcomes(void **unused)
{
	struct rules_state state = play("1-2 2-5 1-5");
	struct rules_action actions[RULES_ACTIONS_MAX];

	(void)unused;
	assert_int_equal(rules_legal(&state, actions), 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(actions[i].kind, RULES_MEASURE);
		assert_int_equal(actions[i].mark, 3);
		assert_int_equal(actions[i].squares[0], i == 0 ? 1 : 5);
	}
	assert_outcome(&state, 1, "3:1 1:2 2:5");
	assert_outcome(&state, 5, "3:5 2:2 1:1");
	assert_outcome(&state, 2, "");
	assert_outcome(&state, 0, "");
	assert_outcome(&state, INT_MAX, "");
}

static void any_mark_on_the_cycle_may_be_named_with_one_of_its_squares(void **unused)
{
	static const char *const same[] = {"c5", "c5:3", "c1:1", "c2:2"};

	(void)unused;
	for (int i = 0; i < 4; i++) {
		struct rules_state state = play("1-2 2-5 1-5");
		struct rules_action action = parse_word(same[i]);

		assert_int_equal(rules_closing_square(&state, &action), 5);
		assert_int_equal(try_word(&state, same[i]), RULES_FINE);
		assert_classical(&state, "12..3....");
	}
}

static void a_mark_that_hangs_on_the_cycle_can_not_be_named(void **unused)
{
	struct rules_state state = play("1-2 2-5 5-9 5-1");

	(void)unused;
	assert_int_equal(measure(&state, 3, 9), RULES_NOT_A_CHOICE);
	assert_int_equal(measure(&state, 3, 5), RULES_NOT_A_CHOICE);
}

static void a_mark_of_another_entanglement_can_not_be_named(void **unused)
{
	struct rules_state state = play("7-8 1-2 1-2");

	(void)unused;
	assert_int_equal(measure(&state, 1, 7), RULES_NOT_A_CHOICE);
}

static void a_mark_goes_only_to_a_square_that_it_is_in(void **unused)
{
	struct rules_state state = play("1-2 2-3 3-1");

	(void)unused;
	assert_int_equal(measure(&state, 2, 1), RULES_NOT_A_CHOICE);
	assert_int_equal(measure(&state, 0, 2), RULES_NOT_A_CHOICE);
	assert_int_equal(measure(&state, 0, 9), RULES_NOT_A_CHOICE);
}

static void marks_and_squares_that_can_not_be_are_no_choice(void **unused)
{
	static const int bad[] = {-1, 4, 9, 10, 42, 256 + 3, INT_MAX, INT_MIN};
	struct rules_state state = play("1-2 2-3 3-1");

	(void)unused;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(measure(&state, bad[i], 1), RULES_NOT_A_CHOICE);
	}
	assert_int_equal(measure(&state, 3, 0), RULES_BAD_SQUARE);
	assert_int_equal(measure(&state, 3, 256 + 1), RULES_BAD_SQUARE);
	assert_int_equal(measure(&state, 3, INT_MIN), RULES_BAD_SQUARE);
}

static void a_kind_of_action_that_is_none_is_refused(void **unused)
{
	struct rules_state state = play("1-2");
	struct rules_action action = {.squares = {3, 4}};
	int kind = 7;

	(void)unused;
	memcpy(&action.kind, &kind, sizeof(action.kind));
	assert_int_equal(rules_apply(&state, RULES_O, &action), RULES_NOTHING_TO_COLLAPSE);
	state = play("1-2 1-2");
	assert_int_equal(rules_apply(&state, RULES_X, &action), RULES_COLLAPSE_FIRST);
}

static void what_hangs_on_the_cycle_is_measured_with_it_however_far_out(void **unused)
{
	struct rules_state state = play("1-5 5-3 1-4 3-6 4-7 6-9 1-5");

	(void)unused;
	assert_outcome(&state, 1, "7:1 1:5 3:4 2:3 5:7 4:6 6:9");
	assert_outcome(&state, 5, "7:5 1:1 2:3 3:4 4:6 5:7 6:9");
}

static void other_entanglements_stay_spooky(void **unused)
{
	struct rules_state state = play("1-2 2-5 3-6 6-9 9-3 c9");

	(void)unused;
	assert_classical(&state, "..3..4..5");
	assert_memory_equal(state.ends[1], ((uint8_t[]){1, 2}), 2);
	assert_memory_equal(state.ends[2], ((uint8_t[]){2, 5}), 2);
}

static void the_chooser_makes_the_next_move(void **unused)
{
	struct rules_state state = play("1-2 2-5 1-5 c5");

	(void)unused;
	assert_int_equal(rules_phase(&state), RULES_MOVE);
	assert_int_equal(rules_turn(&state), RULES_O);
	assert_int_equal(place(&state, 3, 4), RULES_FINE);
	assert_int_equal(rules_turn(&state), RULES_X);
}

static void positions_are_the_same_whatever_cycle_their_marks_came_from(void **unused)
{
	struct rules_state one = play("1-2 2-3 1-3 c3");
	struct rules_state other = play("1-2 1-2 c2 3-4");

	(void)unused;
	assert_classical(&one, "123......");
	assert_memory_not_equal(&one, &other, sizeof(one));
	other = play("1-3 2-3 2-3 c3");
	assert_classical(&other, "123......");
	assert_memory_equal(&one, &other, sizeof(one));
}

/* The ninth move. */

static void with_one_square_open_X_puts_both_marks_there(void **unused)
{
	struct rules_state state = play(EIGHT_CLASSICAL);
	struct rules_action actions[RULES_ACTIONS_MAX];

	(void)unused;
	assert_int_equal(rules_phase(&state), RULES_MOVE);
	assert_int_equal(rules_turn(&state), RULES_X);
	assert_int_equal(rules_legal(&state, actions), 1);
	assert_int_equal(actions[0].squares[0], 5);
	assert_int_equal(actions[0].squares[1], 5);
	assert_int_equal(place(&state, 5, 6), RULES_SQUARE_TAKEN);
	assert_int_equal(place(&state, 6, 6), RULES_SQUARE_TAKEN);
	assert_int_equal(place(&state, 5, 5), RULES_FINE);
	assert_score(&state, 2, 0);
}

static void with_two_squares_open_the_ninth_move_closes_a_cycle(void **unused)
{
	struct rules_state state = play(SEVEN_CLASSICAL " 3-7 3-7");
	uint8_t choices[2];

	(void)unused;
	assert_int_equal(rules_choices(&state, choices), 9);
	assert_int_equal(rules_turn(&state), RULES_O);
}

static void a_game_of_twos_has_thirteen_actions(void **unused)
{
	struct rules_state state = play("1-2 1-2 c1 3-5 3-5 c5 4-6 4-6 c6 7-8 7-8 c8 9-9");

	(void)unused;
	assert_int_equal(rules_phase(&state), RULES_OVER);
	assert_classical(&state, "213546789");
	assert_score(&state, 0, 0);
}

/* Lines, score and end. */

static void spooky_marks_make_no_line(void **unused)
{
	struct rules_state state = play("1-4 7-8 2-5 8-9 3-6");
	struct rules_line lines[RULES_LINES_MAX];

	(void)unused;
	assert_int_equal(rules_phase(&state), RULES_MOVE);
	assert_int_equal(rules_lines(&state, lines), 0);
}

static void nothing_is_allowed_after_a_line(void **unused)
{
	struct rules_state state = play("1-5 5-3 1-4 3-6 4-7 6-9 1-5 c1:7");
	struct rules_action actions[RULES_ACTIONS_MAX];
	struct rules_action action = {.kind = RULES_PLACE, .squares = {2, 8}};

	(void)unused;
	assert_int_equal(rules_phase(&state), RULES_OVER);
	assert_int_equal(rules_turn(&state), RULES_NOBODY);
	assert_int_equal(rules_legal(&state, actions), 0);
	for (int player = RULES_NOBODY; player <= RULES_O; player++) {
		assert_int_equal(rules_apply(&state, (enum rules_player)player, &action),
				RULES_GAME_OVER);
	}
}

static void one_line_is_a_point(void **unused)
{
	struct rules_state state = play("5-2 5-3 5-1 5-6 5-4 5-9 5-7 1-4 c1");

	(void)unused;
	assert_score(&state, 0, 2);
}

static void of_two_players_lines_the_earlier_is_a_point_and_the_later_half(void **unused)
{
	struct rules_state state = play("1-5 5-3 1-4 3-6 4-7 6-9 1-5 c1:1");
	struct rules_line lines[RULES_LINES_MAX];

	(void)unused;
	assert_score(&state, 2, 1);
	assert_int_equal(rules_lines(&state, lines), 2);
	assert_int_equal(lines[0].player, RULES_X);
	assert_int_equal(lines[0].time, 5);
	assert_memory_equal(lines[0].squares, ((uint8_t[]){1, 4, 7}), 3);
	assert_int_equal(lines[1].player, RULES_O);
	assert_int_equal(lines[1].time, 6);
	assert_memory_equal(lines[1].squares, ((uint8_t[]){3, 6, 9}), 3);
}

static void O8_in_the_middle_gives_both_a_line_and_O_the_earlier(void **unused)
{
	struct rules_state state = play("1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5 c5");
	struct rules_line lines[RULES_LINES_MAX];

	(void)unused;
	assert_score(&state, 1, 2);
	assert_int_equal(rules_lines(&state, lines), 2);
	assert_int_equal(lines[0].time, 6);
	assert_int_equal(lines[1].time, 7);
	state = play("1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5 c3");
	assert_score(&state, 0, 2);
}

static void two_lines_of_X_at_different_times_are_one_and_a_half(void **unused)
{
	struct rules_state state = play("5-7 3-8 2-4 4-7 2-3 2-9 1-8 6-8 4-5 c5");

	(void)unused;
	assert_score(&state, 3, 0);
}

static void two_lines_of_X_that_cross_in_X9_are_two(void **unused)
{
	struct rules_state state = play("1-4 4-7 7-8 8-9 9-6 6-3 3-2 2-3 c2 5-5");
	struct rules_line lines[RULES_LINES_MAX];

	(void)unused;
	assert_score(&state, 4, 0);
	assert_int_equal(rules_lines(&state, lines), 2);
	assert_memory_equal(lines[0].squares, ((uint8_t[]){1, 5, 9}), 3);
	assert_memory_equal(lines[1].squares, ((uint8_t[]){3, 5, 7}), 3);
	assert_int_equal(lines[0].time, 9);
	assert_int_equal(lines[1].time, 9);
}

static void a_full_board_without_a_line_is_nought_all(void **unused)
{
	struct rules_state state = play("4-5 5-8 8-9 1-7 3-4 4-7 2-7 5-6 6-8 c8");

	(void)unused;
	assert_score(&state, 0, 0);
}

static void a_running_game_has_no_points(void **unused)
{
	struct rules_state state = play("1-2 1-2 c1");
	int x = 7;
	int o = 7;

	(void)unused;
	rules_score(&state, &x, &o);
	assert_int_equal(x, 0);
	assert_int_equal(o, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(X_begins_and_the_players_take_turns),
			cmocka_unit_test(odd_marks_are_of_X_and_even_ones_of_O),
			cmocka_unit_test(a_move_out_of_turn_is_refused),
			cmocka_unit_test(the_order_of_the_two_squares_does_not_matter),
			cmocka_unit_test(squares_are_1_to_9),
			cmocka_unit_test(the_two_squares_must_differ_while_more_than_one_is_open),
			cmocka_unit_test(a_square_with_a_classical_mark_is_closed),
			cmocka_unit_test(a_refusal_changes_nothing),
			cmocka_unit_test(the_opening_has_36_moves_in_ascending_order),
			cmocka_unit_test(marks_that_only_share_a_square_are_no_cycle),
			cmocka_unit_test(the_same_two_squares_again_are_a_cycle_of_two),
			cmocka_unit_test(a_cycle_may_pass_through_all_nine_squares),
			cmocka_unit_test(
					a_square_may_hold_nine_spooky_marks_while_a_measurement_is_due),
			cmocka_unit_test(what_hangs_on_a_cycle_is_not_part_of_it),
			cmocka_unit_test(he_who_did_not_close_the_cycle_chooses),
			cmocka_unit_test(he_chooses_even_if_all_the_marks_on_it_are_the_others),
			cmocka_unit_test(nothing_is_placed_while_a_measurement_is_due),
			cmocka_unit_test(nothing_is_measured_while_none_is_due),
			cmocka_unit_test(there_are_exactly_two_outcomes),
			cmocka_unit_test(
					any_mark_on_the_cycle_may_be_named_with_one_of_its_squares),
			cmocka_unit_test(a_mark_that_hangs_on_the_cycle_can_not_be_named),
			cmocka_unit_test(a_mark_of_another_entanglement_can_not_be_named),
			cmocka_unit_test(a_mark_goes_only_to_a_square_that_it_is_in),
			cmocka_unit_test(marks_and_squares_that_can_not_be_are_no_choice),
			cmocka_unit_test(a_kind_of_action_that_is_none_is_refused),
			cmocka_unit_test(
					what_hangs_on_the_cycle_is_measured_with_it_however_far_out),
			cmocka_unit_test(other_entanglements_stay_spooky),
			cmocka_unit_test(the_chooser_makes_the_next_move),
			cmocka_unit_test(
					positions_are_the_same_whatever_cycle_their_marks_came_from),
			cmocka_unit_test(with_one_square_open_X_puts_both_marks_there),
			cmocka_unit_test(with_two_squares_open_the_ninth_move_closes_a_cycle),
			cmocka_unit_test(a_game_of_twos_has_thirteen_actions),
			cmocka_unit_test(spooky_marks_make_no_line),
			cmocka_unit_test(nothing_is_allowed_after_a_line),
			cmocka_unit_test(one_line_is_a_point),
			cmocka_unit_test(
					of_two_players_lines_the_earlier_is_a_point_and_the_later_half),
			cmocka_unit_test(O8_in_the_middle_gives_both_a_line_and_O_the_earlier),
			cmocka_unit_test(two_lines_of_X_at_different_times_are_one_and_a_half),
			cmocka_unit_test(two_lines_of_X_that_cross_in_X9_are_two),
			cmocka_unit_test(a_full_board_without_a_line_is_nought_all),
			cmocka_unit_test(a_running_game_has_no_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
