#include <stdio.h>
#include <string.h>

#include "client-cli/commands.h"
#include "tests/unit/game/cmocka_all.h"

static void read_words(const char *words, struct command *command)
{
	command_read(words, strlen(words), 7, false, command);
}

static void assert_sends(const char *words, const char *expected)
{
	struct command command;

	read_words(words, &command);
	assert_int_equal(command.kind, COMMAND_SEND);
	assert_int_equal(command.line->length, strlen(expected));
	assert_memory_equal(command.line->data, expected, strlen(expected));
	bytes_unref(command.line);
}

static void words_become_one_line_of_json_with_an_id(void **state)
{
	(void)state;
	assert_sends("hello ala", "{\"type\":\"hello\",\"id\":7,\"name\":\"ala\"}\n");
	assert_sends("create", "{\"type\":\"create\",\"id\":7}\n");
	assert_sends("join K7M2Q", "{\"type\":\"join\",\"id\":7,\"room\":\"k7m2q\"}\n");
	assert_sends("move 1 5", "{\"type\":\"move\",\"id\":7,\"squares\":[1,5]}\n");
	assert_sends("  MOVE 1-5", "{\"type\":\"move\",\"id\":7,\"squares\":[1,5]}\n");
	assert_sends("collapse 5", "{\"type\":\"collapse\",\"id\":7,\"square\":5}\n");
	assert_sends("draw no", "{\"type\":\"draw\",\"id\":7,\"accept\":false}\n");
	assert_sends("say good game", "{\"type\":\"say\",\"id\":7,\"text\":\"good game\"}\n");
}

static void a_hint_asks_for_what_is_best_now(void **state)
{
	static char line[LIMIT_LINE_BYTES + 1];
	struct command command;

	(void)state;
	assert_sends("hint", "{\"type\":\"analyse\",\"id\":7}\n");
	assert_sends("  HINT K7M2Q ", "{\"type\":\"analyse\",\"id\":7,\"room\":\"k7m2q\"}\n");
	read_words("hint", &command);
	assert_int_equal(command.asked.use, ASKED_FOR_HINT);
	assert_string_equal(command.asked.words, "hint");
	bytes_unref(command.line);
	read_words("hint one two", &command);
	assert_int_equal(command.kind, COMMAND_REFUSED);
	read_words("hints", &command);
	assert_int_equal(command.refusal.code, CODE_UNKNOWN_TYPE);
	command_read("hint", 4, 7, true, &command);
	assert_int_equal(command.refusal.code, CODE_UNKNOWN_TYPE);
	snprintf(line, sizeof(line), "hint%*s", LIMIT_LINE_BYTES - 4, "");
	read_words(line, &command);
	assert_int_equal(command.kind, COMMAND_SEND);
	bytes_unref(command.line);
}

static void to_analyse_a_room_is_a_study_unless_it_is_asked_for_in_detail(void **state)
{
	struct command command;

	(void)state;
	read_words("analyse K7M2Q", &command);
	assert_int_equal(command.kind, COMMAND_STUDY);
	assert_string_equal(command.asked.room, "k7m2q");
	assert_null(command.line);
	assert_sends("analyse steps=yes", "{\"type\":\"analyse\",\"id\":7,\"steps\":true}\n");
	assert_sends("analyse record=1:X(1-2)",
			"{\"type\":\"analyse\",\"id\":7,\"record\":\"1:X(1-2)\"}\n");
	command_read("analyse", 7, 7, true, &command);
	assert_int_equal(command.kind, COMMAND_SEND);
	bytes_unref(command.line);
}

static void json_is_sent_as_it_is(void **state)
{
	(void)state;
	assert_sends("{\"type\" : \"later\", \"x\":[1]}", "{\"type\" : \"later\", \"x\":[1]}\n");
	assert_sends("{broken", "{broken\n");
}

static void text_is_not_sent_from_here(void **state)
{
	struct command command;

	(void)state;
	read_words("text only", &command);
	assert_int_equal(command.kind, COMMAND_REFUSED);
	assert_int_equal(command.refusal.code, CODE_BAD_REQUEST);
	assert_string_equal(command.asked.words, "text only");
	read_words("{\"type\":\"text\",\"id\":5,\"mode\":\"only\"}", &command);
	assert_int_equal(command.kind, COMMAND_REFUSED);
	assert_null(command.line);
	assert_string_equal(command.asked.words, "text");
}

static void a_title_swallows_no_other_member(void **state)
{
	static const char swallowing[] = "create title=Come and play Clock=3+2 now";
	static const char meant[] = "{\"type\":\"create\",\"title\":\"What is clock=3+2?\"}";
	static const char fine[] = "create clock=3+2 title=2+2=4, a==b";
	struct command command;

	(void)state;
	command_read(swallowing, strlen(swallowing), 1, false, &command);
	assert_int_equal(command.kind, COMMAND_REFUSED);
	assert_int_equal(command.refusal.code, CODE_BAD_REQUEST);
	assert_string_equal(command.refusal.message,
			"title= takes all the rest of the line: put Clock=3+2 before it.");
	command_read(meant, strlen(meant), 1, false, &command);
	assert_int_equal(command.kind, COMMAND_SEND);
	bytes_unref(command.line);
	command_read(fine, strlen(fine), 1, false, &command);
	assert_int_equal(command.kind, COMMAND_SEND);
	bytes_unref(command.line);
}

static void the_id_of_json_is_kept_for_its_answer(void **state)
{
	struct command command;

	(void)state;
	read_words("{\"type\":\"join\",\"room\":\"k7m2q\",\"id\":\"a\"}", &command);
	assert_int_equal(command.asked.id.kind, ID_STRING);
	assert_string_equal(command.asked.id.string, "a");
	assert_string_equal(command.asked.room, "k7m2q");
	bytes_unref(command.line);
	read_words("{\"type\":\"ping\"}", &command);
	assert_int_equal(command.asked.id.kind, ID_NONE);
	bytes_unref(command.line);
}

static void bad_words_are_refused_with_a_sentence(void **state)
{
	static const struct {
		const char *words;
		enum code code;
	} cases[] = {{"jump 1 5", CODE_UNKNOWN_TYPE}, {"move one", CODE_BAD_REQUEST},
			{"move", CODE_BAD_REQUEST}, {"[1]", CODE_BAD_JSON}};
	struct command command;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		read_words(cases[i].words, &command);
		assert_int_equal(command.kind, COMMAND_REFUSED);
		assert_int_equal(command.refusal.code, cases[i].code);
		assert_string_not_equal(command.refusal.message, "");
		assert_string_equal(command.asked.words, cases[i].words);
		assert_null(command.line);
	}
}

static void help_is_answered_here_unless_the_server_is_to(void **state)
{
	struct command command;

	(void)state;
	read_words("help move", &command);
	assert_int_equal(command.kind, COMMAND_HELP);
	assert_string_equal(command.about, "move");
	command_read("help", 4, 7, true, &command);
	assert_int_equal(command.kind, COMMAND_SEND);
	bytes_unref(command.line);
}

static void quit_ends_the_input(void **state)
{
	struct command command;

	(void)state;
	read_words("quit", &command);
	assert_true(command.ends);
	bytes_unref(command.line);
	read_words("ping", &command);
	assert_false(command.ends);
	bytes_unref(command.line);
}

static void a_token_is_not_kept_among_the_words(void **state)
{
	struct command command;

	(void)state;
	read_words("hello ala token=0123456789012345678901", &command);
	assert_string_equal(command.asked.words, "hello");
	bytes_unref(command.line);
	read_words("helo ala Token=0123456789012345678901", &command);
	assert_int_equal(command.kind, COMMAND_REFUSED);
	assert_string_equal(command.asked.words, "helo");
}

static void long_words_are_cut_at_a_character(void **state)
{
	struct command command;
	char words[200] = "say ";

	(void)state;
	for (size_t i = 0; i < 60; i++) {
		strcat(words, "ż");
	}
	read_words(words, &command);
	assert_int_equal(strlen(command.asked.words), ASKED_WORDS_SIZE - 2);
	bytes_unref(command.line);
}

static void a_request_is_kept_as_far_as_sending_it_again_needs(void **state)
{
	static const char line[] = "{\"type\":\"hello\",\"id\":1,\"name\":\"ala\","
				   "\"token\":\"0123456789012345678901\"}\n";
	struct request request = {.type = REQUEST_HELLO,
			.has = HAS_NAME | HAS_TOKEN,
			.name = "ala",
			.token = "0123456789012345678901"};
	struct command command;

	(void)state;
	command_request(&request, "hello", 1, &command);
	assert_memory_equal(command.line->data, line, strlen(line));
	assert_string_equal(command.asked.token, "0123456789012345678901");
	assert_int_equal(command.asked.has, HAS_NAME | HAS_TOKEN);
	bytes_unref(command.line);
	read_words("lobby follow", &command);
	assert_true(command.asked.follows);
	bytes_unref(command.line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(words_become_one_line_of_json_with_an_id),
			cmocka_unit_test(a_hint_asks_for_what_is_best_now),
			cmocka_unit_test(
					to_analyse_a_room_is_a_study_unless_it_is_asked_for_in_detail),
			cmocka_unit_test(json_is_sent_as_it_is),
			cmocka_unit_test(text_is_not_sent_from_here),
			cmocka_unit_test(a_title_swallows_no_other_member),
			cmocka_unit_test(the_id_of_json_is_kept_for_its_answer),
			cmocka_unit_test(bad_words_are_refused_with_a_sentence),
			cmocka_unit_test(help_is_answered_here_unless_the_server_is_to),
			cmocka_unit_test(quit_ends_the_input),
			cmocka_unit_test(a_token_is_not_kept_among_the_words),
			cmocka_unit_test(long_words_are_cut_at_a_character),
			cmocka_unit_test(a_request_is_kept_as_far_as_sending_it_again_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
