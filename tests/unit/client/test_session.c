#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client-cli/session.h"
#include "tests/unit/game/cmocka_all.h"

/* A session whose server is a socket that the test wrote to beforehand. What the test says is
 * buffered there, so one thread is enough. */
struct stage {
	struct options options;
	struct link link;
	struct session session;
	int server;
	FILE *input;
	FILE *out;
	char *text;
	size_t size;
};

static int open_stage(void **state)
{
	struct stage *stage = calloc(1, sizeof(*stage));
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) {
		return -1;
	}
	stage->server = pair[1];
	stage->input = tmpfile();
	stage->out = open_memstream(&stage->text, &stage->size);
	link_take_fd(&stage->link, pair[0]);
	session_init(&stage->session, &stage->options, &stage->link, stage->out);
	*state = stage;
	return 0;
}

static int close_stage(void **state)
{
	struct stage *stage = *state;

	session_fini(&stage->session);
	link_close(&stage->link);
	fclose(stage->input);
	fclose(stage->out);
	close(stage->server);
	free(stage->text);
	free(stage);
	return 0;
}

/* Run with this input against a server that answers so and closes. */
static enum exit_status run(struct stage *stage, const char *input, const char *answers)
{
	enum exit_status status;

	assert_int_equal(write(stage->server, answers, strlen(answers)), strlen(answers));
	assert_int_equal(shutdown(stage->server, SHUT_WR), 0);
	/* All that is sent must be in the socket before its end is read. */
	fputs(input, stage->input);
	rewind(stage->input);
	while (!stage->session.input.at_end) {
		assert_int_equal(lines_fill(&stage->session.input, fileno(stage->input)), 0);
	}
	status = session_run(&stage->session, fileno(stage->input));
	fflush(stage->out);
	return status;
}

static void assert_sent(const struct stage *stage, const char *expected)
{
	char sent[8192];
	ssize_t count = recv(stage->server, sent, sizeof(sent) - 1, MSG_DONTWAIT);

	sent[count > 0 ? count : 0] = '\0';
	assert_string_equal(sent, expected);
}

/* The session reads what the server says. */
static void hear(struct stage *stage, const char *lines)
{
	assert_int_equal(write(stage->server, lines, strlen(lines)), strlen(lines));
	assert_int_equal(lines_fill(&stage->session.server, stage->link.fd), 0);
	session_take_server(&stage->session);
}

#define PONG(re) "{\"type\":\"ok\",\"re\":" re ",\"to\":\"ping\",\"now_ms\":0}\n"
#define NO(re)                                                                                     \
	"{\"type\":\"error\",\"re\":" re ",\"to\":\"move\",\"code\":\"not_in_room\","              \
	"\"message\":\"No.\"}\n"
#define BYE(reason) "{\"type\":\"bye\",\"reason\":\"" reason "\"}\n"

static void an_answered_request_is_fine(void **state)
{
	assert_int_equal(run(*state, "ping\n", PONG("1")), EXIT_FINE);
	assert_sent(*state, "{\"type\":\"ping\",\"id\":1}\n");
}

static void the_last_line_needs_no_newline(void **state)
{
	assert_int_equal(run(*state, "ping\r\n\nping", PONG("1") PONG("2")), EXIT_FINE);
	assert_sent(*state, "{\"type\":\"ping\",\"id\":1}\n{\"type\":\"ping\",\"id\":2}\n");
}

static void an_unanswered_request_is_a_lost_connection(void **state)
{
	assert_int_equal(run(*state, "ping\nping\n", PONG("1")), EXIT_LOST);
}

static void a_server_that_says_nothing_is_none(void **state)
{
	assert_int_equal(run(*state, "", ""), EXIT_LOST);
}

static void the_last_request_decides_whether_it_was_refused(void **state)
{
	assert_int_equal(run(*state, "ping\nmove 1 2\n", PONG("1") NO("2")), EXIT_REFUSED);
}

static void a_refusal_before_the_last_request_is_fine(void **state)
{
	struct stage *stage = *state;

	assert_int_equal(run(stage, "move 1 2\nping\n", NO("1") PONG("2")), EXIT_FINE);
	assert_memory_equal(stage->text, "move 1 2 was refused: No. (not_in_room)\n", 40);
}

static void bad_words_are_refused_and_the_session_goes_on(void **state)
{
	struct stage *stage = *state;

	assert_int_equal(run(stage, "jump\nping\n", PONG("2")), EXIT_FINE);
	assert_memory_equal(stage->text, "jump was refused: ", 18);
	assert_sent(stage, "{\"type\":\"ping\",\"id\":2}\n");
}

static void bad_words_at_the_end_are_a_refusal(void **state)
{
	assert_int_equal(run(*state, "ping\njump\n", PONG("1")), EXIT_REFUSED);
}

static void a_line_at_the_limit_is_read_and_a_longer_one_refused(void **state)
{
	static char input[2 * LIMIT_LINE_BYTES];
	struct stage *stage = *state;

	/* "ping", blanks, LF: exactly the limit, then one byte more. */
	snprintf(input, sizeof(input), "ping%*s\n", LIMIT_LINE_BYTES - 5, "");
	snprintf(input + LIMIT_LINE_BYTES, sizeof(input) - LIMIT_LINE_BYTES, "x%*s\n",
			LIMIT_LINE_BYTES - 5, "");
	input[2 * LIMIT_LINE_BYTES - 3] = '\n';
	assert_int_equal(run(stage, input, PONG("1")), EXIT_REFUSED);
	assert_sent(stage, "{\"type\":\"ping\",\"id\":1}\n");
}

static void answers_to_bare_json_are_matched_in_order(void **state)
{
	struct stage *stage = *state;

	assert_int_equal(run(stage, "{\"type\":\"move\",\"squares\":[1,2]}\n{\"type\":\"ping\"}\n",
					 "{\"type\":\"error\",\"to\":\"move\",\"code\":\"not_in_"
					 "room\","
					 "\"message\":\"No.\"}\n"
					 "{\"type\":\"ok\",\"to\":\"ping\",\"now_ms\":0}\n"),
			EXIT_FINE);
	assert_memory_equal(stage->text, "move was refused: No. (not_in_room)\n", 36);
}

static void an_answer_that_is_not_known_is_shown_as_it_came(void **state)
{
	struct stage *stage = *state;

	assert_int_equal(run(stage, "{\"type\":\"later\"}\n",
					 "{\"type\":\"dawn\"}\n{\"type\":\"ok\",\"to\":\"later\"}"
					 "\n"),
			EXIT_FINE);
	assert_string_equal(stage->text, "{\"type\":\"ok\",\"to\":\"later\"}\n");
}

static void a_quit_is_the_last_thing_sent(void **state)
{
	assert_int_equal(
			run(*state, "quit\nping\n",
					"{\"type\":\"ok\",\"re\":1,\"to\":\"quit\"}\n" BYE("quit")),
			EXIT_FINE);
	assert_sent(*state, "{\"type\":\"quit\",\"id\":1}\n");
}

static void half_a_line_of_a_server_that_goes_is_not_shown(void **state)
{
	struct stage *stage = *state;

	assert_int_equal(run(stage, "ping\n", "{\"type\":\"ok\",\"re\":1,\"to\":\"pi"), EXIT_LOST);
	assert_string_equal(stage->text, "");
}

static void half_a_line_is_no_line_in_json_either(void **state)
{
	struct stage *stage = *state;

	stage->options.json = true;
	assert_int_equal(run(stage, "ping\n", "{\"type\":\"dawn\"}\n{\"type\":\"ok\",\"re\":1"),
			EXIT_LOST);
	assert_string_equal(stage->text, "{\"type\":\"dawn\"}\n");
}

static void a_server_that_shuts_down_is_a_lost_connection(void **state)
{
	assert_int_equal(run(*state, "ping\n", PONG("1") BYE("shutdown")), EXIT_LOST);
}

static void json_prints_the_servers_lines_alone(void **state)
{
	struct stage *stage = *state;

	stage->options.json = true;
	assert_int_equal(run(stage, "ping\nhelp\n",
					 "{\"type\":\"dawn\", \"x\":1}\n" PONG("1") PONG("2")),
			EXIT_FINE);
	assert_string_equal(stage->text, "{\"type\":\"dawn\", \"x\":1}\n" PONG("1") PONG("2"));
	assert_sent(stage, "{\"type\":\"ping\",\"id\":1}\n{\"type\":\"help\",\"id\":2}\n");
}

static void no_more_is_sent_than_may_wait_for_an_answer(void **state)
{
	static char input[8 * (SESSION_WAITING_MAX + 1)];
	struct stage *stage = *state;

	for (size_t i = 0; i <= SESSION_WAITING_MAX; i++) {
		strcat(input, "ping\n");
	}
	fputs(input, stage->input);
	rewind(stage->input);
	assert_int_equal(lines_fill(&stage->session.input, fileno(stage->input)), 0);
	session_take_input(&stage->session);
	assert_int_equal(stage->session.waiting_count, SESSION_WAITING_MAX);
	assert_false(stage->session.input_ended);
	assert_int_equal(write(stage->server, PONG("1"), strlen(PONG("1"))), strlen(PONG("1")));
	assert_int_equal(lines_fill(&stage->session.server, stage->link.fd), 0);
	session_take_server(&stage->session);
	assert_int_equal(stage->session.waiting_count, SESSION_WAITING_MAX - 1);
	session_take_input(&stage->session);
	assert_int_equal(stage->session.number, SESSION_WAITING_MAX + 1);
}

static void a_new_token_goes_into_its_file_and_not_to_the_screen(void **state)
{
	struct stage *stage = *state;
	char path[] = "/tmp/qttt-session-XXXXXX";
	char kept[64] = "";
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "r");

	stage->options.token_file = path;
	stage->session.view.hides_token = true;
	assert_int_equal(run(stage, "hello ala\n",
					 "{\"type\":\"ok\",\"re\":1,\"to\":\"hello\",\"name\":"
					 "\"ala\","
					 "\"token\":\"0123456789012345678901\",\"rooms\":[]}\n"),
			EXIT_FINE);
	file = freopen(path, "r", file);
	assert_non_null(fgets(kept, sizeof(kept), file));
	assert_string_equal(kept, "0123456789012345678901\n");
	assert_string_equal(stage->text, "You are ala.\n");
	fclose(file);
	unlink(path);
}

/* A game of one move, and what it was worth. */
#define AGAIN(seq) "\"room\":\"k7m2q\",\"seq\":" seq ",\"at_ms\":1,"
#define EMPTY "[[],[],[],[],[],[],[],[],[]]"
#define START                                                                                      \
	"{\"move\":1,\"turn\":\"X\",\"phase\":\"move\",\"squares\":" EMPTY                         \
	",\"choices\":null,\"cycle\":null,\"outcomes\":null}"
#define EVENTS                                                                                     \
	"{\"type\":\"opened\"," AGAIN(                                                             \
			"1") "\"player\":\"ala\",\"private\":false,\"clock\":null}\n"              \
			     "{\"type\":\"moved\"," AGAIN(                                         \
					     "2") "\"by\":\"X\",\"move\":1,\"squares\":[1,2],"     \
						  "\"board\":" START ",\"clock\":null}\n"
#define LIVE "{\"type\":\"draw_offered\"," AGAIN("3") "\"by\":\"X\"}\n"
#define STATE(re)                                                                                  \
	"{\"type\":\"ok\",\"re\":" re ",\"to\":\"state\",\"room\":\"k7m2q\",\"state\":{"           \
	"\"room\":\"k7m2q\",\"seq\":2,\"at_ms\":1,\"status\":\"over\",\"players\":{\"X\":{"        \
	"\"name\":"                                                                                \
	"\"ala\",\"online\":true},\"O\":{\"name\":\"bot-good\",\"online\":true}},\"private\":"     \
	"false,"                                                                                   \
	"\"settings\":{\"clock\":null},\"clock\":null,\"spectators\":0,\"draw_offer\":null,"       \
	"\"board\":" START ",\"result\":null,\"chat\":[]}}\n"
#define VALUES(re)                                                                                 \
	"{\"type\":\"ok\",\"re\":" re ",\"to\":\"analyse\",\"board\":" START                       \
	",\"value\":0,\"each\":[],\"steps\":[0.5,0]}\n"
#define TABLE                                                                                      \
	"       action       worth   gave away\n"                                                  \
	"       start        X +½\n"                                                              \
	"1   X  1-2          draw    X ½\n"                                                       \
	"\n"                                                                                       \
	"ala (X) gave away ½: ½ by move 1 (1-2).\n"                                              \
	"bot-good (O) gave away nothing.\n"

static void to_analyse_a_room_shows_its_actions_with_their_values(void **state)
{
	struct stage *stage = *state;

	assert_int_equal(run(stage, "analyse K7M2Q\n", EVENTS STATE("1") VALUES("2")), EXIT_FINE);
	assert_string_equal(stage->text, TABLE);
	assert_sent(stage, "{\"type\":\"state\",\"id\":1,\"room\":\"k7m2q\",\"since\":0}\n"
			   "{\"type\":\"analyse\",\"id\":2,\"room\":\"k7m2q\",\"steps\":true}\n");
}

static void what_happens_after_a_games_events_is_shown_as_ever(void **state)
{
	struct stage *stage = *state;

	assert_int_equal(run(stage, "analyse\n", EVENTS STATE("1") LIVE VALUES("2")), EXIT_FINE);
	assert_memory_equal(stage->text, "X offers a draw", 15);
	assert_non_null(strstr(stage->text, TABLE));
}

static void what_comes_after_an_analysis_waits_for_it(void **state)
{
	static const char answers[] = STATE("1") VALUES("2");
	struct stage *stage = *state;

	fputs("analyse\nping\n", stage->input);
	rewind(stage->input);
	assert_int_equal(lines_fill(&stage->session.input, fileno(stage->input)), 0);
	session_take_input(&stage->session);
	assert_int_equal(stage->session.number, 2);
	assert_false(session_may_send(&stage->session));
	assert_int_equal(write(stage->server, answers, strlen(answers)), strlen(answers));
	assert_int_equal(lines_fill(&stage->session.server, stage->link.fd), 0);
	session_take_server(&stage->session);
	session_take_input(&stage->session);
	assert_int_equal(stage->session.number, 3);
}

static void an_analysis_that_is_refused_is_told_once(void **state)
{
	struct stage *stage = *state;

	assert_int_equal(run(stage, "analyse k7m2q\n",
					 "{\"type\":\"error\",\"re\":1,\"to\":\"state\",\"code\":"
					 "\"no_such_room\",\"message\":\"No.\"}\n"
					 "{\"type\":\"error\",\"re\":2,\"to\":\"analyse\",\"code\":"
					 "\"no_such_room\",\"message\":\"No.\"}\n"),
			EXIT_REFUSED);
	assert_string_equal(stage->text, "analyse k7m2q was refused: No. (no_such_room)\n");
	assert_true(session_may_send(&stage->session));
}

static void an_analysis_fits_where_one_request_may_still_wait(void **state)
{
	static char input[8 * (SESSION_WAITING_MAX + 1)];
	struct stage *stage = *state;

	for (size_t i = 0; i + 1 < SESSION_WAITING_MAX; i++) {
		strcat(input, "ping\n");
	}
	strcat(input, "analyse\n");
	fputs(input, stage->input);
	rewind(stage->input);
	assert_int_equal(lines_fill(&stage->session.input, fileno(stage->input)), 0);
	session_take_input(&stage->session);
	assert_int_equal(stage->session.waiting_count, SESSION_WAITING_MAX + 1);
	assert_false(session_may_send(&stage->session));
}

/* A program's, so that no token is chosen by chance. */
static void begin_as_ala(struct stage *stage)
{
	stage->options = (struct options){.name = "ala", .match = true, .json = true};
	session_begin(&stage->session, "");
}

#define HELLO "{\"type\":\"hello\",\"id\":1,\"name\":\"ala\"}\n"
#define TAKEN                                                                                      \
	"{\"type\":\"error\",\"re\":1,\"to\":\"hello\",\"code\":\"name_taken\","                   \
	"\"message\":\"It is taken.\"}\n"

static void nobody_plays_under_another_name_than_he_asked_for(void **state)
{
	struct stage *stage = *state;

	begin_as_ala(stage);
	assert_int_equal(run(stage, "ping\n", TAKEN PONG("2")), EXIT_REFUSED);
	assert_sent(stage, HELLO);
	assert_true(stage->session.turned_away);
}

static void what_the_options_ask_for_comes_after_the_name_and_before_the_input(void **state)
{
	struct stage *stage = *state;

	begin_as_ala(stage);
	fputs("ping\n", stage->input);
	rewind(stage->input);
	assert_int_equal(lines_fill(&stage->session.input, fileno(stage->input)), 0);
	session_take_input(&stage->session);
	link_flush(&stage->link);
	assert_sent(stage, HELLO);
	hear(stage, "{\"type\":\"ok\",\"re\":1,\"to\":\"hello\",\"name\":\"ala\",\"rooms\":[]}\n");
	session_take_input(&stage->session);
	link_flush(&stage->link);
	assert_sent(stage, "{\"type\":\"match\",\"id\":2}\n{\"type\":\"ping\",\"id\":3}\n");
}

static void a_server_without_room_for_a_connection_has_not_refused_the_name(void **state)
{
	struct stage *stage = *state;

	begin_as_ala(stage);
	assert_int_equal(run(stage, "",
					 "{\"type\":\"error\",\"code\":\"too_many_connections\","
					 "\"message\":\"Full.\"}\n"),
			EXIT_LOST);
	assert_false(stage->session.turned_away);
}

static void the_options_lead_to_a_bot(void **state)
{
	struct stage *stage = *state;

	stage->options.bot = "perfect";
	session_go_in(&stage->session);
	stage->options.side = "O";
	session_go_in(&stage->session);
	link_flush(&stage->link);
	assert_sent(stage, "{\"type\":\"create\",\"id\":1,\"opponent\":\"bot-perfect\"}\n"
			   "{\"type\":\"create\",\"id\":2,\"opponent\":\"bot-perfect\",\"side\":"
			   "\"O\"}\n");
}

#define ON_STAGE(test) cmocka_unit_test_setup_teardown(test, open_stage, close_stage)

int main(void)
{
	const struct CMUnitTest tests[] = {
			ON_STAGE(an_answered_request_is_fine),
			ON_STAGE(the_last_line_needs_no_newline),
			ON_STAGE(an_unanswered_request_is_a_lost_connection),
			ON_STAGE(a_server_that_says_nothing_is_none),
			ON_STAGE(the_last_request_decides_whether_it_was_refused),
			ON_STAGE(a_refusal_before_the_last_request_is_fine),
			ON_STAGE(bad_words_are_refused_and_the_session_goes_on),
			ON_STAGE(bad_words_at_the_end_are_a_refusal),
			ON_STAGE(a_line_at_the_limit_is_read_and_a_longer_one_refused),
			ON_STAGE(answers_to_bare_json_are_matched_in_order),
			ON_STAGE(an_answer_that_is_not_known_is_shown_as_it_came),
			ON_STAGE(a_quit_is_the_last_thing_sent),
			ON_STAGE(a_server_that_shuts_down_is_a_lost_connection),
			ON_STAGE(half_a_line_of_a_server_that_goes_is_not_shown),
			ON_STAGE(half_a_line_is_no_line_in_json_either),
			ON_STAGE(json_prints_the_servers_lines_alone),
			ON_STAGE(no_more_is_sent_than_may_wait_for_an_answer),
			ON_STAGE(to_analyse_a_room_shows_its_actions_with_their_values),
			ON_STAGE(what_happens_after_a_games_events_is_shown_as_ever),
			ON_STAGE(what_comes_after_an_analysis_waits_for_it),
			ON_STAGE(an_analysis_that_is_refused_is_told_once),
			ON_STAGE(an_analysis_fits_where_one_request_may_still_wait),
			ON_STAGE(nobody_plays_under_another_name_than_he_asked_for),
			ON_STAGE(what_the_options_ask_for_comes_after_the_name_and_before_the_input),
			ON_STAGE(a_server_without_room_for_a_connection_has_not_refused_the_name),
			ON_STAGE(the_options_lead_to_a_bot),
			ON_STAGE(a_new_token_goes_into_its_file_and_not_to_the_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
