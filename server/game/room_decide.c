#include "server/game/room.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "server/game/room_time.h"
#include "server/game/view.h"

static void refuse(struct room_decision *decision, enum code code, const char *message)
{
	decision->code = code;
	decision->message = message;
}

static void refuse_field(struct room_decision *decision, const char *field, const char *message)
{
	refuse(decision, CODE_BAD_REQUEST, message);
	decision->field = field;
}

/* The decision's next event, with the members that all events share. */
static struct event *add_event(const struct room *room, const struct room_command *command,
		struct room_decision *decision, enum event_type type)
{
	assert(decision->count < ROOM_EVENTS_MAX);
	struct event *event = &decision->events[decision->count];
	decision->count++;
	memset(event, 0, sizeof(*event));
	event->type = type;
	message_copy(event->room, sizeof(event->room),
			room->seq == 0 ? command->new_room : room->id);
	event->seq = room->seq + decision->count;
	/* A room's times do not go back, whatever the clock of a later process says. */
	event->at_ms = command->now_ms > room->at_ms ? command->now_ms : room->at_ms;
	return event;
}

static void add_seated(const struct room *room, const struct room_command *command,
		struct room_decision *decision, enum seat seat, const char *player)
{
	struct event *event = add_event(room, command, decision, EVENT_SEATED);
	event->seated.seat = seat;
	message_copy(event->seated.player, sizeof(event->seated.player), player);
}

static void add_started(const struct room *room, const struct room_command *command,
		struct room_decision *decision, const char *const players[2],
		const struct clock_agreed *clock)
{
	struct event_started *started = &add_event(room, command, decision, EVENT_STARTED)->started;
	struct rules_state opening;

	for (int i = 0; i < 2; i++) {
		message_copy(started->players[i], NAME_SIZE, players[i]);
	}
	started->clock = room_time_start(clock);
	rules_start(&opening);
	view_board(&opening, false, &started->board);
}

static void add_ended(const struct room *room, const struct room_command *command,
		struct room_decision *decision, const struct rules_state *game,
		const struct result *result)
{
	struct event *event = add_event(room, command, decision, EVENT_ENDED);
	event->ended.result = *result;
	view_board(game, true, &event->ended.board);
}

/* The game ends by what a player said, not by what stands on the board. */
static void end_by(const struct room *room, const struct room_command *command,
		struct room_decision *decision, const struct result *result)
{
	add_ended(room, command, decision, &room->game, result);
}

static void decide_open(const struct room *room, const struct room_command *command, enum seat seat,
		struct room_decision *decision)
{
	(void)seat;
	struct event_opened *opened = &add_event(room, command, decision, EVENT_OPENED)->opened;
	message_copy(opened->player, sizeof(opened->player), command->player);
	opened->is_private = command->is_private;
	opened->clock = command->clock;
	opened->rated = command->rated;
	if (command->title != NULL) {
		message_copy(opened->title, sizeof(opened->title), command->title);
	}
	if (command->opponent != NULL) {
		message_copy(opened->opponent, sizeof(opened->opponent), command->opponent);
	}
	enum seat side = command->side;
	if (side == SEAT_NONE) {
		side = command->side_coin ? SEAT_X : SEAT_O;
	}
	add_seated(room, command, decision, side, command->player);
	if (command->opponent != NULL && command->opponent_sits) {
		const char *players[2] = {command->player, command->opponent};

		add_seated(room, command, decision, room_other(side), command->opponent);
		if (side == SEAT_O) {
			players[0] = command->opponent;
			players[1] = command->player;
		}
		add_started(room, command, decision, players, &command->clock);
	}
}

static bool seat_is_kept_from(const struct room *room, const struct room_command *command)
{
	if (room->opponent[0] == '\0' || strcmp(room->opponent, command->player) == 0) {
		return false;
	}
	return command->former == NULL || strcmp(room->opponent, command->former) != 0;
}

static void decide_join(const struct room *room, const struct room_command *command, enum seat seat,
		struct room_decision *decision)
{
	if (seat != SEAT_NONE) {
		return;
	}
	if (room->status == STATUS_OVER) {
		refuse(decision, CODE_GAME_OVER, NULL);
		return;
	}
	if (room->status == STATUS_PLAYING) {
		refuse(decision, CODE_ROOM_FULL, NULL);
		return;
	}
	if (seat_is_kept_from(room, command)) {
		refuse(decision, CODE_NOT_ALLOWED, "The free seat is kept for somebody else.");
		return;
	}
	enum seat open = room->players[0][0] == '\0' ? SEAT_X : SEAT_O;
	if (command->side != SEAT_NONE && command->side != open) {
		refuse(decision, CODE_ROOM_FULL, "That side is taken; the other one is free.");
		return;
	}
	const char *players[2] = {room->players[0], room->players[1]};
	players[open - SEAT_X] = command->player;
	add_seated(room, command, decision, open, command->player);
	add_started(room, command, decision, players, &room->clock);
}

static void decide_rename(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	if (seat != SEAT_NONE) {
		add_seated(room, command, decision, seat, command->new_name);
	}
}

static void decide_leave(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	if (room->status == STATUS_WAITING && seat != SEAT_NONE) {
		struct result result = room_time_aborted(CAUSE_CREATOR_LEFT);
		end_by(room, command, decision, &result);
	}
}

static void decide_decline(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	(void)seat;
	if (room->opponent[0] == '\0' || seat_is_kept_from(room, command)) {
		refuse(decision, CODE_NOT_ALLOWED, "You were not invited to this room.");
		return;
	}
	if (room->status == STATUS_OVER) {
		refuse(decision, CODE_GAME_OVER, NULL);
		return;
	}
	if (room->status == STATUS_PLAYING) {
		refuse(decision, CODE_TOO_LATE, "The game has begun; resign or abort ends it.");
		return;
	}
	struct result result = room_time_aborted(CAUSE_DECLINED);
	end_by(room, command, decision, &result);
}

static void decide_forget(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	bool is_invited = room->opponent[0] != '\0' && strcmp(room->opponent, command->player) == 0;

	if (room->status == STATUS_PLAYING && seat != SEAT_NONE) {
		refuse(decision, CODE_TOO_EARLY, NULL);
		return;
	}
	decide_rename(room, command, seat, decision);
	if (room->status == STATUS_WAITING && (seat != SEAT_NONE || is_invited)) {
		struct result result = room_time_aborted(
				seat != SEAT_NONE ? CAUSE_CREATOR_LEFT : CAUSE_DECLINED);
		end_by(room, command, decision, &result);
	}
}

static void decide_close(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	struct result result = room_time_aborted(CAUSE_OPERATOR);

	(void)seat;
	if (room->status == STATUS_OVER) {
		refuse(decision, CODE_GAME_OVER, NULL);
		return;
	}
	end_by(room, command, decision, &result);
}

/* The checks that every act of a player in his game has in common, in the contract's order. */
static bool may_act(const struct room *room, enum seat seat, struct room_decision *decision)
{
	if (seat == SEAT_NONE) {
		refuse(decision, CODE_NOT_SEATED, NULL);
	} else if (room->status == STATUS_WAITING) {
		refuse(decision, CODE_NOT_STARTED, NULL);
	} else if (room->status == STATUS_OVER) {
		refuse(decision, CODE_GAME_OVER, NULL);
	}
	return decision->code == CODE_NONE;
}

/* Does the number that came with an action fit? A placement has the next move's number, a
 * measurement that of the move which closed the cycle. */
static bool is_stale(const struct room *room, const struct room_command *command)
{
	if (!command->has_number) {
		return false;
	}
	if (command->kind == ROOM_MOVE) {
		return command->number != room->game.moves + 1;
	}
	return rules_phase(&room->game) != RULES_COLLAPSE || command->number != room->game.moves;
}

/* A number from the wire as the rules take it; what is beyond any square or mark stays so. */
static int narrow(int64_t number)
{
	return number >= 1 && number <= 9 ? (int)number : -1;
}

static struct rules_action action_of(const struct room_command *command)
{
	struct rules_action action = {.kind = RULES_PLACE};

	if (command->kind == ROOM_MOVE) {
		action.squares[0] = narrow(command->squares[0]);
		action.squares[1] = narrow(command->squares[command->square_count - 1]);
		return action;
	}
	action.kind = RULES_MEASURE;
	action.squares[0] = narrow(command->squares[0]);
	if (command->mark_seat != SEAT_NONE) {
		action.mark = narrow(command->mark);
		/* "X4" is nobody's mark, so it is on no cycle. */
		if (action.mark > 0 && (int)rules_owner(action.mark) != (int)command->mark_seat) {
			action.mark = -1;
		}
	}
	return action;
}

static void add_moved(const struct room *room, const struct room_command *command,
		struct room_decision *decision, const struct rules_action *action,
		const struct rules_state *after)
{
	struct event_moved *moved = &add_event(room, command, decision, EVENT_MOVED)->moved;
	int low = action->squares[0];
	int high = action->squares[1];

	if (low > high) {
		low = action->squares[1];
		high = action->squares[0];
	}
	moved->by = (enum seat)rules_turn(&room->game);
	moved->move = after->moves;
	moved->square_count = low == high ? 1 : 2;
	moved->squares[0] = (uint8_t)low;
	moved->squares[1] = low == high ? 0 : (uint8_t)high;
	moved->clock = room_time_after(room, command, after);
	view_board(after, rules_phase(after) == RULES_OVER, &moved->board);
}

static void add_collapsed(const struct room *room, const struct room_command *command,
		struct room_decision *decision, const struct rules_action *action,
		const struct rules_state *after)
{
	struct event_collapsed *collapsed =
			&add_event(room, command, decision, EVENT_COLLAPSED)->collapsed;
	int square = rules_closing_square(&room->game, action);
	struct rules_measured measured;

	rules_outcome(&room->game, square, &measured);
	collapsed->by = (enum seat)rules_turn(&room->game);
	collapsed->move = room->game.moves;
	collapsed->square = (uint8_t)square;
	collapsed->clock = room_time_after(room, command, after);
	view_measured(&measured, &collapsed->measured);
	view_board(after, rules_phase(after) == RULES_OVER, &collapsed->board);
}

static void add_ended_on_board(const struct room *room, const struct room_command *command,
		struct room_decision *decision, const struct rules_state *after)
{
	struct result result = {.scored = true};

	view_lines(after, &result);
	result.reason = result.line_count > 0 ? REASON_LINE : REASON_FULL_BOARD;
	add_ended(room, command, decision, after, &result);
}

static void decide_action(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	struct rules_state after = room->game;

	if (!may_act(room, seat, decision)) {
		return;
	}
	if (is_stale(room, command)) {
		refuse(decision, CODE_STALE, NULL);
		return;
	}
	struct rules_action action = action_of(command);
	enum rules_refusal refusal = rules_apply(&after, (enum rules_player)seat, &action);
	bool half_a_move = command->kind == ROOM_MOVE && command->square_count == 1 &&
			   rules_open_squares(&room->game) > 1;
	if (half_a_move && (refusal == RULES_FINE || refusal >= RULES_BAD_SQUARE)) {
		refuse_field(decision, "squares",
				"A move names two squares; one alone only when just one is free.");
		return;
	}
	if (refusal != RULES_FINE) {
		refuse(decision, view_code(refusal), NULL);
		return;
	}
	if (command->kind == ROOM_MOVE) {
		add_moved(room, command, decision, &action, &after);
	} else {
		add_collapsed(room, command, decision, &action, &after);
	}
	if (rules_phase(&after) == RULES_OVER) {
		add_ended_on_board(room, command, decision, &after);
	}
}

static void decide_resign(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	if (!may_act(room, seat, decision)) {
		return;
	}
	struct result result = room_time_won(REASON_RESIGN, room_other(seat));
	end_by(room, command, decision, &result);
}

static void decide_abort(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	if (!may_act(room, seat, decision)) {
		return;
	}
	if (room->game.moves >= 2) {
		refuse(decision, CODE_TOO_LATE, "Both have moved; resign ends the game.");
		return;
	}
	struct result result = room_time_aborted(CAUSE_REQUEST);
	end_by(room, command, decision, &result);
}

static void decide_draw(const struct room *room, const struct room_command *command, enum seat seat,
		struct room_decision *decision)
{
	if (!may_act(room, seat, decision)) {
		return;
	}
	bool offered_to_me = room->draw_offer == room_other(seat);
	if (command->has_accept && !offered_to_me) {
		refuse(decision, CODE_NO_OFFER, NULL);
	} else if (offered_to_me && command->has_accept && !command->accept) {
		add_event(room, command, decision, EVENT_DRAW_DECLINED)->by = seat;
	} else if (offered_to_me) {
		struct result result = {.reason = REASON_AGREEMENT, .scored = true};
		end_by(room, command, decision, &result);
	} else if (room->draw_offer == SEAT_NONE &&
			room->draw_offers[seat - SEAT_X] >= ROOM_DRAW_OFFERS_MAX) {
		refuse(decision, CODE_NOT_ALLOWED,
				"You have offered a draw often enough in this game.");
	} else if (room->draw_offer == SEAT_NONE) {
		add_event(room, command, decision, EVENT_DRAW_OFFERED)->by = seat;
	}
}

static void decide_claim(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	enum seat other = room_other(seat);

	if (!may_act(room, seat, decision)) {
		return;
	}
	if ((enum seat)rules_turn(&room->game) != other) {
		refuse(decision, CODE_NOT_ALLOWED,
				"It is your turn: a claim is for who waits for the other.");
		return;
	}
	if (command->watch->away_ms[other - SEAT_X] == ROOM_HERE) {
		refuse(decision, CODE_NOT_ALLOWED, "Your opponent is here.");
		return;
	}
	int64_t from_ms = room_claim_at(room, command->watch, other);
	if (from_ms == INT64_MAX) {
		refuse(decision, CODE_NOT_ALLOWED,
				"Your opponent never moved: the game is called off soon.");
	} else if (command->arrived_ms < from_ms) {
		refuse(decision, CODE_TOO_EARLY, "Your opponent is not away for long enough yet.");
		decision->retry_ms = from_ms - command->arrived_ms;
	} else {
		struct result result = room_time_won(REASON_CLAIM, seat);
		end_by(room, command, decision, &result);
	}
}

static void decide_rematch(const struct room *room, const struct room_command *command,
		enum seat seat, struct room_decision *decision)
{
	if (seat == SEAT_NONE) {
		refuse(decision, CODE_NOT_SEATED, NULL);
	} else if (room->status == STATUS_WAITING) {
		refuse(decision, CODE_NOT_STARTED, NULL);
	} else if (room->status == STATUS_PLAYING) {
		refuse(decision, CODE_TOO_EARLY, "The game is not over yet.");
	} else if (room_player(room, room_other(seat))[0] == '\0') {
		refuse(decision, CODE_NOT_ALLOWED, "Nobody sat opposite in this room.");
	} else if (room->rematch[0] != '\0' || room->rematch_offer == seat) {
		return;
	} else if (room_is_gone(room_player(room, room_other(seat)))) {
		refuse(decision, CODE_NOT_ALLOWED, "Your opponent has no name any more.");
	} else if (room->rematch_offer == SEAT_NONE) {
		add_event(room, command, decision, EVENT_REMATCH_OFFERED)->by = seat;
	} else {
		struct event *event = add_event(room, command, decision, EVENT_REMATCH);
		message_copy(event->new_room, sizeof(event->new_room), command->new_room);
		decision->opens_rematch = true;
	}
}

static void decide_time(const struct room *room, const struct room_command *command, enum seat seat,
		struct room_decision *decision)
{
	struct room_due due;

	(void)seat;
	room_next_due(room, command->watch, &due);
	if (due.at_ms <= command->arrived_ms) {
		end_by(room, command, decision, &due.result);
	}
}

typedef void decide_fn(const struct room *room, const struct room_command *command, enum seat seat,
		struct room_decision *decision);

static decide_fn *const decide_by_kind[] = {
		[ROOM_OPEN] = decide_open,
		[ROOM_JOIN] = decide_join,
		[ROOM_RENAME] = decide_rename,
		[ROOM_FORGET] = decide_forget,
		[ROOM_LEAVE] = decide_leave,
		[ROOM_DECLINE] = decide_decline,
		[ROOM_CLOSE] = decide_close,
		[ROOM_MOVE] = decide_action,
		[ROOM_COLLAPSE] = decide_action,
		[ROOM_RESIGN] = decide_resign,
		[ROOM_ABORT] = decide_abort,
		[ROOM_DRAW] = decide_draw,
		[ROOM_CLAIM] = decide_claim,
		[ROOM_REMATCH] = decide_rematch,
		[ROOM_TIME] = decide_time,
};

/* Did it come when time had decided already? A new name may come at any time. */
static bool is_too_late(const struct room *room, const struct room_command *command)
{
	struct room_due due;

	if (command->kind == ROOM_TIME || command->kind == ROOM_OPEN ||
			command->kind == ROOM_RENAME || command->kind == ROOM_FORGET) {
		return false;
	}
	room_next_due(room, command->watch, &due);
	return due.at_ms <= command->arrived_ms;
}

void room_decide(const struct room *room, const struct room_command *command,
		struct room_decision *ret)
{
	memset(ret, 0, offsetof(struct room_decision, events));
	if (is_too_late(room, command)) {
		refuse(ret, CODE_UNAVAILABLE, NULL);
		return;
	}
	decide_by_kind[command->kind](room, command, room_seat_of(room, command->player), ret);
}

void room_open_rematch(const struct room *old, const char *new_room, int64_t now_ms,
		struct event ret_events[ROOM_REMATCH_EVENTS])
{
	static const enum event_type types[ROOM_REMATCH_EVENTS] = {
			EVENT_OPENED, EVENT_SEATED, EVENT_SEATED, EVENT_STARTED};
	struct rules_state opening;

	memset(ret_events, 0, ROOM_REMATCH_EVENTS * sizeof(*ret_events));
	for (int i = 0; i < ROOM_REMATCH_EVENTS; i++) {
		ret_events[i].type = types[i];
		message_copy(ret_events[i].room, sizeof(ret_events[i].room), new_room);
		ret_events[i].seq = i + 1;
		ret_events[i].at_ms = now_ms > old->at_ms ? now_ms : old->at_ms;
	}
	struct event_opened *opened = &ret_events[0].opened;
	message_copy(opened->player, sizeof(opened->player), room_player(old, old->rematch_offer));
	opened->is_private = old->is_private;
	opened->clock = old->clock;
	opened->rated = old->rated;
	message_copy(opened->title, sizeof(opened->title), old->title);
	struct event_started *started = &ret_events[3].started;
	for (enum seat seat = SEAT_X; seat <= SEAT_O; seat++) {
		const char *player = room_player(old, room_other(seat));
		struct event_seated *seated = &ret_events[seat].seated;
		seated->seat = seat;
		message_copy(seated->player, sizeof(seated->player), player);
		message_copy(started->players[seat - SEAT_X], NAME_SIZE, player);
	}
	started->clock = room_time_start(&old->clock);
	rules_start(&opening);
	view_board(&opening, false, &started->board);
}
