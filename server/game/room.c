#include "server/game/room.h"

#include <assert.h>
#include <string.h>

#include "server/game/view.h"

enum seat room_other(enum seat seat)
{
	static const enum seat others[] = {
			[SEAT_NONE] = SEAT_NONE, [SEAT_X] = SEAT_O, [SEAT_O] = SEAT_X};

	return others[seat];
}

enum seat room_seat_of(const struct room *room, const char *player)
{
	for (int i = 0; i < 2; i++) {
		if (player[0] != '\0' && strcmp(room->players[i], player) == 0) {
			return i == 0 ? SEAT_X : SEAT_O;
		}
	}
	return SEAT_NONE;
}

const char *room_player(const struct room *room, enum seat seat)
{
	assert(seat != SEAT_NONE);
	return room->players[seat - SEAT_X];
}

bool room_is_gone(const char *player)
{
	return strncmp(player, ROOM_GONE, strlen(ROOM_GONE)) == 0;
}

bool room_has_rating(const char *player)
{
	static const char *const prefixes[] = {"guest-", "bot-", ROOM_GONE};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (strncmp(player, prefixes[i], strlen(prefixes[i])) == 0) {
			return false;
		}
	}
	return player[0] != '\0';
}

void room_board(const struct room *room, struct board *ret)
{
	view_board(&room->game, room->status == STATUS_OVER, ret);
}

/* Applying. */

static bool apply_opened(struct room *room, const struct event *event)
{
	const struct event_opened *opened = &event->opened;

	if (room->seq != 0) {
		return false;
	}
	message_copy(room->id, sizeof(room->id), event->room);
	room->created_ms = event->at_ms;
	room->is_private = opened->is_private;
	room->clock = opened->clock;
	room->rated = opened->rated;
	message_copy(room->title, sizeof(room->title), opened->title);
	message_copy(room->opponent, sizeof(room->opponent), opened->opponent);
	message_copy(room->creator, sizeof(room->creator), opened->player);
	rules_start(&room->game);
	return true;
}

static bool apply_seated(struct room *room, const struct event *event)
{
	const struct event_seated *seated = &event->seated;

	if (seated->seat == SEAT_NONE || seated->player[0] == '\0') {
		return false;
	}
	char *player = room->players[seated->seat - SEAT_X];
	/* Somebody who sits and is seated again has a new name. */
	if (player[0] != '\0' && strcmp(room->creator, player) == 0) {
		message_copy(room->creator, sizeof(room->creator), seated->player);
	}
	message_copy(player, NAME_SIZE, seated->player);
	return true;
}

/* Clocks come with every action or with none. */
static bool has_its_clock(const struct room *room)
{
	return room->left.set == room->clock.set && room->left.x_ms >= 0 && room->left.o_ms >= 0;
}

static bool apply_started(struct room *room, const struct event *event)
{
	if (room->status != STATUS_WAITING || room->players[0][0] == '\0' ||
			room->players[1][0] == '\0') {
		return false;
	}
	room->status = STATUS_PLAYING;
	room->started_ms = event->at_ms;
	room->left = event->started.clock;
	/* As it begins, and for good: who claims a name later does so for later games. */
	room->is_rated = (!room->rated.set || room->rated.on) &&
			 room_has_rating(room->players[0]) && room_has_rating(room->players[1]);
	return has_its_clock(room);
}

static bool apply_action(struct room *room, const struct rules_action *action, enum seat by,
		const struct clock_running *clock)
{
	if (room->status != STATUS_PLAYING || room->action_count == RULES_GAME_MAX ||
			rules_apply(&room->game, (enum rules_player)by, action) != RULES_FINE) {
		return false;
	}
	room->actions[room->action_count] = *action;
	room->action_count++;
	room->acted[by - SEAT_X] = true;
	room->left = *clock;
	/* An offer lapses when its receiver acts. */
	if (room->draw_offer == room_other(by)) {
		room->draw_offer = SEAT_NONE;
	}
	return has_its_clock(room);
}

static bool apply_moved(struct room *room, const struct event *event)
{
	const struct event_moved *moved = &event->moved;
	struct rules_action action = {.kind = RULES_PLACE, .squares = {moved->squares[0]}};

	action.squares[1] = moved->squares[moved->square_count == 1 ? 0 : 1];
	return apply_action(room, &action, moved->by, &moved->clock);
}

static bool apply_collapsed(struct room *room, const struct event *event)
{
	const struct event_collapsed *collapsed = &event->collapsed;
	struct rules_action action = {.kind = RULES_MEASURE, .squares = {collapsed->square}};

	return apply_action(room, &action, collapsed->by, &collapsed->clock);
}

static bool apply_draw_offered(struct room *room, const struct event *event)
{
	if (room->status != STATUS_PLAYING || room->draw_offer != SEAT_NONE ||
			event->by == SEAT_NONE) {
		return false;
	}
	room->draw_offer = event->by;
	if (room->draw_offers[event->by - SEAT_X] < UINT8_MAX) {
		room->draw_offers[event->by - SEAT_X]++;
	}
	return true;
}

static bool apply_draw_declined(struct room *room, const struct event *event)
{
	/* Only a game that runs has an offer. */
	if (room->draw_offer == SEAT_NONE || room->draw_offer != room_other(event->by)) {
		return false;
	}
	room->draw_offer = SEAT_NONE;
	return true;
}

static bool apply_ended(struct room *room, const struct event *event)
{
	if (room->status == STATUS_OVER) {
		return false;
	}
	room->status = STATUS_OVER;
	room->ended_ms = event->at_ms;
	room->draw_offer = SEAT_NONE;
	room->has_result = true;
	room->result = event->ended.result;
	if (room->result.reason == REASON_FLAG) {
		*(room->result.half_points_x == 0 ? &room->left.x_ms : &room->left.o_ms) = 0;
	}
	room->left.running = SEAT_NONE;
	return true;
}

static bool apply_rematch_offered(struct room *room, const struct event *event)
{
	if (room->status != STATUS_OVER || room->rematch_offer != SEAT_NONE) {
		return false;
	}
	room->rematch_offer = event->by;
	return event->by != SEAT_NONE;
}

static bool apply_rematch(struct room *room, const struct event *event)
{
	/* Only a game that is over has somebody who asked. */
	if (room->rematch_offer == SEAT_NONE || room->rematch[0] != '\0') {
		return false;
	}
	message_copy(room->rematch, sizeof(room->rematch), event->new_room);
	return room->rematch[0] != '\0';
}

typedef bool apply_fn(struct room *room, const struct event *event);

static apply_fn *const apply_by_type[EVENT_COUNT] = {
		[EVENT_OPENED] = apply_opened,
		[EVENT_SEATED] = apply_seated,
		[EVENT_STARTED] = apply_started,
		[EVENT_MOVED] = apply_moved,
		[EVENT_COLLAPSED] = apply_collapsed,
		[EVENT_DRAW_OFFERED] = apply_draw_offered,
		[EVENT_DRAW_DECLINED] = apply_draw_declined,
		[EVENT_ENDED] = apply_ended,
		[EVENT_REMATCH_OFFERED] = apply_rematch_offered,
		[EVENT_REMATCH] = apply_rematch,
};

bool room_apply(struct room *room, const struct event *event)
{
	apply_fn *apply = apply_by_type[event->type];
	struct room after = *room;

	bool follows = event->seq == room->seq + 1 &&
		       (room->seq == 0 ? event->type == EVENT_OPENED
				       : strcmp(event->room, room->id) == 0);
	if (apply == NULL || !follows || !apply(&after, event)) {
		return false;
	}
	after.seq = event->seq;
	after.at_ms = event->at_ms;
	*room = after;
	return true;
}

bool room_apply_past(struct room *room, const struct room_past *past)
{
	const struct clock_running unknown = {.set = room->clock.set};
	struct room after = *room;

	if (room->seq != 1 || past->last_seq < 1) {
		return false;
	}
	for (int i = 0; i < 2; i++) {
		message_copy(after.players[i], NAME_SIZE, past->players[i]);
	}
	after.status = STATUS_PLAYING;
	after.started_ms = past->started_ms;
	after.is_rated = past->is_rated;
	after.seq = past->last_seq;
	for (int i = 0; i < past->action_count; i++) {
		enum seat by = (enum seat)rules_turn(&after.game);
		if (!apply_action(&after, &past->actions[i], by, &unknown)) {
			return false;
		}
	}
	after.left = past->left;
	*room = after;
	return true;
}

/* What others see. */

void room_snapshot(const struct room *room, struct snapshot *ret)
{
	memset(ret, 0, sizeof(*ret));
	message_copy(ret->room, sizeof(ret->room), room->id);
	ret->seq = room->seq;
	ret->at_ms = room->at_ms;
	ret->status = room->status;
	for (int i = 0; i < 2; i++) {
		ret->players[i].taken = room->players[i][0] != '\0';
		message_copy(ret->players[i].name, NAME_SIZE, room->players[i]);
	}
	ret->is_private = room->is_private;
	message_copy(ret->title, sizeof(ret->title), room->title);
	ret->agreed = room->clock;
	ret->rated = room->rated;
	ret->clock = room->left;
	ret->draw_offer = room->draw_offer;
	room_board(room, &ret->board);
	ret->has_result = room->has_result;
	ret->result = room->result;
}

void room_summary(const struct room *room, struct summary *ret)
{
	struct board board;

	memset(ret, 0, sizeof(*ret));
	message_copy(ret->room, sizeof(ret->room), room->id);
	ret->status = room->status;
	for (int i = 0; i < 2; i++) {
		message_copy(ret->players[i], NAME_SIZE, room->players[i]);
	}
	ret->clock = room->clock;
	ret->rated = room->rated;
	message_copy(ret->title, sizeof(ret->title), room->title);
	room_board(room, &board);
	ret->move = board.move;
	ret->created_ms = room->created_ms;
}
