/* Names: which ones there may be, and when two are the same. */
#include "server/play/name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "tests/unit/game/cmocka_all.h"

static const char *normalised(const char *typed)
{
	static char name[NAME_SIZE];

	memset(name, 'x', sizeof(name));
	return name_normalise(typed, name) ? name : NULL;
}

static const char *key_of(const char *name)
{
	static char keys[2][NAME_KEY_SIZE];
	static int turn;

	turn = 1 - turn;
	memset(keys[turn], 'x', sizeof(keys[turn]));
	name_key(name, keys[turn]);
	return keys[turn];
}

static void is_no_name(const char *typed)
{
	if (normalised(typed) != NULL) {
		fail_msg("\"%s\" is a name", typed);
	}
}

static void is_name(const char *typed, const char *expected)
{
	const char *name = normalised(typed);

	if (name == NULL) {
		fail_msg("\"%s\" is no name", typed);
	}
	assert_string_equal(name, expected);
}

static void latin_letters_digits_hyphen_and_underscore_make_a_name(void **unused)
{
	static const char *const names[] = {"ala", "Ala", "ALA", "a1", "a-b", "a_b", "a--",
			"x2_y-3", "zażółć", "ZAŻÓŁĆ", "gęślą", "jaźń", "ąćęłńóśźż", "ĄĆĘŁŃÓŚŹŻ",
			"Łukasz", "José", "Müller", "Straße", "Ærøskøbing", "þórr", "Ðorđe",
			"ñandú", "Nguyễn"};

	(void)unused;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		is_name(names[i], names[i]);
	}
}

static void a_name_has_2_to_20_characters(void **unused)
{
	(void)unused;
	is_no_name("");
	is_no_name("a");
	is_no_name("ż");
	is_name("ab", "ab");
	is_name("żż", "żż");
	is_name("abcdefghijklmnopqrst", "abcdefghijklmnopqrst");
	is_no_name("abcdefghijklmnopqrstu");
	/* Characters are counted, not bytes; and after composing. */
	is_name("żżżżżżżżżżżżżżżżżżżż", "żżżżżżżżżżżżżżżżżżżż");
	is_no_name("żżżżżżżżżżżżżżżżżżżżż");
	is_no_name("z\u0307");
	is_name("z\u0307z\u0307", "żż");
}

static void a_name_begins_with_a_letter(void **unused)
{
	(void)unused;
	is_no_name("1a");
	is_no_name("9");
	is_no_name("-a");
	is_no_name("_a");
	is_no_name("\u0301a"); /* a mark with no letter before it */
	is_name("a1", "a1");
	is_name("a0123456789", "a0123456789");
	is_name("ż-", "ż-");
}

static void nothing_else_is_in_a_name(void **unused)
{
	static const char *const typed[] = {"a b", " ab", "ab ", "a.b", "a@b", "a/b", "a\tb",
			"a\nb", "a\177b", "a\u00a0b", "a\u00adb", "a\u200bb", "a\u200db",
			"a\u202eb", "a\u2066b", "a\ufeffb", "a×b", "a÷b", "a♥", "a😀", "a٣", "a१",
			"q\u0303\u0303a", "日本", "שלום", "سلام", "a\302\205b", "a\ue000",
			"a\U000e0041"};

	(void)unused;
	for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++) {
		is_no_name(typed[i]);
	}
}

static void bad_utf_8_is_no_name(void **unused)
{
	static const char *const typed[] = {"ab\xff", "ab\xc3", "ab\xc0\xaf", "ab\xed\xa0\x80",
			"ab\xf4\x90\x80\x80", "\200ab"};

	(void)unused;
	for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++) {
		is_no_name(typed[i]);
	}
}

static void a_refused_name_leaves_the_result_alone(void **unused)
{
	char name[NAME_SIZE] = "before";

	(void)unused;
	assert_false(name_normalise("1a", name));
	assert_string_equal(name, "before");
}

static void letters_that_look_latin_are_refused(void **unused)
{
	(void)unused;
	is_no_name("\u0430lice"); /* Cyrillic а */
	is_no_name("al\u0456ce"); /* Cyrillic і */
	is_no_name("b\u043eb");	  /* Cyrillic о */
	is_no_name("b\u03bfb");	  /* Greek ο */
	is_no_name("\u0391la");	  /* Greek Α */
	is_no_name("\u0410\u043b\u0430");
	is_no_name("\u13a0la");	    /* Cherokee Ꭰ */
	is_no_name("\U0001f170la"); /* 🅰 */
	is_no_name("a\u2010b");	    /* a hyphen that is not '-' */
	is_no_name("ala\u0660");    /* Arabic zero */
}

static void letters_of_other_widths_and_shapes_are_the_plain_ones(void **unused)
{
	(void)unused;
	is_name("Ａｌａ", "Ala");
	is_name("ａ１－＿", "a1-_");
	is_name("\U0001d400\U0001d41a", "Aa"); /* mathematical bold */
	is_name("ﬁn", "fin");
	is_no_name("１ａ");
	is_no_name("ａ");
}

static void decomposed_letters_are_composed(void **unused)
{
	(void)unused;
	is_name("z\u0307o\u0301łw", "żółw");
	is_name("e\u0328le", "ęle");
	is_name("Jose\u0301", "José");
	is_name("Nguye\u0302\u0303n", "Nguyễn");
}

static void a_composed_name_is_its_own_normal_form(void **unused)
{
	char once[NAME_SIZE];

	(void)unused;
	assert_true(name_normalise("Ａe\u0302\u0303-ﬁ9", once));
	is_name(once, once);
}

/* Reserved names. */

static void reserved_words_are_so_in_any_case(void **unused)
{
	static const char *const reserved[] = {"guest-k7m2q", "Guest-k7m2q", "GUEST-1", "guest-",
			"bot-perfect", "Bot-x", "BOT-", "gone-12345", "GONE-a", "server", "Server",
			"SERVER", "operator", "Operator", "oPERATOR"};

	(void)unused;
	for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++) {
		if (!name_is_reserved(reserved[i])) {
			fail_msg("%s is not reserved", reserved[i]);
		}
		is_name(reserved[i], reserved[i]);
	}
}

static void names_that_only_resemble_them_are_free(void **unused)
{
	static const char *const names[] = {"guest", "guest_1", "guests-1", "my-guest-1", "bot",
			"bot_x", "robot-1", "gone", "servers", "server1", "aserver", "operators",
			"operato"};

	(void)unused;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (name_is_reserved(names[i])) {
			fail_msg("%s is reserved", names[i]);
		}
	}
}

static void reserved_words_in_disguise_are_reserved_once_normalised(void **unused)
{
	char name[NAME_SIZE];

	(void)unused;
	assert_true(name_normalise("ｓｅｒｖｅｒ", name));
	assert_true(name_is_reserved(name));
	assert_true(name_normalise("ｂｏｔ－x", name));
	assert_true(name_is_reserved(name));
	assert_true(name_normalise("gue\u017ft-1", name)); /* long s */
	assert_true(name_is_reserved(name));
}

static void only_bots_are_bots(void **unused)
{
	(void)unused;
	assert_true(name_is_bot("bot-perfect"));
	assert_true(name_is_bot("BOT-x"));
	assert_false(name_is_bot("bot"));
	assert_false(name_is_bot("guest-bot-1"));
	assert_false(name_is_bot("robot-1"));
}

/* Keys. */

static const char *key_of_typed(const char *typed)
{
	char name[NAME_SIZE];

	assert_true(name_normalise(typed, name));
	return key_of(name);
}

static void names_that_differ_in_case_are_the_same(void **unused)
{
	(void)unused;
	assert_string_equal(key_of("ŁUKASZ"), key_of("łukasz"));
	assert_string_equal(key_of("ZAŻÓŁĆ"), key_of("zażółć"));
	assert_string_equal(key_of("Ala-1_b"), key_of("aLA-1_B"));
	assert_string_equal(key_of("Straße"), key_of("STRASSE"));
	assert_string_equal(key_of("STRAẞE"), key_of("strasse"));
	assert_string_equal(key_of("Ærø"), key_of("æRØ"));
}

static void names_that_differ_in_form_are_the_same(void **unused)
{
	(void)unused;
	assert_string_equal(key_of_typed("z\u0307o\u0301łw"), key_of_typed("ŻÓŁW"));
	assert_string_equal(key_of_typed("Ａla"), key_of_typed("ala"));
	assert_string_equal(key_of_typed("ﬁn"), key_of_typed("FIN"));
}

static void names_that_differ_in_a_mark_are_different(void **unused)
{
	(void)unused;
	assert_string_not_equal(key_of("łukasz"), key_of("lukasz"));
	assert_string_not_equal(key_of("zażółć"), key_of("zazolc"));
	assert_string_not_equal(key_of("a-b"), key_of("a_b"));
	assert_string_not_equal(key_of("ala"), key_of("ala1"));
}

static void a_key_is_its_own_key(void **unused)
{
	char key[NAME_KEY_SIZE];

	(void)unused;
	name_key("ŁUKASZ-Straße_İ", key);
	assert_string_equal(key_of(key), key);
}

/* A name made of one letter only: `count` times. */
static void repeat(int32_t letter, int count, char ret_text[LIMIT_NAME_CHARS * 4 + 5])
{
	size_t length = 0;

	for (int i = 0; i < count; i++) {
		length += (size_t)utf8proc_encode_char(
				letter, (utf8proc_uint8_t *)ret_text + length);
	}
	ret_text[length] = '\0';
}

#define LETTERS_END 0x110000
#define IS_SURROGATE(c) ((c) >= 0xd800 && (c) < 0xe000)

/* Every letter there is, twenty times: the longest name and the longest key must fit whole, or two
 * names with the same beginning would be one. */
static void the_longest_names_and_keys_fit(void **unused)
{
	size_t longest_name = 0;
	size_t longest_key = 0;

	(void)unused;
	for (int32_t letter = 'A'; letter < LETTERS_END; letter++) {
		char typed[LIMIT_NAME_CHARS * 4 + 5];
		char name[NAME_SIZE];

		repeat(letter, IS_SURROGATE(letter) ? 0 : 2, typed);
		if (!name_normalise(typed, name)) {
			continue;
		}
		repeat(letter, LIMIT_NAME_CHARS, typed);
		if (!name_normalise(typed, name)) {
			continue; /* a sign for several letters makes too many of them */
		}
		utf8proc_uint8_t *folded = utf8proc_NFKC_Casefold((const utf8proc_uint8_t *)name);
		size_t name_length = strlen(name);
		size_t key_length = strlen((char *)folded);
		longest_name = name_length > longest_name ? name_length : longest_name;
		longest_key = key_length > longest_key ? key_length : longest_key;
		assert_string_equal(key_of(name), (char *)folded);
		free(folded);
	}
	assert_int_equal(longest_name, NAME_SIZE - 1);
	assert_in_range(longest_key, NAME_SIZE - 1, NAME_KEY_SIZE - 1);
	printf("# longest name %zu bytes, longest key %zu bytes\n", longest_name, longest_key);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(latin_letters_digits_hyphen_and_underscore_make_a_name),
			cmocka_unit_test(a_name_has_2_to_20_characters),
			cmocka_unit_test(a_name_begins_with_a_letter),
			cmocka_unit_test(nothing_else_is_in_a_name),
			cmocka_unit_test(bad_utf_8_is_no_name),
			cmocka_unit_test(a_refused_name_leaves_the_result_alone),
			cmocka_unit_test(letters_that_look_latin_are_refused),
			cmocka_unit_test(letters_of_other_widths_and_shapes_are_the_plain_ones),
			cmocka_unit_test(decomposed_letters_are_composed),
			cmocka_unit_test(a_composed_name_is_its_own_normal_form),
			cmocka_unit_test(reserved_words_are_so_in_any_case),
			cmocka_unit_test(names_that_only_resemble_them_are_free),
			cmocka_unit_test(reserved_words_in_disguise_are_reserved_once_normalised),
			cmocka_unit_test(only_bots_are_bots),
			cmocka_unit_test(names_that_differ_in_case_are_the_same),
			cmocka_unit_test(names_that_differ_in_form_are_the_same),
			cmocka_unit_test(names_that_differ_in_a_mark_are_different),
			cmocka_unit_test(a_key_is_its_own_key),
			cmocka_unit_test(the_longest_names_and_keys_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
