/* Goff's record, read and written. */
#include "server/game/notation.h"

#include "tests/unit/game/random.h"
#include "tests/unit/game/vectors.h"

#define ARTICLE "1:X(1-7),2:O(6-8),3:X(2-8),4:O(5-9),5:X(1-6),6:O(7-9),7:X(2-3),8:O(3-5)"

static bool read_text(
		const char *text, struct notation_record *record, struct notation_error *error)
{
	return notation_read(text, strlen(text), record, error);
}

static struct notation_record read_fine(const char *text)
{
	struct notation_record record;
	struct notation_error error = {.message = ""};

	if (!read_text(text, &record, &error)) {
		fail_msg("%s: at %zu: %s", text, error.at, error.message);
	}
	return record;
}

/* A text is refused at the place of the '^' in the marker line below it. */
static void assert_refused(
		const char *text, const char *marker, int item, enum rules_refusal refusal)
{
	struct notation_record record;
	struct notation_error error;

	if (read_text(text, &record, &error)) {
		fail_msg("%s: was read", text);
	}
	assert_int_equal(error.at, strlen(marker));
	assert_int_equal(error.item, item);
	assert_int_equal(record.count, item);
	assert_string_equal(rules_refusal_word(error.refusal), rules_refusal_word(refusal));
	assert_true(strlen(error.message) > 0);
}

static void assert_bad_text(const char *text, const char *marker, int item)
{
	assert_refused(text, marker, item, RULES_FINE);
}

/* What was read is written as `expected`. */
static void assert_written(const struct notation_record *record, const char *expected)
{
	char text[NOTATION_SIZE];
	size_t length = notation_write(record->actions, record->count, text);

	assert_string_equal(text, expected);
	assert_int_equal(length, strlen(text));
}

/* What is accepted. */

static void an_empty_text_is_the_empty_game(void **unused)
{
	struct notation_record record = read_fine("");
	struct rules_state start;

	(void)unused;
	rules_start(&start);
	assert_int_equal(record.count, 0);
	assert_memory_equal(&record.state, &start, sizeof(start));
	assert_written(&record, "");
	assert_int_equal(read_fine(" \n").count, 0);
}

static void the_inventors_sample_is_read_and_written_as_it_is(void **unused)
{
	static const char sample[] = "1:X(1-2),2:O(2-3),3:X(6-7),4:O(3-1),4c:X(O4(3)),5:X(5-9)";
	struct notation_record record = read_fine(sample);

	(void)unused;
	assert_int_equal(record.count, 6);
	assert_memory_equal(
			record.state.classical, ((uint8_t[]){0, 1, 2, 4, 0, 0, 0, 0, 0, 0}), 10);
	assert_int_equal(rules_turn(&record.state), RULES_O);
	assert_written(&record, sample);
}

static void the_articles_game_ends_with_a_point_for_O_and_half_a_one_for_X(void **unused)
{
	struct notation_record record = read_fine(ARTICLE ",8c:X(O8(5))::X(0.5)-O(1)");
	struct rules_line lines[RULES_LINES_MAX];

	(void)unused;
	assert_int_equal(rules_lines(&record.state, lines), 2);
	assert_int_equal(lines[0].player, RULES_O);
	assert_int_equal(lines[0].time, 6);
	assert_int_equal(lines[1].player, RULES_X);
	assert_int_equal(lines[1].time, 7);
	assert_written(&record, ARTICLE ",8c:X(O8(5))::X(0.5)-O(1)");
}

static void the_articles_game_ends_with_a_point_for_O_alone_if_O8_goes_to_3(void **unused)
{
	struct notation_record record = read_fine(ARTICLE ",8c:X(O8(3))::X(0)-O(1)");

	(void)unused;
	assert_written(&record, ARTICLE ",8c:X(O8(3))::X(0)-O(1)");
}

static void any_mark_on_the_cycle_is_read_and_the_closing_one_is_written(void **unused)
{
	static const char *const same[] = {
			"1:X(1-2),2:O(2-5),3:X(1-5),3c:O(X1(1))",
			"1:X(1-2),2:O(2-5),3:X(1-5),3c:O(O2(2))",
			"1:X(1-2),2:O(2-5),3:X(1-5),3c:O(X3(5))",
	};

	(void)unused;
	for (int i = 0; i < 3; i++) {
		struct notation_record record = read_fine(same[i]);

		assert_written(&record, same[2]);
	}
}

static void a_measurement_without_a_mark_is_written_with_the_closing_one(void **unused)
{
	static const struct rules_action actions[] = {
			{.kind = RULES_PLACE, .squares = {6, 4}},
			{.kind = RULES_PLACE, .squares = {4, 6}},
			{.kind = RULES_MEASURE, .squares = {6}},
	};
	char text[NOTATION_SIZE];

	(void)unused;
	notation_write(actions, 3, text);
	assert_string_equal(text, "1:X(6-4),2:O(4-6),2c:X(O2(6))");
}

static void blanks_and_newlines_between_items_are_ignored(void **unused)
{
	struct notation_record record = read_fine(" \n1:X(1-2) ,\r\n\t2:O(1-2)\n,\n2c:X(O2(1)) \n");

	(void)unused;
	assert_written(&record, "1:X(1-2),2:O(1-2),2c:X(O2(1))");
	read_fine(ARTICLE ", 8c:X(O8(3)) ::X(0)-O(1)\n");
}

static void a_record_may_be_cut_after_any_item_even_before_the_score(void **unused)
{
	struct notation_record record = read_fine(ARTICLE ",8c:X(O8(5))");

	(void)unused;
	assert_int_equal(rules_phase(&record.state), RULES_OVER);
	record = read_fine(ARTICLE);
	assert_int_equal(rules_phase(&record.state), RULES_COLLAPSE);
}

#define LONGEST                                                                                    \
	"1:X(1-2),2:O(1-2),2c:X(O2(1)),3:X(3-5),4:O(3-5),4c:X(O4(5)),"                             \
	"5:X(4-6),6:O(4-6),6c:X(O6(6)),7:X(7-8),8:O(7-8),8c:X(O8(8)),9:X(9-9)"

static void the_longest_game_fits_and_takes_nothing_more(void **unused)
{
	struct notation_record record = read_fine(LONGEST "::X(0)-O(0)");
	char marker[NOTATION_SIZE];

	(void)unused;
	assert_int_equal(record.count, RULES_GAME_MAX);
	assert_written(&record, LONGEST "::X(0)-O(0)");
	snprintf(marker, sizeof(marker), "%*s^", (int)strlen(LONGEST ","), "");
	assert_refused(LONGEST ",10:O(1-2)", marker, RULES_GAME_MAX, RULES_GAME_OVER);
}

/* What is refused, and where. */

static void a_text_that_is_no_record_is_refused_where_it_goes_wrong(void **unused)
{
	static const char *const bad[][2] = {
			{"x", "^"},
			{",", "^"},
			{"::", "^"},
			{"1", " ^"},
			{"1:", "  ^"},
			{"1:x(1-2)", "  ^"},
			{"1:X", "   ^"},
			{"1:X[1-2]", "   ^"},
			{"1:X(", "    ^"},
			{"1:X(-2)", "    ^"},
			{"1:X(1,2)", "     ^"},
			{"1:X(1-)", "      ^"},
			{"1:X(1-2", "       ^"},
			{"1:X(1-2]", "       ^"},
			{"1:X(01-2)", "     ^"},
			{"01:X(1-2)", " ^"},
			{"1 :X(1-2)", " ^"},
			{"1: X(1-2)", "  ^"},
			{"1:X(1- 2)", "      ^"},
			{"1:X(5)", "     ^"},
			{"1C:X(X1(1))", " ^"},
			{"1c:O(1-2)", "     ^"},
			{"1c:O(X(1))", "      ^"},
			{"1c:O(X1)", "       ^"},
			{"1c:O(X1(1)", "          ^"},
			{"1c:O(X1()", "        ^"},
			{"1c:O(X1(1", "         ^"},
			{"1:O(X1(1))", "    ^"},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_bad_text(bad[i][0], bad[i][1], 0);
	}
}

static void items_are_parted_by_one_comma(void **unused)
{
	(void)unused;
	assert_bad_text("1:X(1-2)2:O(1-2)", "        ^", 1);
	assert_bad_text("1:X(1-2) 2:O(1-2)", "         ^", 1);
	assert_bad_text("1:X(1-2);2:O(1-2)", "        ^", 1);
	assert_bad_text("1:X(1-2),,2:O(1-2)", "         ^", 1);
	assert_bad_text("1:X(1-2),", "         ^", 1);
	assert_bad_text("1:X(1-2):", "        ^", 1);
}

static void a_nul_is_refused_like_any_other_character(void **unused)
{
	struct notation_record record;
	struct notation_error error;

	(void)unused;
	assert_false(notation_read("1:X(1-2)\0", 9, &record, &error));
	assert_int_equal(error.at, 9);
	assert_false(notation_read("1:X(\0", 5, &record, &error));
	assert_int_equal(error.at, 5);
	assert_false(notation_read("\0", 1, &record, &error));
	assert_int_equal(error.at, 1);
}

static void nothing_beyond_the_length_is_read(void **unused)
{
	struct notation_record record;
	struct notation_error error;

	(void)unused;
	assert_true(notation_read("1:X(1-2),2", 8, &record, &error));
	assert_int_equal(record.count, 1);
	assert_false(notation_read("1:X(1-2),2", 9, &record, &error));
	assert_int_equal(error.at, 10);
}

static void moves_are_numbered_in_order(void **unused)
{
	(void)unused;
	assert_bad_text("2:O(1-2)", "^", 0);
	assert_bad_text("0:X(1-2)", "^", 0);
	assert_bad_text("1:X(1-2), 3:X(1-2)", "          ^", 1);
	assert_bad_text("1:X(1-2),1:X(1-2)", "         ^", 1);
	assert_bad_text("1:X(1-2),2:O(1-2),1c:X(O2(1))", "                  ^", 2);
	assert_bad_text("1:X(1-2),2:O(1-2),3c:X(O2(1))", "                  ^", 2);
	assert_bad_text("99999999999999999999:X(1-2)", "^", 0);
}

static void an_action_that_the_rules_refuse_is_refused_at_its_item(void **unused)
{
	(void)unused;
	assert_refused("1:O(1-2)", "^", 0, RULES_NOT_YOUR_TURN);
	assert_refused("1:X(4-4)", "^", 0, RULES_SAME_SQUARE);
	assert_refused("1:X(1-42)", "^", 0, RULES_BAD_SQUARE);
	assert_refused("1:X(0-1)", "^", 0, RULES_BAD_SQUARE);
	assert_refused("1:X(1-4294967298)", "^", 0, RULES_BAD_SQUARE);
	assert_refused("1:X(1-2), 1c:O(X1(1))", "          ^", 1, RULES_NOTHING_TO_COLLAPSE);
	assert_refused("1:X(1-2),2:O(1-2),3:X(3-4)", "                  ^", 2,
			RULES_COLLAPSE_FIRST);
	assert_refused("1:X(1-2),2:O(1-2),2c:O(O2(1))", "                  ^", 2,
			RULES_NOT_YOUR_TURN);
	assert_refused("1:X(1-2),2:O(1-2),2c:X(O2(1)),3:X(2-3)", "                              ^",
			3, RULES_SQUARE_TAKEN);
	assert_refused("1:X(1-5),2:O(5-3),3:X(1-4),4:O(3-6),5:X(4-7),6:O(6-9),7:X(1-5),"
		       "7c:O(X7(1)),8:O(2-8)",
			"                                                               "
			"            ^",
			8, RULES_GAME_OVER);
}

static void a_measurement_names_a_mark_that_is_on_the_cycle_and_its_square(void **unused)
{
	static const char *const bad[] = {"O2(9)", "O2(3)", "X1(1)", "X3(3)", "O3(1)", "X2(1)",
			"X0(1)", "O0(1)", "X5(1)", "O4(1)", "X99(1)"};

	(void)unused;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[NOTATION_SIZE];

		snprintf(text, sizeof(text), "1:X(3-4),2:O(1-2),3:X(1-2),3c:O(%s)", bad[i]);
		assert_refused(text, "                           ^", 3, RULES_NOT_A_CHOICE);
	}
}

static void a_score_before_the_end_is_refused(void **unused)
{
	(void)unused;
	assert_bad_text("1:X(1-2)::X(0)-O(0)", "        ^", 1);
	assert_bad_text("1:X(1-2),2:O(1-2)::X(0)-O(0)", "                 ^", 2);
}

static void a_score_is_checked(void **unused)
{
#define GAME "1:X(1-5),2:O(5-3),3:X(1-4),4:O(3-6),5:X(4-7),6:O(6-9),7:X(1-5),7c:O(X7(5))"
	static const char *const bad[][2] = {
			{"::", "  ^"},
			{"::X", "   ^"},
			{"::O(1)-X(0.5)", "  ^"},
			{"::X()-O(0.5)", "    ^"},
			{"::X(2)-O(0.5)", "    ^"},
			{"::X(1.0)-O(0.5)", "    ^"},
			{"::X(1", "     ^"},
			{"::X(1)", "      ^"},
			{"::X(1)O(0.5)", "      ^"},
			{"::X(1)-", "       ^"},
			{"::X(1)-X(0.5)", "       ^"},
			{"::X(1)-O(0)", "         ^"},
			{"::X(1)-O(.5)", "         ^"},
			{"::X(1)-O(0.5", "            ^"},
			{"::X(1)-O(0.5))", "             ^"},
			{"::X(1)-O(0.5),", "             ^"},
			{"::X(1)-O(0.5) 8", "              ^"},
			{": :X(1)-O(0.5)", "^"},
			{":: X(1)-O(0.5)", "  ^"},
	};

	(void)unused;
	read_fine(GAME "::X(1)-O(0.5)");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[NOTATION_SIZE];
		char marker[NOTATION_SIZE];

		snprintf(text, sizeof(text), "%s%s", GAME, bad[i][0]);
		snprintf(marker, sizeof(marker), "%*s%s", (int)strlen(GAME), "", bad[i][1]);
		assert_bad_text(text, marker, 8);
	}
#undef GAME
}

/* Round trips. */

/* Actions written, read and written again are the same game and the same text. */
static void assert_round_trip(const struct rules_action *actions, int count)
{
	struct notation_record record;
	char text[NOTATION_SIZE];
	struct rules_state state;

	rules_start(&state);
	for (int i = 0; i < count; i++) {
		assert_int_equal(rules_apply(&state, rules_turn(&state), &actions[i]), RULES_FINE);
	}
	notation_write(actions, count, text);
	record = read_fine(text);
	assert_int_equal(record.count, count);
	assert_memory_equal(&record.state, &state, sizeof(state));
	assert_written(&record, text);
	assert_int_equal(strstr(text, "::") != NULL, rules_phase(&state) == RULES_OVER);
}

static void check_game(const json_t *game)
{
	const json_t *list = json_object_get(game, "actions");
	struct rules_action actions[RULES_GAME_MAX];
	int count = (int)json_array_size(list);

	assert_true(count <= RULES_GAME_MAX);
	for (int i = 0; i < count; i++) {
		actions[i] = vectors_action(json_array_get(list, (size_t)i));
	}
	for (int cut = 0; cut <= count; cut++) {
		assert_round_trip(actions, cut);
	}
}

static void stored_games_cut_anywhere_come_back_the_same(void **unused)
{
	(void)unused;
	vectors_each_game(check_game);
}

/* Play at random to the end; returns how many actions. */
static int random_game(uint64_t *random, struct rules_action ret_actions[RULES_GAME_MAX])
{
	struct rules_action legal[RULES_ACTIONS_MAX];
	struct rules_state state;
	int played = 0;
	int count;

	rules_start(&state);
	while ((count = rules_legal(&state, legal)) > 0) {
		ret_actions[played] = legal[random_below(random, count)];
		rules_apply(&state, rules_turn(&state), &ret_actions[played]);
		played++;
	}
	return played;
}

static void random_games_come_back_the_same(void **unused)
{
	uint64_t random = random_seed();

	(void)unused;
	for (int i = 0; i < 10000; i++) {
		struct rules_action actions[RULES_GAME_MAX];

		assert_round_trip(actions, random_game(&random, actions));
	}
}

/* Spoilt records. */

/* Change, drop, double or insert one character, or cut the rest off; returns the new length. */
static size_t spoil(uint64_t *random, char *text, size_t length)
{
	static const char letters[] = "0123456789XOxoc:(),-. \n\t\0\x80\xff";
	size_t at = (size_t)random_below(random, (int)length + 1);
	char letter = letters[random_below(random, sizeof(letters) - 1)];

	switch (random_below(random, 4)) {
	case 0:
		text[at] = letter;
		return at == length ? length + 1 : length;
	case 1:
		memmove(text + at, text + at + 1, length - at);
		return at == length ? length : length - 1;
	case 2:
		memmove(text + at + 1, text + at, length - at);
		text[at] = letter;
		return length + 1;
	default:
		return at;
	}
}

/* Read from memory of just this length, so that a sanitizer sees a step beyond it. */
static bool read_exactly(const char *text, size_t length)
{
	char *copy = test_malloc(length + 1);
	struct notation_record record;
	struct notation_error error = {0};
	bool fine;

	memcpy(copy + 1, text, length);
	fine = notation_read(copy + 1, length, &record, &error);
	if (!fine) {
		assert_in_range(error.at, 1, length + 1);
		assert_in_range(error.item, 0, RULES_GAME_MAX);
		assert_int_equal(error.item, record.count);
		assert_non_null(error.message);
	}
	assert_round_trip(record.actions, record.count);
	test_free(copy);
	return fine;
}

static void spoilt_records_are_read_or_refused_at_a_place_in_them(void **unused)
{
	uint64_t random = random_seed();
	int fine = 0;

	(void)unused;
	for (int i = 0; i < 100000; i++) {
		struct rules_action actions[RULES_GAME_MAX];
		char text[NOTATION_SIZE + 8];
		int count = random_game(&random, actions);
		size_t length = notation_write(actions, count, text);

		for (int n = random_below(&random, 3); n >= 0; n--) {
			length = spoil(&random, text, length);
		}
		fine += read_exactly(text, length);
	}
	printf("# %d of 100000 were still fine\n", fine);
	assert_in_range(fine, 1, 50000);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(an_empty_text_is_the_empty_game),
			cmocka_unit_test(the_inventors_sample_is_read_and_written_as_it_is),
			cmocka_unit_test(
					the_articles_game_ends_with_a_point_for_O_and_half_a_one_for_X),
			cmocka_unit_test(
					the_articles_game_ends_with_a_point_for_O_alone_if_O8_goes_to_3),
			cmocka_unit_test(
					any_mark_on_the_cycle_is_read_and_the_closing_one_is_written),
			cmocka_unit_test(
					a_measurement_without_a_mark_is_written_with_the_closing_one),
			cmocka_unit_test(blanks_and_newlines_between_items_are_ignored),
			cmocka_unit_test(a_record_may_be_cut_after_any_item_even_before_the_score),
			cmocka_unit_test(the_longest_game_fits_and_takes_nothing_more),
			cmocka_unit_test(a_text_that_is_no_record_is_refused_where_it_goes_wrong),
			cmocka_unit_test(items_are_parted_by_one_comma),
			cmocka_unit_test(a_nul_is_refused_like_any_other_character),
			cmocka_unit_test(nothing_beyond_the_length_is_read),
			cmocka_unit_test(moves_are_numbered_in_order),
			cmocka_unit_test(an_action_that_the_rules_refuse_is_refused_at_its_item),
			cmocka_unit_test(
					a_measurement_names_a_mark_that_is_on_the_cycle_and_its_square),
			cmocka_unit_test(a_score_before_the_end_is_refused),
			cmocka_unit_test(a_score_is_checked),
			cmocka_unit_test(stored_games_cut_anywhere_come_back_the_same),
			cmocka_unit_test(random_games_come_back_the_same),
			cmocka_unit_test(spoilt_records_are_read_or_refused_at_a_place_in_them),
	};

	if (argc != 2) {
		fprintf(stderr, "usage: %s VECTORS-FOLDER\n", argv[0]);
		return 2;
	}
	vectors_folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
