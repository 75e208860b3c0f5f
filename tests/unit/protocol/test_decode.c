#include "asking.h"

static void a_request_has_what_its_line_says(void **state)
{
	struct request request;
	struct error error;
	const char *line = "{\"squares\":[7,-2],\"type\":\"move\",\"room\":\"K7M2Q\",\"move\":3,"
			   "\"id\":9}";

	(void)state;
	assert_true(decode_request(line, strlen(line), &request, &error));
	assert_int_equal(request.type, REQUEST_MOVE);
	assert_int_equal(request.has, HAS_SQUARES | HAS_ROOM | HAS_MOVE);
	assert_int_equal(request.square_count, 2);
	assert_int_equal(request.squares[0], 7);
	assert_int_equal(request.squares[1], -2);
	assert_string_equal(request.room, "k7m2q");
	assert_int_equal(request.move, 3);
	assert_int_equal(request.id.kind, ID_INTEGER);
	assert_int_equal(request.id.integer, 9);
}

static void every_member_of_every_request_is_read_and_written(void **state)
{
	static const char *const lines[] = {
			"{\"type\":\"hello\",\"name\":\"Ala\",\"token\":\"abcdefghijklmnopqrstuv\","
			"\"protocol\":1}",
			"{\"type\":\"hello\",\"id\":\"x\"}",
			"{\"type\":\"help\",\"about\":\"move\"}",
			"{\"type\":\"who\",\"limit\":100}",
			"{\"type\":\"mute\",\"id\":-9223372036854775808,\"name\":\"Ola\",\"on\":"
			"false}",
			"{\"type\":\"ping\",\"id\":9223372036854775807}",
			"{\"type\":\"quit\",\"id\":\"\"}",
			"{\"type\":\"create\",\"opponent\":\"bot-good\",\"side\":\"X\",\"private\":"
			"true,"
			"\"title\":\"Wieczorna partia\"}",
			"{\"type\":\"create\",\"side\":\"random\",\"private\":false,\"title\":"
			"\"\"}",
			"{\"type\":\"match\"}",
			"{\"type\":\"join\",\"room\":\"k7m2q\",\"side\":\"O\"}",
			"{\"type\":\"decline\",\"room\":\"k7m2qk7m2qk7m2qk\"}",
			"{\"type\":\"watch\",\"room\":\"k7m2q\",\"since\":0}",
			"{\"type\":\"leave\",\"room\":\"k7m2q\"}",
			"{\"type\":\"lobby\",\"status\":\"waiting\",\"limit\":1,\"after\":\"c17\","
			"\"follow\":true}",
			"{\"type\":\"lobby\",\"status\":\"over\"}",
			"{\"type\":\"text\",\"mode\":\"off\"}",
			"{\"type\":\"move\",\"squares\":[9]}",
			"{\"type\":\"collapse\",\"square\":5,\"mark\":\"O4\",\"room\":\"k7m2q\","
			"\"move\":4}",
			"{\"type\":\"collapse\",\"square\":-5,\"mark\":\"X8\",\"move\":-1}",
			"{\"type\":\"resign\"}",
			"{\"type\":\"abort\",\"room\":\"k7m2q\"}",
			"{\"type\":\"draw\",\"accept\":false,\"room\":\"k7m2q\"}",
			"{\"type\":\"rematch\"}",
			"{\"type\":\"say\",\"text\":\"good \\\"game\\\"\",\"room\":\"k7m2q\"}",
			"{\"type\":\"state\",\"room\":\"k7m2q\",\"since\":12}",
			"{\"type\":\"analyse\"}",
			"{\"type\":\"analyse\",\"id\":1,\"room\":\"k7m2q\",\"steps\":true}",
			"{\"type\":\"analyse\",\"record\":\"1:X(1-2), 2:O(2-3)\"}",
			"{\"type\":\"analyse\",\"actions\":[]}",
			"{\"type\":\"create\",\"opponent\":\"ala\",\"private\":true,"
			"\"rated\":false}",
			"{\"type\":\"analyse\",\"actions\":[{\"squares\":[1,5]},{\"squares\":[5,1]}"
			","
			"{\"square\":5},{\"squares\":[9]}],\"steps\":false}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_asks(lines[i], lines[i]);
	}
}

static void null_is_as_absent_and_unknown_members_are_ignored(void **state)
{
	(void)state;
	assert_asks("{\"type\":\"create\",\"id\":null,\"clock\":null,\"rated\":null,\"side\":null,"
		    "\"from\":{\"the\":[\"future\"]}}",
			"{\"type\":\"create\"}");
	assert_refused("{\"type\":\"join\",\"room\":null}", "|join|bad_request|room");
	assert_refused("{\"type\":null}", "||bad_request|type");
}

static void what_is_not_one_object_is_bad_json(void **state)
{
	static const char *const lines[] = {"", "   ", "[]", "[1]", "\"move\"", "-5", "}", "{",
			"{}x", "{}{}", "{\"type\":\"ping\"", "{\"type\":\"ping\",}",
			"{'type':'ping'}", "{\"type\":\"ping\",\"type\":\"ping\"}",
			"{\"a\":{\"b\":1,\"b\":1}}",
			"{\"type\":\"ping\",\"id\":9223372036854775808}", "{\"a\":1e999}",
			"{\"a\":-9223372036854775809}", "{\"a\":\"\\u0000\"}",
			"{\"a\":\"\\ud800\"}", "{\"a\":01}", "{\"type\":\"ping\"} // no", "=x",
			"\xef\xbb\xbf{}", "\xc2\xab{}", "{\"a\":\"\t\"}"};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_refused(lines[i], "||bad_json|");
	}
}

static void an_object_may_be_eight_levels_deep(void **state)
{
	(void)state;
	assert_asks("{\"type\":\"ping\",\"a\":[[[[[[[]]]]]]],\"b\":[[[[[[[1]]]]]]]}",
			"{\"type\":\"ping\"}");
	assert_refused("{\"type\":\"ping\",\"a\":[[[[[[[[]]]]]]]]}", "||bad_json|");
	assert_refused("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}",
			"||bad_json|");
	assert_asks("{\"type\":\"ping\",\"a\":\"[[[[[[[[[[\\\"[[[[{{{{\"}", "{\"type\":\"ping\"}");
}

static void blanks_around_an_object_are_fine(void **state)
{
	(void)state;
	assert_asks(" \t{ \"type\" : \"ping\" } ", "{\"type\":\"ping\"}");
}

static void what_could_be_read_comes_back_with_a_refusal(void **state)
{
	(void)state;
	assert_refused("{\"id\":\"a\"}", "'a'||bad_request|type");
	assert_refused("{\"id\":7,\"type\":[]}", "7||bad_request|type");
	assert_refused("{\"id\":7,\"type\":\"dance\"}", "7|dance|unknown_type|");
	assert_refused("{\"id\":7,\"type\":\"Move\"}", "7|Move|unknown_type|");
	assert_refused("{\"id\":7,\"type\":\"\"}", "7||unknown_type|");
	assert_refused("{\"id\":7,\"type\":\"say\",\"text\":\"\"}", "7|say|bad_text|");
	assert_refused("{\"id\":7,\"type\":\"0123456789012345678901234567890123\"}",
			"7|01234567890123456789012345678901|unknown_type|");
	assert_refused("{\"id\":7,\"type\":\"0123456789012345678901234567890ż\"}",
			"7|0123456789012345678901234567890|unknown_type|");
	assert_refused("{\"id\":7,\"type\":\"012345678901234567890123456789ż\"}",
			"7|012345678901234567890123456789ż|unknown_type|");
}

static void an_id_is_an_integer_or_a_string_of_64_bytes(void **state)
{
	char line[256];

	(void)state;
	snprintf(line, sizeof(line), "{\"type\":\"ping\",\"id\":\"%064d\"}", 1);
	assert_asks(line, line);
	snprintf(line, sizeof(line), "{\"type\":\"ping\",\"id\":\"%065d\"}", 1);
	assert_refused(line, "|ping|bad_request|id");
	assert_refused("{\"type\":\"ping\",\"id\":1.0}", "|ping|bad_request|id");
	assert_refused("{\"type\":\"ping\",\"id\":true}", "|ping|bad_request|id");
	assert_refused("{\"type\":\"ping\",\"id\":[1]}", "|ping|bad_request|id");
	assert_refused("{\"type\":\"dance\",\"id\":{}}", "|dance|bad_request|id");
}

static void a_mistyped_member_is_named(void **state)
{
	static const char *const lines[][2] = {
			{"{\"type\":\"hello\",\"name\":5}", "|hello|bad_request|name"},
			{"{\"type\":\"hello\",\"token\":[]}", "|hello|bad_request|token"},
			{"{\"type\":\"hello\",\"protocol\":\"1\"}", "|hello|bad_request|protocol"},
			{"{\"type\":\"hello\",\"protocol\":1.0}", "|hello|bad_request|protocol"},
			{"{\"type\":\"help\",\"about\":{}}", "|help|bad_request|about"},
			{"{\"type\":\"who\",\"limit\":0}", "|who|bad_request|limit"},
			{"{\"type\":\"who\",\"limit\":101}", "|who|bad_request|limit"},
			{"{\"type\":\"mute\",\"name\":\"a\",\"on\":1}", "|mute|bad_request|on"},
			{"{\"type\":\"mute\",\"name\":\"a\",\"on\":\"on\"}",
					"|mute|bad_request|on"},
			{"{\"type\":\"create\",\"side\":\"x\"}", "|create|bad_request|side"},
			{"{\"type\":\"create\",\"side\":1}", "|create|bad_request|side"},
			{"{\"type\":\"create\",\"private\":\"yes\"}",
					"|create|bad_request|private"},
			{"{\"type\":\"create\",\"title\":5}", "|create|bad_request|title"},
			{"{\"type\":\"join\",\"room\":5}", "|join|bad_request|room"},
			{"{\"type\":\"watch\",\"room\":\"k7m2q\",\"since\":-1}",
					"|watch|bad_request|since"},
			{"{\"type\":\"text\",\"mode\":\"Only\"}", "|text|bad_request|mode"},
			{"{\"type\":\"text\",\"mode\":true}", "|text|bad_request|mode"},
			{"{\"type\":\"lobby\",\"status\":\"Over\"}", "|lobby|bad_request|status"},
			{"{\"type\":\"lobby\",\"status\":\"\"}", "|lobby|bad_request|status"},
			{"{\"type\":\"lobby\",\"after\":5}", "|lobby|bad_request|after"},
			{"{\"type\":\"move\",\"squares\":5}", "|move|bad_request|squares"},
			{"{\"type\":\"move\",\"squares\":\"1 5\"}", "|move|bad_request|squares"},
			{"{\"type\":\"move\",\"squares\":[]}", "|move|bad_request|squares"},
			{"{\"type\":\"move\",\"squares\":[1,2,3]}", "|move|bad_request|squares"},
			{"{\"type\":\"move\",\"squares\":[1,\"2\"]}", "|move|bad_request|squares"},
			{"{\"type\":\"move\",\"squares\":[1,2.0]}", "|move|bad_request|squares"},
			{"{\"type\":\"collapse\",\"square\":\"5\"}",
					"|collapse|bad_request|square"},
			{"{\"type\":\"collapse\",\"square\":5,\"mark\":4}",
					"|collapse|bad_request|mark"},
			{"{\"type\":\"collapse\",\"square\":5,\"mark\":\"o4\"}",
					"|collapse|bad_request|mark"},
			{"{\"type\":\"collapse\",\"square\":5,\"mark\":\"O0\"}",
					"|collapse|bad_request|mark"},
			{"{\"type\":\"collapse\",\"square\":5,\"mark\":\"O:\"}",
					"|collapse|bad_request|mark"},
			{"{\"type\":\"collapse\",\"square\":5,\"mark\":\"O44\"}",
					"|collapse|bad_request|mark"},
			{"{\"type\":\"collapse\",\"square\":5,\"mark\":\"\"}",
					"|collapse|bad_request|mark"},
			{"{\"type\":\"say\",\"text\":false}", "|say|bad_request|text"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_refused(lines[i][0], lines[i][1]);
	}
	assert_sentence(lines[5][0], "\"limit\" must be an integer from 1 to 100.");
	assert_sentence("{\"type\":\"state\",\"since\":\"1\"}",
			"\"since\" must be an integer, 0 or more.");
	assert_sentence("{\"type\":\"move\",\"squares\":[1],\"move\":\"1\"}",
			"\"move\" must be an integer.");
}

static void an_analysis_of_a_mistyped_member_names_it(void **state)
{
	static const char *const lines[][2] = {
			{"{\"type\":\"analyse\",\"record\":[]}", "|analyse|bad_request|record"},
			{"{\"type\":\"analyse\",\"actions\":\"1-5\"}",
					"|analyse|bad_request|actions"},
			{"{\"type\":\"analyse\",\"actions\":{}}", "|analyse|bad_request|actions"},
			{"{\"type\":\"analyse\",\"steps\":1}", "|analyse|bad_request|steps"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_refused(lines[i][0], lines[i][1]);
	}
}

/* Where in `actions` the line is wrong. */
static void assert_wrong_at(const char *line, int64_t at)
{
	struct request request;
	struct error error;

	assert_false(decode_request(line, strlen(line), &request, &error));
	assert_string_equal(error.field, "actions");
	assert_true(error.has_at);
	assert_int_equal(error.at, at);
}

static void an_action_that_is_none_is_told_by_its_place(void **state)
{
#define FINE "{\"type\":\"analyse\",\"actions\":[{\"squares\":[1,5]},"
	(void)state;
	assert_wrong_at(FINE "5]}", 2);
	assert_wrong_at(FINE "[1,5]]}", 2);
	assert_wrong_at(FINE "{}]}", 2);
	assert_wrong_at(FINE "{\"square\":1,\"squares\":[1,5]}]}", 2);
	assert_wrong_at(FINE "{\"square\":\"1\"}]}", 2);
	assert_wrong_at(FINE "{\"square\":1},{\"squares\":[]}]}", 3);
	assert_wrong_at(FINE "{\"square\":1},{\"squares\":[1,2,3]}]}", 3);
	assert_wrong_at(FINE "{\"square\":1},{\"squares\":[1,\"2\"]}]}", 3);
	assert_wrong_at("analyse actions=1-", 1);
	assert_wrong_at("analyse actions=1-5,", 2);
	assert_wrong_at("analyse actions=1-5,5,1-5-6", 3);
	assert_wrong_at("analyse actions=1-5,,5", 2);
	assert_asks(FINE "{\"square\":5,\"squares\":null,\"mark\":\"X1\"}]}",
			FINE "{\"square\":5}]}");
	/* Numbers that are no squares are for the rules to refuse. */
	assert_asks(FINE "{\"square\":260}]}", FINE "{\"square\":0}]}");
#undef FINE
}

static void of_too_many_actions_one_more_than_a_game_has_is_kept(void **state)
{
	char line[512] = "analyse actions=1-2";
	struct request request;
	struct error error;

	(void)state;
	for (int i = 0; i < LIMIT_ACTIONS; i++) {
		strcat(line, ",1-2");
	}
	assert_true(decode_request(line, strlen(line), &request, &error));
	assert_int_equal(request.action_count, LIMIT_ACTIONS);
	strcat(line, ",x");
	assert_wrong_at(line, LIMIT_ACTIONS + 2);
}

static void a_missing_member_is_named(void **state)
{
	(void)state;
	assert_refused("{\"type\":\"mute\"}", "|mute|bad_request|name");
	assert_refused("{\"type\":\"move\",\"room\":\"k7m2q\"}", "|move|bad_request|squares");
	assert_refused("{\"type\":\"collapse\",\"mark\":\"O4\"}", "|collapse|bad_request|square");
	assert_refused("{\"type\":\"watch\"}", "|watch|bad_request|room");
	assert_refused("{\"type\":\"say\",\"id\":1}", "1|say|bad_request|text");
	assert_sentence("{\"type\":\"say\"}", "\"say\" needs \"text\".");
}

static void what_the_server_can_not_do_yet_is_refused_by_name(void **state)
{
	(void)state;
	assert_refused("{\"type\":\"hello\",\"renew\":true}", "|hello|bad_request|renew");
}

#define CLOCK(value) "{\"type\":\"match\",\"clock\":" value "}"

static void a_clock_is_an_object_or_minutes_and_seconds(void **state)
{
	static const char *const wrong[] = {CLOCK("5"), CLOCK("true"), CLOCK("[180000,2000]"),
			CLOCK("{}"), CLOCK("{\"increment_ms\":2000}"), CLOCK("\"3\""),
			CLOCK("{\"base_ms\":999}"), CLOCK("{\"base_ms\":86400001}"),
			CLOCK("{\"base_ms\":0,\"increment_ms\":2000}"),
			CLOCK("{\"base_ms\":\"180000\"}"), CLOCK("{\"base_ms\":1e5}"),
			CLOCK("{\"base_ms\":180000,\"increment_ms\":-1}"),
			CLOCK("{\"base_ms\":180000,\"increment_ms\":300001}"),
			CLOCK("{\"base_ms\":180000,\"increment_ms\":true}")};

	(void)state;
	assert_asks(CLOCK("\"3+2\""), CLOCK("{\"base_ms\":180000,\"increment_ms\":2000}"));
	assert_asks(CLOCK("{\"increment_ms\":300000,\"base_ms\":1000,\"more\":1}"),
			CLOCK("{\"base_ms\":1000,\"increment_ms\":300000}"));
	assert_asks(CLOCK("{\"base_ms\":86400000}"),
			CLOCK("{\"base_ms\":86400000,\"increment_ms\":0}"));
	assert_asks(CLOCK("{\"base_ms\":60000,\"increment_ms\":null}"),
			CLOCK("{\"base_ms\":60000,\"increment_ms\":0}"));
	assert_asks(CLOCK("null"), "{\"type\":\"match\"}");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_refused(wrong[i], "|match|bad_request|clock");
	}
}

/* A line that begins so and has `count` times `piece` in its last member, a string. */
static void assert_length(const char *begin, const char *piece, size_t count, const char *told)
{
	char line[2048] = "";

	strcat(line, begin);
	for (size_t i = 0; i < count; i++) {
		strcat(line, piece);
	}
	strcat(line, "\"}");
	if (told == NULL) {
		assert_asks(line, line);
	} else {
		assert_refused(line, told);
	}
}

static void texts_have_their_bounds(void **state)
{
	static const char say[] = "{\"type\":\"say\",\"text\":\"";
	static const char title[] = "{\"type\":\"create\",\"title\":\"";
	static const char name[] = "{\"type\":\"mute\",\"name\":\"";
	static const char token[] = "{\"type\":\"hello\",\"token\":\"";
	static const char room[] = "{\"type\":\"leave\",\"room\":\"";
	static const char about[] = "{\"type\":\"help\",\"about\":\"";
	static const char after[] = "{\"type\":\"lobby\",\"after\":\"";

	(void)state;
	assert_length(say, "\xf0\x9f\x90\x88", 200, NULL);
	assert_length(say, "\xf0\x9f\x90\x88", 201, "|say|bad_text|");
	assert_length(say, "a", 201, "|say|bad_text|");
	assert_length(say, "\xe2\x80\xae", 1, "|say|bad_text|");
	assert_length(say, "\\n", 1, "|say|bad_text|");
	assert_length(title, "ż", 60, NULL);
	assert_length(title, "ż", 61, "|create|bad_text|");
	assert_length(title, "\\u0007", 1, "|create|bad_text|");
	assert_length(name, "a", NAME_TYPED_SIZE - 1, NULL);
	assert_length(name, "a", NAME_TYPED_SIZE, "|mute|bad_name|");
	assert_length(token, "a", 22, NULL);
	assert_length(token, "Z", 64, NULL);
	assert_length(token, "-_09", 8, NULL);
	assert_length(token, "a", 21, "|hello|bad_token|");
	assert_length(token, "a", 65, "|hello|bad_token|");
	assert_length(token, "ab+", 8, "|hello|bad_token|");
	assert_length(token, "ab=", 8, "|hello|bad_token|");
	assert_length(room, "a", 5, NULL);
	assert_length(room, "a", 16, NULL);
	assert_length(room, "a", 4, "|leave|no_such_room|");
	assert_length(room, "a", 17, "|leave|no_such_room|");
	assert_length(room, "l", 5, "|leave|no_such_room|");
	assert_length(room, "ż", 5, "|leave|no_such_room|");
	assert_length(about, "a", 32, NULL);
	assert_length(about, "a", 33, "|help|bad_request|about");
	assert_length(after, "a", CURSOR_SIZE - 1, NULL);
	assert_length(after, "a", CURSOR_SIZE, "|lobby|bad_request|after");
}

static void a_refused_line_leaves_the_request_alone(void **state)
{
	struct request request = {.type = REQUEST_QUIT, .has = HAS_NAME};
	struct error error;
	const char *line = "{\"type\":\"move\",\"squares\":[1,2],\"move\":\"x\"}";

	(void)state;
	assert_false(decode_request(line, strlen(line), &request, &error));
	assert_int_equal(request.type, REQUEST_QUIT);
	assert_int_equal(request.has, HAS_NAME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_request_has_what_its_line_says),
			cmocka_unit_test(every_member_of_every_request_is_read_and_written),
			cmocka_unit_test(null_is_as_absent_and_unknown_members_are_ignored),
			cmocka_unit_test(what_is_not_one_object_is_bad_json),
			cmocka_unit_test(an_object_may_be_eight_levels_deep),
			cmocka_unit_test(blanks_around_an_object_are_fine),
			cmocka_unit_test(what_could_be_read_comes_back_with_a_refusal),
			cmocka_unit_test(an_id_is_an_integer_or_a_string_of_64_bytes),
			cmocka_unit_test(a_mistyped_member_is_named),
			cmocka_unit_test(an_analysis_of_a_mistyped_member_names_it),
			cmocka_unit_test(an_action_that_is_none_is_told_by_its_place),
			cmocka_unit_test(of_too_many_actions_one_more_than_a_game_has_is_kept),
			cmocka_unit_test(a_missing_member_is_named),
			cmocka_unit_test(what_the_server_can_not_do_yet_is_refused_by_name),
			cmocka_unit_test(a_clock_is_an_object_or_minutes_and_seconds),
			cmocka_unit_test(texts_have_their_bounds),
			cmocka_unit_test(a_refused_line_leaves_the_request_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
