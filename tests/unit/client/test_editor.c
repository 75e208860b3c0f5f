#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/editor.h"
#include "tests/unit/game/cmocka_all.h"

static int open_editor(void **state)
{
	struct editor *editor = calloc(1, sizeof(*editor));

	editor_init(editor);
	*state = editor;
	return 0;
}

static int close_editor(void **state)
{
	editor_fini(*state);
	free(*state);
	return 0;
}

/* Press keys, none of which is an event but the last. */
static enum editor_event press(struct editor *editor, const char *keys)
{
	enum editor_event event = EDITOR_NONE;
	size_t length = strlen(keys);
	size_t taken = 0;

	while (taken < length) {
		assert_int_equal(event, EDITOR_NONE);
		taken += editor_take(editor, keys + taken, length - taken, &event);
	}
	return event;
}

/* After these keys in an empty line it is this, with the cursor at the bar. */
static void assert_keys(struct editor *editor, const char *keys, const char *expected)
{
	char line[EDITOR_LINE_SIZE + 1];

	editor_clear(editor);
	assert_int_equal(press(editor, keys), EDITOR_NONE);
	snprintf(line, sizeof(line), "%.*s|%s", (int)editor->cursor, editor->text,
			editor->text + editor->cursor);
	assert_string_equal(line, expected);
}

#define LEFT "\033[D"
#define RIGHT "\033OC"
#define UP "\033[A"
#define DOWN "\033OB"
#define DELETE "\033[3~"

static void keys_edit_the_line(void **state)
{
	static const struct {
		const char *keys;
		const char *line;
	} rows[] = {
			{"move 1 5", "move 1 5|"},
			{"ab" LEFT "c", "ac|b"},
			{"ab" LEFT LEFT LEFT RIGHT "c", "ac|b"},
			{"abc\001x", "x|abc"},
			{"abc\001\005x", "abcx|"},
			{"abc\033[Hx\033[F", "xabc|"},
			{"abc\177\010", "a|"},
			{"abc\001" DELETE "\004", "|c"},
			{"one two\027x", "one x|"},
			{"one two  \027", "one |"},
			{"one two\033b\033b\033f", "one| two"},
			{"one two\001\033d", "| two"},
			{"abc" LEFT "\013", "ab|"},
			{"abc" LEFT "\025", "|c"},
			{"one two\027\001\031", "two|one "},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_keys(*state, rows[i].keys, rows[i].line);
	}
}

static void a_character_of_several_bytes_is_one(void **state)
{
	assert_keys(*state, "zażółć\177\177", "zażó|");
	assert_keys(*state, "żó" LEFT "x", "żx|ó");
	assert_keys(*state, "日本" LEFT DELETE, "日|");
	/* e and an acute accent that joins it */
	assert_keys(*state, "ae\xcc\x81" LEFT "x", "ax|e\xcc\x81");
}

static void keys_come_in_pieces(void **state)
{
	struct editor *editor = *state;

	press(editor, "ab\033");
	press(editor, "[");
	press(editor, "D\xc5");
	press(editor, "\xbc");
	assert_string_equal(editor->text, "ażb");
}

static void what_can_steer_a_terminal_is_not_taken(void **state)
{
	assert_keys(*state,
			"a\033[99;1Xb\033]c\xe2\x80\xae"
			"d\xc2\x9b"
			"e\x01"
			"f",
			"f|abcde");
	assert_keys(*state, "a\xff\xc3(b", "ab|");
}

static void a_paste_is_text_whatever_it_says(void **state)
{
	struct editor *editor = *state;

	assert_keys(editor, "x\033[200~one\ntwo\tthree\003\004\033[A\033[201~y",
			"xone two threey|");
	assert_int_equal(press(editor, "\r"), EDITOR_LINE);
}

static void keys_that_are_events_are_told(void **state)
{
	struct editor *editor = *state;

	assert_int_equal(press(editor, "\004"), EDITOR_END);
	assert_int_equal(press(editor, "\003"), EDITOR_INTERRUPT);
	assert_int_equal(press(editor, "\032"), EDITOR_SUSPEND);
	assert_int_equal(press(editor, "\014"), EDITOR_REDRAW);
	assert_int_equal(press(editor, "a\t"), EDITOR_COMPLETE);
	assert_int_equal(press(editor, "b\n"), EDITOR_LINE);
	assert_string_equal(editor->text, "ab");
	assert_int_equal(press(editor, "\001\004"), EDITOR_NONE);
	assert_string_equal(editor->text, "b");
}

static void enter_line(struct editor *editor, const char *line)
{
	editor_clear(editor);
	press(editor, line);
	editor_remember(editor);
	editor_clear(editor);
}

static void history_goes_up_and_down_and_keeps_what_was_begun(void **state)
{
	struct editor *editor = *state;

	enter_line(editor, "one");
	enter_line(editor, "two");
	enter_line(editor, "two");
	enter_line(editor, "");
	assert_keys(editor, "new" UP, "two|");
	assert_keys(editor, "new" UP UP UP, "one|");
	assert_keys(editor, "new" UP UP DOWN, "two|");
	assert_keys(editor, "new" UP UP DOWN DOWN DOWN, "new|");
}

static void history_forgets_the_oldest(void **state)
{
	struct editor *editor = *state;
	char line[16];

	for (int i = 0; i <= EDITOR_HISTORY_MAX; i++) {
		snprintf(line, sizeof(line), "line %d", i);
		enter_line(editor, line);
	}
	assert_int_equal(editor->history_count, EDITOR_HISTORY_MAX);
	assert_string_equal(editor->history[0], "line 1");
}

static void a_line_is_as_long_as_the_server_takes_and_no_longer(void **state)
{
	struct editor *editor = *state;

	for (size_t i = 0; i < EDITOR_LINE_SIZE + 10; i++) {
		press(editor, "x");
	}
	assert_int_equal(editor->length, EDITOR_LINE_SIZE - 1);
	assert_int_equal(strlen(editor->text), EDITOR_LINE_SIZE - 1);
	press(editor, "\025\031\031");
	assert_int_equal(editor->length, EDITOR_LINE_SIZE - 1);
}

static void assert_window(
		struct editor *editor, size_t columns, const char *expected, size_t expected_cursor)
{
	char text[EDITOR_LINE_SIZE];
	size_t cursor;

	editor_window(editor, columns, text, &cursor);
	assert_string_equal(text, expected);
	assert_int_equal(cursor, expected_cursor);
}

static void the_window_follows_the_cursor(void **state)
{
	struct editor *editor = *state;

	press(editor, "0123456789");
	assert_window(editor, 20, "0123456789", 10);
	assert_window(editor, 6, "56789", 5);
	press(editor, "\001");
	assert_window(editor, 6, "012345", 0);
	press(editor, RIGHT RIGHT RIGHT RIGHT RIGHT RIGHT RIGHT);
	assert_window(editor, 6, "234567", 5);
	/* It opens again when the terminal gets wider. */
	press(editor, "\005");
	assert_window(editor, 6, "56789", 5);
	assert_window(editor, 11, "0123456789", 10);
}

static void wide_characters_take_two_columns(void **state)
{
	struct editor *editor = *state;

	press(editor, "日本語");
	assert_window(editor, 7, "日本語", 6);
	assert_window(editor, 6, "本語", 4);
	press(editor, "\001");
	assert_window(editor, 5, "日本", 0);
}

static void a_completion_replaces_what_was_begun(void **state)
{
	struct editor *editor = *state;

	press(editor, "join k7 now" LEFT LEFT LEFT LEFT);
	editor_replace(editor, 5, "k7m2q");
	assert_string_equal(editor->text, "join k7m2q now");
	assert_int_equal(editor->cursor, 10);
}

#define EDITING(test) cmocka_unit_test_setup_teardown(test, open_editor, close_editor)

int main(void)
{
	const struct CMUnitTest tests[] = {
			EDITING(keys_edit_the_line),
			EDITING(a_character_of_several_bytes_is_one),
			EDITING(keys_come_in_pieces),
			EDITING(what_can_steer_a_terminal_is_not_taken),
			EDITING(a_paste_is_text_whatever_it_says),
			EDITING(keys_that_are_events_are_told),
			EDITING(history_goes_up_and_down_and_keeps_what_was_begun),
			EDITING(history_forgets_the_oldest),
			EDITING(a_line_is_as_long_as_the_server_takes_and_no_longer),
			EDITING(the_window_follows_the_cursor),
			EDITING(wide_characters_take_two_columns),
			EDITING(a_completion_replaces_what_was_begun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
