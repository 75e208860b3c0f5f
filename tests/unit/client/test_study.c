#include <stdlib.h>

#include "client-cli/show_values.h"
#include "protocol/text.h"
#include "tests/unit/game/cmocka_all.h"

static struct event event_at(enum event_type type, int64_t seq)
{
	struct event event;

	memset(&event, 0, sizeof(event));
	event.type = type;
	event.seq = seq;
	message_copy(event.room, sizeof(event.room), "k7m2q");
	return event;
}

static void take_move(struct study *study, enum seat by, uint8_t move, uint8_t one, uint8_t other)
{
	struct event event = event_at(EVENT_MOVED, study->seq + 1);

	event.moved.by = by;
	event.moved.move = move;
	event.moved.square_count = one == other ? 1 : 2;
	event.moved.squares[0] = one;
	event.moved.squares[1] = other;
	assert_true(study_take_event(study, &event));
}

static void take_collapse(struct study *study, enum seat by, uint8_t move, uint8_t square)
{
	struct event event = event_at(EVENT_COLLAPSED, study->seq + 1);

	event.collapsed.by = by;
	event.collapsed.move = move;
	event.collapsed.square = square;
	assert_true(study_take_event(study, &event));
}

/* X1 in 1 and 9, O2 in the same, X puts O2 in 9. */
static void take_three(struct study *study)
{
	take_move(study, SEAT_X, 1, 1, 9);
	take_move(study, SEAT_O, 2, 1, 9);
	take_collapse(study, SEAT_X, 2, 9);
}

static void take_values(struct study *study, const int8_t *values, size_t count, int8_t value)
{
	struct ok ok = {.half_points = value, .step_count = count, .steps = values};

	study_take_values(study, &ok);
}

/* What is shown, to be freed. */
static char *page_of(const struct study *study, bool ascii)
{
	struct show show = {.columns = 40, .ascii = ascii};
	char *text = NULL;
	size_t size = 0;

	show.out = open_memstream(&text, &size);
	show_study(&show, study);
	fclose(show.out);
	return text;
}

static void assert_page(const struct study *study, bool ascii, const char *expected)
{
	char *page = page_of(study, ascii);

	assert_string_equal(page, expected);
	for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
		assert_true(text_columns(line) <= 40);
	}
	free(page);
}

static void a_game_is_a_table_of_what_each_action_gave_away(void **state)
{
	struct study study = {.players = {"ala", "ola"}};

	(void)state;
	take_three(&study);
	take_values(&study, (const int8_t[]){1, 1, 3, 2}, 4, 2);
	assert_page(&study, false,
			"       action       worth   gave away\n"
			"       start        X +½\n"
			"1   X  1-9          X +½\n"
			"2   O  1-9          X +1½   O 1\n"
			"2c  X  O2 in 9      X +1    X ½\n"
			"\n"
			"ala (X) gave away ½: ½ by measuring (O2\n"
			"  in 9).\n"
			"ola (O) gave away 1: 1 by move 2 (1-9).\n");
}

static void in_ascii_a_half_is_a_decimal_fraction(void **state)
{
	struct study study = {.seq = 0};

	(void)state;
	take_move(&study, SEAT_X, 1, 1, 2);
	take_move(&study, SEAT_O, 2, 3, 3);
	take_values(&study, (const int8_t[]){1, 0, -3}, 3, -3);
	assert_page(&study, true,
			"       action       worth   gave away\n"
			"       start        X +0.5\n"
			"1   X  1-2          draw    X 0.5\n"
			"2   O  3            O +1.5\n"
			"\n"
			"X gave away 0.5: 0.5 by move 1 (1-2).\n"
			"O gave away nothing.\n");
}

static void what_resigning_gave_away_is_told(void **state)
{
	struct study study = {.seq = 0};
	struct snapshot over = {.room = "k7m2q",
			.players = {{.name = "ala"}, {.name = "ola"}},
			.has_result = true,
			.result = {.reason = REASON_RESIGN, .scored = true, .half_points_o = 2}};

	(void)state;
	take_move(&study, SEAT_X, 1, 1, 9);
	study_take_state(&study, &over);
	take_values(&study, (const int8_t[]){1, 1}, 2, -2);
	assert_page(&study, false,
			"       action       worth   gave away\n"
			"       start        X +½\n"
			"1   X  1-9          X +½\n"
			"    X  resigned     O +1    X 1½\n"
			"\n"
			"ala (X) gave away 1½: 1½ at the end\n"
			"  (resigned).\n"
			"ola (O) gave away nothing.\n");
}

static void a_draw_that_was_agreed_can_cost_either(void **state)
{
	struct study study = {.seq = 0};
	struct snapshot over = {
			.has_result = true, .result = {.reason = REASON_AGREEMENT, .scored = true}};
	enum seat loser = SEAT_NONE;

	(void)state;
	take_move(&study, SEAT_X, 1, 1, 2);
	study_take_state(&study, &over);
	take_values(&study, (const int8_t[]){1, -2}, 2, 0);
	assert_int_equal(study_given_away(&study, 1, &loser), 2);
	assert_int_equal(loser, SEAT_O);
}

static void a_line_is_on_the_board_and_no_end_of_its_own(void **state)
{
	struct study study = {.seq = 0};
	struct snapshot over = {.has_result = true,
			.result = {.reason = REASON_LINE, .scored = true, .half_points_x = 2}};

	(void)state;
	take_three(&study);
	study_take_state(&study, &over);
	assert_int_equal(study.count, 3);
}

static void only_the_rooms_own_events_are_taken_and_in_their_order(void **state)
{
	struct study study = {.seq = 0};
	struct event live = event_at(EVENT_MOVED, 9);
	struct event other = event_at(EVENT_MOVED, 2);
	struct event said = event_at(EVENT_SAID, 2);
	struct event opened = event_at(EVENT_OPENED, 1);

	(void)state;
	assert_false(study_take_event(&study, &live));
	assert_true(study_take_event(&study, &opened));
	message_copy(other.room, sizeof(other.room), "p4x9t");
	assert_false(study_take_event(&study, &other));
	assert_false(study_take_event(&study, &said));
	assert_int_equal(study.count, 0);
	take_move(&study, SEAT_X, 1, 1, 2);
	assert_int_equal(study.count, 1);
	assert_true(study_take_event(&study, &opened));
	assert_int_equal(study.count, 0);
	take_move(&study, SEAT_X, 1, 1, 2);
	assert_int_equal(study.count, 1);
}

static void more_steps_than_a_game_has_are_left_out(void **state)
{
	struct study study = {.seq = 0};
	int8_t values[STUDY_STEPS_MAX + 3] = {0};

	(void)state;
	for (size_t i = 0; i < STUDY_STEPS_MAX + 2; i++) {
		take_move(&study, SEAT_X, 1, 1, 2);
	}
	assert_int_equal(study.count, STUDY_STEPS_MAX);
	take_values(&study, values, STUDY_STEPS_MAX + 3, 0);
	assert_int_equal(study.value_count, STUDY_STEPS_MAX + 1);
}

static void moves_that_are_no_longer_kept_are_told_of(void **state)
{
	struct study study = {.seq = 0};

	(void)state;
	take_values(&study, (const int8_t[]){1, 1, 0}, 3, 0);
	assert_int_equal(study.missing, 2);
	assert_page(&study, false, "The moves of this game are no longer\n  kept.\n");
}

static void an_item_of_a_record_is_a_step(void **state)
{
	static const struct {
		const char *item;
		struct study_step step;
	} rows[] = {
			{"1:X(1-2)", {"1", SEAT_X, "1-2"}},
			{"4:O(3-1)", {"4", SEAT_O, "3-1"}},
			{"9:X(5-5)", {"9", SEAT_X, "5"}},
			{"4c:X(O4(3))", {"4c", SEAT_X, "O4 in 3"}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct study study = {.seq = 0};

		assert_true(study_take_item(&study, rows[i].item, strlen(rows[i].item)));
		assert_int_equal(study.count, 1);
		assert_string_equal(study.steps[0].label, rows[i].step.label);
		assert_int_equal(study.steps[0].by, rows[i].step.by);
		assert_string_equal(study.steps[0].action, rows[i].step.action);
	}
}

static void what_is_no_item_is_no_step(void **state)
{
	static const char *const items[] = {"", "1", "1:", "1:X", "1:X(", "1:X()", "1:X(1-2",
			"x:X(1-2)", "4c:X(O4(3)", "1:X(1-23)", "4d:X(O4(3))", "::X(1)-O(0)"};

	(void)state;
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		struct study study = {.seq = 0};

		assert_false(study_take_item(&study, items[i], strlen(items[i])));
		assert_int_equal(study.count, 0);
	}
}

static void assert_best(const struct ok *ok, const char *expected)
{
	struct show show = {.columns = 40};
	char *text = NULL;
	size_t size = 0;

	show.out = open_memstream(&text, &size);
	show_best(&show, ok);
	fclose(show.out);
	assert_string_equal(text, expected);
	free(text);
}

static void a_hint_names_the_best_and_counts_the_others(void **state)
{
	static const struct action_value each[] = {
			{{.square_count = 2, .squares = {1, 2}}, 0},
			{{.square_count = 2, .squares = {1, 9}}, 1},
			{{.square_count = 2, .squares = {2, 3}}, 0},
			{{.square_count = 2, .squares = {3, 7}}, 1},
			{{.square_count = 2, .squares = {4, 5}}, -2},
	};
	const struct board board = {.turn = SEAT_X};
	struct ok ok = {.board = &board, .half_points = 1, .each_count = 5, .each = each};

	(void)state;
	assert_best(&ok, "Best for X, X +½: 1-9, 3-7\n"
			 "The others: 2 for draw, 1 for O +1.\n");
}

static void a_hint_for_o_has_its_own_order(void **state)
{
	static const struct action_value each[] = {
			{{.square = 3}, 0},
			{{.square = 5}, -1},
	};
	const struct board board = {.turn = SEAT_O, .phase = PHASE_COLLAPSE};
	struct ok ok = {.board = &board, .half_points = -1, .each_count = 2, .each = each};

	(void)state;
	assert_best(&ok, "Best for O, O +½: 5\nThe others: 1 for draw.\n");
	ok.each_count = 0;
	assert_best(&ok, "");
}

static void all_that_can_be_done_in_a_position_fits_a_hint(void **state)
{
	struct action_value each[36];
	const struct board board = {.turn = SEAT_X};
	struct ok ok = {.board = &board, .half_points = 0, .each_count = 36, .each = each};
	char text[ACTIONS_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < 36; i++) {
		each[i] = (struct action_value){.action = {.square_count = 2, .squares = {8, 9}}};
	}
	show_right_text(&ok, text);
	assert_int_equal(strlen(text), 36 * 5 - 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_game_is_a_table_of_what_each_action_gave_away),
			cmocka_unit_test(in_ascii_a_half_is_a_decimal_fraction),
			cmocka_unit_test(what_resigning_gave_away_is_told),
			cmocka_unit_test(a_draw_that_was_agreed_can_cost_either),
			cmocka_unit_test(a_line_is_on_the_board_and_no_end_of_its_own),
			cmocka_unit_test(only_the_rooms_own_events_are_taken_and_in_their_order),
			cmocka_unit_test(more_steps_than_a_game_has_are_left_out),
			cmocka_unit_test(moves_that_are_no_longer_kept_are_told_of),
			cmocka_unit_test(an_item_of_a_record_is_a_step),
			cmocka_unit_test(what_is_no_item_is_no_step),
			cmocka_unit_test(a_hint_names_the_best_and_counts_the_others),
			cmocka_unit_test(a_hint_for_o_has_its_own_order),
			cmocka_unit_test(all_that_can_be_done_in_a_position_fits_a_hint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
