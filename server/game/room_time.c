#include "server/game/room_time.h"

#include <assert.h>

/* However little his clock shows, a player who is away has this long to come back. */
#define CLAIM_MS_MIN 10000

struct result room_time_aborted(enum end_cause cause)
{
	return (struct result){.reason = REASON_ABORTED, .cause = cause};
}

struct result room_time_won(enum end_reason reason, enum seat winner)
{
	struct result result = {.reason = reason, .scored = true};

	*(winner == SEAT_X ? &result.half_points_x : &result.half_points_o) = 2;
	return result;
}

/* Clocks. */

static int64_t *clock_of(struct clock_running *clock, enum seat seat)
{
	return seat == SEAT_X ? &clock->x_ms : &clock->o_ms;
}

struct clock_running room_time_start(const struct clock_agreed *agreed)
{
	/* Before a player's first action his clock does not run. */
	return (struct clock_running){
			.set = agreed->set, .x_ms = agreed->base_ms, .o_ms = agreed->base_ms};
}

struct clock_running room_clocks(
		const struct room *room, const struct room_watch *watch, int64_t at_ms)
{
	struct clock_running clock = room->left;

	/* What was asked before the last action was told costs nothing. */
	if (clock.running != SEAT_NONE && at_ms > watch->turn_ms) {
		int64_t *left_ms = clock_of(&clock, clock.running);
		int64_t gone_ms = at_ms - watch->turn_ms;
		*left_ms = gone_ms < *left_ms ? *left_ms - gone_ms : 0;
	}
	return clock;
}

struct clock_running room_time_after(const struct room *room, const struct room_command *command,
		const struct rules_state *after)
{
	struct clock_running clock = room_clocks(room, command->watch, command->arrived_ms);
	enum seat seat = (enum seat)rules_turn(&room->game);
	bool goes_on = rules_phase(after) != RULES_OVER;
	enum seat next = goes_on ? (enum seat)rules_turn(after) : SEAT_NONE;

	if (!clock.set) {
		return clock;
	}
	*clock_of(&clock, seat) += room->clock.increment_ms;
	bool has_acted = next == seat || (goes_on && room->acted[next - SEAT_X]);
	clock.running = has_acted ? next : SEAT_NONE;
	return clock;
}

/* What falls due. */

static void set_due(struct room_due *due, int64_t since_ms, int64_t wait_ms, struct result result)
{
	due->at_ms = since_ms + wait_ms;
	due->result = result;
}

static void next_in_game(
		const struct room *room, const struct room_watch *watch, struct room_due *ret)
{
	const struct room_limits *limits = watch->limits;
	struct clock_running left = room->left;

	if (!left.set) {
		set_due(ret, watch->touched_ms, limits->untouched_ms,
				room_time_aborted(CAUSE_UNTOUCHED));
	} else if (left.running == SEAT_NONE) {
		set_due(ret, watch->turn_ms, limits->first_move_ms,
				room_time_aborted(CAUSE_NO_FIRST_MOVE));
	} else {
		set_due(ret, watch->turn_ms, *clock_of(&left, left.running),
				room_time_won(REASON_FLAG, room_other(left.running)));
	}
}

void room_next_due(const struct room *room, const struct room_watch *watch, struct room_due *ret)
{
	enum seat creator = room_seat_of(room, room->creator);

	*ret = (struct room_due){.at_ms = INT64_MAX};
	if (room->status == STATUS_PLAYING) {
		next_in_game(room, watch, ret);
	} else if (room->status == STATUS_WAITING && creator != SEAT_NONE &&
			watch->away_ms[creator - SEAT_X] != ROOM_HERE) {
		set_due(ret, watch->away_ms[creator - SEAT_X], watch->limits->creator_away_ms,
				room_time_aborted(CAUSE_CREATOR_LEFT));
	}
}

int64_t room_claim_at(const struct room *room, const struct room_watch *watch, enum seat seat)
{
	assert(seat != SEAT_NONE);
	const int64_t away_ms = watch->away_ms[seat - SEAT_X];
	const int64_t grace_ms = watch->limits->claim_ms;

	if (room->status != STATUS_PLAYING || away_ms == ROOM_HERE) {
		return INT64_MAX;
	}
	if (!room->left.set) {
		return away_ms + watch->limits->claim_untimed_ms;
	}
	if (!room->acted[seat - SEAT_X]) {
		return INT64_MAX;
	}
	struct clock_running shown = room_clocks(room, watch, away_ms);
	int64_t wait_ms = *clock_of(&shown, seat) / 2;
	wait_ms = wait_ms > CLAIM_MS_MIN ? wait_ms : CLAIM_MS_MIN;
	return away_ms + (wait_ms < grace_ms ? wait_ms : grace_ms);
}
