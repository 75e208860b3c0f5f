#include "server/upkeep/expect.h"

#include "server/game/room_time.h"
#include "server/game/view.h"

/* How much of his time who acts has used is his to say, up to all of it. */
static struct clock_running expect_clock(const struct room *before, const struct room *after,
		const struct clock_running *told)
{
	const struct room_watch watch = {0};
	const struct room_command command = {.watch = &watch};
	const enum seat mover = (enum seat)rules_turn(&before->game);
	struct clock_running clock = room_time_after(before, &command, &after->game);
	int64_t *left_ms = mover == SEAT_X ? &clock.x_ms : &clock.o_ms;
	const int64_t told_ms = mover == SEAT_X ? told->x_ms : told->o_ms;

	if (before->left.running == mover && told_ms < *left_ms &&
			told_ms >= before->clock.increment_ms) {
		*left_ms = told_ms;
	}
	return clock;
}

static void expect_board(const struct room *after, struct board *ret)
{
	view_board(&after->game, rules_phase(&after->game) == RULES_OVER, ret);
}

static void expect_started(const struct room *before, const struct room *after, struct event *event)
{
	(void)before;
	for (int i = 0; i < 2; i++) {
		message_copy(event->started.players[i], NAME_SIZE, after->players[i]);
	}
	event->started.clock = room_time_start(&after->clock);
	expect_board(after, &event->started.board);
}

static void expect_moved(const struct room *before, const struct room *after, struct event *event)
{
	struct event_moved *moved = &event->moved;

	moved->move = after->game.moves;
	moved->square_count = rules_open_squares(&before->game) > 1 ? 2 : 1;
	if (moved->square_count == 2 && moved->squares[0] > moved->squares[1]) {
		uint8_t low = moved->squares[1];

		moved->squares[1] = moved->squares[0];
		moved->squares[0] = low;
	}
	moved->clock = expect_clock(before, after, &moved->clock);
	expect_board(after, &moved->board);
}

static void expect_collapsed(
		const struct room *before, const struct room *after, struct event *event)
{
	struct event_collapsed *collapsed = &event->collapsed;
	struct rules_measured measured;

	rules_outcome(&before->game, collapsed->square, &measured);
	view_measured(&measured, &collapsed->measured);
	collapsed->move = before->game.moves;
	collapsed->clock = expect_clock(before, after, &collapsed->clock);
	expect_board(after, &collapsed->board);
}

/* Who resigned, and why it was called off, is somebody's to say; who was away or out of time is
 * who had to act. */
static struct result expect_result(const struct room *before, const struct result *told)
{
	const enum seat turn = (enum seat)rules_turn(&before->game);
	struct result on_board = {.scored = true};

	if (rules_phase(&before->game) == RULES_OVER) {
		view_lines(&before->game, &on_board);
		on_board.reason = on_board.line_count > 0 ? REASON_LINE : REASON_FULL_BOARD;
		return on_board;
	}
	if (before->status != STATUS_PLAYING) {
		return room_time_aborted(told->cause);
	}
	switch (told->reason) {
	case REASON_RESIGN:
		return room_time_won(told->reason, told->half_points_x > 0 ? SEAT_X : SEAT_O);
	case REASON_FLAG:
	case REASON_CLAIM:
		return room_time_won(told->reason, room_other(turn));
	case REASON_AGREEMENT:
		return (struct result){.reason = REASON_AGREEMENT, .scored = true};
	case REASON_LINE:
	case REASON_FULL_BOARD:
	case REASON_ABORTED:
		break;
	}
	return room_time_aborted(told->cause);
}

static void expect_ended(const struct room *before, const struct room *after, struct event *event)
{
	event->ended.result = expect_result(before, &event->ended.result);
	view_board(&after->game, true, &event->ended.board);
	/* What they are is nothing that a room knows. Before ratings were kept there were none. */
	event->ended.ratings.set =
			event->ended.ratings.set && before->is_rated && event->ended.result.scored;
}

typedef void expect_fn(const struct room *before, const struct room *after, struct event *event);

/* The others are all somebody's choice. */
static expect_fn *const expect_by_type[EVENT_COUNT] = {
		[EVENT_STARTED] = expect_started,
		[EVENT_MOVED] = expect_moved,
		[EVENT_COLLAPSED] = expect_collapsed,
		[EVENT_ENDED] = expect_ended,
};

void expect_event(const struct room *before, const struct room *after, const struct event *event,
		struct event *ret)
{
	*ret = *event;
	if (ret->at_ms < before->at_ms) {
		ret->at_ms = before->at_ms;
	}
	if (expect_by_type[event->type] != NULL) {
		expect_by_type[event->type](before, after, ret);
	}
}
