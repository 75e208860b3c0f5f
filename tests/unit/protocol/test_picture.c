#include <stdio.h>
#include <string.h>

#include "protocol/picture.h"
#include "protocol/text.h"
#include "tests/unit/game/cmocka_all.h"

static const struct picture_style plain = {.ascii = false};
static const struct picture_style ascii = {.ascii = true};

/* Whatever is drawn: lines end in LF, are no wider than 79 and have no trailing blanks. */
static void assert_well_formed(const char *text, size_t length)
{
	char copy[PICTURE_SIZE];
	char *line = copy;
	char *end;

	assert_int_equal(length, strlen(text));
	assert_true(length > 0 && text[length - 1] == '\n');
	memcpy(copy, text, length + 1);
	while ((end = strchr(line, '\n')) != NULL) {
		*end = '\0';
		assert_true(text_chars(line) >= 0);
		assert_true(text_chars(line) <= 79);
		assert_true(end == line || end[-1] != ' ');
		line = end + 1;
	}
}

static void assert_drawn(
		const struct board *board, const struct picture_style *style, const char *expected)
{
	char text[PICTURE_SIZE];
	size_t length = picture_board(board, style, text);

	assert_string_equal(text, expected);
	assert_well_formed(text, length);
}

static void put_spooky(struct board *board, size_t square, uint8_t mark)
{
	struct board_square *at = &board->squares[square - 1];

	at->spooky[at->spooky_count++] = mark;
}

static void the_opening_shows_nine_numbered_squares(void **state)
{
	struct board board = {.move = 1, .turn = SEAT_X};

	(void)state;
	assert_drawn(&board, &plain,
			" 1           │ 2           │ 3\n"
			"             │             │\n"
			"             │             │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 4           │ 5           │ 6\n"
			"             │             │\n"
			"             │             │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 7           │ 8           │ 9\n"
			"             │             │\n"
			"             │             │\n");
}

static void a_spooky_mark_has_the_same_place_in_both_its_squares(void **state)
{
	struct board board = {.move = 6, .turn = SEAT_O};
	static const uint8_t moves[][2] = {{1, 5}, {5, 9}, {2, 9}, {3, 7}, {2, 8}};

	(void)state;
	for (uint8_t i = 0; i < 5; i++) {
		put_spooky(&board, moves[i][0], (uint8_t)(i + 1));
		put_spooky(&board, moves[i][1], (uint8_t)(i + 1));
	}
	assert_drawn(&board, &plain,
			" 1  X1       │ 2        X3 │ 3\n"
			"             │       X5    │    O4\n"
			"             │             │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 4           │ 5  X1 O2    │ 6\n"
			"             │             │\n"
			"             │             │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 7           │ 8           │ 9     O2 X3\n"
			"    O4       │       X5    │\n"
			"             │             │\n");
}

/* 5-1 5-2 5-3 5-4 5-6 5-7 5-8 5-9 5-1: the fullest square that the rules allow. */
static struct board fullest_square(void)
{
	struct board board = {.move = 9,
			.turn = SEAT_O,
			.phase = PHASE_COLLAPSE,
			.choices = {1, 5},
			.cycle_count = 2,
			.cycle = {1, 5},
			.outcomes = {{9, {9, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 5, 2, 3, 4, 6, 7, 8, 9}},
					{9, {9, 1, 2, 3, 4, 5, 6, 7, 8},
							{5, 1, 2, 3, 4, 6, 7, 8, 9}}}};
	static const uint8_t others[] = {1, 2, 3, 4, 6, 7, 8, 9, 1};

	for (uint8_t i = 0; i < 9; i++) {
		put_spooky(&board, 5, (uint8_t)(i + 1));
		put_spooky(&board, others[i], (uint8_t)(i + 1));
	}
	return board;
}

static void nine_marks_fit_into_one_square(void **state)
{
	struct board board = fullest_square();

	(void)state;
	assert_drawn(&board, &plain,
			" 1  X1       │ 2     O2    │ 3        X3\n"
			"             │             │\n"
			"          X9 │             │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 4           │ 5  X1 O2 X3 │ 6\n"
			"    O4       │    O4 X5 O6 │       X5\n"
			"             │    X7 O8 X9 │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 7           │ 8           │ 9\n"
			"          O6 │             │\n"
			"             │    X7       │       O8\n"
			"Cycle 1-5: X9 goes to 1 or to 5.\n"
			"  collapse 1        collapse 5\n"
			"  X9 │ O2 │ X3      X1 │ O2 │ X3\n"
			"  O4 │ X1 │ X5      O4 │ X9 │ X5\n"
			"  O6 │ X7 │ O8      O6 │ X7 │ O8\n");
}

/* X1 1-5, O2 5-9 and X5 1-9 make a cycle; O4 (2-3) is another entanglement and stays spooky. */
static struct board measurement_due(void)
{
	struct board board = {.move = 5,
			.turn = SEAT_O,
			.phase = PHASE_COLLAPSE,
			.choices = {1, 9},
			.cycle_count = 3,
			.cycle = {1, 5, 9},
			.outcomes = {{3, {5, 1, 2}, {1, 5, 9}}, {3, {5, 2, 1}, {9, 5, 1}}}};

	board.squares[3].classical = 3;
	board.squares[6].classical = 6;
	put_spooky(&board, 1, 1);
	put_spooky(&board, 5, 1);
	put_spooky(&board, 5, 2);
	put_spooky(&board, 9, 2);
	put_spooky(&board, 2, 4);
	put_spooky(&board, 3, 4);
	put_spooky(&board, 1, 5);
	put_spooky(&board, 9, 5);
	return board;
}

static void a_measurement_shows_the_cycle_and_both_boards_that_it_can_give(void **state)
{
	struct board board = measurement_due();

	(void)state;
	assert_drawn(&board, &plain,
			" 1  X1       │ 2           │ 3\n"
			"       X5    │    O4       │    O4\n"
			"             │             │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 4           │ 5  X1 O2    │ 6\n"
			"      *X3*   │             │\n"
			"             │             │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 7           │ 8           │ 9     O2\n"
			"      *O6*   │             │       X5\n"
			"             │             │\n"
			"Cycle 1-5-9: X5 goes to 1 or to 9.\n"
			"  collapse 1        collapse 9\n"
			"  X5 │ .  │ .       X1 │ .  │ .\n"
			"  X3 │ X1 │ .       X3 │ O2 │ .\n"
			"  O6 │ .  │ O2      O6 │ .  │ X5\n");
}

static void ascii_draws_the_same_without_other_characters(void **state)
{
	struct board board = measurement_due();

	(void)state;
	assert_drawn(&board, &ascii,
			" 1  X1       | 2           | 3\n"
			"       X5    |    O4       |    O4\n"
			"             |             |\n"
			"-------------+-------------+-------------\n"
			" 4           | 5  X1 O2    | 6\n"
			"      *X3*   |             |\n"
			"             |             |\n"
			"-------------+-------------+-------------\n"
			" 7           | 8           | 9     O2\n"
			"      *O6*   |             |       X5\n"
			"             |             |\n"
			"Cycle 1-5-9: X5 goes to 1 or to 9.\n"
			"  collapse 1        collapse 9\n"
			"  X5 | .  | .       X1 | .  | .\n"
			"  X3 | X1 | .       X3 | O2 | .\n"
			"  O6 | .  | O2      O6 | .  | X5\n");
}

static void a_finished_board_shows_classical_marks_alone(void **state)
{
	struct board board = {.move = 9, .turn = SEAT_NONE, .phase = PHASE_OVER};
	static const uint8_t marks[9] = {5, 1, 9, 3, 4, 6, 2, 7, 8};

	(void)state;
	for (size_t i = 0; i < 9; i++) {
		board.squares[i].classical = marks[i];
	}
	assert_drawn(&board, &plain,
			" 1           │ 2           │ 3\n"
			"      *X5*   │      *X1*   │      *X9*\n"
			"             │             │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 4           │ 5           │ 6\n"
			"      *X3*   │      *O4*   │      *O6*\n"
			"             │             │\n"
			"─────────────┼─────────────┼─────────────\n"
			" 7           │ 8           │ 9\n"
			"      *O2*   │      *X7*   │      *O8*\n"
			"             │             │\n");
}

static void the_longest_cycle_fits_into_the_width(void **state)
{
	struct board board = fullest_square();
	char text[PICTURE_SIZE];

	(void)state;
	board.cycle_count = 9;
	for (uint8_t i = 0; i < 9; i++) {
		board.cycle[i] = (uint8_t)(i + 1);
	}
	assert_well_formed(text, picture_board(&board, &plain, text));
	assert_non_null(strstr(text, "Cycle 1-2-3-4-5-6-7-8-9: X9 goes to 1 or to 5.\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(the_opening_shows_nine_numbered_squares),
			cmocka_unit_test(a_spooky_mark_has_the_same_place_in_both_its_squares),
			cmocka_unit_test(nine_marks_fit_into_one_square),
			cmocka_unit_test(
					a_measurement_shows_the_cycle_and_both_boards_that_it_can_give),
			cmocka_unit_test(ascii_draws_the_same_without_other_characters),
			cmocka_unit_test(a_finished_board_shows_classical_marks_alone),
			cmocka_unit_test(the_longest_cycle_fits_into_the_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
