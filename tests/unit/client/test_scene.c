#include <stdlib.h>
#include <string.h>

#include "client-cli/complete.h"
#include "client-cli/prompt.h"
#include "client-cli/show.h"
#include "client-cli/typed.h"
#include "client-cli/view.h"
#include "client-cli/vocabulary.h"
#include "protocol/decode.h"
#include "protocol/requests.h"
#include "tests/unit/game/cmocka_all.h"

/* A scene as ola has it, and the view that it learns with. */
struct stage {
	struct view view;
	struct scene scene;
	struct typed typed;
};

static int open_stage(void **state)
{
	struct stage *stage = calloc(1, sizeof(*stage));

	view_init(&stage->view, fopen("/dev/null", "w"), false, true);
	snprintf(stage->view.rooms.name, NAME_SIZE, "ola");
	scene_init(&stage->scene, &stage->view.rooms);
	*state = stage;
	return 0;
}

static int close_stage(void **state)
{
	struct stage *stage = *state;

	fclose(stage->view.out);
	free(stage);
	return 0;
}

static void hear(struct stage *stage, const char *line)
{
	struct message message;

	assert_true(decode_message(line, strlen(line), &message));
	view_message(&stage->view, &message, NULL);
	scene_learn(&stage->scene, &message, "");
	message_fini(&message);
}

static void assert_prompt(struct stage *stage, size_t columns, const char *expected)
{
	char text[PROMPT_SIZE];
	enum paint paint;

	prompt_text(&stage->scene, columns, text, &paint);
	assert_string_equal(text, expected);
}

#define SQUARES "\"squares\":[[\"X1\"],[],[],[],[\"X1\"],[],[],[],[]]"
#define NO_CHOICE "\"choices\":null,\"cycle\":null,\"outcomes\":null"
#define BOARD(move, turn)                                                                          \
	"\"board\":{\"move\":" move ",\"turn\":\"" turn "\",\"phase\":\"move\"," SQUARES           \
	"," NO_CHOICE "},\"clock\":null"
#define OF(room) "\"room\":\"" room "\",\"seq\":4,\"at_ms\":1,"
#define STARTED(room)                                                                              \
	"{\"type\":\"started\"," OF(room) "\"players\":{\"X\":\"ala\",\"O\":\"ola\"}," BOARD(      \
			"1", "X") "}"
#define MOVED                                                                                      \
	"{\"type\":\"moved\"," OF("k7m2q") "\"by\":\"X\",\"move\":1,\"squares\":[1,5]," BOARD(     \
			"2", "O") "}"
#define CYCLE                                                                                      \
	"{\"type\":\"moved\"," OF(                                                                 \
			"k7m2q") "\"by\":\"X\",\"move\":3,\"squares\":[1,9],\"board\":{\"move\":"  \
				 "3,\"turn\":\"O\",\"phase\":\"collapse\",\"squares\":[[\"X1\","   \
				 "\"X3\"],[],[],[],[\"X1\",\"O2\"],[],[],[],[\"O2\",\"X3\"]],"     \
				 "\"choices\":[1,9],\"cycle\":[1,5,9],\"outcomes\":[[[\"X3\",1],"  \
				 "[\"X1\",5],[\"O2\",9]],[[\"X3\",9],[\"O2\",5],[\"X1\",1]]]},"    \
				 "\"clock\":null}"
#define BY(type, seat) "{\"type\":\"" type "\"," OF("k7m2q") "\"by\":\"" seat "\"}"
#define ENDED                                                                                      \
	"{\"type\":\"ended\"," OF("k7m2q") "\"reason\":\"resign\",\"score\":{\"X\":1,\"O\":0},"    \
					   "\"lines\":[]," BOARD("2", "O") "}"
#define INVITED "{\"type\":\"invited\",\"room\":\"abcde\",\"player\":\"ela\",\"clock\":null}"

static void assert_refused(struct stage *stage, const char *line, const char *expected)
{
	typed_read(&stage->scene, line, &stage->typed);
	assert_int_equal(stage->typed.kind, TYPED_REFUSED);
	assert_string_equal(stage->typed.refusal, expected);
}

static const struct request *typed_request(
		struct stage *stage, const char *line, enum request_type type)
{
	typed_read(&stage->scene, line, &stage->typed);
	assert_int_equal(stage->typed.kind, TYPED_REQUEST);
	assert_int_equal(stage->typed.request.type, type);
	return &stage->typed.request;
}

static void an_operator_is_not_in_the_lobby(void **state)
{
	struct stage *stage = *state;

	stage->scene.operates = true;
	assert_prompt(stage, 80, "operator> ");
}

static void the_prompt_says_what_is_expected(void **state)
{
	struct stage *stage = *state;

	assert_prompt(stage, 80, "lobby> ");
	hear(stage, STARTED("k7m2q"));
	assert_prompt(stage, 80, "waiting for ala> ");
	hear(stage, MOVED);
	assert_prompt(stage, 80, "ola (O), move 2: two squares> ");
	hear(stage, CYCLE);
	assert_prompt(stage, 80, "ola (O), measure: 1 or 9> ");
	hear(stage, BY("draw_offered", "X"));
	assert_prompt(stage, 80, "ala offers a draw: y or n> ");
	hear(stage, BY("draw_declined", "O"));
	assert_prompt(stage, 80, "ola (O), measure: 1 or 9> ");
	hear(stage, ENDED);
	assert_prompt(stage, 80, "lobby> ");
	hear(stage, BY("rematch_offered", "X"));
	assert_prompt(stage, 80, "ala offers a rematch: y or n> ");
	hear(stage, "{\"type\":\"rematch\"," OF("k7m2q") "\"new\":\"m2345\"}");
	hear(stage, STARTED("m2345"));
	assert_prompt(stage, 80, "waiting for ala> ");
}

#define HELLO(name, rooms)                                                                         \
	"{\"type\":\"ok\",\"re\":1,\"to\":\"hello\",\"name\":\"" name "\",\"rooms\":[" rooms "]}"
#define STATE(o)                                                                                   \
	"{\"type\":\"state\"," OF(                                                                 \
			"k7m2q") "\"status\":\"playing\",\"players\":{\"X\":{\"name\":"            \
				 "\"ala\",\"online\":true},\"O\":{\"name\":\"" o                   \
				 "\",\"online\":true}},\"private\":false,"                         \
				 "\"settings\":{\"clock\":null}," BOARD("2",                       \
						 "O") ",\"spectators\":0,\"draw_offer\":null,"     \
						      "\"result\":null,\"chat\":[]}"

static void who_takes_another_name_watches_the_game_of_the_one_he_was(void **state)
{
	struct stage *stage = *state;

	hear(stage, STARTED("k7m2q"));
	hear(stage, MOVED);
	hear(stage, HELLO("ewa", ""));
	assert_prompt(stage, 80, "move 2: ola (O), watching k7m2q> ");
	assert_prompt(stage, 40, "watching k7m2q> ");
	hear(stage, CYCLE);
	assert_prompt(stage, 80, "ola (O) measures, watching k7m2q> ");
	hear(stage, HELLO("ola", "\"k7m2q\""));
	hear(stage, STATE("ola"));
	assert_prompt(stage, 80, "ola (O), move 2: two squares> ");
}

static void a_guest_who_takes_a_name_plays_on(void **state)
{
	struct stage *stage = *state;

	hear(stage, STARTED("k7m2q"));
	hear(stage, MOVED);
	hear(stage, HELLO("ewa", "\"k7m2q\""));
	assert_prompt(stage, 80, "ewa (O), move 2: two squares> ");
	hear(stage, STATE("ewa"));
	assert_prompt(stage, 80, "ewa (O), move 2: two squares> ");
}

static void who_asked_for_a_rematch_does_not_wait_for_one_who_is_away(void **state)
{
	struct stage *stage = *state;

	hear(stage, STARTED("k7m2q"));
	hear(stage, ENDED);
	hear(stage, BY("rematch_offered", "O"));
	assert_prompt(stage, 80, "waiting for ala> ");
	hear(stage, "{\"type\":\"presence\",\"room\":\"k7m2q\",\"player\":\"ala\",\"online\":"
		    "false,\"spectators\":0}");
	assert_prompt(stage, 80, "lobby> ");
}

static void a_name_is_given_up_after_a_yes_alone(void **state)
{
	struct stage *stage = *state;

	typed_read(&stage->scene, "forget", &stage->typed);
	assert_int_equal(stage->typed.kind, TYPED_REFUSED);
	assert_prompt(stage, 80, "give your name up: y or n> ");
	typed_read(&stage->scene, "n", &stage->typed);
	assert_string_equal(stage->typed.refusal, "You keep your name, ola.");
	typed_read(&stage->scene, "y", &stage->typed);
	assert_int_equal(stage->typed.kind, TYPED_REFUSED);
	typed_read(&stage->scene, "forget", &stage->typed);
	typed_read(&stage->scene, "who", &stage->typed);
	assert_prompt(stage, 80, "lobby> ");
	typed_read(&stage->scene, "forget ala", &stage->typed);
	assert_string_equal(stage->typed.refusal, "\"forget\" takes nothing else.");
	assert_prompt(stage, 80, "lobby> ");
	typed_read(&stage->scene, "forget", &stage->typed);
	typed_read(&stage->scene, "y", &stage->typed);
	assert_int_equal(stage->typed.kind, TYPED_REQUEST);
	assert_int_equal(stage->typed.request.type, REQUEST_FORGET);
	assert_prompt(stage, 80, "lobby> ");
}

static void what_is_no_answer_is_asked_again_before_a_name_is_given_up(void **state)
{
	static const char *const others[] = {"perhaps", "", "move", "help", "rules", "1 2 3",
			"board", "y n", "yes please", "no!"};
	struct stage *stage = *state;

	typed_read(&stage->scene, "forget", &stage->typed);
	assert_refused(stage, "perhaps", "That is no answer: y or n?");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		typed_read(&stage->scene, others[i], &stage->typed);
		assert_prompt(stage, 80, "give your name up: y or n> ");
	}
	assert_refused(stage, "nie", "You keep your name, ola.");
	assert_prompt(stage, 80, "lobby> ");
	assert_refused(stage, "perhaps", "There is no word perhaps. help lists them all.");
	typed_read(&stage->scene, "forget", &stage->typed);
	assert_int_equal(typed_request(stage, "tak", REQUEST_FORGET)->has, 0);
}

#define FOR_GOOD "That gives the name ola up for good: it can't be taken back."

static void who_gives_his_name_up_is_told_of_the_games_that_he_resigns(void **state)
{
	struct stage *stage = *state;

	assert_refused(stage, "forget", FOR_GOOD);
	hear(stage, STARTED("k7m2q"));
	assert_refused(stage, "forget", FOR_GOOD " With it you resign 1 running game.");
	hear(stage, STARTED("m2345"));
	assert_refused(stage, "forget", FOR_GOOD " With it you resign 2 running games.");
	hear(stage, ENDED);
	assert_refused(stage, "forget", FOR_GOOD " With it you resign 1 running game.");
}

static void a_narrow_prompt_leaves_a_third_for_the_line(void **state)
{
	struct stage *stage = *state;

	hear(stage, STARTED("k7m2q"));
	hear(stage, MOVED);
	assert_prompt(stage, 44, "ola (O), move 2: two squares> ");
	assert_prompt(stage, 43, "move 2: two squares> ");
	assert_prompt(stage, 12, "move 2> ");
}

static void several_games_are_told_apart_in_the_prompt(void **state)
{
	struct stage *stage = *state;

	hear(stage, STARTED("k7m2q"));
	hear(stage, STARTED("m2345"));
	assert_prompt(stage, 80, "[k7m2q] waiting for ala> ");
	typed_read(&stage->scene, "room M2345", &stage->typed);
	assert_int_equal(stage->typed.kind, TYPED_BOARD);
	assert_prompt(stage, 80, "[m2345] waiting for ala> ");
	typed_read(&stage->scene, "resign", &stage->typed);
	assert_string_equal(stage->typed.request.room, "m2345");
}

#define AGAINST_BOT                                                                                \
	"{\"type\":\"started\"," OF(                                                               \
			"k7m2q") "\"players\":{\"X\":\"bot-good\",\"O\":\"ola\"}," BOARD("1",      \
			"X") "}"

static void hint(struct stage *stage, enum typed_kind kind, const char *refusal)
{
	typed_read(&stage->scene, "hint", &stage->typed);
	assert_int_equal(stage->typed.kind, kind);
	assert_string_equal(stage->typed.refusal, refusal);
}

static void hints_are_for_games_against_bots(void **state)
{
	struct stage *stage = *state;

	hint(stage, TYPED_REFUSED, "You are in no game. create bot-good begins one against a bot.");
	hear(stage, STARTED("k7m2q"));
	hint(stage, TYPED_REFUSED,
			"There are hints in games against bots; this one is between people.");
	hear(stage, AGAINST_BOT);
	hint(stage, TYPED_HINT, "");
	assert_int_equal(stage->typed.request.type, REQUEST_ANALYSE);
	assert_string_equal(stage->typed.request.room, "k7m2q");
	hear(stage, ENDED);
	hint(stage, TYPED_REFUSED, "The game is over. analyse tells what each action was worth.");
}

static void a_record_to_analyse_is_not_about_the_room(void **state)
{
	struct stage *stage = *state;

	hear(stage, STARTED("k7m2q"));
	typed_read(&stage->scene, "analyse", &stage->typed);
	assert_string_equal(stage->typed.request.room, "k7m2q");
	typed_read(&stage->scene, "analyse record=1:X(1-2)", &stage->typed);
	assert_int_equal(stage->typed.kind, TYPED_REQUEST);
	assert_string_equal(stage->typed.request.room, "");
	typed_read(&stage->scene, "analyse actions=1-2", &stage->typed);
	assert_string_equal(stage->typed.request.room, "");
}

static void an_offer_of_a_draw_lapses_when_its_receiver_acts(void **state)
{
	struct stage *stage = *state;

	hear(stage, STARTED("k7m2q"));
	hear(stage, BY("draw_offered", "O"));
	assert_int_equal(scene_find(&stage->scene, "k7m2q")->draw_offer, SEAT_O);
	hear(stage, MOVED);
	assert_int_equal(scene_find(&stage->scene, "k7m2q")->draw_offer, SEAT_NONE);
}

static void numbers_alone_are_a_move_or_a_measurement(void **state)
{
	static const char *const moves[] = {"1 5", "1-5", "15", " 1, 5 ", "move 1 5"};
	struct stage *stage = *state;

	hear(stage, STARTED("k7m2q"));
	hear(stage, MOVED);
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		const struct request *request = typed_request(stage, moves[i], REQUEST_MOVE);

		assert_int_equal(request->square_count, 2);
		assert_int_equal(request->squares[0], 1);
		assert_int_equal(request->squares[1], 5);
		assert_string_equal(request->room, "k7m2q");
	}
	assert_int_equal(typed_request(stage, "5", REQUEST_MOVE)->square_count, 1);
	assert_refused(stage, "1 2 3",
			"A move has two squares, a measurement one, each from 1 to 9.");
	hear(stage, CYCLE);
	assert_int_equal(typed_request(stage, "9", REQUEST_COLLAPSE)->square, 9);
}

static void y_and_n_answer_what_was_asked(void **state)
{
	struct stage *stage = *state;

	assert_refused(stage, "y", "Nothing was asked.");
	hear(stage, INVITED);
	assert_prompt(stage, 80, "ela offers a game: y or n> ");
	assert_string_equal(typed_request(stage, "y", REQUEST_JOIN)->room, "abcde");
	assert_string_equal(typed_request(stage, "accept", REQUEST_JOIN)->room, "abcde");
	assert_string_equal(typed_request(stage, "decline", REQUEST_DECLINE)->room, "abcde");
	hear(stage, STARTED("k7m2q"));
	assert_refused(stage, "n", "Nothing was asked.");
	hear(stage, BY("draw_offered", "X"));
	assert_true(typed_request(stage, "YES", REQUEST_DRAW)->accept);
	assert_false(typed_request(stage, "no", REQUEST_DRAW)->accept);
	assert_true(typed_request(stage, "T", REQUEST_DRAW)->accept);
	assert_true(typed_request(stage, "tak", REQUEST_DRAW)->accept);
	assert_false(typed_request(stage, "nie", REQUEST_DRAW)->accept);
	hear(stage, ENDED);
	hear(stage, BY("rematch_offered", "X"));
	assert_string_equal(typed_request(stage, "y", REQUEST_REMATCH)->room, "k7m2q");
	typed_read(&stage->scene, "n", &stage->typed);
	assert_int_equal(stage->typed.kind, TYPED_GO);
	assert_int_equal(stage->typed.request.type, REQUEST_LEAVE);
}

static void chat_begins_with_an_apostrophe(void **state)
{
	struct stage *stage = *state;

	assert_string_equal(
			typed_request(stage, "'hello  there", REQUEST_SAY)->text, "hello  there");
	typed_read(&stage->scene, "'", &stage->typed);
	assert_int_equal(stage->typed.kind, TYPED_REFUSED);
}

static void the_lobby_is_followed_unless_told_otherwise(void **state)
{
	struct stage *stage = *state;

	assert_true(typed_request(stage, "lobby", REQUEST_LOBBY)->follow);
	assert_true(typed_request(stage, "lobby playing", REQUEST_LOBBY)->follow);
	assert_false(typed_request(stage, "lobby off", REQUEST_LOBBY)->follow);
}

static void a_wrong_word_gets_the_nearest_right_one(void **state)
{
	static const char *const rows[][2] = {{"mvoe", "move"}, {"colapse", "collapse"},
			{"LOBY", "lobby"}, {"macth", "match"}, {"whp", "who"}, {"quti", "quit"},
			{"wat", "watch"}, {"col", "collapse"}, {"RESI", "resign"}, {"xyzzy", NULL},
			{"ban", NULL}, {"q", NULL}, {"an-extremely-long-word", NULL},
			{"play", "match"}, {"PROFILE", "player"}, {"pomoc", "help"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char told[VOCABULARY_SENTENCE_SIZE];
		char expected[VOCABULARY_SENTENCE_SIZE];

		snprintf(expected, sizeof(expected),
				rows[i][1] ? "There is no word %s. Did you mean %s?"
					   : "There is no word %s. help lists them all.",
				rows[i][0], rows[i][1]);
		vocabulary_refuse(rows[i][0], strlen(rows[i][0]), told);
		assert_string_equal(told, expected);
	}
	assert_refused(*state, "mvoe 1 5", "There is no word mvoe. Did you mean move?");
	assert_refused(*state, "xyzzy", "There is no word xyzzy. help lists them all.");
	assert_refused(*state, "watch", "It goes: watch ROOM");
	assert_refused(*state, "mute on=no", "\"mute\" takes name, on. It goes: mute NAME [on=no]");
	assert_refused(*state, "mute",
			"Whom? mute NAME, or mute NAME on=no to hear from him again. Either lists "
			"all whom you muted.");
	assert_refused(*state, "exit now", "\"quit\" takes nothing else.");
}

static void every_word_has_help_and_is_taken(void **state)
{
	struct stage *stage = *state;
	struct vocabulary_word word;
	size_t requests = 0;
	size_t expected = 0;

	for (size_t i = 0; vocabulary_at(i, &word); i++) {
		char *text = NULL;
		size_t size = 0;
		struct show show = {.out = open_memstream(&text, &size), .columns = 40};

		requests += request_type_of(word.word, strlen(word.word)) != REQUEST_COUNT;
		show_help(&show, word.word);
		fclose(show.out);
		assert_non_null(strstr(text, word.word));
		free(text);
		typed_read(&stage->scene, word.word, &stage->typed);
		assert_null(strstr(stage->typed.refusal, "There is no word"));
	}
	for (int type = 0; type < REQUEST_COUNT; type++) {
		expected += request_is_for(false, (enum request_type)type);
	}
	/* `text` alone is not for a terminal. */
	assert_int_equal(requests, expected - 1);
}

static void assert_completes(
		struct stage *stage, const char *line, size_t count, const char *common)
{
	static struct completion completion;

	complete(&stage->scene, line, strlen(line), &completion);
	assert_int_equal(completion.count, count);
	assert_string_equal(completion.common, common);
}

static void words_names_rooms_and_squares_are_completed(void **state)
{
	struct stage *stage = *state;

	assert_completes(stage, "coll", 1, "collapse");
	assert_completes(stage, "re", 2, "re");
	assert_completes(stage, "xyz", 0, "");
	assert_completes(stage, "help cr", 1, "create");
	hear(stage, INVITED);
	assert_completes(stage, "accept a", 1, "abcde");
	assert_completes(stage, "mute E", 1, "ela");
	assert_completes(stage, "create bot-", 3, "bot-");
	hear(stage, STARTED("k7m2q"));
	hear(stage, CYCLE);
	assert_completes(stage, "collapse ", 2, "");
	assert_completes(stage, "collapse 9", 1, "9");
	assert_completes(stage, "leave k", 1, "k7m2q");
}

static void what_was_met_is_forgotten_at_the_limit(void **state)
{
	struct stage *stage = *state;
	char line[160];

	for (int i = 0; i <= SCENE_NAMES_MAX; i++) {
		snprintf(line, sizeof(line),
				"{\"type\":\"said\",\"room\":\"k7m2q\",\"player\":\"p%d\","
				"\"seat\":null,\"text\":\"x\"}",
				i);
		hear(stage, line);
	}
	assert_int_equal(stage->scene.name_count, SCENE_NAMES_MAX);
	assert_string_equal(stage->scene.names[0], "p1");
	for (int i = 0; i <= SCENE_INVITATIONS_MAX; i++) {
		snprintf(line, sizeof(line),
				"{\"type\":\"invited\",\"room\":\"abcd%d\",\"player\":\"ela\","
				"\"clock\":null}",
				i + 2);
		hear(stage, line);
	}
	assert_int_equal(stage->scene.invitation_count, SCENE_INVITATIONS_MAX);
	assert_string_equal(stage->scene.invitations[0].room, "abcd3");
}

static void an_invitation_whose_room_is_gone_is_asked_no_more(void **state)
{
	struct stage *stage = *state;

	hear(stage, INVITED);
	assert_prompt(stage, 80, "ela offers a game: y or n> ");
	hear(stage, "{\"type\":\"lobby\",\"change\":\"removed\",\"room\":\"abcde\","
		    "\"status\":\"over\",\"players\":{\"X\":\"ela\",\"O\":null},"
		    "\"clock\":null,\"move\":0,\"spectators\":0,\"created_ms\":1}");
	assert_prompt(stage, 80, "lobby> ");
}

static void long_lines_break_at_blanks_and_hang(void **state)
{
	char *text = NULL;
	size_t size = 0;
	struct show show = {.out = open_memstream(&text, &size), .columns = 13};

	(void)state;
	show_line(&show, PAINT_PLAIN, 2, "one two three four abcdefghijklmnop");
	show_line(&show, PAINT_PLAIN, 2, "");
	fclose(show.out);
	assert_string_equal(text, "one two\n  three four\n  abcdefghij\n  klmnop\n\n");
	free(text);
}

#define ON_STAGE(test) cmocka_unit_test_setup_teardown(test, open_stage, close_stage)

int main(void)
{
	const struct CMUnitTest tests[] = {
			ON_STAGE(an_operator_is_not_in_the_lobby),
			ON_STAGE(the_prompt_says_what_is_expected),
			ON_STAGE(who_takes_another_name_watches_the_game_of_the_one_he_was),
			ON_STAGE(a_guest_who_takes_a_name_plays_on),
			ON_STAGE(who_asked_for_a_rematch_does_not_wait_for_one_who_is_away),
			ON_STAGE(a_name_is_given_up_after_a_yes_alone),
			ON_STAGE(who_gives_his_name_up_is_told_of_the_games_that_he_resigns),
			ON_STAGE(what_is_no_answer_is_asked_again_before_a_name_is_given_up),
			ON_STAGE(a_narrow_prompt_leaves_a_third_for_the_line),
			ON_STAGE(several_games_are_told_apart_in_the_prompt),
			ON_STAGE(hints_are_for_games_against_bots),
			ON_STAGE(a_record_to_analyse_is_not_about_the_room),
			ON_STAGE(an_offer_of_a_draw_lapses_when_its_receiver_acts),
			ON_STAGE(numbers_alone_are_a_move_or_a_measurement),
			ON_STAGE(y_and_n_answer_what_was_asked),
			ON_STAGE(chat_begins_with_an_apostrophe),
			ON_STAGE(the_lobby_is_followed_unless_told_otherwise),
			ON_STAGE(a_wrong_word_gets_the_nearest_right_one),
			ON_STAGE(an_invitation_whose_room_is_gone_is_asked_no_more),
			ON_STAGE(every_word_has_help_and_is_taken),
			ON_STAGE(words_names_rooms_and_squares_are_completed),
			ON_STAGE(what_was_met_is_forgotten_at_the_limit),
			cmocka_unit_test(long_lines_break_at_blanks_and_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
