#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "protocol/encode.h"
#include "protocol/requests.h"
#include "writing.h"

#define HEAD(type) "{\"type\":\"" type "\",\"room\":\"k7m2q\",\"seq\":12,\"at_ms\":1790000000000,"
#define OPENING                                                                                    \
	"{\"move\":1,\"turn\":\"X\",\"phase\":\"move\",\"squares\":[[],[],[],[],[],[],[],[],[]],"  \
	"\"choices\":null,\"cycle\":null,\"outcomes\":null}"
#define OVER                                                                                       \
	"{\"move\":0,\"turn\":null,\"phase\":\"over\",\"squares\":[[],[],[],[],[],[],[],[],[]],"   \
	"\"choices\":null,\"cycle\":null,\"outcomes\":null}"

static const struct board opening = {.move = 1, .turn = SEAT_X};
static const struct board over = {.phase = PHASE_OVER};
static const struct clock_agreed agreed = {true, 180000, 2000};
static const struct clock_running running = {true, 180000, 175000, SEAT_O};

static struct event event_of(enum event_type type)
{
	return (struct event){.type = type, .room = "k7m2q", .seq = 12, .at_ms = 1790000000000};
}

static void opened_is_written(void **state)
{
	struct event event = event_of(EVENT_OPENED);

	(void)state;
	strcpy(event.opened.player, "Ala");
	assert_line(encode_event(&event),
			HEAD("opened") "\"player\":\"Ala\",\"private\":false,\"clock\":null}");
	event.opened.is_private = true;
	event.opened.clock = agreed;
	strcpy(event.opened.title, "Wieczorna partia");
	strcpy(event.opened.opponent, "bot-good");
	assert_line(encode_event(&event),
			HEAD("opened") "\"player\":\"Ala\",\"private\":true,\"clock\":{\"base_ms\":"
				       "180000,"
				       "\"increment_ms\":2000},\"title\":\"Wieczorna partia\","
				       "\"opponent\":\"bot-good\"}");
}

static void seated_and_started_are_written(void **state)
{
	struct event event = event_of(EVENT_SEATED);

	(void)state;
	event.seated.seat = SEAT_O;
	strcpy(event.seated.player, "Żółw");
	assert_line(encode_event(&event), HEAD("seated") "\"seat\":\"O\",\"player\":\"Żółw\"}");
	event = event_of(EVENT_STARTED);
	strcpy(event.started.players[0], "Ala");
	strcpy(event.started.players[1], "Ola");
	event.started.board = opening;
	assert_line(encode_event(&event),
			HEAD("started") "\"players\":{\"X\":\"Ala\",\"O\":\"Ola\"},"
					"\"board\":" OPENING ",\"clock\":null}");
}

static void moved_is_written(void **state)
{
	struct event event = event_of(EVENT_MOVED);

	(void)state;
	event.moved.by = SEAT_X;
	event.moved.move = 9;
	event.moved.square_count = 1;
	event.moved.squares[0] = 5;
	event.moved.board = over;
	assert_line(encode_event(&event),
			HEAD("moved") "\"by\":\"X\",\"move\":9,\"squares\":[5],\"board\":" OVER
				      ",\"clock\":null}");
}

/* After X1 in 1-2 and O2 in 1-2 a measurement is due, with a classical mark beside it. */
static void a_measurement_that_is_due_is_written(void **state)
{
	struct event event = event_of(EVENT_MOVED);
	struct board *board = &event.moved.board;

	(void)state;
	event.moved.by = SEAT_O;
	event.moved.move = 2;
	event.moved.square_count = 2;
	memcpy(event.moved.squares, ((uint8_t[]){1, 2}), 2);
	event.moved.clock = running;
	*board = (struct board){.move = 2,
			.turn = SEAT_X,
			.phase = PHASE_COLLAPSE,
			.squares = {{0, 2, {1, 2}}, {0, 2, {1, 2}}, [8] = {.classical = 7}},
			.choices = {1, 2},
			.cycle_count = 2,
			.cycle = {1, 2},
			.outcomes = {{2, {2, 1}, {1, 2}}, {2, {2, 1}, {2, 1}}}};
	assert_line(encode_event(&event),
			HEAD("moved") "\"by\":\"O\",\"move\":2,\"squares\":[1,2],\"board\":{"
				      "\"move\":2,"
				      "\"turn\":\"X\",\"phase\":\"collapse\",\"squares\":["
				      "[\"X1\",\"O2\"],[\"X1\",\"O2\"],[],[],[],[],[],[],\"X7\"],"
				      "\"choices\":[1,2],\"cycle\":[1,2],\"outcomes\":["
				      "[[\"O2\",1],[\"X1\",2]],[[\"O2\",2],[\"X1\",1]]]},"
				      "\"clock\":{\"X_ms\":180000,\"O_ms\":175000,"
				      "\"running\":\"O\"}}");
}

static void collapsed_is_written(void **state)
{
	struct event event = event_of(EVENT_COLLAPSED);

	(void)state;
	event.collapsed.by = SEAT_X;
	event.collapsed.move = 2;
	event.collapsed.square = 1;
	event.collapsed.measured = (struct measured){2, {2, 1}, {1, 2}};
	event.collapsed.board = opening;
	event.collapsed.clock = (struct clock_running){.set = true};
	assert_line(encode_event(&event),
			HEAD("collapsed") "\"by\":\"X\",\"move\":2,\"square\":1,\"measured\":["
					  "[\"O2\",1],[\"X1\",2]],\"board\":" OPENING
					  ",\"clock\":{\"X_ms\":0,\"O_ms\":0,\"running\":null}}");
}

static void a_square_holds_nine_marks_and_a_board_nine_such_squares(void **state)
{
	struct event event = event_of(EVENT_COLLAPSED);
	struct board *board = &event.collapsed.board;
	const uint8_t all[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	struct bytes *bytes;
	struct message message;

	(void)state;
	event.collapsed.by = SEAT_X;
	*board = (struct board){.phase = PHASE_COLLAPSE, .choices = {8, 9}, .cycle_count = 9};
	memcpy(board->cycle, all, 9);
	for (int i = 0; i < 9; i++) {
		board->squares[i].spooky_count = 9;
		memcpy(board->squares[i].spooky, all, 9);
	}
	for (int i = 0; i < 2; i++) {
		board->outcomes[i].count = 9;
		memcpy(board->outcomes[i].mark, all, 9);
		memcpy(board->outcomes[i].square, all, 9);
	}
	event.collapsed.measured = board->outcomes[0];
	bytes = encode_event(&event);
	assert_true(decode_message(bytes->data, bytes->length, &message));
	assert_memory_equal(&message.event.collapsed.board, board, sizeof(*board));
	message_fini(&message);
	bytes_unref(bytes);
}

static void offers_are_written(void **state)
{
	struct event event = event_of(EVENT_DRAW_OFFERED);

	(void)state;
	event.by = SEAT_X;
	assert_line(encode_event(&event), HEAD("draw_offered") "\"by\":\"X\"}");
	event.type = EVENT_DRAW_DECLINED;
	assert_line(encode_event(&event), HEAD("draw_declined") "\"by\":\"X\"}");
	event.type = EVENT_REMATCH_OFFERED;
	event.by = SEAT_O;
	assert_line(encode_event(&event), HEAD("rematch_offered") "\"by\":\"O\"}");
	event = event_of(EVENT_REMATCH);
	strcpy(event.new_room, "abcde");
	assert_line(encode_event(&event), HEAD("rematch") "\"new\":\"abcde\"}");
}

static void ended_is_written(void **state)
{
	struct event event = event_of(EVENT_ENDED);

	(void)state;
	event.ended.result = (struct result){.reason = REASON_LINE,
			.scored = true,
			.half_points_x = 1,
			.half_points_o = 2,
			.line_count = 2,
			.lines = {{SEAT_X, {3, 5, 7}, 7}, {SEAT_O, {1, 2, 8}, 6}}};
	event.ended.board = over;
	assert_line(encode_event(&event),
			HEAD("ended") "\"reason\":\"line\",\"score\":{\"X\":0.5,\"O\":1},\"lines\":"
				      "["
				      "{\"mark\":\"X\",\"squares\":[3,5,7],\"max\":7},"
				      "{\"mark\":\"O\",\"squares\":[1,2,8],\"max\":6}],"
				      "\"board\":" OVER "}");
	event.ended.result =
			(struct result){.reason = REASON_ABORTED, .cause = CAUSE_NO_FIRST_MOVE};
	assert_line(encode_event(&event), HEAD("ended") "\"reason\":\"aborted\",\"cause\":"
							"\"no_first_move\",\"score\":null,"
							"\"lines\":[],\"board\":" OVER "}");
}

static void scores_are_halves_without_needless_digits(void **state)
{
	static const char *const scores[] = {"0", "0.5", "1", "1.5", "2"};
	char line[512];

	(void)state;
	for (uint8_t halves = 0; halves <= 4; halves++) {
		struct event event = event_of(EVENT_ENDED);

		event.ended.result.scored = true;
		event.ended.result.reason = REASON_AGREEMENT;
		event.ended.result.half_points_x = halves;
		event.ended.board = over;
		snprintf(line, sizeof(line),
				HEAD("ended") "\"reason\":\"agreement\",\"score\":{"
					      "\"X\":%s,\"O\":0},\"lines\":[],"
					      "\"board\":" OVER "}",
				scores[halves]);
		assert_line(encode_event(&event), line);
	}
}

#define EMPTY_ROOM                                                                                 \
	"\"room\":\"k7m2q\",\"seq\":2,\"at_ms\":5,\"status\":\"waiting\",\"players\":{\"X\":null," \
	"\"O\":null},\"private\":false,\"settings\":{\"clock\":null},\"clock\":null,"              \
	"\"spectators\":0,\"draw_offer\":null,\"board\":" OPENING ",\"result\":null,\"chat\":[]}"

static const struct snapshot empty_room = {
		.room = "k7m2q", .seq = 2, .at_ms = 5, .board = {.move = 1, .turn = SEAT_X}};

static void a_snapshot_is_written(void **state)
{
	const struct chat_line chat[] = {{"Ala", SEAT_X, "cześć"}, {"widz", SEAT_NONE, "hm"}};
	struct event event = {.type = EVENT_STATE};

	(void)state;
	event.state = empty_room;
	assert_line(encode_event(&event), "{\"type\":\"state\"," EMPTY_ROOM);
	event.state.status = STATUS_OVER;
	event.state.players[0] = (struct seat_shown){true, "Ala", true};
	event.state.players[1] = (struct seat_shown){true, "bot-good", false};
	event.state.is_private = true;
	strcpy(event.state.title, "Nasza");
	event.state.agreed = agreed;
	event.state.clock = running;
	event.state.spectators = 3;
	event.state.draw_offer = SEAT_O;
	event.state.board = over;
	event.state.has_result = true;
	event.state.result = (struct result){
			.reason = REASON_RESIGN, .scored = true, .half_points_o = 2};
	event.state.chat_count = 2;
	event.state.chat = chat;
	assert_line(encode_event(&event),
			"{\"type\":\"state\",\"room\":\"k7m2q\",\"seq\":2,\"at_ms\":5,\"status\":"
			"\"over\",\"players\":{\"X\":{\"name\":\"Ala\",\"online\":true},\"O\":{"
			"\"name\":\"bot-good\",\"online\":false}},\"private\":true,\"title\":"
			"\"Nasza\",\"settings\":{\"clock\":{\"base_ms\":180000,"
			"\"increment_ms\":2000}},\"clock\":{\"X_ms\":180000,\"O_ms\":175000,"
			"\"running\":\"O\"},\"spectators\":3,\"draw_offer\":\"O\",\"board\":" OVER
			",\"result\":{\"reason\":\"resign\",\"score\":{\"X\":0,\"O\":1},\"lines\":["
			"]},"
			"\"chat\":[{\"player\":\"Ala\",\"seat\":\"X\",\"text\":\"cześć\"},"
			"{\"player\":\"widz\",\"seat\":null,\"text\":\"hm\"}]}");
}

static void presence_and_said_are_written(void **state)
{
	struct event event = {.type = EVENT_PRESENCE, .room = "k7m2q"};

	(void)state;
	event.presence.spectators = 2;
	assert_line(encode_event(&event),
			"{\"type\":\"presence\",\"room\":\"k7m2q\",\"spectators\":2}");
	strcpy(event.presence.player, "Ala");
	event.presence.has_claim = true;
	event.presence.claim_in_ms = 60000;
	assert_line(encode_event(&event), "{\"type\":\"presence\",\"room\":\"k7m2q\",\"player\":"
					  "\"Ala\",\"online\":false,\"claim_in_ms\":60000,"
					  "\"spectators\":2}");
	event.presence.has_claim = false;
	assert_line(encode_event(&event), "{\"type\":\"presence\",\"room\":\"k7m2q\",\"player\":"
					  "\"Ala\",\"online\":false,\"spectators\":2}");
	event = (struct event){.type = EVENT_SAID, .room = "k7m2q"};
	strcpy(event.said.player, "Ala");
	strcpy(event.said.text, "a \"b\" \\ c");
	assert_line(encode_event(&event),
			"{\"type\":\"said\",\"room\":\"k7m2q\",\"player\":\"Ala\","
			"\"seat\":null,\"text\":\"a \\\"b\\\" \\\\ c\"}");
	event.said.seat = SEAT_X;
	strcpy(event.said.text, "x");
	assert_line(encode_event(&event),
			"{\"type\":\"said\",\"room\":\"k7m2q\",\"player\":\"Ala\","
			"\"seat\":\"X\",\"text\":\"x\"}");
}

static const struct summary summary = {.room = "k7m2q",
		.status = STATUS_PLAYING,
		.players = {"Ala", ""},
		.title = "T",
		.move = 3,
		.spectators = 1,
		.created_ms = 9};

#define SUMMARY                                                                                    \
	"\"room\":\"k7m2q\",\"status\":\"playing\",\"players\":{\"X\":\"Ala\",\"O\":null},"        \
	"\"clock\":null,\"title\":\"T\",\"move\":3,\"spectators\":1,\"created_ms\":9}"

static void lobby_and_invited_are_written(void **state)
{
	struct event event = {.type = EVENT_LOBBY};

	(void)state;
	event.lobby.summary = summary;
	assert_line(encode_event(&event), "{\"type\":\"lobby\",\"change\":\"added\"," SUMMARY);
	event.lobby.change = LOBBY_CHANGED;
	assert_line(encode_event(&event), "{\"type\":\"lobby\",\"change\":\"changed\"," SUMMARY);
	event.lobby.change = LOBBY_REMOVED;
	assert_line(encode_event(&event), "{\"type\":\"lobby\",\"change\":\"removed\"," SUMMARY);
	event = (struct event){.type = EVENT_INVITED, .room = "k7m2q"};
	strcpy(event.invited.player, "Ola");
	assert_line(encode_event(&event), "{\"type\":\"invited\",\"room\":\"k7m2q\",\"player\":"
					  "\"Ola\",\"clock\":null}");
}

static void words_from_the_server_are_written(void **state)
{
	struct event event = {.type = EVENT_NOTICE, .notice = "Restart at 5."};

	(void)state;
	assert_line(encode_event(&event), "{\"type\":\"notice\",\"text\":\"Restart at 5.\"}");
	event = (struct event){.type = EVENT_BYE, .bye = {.reason = BYE_SLOW_READER}};
	assert_line(encode_event(&event), "{\"type\":\"bye\",\"reason\":\"slow_reader\"}");
	event.bye = (struct event_bye){BYE_SHUTDOWN, true, 5000};
	assert_line(encode_event(&event),
			"{\"type\":\"bye\",\"reason\":\"shutdown\",\"retry_ms\":5000}");
	event = (struct event){.type = EVENT_WELCOME,
			.welcome = {.server = "qtttd/0.1.0", .name = "here", .help = "a\nb"}};
#define LIMITS                                                                                     \
	"\"limits\":{\"line_bytes\":4096,\"depth\":8,\"text_chars\":200,\"name_chars\":20,"        \
	"\"title_chars\":60,\"rooms_followed\":32},\"help\":\"a\\nb\"}"
	assert_line(encode_event(&event), "{\"type\":\"welcome\",\"server\":\"qtttd/0.1.0\","
					  "\"protocol\":1,\"name\":\"here\"," LIMITS);
	strcpy(event.welcome.motd, "hi");
	assert_line(encode_event(&event),
			"{\"type\":\"welcome\",\"server\":\"qtttd/0.1.0\","
			"\"protocol\":1,\"name\":\"here\",\"motd\":\"hi\"," LIMITS);
}

static void each_enum_has_its_word(void **state)
{
	(void)state;
	assert_string_equal(seat_word(SEAT_NONE), "");
	assert_string_equal(seat_word(SEAT_X), "X");
	assert_string_equal(reason_word(REASON_FULL_BOARD), "full_board");
	assert_string_equal(cause_word(CAUSE_NONE), "");
	assert_string_equal(cause_word(CAUSE_CREATOR_LEFT), "creator_left");
	assert_string_equal(status_word(STATUS_WAITING), "waiting");
	assert_string_equal(event_word(EVENT_REMATCH_OFFERED), "rematch_offered");
}

static void an_ok_says_what_it_carries(void **state)
{
	struct ok ok = {.re = {ID_INTEGER, 7, ""},
			.to = REQUEST_MOVE,
			.room = "k7m2q",
			.seq = 5,
			.carries = OK_ROOM | OK_SEQ};

	(void)state;
	assert_line(encode_ok(&ok),
			"{\"type\":\"ok\",\"re\":7,\"to\":\"move\",\"room\":\"k7m2q\",\"seq\":5}");
	ok.to = REQUEST_REMATCH;
	ok.re = (struct request_id){ID_STRING, 0, "a\"b"};
	ok.carries |= OK_NEW;
	strcpy(ok.new_room, "abcde");
	assert_line(encode_ok(&ok),
			"{\"type\":\"ok\",\"re\":\"a\\\"b\",\"to\":\"rematch\",\"room\":"
			"\"k7m2q\",\"seq\":5,\"new\":\"abcde\"}");
	ok = (struct ok){.to = REQUEST_PING, .now_ms = 1790000000000, .carries = OK_NOW};
	assert_line(encode_ok(&ok), "{\"type\":\"ok\",\"to\":\"ping\",\"now_ms\":1790000000000}");
	ok = (struct ok){.to = REQUEST_TEXT, .mode = TEXT_ONLY, .carries = OK_MODE};
	assert_line(encode_ok(&ok), "{\"type\":\"ok\",\"to\":\"text\",\"mode\":\"only\"}");
	ok = (struct ok){.to = REQUEST_QUIT};
	assert_line(encode_ok(&ok), "{\"type\":\"ok\",\"to\":\"quit\"}");
}

static void a_token_comes_after_the_name_in_hellos_reply_and_last_elsewhere(void **state)
{
	char rooms[][ROOM_ID_SIZE] = {"k7m2q", "abcde"};
	struct ok ok = {.to = REQUEST_HELLO,
			.name = "Ala",
			.token = "secret",
			.own_room_count = 2,
			.own_rooms = rooms,
			.carries = OK_NAME | OK_TOKEN | OK_OWN_ROOMS};

	(void)state;
	assert_line(encode_ok(&ok), "{\"type\":\"ok\",\"to\":\"hello\",\"name\":\"Ala\",\"token\":"
				    "\"secret\",\"rooms\":[\"k7m2q\",\"abcde\"]}");
	ok.carries = OK_NAME | OK_OWN_ROOMS;
	ok.own_room_count = 0;
	assert_line(encode_ok(&ok),
			"{\"type\":\"ok\",\"to\":\"hello\",\"name\":\"Ala\",\"rooms\":[]}");
	ok = (struct ok){.to = REQUEST_CREATE,
			.room = "k7m2q",
			.you = "guest-k7m2q",
			.seat = SEAT_X,
			.state = &empty_room,
			.token = "secret",
			.carries = OK_ROOM | OK_YOU | OK_SEAT | OK_STATE | OK_TOKEN};
	assert_line(encode_ok(&ok),
			"{\"type\":\"ok\",\"to\":\"create\",\"room\":\"k7m2q\",\"you\":\"guest-"
			"k7m2q\","
			"\"seat\":\"X\",\"state\":{" EMPTY_ROOM ",\"token\":\"secret\"}");
}

static void lists_are_written(void **state)
{
	const struct summary summaries[] = {summary, summary};
	const struct who_row players[] = {{{true, 1662212}, "Ala", "k7m2q"},
			{{true, 1500000}, "Ola", ""}, {.name = "guest-k7m2q"}};
	char muted[][NAME_SIZE] = {"Ela"};
	struct ok ok = {.to = REQUEST_LOBBY,
			.summary_count = 2,
			.summaries = summaries,
			.next = "c17",
			.carries = OK_SUMMARIES | OK_NEXT};

	(void)state;
	assert_line(encode_ok(&ok), "{\"type\":\"ok\",\"to\":\"lobby\",\"rooms\":[{" SUMMARY
				    ",{" SUMMARY "],\"next\":\"c17\"}");
	ok = (struct ok){.to = REQUEST_LOBBY, .carries = OK_SUMMARIES};
	assert_line(encode_ok(&ok), "{\"type\":\"ok\",\"to\":\"lobby\",\"rooms\":[]}");
	ok = (struct ok){.to = REQUEST_WHO,
			.online = 2,
			.player_count = 3,
			.players = players,
			.carries = OK_ONLINE | OK_PLAYERS};
	assert_line(encode_ok(&ok),
			"{\"type\":\"ok\",\"to\":\"who\",\"online\":2,\"players\":[{"
			"\"name\":\"Ala\",\"rating\":1662.212,\"room\":\"k7m2q\"},"
			"{\"name\":\"Ola\",\"rating\":1500},{\"name\":\"guest-k7m2q\"}]}");
	ok = (struct ok){.to = REQUEST_MUTE, .muted_count = 1, .muted = muted, .carries = OK_MUTED};
	assert_line(encode_ok(&ok), "{\"type\":\"ok\",\"to\":\"mute\",\"muted\":[\"Ela\"]}");
}

#define ANALYSED "{\"type\":\"ok\",\"to\":\"analyse\",\"board\":" OPENING ",\"value\":"

static void values_are_halves_and_never_minus_nothing(void **state)
{
	static const struct action_value each[] = {{{.square_count = 2, .squares = {1, 2}}, -1},
			{{.square_count = 1, .squares = {5}}, 0}, {{.square = 3}, -2}};
	static const int8_t steps[] = {1, 0, -1, -2, 4};
	struct ok ok = {.to = REQUEST_ANALYSE,
			.board = &opening,
			.half_points = -1,
			.each_count = 3,
			.each = each,
			.step_count = 5,
			.steps = steps,
			.carries = OK_VALUES | OK_STEPS};

	(void)state;
	assert_line(encode_ok(&ok),
			ANALYSED "-0.5,\"each\":[{\"squares\":[1,2],\"value\":-0.5},"
				 "{\"squares\":[5],\"value\":0},{\"square\":3,\"value\":-1}],"
				 "\"steps\":[0.5,0,-0.5,-1,2]}");
	ok = (struct ok){.to = REQUEST_ANALYSE, .board = &opening, .carries = OK_VALUES};
	assert_line(encode_ok(&ok), ANALYSED "0,\"each\":[]}");
}

static void help_is_made_of_the_table(void **state)
{
	const enum request_type types[] = {REQUEST_MOVE, REQUEST_PING, REQUEST_MATCH};
	struct ok ok = {.to = REQUEST_HELP,
			.request_count = 3,
			.requests = types,
			.carries = OK_REQUESTS};
	char line[512];

	(void)state;
	snprintf(line, sizeof(line),
			"{\"type\":\"ok\",\"to\":\"help\",\"requests\":[{\"type\":\"move\","
			"\"members\":["
			"\"squares\",\"room?\",\"move?\"],\"about\":\"%s\"},{\"type\":\"ping\","
			"\"members\":[],\"about\":\"%s\"},{\"type\":\"match\",\"members\":[\"clock?"
			"\"],"
			"\"about\":\"%s\"}]}",
			request_row(REQUEST_MOVE)->about, request_row(REQUEST_PING)->about,
			request_row(REQUEST_MATCH)->about);
	assert_line(encode_ok(&ok), line);
}

static void an_error_says_what_it_knows(void **state)
{
	struct error error = {.code = CODE_BAD_JSON, .message = "No."};

	(void)state;
	assert_line(encode_error(&error),
			"{\"type\":\"error\",\"code\":\"bad_json\",\"message\":\"No.\"}");
	error = (struct error){.re = {ID_INTEGER, INT64_MIN, ""},
			.to = "a\"\n",
			.code = CODE_STALE,
			.message = "Stale.",
			.field = "move",
			.has_at = true,
			.at = 256,
			.has_retry = true,
			.retry_ms = 100,
			.has_board = true,
			.seq = 9,
			.board = opening};
	assert_line(encode_error(&error), "{\"type\":\"error\",\"re\":-9223372036854775808,\"to\":"
					  "\"a\\\"\\n\",\"code\":"
					  "\"stale\",\"message\":\"Stale.\",\"field\":\"move\","
					  "\"at\":256,"
					  "\"retry_ms\":100,\"seq\":9,"
					  "\"board\":" OPENING "}");
}

static void integers_are_written_to_their_ends(void **state)
{
	static const int64_t values[] = {0, 9, 10, 99, -1, -9, -10, INT64_MAX, INT64_MIN};
	char line[128];

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct ok ok = {.to = REQUEST_PING, .now_ms = values[i], .carries = OK_NOW};

		snprintf(line, sizeof(line), "{\"type\":\"ok\",\"to\":\"ping\",\"now_ms\":%lld}",
				(long long)values[i]);
		assert_line(encode_ok(&ok), line);
	}
}

static void control_characters_are_escaped(void **state)
{
	struct error error = {.code = CODE_INTERNAL,
			.message = "\x01\b\t\n\v\f\r\x1f \x7f\xc2\x85/\"\\ż"};

	(void)state;
	assert_line(encode_error(&error), "{\"type\":\"error\",\"code\":\"internal\",\"message\":"
					  "\"\\u0001\\b\\t\\n\\u000b"
					  "\\f\\r\\u001f \x7f\xc2\x85/\\\"\\\\ż\"}");
}

static unsigned int seed_of_this_run(void)
{
	const char *given = getenv("QTTT_SEED");
	unsigned int seed = given != NULL ? (unsigned int)strtoul(given, NULL, 10)
					  : (unsigned int)time(NULL);

	print_message("# QTTT_SEED=%u\n", seed);
	return seed;
}

/* Any text of ASCII and some longer characters comes through as it was. */
static void random_text_comes_through_unchanged(void **state)
{
	static const char *const pieces[] = {"ż", "\xf0\x9f\x90\x88", "\xe2\x80\xae", "\"", "\\"};
	unsigned int seed = seed_of_this_run();

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct event event = {.type = EVENT_NOTICE};
		size_t length = (size_t)rand_r(&seed) % (TEXT_SIZE - 8);
		struct message message;
		struct bytes *bytes;

		while (strlen(event.notice) < length) {
			char ascii[2] = {(char)(1 + rand_r(&seed) % 127), '\0'};
			unsigned int piece = (unsigned int)rand_r(&seed) % 20;

			strcat(event.notice, piece < 5 ? pieces[piece] : ascii);
		}
		bytes = encode_event(&event);
		assert_true(decode_message(bytes->data, bytes->length, &message));
		assert_string_equal(message.event.notice, event.notice);
		message_fini(&message);
		bytes_unref(bytes);
	}
}

static void a_line_may_be_of_any_length(void **state)
{
	enum { COUNT = 5000 };
	struct summary *summaries = calloc(COUNT, sizeof(*summaries));
	struct ok ok = {.to = REQUEST_LOBBY,
			.summary_count = COUNT,
			.summaries = summaries,
			.carries = OK_SUMMARIES};
	struct message message;
	struct bytes *bytes;

	(void)state;
	assert_non_null(summaries);
	for (int i = 0; i < COUNT; i++) {
		summaries[i] = summary;
		summaries[i].created_ms = i;
	}
	bytes = encode_ok(&ok);
	assert_true(decode_message(bytes->data, bytes->length, &message));
	assert_int_equal(message.ok.summary_count, COUNT);
	assert_int_equal(message.ok.summaries[COUNT - 1].created_ms, COUNT - 1);
	message_fini(&message);
	bytes_unref(bytes);
	free(summaries);
}

static void a_players_record_is_kept(void **state)
{
	char muted[][NAME_SIZE] = {"Ela", "Ola"};
	struct player_record record = {
			.name = "Ala", .created_ms = 5, .muted_count = 2, .muted = muted};
	struct bytes *bytes = encode_player(&record);
	struct player_record again;

	(void)state;
	assert_memory_equal(bytes->data,
			"{\"name\":\"Ala\",\"guest\":false,\"created_ms\":5,"
			"\"muted\":[\"Ela\",\"Ola\"]}\n",
			bytes->length);
	assert_true(decode_player(bytes->data, bytes->length, &again));
	assert_string_equal(again.name, "Ala");
	assert_int_equal(again.muted_count, 2);
	assert_string_equal(again.muted[1], "Ola");
	player_record_fini(&again);
	assert_null(again.muted);
	bytes_unref(bytes);
	record = (struct player_record){.name = "guest-k7m2q", .guest = true};
	bytes = encode_player(&record);
	assert_true(decode_player(bytes->data, bytes->length, &again));
	assert_true(again.guest);
	assert_int_equal(again.muted_count, 0);
	player_record_fini(&again);
	player_record_fini(NULL);
	bytes_unref(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(opened_is_written),
			cmocka_unit_test(seated_and_started_are_written),
			cmocka_unit_test(moved_is_written),
			cmocka_unit_test(a_measurement_that_is_due_is_written),
			cmocka_unit_test(collapsed_is_written),
			cmocka_unit_test(a_square_holds_nine_marks_and_a_board_nine_such_squares),
			cmocka_unit_test(offers_are_written),
			cmocka_unit_test(ended_is_written),
			cmocka_unit_test(scores_are_halves_without_needless_digits),
			cmocka_unit_test(a_snapshot_is_written),
			cmocka_unit_test(presence_and_said_are_written),
			cmocka_unit_test(lobby_and_invited_are_written),
			cmocka_unit_test(words_from_the_server_are_written),
			cmocka_unit_test(each_enum_has_its_word),
			cmocka_unit_test(an_ok_says_what_it_carries),
			cmocka_unit_test(
					a_token_comes_after_the_name_in_hellos_reply_and_last_elsewhere),
			cmocka_unit_test(lists_are_written),
			cmocka_unit_test(values_are_halves_and_never_minus_nothing),
			cmocka_unit_test(help_is_made_of_the_table),
			cmocka_unit_test(an_error_says_what_it_knows),
			cmocka_unit_test(integers_are_written_to_their_ends),
			cmocka_unit_test(control_characters_are_escaped),
			cmocka_unit_test(random_text_comes_through_unchanged),
			cmocka_unit_test(a_line_may_be_of_any_length),
			cmocka_unit_test(a_players_record_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
