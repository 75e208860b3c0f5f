/* What a command would cause: every kind in every state of a room by everybody, and in which order
 * things are refused. */
#include "tests/unit/game/rooms.h"

#define LAST_SQUARE_5 "open join 4-9 3-7 6-9 6-8 3-8 2-7 1-8 6-8 c6"

enum state {
	WAITING,
	KEPT,
	KEPT_FORMER,
	OPEN_GAME,
	FRESH,
	FRESH_FORMER,
	ONE_MOVED,
	BOTH_MOVED,
	MEASURE,
	LAST,
	LINE,
	FULL,
	AGREED,
	RESIGNED,
	ABORTED,
	ASKED,
	MADE,
	LEFT,
	DECLINED,
	STATES
};

static const char *const states[STATES] = {
		[WAITING] = "open",
		[KEPT] = "open=dan",
		[KEPT_FORMER] = "open=guest-dan",
		[OPEN_GAME] = "open join",
		[FRESH] = "open=dan join",
		[FRESH_FORMER] = "open=guest-dan join",
		[ONE_MOVED] = "open=dan join 1-2",
		[BOTH_MOVED] = "open=dan join 1-2 3-4",
		[MEASURE] = "open=dan join 1-2 1-2",
		[LAST] = LAST_SQUARE_5,
		[LINE] = "open=dan join 1-5 5-3 1-4 3-6 4-7 6-9 1-5 c5",
		[FULL] = LAST_SQUARE_5 " 5-5",
		[AGREED] = "open=dan join X:draw O:draw",
		[RESIGNED] = "open=dan join 1-2 X:resign",
		[ABORTED] = "open=dan join O:abort",
		[ASKED] = "open=dan join O:resign X:rematch",
		[MADE] = "open=dan join O:resign X:rematch O:rematch",
		[LEFT] = "open=dan X:leave",
		[DECLINED] = "open=dan O:decline",
};

#define PEOPLE 4
static const char *const people[PEOPLE] = {ALA, DAN, CYD, NOBODY};

enum what {
	JOIN,
	RENAME,
	FORGET,
	LEAVE,
	DECLINE,
	MOVE,
	COLLAPSE,
	RESIGN,
	ABORT,
	OFFER,
	ACCEPT,
	REFUSE,
	REMATCH
};

static struct room_command command_of(const struct room *room, enum what what, const char *player)
{
	static const struct room_command commands[] = {
			[JOIN] = {.kind = ROOM_JOIN},
			[RENAME] = {.kind = ROOM_RENAME, .new_name = "eva"},
			[FORGET] = {.kind = ROOM_FORGET, .new_name = "gone-eva"},
			[LEAVE] = {.kind = ROOM_LEAVE},
			[DECLINE] = {.kind = ROOM_DECLINE},
			[MOVE] = {.kind = ROOM_MOVE, .square_count = 2, .squares = {9, 5}},
			[COLLAPSE] = {.kind = ROOM_COLLAPSE, .squares = {1}},
			[RESIGN] = {.kind = ROOM_RESIGN},
			[ABORT] = {.kind = ROOM_ABORT},
			[OFFER] = {.kind = ROOM_DRAW},
			[ACCEPT] = {.kind = ROOM_DRAW, .has_accept = true, .accept = true},
			[REFUSE] = {.kind = ROOM_DRAW, .has_accept = true},
			[REMATCH] = {.kind = ROOM_REMATCH},
	};
	struct room_command base = rooms_command(room, commands[what].kind, player);
	struct room_command command = commands[what];

	command.player = base.player;
	command.now_ms = base.now_ms;
	command.watch = base.watch;
	command.former = base.former;
	command.new_room = base.new_room;
	return command;
}

#define NOT_SEATED "not_seated", "not_seated"
#define BY_SEATED(x, o)                                                                            \
	{                                                                                          \
		x, o, NOT_SEATED                                                                   \
	}
#define BY_ALL(word)                                                                               \
	{                                                                                          \
		word, word, word, word                                                             \
	}

/* From one state to another what is answered to Ala, Dan, a stranger and somebody nameless. NULL:
 * not asked, for who takes a seat has a name. */
static const struct row {
	enum what what;
	enum state from, to;
	const char *told[PEOPLE];
} rows[] = {
		{JOIN, WAITING, WAITING, {"-", "seated started", "seated started", NULL}},
		{JOIN, KEPT, KEPT_FORMER, {"-", "seated started", "not_allowed", "not_allowed"}},
		{JOIN, OPEN_GAME, LAST, {"-", "-", "room_full", "room_full"}},
		{JOIN, LINE, MADE, {"-", "-", "game_over", "game_over"}},
		{JOIN, LEFT, DECLINED, {"-", "game_over", "game_over", "game_over"}},

		{RENAME, WAITING, KEPT_FORMER, {"seated", "-", "-", "-"}},
		{RENAME, OPEN_GAME, MADE, {"seated", "seated", "-", "-"}},
		{RENAME, LEFT, DECLINED, {"seated", "-", "-", "-"}},

		{FORGET, WAITING, WAITING, {"seated ended", "-", "-", "-"}},
		{FORGET, KEPT, KEPT, {"seated ended", "ended", "-", "-"}},
		{FORGET, KEPT_FORMER, KEPT_FORMER, {"seated ended", "-", "-", "-"}},
		{FORGET, OPEN_GAME, LAST, {"too_early", "too_early", "-", "-"}},
		{FORGET, LINE, MADE, {"seated", "seated", "-", "-"}},
		{FORGET, LEFT, DECLINED, {"seated", "-", "-", "-"}},

		{LEAVE, WAITING, KEPT_FORMER, {"ended", "-", "-", "-"}},
		{LEAVE, OPEN_GAME, DECLINED, BY_ALL("-")},

		{DECLINE, WAITING, WAITING, BY_ALL("not_allowed")},
		{DECLINE, KEPT, KEPT_FORMER,
				{"not_allowed", "ended", "not_allowed", "not_allowed"}},
		{DECLINE, OPEN_GAME, OPEN_GAME, BY_ALL("not_allowed")},
		{DECLINE, FRESH, MEASURE,
				{"not_allowed", "too_late", "not_allowed", "not_allowed"}},
		{DECLINE, LAST, LAST, BY_ALL("not_allowed")},
		{DECLINE, LINE, LINE, {"not_allowed", "game_over", "not_allowed", "not_allowed"}},
		{DECLINE, FULL, FULL, BY_ALL("not_allowed")},
		{DECLINE, AGREED, DECLINED,
				{"not_allowed", "game_over", "not_allowed", "not_allowed"}},

		{MOVE, WAITING, KEPT_FORMER, BY_SEATED("not_started", "not_seated")},
		{MOVE, OPEN_GAME, FRESH_FORMER, BY_SEATED("moved", "not_your_turn")},
		{MOVE, ONE_MOVED, ONE_MOVED, BY_SEATED("not_your_turn", "moved")},
		{MOVE, BOTH_MOVED, BOTH_MOVED, BY_SEATED("moved", "not_your_turn")},
		{MOVE, MEASURE, MEASURE, BY_SEATED("collapse_first", "not_your_turn")},
		{MOVE, LAST, LAST, BY_SEATED("square_taken", "not_your_turn")},
		{MOVE, LINE, MADE, BY_SEATED("game_over", "game_over")},
		{MOVE, LEFT, DECLINED, BY_SEATED("game_over", "not_seated")},

		{COLLAPSE, WAITING, KEPT_FORMER, BY_SEATED("not_started", "not_seated")},
		{COLLAPSE, OPEN_GAME, FRESH_FORMER,
				BY_SEATED("nothing_to_collapse", "not_your_turn")},
		{COLLAPSE, ONE_MOVED, ONE_MOVED, BY_SEATED("not_your_turn", "nothing_to_collapse")},
		{COLLAPSE, BOTH_MOVED, BOTH_MOVED,
				BY_SEATED("nothing_to_collapse", "not_your_turn")},
		{COLLAPSE, MEASURE, MEASURE, BY_SEATED("collapsed", "not_your_turn")},
		{COLLAPSE, LAST, LAST, BY_SEATED("nothing_to_collapse", "not_your_turn")},
		{COLLAPSE, LINE, MADE, BY_SEATED("game_over", "game_over")},
		{COLLAPSE, LEFT, DECLINED, BY_SEATED("game_over", "not_seated")},

		{RESIGN, WAITING, KEPT_FORMER, BY_SEATED("not_started", "not_seated")},
		{RESIGN, OPEN_GAME, LAST, BY_SEATED("ended", "ended")},
		{RESIGN, LINE, MADE, BY_SEATED("game_over", "game_over")},
		{RESIGN, LEFT, DECLINED, BY_SEATED("game_over", "not_seated")},

		{ABORT, WAITING, KEPT_FORMER, BY_SEATED("not_started", "not_seated")},
		{ABORT, OPEN_GAME, ONE_MOVED, BY_SEATED("ended", "ended")},
		{ABORT, BOTH_MOVED, LAST, BY_SEATED("too_late", "too_late")},
		{ABORT, LINE, MADE, BY_SEATED("game_over", "game_over")},
		{ABORT, LEFT, DECLINED, BY_SEATED("game_over", "not_seated")},

		{OFFER, WAITING, KEPT_FORMER, BY_SEATED("not_started", "not_seated")},
		{OFFER, OPEN_GAME, LAST, BY_SEATED("draw_offered", "draw_offered")},
		{OFFER, LINE, MADE, BY_SEATED("game_over", "game_over")},
		{OFFER, LEFT, DECLINED, BY_SEATED("game_over", "not_seated")},

		{ACCEPT, WAITING, KEPT_FORMER, BY_SEATED("not_started", "not_seated")},
		{ACCEPT, OPEN_GAME, LAST, BY_SEATED("no_offer", "no_offer")},
		{ACCEPT, LINE, MADE, BY_SEATED("game_over", "game_over")},
		{ACCEPT, LEFT, DECLINED, BY_SEATED("game_over", "not_seated")},

		{REFUSE, WAITING, KEPT_FORMER, BY_SEATED("not_started", "not_seated")},
		{REFUSE, OPEN_GAME, LAST, BY_SEATED("no_offer", "no_offer")},
		{REFUSE, LINE, MADE, BY_SEATED("game_over", "game_over")},
		{REFUSE, LEFT, DECLINED, BY_SEATED("game_over", "not_seated")},

		{REMATCH, WAITING, KEPT_FORMER, BY_SEATED("not_started", "not_seated")},
		{REMATCH, OPEN_GAME, LAST, BY_SEATED("too_early", "too_early")},
		{REMATCH, LINE, ABORTED, BY_SEATED("rematch_offered", "rematch_offered")},
		{REMATCH, ASKED, ASKED, BY_SEATED("-", "rematch")},
		{REMATCH, MADE, MADE, BY_SEATED("-", "-")},
		{REMATCH, LEFT, DECLINED, BY_SEATED("not_allowed", "not_seated")},
};

static void check_row(const struct row *row, enum state state)
{
	for (int i = 0; i < PEOPLE; i++) {
		struct room room = rooms_make(states[state]);
		struct room_command command = command_of(&room, row->what, people[i]);
		struct room_decision decision;

		if (row->told[i] == NULL) {
			continue;
		}
		const char *told = rooms_do(&room, &command, &decision);
		if (strcmp(told, row->told[i]) != 0) {
			fail_msg("\"%s\", \"%s\": %s, not %s", states[state], people[i], told,
					row->told[i]);
		}
	}
}

/* Every state must be in one of the rows, and in one only. */
static void check_all_states(enum what what)
{
	int state = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].what != what) {
			continue;
		}
		assert_int_equal(rows[i].from, state);
		for (; state <= (int)rows[i].to; state++) {
			check_row(&rows[i], (enum state)state);
		}
	}
	assert_int_equal(state, STATES);
}

static void a_room_is_joined_while_its_seat_is_free_and_not_kept_from_him(void **unused)
{
	(void)unused;
	check_all_states(JOIN);
}

static void whoever_sits_may_be_renamed_at_any_time(void **unused)
{
	(void)unused;
	check_all_states(RENAME);
}

static void who_gives_his_name_up_closes_what_waits_for_him_and_plays_no_more(void **unused)
{
	(void)unused;
	check_all_states(FORGET);
}

static void only_a_waiting_room_closes_when_its_creator_leaves(void **unused)
{
	(void)unused;
	check_all_states(LEAVE);
}

static void only_the_invited_may_decline_and_only_before_the_game(void **unused)
{
	(void)unused;
	check_all_states(DECLINE);
}

static void a_move_is_for_the_player_whose_turn_it_is(void **unused)
{
	(void)unused;
	check_all_states(MOVE);
}

static void a_measurement_is_for_the_player_who_did_not_close_the_cycle(void **unused)
{
	(void)unused;
	check_all_states(COLLAPSE);
}

static void either_player_may_resign_while_the_game_runs(void **unused)
{
	(void)unused;
	check_all_states(RESIGN);
}

static void either_player_may_abort_until_both_have_moved(void **unused)
{
	(void)unused;
	check_all_states(ABORT);
}

static void either_player_may_offer_a_draw_while_the_game_runs(void **unused)
{
	(void)unused;
	check_all_states(OFFER);
}

static void without_an_offer_there_is_none_to_accept_or_decline(void **unused)
{
	(void)unused;
	check_all_states(ACCEPT);
	check_all_states(REFUSE);
}

static void a_rematch_is_for_two_players_whose_game_is_over(void **unused)
{
	(void)unused;
	check_all_states(REMATCH);
}

/* A side in a join. */

static const char *join_on(const char *words, const char *player, enum seat side)
{
	struct room room = rooms_make(words);
	struct room_command command = rooms_command(&room, ROOM_JOIN, player);
	struct room_decision decision;

	command.side = side;
	return rooms_do(&room, &command, &decision);
}

static void a_side_that_is_taken_is_refused(void **unused)
{
	(void)unused;
	assert_string_equal(join_on("open", DAN, SEAT_X), "room_full");
	assert_string_equal(join_on("open", DAN, SEAT_O), "seated started");
	assert_string_equal(join_on("open=dan", DAN, SEAT_X), "room_full");
	assert_string_equal(join_on("open=dan", CYD, SEAT_X), "not_allowed");
	assert_string_equal(join_on("open join", DAN, SEAT_X), "-");
	assert_string_equal(join_on("open", ALA, SEAT_O), "-");
}

static void a_name_that_differs_in_case_is_another(void **unused)
{
	(void)unused;
	assert_string_equal(join_on("open=dan", "Dan", SEAT_NONE), "not_allowed");
}

/* Actions that are wrong: what is checked first, is told. */

#define MEASURE_134 "open join 1-2 2-3 2-5 3-1"
#define CLASSICAL_12 "open join 1-2 1-2 c1"
#define TWO_OPEN "open join 1-2 1-2 c1 3-4 3-4 c3 5-6 5-6 c5"
#define NO_NUMBER (-99)

struct
try {
	const char *words;
	const char *player;
	int64_t number;
	const char *told;
	int count; /* 0: a measurement */
	int64_t squares[2];
	enum seat mark_seat;
	int64_t mark;
};

static const char *try_action(const struct try *try, struct room_decision *ret_decision)
{
	struct room room = rooms_make(try->words);
	struct room_command command = rooms_command(
			&room, try->count == 0 ? ROOM_COLLAPSE : ROOM_MOVE, try->player);

	command.has_number = try->number != NO_NUMBER;
	command.number = try->number;
	command.square_count = (uint8_t)try->count;
	command.squares[0] = try->squares[0];
	command.squares[1] = try->squares[1];
	command.mark_seat = try->mark_seat;
	command.mark = try->mark;
	return rooms_do(&room, &command, ret_decision);
}

static void check_tries(const struct try *tries, size_t count)
{
	struct room_decision decision;

	for (size_t i = 0; i < count; i++) {
		const char *told = try_action(&tries[i], &decision);
		if (strcmp(told, tries[i].told) != 0) {
			fail_msg("try %zu, \"%s\": %s, not %s", i, tries[i].words, told,
					tries[i].told);
		}
	}
}

#define CHECK_TRIES(tries) check_tries(tries, sizeof(tries) / sizeof((tries)[0]))

static void faults_are_told_in_the_contracts_order(void **unused)
{
	static const struct try tries[] = {
			/* Everything is wrong, then one thing less each time. */
			{"open", CYD, 7, "not_seated", 2, {0, 0}},
			{"open", ALA, 7, "not_started", 2, {0, 0}},
			{"open join X:resign", ALA, 7, "game_over", 2, {0, 0}},
			{"open join", DAN, 7, "stale", 2, {0, 0}},
			{"open join", DAN, 1, "not_your_turn", 2, {0, 0}},
			{"open join 1-2 1-2", DAN, 3, "not_your_turn", 2, {0, 0}},
			{"open join 1-2 1-2", ALA, 3, "collapse_first", 2, {0, 0}},
			{CLASSICAL_12, ALA, 3, "bad_square", 2, {0, 0}},
			{CLASSICAL_12, ALA, 3, "bad_square", 2, {1, 10}},
			{CLASSICAL_12, ALA, 3, "same_square", 2, {1, 1}},
			{CLASSICAL_12, ALA, 3, "square_taken", 2, {1, 9}},
			{CLASSICAL_12, ALA, 3, "square_taken", 2, {9, 2}},
			{CLASSICAL_12, ALA, 3, "moved", 2, {9, 8}},
			/* The same of measurements. */
			{"open", CYD, 7, "not_seated", 0, {0}},
			{"open", ALA, 7, "not_started", 0, {0}},
			{"open join X:resign", ALA, 7, "game_over", 0, {0}},
			{"open join", DAN, NO_NUMBER, "not_your_turn", 0, {0}},
			{"open join", ALA, NO_NUMBER, "nothing_to_collapse", 0, {0}},
			{MEASURE_134, DAN, 3, "stale", 0, {0}},
			{MEASURE_134, DAN, 4, "not_your_turn", 0, {0}},
			{MEASURE_134, ALA, 4, "bad_square", 0, {0}, SEAT_X, 3},
			{MEASURE_134, ALA, 4, "not_a_choice", 0, {9}, SEAT_X, 3},
			{MEASURE_134, ALA, 4, "collapsed", 0, {3}},
	};

	(void)unused;
	CHECK_TRIES(tries);
}

static void a_number_that_does_not_fit_is_stale(void **unused)
{
	static const struct try tries[] = {
			{"open join", ALA, 0, "stale", 2, {1, 2}},
			{"open join", ALA, -1, "stale", 2, {1, 2}},
			{"open join", ALA, 2, "stale", 2, {1, 2}},
			{"open join", ALA, INT64_MAX, "stale", 2, {1, 2}},
			{"open join", ALA, INT64_C(0x100000001), "stale", 2, {1, 2}},
			{"open join", ALA, 1, "moved", 2, {1, 2}},
			/* The move was made already: sent again after a lost reply. */
			{"open join 1-2", ALA, 1, "stale", 2, {1, 2}},
			{"open join 1-2 1-2", DAN, 2, "stale", 2, {1, 2}},
			{"open join 1-2", DAN, 2, "moved", 2, {1, 2}},
			{LAST_SQUARE_5, ALA, 9, "moved ended", 2, {5, 5}},
			{LAST_SQUARE_5 " 5-5", ALA, 9, "game_over", 2, {5, 5}},
			/* A measurement has the number of the move that closed the cycle. */
			{"open join 1-2 1-2", ALA, 3, "stale", 0, {1}},
			{"open join 1-2 1-2", ALA, 1, "stale", 0, {1}},
			{"open join 1-2 1-2", ALA, 0, "stale", 0, {1}},
			{"open join 1-2 1-2", ALA, 2, "collapsed", 0, {1}},
			{"open join 1-2 1-2 c1", ALA, 2, "stale", 0, {1}},
			{"open join 1-2 1-2 c1", ALA, 3, "stale", 0, {1}},
			{"open join 1-2", DAN, 1, "stale", 0, {1}},
	};

	(void)unused;
	CHECK_TRIES(tries);
}

static void a_square_beyond_the_board_is_a_bad_one_however_far(void **unused)
{
	static const int64_t squares[] = {
			0, 10, -1, 11, 257, INT64_C(0x100000001), INT64_MAX, INT64_MIN};

	(void)unused;
	for (size_t i = 0; i < sizeof(squares) / sizeof(*squares); i++) {
		struct try tries[] = {
				{"open join", ALA, NO_NUMBER, "bad_square", 2, {squares[i], 1}},
				{"open join", ALA, NO_NUMBER, "bad_square", 2, {1, squares[i]}},
				{LAST_SQUARE_5, ALA, NO_NUMBER, "bad_square", 1, {squares[i]}},
				{MEASURE_134, ALA, NO_NUMBER, "bad_square", 0, {squares[i]}},
		};
		CHECK_TRIES(tries);
	}
}

static void one_square_alone_while_more_are_free_is_half_a_move(void **unused)
{
	static const struct try tries[] = {
			{"open join", ALA, 1, "bad_request", 1, {5}},
			{"open join", ALA, NO_NUMBER, "bad_request", 1, {0}},
			{CLASSICAL_12, ALA, NO_NUMBER, "bad_request", 1, {1}},
			{TWO_OPEN, ALA, NO_NUMBER, "bad_request", 1, {9}},
			/* What comes before the squares is told first. */
			{"open", CYD, NO_NUMBER, "not_seated", 1, {5}},
			{"open", ALA, NO_NUMBER, "not_started", 1, {5}},
			{"open join X:resign", ALA, NO_NUMBER, "game_over", 1, {5}},
			{"open join", ALA, 2, "stale", 1, {5}},
			{"open join", DAN, NO_NUMBER, "not_your_turn", 1, {5}},
			{"open join 1-2 1-2", ALA, NO_NUMBER, "collapse_first", 1, {5}},
	};
	struct room_decision decision;

	(void)unused;
	CHECK_TRIES(tries);
	try_action(&tries[0], &decision);
	assert_string_equal(decision.field, "squares");
	assert_non_null(decision.message);
}

static void the_last_square_is_named_once_or_twice(void **unused)
{
	static const struct try tries[] = {
			{LAST_SQUARE_5, ALA, 9, "moved ended", 1, {5}},
			{LAST_SQUARE_5, ALA, 9, "moved ended", 2, {5, 5}},
			{LAST_SQUARE_5, ALA, 9, "square_taken", 1, {1}},
			{LAST_SQUARE_5, ALA, 9, "square_taken", 2, {1, 1}},
			{LAST_SQUARE_5, ALA, 9, "square_taken", 2, {5, 1}},
			{LAST_SQUARE_5, DAN, 9, "not_your_turn", 1, {5}},
	};

	(void)unused;
	CHECK_TRIES(tries);
	for (int i = 0; i < 2; i++) {
		struct room_decision decision;

		try_action(&tries[i], &decision);
		assert_int_equal(decision.events[0].moved.square_count, 1);
		assert_int_equal(decision.events[0].moved.squares[0], 5);
		assert_int_equal(decision.events[0].moved.squares[1], 0);
	}
}

static void any_mark_on_the_cycle_may_be_named(void **unused)
{
	static const struct {
		struct try try;
		int closing_square; /* where O4 goes then */
	} named[] = {
			{{MEASURE_134, ALA, 4, "collapsed", 0, {1}}, 1},
			{{MEASURE_134, ALA, 4, "collapsed", 0, {3}}, 3},
			{{MEASURE_134, ALA, 4, "collapsed", 0, {1}, SEAT_O, 4}, 1},
			{{MEASURE_134, ALA, 4, "collapsed", 0, {3}, SEAT_O, 4}, 3},
			{{MEASURE_134, ALA, 4, "collapsed", 0, {1}, SEAT_X, 1}, 3},
			{{MEASURE_134, ALA, 4, "collapsed", 0, {2}, SEAT_X, 1}, 1},
			{{MEASURE_134, ALA, 4, "collapsed", 0, {2}, SEAT_O, 2}, 3},
			{{MEASURE_134, ALA, 4, "collapsed", 0, {3}, SEAT_O, 2}, 1},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
		struct room_decision decision;

		assert_string_equal(try_action(&named[i].try, &decision), named[i].try.told);
		const struct event_collapsed *collapsed = &decision.events[0].collapsed;
		assert_int_equal(collapsed->square, named[i].closing_square);
		assert_int_equal(collapsed->move, 4);
		assert_int_equal(collapsed->by, SEAT_X);
		/* X3 hangs on the cycle and is measured too. */
		assert_int_equal(collapsed->measured.count, 4);
		assert_int_equal(collapsed->measured.mark[0], 4);
		assert_int_equal(collapsed->measured.square[0], named[i].closing_square);
	}
}

static void a_mark_that_is_not_there_is_no_choice(void **unused)
{
#define NO_CHOICE MEASURE_134, ALA, 4, "not_a_choice", 0
	static const struct try tries[] = {
			/* Not on the cycle, not made yet, nobody's. */
			{NO_CHOICE, {2}, SEAT_X, 3},
			{NO_CHOICE, {5}, SEAT_X, 3},
			{NO_CHOICE, {1}, SEAT_X, 5},
			{NO_CHOICE, {1}, SEAT_X, 4},
			{NO_CHOICE, {3}, SEAT_X, 4},
			{NO_CHOICE, {1}, SEAT_O, 1},
			{NO_CHOICE, {2}, SEAT_O, 3},
			{NO_CHOICE, {1}, SEAT_O, 0},
			{NO_CHOICE, {1}, SEAT_X, 0},
			{NO_CHOICE, {1}, SEAT_O, -4},
			{NO_CHOICE, {1}, SEAT_O, 10},
			{NO_CHOICE, {1}, SEAT_O, INT64_C(0x100000004)},
			/* A square that the mark is not in. */
			{NO_CHOICE, {2}},
			{NO_CHOICE, {9}},
			{NO_CHOICE, {2}, SEAT_O, 4},
			{NO_CHOICE, {3}, SEAT_X, 1},
			{NO_CHOICE, {1}, SEAT_O, 2},
	};

	(void)unused;
	CHECK_TRIES(tries);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(
					a_room_is_joined_while_its_seat_is_free_and_not_kept_from_him),
			cmocka_unit_test(whoever_sits_may_be_renamed_at_any_time),
			cmocka_unit_test(
					who_gives_his_name_up_closes_what_waits_for_him_and_plays_no_more),
			cmocka_unit_test(only_a_waiting_room_closes_when_its_creator_leaves),
			cmocka_unit_test(only_the_invited_may_decline_and_only_before_the_game),
			cmocka_unit_test(a_move_is_for_the_player_whose_turn_it_is),
			cmocka_unit_test(
					a_measurement_is_for_the_player_who_did_not_close_the_cycle),
			cmocka_unit_test(either_player_may_resign_while_the_game_runs),
			cmocka_unit_test(either_player_may_abort_until_both_have_moved),
			cmocka_unit_test(either_player_may_offer_a_draw_while_the_game_runs),
			cmocka_unit_test(without_an_offer_there_is_none_to_accept_or_decline),
			cmocka_unit_test(a_rematch_is_for_two_players_whose_game_is_over),
			cmocka_unit_test(a_side_that_is_taken_is_refused),
			cmocka_unit_test(a_name_that_differs_in_case_is_another),
			cmocka_unit_test(faults_are_told_in_the_contracts_order),
			cmocka_unit_test(a_number_that_does_not_fit_is_stale),
			cmocka_unit_test(a_square_beyond_the_board_is_a_bad_one_however_far),
			cmocka_unit_test(one_square_alone_while_more_are_free_is_half_a_move),
			cmocka_unit_test(the_last_square_is_named_once_or_twice),
			cmocka_unit_test(any_mark_on_the_cycle_may_be_named),
			cmocka_unit_test(a_mark_that_is_not_there_is_no_choice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
