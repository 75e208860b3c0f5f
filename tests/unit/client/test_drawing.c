#include <stdlib.h>
#include <string.h>

#include "client-cli/drawing.h"
#include "client-cli/paint.h"
#include "protocol/text.h"
#include "tests/unit/game/cmocka_all.h"

/* X1 in 1 and 5, O2 in 5 and 9, X3 in 1 and 9; then 4 is O4, classical. */
static struct board measured_board(void)
{
	struct board board = {
			.move = 3,
			.turn = SEAT_O,
			.phase = PHASE_COLLAPSE,
			.choices = {1, 9},
			.cycle_count = 3,
			.cycle = {1, 5, 9},
			.outcomes = {{3, {3, 1, 2}, {1, 5, 9}}, {3, {3, 2, 1}, {9, 5, 1}}},
	};

	board.squares[0] = (struct board_square){.spooky_count = 2, .spooky = {1, 3}};
	board.squares[4] = (struct board_square){.spooky_count = 2, .spooky = {1, 2}};
	board.squares[8] = (struct board_square){.spooky_count = 2, .spooky = {2, 3}};
	board.squares[3] = (struct board_square){.classical = 4};
	board.squares[5] = (struct board_square){.classical = 5};
	return board;
}

static char *draw(const struct drawing *drawing, const struct board *board)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	drawing_board(drawing, board, out);
	fclose(out);
	return text;
}

static void assert_drawn(
		const struct drawing *drawing, const struct board *board, const char *expected)
{
	char *text = draw(drawing, board);

	assert_string_equal(text, expected);
	free(text);
}

static void marks_are_small_or_large_and_what_matters_is_marked(void **state)
{
	const struct drawing drawing = {.columns = 80, .last = 1U << 3};
	struct board board = measured_board();

	(void)state;
	assert_drawn(&drawing, &board,
			"  [1]  X₁    X₃* │ 2             │ 3\n"
			"                 │               │\n"
			"                 │               │\n"
			"  ───────────────┼───────────────┼───────────────\n"
			"        ╭─╮      │(5)  X₁ O₂     │      ╲ ╱\n"
			"        │ │      │               │       ╳\n"
			"        ╰─╯₄     │               │      ╱ ╲₅\n"
			"  ───────────────┼───────────────┼───────────────\n"
			"   7             │ 8             │[9]     O₂ X₃*\n"
			"                 │               │\n"
			"                 │               │\n"
			"\n"
			"  Cycle 1-5-9: X₃ to 1 or 9\n"
			"  [1]  X₃ in 1         [9]  X₃ in 9\n"
			"   X₃* │  ·  │  ·       X₁* │  ·  │  ·\n"
			"  ─────┼─────┼─────    ─────┼─────┼─────\n"
			"   O₄  │ X₁* │ X₅       O₄  │ O₂* │ X₅\n"
			"  ─────┼─────┼─────    ─────┼─────┼─────\n"
			"    ·  │  ·  │ O₂*       ·  │  ·  │ X₃*\n");
}

static void a_narrow_one_in_ascii_has_no_blanks_to_spare(void **state)
{
	const struct drawing drawing = {.columns = 39, .ascii = true, .last = 1U << 5};
	struct board board = measured_board();

	(void)state;
	assert_drawn(&drawing, &board,
			"[1]X1    X3 | 2          | 3\n"
			"            |            |\n"
			"            |            |\n"
			"------------+------------+------------\n"
			"    /-\\     |(5)X1 O2    |    \\ /\n"
			"    | |     |            |     X\n"
			"    \\-/4    |            |    / \\5*\n"
			"------------+------------+------------\n"
			" 7          | 8          |[9]   O2 X3\n"
			"            |            |\n"
			"            |            |\n"
			"\n"
			"Cycle 1-5-9: X3 to 1 or 9\n"
			"[1]  X3 in 1         [9]  X3 in 9\n"
			" X3* |  .  |  .       X1* |  .  |  .\n"
			"-----+-----+-----    -----+-----+-----\n"
			" O4  | X1* | X5       O4  | O2* | X5\n"
			"-----+-----+-----    -----+-----+-----\n"
			"  .  |  .  | O2*       .  |  .  | X3*\n");
}

static void a_narrower_one_is_higher_and_has_the_outcomes_below_each_other(void **state)
{
	const struct drawing drawing = {.columns = 38, .last = 1U << 3};
	struct board board = measured_board();

	(void)state;
	assert_drawn(&drawing, &board,
			"[1]      │ 2       │ 3\n"
			"X₁    X₃*│         │\n"
			"         │         │\n"
			"         │         │\n"
			"─────────┼─────────┼─────────\n"
			"         │(5)      │\n"
			"   ╭─╮   │X₁ O₂    │   ╲ ╱\n"
			"   │ │   │         │    ╳\n"
			"   ╰─╯₄  │         │   ╱ ╲₅\n"
			"─────────┼─────────┼─────────\n"
			" 7       │ 8       │[9]\n"
			"         │         │   O₂ X₃*\n"
			"         │         │\n"
			"         │         │\n"
			"\n"
			"Cycle 1-5-9:\n"
			"X₃ to 1 or 9\n"
			"[1]  X₃ in 1\n"
			" X₃* │  ·  │  ·\n"
			"─────┼─────┼─────\n"
			" O₄  │ X₁* │ X₅\n"
			"─────┼─────┼─────\n"
			"  ·  │  ·  │ O₂*\n"
			"\n"
			"[9]  X₃ in 9\n"
			" X₁* │  ·  │  ·\n"
			"─────┼─────┼─────\n"
			" O₄  │ O₂* │ X₅\n"
			"─────┼─────┼─────\n"
			"  ·  │  ·  │ X₃*\n");
}

/* The fullest board that there is, at every width. */
static void no_line_is_wider_than_the_terminal(void **state)
{
	struct board board = measured_board();

	(void)state;
	for (size_t i = 0; i < 9; i++) {
		board.squares[i] = (struct board_square){
				.spooky_count = 9, .spooky = {1, 2, 3, 4, 5, 6, 7, 8, 9}};
		board.cycle[i] = (uint8_t)(i + 1);
	}
	board.cycle_count = 9;
	for (size_t columns = DRAWING_COLUMNS_MIN; columns <= 130; columns++) {
		const struct drawing drawing = {.columns = columns, .last = 0x3fe};
		char *text = draw(&drawing, &board);

		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
			assert_true(text_columns(line) < columns);
		}
		free(text);
	}
}

static void colour_adds_to_the_drawing_and_changes_nothing_else(void **state)
{
	struct drawing drawing = {.columns = 80, .last = 1U << 3, .line = 1U << 4};
	struct board board = measured_board();
	char *plain = draw(&drawing, &board);
	char *colored;
	char *to;

	(void)state;
	assert_null(strchr(plain, '\033'));
	drawing.color = true;
	colored = draw(&drawing, &board);
	assert_non_null(strstr(colored, "\033[36mX₁\033[m"));
	assert_non_null(strstr(colored, "\033[1;7;36mX₃\033[m"));
	assert_non_null(strstr(colored, "\033[1;32m╭─╮\033[m"));
	to = colored;
	for (const char *from = colored; *from != '\0'; from++) {
		if (*from == '\033') {
			from = strchr(from, 'm');
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
	assert_string_equal(colored, plain);
	free(colored);
	free(plain);
}

static void a_board_that_makes_no_sense_is_drawn_all_the_same(void **state)
{
	const struct drawing drawing = {.columns = 80};
	struct board board;
	char *text;

	(void)state;
	memset(&board, 0xff, sizeof(board));
	board.phase = PHASE_COLLAPSE;
	text = draw(&drawing, &board);
	assert_memory_equal(text, "   1             │ 2             │ 3\n", 41);
	free(text);
}

static void colour_is_wanted_only_where_it_can_be_seen(void **state)
{
	(void)state;
	assert_true(paint_wanted(PAINT_AUTO, true, NULL, "xterm"));
	assert_true(paint_wanted(PAINT_AUTO, true, "", "xterm"));
	assert_false(paint_wanted(PAINT_AUTO, true, "1", "xterm"));
	assert_false(paint_wanted(PAINT_AUTO, true, NULL, "dumb"));
	assert_false(paint_wanted(PAINT_AUTO, true, NULL, NULL));
	assert_false(paint_wanted(PAINT_AUTO, false, NULL, "xterm"));
	assert_true(paint_wanted(PAINT_ALWAYS, false, "1", "dumb"));
	assert_false(paint_wanted(PAINT_NEVER, true, NULL, "xterm"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(marks_are_small_or_large_and_what_matters_is_marked),
			cmocka_unit_test(a_narrow_one_in_ascii_has_no_blanks_to_spare),
			cmocka_unit_test(
					a_narrower_one_is_higher_and_has_the_outcomes_below_each_other),
			cmocka_unit_test(no_line_is_wider_than_the_terminal),
			cmocka_unit_test(colour_adds_to_the_drawing_and_changes_nothing_else),
			cmocka_unit_test(a_board_that_makes_no_sense_is_drawn_all_the_same),
			cmocka_unit_test(colour_is_wanted_only_where_it_can_be_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
