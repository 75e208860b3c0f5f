#include <stdlib.h>

#include "client-cli/language.h"
#include "client-cli/refusal.h"
#include "tests/unit/game/cmocka_all.h"

static void speak(const char *language)
{
	setenv("LC_ALL", "C.UTF-8", 1);
	language_begin(language, false, QTTT_PO);
}

static void assert_told(enum code code, const char *message, const char *told)
{
	struct error error = {.code = code};

	message_copy(error.message, sizeof(error.message), message);
	refusal_translate(&error);
	assert_string_equal(error.message, told);
}

static void a_refusal_that_the_catalogue_has_is_told_by_it(void **state)
{
	(void)state;
	speak("pl");
	assert_told(CODE_BAD_NAME, "That name is reserved.", "Ta nazwa jest zastrzeżona.");
	assert_told(CODE_BAD_REQUEST, "Squares are 1 to 9.", "Pola mają numery od 1 do 9.");
}

static void an_unknown_refusal_stands_behind_its_codes_sentence_where_that_is_true(void **state)
{
	(void)state;
	speak("pl");
	assert_told(CODE_NOT_ALLOWED, "Not on Mondays.", "Tego tu nie wolno. (Not on Mondays.)");
}

static void an_unknown_refusal_stands_alone_where_its_codes_sentence_may_be_false(void **state)
{
	static const enum code codes[] = {CODE_NONE, CODE_BAD_REQUEST, CODE_BAD_NAME,
			CODE_BAD_TOKEN, CODE_ROOM_FULL, CODE_SERVER_FULL, CODE_RATE_LIMITED,
			CODE_TOO_MANY_ROOMS};

	(void)state;
	speak("pl");
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		assert_told(codes[i], "Not on Mondays.", "Not on Mondays.");
	}
}

static void a_refusal_that_would_be_cut_stands_alone(void **state)
{
	char longest[sizeof((struct error){0}.message)];

	(void)state;
	speak("pl");
	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_told(CODE_NOT_ALLOWED, longest, longest);
}

static void refusals_in_english_stay_what_they_are(void **state)
{
	(void)state;
	speak("en");
	assert_told(CODE_NOT_ALLOWED, "Not on Mondays.", "Not on Mondays.");
	assert_told(CODE_BAD_NAME, "That name is reserved.", "That name is reserved.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_refusal_that_the_catalogue_has_is_told_by_it),
			cmocka_unit_test(
					an_unknown_refusal_stands_behind_its_codes_sentence_where_that_is_true),
			cmocka_unit_test(
					an_unknown_refusal_stands_alone_where_its_codes_sentence_may_be_false),
			cmocka_unit_test(a_refusal_that_would_be_cut_stands_alone),
			cmocka_unit_test(refusals_in_english_stay_what_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
