#include <assert.h>
#include <stdio.h>

#include "protocol/encode.h"
#include "protocol/phrase.h"
#include "protocol/tell_parts.h"

#define SENTENCE_SIZE 512

typedef void (*event_teller)(struct tell *tell, const struct event *event);

/* What is agreed, to be put behind a room: ", clock 3+2, not rated". */
static void append_terms(char text[SENTENCE_SIZE], const struct clock_agreed *clock,
		const struct rated_asked *rated)
{
	char agreed[CLOCK_TEXT_SIZE];

	if (clock->set) {
		tell_clock_agreed(clock, agreed);
		tell_append(text, SENTENCE_SIZE, _(", clock %s"), agreed);
	}
	if (rated->set && !rated->on) {
		tell_append(text, SENTENCE_SIZE, "%s", _(", not rated"));
	}
}

static void tell_opened(struct tell *tell, const struct event *event)
{
	const struct event_opened *opened = &event->opened;
	char text[SENTENCE_SIZE];

	if (opened->opponent[0] != '\0') {
		snprintf(text, sizeof(text), _("%s opened room %s for %s"), opened->player,
				event->room, opened->opponent);
	} else {
		snprintf(text, sizeof(text), _("%s opened room %s"), opened->player, event->room);
	}
	if (opened->is_private) {
		tell_append(text, sizeof(text), "%s", _(", private"));
	}
	append_terms(text, &opened->clock, &opened->rated);
	tell_line(tell, "%s.", text);
}

static void tell_seated(struct tell *tell, const struct event *event)
{
	tell_line(tell, _("%s is %s."), event->seated.player, seat_word(event->seated.seat));
}

static void tell_started(struct tell *tell, const struct event *event)
{
	const struct event_started *started = &event->started;
	char persons[2][PERSON_SIZE];
	char sentence[SENTENCE_SIZE];

	tell_named(started->players[0], SEAT_X, persons[0]);
	tell_named(started->players[1], SEAT_O, persons[1]);
	snprintf(sentence, sizeof(sentence), _("The game begins: %s against %s."), persons[0],
			persons[1]);
	tell_board(tell, sentence, &started->board, &started->clock, true);
}

/* Who acted: at a bare netcat by his letter alone, as whose turn it is stands in the same line. */
static void actor_text(const struct tell *tell, enum seat by, char ret_text[PERSON_SIZE])
{
	if (tell->bare) {
		tell_named("", by, ret_text);
	} else {
		tell_person(tell, by, ret_text);
	}
}

static void tell_moved(struct tell *tell, const struct event *event)
{
	const struct event_moved *moved = &event->moved;
	char person[PERSON_SIZE];
	char sentence[SENTENCE_SIZE];

	actor_text(tell, moved->by, person);
	if (moved->square_count == 1) {
		snprintf(sentence, sizeof(sentence), _("%s took the last square, %u."), person,
				(unsigned int)moved->squares[0]);
	} else {
		snprintf(sentence, sizeof(sentence), _("%s moved %u-%u."), person,
				(unsigned int)moved->squares[0], (unsigned int)moved->squares[1]);
	}
	tell_board(tell, sentence, &moved->board, &moved->clock, true);
}

static void tell_collapsed(struct tell *tell, const struct event *event)
{
	const struct event_collapsed *collapsed = &event->collapsed;
	char person[PERSON_SIZE];
	char marks[SENTENCE_SIZE / 2] = "";
	char sentence[SENTENCE_SIZE];

	actor_text(tell, collapsed->by, person);
	for (size_t i = 0; i < collapsed->measured.count && i < 9; i++) {
		unsigned int mark = collapsed->measured.mark[i];

		tell_append(marks, sizeof(marks), "%s", i > 0 ? ", " : "");
		tell_append(marks, sizeof(marks), _("%c%u in %u"), mark % 2 == 1 ? 'X' : 'O', mark,
				(unsigned int)collapsed->measured.square[i]);
	}
	snprintf(sentence, sizeof(sentence), _("%s measured: %s."), person, marks);
	tell_board(tell, sentence, &collapsed->board, &collapsed->clock, true);
}

/* Does the reader sit in the room, and is it not he who did it? */
static bool is_to_answer(const struct tell *tell, enum seat by)
{
	return tell->room && tell->room->seat != SEAT_NONE && tell->room->seat != by;
}

static void tell_draw_offered(struct tell *tell, const struct event *event)
{
	char person[PERSON_SIZE];

	tell_person(tell, event->by, person);
	if (is_to_answer(tell, event->by)) {
		tell_line(tell, _("%s offers a draw. draw accepts, draw no declines."), person);
	} else {
		tell_line(tell, _("%s offers a draw."), person);
	}
}

static void tell_draw_declined(struct tell *tell, const struct event *event)
{
	char person[PERSON_SIZE];

	tell_person(tell, event->by, person);
	tell_line(tell, _("%s declines the draw."), person);
}

/* Was the board drawn a moment ago, with the move or the measurement that ended the game? */
static bool board_is_told(enum end_reason reason)
{
	return reason == REASON_LINE || reason == REASON_FULL_BOARD;
}

static void tell_ratings(struct tell *tell, const struct ratings_changed *ratings)
{
	char line[SENTENCE_SIZE] = "";

	for (int i = 0; i < 2; i++) {
		int64_t before = tell_rating(ratings->before_milli[i]);
		int64_t after = tell_rating(ratings->after_milli[i]);
		char person[PERSON_SIZE];

		tell_person(tell, i == 0 ? SEAT_X : SEAT_O, person);
		tell_append(line, sizeof(line), "%s %s %lld (%+lld)", i == 0 ? "" : ",", person,
				(long long)after, (long long)(after - before));
	}
	tell_line(tell, _("Rating:%s."), line);
}

static void tell_ended(struct tell *tell, const struct event *event)
{
	const struct result *result = &event->ended.result;

	tell_result(tell, result);
	if (!board_is_told(result->reason)) {
		tell_board(tell, "", &event->ended.board, NULL, false);
	}
	if (event->ended.ratings.set) {
		tell_ratings(tell, &event->ended.ratings);
	}
	if (tell->room && tell->room->seat != SEAT_NONE && result->scored && !tell->brief) {
		tell_line(tell, "%s", _("To play again with sides changed: rematch"));
	}
}

/* Nothing on the wire says no to a rematch: he who asked is told not to wait for it. */
static void tell_rematch_offered(struct tell *tell, const struct event *event)
{
	char person[PERSON_SIZE];
	char other[PERSON_SIZE];

	tell_person(tell, event->by, person);
	tell_person(tell, event->by == SEAT_X ? SEAT_O : SEAT_X, other);
	if (is_to_answer(tell, event->by)) {
		tell_line(tell, _("%s wants a rematch. rematch accepts."), person);
	} else if (tell->room && tell->room->seat == event->by) {
		tell_line(tell, _("%s wants a rematch. It begins if %s agrees."), person, other);
	} else {
		tell_line(tell, _("%s wants a rematch."), person);
	}
}

static void tell_rematch(struct tell *tell, const struct event *event)
{
	tell_line(tell, _("The rematch is room %s."), event->new_room);
}

static void tell_state(struct tell *tell, const struct event *event)
{
	tell_snapshot(tell, &event->state);
}

#define CLAIM_TEXT_SIZE 160

/* To his opponent: what can be done about it, and when. */
static void claim_text(const struct tell *tell, const struct event_presence *presence,
		char ret_text[CLAIM_TEXT_SIZE])
{
	const struct tell_room *room = tell->room;
	long long seconds = (presence->claim_in_ms + 999) / 1000;
	bool in_hours = seconds % 3600 == 0;

	ret_text[0] = '\0';
	if (presence->has_claim && room && room->seat != SEAT_NONE &&
			strcmp(room->players[room->seat - SEAT_X], presence->player) != 0) {
		snprintf(ret_text, CLAIM_TEXT_SIZE,
				in_hours ? _(" If he has to act and is not back in %lld h: claim")
					 : _(" If he has to act and is not back in %lld s: claim"),
				in_hours ? seconds / 3600 : seconds);
	}
}

static void tell_presence(struct tell *tell, const struct event *event)
{
	const struct event_presence *presence = &event->presence;
	char claim[CLAIM_TEXT_SIZE];
	char text[SENTENCE_SIZE];

	/* Who plays on in another room is told of that one: the same people are in both. */
	if (tell->room && tell->room->status == STATUS_OVER && tell->others_run) {
		return;
	}
	if (presence->player[0] != '\0') {
		claim_text(tell, presence, claim);
		snprintf(text, sizeof(text), presence->online ? _("%s is here.") : _("%s is away."),
				presence->player);
		tell_line(tell, "%s%s", text, claim);
	} else {
		tell_line(tell, _("Watching: %lld."), (long long)presence->spectators);
	}
}

static void tell_said(struct tell *tell, const struct event *event)
{
	tell_chat(tell, event->said.player, event->said.seat, event->said.text);
}

static void tell_lobby(struct tell *tell, const struct event *event)
{
	const struct summary *summary = &event->lobby.summary;
	const char *x = tell_name_or_free(summary->players[0]);
	const char *o = tell_name_or_free(summary->players[1]);

	if (event->lobby.change == LOBBY_REMOVED) {
		tell_line(tell,
				summary->status == STATUS_OVER
						? _("Lobby: room %s is over: X %s, O %s.")
						: _("Lobby: room %s is gone: X %s, O %s."),
				summary->room, x, o);
	} else {
		tell_line(tell,
				event->lobby.change == LOBBY_ADDED
						? _("Lobby: room %s is new: X %s, O %s, %s, move "
						    "%lld.")
						: _("Lobby: room %s changed: X %s, O %s, %s, move "
						    "%lld."),
				summary->room, x, o, tell_status(summary->status),
				(long long)summary->move);
	}
}

static void tell_invited(struct tell *tell, const struct event *event)
{
	char text[SENTENCE_SIZE];
	char answers[SENTENCE_SIZE];

	snprintf(text, sizeof(text), _("%s invites you to room %s"), event->invited.player,
			event->room);
	append_terms(text, &event->invited.clock, &event->invited.rated);
	snprintf(answers, sizeof(answers), _("join %s or decline %s"), event->room, event->room);
	tell_line(tell, "%s. %s", text, answers);
}

static void tell_notice(struct tell *tell, const struct event *event)
{
	tell_line(tell, _("Notice from the server: %s"), event->notice);
}

static void tell_bye(struct tell *tell, const struct event *event)
{
	static const char kicked[] = N_("The server ended this connection: its operator wished "
					"it, or your name got another token or was given up.");
	static const char *const reasons[] = {
			[BYE_QUIT] = N_("Goodbye."),
			[BYE_SHUTDOWN] = N_("The server shuts down."),
			[BYE_SLOW_READER] = N_(
					"The server hung up: what it sent was not read in time."),
			[BYE_IDLE] = N_("The server hung up: nothing happened for a long time."),
			[BYE_KICKED] = kicked,
	};

	tell_line(tell, "%s", _(reasons[event->bye.reason]));
	if (event->bye.has_retry) {
		tell_line(tell, _("Come back in %lld s."),
				(long long)((event->bye.retry_ms + 999) / 1000));
	}
}

static void tell_welcome(struct tell *tell, const struct event *event)
{
	const struct event_welcome *welcome = &event->welcome;

	tell_line(tell, _("Connected to %s (%s)."), welcome->name, welcome->server);
	if (welcome->motd[0] != '\0') {
		tell_line(tell, "%s", welcome->motd);
	}
	tell_line(tell, "%s",
			tell->is_operator ? _("All requests: help")
					  : _("To play whoever comes next: match. Who waits: "
					      "lobby. All requests: help"));
}

struct event_row {
	event_teller tell;
	bool of_room; /* it is about a room of the reader's */
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

void tell_event(struct tell *tell, const struct event *event)
{
	const struct event_row *row = &event_rows[event->type];

	assert(event->type < EVENT_COUNT);
	tell_mark_room(tell, row->of_room ? event->room : "");
	row->tell(tell, event);
	tell_mark_room(tell, "");
}
