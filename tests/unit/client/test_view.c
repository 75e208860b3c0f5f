#include <stdlib.h>
#include <string.h>

#include "client-cli/view.h"
#include "protocol/decode.h"
#include "protocol/requests.h"
#include "tests/unit/game/cmocka_all.h"

struct screen {
	struct view view;
	char *text;
	size_t size;
	size_t before; /* what was written before the last thing that was shown */
	const char *shown;
};

static void look_begin(struct screen *screen)
{
	fflush(screen->view.out);
	screen->before = screen->size;
}

static void look_end(struct screen *screen)
{
	fflush(screen->view.out);
	screen->shown = screen->text + screen->before;
}

static int open_screen(void **state)
{
	struct screen *screen = calloc(1, sizeof(*screen));

	view_init(&screen->view, open_memstream(&screen->text, &screen->size), false, false);
	snprintf(screen->view.rooms.name, NAME_SIZE, "ola");
	*state = screen;
	return 0;
}

static int close_screen(void **state)
{
	struct screen *screen = *state;

	fclose(screen->view.out);
	free(screen->text);
	free(screen);
	return 0;
}

/* Show a line of the server, as the answer to `asked` if that is not NULL. */
static void show_answer(struct screen *screen, const char *line, const struct asked *asked)
{
	struct message message;

	look_begin(screen);
	assert_true(decode_message(line, strlen(line), &message));
	view_message(&screen->view, &message, asked);
	message_fini(&message);
	look_end(screen);
}

static void show(struct screen *screen, const char *line)
{
	show_answer(screen, line, NULL);
}

static void assert_shows(struct screen *screen, const char *line, const char *expected)
{
	show(screen, line);
	assert_string_equal(screen->shown, expected);
}

#define EMPTY_SQUARES "\"squares\":[[],[],[],[],[],[],[],[],[]]"
#define NO_CHOICE "\"choices\":null,\"cycle\":null,\"outcomes\":null"
#define OPENING                                                                                    \
	"\"board\":{\"move\":1,\"turn\":\"X\",\"phase\":\"move\"," EMPTY_SQUARES "," NO_CHOICE     \
	"},\"clock\":null"
#define AFTER_ONE                                                                                  \
	"\"board\":{\"move\":2,\"turn\":\"O\",\"phase\":\"move\",\"squares\":[[\"X1\"],[],[],[],"  \
	"[\"X1\"],[],[],[],[]]," NO_CHOICE "},\"clock\":null"
#define CYCLE                                                                                      \
	"\"board\":{\"move\":3,\"turn\":\"O\",\"phase\":\"collapse\",\"squares\":["                \
	"[\"X1\",\"X3\"],[],[],[],[\"X1\",\"O2\"],[],[],[],[\"O2\",\"X3\"]],\"choices\":[1,9],"    \
	"\"cycle\":[1,5,9],\"outcomes\":[[[\"X3\",1],[\"X1\",5],[\"O2\",9]],"                      \
	"[[\"X3\",9],[\"O2\",5],[\"X1\",1]]]},\"clock\":null"
#define OF_ROOM "\"room\":\"k7m2q\",\"seq\":4,\"at_ms\":1,"
#define STARTED                                                                                    \
	"{\"type\":\"started\"," OF_ROOM "\"players\":{\"X\":\"ala\",\"O\":\"ola\"}," OPENING "}"

#define EMPTY_ROWS                                                                                 \
	"             │             │\n"                                                       \
	"             │             │\n"
#define RULE "─────────────┼─────────────┼─────────────\n"
#define EMPTY_BOARD                                                                                \
	" 1           │ 2           │ 3\n" EMPTY_ROWS RULE                                         \
	" 4           │ 5           │ 6\n" EMPTY_ROWS RULE                                         \
	" 7           │ 8           │ 9\n" EMPTY_ROWS

static void the_game_begins_with_an_empty_board(void **state)
{
	assert_shows(*state, STARTED,
			"The game begins: ala (X) against ola (O).\n" EMPTY_BOARD
			"You are O. It is the turn of ala (X): move 1.\n");
}

static void a_move_is_told_drawn_and_answered_for(void **state)
{
	show(*state, STARTED);
	assert_shows(*state,
			"{\"type\":\"moved\"," OF_ROOM
			"\"by\":\"X\",\"move\":1,\"squares\":[1,5]," AFTER_ONE "}",
			"ala (X) moved 1-5.\n"
			" 1  X1       │ 2           │ 3\n" EMPTY_ROWS RULE
			" 4           │ 5  X1       │ 6\n" EMPTY_ROWS RULE
			" 7           │ 8           │ 9\n" EMPTY_ROWS
			"You are O: your turn. Move 2: name two squares. For example: move 1 2\n");
}

static void a_watcher_is_told_whose_turn_it_is(void **state)
{
	struct screen *screen = *state;

	snprintf(screen->view.rooms.name, NAME_SIZE, "ela");
	show(screen, STARTED);
	assert_non_null(strstr(screen->shown, "\nIt is the turn of ala (X): move 1.\n"));
}

static void the_one_who_measures_sees_his_choice(void **state)
{
	struct screen *screen = *state;

	show(screen, STARTED);
	show(screen, "{\"type\":\"moved\"," OF_ROOM
		     "\"by\":\"X\",\"move\":3,\"squares\":[1,9]," CYCLE "}");
	assert_non_null(strstr(screen->shown,
			"Cycle 1-5-9: X3 goes to 1 or to 9.\n"
			"  collapse 1        collapse 9\n"
			"  X3 │ .  │ .       X1 │ .  │ .\n"
			"  .  │ X1 │ .       .  │ O2 │ .\n"
			"  .  │ .  │ O2      .  │ .  │ X3\n"
			"Cycle 1-5-9 closed: you measure. collapse 1 or collapse 9.\n"));
}

static void the_other_one_sees_who_measures(void **state)
{
	struct screen *screen = *state;

	snprintf(screen->view.rooms.name, NAME_SIZE, "ala");
	show(screen, STARTED);
	show(screen, "{\"type\":\"moved\"," OF_ROOM
		     "\"by\":\"X\",\"move\":3,\"squares\":[1,9]," CYCLE "}");
	assert_non_null(strstr(screen->shown, "\nCycle 1-5-9 closed: ola (O) measures.\n"));
}

static void a_measurement_is_told_mark_by_mark(void **state)
{
	struct screen *screen = *state;

	show(screen, STARTED);
	show(screen, "{\"type\":\"collapsed\"," OF_ROOM
		     "\"by\":\"O\",\"move\":3,\"square\":9,\"measured\":[[\"X3\",9],[\"O2\",5],"
		     "[\"X1\",1]],\"board\":{\"move\":4,\"turn\":\"O\",\"phase\":\"move\","
		     "\"squares\":[\"X1\",[],[],[],\"O2\",[],[],[],\"X3\"]," NO_CHOICE
		     "},\"clock\":{\"X_ms\":179500,\"O_ms\":60000,\"running\":\"O\"}}");
	assert_string_equal(screen->shown,
			"ola (O) measured: X3 in 9, O2 in 5, X1 in 1.\n"
			" 1           │ 2           │ 3\n"
			"      *X1*   │             │\n"
			"             │             │\n" RULE " 4           │ 5           │ 6\n"
			"             │      *O2*   │\n"
			"             │             │\n" RULE " 7           │ 8           │ 9\n"
			"             │             │      *X3*\n"
			"             │             │\n"
			"Clocks: X 2:59, O 1:00. O's runs.\n"
			"You are O: your turn. Move 4: name two squares.\n");
}

#define OVER_BOARD                                                                                 \
	"\"board\":{\"move\":8,\"turn\":null,\"phase\":\"over\"," EMPTY_SQUARES "," NO_CHOICE "}"

static void the_last_board_is_drawn_with_what_led_to_it(void **state)
{
	struct screen *screen = *state;

	show(screen, STARTED);
	assert_shows(screen,
			"{\"type\":\"collapsed\"," OF_ROOM
			"\"by\":\"O\",\"move\":3,\"square\":9,\"measured\":[[\"X3\",9]]," OVER_BOARD
			"}",
			"ola (O) measured: X3 in 9.\n" EMPTY_BOARD);
	assert_shows(screen,
			"{\"type\":\"moved\"," OF_ROOM
			"\"by\":\"X\",\"move\":9,\"squares\":[5]," OVER_BOARD "}",
			"ala (X) took the last square, 5.\n" EMPTY_BOARD);
}

static void assert_result(struct screen *screen, const char *members, const char *sentence)
{
	char line[1024];
	size_t length = strlen(sentence);
	bool is_drawn = strstr(members, "\"line\"") != NULL ||
			strstr(members, "full_board") != NULL;

	snprintf(line, sizeof(line), "{\"type\":\"ended\"," OF_ROOM "%s," OVER_BOARD "}", members);
	show(screen, line);
	assert_memory_equal(screen->shown, sentence, length);
	/* What stands on the board ends the game: then it has just been drawn. */
	assert_string_equal(screen->shown + length, is_drawn ? "\n" : "\n" EMPTY_BOARD);
}

static void every_way_to_end_has_its_sentence(void **state)
{
	assert_result(*state,
			"\"reason\":\"line\",\"score\":{\"X\":0.5,\"O\":1},\"lines\":["
			"{\"mark\":\"O\",\"squares\":[2,4,6],\"max\":6},"
			"{\"mark\":\"X\",\"squares\":[1,3,7],\"max\":7}]",
			"O wins 1 to ½: O 2-4-6 at time 6, X 1-3-7 at time 7.");
	assert_result(*state,
			"\"reason\":\"line\",\"score\":{\"X\":1.5,\"O\":0},\"lines\":["
			"{\"mark\":\"X\",\"squares\":[1,2,3],\"max\":7},"
			"{\"mark\":\"X\",\"squares\":[1,4,7],\"max\":9}]",
			"X wins 1½ to 0: X 1-2-3 at time 7, X 1-4-7 at time 9.");
	assert_result(*state, "\"reason\":\"full_board\",\"score\":{\"X\":0,\"O\":0},\"lines\":[]",
			"A draw, 0 to 0: the board is full and there is no line.");
	assert_result(*state, "\"reason\":\"resign\",\"score\":{\"X\":0,\"O\":1},\"lines\":[]",
			"O wins 1 to 0: X resigned.");
	assert_result(*state, "\"reason\":\"flag\",\"score\":{\"X\":1,\"O\":0},\"lines\":[]",
			"X wins 1 to 0: O ran out of time.");
	assert_result(*state, "\"reason\":\"claim\",\"score\":{\"X\":1,\"O\":0},\"lines\":[]",
			"X wins 1 to 0: O was away for too long.");
	assert_result(*state, "\"reason\":\"agreement\",\"score\":{\"X\":0,\"O\":0},\"lines\":[]",
			"A draw, 0 to 0: both agreed.");
	assert_result(*state,
			"\"reason\":\"aborted\",\"cause\":\"no_first_move\",\"score\":null,"
			"\"lines\":[]",
			"Aborted, no score: a player did not make his first move.");
}

static void ascii_has_no_other_characters(void **state)
{
	struct screen *screen = *state;

	screen->view.ascii = true;
	show(screen, "{\"type\":\"ended\"," OF_ROOM
		     "\"reason\":\"line\",\"score\":{\"X\":0.5,\"O\":1},\"lines\":["
		     "{\"mark\":\"O\",\"squares\":[2,4,6],\"max\":6},"
		     "{\"mark\":\"X\",\"squares\":[1,3,7],\"max\":7}]," OVER_BOARD "}");
	assert_non_null(strstr(screen->shown, "O wins 1 to 0.5: "));
	for (const char *at = screen->shown; *at; at++) {
		assert_true((unsigned char)*at < 0x80);
	}
}

static void what_people_do_is_told_in_a_line(void **state)
{
	static const char *const cases[][2] = {
			{"{\"type\":\"said\",\"room\":\"k7m2q\",\"player\":\"ala\",\"seat\":\"X\","
			 "\"text\":\"good game\"}",
					"<ala> good game\n"},
			{"{\"type\":\"said\",\"room\":\"k7m2q\",\"player\":\"ela\",\"seat\":null,"
			 "\"text\":\"hm\"}",
					"<ela, watching> hm\n"},
			{"{\"type\":\"presence\",\"room\":\"k7m2q\",\"player\":\"ala\","
			 "\"online\":false,\"spectators\":0}",
					"ala is away.\n"},
			{"{\"type\":\"presence\",\"room\":\"k7m2q\",\"spectators\":3}",
					"Watching: 3.\n"},
			{"{\"type\":\"draw_offered\"," OF_ROOM "\"by\":\"X\"}",
					"ala (X) offers a draw. draw accepts, draw no declines.\n"},
			{"{\"type\":\"draw_offered\"," OF_ROOM "\"by\":\"O\"}",
					"ola (O) offers a draw.\n"},
			{"{\"type\":\"draw_declined\"," OF_ROOM "\"by\":\"O\"}",
					"ola (O) declines the draw.\n"},
			{"{\"type\":\"rematch_offered\"," OF_ROOM "\"by\":\"X\"}",
					"ala (X) wants a rematch. rematch accepts.\n"},
			{"{\"type\":\"rematch_offered\"," OF_ROOM "\"by\":\"O\"}",
					"ola (O) wants a rematch. It begins if ala (X) agrees.\n"},
			{"{\"type\":\"rematch\"," OF_ROOM "\"new\":\"abcde\"}",
					"The rematch is room abcde.\n"},
			{"{\"type\":\"seated\"," OF_ROOM "\"seat\":\"X\",\"player\":\"ala\"}",
					"ala is X.\n"},
			{"{\"type\":\"invited\",\"room\":\"abcde\",\"player\":\"ala\","
			 "\"clock\":{\"base_ms\":180000,\"increment_ms\":2000}}",
					"ala invites you to room abcde, clock 3+2. join abcde or "
					"decline abcde\n"},
			{"{\"type\":\"notice\",\"text\":\"Back at six.\"}",
					"Notice from the server: Back at six.\n"},
			{"{\"type\":\"bye\",\"reason\":\"shutdown\",\"retry_ms\":1500}",
					"The server shuts down.\nCome back in 2 s.\n"},
			{"{\"type\":\"lobby\",\"change\":\"added\",\"room\":\"abcde\","
			 "\"status\":\"waiting\",\"players\":{\"X\":\"ela\",\"O\":null},"
			 "\"clock\":null,\"move\":1,\"spectators\":0,\"created_ms\":1}",
					"Lobby: room abcde is new: X ela, O free, waiting, move "
					"1.\n"},
			{"{\"type\":\"lobby\",\"change\":\"removed\",\"room\":\"abcde\","
			 "\"status\":\"over\",\"players\":{\"X\":\"ela\",\"O\":null},"
			 "\"clock\":null,\"move\":0,\"spectators\":0,\"created_ms\":1}",
					"Lobby: room abcde is over: X ela, O free.\n"},
	};

	show(*state, STARTED);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_shows(*state, cases[i][0], cases[i][1]);
	}
}

static void nobody_can_steer_the_terminal(void **state)
{
	struct screen *screen = *state;

	show(screen, STARTED);
	assert_shows(screen,
			"{\"type\":\"said\",\"room\":\"k7m2q\",\"player\":\"ala\",\"seat\":\"X\","
			"\"text\":\"a\\u001b[2J\\r\\nb\\u202ec\\u009bd\\u007f żółć\"}",
			"<ala> a\\x1b[2J\\x0d\\x0ab\\xe2\\x80\\xaec\\xc2\\x9bd\\x7f żółć\n");
	assert_shows(screen, "{\"type\":\"notice\",\"text\":\"\\u001b]0;x\\u0007\"}",
			"Notice from the server: \\x1b]0;x\\x07\n");
	look_begin(screen);
	view_raw(&screen->view, "\x1b\xff\xc0\x80.", 5);
	look_end(screen);
	assert_string_equal(screen->shown, "\\x1b\\xff\\xc0\\x80.\n");
}

static void several_rooms_are_told_apart(void **state)
{
	struct screen *screen = *state;
	static const char said[] = "{\"type\":\"said\",\"room\":\"abcde\",\"player\":\"ela\","
				   "\"seat\":\"X\",\"text\":\"hi\"}";

	assert_shows(screen, said, "<ela> hi\n");
	show(screen, STARTED);
	assert_memory_equal(screen->shown, "[k7m2q] The game begins", 23);
	assert_non_null(strstr(screen->shown, "\n[k7m2q]  1           │"));
	assert_shows(screen, said, "[abcde] <ela> hi\n");
	/* The one that is over is still told apart from the one that runs. */
	show(screen, "{\"type\":\"ended\",\"room\":\"abcde\",\"seq\":9,\"at_ms\":1,"
		     "\"reason\":\"resign\",\"score\":{\"X\":0,\"O\":1},\"lines\":[]," OVER_BOARD
		     "}");
	assert_memory_equal(screen->shown, "[abcde] O wins", 14);
	show(screen, "{\"type\":\"moved\"," OF_ROOM
		     "\"by\":\"X\",\"move\":1,\"squares\":[1,5]," AFTER_ONE "}");
	assert_memory_equal(screen->shown, "ala (X) moved", 13);
}

static void an_error_says_which_request_and_shows_the_board(void **state)
{
	struct screen *screen = *state;
	struct asked asked = {.words = "move 1 5"};

	show(screen, STARTED);
	show_answer(screen,
			"{\"type\":\"error\",\"re\":1,\"to\":\"move\",\"code\":\"not_your_turn\","
			"\"message\":\"It is X's turn to move.\",\"seq\":4," OPENING "}",
			&asked);
	assert_string_equal(screen->shown, "move 1 5 was refused: It is X's turn to move. "
					   "(not_your_turn)\n" EMPTY_BOARD
					   "You are O. It is the turn of ala (X): move 1.\n");
	assert_shows(screen,
			"{\"type\":\"error\",\"code\":\"rate_limited\",\"message\":\"Slower.\","
			"\"retry_ms\":3000}",
			"Refused: Slower. (rate_limited)\nTry again in 3 s.\n");
}

#define WAITING_STATE                                                                              \
	"{\"room\":\"k7m2q\",\"seq\":2,\"at_ms\":1,\"status\":\"waiting\",\"players\":{\"X\":"     \
	"{\"name\":\"ola\",\"online\":true},\"O\":null},\"private\":false,\"title\":\"Wieczór\"," \
	"\"settings\":{\"clock\":null}," OPENING                                                   \
	",\"spectators\":0,\"draw_offer\":null,\"result\":null,\"chat\":[]}"

static void who_creates_a_room_sees_how_another_gets_in(void **state)
{
	struct screen *screen = *state;

	screen->view.rooms.name[0] = '\0';
	assert_shows(screen,
			"{\"type\":\"ok\",\"re\":1,\"to\":\"create\",\"room\":\"k7m2q\",\"you\":"
			"\"ola\",\"seat\":\"X\",\"state\":" WAITING_STATE
			",\"token\":\"0123456789012345678901\"}",
			"You are ola.\n"
			"Your token, a secret that proves your name (hello token=...): "
			"0123456789012345678901\n"
			"Room k7m2q waits for a player: X ola, O free.\n"
			"Title: Wieczór\n"
			"You are X. Your opponent comes in with: join k7m2q\n");
	show(screen, "{\"type\":\"ok\",\"to\":\"hello\",\"name\":\"ala\",\"rooms\":[\"k7m2q\"]}");
	assert_string_equal(screen->shown, "You are ala.\nYour unfinished games:\n  k7m2q\n");
	screen->view.hides_token = true;
	show(screen, "{\"type\":\"ok\",\"to\":\"hello\",\"name\":\"ola\",\"token\":"
		     "\"0123456789012345678901\",\"rooms\":[]}");
	assert_string_equal(screen->shown, "You are ola.\n");
}

#define CREATED                                                                                    \
	"{\"type\":\"ok\",\"re\":1,\"to\":\"create\",\"room\":\"k7m2q\",\"you\":\"ola\",\"seat\":" \
	"\"X\",\"state\":" WAITING_STATE "}"
#define OPENED_FOR(name)                                                                           \
	"{\"type\":\"opened\",\"room\":\"k7m2q\",\"seq\":1,\"at_ms\":1,\"player\":\"ala\","        \
	"\"private\":false,\"clock\":null,\"opponent\":\"" name "\"}"
#define WATCHED                                                                                    \
	"{\"type\":\"ok\",\"re\":1,\"to\":\"watch\",\"room\":\"k7m2q\",\"state\":" WAITING_STATE "}"

static void who_keeps_a_seat_for_somebody_is_told_for_whom(void **state)
{
	struct screen *screen = *state;
	struct asked asked = {.known = true, .type = REQUEST_CREATE, .opponent = "ela"};

	show_answer(screen, CREATED, &asked);
	assert_string_equal(screen->shown, "Room k7m2q waits for a player: X ola, O kept for ela.\n"
					   "Title: Wieczór\n"
					   "You are X. ela comes in with: join k7m2q\n");
}

static void nobody_else_is_invited_to_a_seat_that_is_known_to_be_kept(void **state)
{
	struct screen *screen = *state;

	snprintf(screen->view.rooms.name, NAME_SIZE, "ewa");
	assert_shows(screen, WATCHED,
			"Room k7m2q waits for a player: X ola, O free.\n"
			"Title: Wieczór\n"
			"To play here: join k7m2q\n");
	show(screen, OPENED_FOR("ela"));
	assert_shows(screen, WATCHED,
			"Room k7m2q waits for a player: X ola, O kept for ela.\n"
			"Title: Wieczór\n");
	show(screen, OPENED_FOR("ewa"));
	show(screen, WATCHED);
	assert_non_null(strstr(screen->shown, "To play here: join k7m2q\n"));
}

static void the_lobby_is_a_table(void **state)
{
	assert_shows(*state,
			"{\"type\":\"ok\",\"to\":\"lobby\",\"rooms\":[{\"room\":\"k7m2q\","
			"\"status\":"
			"\"waiting\",\"players\":{\"X\":\"zażółć\",\"O\":null},\"clock\":{\"base_"
			"ms\":"
			"180000,\"increment_ms\":2000},\"move\":1,\"spectators\":0,\"created_ms\":"
			"1},"
			"{\"room\":\"abcde\",\"status\":\"playing\",\"players\":{\"X\":\"ala\","
			"\"O\":"
			"\"ola\"},\"clock\":null,\"title\":\"Hej\",\"move\":4,\"spectators\":12,"
			"\"created_ms\":2}],\"next\":\"c1\"}",
			"ROOM   X       O    STATUS   MOVE  CLOCK  WATCHING  TITLE\n"
			"k7m2q  zażółć  -    waiting  1     3+2    0\n"
			"abcde  ala     ola  playing  4     -      12        Hej\n"
			"There are more: add after=c1\n");
	assert_shows(*state, "{\"type\":\"ok\",\"to\":\"lobby\",\"rooms\":[]}",
			"No such rooms. To open one: create. To play whoever comes next: match\n");
}

#define STANDS(name)                                                                               \
	"{\"type\":\"ok\",\"to\":\"player\",\"name\":\"" name                                      \
	"\",\"online\":true,\"rating\":1500,"                                                      \
	"\"deviation\":350,\"games\":0,\"wins\":0,\"draws\":0,\"losses\":0}"

static void who_can_have_no_rating_is_told_without_one(void **state)
{
	assert_shows(*state, STANDS("bot-good"), "bot-good is here.\nBots have no rating.\n");
	assert_shows(*state, STANDS("guest-k7m2qx8p"),
			"guest-k7m2qx8p is here.\nGuests have no rating.\n");
	assert_shows(*state, STANDS("ala"),
			"ala is here.\nRating 1500, give or take 350; rated games: 0, won 0, drawn "
			"0, "
			"lost 0.\n");
}

static void lists_of_people_are_lines(void **state)
{
	assert_shows(*state,
			"{\"type\":\"ok\",\"to\":\"who\",\"online\":3,\"players\":[{\"name\":"
			"\"ala\","
			"\"room\":\"k7m2q\"},{\"name\":\"ola\"}]}",
			"Online: 3.\n  ala in room k7m2q\n  ola\n");
	assert_shows(*state, "{\"type\":\"ok\",\"to\":\"mute\",\"muted\":[\"ala\"]}",
			"Muted:\n  ala\n");
	assert_shows(*state, "{\"type\":\"ok\",\"to\":\"mute\",\"muted\":[]}",
			"Nobody is muted.\n");
	assert_shows(*state, "{\"type\":\"ok\",\"to\":\"ping\",\"now_ms\":86400000}",
			"The server answers; its time is 1970-01-02 00:00:00 UTC.\n");
}

static void what_events_tell_is_not_told_twice(void **state)
{
	assert_shows(*state, "{\"type\":\"ok\",\"to\":\"move\",\"room\":\"k7m2q\",\"seq\":5}", "");
}

static void help_tells_every_request_and_all_of_one(void **state)
{
	struct screen *screen = *state;

	look_begin(screen);
	view_help(&screen->view, "");
	look_end(screen);
	for (size_t i = 0; i < REQUEST_COUNT; i++) {
		const struct request_row *row = request_row((enum request_type)i);

		assert_int_equal(strstr(screen->shown, row->about) != NULL, !row->is_operators);
	}
	look_begin(screen);
	view_help(&screen->view, "Move");
	look_end(screen);
	assert_memory_equal(screen->shown, "move squares [room=...] [move=...]\n", 35);
	assert_non_null(strstr(screen->shown, "\n  squares   two squares, 1 to 9\n"));
}

static void more_rooms_than_can_be_remembered_push_out_the_first_that_is_over(void **state)
{
	struct screen *screen = *state;
	struct rooms *rooms = &screen->view.rooms;
	char id[ROOM_ID_SIZE];

	for (size_t i = 0; i < LIMIT_ROOMS_FOLLOWED; i++) {
		snprintf(id, sizeof(id), "room%zu", i);
		rooms_see(rooms, id);
	}
	rooms_find(rooms, "room3")->status = STATUS_OVER;
	rooms_see(rooms, "fresh");
	assert_int_equal(rooms->count, LIMIT_ROOMS_FOLLOWED);
	assert_null(rooms_find(rooms, "room3"));
	assert_non_null(rooms_find(rooms, "room0"));
	rooms_see(rooms, "other");
	assert_int_equal(rooms->count, LIMIT_ROOMS_FOLLOWED);
	assert_null(rooms_find(rooms, "room0"));
}

#define ON_SCREEN(test) cmocka_unit_test_setup_teardown(test, open_screen, close_screen)

int main(void)
{
	const struct CMUnitTest tests[] = {
			ON_SCREEN(the_game_begins_with_an_empty_board),
			ON_SCREEN(a_move_is_told_drawn_and_answered_for),
			ON_SCREEN(a_watcher_is_told_whose_turn_it_is),
			ON_SCREEN(the_one_who_measures_sees_his_choice),
			ON_SCREEN(the_other_one_sees_who_measures),
			ON_SCREEN(a_measurement_is_told_mark_by_mark),
			ON_SCREEN(the_last_board_is_drawn_with_what_led_to_it),
			ON_SCREEN(every_way_to_end_has_its_sentence),
			ON_SCREEN(ascii_has_no_other_characters),
			ON_SCREEN(what_people_do_is_told_in_a_line),
			ON_SCREEN(nobody_can_steer_the_terminal),
			ON_SCREEN(several_rooms_are_told_apart),
			ON_SCREEN(an_error_says_which_request_and_shows_the_board),
			ON_SCREEN(who_creates_a_room_sees_how_another_gets_in),
			ON_SCREEN(who_keeps_a_seat_for_somebody_is_told_for_whom),
			ON_SCREEN(nobody_else_is_invited_to_a_seat_that_is_known_to_be_kept),
			ON_SCREEN(the_lobby_is_a_table),
			ON_SCREEN(who_can_have_no_rating_is_told_without_one),
			ON_SCREEN(lists_of_people_are_lines),
			ON_SCREEN(what_events_tell_is_not_told_twice),
			ON_SCREEN(help_tells_every_request_and_all_of_one),
			ON_SCREEN(more_rooms_than_can_be_remembered_push_out_the_first_that_is_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
