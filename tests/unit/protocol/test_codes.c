#include <string.h>

#include "protocol/codes.h"
#include "protocol/message.h"
#include "with_cmocka.h"

/* The contract's list, in its order. */
static const char list[] =
		"bad_json too_long bad_request unknown_type bad_protocol bad_name bad_text "
		"name_taken bad_token no_such_player no_such_room room_full not_in_room not_seated "
		"not_started game_over not_your_turn collapse_first nothing_to_collapse bad_square "
		"same_square square_taken not_a_choice stale too_late too_early no_offer "
		"not_allowed rate_limited too_many_rooms too_many_connections server_full "
		"unavailable internal";

static void the_words_are_the_contracts_list(void **state)
{
	char words[1024] = "";

	(void)state;
	for (int code = CODE_NONE + 1; code < CODE_COUNT; code++) {
		strcat(words, code == CODE_NONE + 1 ? "" : " ");
		strcat(words, code_word((enum code)code));
	}
	assert_string_equal(words, list);
}

static void each_word_leads_back_to_its_code(void **state)
{
	(void)state;
	for (int code = CODE_NONE + 1; code < CODE_COUNT; code++) {
		assert_int_equal(code_of_word(code_word((enum code)code)), code);
	}
	assert_int_equal(code_of_word("no_such_code"), CODE_NONE);
	assert_int_equal(code_of_word(""), CODE_NONE);
	assert_string_equal(code_word(CODE_NONE), "");
}

static void each_sentence_is_one_and_fits_into_an_error(void **state)
{
	struct error error;

	(void)state;
	for (int code = CODE_NONE; code < CODE_COUNT; code++) {
		const char *sentence = code_sentence((enum code)code);

		assert_in_range(strlen(sentence), 10, sizeof(error.message) - 1);
		assert_int_equal(sentence[strlen(sentence) - 1], '.');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(the_words_are_the_contracts_list),
			cmocka_unit_test(each_word_leads_back_to_its_code),
			cmocka_unit_test(each_sentence_is_one_and_fits_into_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
