/* Rooms with clocks: what an action costs, what falls due and when, and from when on one may claim.
 * Times are counted from the beginning of each test. */
#include "tests/unit/game/rooms.h"

#define MINUTE 60000
#define DAY (24 * 60 * MINUTE)
#define NEVER INT64_MAX

/* A room and the time that passes in it: the turn begins when an action is applied. */
struct timed {
	struct room room;
	struct room_watch watch;
	int64_t now_ms;
};

static struct room_decision do_at(struct timed *timed, const char *word, int64_t arrived_ms)
{
	struct room_command command = rooms_read(&timed->room, word);
	uint8_t actions = timed->room.action_count;
	enum room_status status = timed->room.status;
	struct room_decision decision;

	command.watch = &timed->watch;
	command.arrived_ms = arrived_ms;
	command.now_ms = timed->now_ms;
	rooms_do(&timed->room, &command, &decision);
	if (timed->room.action_count != actions || timed->room.status != status) {
		timed->watch.turn_ms = timed->now_ms;
	}
	if (decision.count > 0) {
		timed->watch.touched_ms = timed->now_ms;
	}
	return decision;
}

/* A command of this kind that comes at this time, and what is told of it. */
static const char *told_at(struct timed *timed, enum room_command_kind kind, const char *player,
		int64_t arrived_ms)
{
	struct room_command command = rooms_command(&timed->room, kind, player);
	struct room_decision decision;

	command.watch = &timed->watch;
	command.arrived_ms = arrived_ms;
	command.new_name = CYD;
	command.square_count = 2;
	return rooms_do(&timed->room, &command, &decision);
}

/* Words as rooms_run has them, all at the time 0. */
static struct timed make(int64_t base_ms, int64_t increment_ms, const char *words)
{
	struct timed timed = {.watch = rooms_watch};
	struct room_command open = rooms_read(&timed.room, "open");
	struct room_decision decision;

	memset(&timed.room, 0, sizeof(timed.room));
	open.clock = (struct clock_agreed){base_ms > 0, base_ms, increment_ms};
	open.now_ms = 0;
	rooms_do(&timed.room, &open, &decision);
	for (; *words != '\0'; words += strcspn(words, " "), words += strspn(words, " ")) {
		assert_int_not_equal(do_at(&timed, words, 0).count, 0);
	}
	return timed;
}

/* Clocks. */

static void clocks_run_from_the_second_action_and_grow_after_each(void **unused)
{
	static const struct {
		const char *word;
		int64_t after_ms; /* since the last action */
		int64_t x_ms;
		int64_t o_ms;
		enum seat running;
	} rows[] = {
			{"join", 0, 60000, 60000, SEAT_NONE},
			{"1-2", 50000, 62000, 60000, SEAT_NONE},
			{"1-2", 59999, 62000, 62000, SEAT_X},
			/* X chooses, and it is still X's turn. */
			{"c1", 10000, 54000, 62000, SEAT_X},
			{"3-4", 1, 55999, 62000, SEAT_O},
			{"4-5", 61999, 55999, 2001, SEAT_X},
			{"5-6", 0, 57999, 2001, SEAT_O},
			{"3-6", 2000, 57999, 2001, SEAT_X},
			/* The last is X's, and nobody's time passes after it. */
			{"c3", 7999, 52000, 2001, SEAT_X},
	};
	struct timed timed = make(60000, 2000, "");

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct clock_running *left = &timed.room.left;

		timed.now_ms += rows[i].after_ms;
		assert_int_not_equal(do_at(&timed, rows[i].word, timed.now_ms).count, 0);
		assert_true(left->set);
		assert_int_equal(left->x_ms, rows[i].x_ms);
		assert_int_equal(left->o_ms, rows[i].o_ms);
		assert_int_equal(left->running, rows[i].running);
	}
}

static void a_game_that_ends_leaves_no_clock_running(void **unused)
{
	struct timed timed = make(60000, 0, "join 1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5");
	struct room_decision decision;

	(void)unused;
	timed.now_ms = 1000;
	decision = do_at(&timed, "c5", 1000);
	assert_int_equal(decision.count, 2);
	assert_int_equal(decision.events[0].collapsed.clock.x_ms, 59000);
	assert_int_equal(decision.events[0].collapsed.clock.running, SEAT_NONE);
	assert_int_equal(timed.room.left.running, SEAT_NONE);
	timed = make(60000, 0, "join 1-2 2-3 X:resign");
	assert_int_equal(timed.room.left.running, SEAT_NONE);
	assert_int_equal(timed.room.left.x_ms, 60000);
}

static void an_action_costs_the_time_from_its_turn_to_its_arrival_alone(void **unused)
{
	struct timed timed = make(60000, 0, "join 1-2 2-3");

	(void)unused;
	/* It came while O's move was still being stored. */
	timed.watch.turn_ms = 5000;
	timed.now_ms = 6000;
	do_at(&timed, "3-4", 4000);
	assert_int_equal(timed.room.left.x_ms, 60000);
	/* It was decided long after it came. */
	timed.now_ms = 20000;
	do_at(&timed, "4-5", 7000);
	assert_int_equal(timed.room.left.o_ms, 59000);
}

static void what_is_left_now_is_told_at_any_time(void **unused)
{
	struct timed timed = make(60000, 0, "join 1-2 2-3");

	(void)unused;
	timed.watch.turn_ms = 1000;
	assert_int_equal(room_clocks(&timed.room, &timed.watch, 500).x_ms, 60000);
	assert_int_equal(room_clocks(&timed.room, &timed.watch, 1500).x_ms, 59500);
	assert_int_equal(room_clocks(&timed.room, &timed.watch, 1500).o_ms, 60000);
	assert_int_equal(room_clocks(&timed.room, &timed.watch, 99999).x_ms, 0);
	timed = make(0, 0, "join 1-2 2-3");
	assert_false(room_clocks(&timed.room, &timed.watch, 1500).set);
}

static void clocks_come_with_every_action_or_with_none(void **unused)
{
	struct timed timed = make(60000, 0, "join");
	struct room_command command = rooms_read(&timed.room, "1-2");
	struct room_decision decision;
	struct room before = timed.room;

	(void)unused;
	room_decide(&timed.room, &command, &decision);
	decision.events[0].moved.clock.set = false;
	assert_false(room_apply(&timed.room, &decision.events[0]));
	decision.events[0].moved.clock.set = true;
	decision.events[0].moved.clock.o_ms = -1;
	assert_false(room_apply(&timed.room, &decision.events[0]));
	assert_int_equal(timed.room.seq, before.seq);
	decision.events[0].moved.clock.o_ms = 0;
	assert_true(room_apply(&timed.room, &decision.events[0]));
}

/* What falls due. */

static void what_falls_due_depends_on_clocks_and_on_who_has_acted(void **unused)
{
	static const struct {
		int64_t base_ms;
		const char *words;
		int64_t creator_away_ms;
		int64_t at_ms; /* the turn began, and the last event was, at 1000 */
		enum end_reason reason;
		enum end_cause cause;
		int half_points_x, half_points_o;
	} rows[] = {
			{MINUTE, "", ROOM_HERE, NEVER, 0, 0, 0, 0},
			{0, "", ROOM_HERE, NEVER, 0, 0, 0, 0},
			{MINUTE, "", 500, 500 + 10 * MINUTE, REASON_ABORTED, CAUSE_CREATOR_LEFT, 0,
					0},
			{0, "", 500, 500 + 10 * MINUTE, REASON_ABORTED, CAUSE_CREATOR_LEFT, 0, 0},
			{5000, "join", 500, 1000 + MINUTE, REASON_ABORTED, CAUSE_NO_FIRST_MOVE, 0,
					0},
			{5000, "join 1-2", 500, 1000 + MINUTE, REASON_ABORTED, CAUSE_NO_FIRST_MOVE,
					0, 0},
			{5000, "join 1-2 2-3", 500, 6000, REASON_FLAG, CAUSE_NONE, 0, 2},
			{5000, "join 1-2 1-2", 500, 6000, REASON_FLAG, CAUSE_NONE, 0, 2},
			{5000, "join 1-2 2-3 3-4", 500, 6000, REASON_FLAG, CAUSE_NONE, 2, 0},
			{5000, "join 1-2 2-3 X:draw O:resign", 500, NEVER, 0, 0, 0, 0},
			{0, "join", 500, 1000 + INT64_C(14) * DAY, REASON_ABORTED, CAUSE_UNTOUCHED,
					0, 0},
			{0, "join 1-2 2-3", 500, 1000 + INT64_C(14) * DAY, REASON_ABORTED,
					CAUSE_UNTOUCHED, 0, 0},
			{0, "join O:resign", 500, NEVER, 0, 0, 0, 0},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct timed timed = make(rows[i].base_ms, 0, rows[i].words);
		struct room_due due;

		timed.watch.turn_ms = timed.watch.touched_ms = 1000;
		timed.watch.away_ms[0] = rows[i].creator_away_ms;
		room_next_due(&timed.room, &timed.watch, &due);
		assert_int_equal(due.at_ms, rows[i].at_ms);
		if (due.at_ms == NEVER) {
			assert_string_equal(told_at(&timed, ROOM_TIME, NOBODY, NEVER - 1), "-");
			continue;
		}
		assert_int_equal(due.result.reason, rows[i].reason);
		assert_int_equal(due.result.cause, rows[i].cause);
		assert_int_equal(due.result.half_points_x, rows[i].half_points_x);
		assert_int_equal(due.result.half_points_o, rows[i].half_points_o);
		assert_int_equal(due.result.scored, rows[i].reason == REASON_FLAG);
		assert_string_equal(told_at(&timed, ROOM_TIME, NOBODY, due.at_ms - 1), "-");
		assert_string_equal(told_at(&timed, ROOM_TIME, NOBODY, due.at_ms), "ended");
		assert_int_equal(timed.room.result.reason, rows[i].reason);
		assert_string_equal(told_at(&timed, ROOM_TIME, NOBODY, due.at_ms + 1), "-");
	}
}

static void a_flag_leaves_nothing_on_the_losers_clock(void **unused)
{
	struct timed timed = make(5000, 0, "join 1-2 2-3 3-4");

	(void)unused;
	assert_string_equal(told_at(&timed, ROOM_TIME, NOBODY, 5000), "ended");
	assert_int_equal(timed.room.left.o_ms, 0);
	assert_int_equal(timed.room.left.x_ms, 5000);
	assert_int_equal(timed.room.left.running, SEAT_NONE);
}

static void what_comes_when_time_has_decided_is_not_decided_before_that_is_stored(void **unused)
{
	static const enum room_command_kind kinds[] = {
			ROOM_MOVE, ROOM_RESIGN, ROOM_DRAW, ROOM_ABORT, ROOM_CLAIM, ROOM_JOIN};

	(void)unused;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct timed timed = make(5000, 0, "join 1-2 2-3");

		assert_string_not_equal(told_at(&timed, kinds[i], ALA, 4999), "unavailable");
		timed = make(5000, 0, "join 1-2 2-3");
		assert_string_equal(told_at(&timed, kinds[i], ALA, 5000), "unavailable");
	}
	struct timed timed = make(5000, 0, "join 1-2 2-3");
	assert_string_equal(told_at(&timed, ROOM_RENAME, DAN, 5000), "seated");
}

/* Claims. */

static void a_claim_is_good_once_the_grace_is_over(void **unused)
{
	static const struct {
		int64_t base_ms;
		const char *words;
		int64_t away_ms; /* O's; the turn began at 0 */
		int64_t from_ms;
	} rows[] = {
			{0, "join", 5000, 5000 + DAY},
			{0, "join 1-2", 5000, 5000 + DAY},
			{0, "join 1-2", ROOM_HERE, NEVER},
			{0, "", ROOM_HERE, NEVER},
			{0, "join 1-2 X:resign", 5000, NEVER},
			{10 * MINUTE, "join", 5000, NEVER},
			{10 * MINUTE, "join 1-2", 5000, NEVER},
			{10 * MINUTE, "join 1-2 2-3", 5000, 5000 + MINUTE},
			{10 * MINUTE, "join 1-2 2-3 3-4", 5000, 5000 + MINUTE},
			/* Half of what the clock showed as he went, where it ran. */
			{2 * MINUTE, "join 1-2 2-3 3-4", 0, MINUTE},
			{2 * MINUTE, "join 1-2 2-3 3-4", 2, 2 + MINUTE - 1},
			{100000, "join 1-2 2-3 3-4", 20000, 20000 + 40000},
			{100000, "join 1-2 2-3", 20000, 20000 + 50000},
			{20002, "join 1-2 2-3 3-4", 0, 10001},
			{20000, "join 1-2 2-3 3-4", 0, 10000},
			{15000, "join 1-2 2-3 3-4", 14000, 24000},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct timed timed = make(rows[i].base_ms, 0, rows[i].words);

		timed.watch.away_ms[1] = rows[i].away_ms;
		assert_int_equal(room_claim_at(&timed.room, &timed.watch, SEAT_O), rows[i].from_ms);
	}
}

static void a_grace_under_ten_seconds_is_the_operators_wish(void **unused)
{
	struct room_limits limits = rooms_limits;
	struct timed timed = make(10 * MINUTE, 0, "join 1-2 2-3 3-4");

	(void)unused;
	limits.claim_ms = 3000;
	timed.watch.limits = &limits;
	timed.watch.away_ms[1] = 100;
	assert_int_equal(room_claim_at(&timed.room, &timed.watch, SEAT_O), 3100);
}

static void a_claim_is_refused_by_what_is_in_its_way(void **unused)
{
	static const struct {
		int64_t base_ms;
		const char *words;
		const char *player;
		int64_t away_ms; /* both players', from the time 0 on */
		int64_t arrived_ms;
		const char *told;
	} rows[] = {
			{0, "", ALA, ROOM_HERE, 0, "not_started"},
			{0, "join 1-2", CYD, 0, DAY, "not_seated"},
			{0, "join 1-2", NOBODY, 0, DAY, "not_seated"},
			{0, "join X:resign", ALA, 0, DAY, "game_over"},
			{0, "join 1-2", DAN, 0, DAY, "not_allowed"},
			{0, "join 1-2", ALA, ROOM_HERE, DAY, "not_allowed"},
			{0, "join 1-2", ALA, 0, DAY - 1, "too_early"},
			{0, "join 1-2", ALA, 0, DAY, "ended"},
			{0, "join 1-2 1-2", DAN, 0, DAY, "ended"},
			{10 * MINUTE, "join 1-2", ALA, 0, MINUTE - 1, "not_allowed"},
			{10 * MINUTE, "join 1-2 1-2", DAN, 0, MINUTE - 1, "too_early"},
			{10 * MINUTE, "join 1-2 1-2", DAN, 0, MINUTE, "ended"},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct timed timed = make(rows[i].base_ms, 0, rows[i].words);
		bool is_ala = strcmp(rows[i].player, ALA) == 0;

		timed.watch.away_ms[0] = timed.watch.away_ms[1] = rows[i].away_ms;
		assert_string_equal(told_at(&timed, ROOM_CLAIM, rows[i].player, rows[i].arrived_ms),
				rows[i].told);
		if (strcmp(rows[i].told, "ended") == 0) {
			assert_int_equal(timed.room.result.reason, REASON_CLAIM);
			assert_int_equal(timed.room.result.half_points_x, is_ala ? 2 : 0);
			assert_int_equal(timed.room.result.half_points_o, is_ala ? 0 : 2);
		}
	}
}

static void who_claims_too_early_is_told_how_long_to_wait(void **unused)
{
	struct timed timed = make(10 * MINUTE, 0, "join 1-2 2-3 3-4");
	struct room_command command = rooms_command(&timed.room, ROOM_CLAIM, ALA);
	struct room_decision decision;

	(void)unused;
	timed.watch.away_ms[1] = 1000;
	command.watch = &timed.watch;
	command.arrived_ms = 2000;
	assert_string_equal(rooms_do(&timed.room, &command, &decision), "too_early");
	assert_int_equal(decision.retry_ms, MINUTE - 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(clocks_run_from_the_second_action_and_grow_after_each),
			cmocka_unit_test(a_game_that_ends_leaves_no_clock_running),
			cmocka_unit_test(
					an_action_costs_the_time_from_its_turn_to_its_arrival_alone),
			cmocka_unit_test(what_is_left_now_is_told_at_any_time),
			cmocka_unit_test(clocks_come_with_every_action_or_with_none),
			cmocka_unit_test(what_falls_due_depends_on_clocks_and_on_who_has_acted),
			cmocka_unit_test(a_flag_leaves_nothing_on_the_losers_clock),
			cmocka_unit_test(
					what_comes_when_time_has_decided_is_not_decided_before_that_is_stored),
			cmocka_unit_test(a_claim_is_good_once_the_grace_is_over),
			cmocka_unit_test(a_grace_under_ten_seconds_is_the_operators_wish),
			cmocka_unit_test(a_claim_is_refused_by_what_is_in_its_way),
			cmocka_unit_test(who_claims_too_early_is_told_how_long_to_wait),
	};

	return cmocka_run_group_tests_name("room_clock", tests, NULL, NULL);
}
