#include <string.h>

#include "protocol/text.h"
#include "with_cmocka.h"

static void characters_are_counted_not_bytes(void **state)
{
	(void)state;
	assert_int_equal(text_chars(""), 0);
	assert_int_equal(text_chars("abc"), 3);
	assert_int_equal(text_chars("żółw"), 4);
	assert_int_equal(text_chars("\xf0\x9f\x90\x88!"), 2);
	assert_int_equal(text_chars("a\xff"), -1);
	assert_int_equal(text_chars("\xc5"), -1);
}

static void text_that_people_write_is_clean(void **state)
{
	static const char *const clean[] = {"", "dobra gra!", "żółw \xf0\x9f\x90\x88", "日本",
			"e\xcc\x81", "\xef\xbf\xbd", "\xef\xb7\x8f", "\xef\xb7\xb0"};

	(void)state;
	for (size_t i = 0; i < sizeof(clean) / sizeof(clean[0]); i++) {
		assert_true(text_is_clean(clean[i]));
	}
}

static void characters_that_do_not_show_are_not_clean(void **state)
{
	static const char *const unclean[] = {
			"a\tb",
			"\x1b[31m",
			"\x7f", /* C0, DEL */
			"\xc2\x80",
			"\xc2\x9b", /* C1 */
			"\xe2\x80\xae",
			"\xe2\x81\xa6", /* bidi */
			"\xe2\x80\x8b",
			"\xe2\x80\x8d", /* zero width */
			"\xc2\xad",
			"\xf3\xa0\x80\x81", /* soft hyphen, a tag */
			"\xe2\x80\xa8",
			"\xe2\x80\xa9", /* line, paragraph */
			"\xef\xb7\x90",
			"\xef\xb7\xaf", /* noncharacters */
			"\xef\xbf\xbe",
			"\xf4\x8f\xbf\xbf", /* and the last of a plane */
			"\xed\xa0\x80",
			"\xc0\xaf",
			"a\xe2\x82",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(unclean) / sizeof(unclean[0]); i++) {
		assert_false(text_is_clean(unclean[i]));
	}
}

static void a_number_that_is_no_character_is_not_clean(void **state)
{
	(void)state;
	assert_false(text_char_is_clean(-1));
	assert_false(text_char_is_clean(0x110000));
	assert_false(text_char_is_clean(0xd800));
	assert_true(text_char_is_clean('A'));
}

static void utf8_is_told_from_what_is_not(void **state)
{
	char longer[100];

	(void)state;
	assert_true(text_is_utf8("", 0));
	assert_true(text_is_utf8("\0żółw\xf4\x8f\xbf\xbf", 12));
	memset(longer, 'a', sizeof(longer));
	for (size_t i = 0; i + 1 < sizeof(longer); i++) {
		memcpy(longer + i, "\xc5\xbc", 2);
		assert_true(text_is_utf8(longer, sizeof(longer)));
		assert_false(text_is_utf8(longer, i + 1));
		longer[i + 1] = 'a';
		assert_false(text_is_utf8(longer, sizeof(longer)));
		longer[i] = 'a';
	}
}

static void a_cut_leaves_whole_characters(void **state)
{
	(void)state;
	assert_int_equal(text_cut("abc", 3, 3), 3);
	assert_int_equal(text_cut("abcd", 4, 3), 3);
	assert_int_equal(text_cut("abż", 4, 3), 2);
	assert_int_equal(text_cut("a\xf0\x9f\x90\x88", 5, 4), 1);
	assert_int_equal(text_cut("\xf0\x9f\x90\x88", 4, 3), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(characters_are_counted_not_bytes),
			cmocka_unit_test(text_that_people_write_is_clean),
			cmocka_unit_test(characters_that_do_not_show_are_not_clean),
			cmocka_unit_test(a_number_that_is_no_character_is_not_clean),
			cmocka_unit_test(utf8_is_told_from_what_is_not),
			cmocka_unit_test(a_cut_leaves_whole_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
