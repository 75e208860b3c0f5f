#include "client-cli/places.h"

struct place *places_find(struct places *places, const char *id)
{
	for (size_t i = 0; i < places->count; i++) {
		if (strcmp(places->seen[i].id, id) == 0) {
			return &places->seen[i];
		}
	}
	return NULL;
}

static void drop_at(struct places *places, size_t index)
{
	places->count--;
	memmove(&places->seen[index], &places->seen[index + 1],
			(places->count - index) * sizeof(places->seen[0]));
}

void places_drop(struct places *places, const char *id)
{
	struct place *place = places_find(places, id);

	if (place) {
		drop_at(places, (size_t)(place - places->seen));
	}
}

/* The place, made if it is new; then the first one that is over makes room where there is none, as
 * it does at the server. */
static struct place *see(struct places *places, const char *id)
{
	struct place *place = places_find(places, id);
	size_t index = 0;

	if (place) {
		return place;
	}
	if (places->count == LIMIT_ROOMS_FOLLOWED) {
		while (index < places->count && !places->seen[index].over) {
			index++;
		}
		drop_at(places, index < places->count ? index : 0);
	}
	place = &places->seen[places->count++];
	*place = (struct place){.seq = 0};
	message_copy(place->id, sizeof(place->id), id);
	return place;
}

/* Learning. */

static void learn_board(struct place *place, const struct board *board)
{
	place->has_board = true;
	place->phase = board->phase;
	place->turn = board->turn;
	place->move = board->move;
}

static void learn_snapshot(struct place *place, const struct snapshot *state)
{
	place->seq = state->seq;
	place->over = state->status == STATUS_OVER;
	learn_board(place, &state->board);
}

static const struct board *board_of(const struct event *event)
{
	const struct board *board = NULL;

	if (event->type == EVENT_STARTED) {
		board = &event->started.board;
	} else if (event->type == EVENT_MOVED) {
		board = &event->moved.board;
	} else if (event->type == EVENT_COLLAPSED) {
		board = &event->collapsed.board;
	} else if (event->type == EVENT_ENDED) {
		board = &event->ended.board;
	}
	return board;
}

static bool take_stored(struct place *place, const struct event *event)
{
	const struct board *board = board_of(event);

	if (place->behind && event->seq != place->seq + 1) {
		return false;
	}
	/* One that was asked for again does not take us back. */
	if (event->seq > place->seq) {
		place->seq = event->seq;
		place->over |= event->type == EVENT_ENDED;
		if (board) {
			learn_board(place, board);
		}
	}
	return true;
}

static bool take_state(struct places *places, const struct snapshot *state)
{
	struct place *place = see(places, state->room);

	if (place->behind) {
		return false;
	}
	learn_snapshot(place, state);
	return true;
}

/* How many watch is told anew to whoever comes. */
static bool take_presence(struct place *place, const struct event_presence *presence)
{
	bool is_known = place->counted && place->spectators == presence->spectators;

	if (presence->player[0] != '\0') {
		return true;
	}
	place->counted = true;
	place->spectators = presence->spectators;
	return !is_known;
}

/* Invitations that stand come again with every hello. */
static bool take_invited(struct places *places, const char *room)
{
	char(*told)[ROOM_ID_SIZE] = places->invitations;

	for (size_t i = 0; i < places->invitation_count; i++) {
		if (strcmp(told[i], room) == 0) {
			return false;
		}
	}
	if (places->invitation_count == PLACES_INVITATIONS_MAX) {
		places->invitation_count--;
		memmove(told[0], told[1], places->invitation_count * sizeof(told[0]));
	}
	message_copy(told[places->invitation_count], sizeof(told[0]), room);
	places->invitation_count++;
	return true;
}

static bool take_event(struct places *places, const struct event *event)
{
	struct place *place = places_find(places, event->room);

	if (event->type == EVENT_STATE) {
		return take_state(places, &event->state);
	}
	if (event->type == EVENT_INVITED) {
		return take_invited(places, event->room);
	}
	if (place && event->type == EVENT_PRESENCE) {
		return take_presence(place, &event->presence);
	}
	return !place || event->seq == 0 || take_stored(place, event);
}

/* Only these make the connection follow the room: one may also ask for the state of others. */
static bool makes_follow(enum request_type type)
{
	return type == REQUEST_CREATE || type == REQUEST_MATCH || type == REQUEST_JOIN ||
	       type == REQUEST_WATCH;
}

static void take_ok(struct places *places, const struct ok *ok)
{
	if (ok->to == REQUEST_LEAVE) {
		places_drop(places, ok->room);
	} else if (ok->state && (makes_follow(ok->to) || places_find(places, ok->room))) {
		learn_snapshot(see(places, ok->state->room), ok->state);
	}
}

bool places_take(struct places *places, const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_OK:
		take_ok(places, &message->ok);
		break;
	case MESSAGE_ERROR:
		break;
	case MESSAGE_EVENT:
		return take_event(places, &message->event);
	}
	return true;
}

/* Coming back. */

void places_fall_behind(struct places *places)
{
	for (size_t i = 0; i < places->count; i++) {
		places->seen[i].behind = true;
	}
}

bool places_catch_up(struct places *places, const struct snapshot *state)
{
	struct place *place = see(places, state->room);
	bool is_all = place->seq == state->seq;

	place->behind = false;
	learn_snapshot(place, state);
	return is_all;
}

void places_number(struct places *places, enum seat seat, struct request *request)
{
	enum phase phase = request->type == REQUEST_MOVE ? PHASE_MOVE : PHASE_COLLAPSE;
	const struct place *place = places_find(places, request->room);

	if ((request->type == REQUEST_MOVE || request->type == REQUEST_COLLAPSE) && place &&
			place->has_board && place->phase == phase && place->turn == seat &&
			!(request->has & HAS_MOVE)) {
		request->has |= HAS_MOVE;
		request->move = place->move;
	}
}
