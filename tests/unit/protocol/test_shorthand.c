#include "asking.h"

/* Words, and the request that they are to stand for. */
static const char *const asked[][2] = {
		{"ping", "{\"type\":\"ping\"}"},
		{"  \tPING  ", "{\"type\":\"ping\"}"},
		{"hello", "{\"type\":\"hello\"}"},
		{"hello Ala", "{\"type\":\"hello\",\"name\":\"Ala\"}"},
		{"hello Żółw", "{\"type\":\"hello\",\"name\":\"Żółw\"}"},
		{"Hello TOKEN=aBcdefghijklmnopqrstuv", "{\"type\":\"hello\",\"token\":"
						       "\"aBcdefghijklmnopqrstuv\"}"},
		{"hello ala protocol=1", "{\"type\":\"hello\",\"name\":\"ala\",\"protocol\":1}"},
		{"help", "{\"type\":\"help\"}"},
		{"help move", "{\"type\":\"help\",\"about\":\"move\"}"},
		{"who limit=5", "{\"type\":\"who\",\"limit\":5}"},
		{"mute ala", "{\"type\":\"mute\",\"name\":\"ala\"}"},
		{"mute ala on", "{\"type\":\"mute\",\"name\":\"ala\",\"on\":true}"},
		{"mute on ala", "{\"type\":\"mute\",\"name\":\"ala\",\"on\":true}"},
		{"mute name=on on=OFF", "{\"type\":\"mute\",\"name\":\"on\",\"on\":false}"},
		{"create", "{\"type\":\"create\"}"},
		{"create private", "{\"type\":\"create\",\"private\":true}"},
		{"create rated=no", "{\"type\":\"create\",\"rated\":false}"},
		{"create Ala rated", "{\"type\":\"create\",\"opponent\":\"Ala\",\"rated\":true}"},
		{"create bot-perfect X title=Wieczorna partia",
				"{\"type\":\"create\",\"opponent\":\"bot-perfect\","
				"\"side\":\"X\","
				"\"title\":\"Wieczorna partia\"}"},
		{"create o PRIVATE Ala", "{\"type\":\"create\",\"opponent\":\"Ala\","
					 "\"side\":\"O\",\"private\":true}"},
		{"create side=RANDOM opponent=private private=no title=",
				"{\"type\":\"create\",\"opponent\":\"private\",\"side\":"
				"\"random\","
				"\"private\":false,\"title\":\"\"}"},
		{"create title=  X = private id=3  ",
				"{\"type\":\"create\",\"title\":\"X = private id=3\"}"},
		{"create id=3 title=x", "{\"type\":\"create\",\"id\":3,\"title\":\"x\"}"},
		{"match", "{\"type\":\"match\"}"},
		{"join K7M2Q", "{\"type\":\"join\",\"room\":\"k7m2q\"}"},
		{"join x k7m2q", "{\"type\":\"join\",\"room\":\"k7m2q\",\"side\":\"X\"}"},
		{"join room=k7m2q O", "{\"type\":\"join\",\"room\":\"k7m2q\",\"side\":\"O\"}"},
		{"watch k7m2q since=12", "{\"type\":\"watch\",\"room\":\"k7m2q\",\"since\":12}"},
		{"leave", "{\"type\":\"leave\"}"},
		{"lobby follow", "{\"type\":\"lobby\",\"follow\":true}"},
		{"lobby Playing limit=100 after=Xy FOLLOW=Off",
				"{\"type\":\"lobby\",\"status\":\"playing\",\"limit\":100,"
				"\"after\":\"Xy\",\"follow\":false}"},
		{"Text Only", "{\"type\":\"text\",\"mode\":\"only\"}"},
		{"text mode=on", "{\"type\":\"text\",\"mode\":\"on\"}"},
		{"move 1 5", "{\"type\":\"move\",\"squares\":[1,5]}"},
		{"move 1-5", "{\"type\":\"move\",\"squares\":[1,5]}"},
		{"move\t1 \t 5", "{\"type\":\"move\",\"squares\":[1,5]}"},
		{"move 5", "{\"type\":\"move\",\"squares\":[5]}"},
		{"move -1 10", "{\"type\":\"move\",\"squares\":[-1,10]}"},
		{"move 1--5", "{\"type\":\"move\",\"squares\":[1,-5]}"},
		{"move 1 room=k7m2q move=3", "{\"type\":\"move\",\"squares\":[1],\"room\":"
					     "\"k7m2q\",\"move\":3}"},
		{"move move=3 squares=1 5 id=x", "{\"type\":\"move\",\"id\":\"x\","
						 "\"squares\":[1,5],\"move\":3}"},
		{"collapse 5", "{\"type\":\"collapse\",\"square\":5}"},
		{"collapse 5 mark=o4", "{\"type\":\"collapse\",\"square\":5,\"mark\":\"O4\"}"},
		{"resign K7M2Q", "{\"type\":\"resign\",\"room\":\"k7m2q\"}"},
		{"draw", "{\"type\":\"draw\"}"},
		{"draw no", "{\"type\":\"draw\",\"accept\":false}"},
		{"draw Yes room=k7m2q", "{\"type\":\"draw\",\"accept\":true,\"room\":\"k7m2q\"}"},
		{"draw accept", "{\"type\":\"draw\",\"accept\":true}"},
		{"draw true", "{\"type\":\"draw\",\"accept\":true}"},
		{"draw false", "{\"type\":\"draw\",\"accept\":false}"},
		{"match 3+2", "{\"type\":\"match\",\"clock\":{\"base_ms\":180000,"
			      "\"increment_ms\":2000}}"},
		{"create ola clock=1440+300",
				"{\"type\":\"create\",\"opponent\":\"ola\",\"clock\":{"
				"\"base_ms\":86400000,\"increment_ms\":300000}}"},
		{"claim k7m2q", "{\"type\":\"claim\",\"room\":\"k7m2q\"}"},
		{"say good game", "{\"type\":\"say\",\"text\":\"good game\"}"},
		{"SAY   two  blanks \t ", "{\"type\":\"say\",\"text\":\"two  blanks\"}"},
		{"say room=k7m2q id=7 x=y", "{\"type\":\"say\",\"text\":\"room=k7m2q id=7 x=y\"}"},
		{"state since=0", "{\"type\":\"state\",\"since\":0}"},
		{"analyse", "{\"type\":\"analyse\"}"},
		{"Analyse K7M2Q steps", "{\"type\":\"analyse\",\"room\":\"k7m2q\",\"steps\":true}"},
		{"analyse id=3 steps record= 1:X(1-2), 2:O(2-3) id=4 ",
				"{\"type\":\"analyse\",\"id\":3,\"record\":\"1:X(1-2), "
				"2:O(2-3) id=4\",\"steps\":true}"},
		{"analyse actions=1-5,1-5,5 steps=no",
				"{\"type\":\"analyse\",\"actions\":[{\"squares\":[1,5]},"
				"{\"squares\":[1,5]},{\"square\":5}],\"steps\":false}"},
		{"analyse actions=", "{\"type\":\"analyse\",\"actions\":[]}"},
};

static void words_stand_for_a_request(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		assert_asks(asked[i][0], asked[i][1]);
	}
}

static void an_id_comes_back_as_it_was_typed(void **state)
{
	char line[128];

	(void)state;
	assert_asks("ping id=7", "{\"type\":\"ping\",\"id\":7}");
	assert_asks("ping ID=-7", "{\"type\":\"ping\",\"id\":-7}");
	assert_asks("ping id=0", "{\"type\":\"ping\",\"id\":0}");
	assert_asks("ping id=007", "{\"type\":\"ping\",\"id\":\"007\"}");
	assert_asks("ping id=-0", "{\"type\":\"ping\",\"id\":\"-0\"}");
	assert_asks("ping id=-", "{\"type\":\"ping\",\"id\":\"-\"}");
	assert_asks("ping id=7a", "{\"type\":\"ping\",\"id\":\"7a\"}");
	assert_asks("ping id=", "{\"type\":\"ping\",\"id\":\"\"}");
	assert_asks("ping id=9223372036854775807",
			"{\"type\":\"ping\",\"id\":9223372036854775807}");
	assert_asks("ping id=9223372036854775808",
			"{\"type\":\"ping\",\"id\":\"9223372036854775808\"}");
	assert_asks("ping id=123456789012345678901234567890",
			"{\"type\":\"ping\",\"id\":\"123456789012345678901234567890\"}");
	snprintf(line, sizeof(line), "ping id=a%064d", 1);
	assert_refused(line, "|ping|bad_request|id");
}

/* To others the whole line is text, see above. */
static void an_operator_may_give_his_text_an_id(void **state)
{
	static const struct {
		const char *line;
		int64_t id; /* 0: none */
		const char *text;
	} lines[] = {
			{"notice id=5 Cake in the hall", 5, "Cake in the hall"},
			{"notice name=ala id=5 Cake id=6", 5, "Cake id=6"},
			{"notice Cake id=5", 0, "Cake id=5"},
			{"motd id=5 text=Cake id=6", 5, "Cake id=6"},
			{"notice id=5", 5, NULL},
	};
	struct request request;
	struct error error = {.code = CODE_NONE};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		const char *line = lines[i].line;
		bool fits = decode_operator_request(line, strlen(line), &request, &error);

		assert_int_equal(fits, lines[i].text != NULL);
		assert_int_equal(request.id.kind, lines[i].id == 0 ? ID_NONE : ID_INTEGER);
		assert_int_equal(request.id.integer, lines[i].id);
		if (fits) {
			assert_string_equal(request.text, lines[i].text);
		} else {
			assert_int_equal(error.re.integer, lines[i].id);
			assert_string_equal(error.field, "text");
		}
	}
}

static void what_could_be_read_comes_back_with_a_refusal(void **state)
{
	(void)state;
	assert_refused("dance id=7", "7|dance|unknown_type|");
	assert_refused("5", "|5|unknown_type|");
	assert_refused("Żółw", "|Żółw|unknown_type|");
	assert_refused("texts on", "|texts|unknown_type|");
	assert_refused("0123456789012345678901234567890ż",
			"|0123456789012345678901234567890|unknown_type|");
	assert_refused("move foo id=7", "7|move|bad_request|squares");
	assert_refused("MOVE id=7", "7|move|bad_request|squares");
	assert_refused("create a b title=x id=7", "|create|bad_request|");
	assert_refused("dance title=x id=7", "7|dance|unknown_type|");
}

static void a_word_that_does_not_fit_is_refused(void **state)
{
	static const char *const lines[][2] = {
			{"ping x", "|ping|bad_request|"},
			{"ping =", "|ping|bad_request|"},
			{"ping x=1", "|ping|bad_request|"},
			{"hello a b", "|hello|bad_request|"},
			{"who 5", "|who|bad_request|"},
			{"who limit=0", "|who|bad_request|limit"},
			{"who limit=five", "|who|bad_request|limit"},
			{"who limit=", "|who|bad_request|limit"},
			{"who limit=5 limit=5", "|who|bad_request|limit"},
			{"mute", "|mute|bad_request|name"},
			{"mute ala off", "|mute|bad_request|"},
			{"mute ala on=maybe", "|mute|bad_request|on"},
			{"mute ala on on", "|mute|bad_request|on"},
			{"create X O", "|create|bad_request|side"},
			{"create side=Y", "|create|bad_request|side"},
			{"create foo=3", "|create|bad_request|"},
			{"join", "|join|bad_request|room"},
			{"join Y", "|join|no_such_room|"},
			{"watch room=", "|watch|no_such_room|"},
			{"text loud", "|text|bad_request|mode"},
			{"text", "|text|bad_request|mode"},
			{"lobby later", "|lobby|bad_request|status"},
			{"lobby status=later", "|lobby|bad_request|status"},
			{"move", "|move|bad_request|squares"},
			{"move foo", "|move|bad_request|squares"},
			{"move 1,5", "|move|bad_request|squares"},
			{"move 1-", "|move|bad_request|squares"},
			{"move 1-x", "|move|bad_request|squares"},
			{"move -", "|move|bad_request|squares"},
			{"move 1 - 5", "|move|bad_request|"},
			{"move 1 5 6", "|move|bad_request|"},
			{"move 1 5 k7m2q", "|move|bad_request|"},
			{"move 99999999999999999999", "|move|bad_request|squares"},
			{"move 999999999999999999999999999999", "|move|bad_request|squares"},
			{"move squares=x", "|move|bad_request|squares"},
			{"move 1 5 move=x", "|move|bad_request|move"},
			{"collapse x", "|collapse|bad_request|square"},
			{"collapse 5 O4", "|collapse|bad_request|"},
			{"collapse 5 mark=4", "|collapse|bad_request|mark"},
			{"collapse 5 mark=random", "|collapse|bad_request|mark"},
			{"draw maybe", "|draw|bad_request|accept"},
			{"say", "|say|bad_request|text"},
			{"say   ", "|say|bad_request|text"},
			{"say a\x07z", "|say|bad_text|"},
			{"hello token=short", "|hello|bad_token|"},
			{"hello token=abcdefghijklmnopqrstuv==", "|hello|bad_token|"},
			{"state since=-1", "|state|bad_request|since"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_refused(lines[i][0], lines[i][1]);
	}
}

static void records_and_names_have_words(void **state)
{
	(void)state;
	assert_asks("game K7M2Q", "{\"type\":\"game\",\"room\":\"k7m2q\"}");
	assert_asks("games Ala limit=3 after=g7", "{\"type\":\"games\",\"player\":\"Ala\","
						  "\"limit\":3,\"after\":\"g7\"}");
	assert_asks("player ala", "{\"type\":\"player\",\"name\":\"ala\"}");
	assert_asks("top 5", "{\"type\":\"top\",\"limit\":5}");
	assert_asks("forget", "{\"type\":\"forget\"}");
	assert_asks("hello renew", "{\"type\":\"hello\",\"renew\":true}");
}

static void a_clock_is_minutes_and_seconds_within_its_limits(void **state)
{
	static const char *const wrong[] = {"0+0", "0+5", "1441+0", "3+301", "3", "3+", "+2", "3-2",
			"3+2s", "3+-2", "-3+2", "3+2+1", "9999999999+0", "3+9999999999", "clock"};
	char line[64];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(line, sizeof(line), "match %s", wrong[i]);
		assert_refused(line, "|match|bad_request|clock");
		snprintf(line, sizeof(line), "create clock=%s", wrong[i]);
		assert_refused(line, "|create|bad_request|clock");
	}
	assert_sentence("match soon", "\"match\" takes clock (3+2).");
	assert_sentence("create clock=1:30+2",
			"\"clock\" must be whole minutes + seconds a move, 1+0 to 1440+300.");
}

static void a_refusal_says_what_would_fit(void **state)
{
	(void)state;
	assert_sentence("move foo", "\"move\" takes squares (1 5), room=…, move=….");
	assert_sentence("move 1 5 6", "\"move\" takes squares (1 5), room=…, move=….");
	assert_sentence("move", "\"move\" takes squares (1 5), room=…, move=….");
	assert_sentence("collapse 5 O4", "\"collapse\" takes square (5), mark=…, room=…, move=….");
	assert_sentence("create a b",
			"\"create\" takes opponent, X or O, private, clock=…, rated, title=….");
	assert_sentence("lobby later", "\"lobby\" takes status (waiting, playing, over), limit=…, "
				       "after=…, follow.");
	assert_sentence("draw maybe", "\"draw\" takes accept (yes or no), room=….");
	assert_sentence("say", "\"say\" takes text.");
	assert_sentence("ping x", "\"ping\" takes nothing else.");
	assert_sentence("hello token=short", "A token is 22 to 64 letters, digits, - and _.");
	assert_sentence("who limit=5 limit=5", "\"limit\" is given twice.");
	assert_sentence("ping id=1 id=2", "\"id\" is given twice.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(words_stand_for_a_request),
			cmocka_unit_test(an_id_comes_back_as_it_was_typed),
			cmocka_unit_test(an_operator_may_give_his_text_an_id),
			cmocka_unit_test(what_could_be_read_comes_back_with_a_refusal),
			cmocka_unit_test(a_word_that_does_not_fit_is_refused),
			cmocka_unit_test(records_and_names_have_words),
			cmocka_unit_test(a_clock_is_minutes_and_seconds_within_its_limits),
			cmocka_unit_test(a_refusal_says_what_would_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
