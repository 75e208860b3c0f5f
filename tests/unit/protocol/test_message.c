#include <stdio.h>
#include <string.h>

#include "protocol/decode.h"
#include "with_cmocka.h"

static bool reads(const char *line, struct message *ret)
{
	return decode_message(line, strlen(line), ret);
}

static void assert_unread(const char *line)
{
	struct message message;

	if (reads(line, &message)) {
		fail_msg("%s", line);
	}
	assert_null(message.owned);
	message_fini(&message);
}

static void members_may_come_in_any_order_with_others_between(void **state)
{
	struct message message;

	(void)state;
	assert_true(reads("{\"text\":\"hi\",\"new\":{\"a\":[]},\"seat\":\"O\",\"player\":\"Ala\","
			  "\"room\":\"k7m2q\",\"type\":\"said\"}",
			&message));
	assert_int_equal(message.kind, MESSAGE_EVENT);
	assert_int_equal(message.event.type, EVENT_SAID);
	assert_int_equal(message.event.said.seat, SEAT_O);
	assert_string_equal(message.event.said.text, "hi");
	message_fini(&message);
	message_fini(NULL);
}

static void what_is_no_message_is_not_read(void **state)
{
	static const char *const lines[] = {"", "[]", "5", "{}", "{\"type\":5}",
			"{\"type\":\"dance\"}", "{\"type\":\"OK\",\"to\":\"ping\"}",
			"{\"type\":\"ok\"}", "{\"type\":\"ok\",\"to\":\"dance\"}",
			"{\"type\":\"ok\",\"to\":5}", "{\"type\":\"ok\",\"to\":\"ping\",\"re\":[]}",
			"{\"type\":\"ok\",\"to\":\"ping\",\"re\":1.5}",
			"{\"type\":\"ok\",\"to\":\"ping\",\"now_ms\":\"1\"}",
			"{\"type\":\"ok\",\"to\":\"help\",\"requests\":{}}",
			"{\"type\":\"ok\",\"to\":\"hello\",\"rooms\":[{}]}",
			"{\"type\":\"ok\",\"to\":\"lobby\",\"rooms\":[\"k7m2q\"]}",
			"{\"type\":\"ok\",\"to\":\"mute\",\"muted\":\"Ala\"}",
			"{\"type\":\"ok\",\"to\":\"state\",\"state\":5}",
			"{\"type\":\"ok\",\"to\":\"analyse\",\"value\":0.25}",
			"{\"type\":\"ok\",\"to\":\"analyse\",\"value\":1e9}",
			"{\"type\":\"ok\",\"to\":\"analyse\",\"value\":\"1\"}",
			"{\"type\":\"ok\",\"to\":\"analyse\",\"each\":[{}]}",
			"{\"type\":\"ok\",\"to\":\"analyse\",\"steps\":[null]}",
			"{\"type\":\"ok\",\"to\":\"state\",\"state\":{\"room\":\"k7m2q\"}}",
			"{\"type\":\"error\"}", "{\"type\":\"error\",\"code\":5,\"message\":\"\"}",
			"{\"type\":\"error\",\"code\":\"stale\",\"message\":5}",
			"{\"type\":\"bye\"}", "{\"type\":\"bye\",\"reason\":null}",
			"{\"type\":\"bye\",\"reason\":\"QUIT\"}",
			"{\"type\":\"bye\",\"reason\":\"\"}", "{\"type\":\"bye\",\"reason\":5}",
			"{\"type\":\"seated\",\"room\":\"k7m2qk7m2qk7m2qk7\",\"seq\":1,\"at_ms\":1,"
			"\"seat\":\"X\",\"player\":\"Ala\"}",
			"{\"type\":\"presence\",\"room\":\"k7m2q\",\"player\":\"A\",\"online\":1,"
			"\"spectators\":0}"};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_unread(lines[i]);
	}
}

#define BOARD(squares, rest)                                                                       \
	"{\"type\":\"error\",\"code\":\"stale\",\"message\":\"\",\"seq\":1,\"board\":{\"move\":1," \
	"\"turn\":\"X\",\"phase\":\"move\",\"squares\":" squares rest "}}"
#define NINE(first) "[" first ",[],[],[],[],[],[],[],[]]"

static void a_board_never_overflows_its_arrays(void **state)
{
	static const char *const lines[] = {
			BOARD("null", ""),
			BOARD("[]", ""),
			BOARD("5", ""),
			BOARD("[[],[],[],[],[],[],[],[]]", ""),
			BOARD("[[],[],[],[],[],[],[],[],[],[]]", ""),
			BOARD(NINE("5"), ""),
			BOARD(NINE("\"X2\""), ""),
			BOARD(NINE("\"O1\""), ""),
			BOARD(NINE("\"X0\""), ""),
			BOARD(NINE("\"X11\""), ""),
			BOARD(NINE("\"\""), ""),
			BOARD(NINE("\"X\""), ""),
			BOARD(NINE("\"x1\""), ""),
			BOARD(NINE("\"X:\""), ""),
			BOARD(NINE("[5]"), ""),
			BOARD(NINE("[\"X1\",\"X1\",\"X1\",\"X1\",\"X1\",\"X1\",\"X1\",\"X1\","
				   "\"X1\","
				   "\"X1\"]"),
					""),
			BOARD(NINE("[]"), ",\"choices\":[1]"),
			BOARD(NINE("[]"), ",\"choices\":[1,2,3]"),
			BOARD(NINE("[]"), ",\"choices\":[1,0]"),
			BOARD(NINE("[]"), ",\"choices\":[1,10]"),
			BOARD(NINE("[]"), ",\"choices\":[1,\"2\"]"),
			BOARD(NINE("[]"), ",\"choices\":5"),
			BOARD(NINE("[]"), ",\"cycle\":[1,1,1,1,1,1,1,1,1,1]"),
			BOARD(NINE("[]"), ",\"outcomes\":[[]]"),
			BOARD(NINE("[]"), ",\"outcomes\":[5,[]]"),
			BOARD(NINE("[]"), ",\"outcomes\":[[],[[]]]"),
			BOARD(NINE("[]"), ",\"outcomes\":[[[\"X1\",1]],[[\"X1\",0]]]"),
			BOARD(NINE("[]"), ",\"outcomes\":[[[\"X2\",1]],[]]"),
			BOARD(NINE("[]"), ",\"outcomes\":[[[\"X1\",1],[\"X1\",1],[\"X1\",1],"
					  "[\"X1\",1],[\"X1\",1],[\"X1\",1],[\"X1\",1],[\"X1\",1],"
					  "[\"X1\",1],[\"X1\",1]],[]]"),
	};
	struct message message;

	(void)state;
	assert_true(reads(BOARD(NINE("\"X1\""), ",\"choices\":[1,9]"), &message));
	assert_true(message.error.has_board);
	message_fini(&message);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_unread(lines[i]);
	}
}

#define ENDED(score, lines)                                                                        \
	"{\"type\":\"ended\",\"room\":\"k7m2q\",\"seq\":1,\"at_ms\":1,\"reason\":\"line\","        \
	"\"score\":{\"X\":" score ",\"O\":0},\"lines\":" lines ",\"board\":{\"move\":9,"           \
	"\"phase\":\"over\",\"squares\":" NINE("[]") "}}"
#define MADE "{\"mark\":\"X\",\"squares\":[1,2,3],\"max\":5}"

static void a_result_is_what_can_be(void **state)
{
	struct message message;

	(void)state;
	assert_true(reads(ENDED("1.50", "[" MADE "," MADE "]"), &message));
	assert_int_equal(message.event.ended.result.half_points_x, 3);
	assert_true(message.event.ended.result.scored);
	assert_int_equal(message.event.ended.result.line_count, 2);
	message_fini(&message);
	assert_unread(ENDED("0.25", "[]"));
	assert_unread(ENDED("-1", "[]"));
	assert_unread(ENDED("1000", "[]"));
	assert_unread(ENDED("\"1\"", "[]"));
	assert_unread(ENDED("1", "[" MADE "," MADE "," MADE "]"));
	assert_unread(ENDED("1", "{}"));
	assert_unread(ENDED("1", "[5]"));
	assert_unread(ENDED("1", "[{\"mark\":\"X\",\"squares\":[1,2,3],\"max\":10}]"));
}

/* Whoever is told what a position is worth looks at its board. */
static void an_analysis_without_its_board_or_its_actions_is_not_read(void **state)
{
	(void)state;
	assert_unread("{\"type\":\"ok\",\"to\":\"analyse\",\"value\":1}");
	assert_unread("{\"type\":\"ok\",\"to\":\"analyse\",\"value\":1,\"each\":[]}");
	assert_unread("{\"type\":\"ok\",\"to\":\"analyse\",\"board\":null,\"value\":1,\"each\":[]"
		      "}");
	assert_unread("{\"type\":\"ok\",\"to\":\"analyse\",\"each\":[]}");
}

static void what_a_newer_server_says_is_read_as_far_as_known(void **state)
{
	struct message message;

	(void)state;
	assert_true(reads(
			"{\"type\":\"error\",\"code\":\"tired\",\"message\":\"Zzz.\"}", &message));
	assert_int_equal(message.error.code, CODE_INTERNAL);
	assert_string_equal(message.error.message, "Zzz.");
	message_fini(&message);
	assert_true(reads("{\"type\":\"ok\",\"to\":\"help\",\"requests\":[{\"type\":\"dance\"},"
			  "{\"type\":\"move\"},5]}",
			&message));
	assert_int_equal(message.ok.request_count, 1);
	assert_int_equal(message.ok.requests[0], REQUEST_MOVE);
	message_fini(&message);
}

static void values_come_back_as_they_were_written(void **state)
{
	struct message message;

	(void)state;
	assert_true(reads(
			"{\"type\":\"ok\",\"to\":\"analyse\",\"board\":{\"move\":1,\"turn\":\"X\","
			"\"phase\":\"move\",\"squares\":[[],[],[],[],[],[],[],[],[]]},\"value\":-0."
			"5,"
			"\"each\":[{\"squares\":[1,2],\"value\":0.5},{\"square\":3,\"value\":-1}],"
			"\"steps\":[0,-0.5]}",
			&message));
	assert_int_equal(message.ok.carries, OK_VALUES | OK_STEPS);
	assert_int_equal(message.ok.board->turn, SEAT_X);
	assert_int_equal(message.ok.half_points, -1);
	assert_int_equal(message.ok.each_count, 2);
	assert_int_equal(message.ok.each[0].action.square_count, 2);
	assert_int_equal(message.ok.each[0].half_points, 1);
	assert_int_equal(message.ok.each[1].action.square_count, 0);
	assert_int_equal(message.ok.each[1].action.square, 3);
	assert_int_equal(message.ok.each[1].half_points, -2);
	assert_int_equal(message.ok.step_count, 2);
	assert_int_equal(message.ok.steps[1], -1);
	message_fini(&message);
}

static void prose_that_is_too_long_is_cut_at_a_character(void **state)
{
	char line[1024] = "{\"type\":\"error\",\"code\":\"stale\",\"message\":\"a";
	struct message message;

	(void)state;
	for (int i = 0; i < 150; i++) {
		strcat(line, "ż");
	}
	strcat(line, "\"}");
	assert_true(reads(line, &message));
	assert_int_equal(strlen(message.error.message), sizeof(message.error.message) - 1);
	message_fini(&message);
}

/* They go into prompts, marks and completions as they are. */
static void a_name_or_id_with_control_characters_is_not_read(void **state)
{
	static const char *const names[] = {
			"\\u001b[2J", "a\\u0007", "a\\u009bJ", "a\\u202eb", "a\\u2028", "a\\u007f"};
	/* What stands before the name and what after it. */
	static const char *const lines[][2] = {{"{\"type\":\"draw_offered\",\"seq\":1,\"at_ms\":1,"
						"\"by\":\"X\",\"room\":\"",
							       "\"}"},
			{"{\"type\":\"seated\",\"room\":\"k7m2q\",\"seq\":1,\"at_ms\":1,"
			 "\"seat\":\"X\",\"player\":\"",
					"\"}"},
			{"{\"type\":\"ok\",\"to\":\"hello\",\"rooms\":[],\"name\":\"", "\"}"},
			{"{\"type\":\"ok\",\"to\":\"hello\",\"name\":\"Ala\",\"rooms\":[\"",
					"\"]}"},
			{"{\"type\":\"ok\",\"to\":\"mute\",\"muted\":[\"", "\"]}"}};
	char line[256];
	struct message message;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(line, sizeof(line), "%sab%s", lines[i][0], lines[i][1]);
		assert_true(reads(line, &message));
		message_fini(&message);
		for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
			snprintf(line, sizeof(line), "%s%s%s", lines[i][0], names[j], lines[i][1]);
			assert_unread(line);
		}
	}
}

static void a_record_that_is_none_is_not_read(void **state)
{
	static const char *const records[] = {"", "[]", "{}",
			"{\"name\":\"Ala\",\"guest\":false,\"created_ms\":1,\"muted\":[\"Ola\",5]}",
			"{\"name\":\"Ala\",\"guest\":5,\"created_ms\":1,\"muted\":[]}"};
	struct player_record record = {.name = "as it was"};

	(void)state;
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		assert_false(decode_player(records[i], strlen(records[i]), &record));
	}
	assert_string_equal(record.name, "as it was");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(members_may_come_in_any_order_with_others_between),
			cmocka_unit_test(what_is_no_message_is_not_read),
			cmocka_unit_test(a_board_never_overflows_its_arrays),
			cmocka_unit_test(a_result_is_what_can_be),
			cmocka_unit_test(an_analysis_without_its_board_or_its_actions_is_not_read),
			cmocka_unit_test(what_a_newer_server_says_is_read_as_far_as_known),
			cmocka_unit_test(values_come_back_as_they_were_written),
			cmocka_unit_test(prose_that_is_too_long_is_cut_at_a_character),
			cmocka_unit_test(a_name_or_id_with_control_characters_is_not_read),
			cmocka_unit_test(a_record_that_is_none_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
