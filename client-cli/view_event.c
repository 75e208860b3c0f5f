#include <assert.h>

#include "client-cli/view_parts.h"
#include "protocol/encode.h"

/* One function an event: it remembers what the event changes and tells it. `room` is the event's
 * room, NULL for an event that has none. */
typedef void (*event_teller)(struct view *view, struct room_seen *room, const struct event *event);

static void tell_opened(struct view *view, struct room_seen *room, const struct event *event)
{
	const struct event_opened *opened = &event->opened;
	char clock[CLOCK_TEXT_SIZE];

	view_clock_agreed(&opened->clock, clock);
	view_line(view, "%s opened room %s%s%s%s%s%s.", opened->player, room->id,
			opened->opponent[0] != '\0' ? " for " : "", opened->opponent,
			opened->is_private ? ", private" : "", opened->clock.set ? ", clock " : "",
			opened->clock.set ? clock : "");
}

static void tell_seated(struct view *view, struct room_seen *room, const struct event *event)
{
	room_seat_player(&view->rooms, room, event->seated.seat, event->seated.player);
	view_line(view, "%s is %s.", event->seated.player, seat_word(event->seated.seat));
}

static void tell_started(struct view *view, struct room_seen *room, const struct event *event)
{
	char persons[2][PERSON_SIZE];

	room->status = STATUS_PLAYING;
	room_seat_player(&view->rooms, room, SEAT_X, event->started.players[0]);
	room_seat_player(&view->rooms, room, SEAT_O, event->started.players[1]);
	view_person(room, SEAT_X, persons[0]);
	view_person(room, SEAT_O, persons[1]);
	view_line(view, "The game begins: %s against %s.", persons[0], persons[1]);
	view_board(view, room, &event->started.board, &event->started.clock);
}

/* What an event leads to. A board that is over is drawn once: by `ended`, which follows. */
static void tell_board(struct view *view, const struct room_seen *room, const struct board *board,
		const struct clock_running *clock)
{
	if (board->phase != PHASE_OVER) {
		view_board(view, room, board, clock);
	}
}

static void tell_moved(struct view *view, struct room_seen *room, const struct event *event)
{
	const struct event_moved *moved = &event->moved;
	char person[PERSON_SIZE];

	room->status = STATUS_PLAYING;
	view_person(room, moved->by, person);
	if (moved->square_count == 1) {
		view_line(view, "%s took the last square, %u.", person,
				(unsigned int)moved->squares[0]);
	} else {
		view_line(view, "%s moved %u-%u.", person, (unsigned int)moved->squares[0],
				(unsigned int)moved->squares[1]);
	}
	tell_board(view, room, &moved->board, &moved->clock);
}

static void tell_collapsed(struct view *view, struct room_seen *room, const struct event *event)
{
	const struct event_collapsed *collapsed = &event->collapsed;
	char person[PERSON_SIZE];
	char marks[128] = "";

	room->status = STATUS_PLAYING;
	for (size_t i = 0; i < collapsed->measured.count && i < 9; i++) {
		unsigned int mark = collapsed->measured.mark[i];

		view_append(marks, sizeof(marks), "%s%c%u in %u", i > 0 ? ", " : "",
				mark % 2 == 1 ? 'X' : 'O', mark,
				(unsigned int)collapsed->measured.square[i]);
	}
	view_person(room, collapsed->by, person);
	view_line(view, "%s measured: %s.", person, marks);
	tell_board(view, room, &collapsed->board, &collapsed->clock);
}

static void tell_draw_offered(struct view *view, struct room_seen *room, const struct event *event)
{
	char person[PERSON_SIZE];

	view_person(room, event->by, person);
	view_line(view, "%s offers a draw.%s", person,
			room->seat != SEAT_NONE && room->seat != event->by
					? " draw accepts, draw no declines."
					: "");
}

static void tell_draw_declined(struct view *view, struct room_seen *room, const struct event *event)
{
	char person[PERSON_SIZE];

	view_person(room, event->by, person);
	view_line(view, "%s declines the draw.", person);
}

static void tell_ended(struct view *view, struct room_seen *room, const struct event *event)
{
	room->status = STATUS_OVER;
	view_result(view, &event->ended.result);
	view_board(view, room, &event->ended.board, NULL);
	if (room->seat != SEAT_NONE && event->ended.result.scored) {
		view_line(view, "To play again with sides changed: rematch");
	}
}

static void tell_rematch_offered(
		struct view *view, struct room_seen *room, const struct event *event)
{
	char person[PERSON_SIZE];

	view_person(room, event->by, person);
	view_line(view, "%s wants a rematch.%s", person,
			room->seat != SEAT_NONE && room->seat != event->by ? " rematch accepts."
									   : "");
}

static void tell_rematch(struct view *view, struct room_seen *room, const struct event *event)
{
	(void)room;
	view_line(view, "The rematch is room %s.", event->new_room);
}

static void tell_state(struct view *view, struct room_seen *room, const struct event *event)
{
	(void)room;
	view_snapshot(view, &event->state);
}

static void tell_presence(struct view *view, struct room_seen *room, const struct event *event)
{
	const struct event_presence *presence = &event->presence;

	(void)room;
	if (presence->player[0] != '\0') {
		view_line(view, "%s is %s.", presence->player, presence->online ? "here" : "away");
	} else {
		view_line(view, "Watching: %lld.", (long long)presence->spectators);
	}
}

static void tell_said(struct view *view, struct room_seen *room, const struct event *event)
{
	(void)room;
	view_said(view, event->said.player, event->said.seat, event->said.text);
}

static void tell_lobby(struct view *view, struct room_seen *room, const struct event *event)
{
	static const char *const changes[] = {
			[LOBBY_ADDED] = "is new",
			[LOBBY_CHANGED] = "changed",
			[LOBBY_REMOVED] = "is over",
	};
	const struct summary *summary = &event->lobby.summary;

	(void)room;
	view_line(view, "Lobby: room %s %s: X %s, O %s, %s, move %lld.", summary->room,
			changes[event->lobby.change], view_name_or_free(summary->players[0]),
			view_name_or_free(summary->players[1]), status_word(summary->status),
			(long long)summary->move);
}

static void tell_invited(struct view *view, struct room_seen *room, const struct event *event)
{
	char clock[CLOCK_TEXT_SIZE];

	(void)room;
	view_clock_agreed(&event->invited.clock, clock);
	view_line(view, "%s invites you to room %s%s%s. join %s or decline %s",
			event->invited.player, event->room,
			event->invited.clock.set ? ", clock " : "",
			event->invited.clock.set ? clock : "", event->room, event->room);
}

static void tell_notice(struct view *view, struct room_seen *room, const struct event *event)
{
	(void)room;
	view_line(view, "Notice from the server: %s", event->notice);
}

static void tell_bye(struct view *view, struct room_seen *room, const struct event *event)
{
	static const char *const reasons[] = {
			[BYE_QUIT] = "Goodbye.",
			[BYE_SHUTDOWN] = "The server shuts down.",
			[BYE_SLOW_READER] =
					"The server hung up: what it sent was not read in time.",
			[BYE_IDLE] = "The server hung up: nothing happened for a long time.",
			[BYE_KICKED] = "The server's operator ended this connection.",
	};

	(void)room;
	view_line(view, "%s", reasons[event->bye.reason]);
	if (event->bye.has_retry) {
		view_line(view, "Come back in %lld s.",
				(long long)((event->bye.retry_ms + 999) / 1000));
	}
}

static void tell_welcome(struct view *view, struct room_seen *room, const struct event *event)
{
	const struct event_welcome *welcome = &event->welcome;

	(void)room;
	view_line(view, "Connected to %s (%s).", welcome->name, welcome->server);
	if (welcome->motd[0] != '\0') {
		view_line(view, "%s", welcome->motd);
	}
	view_line(view, "To play whoever comes next: match. Who waits: lobby. All requests: help");
}

struct event_row {
	event_teller tell;
	bool of_room; /* it is about a room that we follow, which `tell` gets */
};

static const struct event_row event_rows[EVENT_COUNT] = {
		[EVENT_OPENED] = {tell_opened, true},
		[EVENT_SEATED] = {tell_seated, true},
		[EVENT_STARTED] = {tell_started, true},
		[EVENT_MOVED] = {tell_moved, true},
		[EVENT_COLLAPSED] = {tell_collapsed, true},
		[EVENT_DRAW_OFFERED] = {tell_draw_offered, true},
		[EVENT_DRAW_DECLINED] = {tell_draw_declined, true},
		[EVENT_ENDED] = {tell_ended, true},
		[EVENT_REMATCH_OFFERED] = {tell_rematch_offered, true},
		[EVENT_REMATCH] = {tell_rematch, true},
		[EVENT_STATE] = {tell_state, false},
		[EVENT_PRESENCE] = {tell_presence, true},
		[EVENT_SAID] = {tell_said, true},
		[EVENT_LOBBY] = {tell_lobby, false},
		[EVENT_INVITED] = {tell_invited, false},
		[EVENT_NOTICE] = {tell_notice, false},
		[EVENT_BYE] = {tell_bye, false},
		[EVENT_WELCOME] = {tell_welcome, false},
};

void view_event(struct view *view, const struct event *event)
{
	const struct event_row *row = &event_rows[event->type];
	struct room_seen *room = NULL;

	assert(event->type < EVENT_COUNT);
	if (row->of_room) {
		room = rooms_see(&view->rooms, event->room);
		view_mark_room(view, event->room);
	}
	row->tell(view, room, event);
}
