#include "client-cli/view.h"

#include <string.h>

#include "client-cli/vocabulary.h"
#include "protocol/phrase.h"
#include "protocol/tell.h"

void view_init(struct view *view, FILE *out, bool ascii, bool hides_token)
{
	*view = (struct view){.out = out, .ascii = ascii, .hides_token = hides_token};
}

/* Telling. */

static void view_begin(const struct view *view, const struct tell_room *room, struct tell *ret_tell)
{
	size_t others = rooms_running(&view->rooms);

	if (room && room->status != STATUS_OVER) {
		others--;
	}
	tell_init(ret_tell);
	ret_tell->ascii = view->ascii;
	ret_tell->hides_token = view->hides_token;
	ret_tell->brief = view->brief;
	ret_tell->columns = view->columns;
	ret_tell->is_operator = vocabulary_is_operators();
	ret_tell->room = room;
	ret_tell->others_run = others > 0;
}

static void view_end(const struct view *view, struct tell *tell)
{
	if (!view->quiet) {
		fwrite(tell->text.data, 1, tell->text.length, view->out);
	}
	tell_fini(tell);
}

/* Remembering what is told. */

static struct tell_room *learn_snapshot(struct view *view, const struct snapshot *state)
{
	struct tell_room *room = rooms_see(&view->rooms, state->room);

	room->status = state->status;
	room_seat_player(&view->rooms, room, SEAT_X, state->players[0].name);
	room_seat_player(&view->rooms, room, SEAT_O, state->players[1].name);
	return room;
}

static void learn_opened(const struct view *view, struct tell_room *room, const struct event *event)
{
	room_keep_seat(&view->rooms, room, event->opened.opponent);
}

static void learn_seated(const struct view *view, struct tell_room *room, const struct event *event)
{
	room_seat_player(&view->rooms, room, event->seated.seat, event->seated.player);
}

static void learn_started(
		const struct view *view, struct tell_room *room, const struct event *event)
{
	room->status = STATUS_PLAYING;
	room_seat_player(&view->rooms, room, SEAT_X, event->started.players[0]);
	room_seat_player(&view->rooms, room, SEAT_O, event->started.players[1]);
}

static void learn_action(const struct view *view, struct tell_room *room, const struct event *event)
{
	(void)view;
	(void)event;
	room->status = STATUS_PLAYING;
}

static void learn_ended(const struct view *view, struct tell_room *room, const struct event *event)
{
	(void)view;
	(void)event;
	room->status = STATUS_OVER;
}

typedef void (*event_learner)(
		const struct view *view, struct tell_room *room, const struct event *event);

static const struct {
	bool of_room; /* it is about a room that we follow */
	event_learner learn;
} event_rows[EVENT_COUNT] = {
		[EVENT_OPENED] = {true, learn_opened},
		[EVENT_SEATED] = {true, learn_seated},
		[EVENT_STARTED] = {true, learn_started},
		[EVENT_MOVED] = {true, learn_action},
		[EVENT_COLLAPSED] = {true, learn_action},
		[EVENT_DRAW_OFFERED] = {true, NULL},
		[EVENT_DRAW_DECLINED] = {true, NULL},
		[EVENT_ENDED] = {true, learn_ended},
		[EVENT_REMATCH_OFFERED] = {true, NULL},
		[EVENT_REMATCH] = {true, NULL},
		[EVENT_PRESENCE] = {true, NULL},
		[EVENT_SAID] = {true, NULL},
};

/* Returns the room that the event is about, or NULL. */
static struct tell_room *learn_event(struct view *view, const struct event *event)
{
	struct tell_room *room;

	if (event->type == EVENT_STATE) {
		return learn_snapshot(view, &event->state);
	}
	if (!event_rows[event->type].of_room) {
		return NULL;
	}
	room = rooms_see(&view->rooms, event->room);
	if (event_rows[event->type].learn) {
		event_rows[event->type].learn(view, room, event);
	}
	return room;
}

/* Returns whether the name was known. */
static bool learn_name(struct view *view, const struct ok *ok)
{
	const char *name = ok->to == REQUEST_HELLO ? ok->name : ok->you;
	bool known = strcmp(name, view->rooms.name) == 0;

	if (name[0] != '\0') {
		snprintf(view->rooms.name, sizeof(view->rooms.name), "%s", name);
	}
	return known;
}

static bool is_own(const struct ok *ok, const char *room)
{
	for (size_t i = 0; i < ok->own_room_count; i++) {
		if (strcmp(ok->own_rooms[i], room) == 0) {
			return true;
		}
	}
	return false;
}

/* Who is somebody else from now on has left his seats to the one that he was. A guest who claims a
 * name keeps his games: the answer lists them, and is followed by what says who sits there. */
static void leave_seats(struct view *view, const struct ok *ok, struct tell *tell)
{
	for (size_t i = 0; i < view->rooms.count; i++) {
		struct tell_room *room = &view->rooms.seen[i];
		const char *holder = room->seat == SEAT_NONE ? ok->name
							     : room->players[room->seat - SEAT_X];
		char line[160];

		if (strcmp(holder, ok->name) == 0 || is_own(ok, room->id)) {
			continue;
		}
		room->seat = SEAT_NONE;
		if (room->status != STATUS_OVER) {
			snprintf(line, sizeof(line), _("Your seat in room %s stays with %s."),
					room->id, holder);
			tell_text(tell, line, strlen(line));
		}
	}
}

/* Returns the room whose state it carries, or NULL. */
static struct tell_room *learn_ok(struct view *view, const struct ok *ok, const struct asked *asked)
{
	if (ok->to == REQUEST_CREATE && asked) {
		/* The answer does not say it again. */
		room_keep_seat(&view->rooms, rooms_see(&view->rooms, ok->room), asked->opponent);
	}
	if (ok->carries & OK_SEAT) {
		rooms_see(&view->rooms, ok->room)->seat = ok->seat;
	}
	if (ok->to == REQUEST_LEAVE) {
		rooms_drop(&view->rooms, ok->room);
	}
	return ok->state ? learn_snapshot(view, ok->state) : NULL;
}

/* Showing. */

static void view_event(struct view *view, const struct event *event)
{
	const struct tell_room *room = learn_event(view, event);
	struct tell tell;

	view_begin(view, room, &tell);
	tell_event(&tell, event);
	view_end(view, &tell);
}

static void view_ok(struct view *view, const struct ok *ok, const struct asked *asked)
{
	bool knows_name = learn_name(view, ok);
	const struct tell_room *room = learn_ok(view, ok, asked);
	struct tell tell;

	view_begin(view, room, &tell);
	tell.knows_name = knows_name;
	tell_ok(&tell, ok);
	if (ok->to == REQUEST_HELLO) {
		leave_seats(view, ok, &tell);
	}
	view_end(view, &tell);
}

/* The room that an error is about, as far as it can be known: errors do not name it. */
static const struct tell_room *asked_room(struct view *view, const struct asked *asked)
{
	if (asked && asked->room[0] != '\0') {
		return rooms_find(&view->rooms, asked->room);
	}
	return rooms_only(&view->rooms);
}

void view_refusal(struct view *view, const struct asked *asked, const struct error *error)
{
	struct tell tell;

	view_begin(view, asked_room(view, asked), &tell);
	tell_error(&tell, error, asked ? asked->words : error->to);
	view_end(view, &tell);
}

void view_raw(struct view *view, const char *line, size_t length)
{
	struct tell tell;

	view_begin(view, NULL, &tell);
	tell_text(&tell, line, length);
	view_end(view, &tell);
}

void view_help(struct view *view, const char *about)
{
	struct tell tell;

	view_begin(view, NULL, &tell);
	tell_help(&tell, about);
	view_end(view, &tell);
}

void view_message(struct view *view, const struct message *message, const struct asked *asked)
{
	switch (message->kind) {
	case MESSAGE_OK:
		view_ok(view, &message->ok, asked);
		break;
	case MESSAGE_ERROR:
		view_refusal(view, asked, &message->error);
		break;
	case MESSAGE_EVENT:
		view_event(view, &message->event);
		break;
	}
}
