#include <stdio.h>
#include <string.h>

#include "protocol/encode.h"
#include "protocol/requests.h"
#include "protocol/tell.h"
#include "protocol/text.h"
#include "with_cmocka.h"

static const struct tell_room room = {
		.id = "k7m2q",
		.seat = SEAT_X,
		.players = {"ala", "ola"},
		.status = STATUS_PLAYING,
};

static int begin(void **state)
{
	static struct tell tell;

	tell_init(&tell);
	tell.bare = true;
	tell.room = &room;
	*state = &tell;
	return 0;
}

static int end(void **state)
{
	tell_fini(*state);
	return 0;
}

/* What was told since the last call, NUL-ended. */
static const char *told(struct tell *tell)
{
	writer_put_char(&tell->text, '\0');
	tell->text.length = 0;
	return tell->text.data;
}

/* One line or more, each clean, marked, and with something in it. */
static void assert_told(struct tell *tell)
{
	const char *line = told(tell);

	assert_true(*line != '\0');
	for (const char *newline; *line != '\0'; line = newline + 1) {
		newline = strchr(line, '\n');
		assert_non_null(newline);
		assert_memory_equal(line, "# ", 2);
		assert_true(newline > line + 2);
		assert_null(memmem(line, (size_t)(newline - line), "(null)", 6));
	}
}

static void make_event(enum event_type type, struct event *ret)
{
	*ret = (struct event){.type = type, .room = "k7m2q", .seq = 1};
	if (type == EVENT_MOVED) {
		ret->moved.by = SEAT_O;
	} else if (type == EVENT_STATE) {
		ret->state.status = STATUS_PLAYING;
	} else if (type == EVENT_SEATED) {
		ret->seated.seat = SEAT_X;
	} else if (type == EVENT_DRAW_OFFERED) {
		ret->by = SEAT_O;
	}
}

static void every_event_has_a_sentence_also_when_it_is_past(void **state)
{
	struct tell *tell = *state;

	for (int type = 0; type < EVENT_COUNT; type++) {
		struct event event;

		make_event((enum event_type)type, &event);
		tell->brief = false;
		tell_event(tell, &event);
		assert_told(tell);
		tell->brief = true;
		tell_event(tell, &event);
		assert_told(tell);
	}
}

/* The requests of which only the events that follow tell more. */
static const bool is_plain[REQUEST_COUNT] = {
		[REQUEST_QUIT] = true,
		[REQUEST_MOVE] = true,
		[REQUEST_COLLAPSE] = true,
		[REQUEST_RESIGN] = true,
		[REQUEST_ABORT] = true,
		[REQUEST_DRAW] = true,
		[REQUEST_CLAIM] = true,
		[REQUEST_REMATCH] = true,
		[REQUEST_SAY] = true,
};

static void every_reply_has_a_sentence(void **state)
{
	static const struct snapshot snapshot = {.room = "k7m2q", .status = STATUS_PLAYING};
	static const enum request_type asked[] = {REQUEST_MOVE};
	static const struct board board = {.move = 1, .turn = SEAT_X};
	static const struct game_row game = {.room = "k7m2q"};
	static const struct standing standing = {.name = "ala"};
	static const struct stats stats = {.version = "0.1.0"};
	struct tell *tell = *state;

	for (int type = 0; type < REQUEST_COUNT; type++) {
		struct ok ok = {
				.to = (enum request_type)type,
				.name = "ala",
				.room = "k7m2q",
				.state = &snapshot,
				.request_count = 1,
				.requests = asked,
				.board = &board,
				.game = &game,
				.standing = &standing,
				.stats = &stats,
		};
		char plain[64];

		tell_ok(tell, &ok);
		snprintf(plain, sizeof(plain), "# ok: %s\n",
				request_row((enum request_type)type)->name);
		assert_int_equal(strcmp(told(tell), plain) == 0, is_plain[type]);
		tell_ok(tell, &ok);
		assert_told(tell);
	}
}

static void worth_is_told_best_first_for_whose_turn_it_is(void **state)
{
	static const struct board board = {.move = 4, .turn = SEAT_O};
	static const struct action_value each[] = {
			{{.square_count = 2, .squares = {1, 2}}, 4},
			{{.square_count = 2, .squares = {1, 3}}, -1},
			{{.square_count = 2, .squares = {2, 3}}, 0},
			{{.square_count = 2, .squares = {3, 9}}, -1},
	};
	static const int8_t steps[] = {1, 0, 0, -1};
	struct ok ok = {.to = REQUEST_ANALYSE,
			.board = &board,
			.half_points = -1,
			.each_count = 4,
			.each = each,
			.step_count = 4,
			.steps = steps};
	struct tell *tell = *state;

	tell_ok(tell, &ok);
	assert_non_null(strstr(told(tell), "# If both play perfectly: O wins by ½.\n"
					   "#   O wins by ½: 1-3 3-9\n"
					   "#   a draw: 2-3\n"
					   "#   X wins by 2: 1-2\n"
					   "# What it was worth after so many actions:\n"
					   "#   after 0: X wins by ½\n"
					   "#   after 1: a draw\n"
					   "#   after 2: a draw\n"
					   "#   after 3: O wins by ½\n"));
}

static void a_measurement_and_a_game_that_is_over_have_their_worth(void **state)
{
	static const struct board measured = {
			.move = 2, .turn = SEAT_X, .phase = PHASE_COLLAPSE, .choices = {1, 5}};
	static const struct board over = {.move = 9, .phase = PHASE_OVER};
	static const struct action_value each[] = {{{.square = 1}, 1}, {{.square = 5}, 1}};
	struct ok ok = {.to = REQUEST_ANALYSE,
			.board = &measured,
			.half_points = 1,
			.each_count = 2,
			.each = each};
	struct tell *tell = *state;

	tell->ascii = true;
	tell_ok(tell, &ok);
	assert_non_null(strstr(told(tell), "#   X wins by 0.5: 1 5\n"));
	ok = (struct ok){.to = REQUEST_ANALYSE, .board = &over, .half_points = 0};
	tell_ok(tell, &ok);
	assert_non_null(strstr(told(tell), "# It ended so: a draw.\n"));
}

static void every_code_has_a_sentence(void **state)
{
	struct tell *tell = *state;

	for (int code = CODE_NONE + 1; code < CODE_COUNT; code++) {
		struct error error = {.code = (enum code)code, .has_retry = true, .retry_ms = 1};
		char expected[256];

		tell_error(tell, &error, "move");
		snprintf(expected, sizeof(expected),
				"# move was refused: %s (%s)\n# Try again in 1 s.\n",
				code_sentence(error.code), code_word(error.code));
		assert_string_equal(told(tell), expected);
		error.has_board = true;
		tell_error(tell, &error, NULL);
		assert_told(tell);
	}
}

static void every_end_and_every_goodbye_has_a_sentence(void **state)
{
	struct tell *tell = *state;
	struct event event = {.type = EVENT_ENDED, .room = "k7m2q"};

	for (int reason = REASON_LINE; reason <= REASON_ABORTED; reason++) {
		for (int cause = CAUSE_NONE; cause <= CAUSE_OPERATOR; cause++) {
			event.ended.result = (struct result){.reason = (enum end_reason)reason,
					.cause = (enum end_cause)cause,
					.scored = reason != REASON_ABORTED};
			tell_event(tell, &event);
			assert_told(tell);
		}
	}
	event = (struct event){.type = EVENT_BYE};
	for (int reason = BYE_QUIT; reason <= BYE_KICKED; reason++) {
		event.bye = (struct event_bye){.reason = (enum bye_reason)reason};
		tell_event(tell, &event);
		assert_told(tell);
	}
}

/* He may have renewed his token, or given his name up, elsewhere. */
static void who_is_sent_away_is_not_told_that_it_was_the_operator_alone(void **state)
{
	struct tell *tell = *state;
	const struct event event = {.type = EVENT_BYE, .bye = {.reason = BYE_KICKED}};
	const char *text;

	tell_event(tell, &event);
	text = told(tell);
	assert_non_null(strstr(text, "operator"));
	assert_non_null(strstr(text, "token"));
	assert_non_null(strstr(text, "given up"));
}

static void whose_turn_it_is_stands_beside_the_move_at_a_bare_netcat_alone(void **state)
{
	struct tell *tell = *state;
	struct event event = {.type = EVENT_MOVED,
			.room = "k7m2q",
			.moved = {.by = SEAT_O,
					.square_count = 2,
					.squares = {6, 8},
					.board = {.move = 3, .turn = SEAT_X}}};
	static const char beside[] = "# O moved 6-8. You are X: your turn. "
				     "Move 3: name two squares.\n#  1 ";
	static const char below[] = "\nYou are X: your turn. Move 3: name two squares.\n";
	const char *text;

	tell_event(tell, &event);
	assert_memory_equal(told(tell), beside, sizeof(beside) - 1);
	tell->bare = false;
	tell_event(tell, &event);
	text = told(tell);
	assert_memory_equal(text, "ola (O) moved 6-8.\n", 19);
	assert_string_equal(text + strlen(text) - strlen(below), below);
}

static void what_is_past_says_nothing_of_whose_turn_it_is(void **state)
{
	struct tell *tell = *state;
	struct event event = {.type = EVENT_MOVED, .room = "k7m2q"};

	event.moved = (struct event_moved){.by = SEAT_X,
			.square_count = 1,
			.squares = {5},
			.board = {.move = 3, .turn = SEAT_X}};
	tell->brief = true;
	tell_event(tell, &event);
	assert_string_equal(told(tell), "# X took the last square, 5.\n");
}

static void each_line_names_its_room_where_another_one_runs(void **state)
{
	struct tell *tell = *state;
	struct event event = {.type = EVENT_DRAW_OFFERED, .room = "k7m2q", .by = SEAT_O};
	struct event notice = {.type = EVENT_NOTICE, .notice = "Back at six."};

	tell->others_run = true;
	tell_event(tell, &event);
	assert_string_equal(told(tell),
			"# [k7m2q] ola (O) offers a draw. draw accepts, draw no declines.\n");
	tell_event(tell, &notice);
	assert_string_equal(told(tell), "# Notice from the server: Back at six.\n");
}

static void who_comes_and_goes_is_not_told_of_a_game_that_is_over_beside_one_that_runs(void **state)
{
	struct tell *tell = *state;
	struct tell_room over = room;
	struct event event = {.type = EVENT_PRESENCE, .room = "k7m2q", .presence.player = "ola"};

	over.status = STATUS_OVER;
	tell->room = &over;
	tell_event(tell, &event);
	assert_string_equal(told(tell), "# ola is away.\n");
	tell->others_run = true;
	tell_event(tell, &event);
	assert_string_equal(told(tell), "");
}

static void whose_opponent_is_away_is_told_when_he_may_claim(void **state)
{
	struct tell *tell = *state;
	struct tell_room seen = room;
	struct event event = {.type = EVENT_PRESENCE,
			.room = "k7m2q",
			.presence = {.player = "ola", .has_claim = true, .claim_in_ms = 59001}};

	tell->room = &seen;
	tell_event(tell, &event);
	assert_string_equal(told(tell),
			"# ola is away. If he has to act and is not back in 60 s: claim\n");
	event.presence.claim_in_ms = 24 * 3600 * 1000;
	tell_event(tell, &event);
	assert_string_equal(told(tell),
			"# ola is away. If he has to act and is not back in 24 h: claim\n");
	seen.seat = SEAT_NONE;
	tell_event(tell, &event);
	assert_string_equal(told(tell), "# ola is away.\n");
}

static void how_many_watch_is_told_once_to_whoever_comes_to_watch(void **state)
{
	struct tell *tell = *state;
	struct snapshot snapshot = {.room = "k7m2q", .status = STATUS_PLAYING, .spectators = 2};
	struct ok ok = {.to = REQUEST_WATCH, .state = &snapshot};

	tell_ok(tell, &ok);
	assert_null(strstr(told(tell), "Watching"));
	ok.to = REQUEST_STATE;
	tell_ok(tell, &ok);
	assert_non_null(strstr(told(tell), "# Watching: 2.\n"));
}

static void a_table_with_letters_of_two_columns_fits_into_the_window(void **state)
{
	static struct room_row row = {.summary = {.room = "k7m2q", .players = {"ala", "ola"}}};
	struct tell *tell = *state;
	struct ok ok = {.to = REQUEST_ROOMS, .room_count = 1, .rooms = &row};
	char line[256];

	for (size_t i = 0; i < 20; i++) {
		strcat(row.summary.title, "漢");
	}
	tell->columns = 80;
	tell_ok(tell, &ok);
	(void)snprintf(line, sizeof(line), "%s", strstr(told(tell), "\n# k7m2q") + 3);
	*strchr(line, '\n') = '\0';
	assert_in_range(text_columns(line), 10, 80);
}

static void a_drain_tells_how_many_games_run_and_when_they_are_cut_short(void **state)
{
	struct tell *tell = *state;
	struct ok ok = {.to = REQUEST_DRAIN,
			.carries = OK_UNTIL,
			.draining = true,
			.games_left = 2,
			.until_ms = 1795957300000};

	tell_ok(tell, &ok);
	assert_string_equal(told(tell),
			"# Nothing new begins; 2 games still run.\n"
			"# The server stops at 2026-11-29 13:01:40 UTC at the latest.\n");
	ok.carries = 0;
	ok.games_left = 1;
	tell_ok(tell, &ok);
	assert_string_equal(told(tell), "# Nothing new begins; 1 game still runs.\n");
}

static void each_line_of_the_help_fits_in_80_columns(void **state)
{
	struct tell *tell = *state;
	const char *line;

	tell_help(tell, "");
	line = told(tell);
	for (const char *newline; *line != '\0'; line = newline + 1) {
		newline = strchr(line, '\n');
		assert_non_null(newline);
		assert_in_range(newline - line, 3, 80);
	}
}

static void nothing_that_is_told_can_steer_a_terminal(void **state)
{
	struct tell *tell = *state;
	struct event event = {.type = EVENT_NOTICE,
			.notice = "a\x1b[2J\r\n# b\u202e\xc2\x9b\x7f\u200b\xff żółć"};
	const char *text;

	tell_event(tell, &event);
	text = told(tell);
	assert_string_equal(text, "# Notice from the server: a\\x1b[2J\\x0d\\x0a# b"
				  "\\xe2\\x80\\xae\\xc2\\x9b\\x7f\\xe2\\x80\\x8b\\xff żółć\n");
}

#define TELLING(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
			TELLING(every_event_has_a_sentence_also_when_it_is_past),
			TELLING(every_reply_has_a_sentence),
			TELLING(worth_is_told_best_first_for_whose_turn_it_is),
			TELLING(a_measurement_and_a_game_that_is_over_have_their_worth),
			TELLING(every_code_has_a_sentence),
			TELLING(every_end_and_every_goodbye_has_a_sentence),
			TELLING(who_is_sent_away_is_not_told_that_it_was_the_operator_alone),
			TELLING(whose_turn_it_is_stands_beside_the_move_at_a_bare_netcat_alone),
			TELLING(what_is_past_says_nothing_of_whose_turn_it_is),
			TELLING(each_line_names_its_room_where_another_one_runs),
			TELLING(who_comes_and_goes_is_not_told_of_a_game_that_is_over_beside_one_that_runs),
			TELLING(whose_opponent_is_away_is_told_when_he_may_claim),
			TELLING(how_many_watch_is_told_once_to_whoever_comes_to_watch),
			TELLING(a_table_with_letters_of_two_columns_fits_into_the_window),
			TELLING(a_drain_tells_how_many_games_run_and_when_they_are_cut_short),
			TELLING(each_line_of_the_help_fits_in_80_columns),
			TELLING(nothing_that_is_told_can_steer_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
