#include <errno.h>
#include <libintl.h>
#include <netdb.h>
#include <stdlib.h>

#include "client-cli/language.h"
#include "protocol/codes.h"
#include "protocol/phrase.h"
#include "protocol/requests.h"
#include "tests/unit/game/cmocka_all.h"

/* What the environment says; NULL: nothing. The tests run in any. */
static void set_environment(const char *all, const char *lang, const char *languages)
{
	static const char *const names[] = {
			"LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANG", "LANGUAGE"};
	const char *const values[] = {all, NULL, NULL, lang, languages};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (values[i]) {
			setenv(names[i], values[i], 1);
		} else {
			unsetenv(names[i]);
		}
	}
}

static void speak_polish(bool ascii)
{
	set_environment("C.UTF-8", NULL, NULL);
	language_begin("pl", ascii, QTTT_PO);
}

/* So every program begins. */
static void without_a_translator_a_sentence_is_as_it_is_written(void **state)
{
	static const char sentence[] = "The game is over.";

	(void)state;
	assert_ptr_equal(phrase(sentence), sentence);
	assert_string_equal(phrase_count("one", "many", 1), "one");
	assert_string_equal(phrase_count("one", "many", 0), "many");
	assert_string_equal(phrase_count("one", "many", 2), "many");
}

static void nothing_is_translated_to_nothing(void **state)
{
	(void)state;
	speak_polish(false);
	assert_string_equal(phrase(""), "");
}

static void polish_is_spoken_where_no_polish_locale_is(void **state)
{
	(void)state;
	speak_polish(false);
	assert_true(language_has_utf8());
	assert_string_equal(phrase("The game is over."), "Gra jest skończona.");
}

static void english_can_be_asked_for_where_the_environment_says_polish(void **state)
{
	(void)state;
	set_environment("C.UTF-8", NULL, "pl");
	language_begin(NULL, false, QTTT_PO);
	assert_string_equal(phrase("The game is over."), "Gra jest skończona.");
	language_begin("en", false, QTTT_PO);
	assert_string_equal(phrase("The game is over."), "The game is over.");
}

static void a_locale_that_is_not_there_says_which_language_and_letters_are_meant(void **state)
{
	(void)state;
	set_environment(NULL, "pl_XY.utf8", "");
	language_begin(NULL, false, QTTT_PO);
	assert_true(language_has_utf8());
	assert_string_equal(phrase("The game is over."), "Gra jest skończona.");
	set_environment("pl_XY.ISO-8859-2", NULL, NULL);
	language_begin(NULL, false, QTTT_PO);
	assert_false(language_has_utf8());
	assert_string_equal(phrase("The game is over."), "Gra jest skonczona.");
}

static void without_a_catalogue_english_is_spoken(void **state)
{
	(void)state;
	set_environment("C.UTF-8", NULL, NULL);
	language_begin("pl", false, "/nonexistent");
	assert_string_equal(phrase("The game is over."), "The game is over.");
}

/* Neither a letter beyond ASCII nor one that was given up for a question mark. */
static void assert_ascii(const char *text, const char *source)
{
	for (size_t i = 0; text[i] != '\0'; i++) {
		assert_in_range((unsigned char)text[i], 1, 127);
	}
	assert_true(!strchr(text, '?') || strchr(source, '?'));
}

static void without_utf_8_polish_is_written_in_ascii(void **state)
{
	(void)state;
	set_environment("C", NULL, NULL);
	language_begin("pl", false, QTTT_PO);
	assert_false(language_has_utf8());
	assert_string_equal(phrase("Try again in %lld s."), "Sprobuj znowu za %lld s.");
	assert_string_equal(phrase("\"%s\" is given twice."), ",,%s\" podano dwa razy.");
	for (size_t i = 0; i < CODE_COUNT; i++) {
		const char *sentence = code_sentence((enum code)i);

		assert_ascii(phrase(sentence), sentence);
	}
	for (size_t i = 0; i < REQUEST_COUNT; i++) {
		const char *about = request_row((enum request_type)i)->about;

		assert_string_not_equal(phrase(about), about);
		assert_ascii(phrase(about), about);
	}
	speak_polish(true);
	assert_true(language_has_utf8());
	assert_string_equal(phrase("Try again in %lld s."), "Sprobuj znowu za %lld s.");
}

static void every_code_has_a_sentence_of_its_own_in_polish(void **state)
{
	(void)state;
	speak_polish(false);
	for (size_t i = CODE_NONE + 1; i < CODE_COUNT; i++) {
		const char *sentence = code_sentence((enum code)i);

		assert_string_not_equal(phrase(sentence), sentence);
		for (size_t j = CODE_NONE + 1; j < i; j++) {
			assert_string_not_equal(
					phrase(sentence), phrase(code_sentence((enum code)j)));
		}
	}
}

/* Of each sentence that counts, the first words of its three forms. */
static const struct {
	const char *one;
	const char *many;
	const char *forms[3]; /* for 1; for 2, 22; for 0, 5, 12, 25 */
} counted[] = {
		{"%lld connection closed.", "%lld connections closed.",
				{"Zamknięto %lld połączenie.", "Zamknięto %lld połączenia.",
						"Zamknięto %lld połączeń."}},
		{"%lld connection told.", "%lld connections told.",
				{"Powiadomiono %lld połączenie.", "Powiadomiono %lld połączenia.",
						"Powiadomiono %lld połączeń."}},
		{"A name has at most %d letter.", "A name has at most %d letters.",
				{"Nazwa ma najwyżej %d literę.", "Nazwa ma najwyżej %d litery.",
						"Nazwa ma najwyżej %d liter."}},
		{"That is too long: %d character is the most.",
				"That is too long: %d characters are the most.",
				{"To za długie: może być najwyżej %d znak.",
						"To za długie: mogą być najwyżej %d znaki.",
						"To za długie: może być najwyżej %d znaków."}},
		{"Nothing new begins; %lld game still runs.",
				"Nothing new begins; %lld games still run.",
				{"Nic nowego się nie zacznie; trwa jeszcze %lld gra.",
						"Nic nowego się nie zacznie; trwają jeszcze %lld "
						"gry.",
						"Nic nowego się nie zacznie; trwa jeszcze %lld "
						"gier."}},
};

static void what_is_counted_has_three_forms_in_polish(void **state)
{
	static const struct {
		int64_t count;
		size_t form;
	} cases[] = {{0, 2}, {1, 0}, {2, 1}, {4, 1}, {5, 2}, {11, 2}, {12, 2}, {14, 2}, {21, 2},
			{22, 1}, {25, 2}, {102, 1}, {112, 2}};

	(void)state;
	speak_polish(false);
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		for (size_t j = 0; j < sizeof(cases) / sizeof(cases[0]); j++) {
			assert_string_equal(phrase_count(counted[i].one, counted[i].many,
							    cases[j].count),
					counted[i].forms[cases[j].form]);
		}
	}
}

static void usual_reasons_of_the_system_are_translated(void **state)
{
	(void)state;
	speak_polish(false);
	assert_string_equal(language_reason(ECONNREFUSED), "Połączenie odrzucone");
	assert_string_equal(language_reason(EAI_NONAME), "Nieznana nazwa albo usługa");
	assert_string_equal(language_reason(EDOM), strerrordesc_np(EDOM));
	assert_string_equal(language_reason(99999), "nieznany błąd");
	language_begin("en", false, QTTT_PO);
	assert_string_equal(language_reason(ECONNREFUSED), strerrordesc_np(ECONNREFUSED));
	assert_string_equal(language_reason(EAI_NONAME), gai_strerror(EAI_NONAME));
	assert_string_equal(language_reason(EAI_AGAIN), gai_strerror(EAI_AGAIN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(without_a_translator_a_sentence_is_as_it_is_written),
			cmocka_unit_test(nothing_is_translated_to_nothing),
			cmocka_unit_test(polish_is_spoken_where_no_polish_locale_is),
			cmocka_unit_test(
					english_can_be_asked_for_where_the_environment_says_polish),
			cmocka_unit_test(
					a_locale_that_is_not_there_says_which_language_and_letters_are_meant),
			cmocka_unit_test(without_a_catalogue_english_is_spoken),
			cmocka_unit_test(without_utf_8_polish_is_written_in_ascii),
			cmocka_unit_test(every_code_has_a_sentence_of_its_own_in_polish),
			cmocka_unit_test(what_is_counted_has_three_forms_in_polish),
			cmocka_unit_test(usual_reasons_of_the_system_are_translated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
