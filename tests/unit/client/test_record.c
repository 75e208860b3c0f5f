#include <stdlib.h>
#include <string.h>

#include "client-cli/record.h"
#include "tests/unit/game/cmocka_all.h"

static enum exit_status read_bytes(
		const char *text, size_t length, struct record *record, char problem[PROBLEM_SIZE])
{
	FILE *in = tmpfile();
	enum exit_status status;

	assert_non_null(in);
	assert_int_equal(fwrite(text, 1, length, in), length);
	rewind(in);
	status = record_read(in, "game.txt", 1, record, problem);
	fclose(in);
	return status;
}

static void assert_record(const char *text, const char *expected)
{
	static struct record record;
	char problem[PROBLEM_SIZE];

	assert_int_equal(read_bytes(text, strlen(text), &record, problem), EXIT_FINE);
	assert_string_equal(record.text, expected);
	assert_int_equal(record.length, strlen(expected));
}

static void assert_refused(const char *text, size_t length, const char *expected)
{
	static struct record record;
	char problem[PROBLEM_SIZE];

	assert_int_equal(read_bytes(text, length, &record, problem), EXIT_REFUSED);
	assert_string_equal(problem, expected);
}

static void a_record_is_read_as_it_stands(void **state)
{
	(void)state;
	assert_record("1:X(1-2),2:O(2-3)\n", "1:X(1-2),2:O(2-3)");
	assert_record("1:X(1-2)", "1:X(1-2)");
}

static void blanks_and_line_ends_are_one_blank(void **state)
{
	(void)state;
	assert_record("\n  1:X(1-2),\r\n\t2:O(2-3)  \r\n", "1:X(1-2), 2:O(2-3)");
}

static void headers_and_a_byte_order_mark_are_passed_over(void **state)
{
	(void)state;
	assert_record("\xEF\xBB\xBF[Event \"Tic\"]\n# a remark \033[2J\n; another: 1:X\n"
		      "1:X(1-2),\n  # inside\n2:O(2-3)\n#end",
			"1:X(1-2), 2:O(2-3)");
}

static void assert_game(const char *text, size_t game, const char *expected, bool has_more)
{
	static struct record record;
	char problem[PROBLEM_SIZE];
	FILE *in = tmpfile();

	assert_non_null(in);
	fputs(text, in);
	rewind(in);
	assert_int_equal(record_read(in, "game.txt", game, &record, problem),
			expected ? EXIT_FINE : EXIT_REFUSED);
	fclose(in);
	if (expected) {
		assert_string_equal(record.text, expected);
		assert_int_equal(record.length, strlen(expected));
		assert_int_equal(record.has_more, has_more);
	} else {
		assert_string_equal(problem, "game.txt: There are not so many games in it.");
	}
}

static void of_several_games_one_is_read(void **state)
{
	/* One in which no move was made has no record, and is none of them. */
	static const char text[] = "[X \"ala\"]\n\n[O \"ola\"]\n1:X(1-2),\n2:O(2-3)\n\n"
				   "[X \"eva\"]\n\n; no move was made\n\n"
				   "[X \"ela\"]\n\n1:X(3-4)\n\n[X \"jan\"]\n1:X(5-6)\n";

	(void)state;
	assert_game(text, 1, "1:X(1-2), 2:O(2-3)", true);
	assert_game(text, 2, "1:X(3-4)", true);
	assert_game(text, 3, "1:X(5-6)", false);
	assert_game(text, 4, NULL, false);
}

static void what_only_begins_like_a_byte_order_mark_is_refused(void **state)
{
	static const char *const texts[] = {"\xEF", "\xEF\xBB",
			"\xEF\xBB"
			"1:X(1-2)",
			"\xEF"
			"121:X(1-2)"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_refused(texts[i], strlen(texts[i]),
				"game.txt, line 1, column 1: That is no character of a record.");
	}
}

static void a_file_without_a_record_is_refused(void **state)
{
	(void)state;
	assert_refused("", 0, "game.txt: There is no record in it.");
	assert_refused("# nothing\n\n", 11, "game.txt: There is no record in it.");
}

static void a_character_that_is_in_no_record_is_refused_and_not_shown(void **state)
{
	static const char *const texts[] = {"1:X(1-2),\n2:\033[2J", "1:X(1-2),\n2:\x7F",
			"1:X(1-2),\n2:\xC2\x9B", "1:X(1-2),\n2:\x01"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_refused(texts[i], strlen(texts[i]),
				"game.txt, line 2, column 3: That is no character of a record.");
	}
	assert_refused("1\0X", 3, "game.txt, line 1, column 2: That is no character of a record.");
}

static void a_second_game_is_refused_with_its_place(void **state)
{
	(void)state;
	assert_refused("1:X(1-2)::X(1)-O(0)\n\n1:X(3-4)\n", 30,
			"game.txt, line 3, column 2: Another game begins there; one at a time can "
			"be played through.");
	assert_refused("1:X(1-2),1:X(3-4)", 17,
			"game.txt, line 1, column 11: Another game begins there; one at a time can "
			"be played through.");
}

static void a_record_at_the_limit_is_read_and_a_longer_one_refused(void **state)
{
	static char text[LIMIT_RECORD_BYTES + 8];
	static struct record record;
	char problem[PROBLEM_SIZE];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(read_bytes(text, LIMIT_RECORD_BYTES, &record, problem), EXIT_FINE);
	assert_int_equal(record.length, LIMIT_RECORD_BYTES);
	assert_refused(text, LIMIT_RECORD_BYTES + 1,
			"game.txt, line 1, column 1025: No game's record is as long as that.");
	/* A blank that is owed counts too. */
	text[LIMIT_RECORD_BYTES - 1] = ' ';
	assert_refused(text, LIMIT_RECORD_BYTES + 1,
			"game.txt, line 1, column 1025: No game's record is as long as that.");
}

static void a_file_that_goes_on_and_on_is_refused(void **state)
{
	static char text[RECORD_FILE_BYTES + 1];
	static struct record record;
	char problem[PROBLEM_SIZE];

	(void)state;
	memset(text, ' ', sizeof(text));
	text[0] = '1';
	assert_int_equal(read_bytes(text, RECORD_FILE_BYTES, &record, problem), EXIT_FINE);
	assert_refused(text, sizeof(text), "game.txt: It is too long for a game's record.");
}

static void a_file_that_is_not_there_is_no_refusal_but_a_wrong_command(void **state)
{
	static struct record record;
	char problem[PROBLEM_SIZE];

	(void)state;
	assert_int_equal(record_load("/nowhere/game", 1, &record, problem), EXIT_USAGE);
	assert_string_equal(problem, "/nowhere/game: No such file or directory");
	assert_int_equal(record_load("/", 1, &record, problem), EXIT_USAGE);
	assert_string_equal(problem, "/: Is a directory");
	assert_int_equal(record_load("/nowhere/\033[2J", 1, &record, problem), EXIT_USAGE);
	assert_string_equal(problem, "the file: No such file or directory");
}

static void items_are_found_without_blanks_and_score(void **state)
{
	static const char text[] = "1:X(1-2) ,\n 2:O(2-3),2c:X(O2(3)) ::X(1)-O(0)";
	static const char *const items[] = {"1:X(1-2)", "2:O(2-3)", "2c:X(O2(3))"};
	static struct record record;
	char problem[PROBLEM_SIZE];
	size_t begin;
	size_t end;

	(void)state;
	assert_int_equal(read_bytes(text, strlen(text), &record, problem), EXIT_FINE);
	for (size_t i = 0; i < 3; i++) {
		assert_true(record_item(&record, i, &begin, &end));
		assert_int_equal(end - begin, strlen(items[i]));
		assert_memory_equal(record.text + begin, items[i], end - begin);
	}
	assert_false(record_item(&record, 3, &begin, &end));
	assert_false(record_item(&record, 4, &begin, &end));
}

static void a_place_is_told_as_in_the_file(void **state)
{
	static const char text[] = "# head\n1:X(1-2),\n   2:O(9-9)\n";
	static struct record record;
	char problem[PROBLEM_SIZE];
	char place[PROBLEM_SIZE];

	(void)state;
	assert_int_equal(read_bytes(text, strlen(text), &record, problem), EXIT_FINE);
	record_place_text(&record, 1, place);
	assert_string_equal(place, "game.txt, line 2, column 1 (1:X(1-2))");
	record_place_text(&record, strlen("1:X(1-2), 2"), place);
	assert_string_equal(place, "game.txt, line 3, column 4 (2:O(9-9))");
	record_place_text(&record, record.length + 1, place);
	assert_string_equal(place, "game.txt, line 4, column 1");
	record_place_text(&record, 99999, place);
	assert_string_equal(place, "game.txt, line 4, column 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_record_is_read_as_it_stands),
			cmocka_unit_test(blanks_and_line_ends_are_one_blank),
			cmocka_unit_test(headers_and_a_byte_order_mark_are_passed_over),
			cmocka_unit_test(of_several_games_one_is_read),
			cmocka_unit_test(what_only_begins_like_a_byte_order_mark_is_refused),
			cmocka_unit_test(a_file_without_a_record_is_refused),
			cmocka_unit_test(a_character_that_is_in_no_record_is_refused_and_not_shown),
			cmocka_unit_test(a_second_game_is_refused_with_its_place),
			cmocka_unit_test(a_record_at_the_limit_is_read_and_a_longer_one_refused),
			cmocka_unit_test(a_file_that_goes_on_and_on_is_refused),
			cmocka_unit_test(
					a_file_that_is_not_there_is_no_refusal_but_a_wrong_command),
			cmocka_unit_test(items_are_found_without_blanks_and_score),
			cmocka_unit_test(a_place_is_told_as_in_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
