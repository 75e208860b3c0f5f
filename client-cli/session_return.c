/* Coming back: what a session does when its connection is lost, and once it has another. First it
 * says hello, then it asks for what it missed of each room and for the lobby, and then it sends
 * again what was not answered, as far as that can't do it twice. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client-cli/language.h"
#include "client-cli/session.h"
#include "protocol/phrase.h"
#include "protocol/requests.h"

int64_t session_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void note(struct session *session, const char *text)
{
	if (session->stage.note) {
		session->stage.note(session->stage.context, text);
	} else {
		fprintf(stderr, "qttt: %s\n", text);
	}
}

/* Losing it. */

/* Requests that were typed wait until they can be sent again; errands are not needed then. */
static void hold_unanswered(struct session *session)
{
	struct waiting held[SESSION_WAITING_MAX + 1];
	size_t count = 0;

	for (size_t i = 0; i < session->waiting_count; i++) {
		struct waiting *waiting = &session->waiting[i];

		if (waiting->errand == ERRAND_NONE && count < SESSION_WAITING_MAX + 1) {
			waiting->left = waiting->begins < session->link->written;
			held[count++] = *waiting;
		} else {
			bytes_unref(waiting->line);
		}
	}
	for (size_t i = 0; i < session->held_count && count < SESSION_WAITING_MAX + 1; i++) {
		held[count++] = session->held[i];
	}
	memcpy(session->held, held, count * sizeof(held[0]));
	session->held_count = count;
	session->waiting_count = 0;
	session->errands = 0;
}

static void tell_lost(struct session *session, int64_t now_ms)
{
	char text[SESSION_WHY_SIZE + 96];

	if (strcmp(session->why, session->why_next) == 0) {
		return;
	}
	message_copy(session->why, sizeof(session->why), session->why_next);
	snprintf(text, sizeof(text),
			session->stage.note ? _("No connection: %s. Trying again in %lld s; Enter "
						"tries at once.")
					    : _("No connection: %s. Trying again in %lld s."),
			session->why, (long long)comeback_seconds(&session->comeback, now_ms));
	note(session, text);
}

/* The connection is lost, or was not had. */
static void lose(struct session *session)
{
	int64_t now_ms = session_now_ms();

	hold_unanswered(session);
	link_close(session->link);
	lines_fini(&session->server);
	lines_init_whole(&session->server, SESSION_SERVER_LINE_BYTES);
	places_fall_behind(&session->places);
	/* Its events come again from the first, if it is asked for anew. */
	session->study.seq = 0;
	comeback_lost(&session->comeback, session->retry_ms, now_ms);
	tell_lost(session, now_ms);
	session->retry_ms = 0;
	session->said_bye = false;
	session->given_up = false;
	session->why_next[0] = '\0';
}

void session_give_up(struct session *session, const char *why, int64_t retry_ms)
{
	char *end;

	message_copy(session->why_next, sizeof(session->why_next), why);
	end = strrchr(session->why_next, '.');
	if (end && end[1] == '\0') {
		*end = '\0'; /* it is to stand in a sentence */
	}
	session->retry_ms = retry_ms;
	session->given_up = true;
}

/* Sending again. */

/* What may be sent twice, and which refusals then mean that it was carried out the first time. A
 * move or a measurement has to have its number for that. */
static const struct {
	bool may;
	enum code done[2]; /* CODE_NONE: no more */
} again_rows[REQUEST_COUNT] = {
		[REQUEST_HELLO] = {true},
		[REQUEST_HELP] = {true},
		[REQUEST_WHO] = {true},
		[REQUEST_MUTE] = {true},
		[REQUEST_PING] = {true},
		[REQUEST_MATCH] = {true},
		[REQUEST_JOIN] = {true},
		[REQUEST_DECLINE] = {true, {CODE_GAME_OVER}},
		[REQUEST_WATCH] = {true},
		[REQUEST_LEAVE] = {true, {CODE_NOT_IN_ROOM}},
		[REQUEST_LOBBY] = {true},
		[REQUEST_MOVE] = {true, {CODE_STALE, CODE_GAME_OVER}},
		[REQUEST_COLLAPSE] = {true, {CODE_STALE, CODE_GAME_OVER}},
		[REQUEST_RESIGN] = {true, {CODE_GAME_OVER}},
		[REQUEST_ABORT] = {true, {CODE_GAME_OVER}},
		[REQUEST_CLAIM] = {true, {CODE_GAME_OVER}},
		[REQUEST_REMATCH] = {true},
		[REQUEST_STATE] = {true},
		[REQUEST_FORGET] = {true, {CODE_NOT_ALLOWED}},
		[REQUEST_GAME] = {true},
		[REQUEST_GAMES] = {true},
		[REQUEST_PLAYER] = {true},
		[REQUEST_TOP] = {true},
		[REQUEST_ANALYSE] = {true},
};

static bool may_send_again(const struct waiting *waiting)
{
	const struct asked *asked = &waiting->asked;

	if (!waiting->left) {
		return true;
	}
	if ((asked->type == REQUEST_MOVE || asked->type == REQUEST_COLLAPSE) &&
			!(asked->has & HAS_MOVE)) {
		return false;
	}
	return asked->known && again_rows[asked->type].may;
}

/* What it came to is plain from the room's events alone. */
static void tell_unknown(struct session *session, struct waiting *waiting)
{
	char text[ASKED_WORDS_SIZE + 128];

	snprintf(text, sizeof(text),
			_("%s: the connection was lost before the answer; it may have been done, "
			  "or not."),
			waiting->asked.words);
	note(session, text);
	session->last_refused |= waiting->number == session->number;
	bytes_unref(waiting->line);
}

static void send_held(struct session *session)
{
	size_t count = session->held_count;

	session->held_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct waiting *waiting = &session->held[i];

		if (may_send_again(waiting)) {
			waiting->again = waiting->left;
			session_push(session, waiting);
		} else {
			tell_unknown(session, waiting);
		}
	}
}

bool session_was_done(struct session *session, const struct waiting *waiting,
		const struct message *message)
{
	const struct asked *asked = &waiting->asked;
	char text[128];

	if (!waiting->again || message->kind != MESSAGE_ERROR || !asked->known) {
		return false;
	}
	for (size_t i = 0; i < 2; i++) {
		enum code code = again_rows[asked->type].done[i];

		if (code != CODE_NONE && code == message->error.code) {
			snprintf(text, sizeof(text), _("Your %s had come through."),
					request_row(asked->type)->name);
			note(session, text);
			session->last_refused &= waiting->number != session->number;
			return true;
		}
	}
	return false;
}

/* Errands. */

static void send_errand(struct session *session, enum errand errand, struct request *request)
{
	struct command command;

	request->id.kind = ID_INTEGER;
	request->id.integer = --session->errand_id;
	command_request(request, request_row(request->type)->name, 0, &command);
	session_push(session, &(struct waiting){.asked = command.asked,
					      .errand = errand,
					      .line = command.line});
	session->errands += errand != ERRAND_PING;
}

static void end_restoring(struct session *session)
{
	comeback_restored(&session->comeback);
	send_held(session);
}

static void send_lobby(struct session *session)
{
	struct waiting lobby = session->lobby;

	lobby.errand = ERRAND_LOBBY;
	lobby.number = 0;
	lobby.line = bytes_ref(session->lobby.line);
	session_push(session, &lobby);
	session->errands++;
}

static void send_rooms(struct session *session)
{
	note(session, _("Connected again."));
	session->why[0] = '\0';
	for (size_t i = 0; i < session->places.count; i++) {
		const struct place *place = &session->places.seen[i];
		struct request request = {.type = REQUEST_WATCH, .has = HAS_ROOM | HAS_SINCE};

		message_copy(request.room, sizeof(request.room), place->id);
		request.since = place->seq;
		send_errand(session, ERRAND_ROOM, &request);
	}
	if (session->lobby.line) {
		send_lobby(session);
	}
	if (session->errands == 0) {
		end_restoring(session);
	}
}

/* A name is said beside its token: a server that lost its players gives it to us again. */
static void send_hello(struct session *session)
{
	struct request request = {.type = REQUEST_HELLO, .has = HAS_TOKEN};

	message_copy(request.token, sizeof(request.token), session->token);
	if (session->name[0] != '\0' && !session_is_guest(session->name)) {
		request.has |= HAS_NAME;
		message_copy(request.name, sizeof(request.name), session->name);
	}
	send_errand(session, ERRAND_HELLO, &request);
}

/* Refusals that say nothing about what was asked: it has to be asked again later. */
static bool is_passing(enum code code)
{
	return code == CODE_UNAVAILABLE || code == CODE_INTERNAL || code == CODE_RATE_LIMITED ||
	       code == CODE_SERVER_FULL || code == CODE_TOO_MANY_CONNECTIONS;
}

/* A `hello` that waits to be sent again will tell who we are: the token of before may be void by
 * it. */
static bool holds_hello(const struct session *session)
{
	for (size_t i = 0; i < session->held_count; i++) {
		if (session->held[i].asked.known && session->held[i].asked.type == REQUEST_HELLO) {
			return true;
		}
	}
	return false;
}

static void hello_refused(struct session *session, const struct error *error)
{
	char text[sizeof(error->message) + 64];

	if (!holds_hello(session)) {
		snprintf(text, sizeof(text), _("The server does not know you any more: %s"),
				error->message);
		note(session, text);
		session->token[0] = '\0';
	}
}

/* To the view and the stage it is as if we had left. */
static void room_refused(struct session *session, const char *room)
{
	struct message left = {.kind = MESSAGE_OK, .ok = {.to = REQUEST_LEAVE}};
	char text[ROOM_ID_SIZE + 64];

	snprintf(text, sizeof(text), _("Room %s is there no more."), room);
	note(session, text);
	places_drop(&session->places, room);
	message_copy(left.ok.room, sizeof(left.ok.room), room);
	session_show(session, &left, NULL, true);
}

static void errand_refused(
		struct session *session, const struct waiting *waiting, const struct error *error)
{
	if (is_passing(error->code)) {
		session_give_up(session, _(code_sentence(error->code)), error->retry_ms);
	} else if (waiting->errand == ERRAND_HELLO) {
		hello_refused(session, error);
	} else if (waiting->errand == ERRAND_ROOM) {
		room_refused(session, waiting->asked.room);
	}
}

void session_take_errand(struct session *session, const struct waiting *waiting,
		const struct message *message)
{
	bool quiet = true;

	if (waiting->errand == ERRAND_PING) {
		return;
	}
	session->errands--;
	if (message->kind == MESSAGE_ERROR) {
		errand_refused(session, waiting, &message->error);
	} else {
		if (waiting->errand == ERRAND_ROOM && message->ok.state) {
			quiet = places_catch_up(&session->places, message->ok.state);
		}
		session_show(session, message, &waiting->asked, quiet);
	}
	if (session->given_up) {
		return;
	}
	if (waiting->errand == ERRAND_HELLO) {
		send_rooms(session);
	} else if (session->errands == 0) {
		end_restoring(session);
	}
}

/* Keeping a connection. */

void session_welcome(struct session *session)
{
	session->welcomed = true;
	if (session->comeback.state != COMEBACK_RESTORING || session->errands > 0) {
		return;
	}
	if (session->token[0] != '\0') {
		send_hello(session);
	} else {
		send_rooms(session);
	}
}

static void begin_opening(struct session *session)
{
	const struct link_target target = options_target(session->options);

	session->opening = opening_new(&target);
	if (!session->opening) {
		session_give_up(session, language_reason(errno), 0);
		lose(session);
	}
}

/* The opening came to something. */
static void end_opening(struct session *session)
{
	const char *why = NULL;
	bool opened = opening_take(session->opening, session->link, &why);

	session->opening = NULL;
	if (opened) {
		comeback_connected(&session->comeback, session_now_ms());
	} else {
		session_give_up(session, why, 0);
		lose(session);
	}
}

static bool opening_is_done(const struct session *session)
{
	struct pollfd wanted = {.fd = session_opening_fd(session), .events = POLLIN};

	return wanted.fd >= 0 && poll(&wanted, 1, 0) > 0;
}

static void look_at_silence(struct session *session)
{
	struct request ping = {.type = REQUEST_PING};

	switch (comeback_silence(&session->comeback, session_now_ms())) {
	case SILENCE_FINE:
		break;
	case SILENCE_ASK:
		if (!session->link->half_closed && session->waiting_count < SESSION_SLOTS) {
			send_errand(session, ERRAND_PING, &ping);
		}
		break;
	case SILENCE_DEAD:
		session_give_up(session, _("the server does not answer"), 0);
		break;
	}
}

/* The server sent us away and means it, or there is nothing left to do. At a terminal the player
 * has left at the end of his input; in a pipe what is not answered is still asked. */
static bool is_over(const struct session *session)
{
	bool is_done = session->waiting_count == 0 && session->held_count == 0;

	if (session->said_bye && (session->bye == BYE_QUIT || session->bye == BYE_KICKED)) {
		return true;
	}
	return !session->returns || !session->welcomed ||
	       (session->input_ended && (session->stage.show || is_done));
}

const char *session_lost_why(const struct session *session, int result)
{
	if (result < 0) {
		return language_reason(-result);
	}
	return session->server_spoke || session->options->tls || session->options->admin
			       ? _("the server closed it")
			       : _("the server closed it and said nothing; a port for TLS wants "
				   "--tls");
}

static void learn_why(struct session *session, int result)
{
	if (session->given_up) {
		return;
	}
	message_copy(session->why_next, sizeof(session->why_next),
			session_lost_why(session, result));
}

static void keep_trying(struct session *session)
{
	if (opening_is_done(session)) {
		end_opening(session);
	}
	if (comeback_due(&session->comeback, session_now_ms())) {
		begin_opening(session);
	}
}

bool session_keep(struct session *session, int result)
{
	bool is_connected = session->link->fd >= 0;

	if (session->turned_away) {
		return false;
	}
	if (session->returns && is_connected) {
		look_at_silence(session);
	}
	if (is_connected && !session->given_up && result == 0 && !lines_done(&session->server)) {
		return true;
	}
	if (is_over(session)) {
		return false;
	}
	if (is_connected) {
		learn_why(session, result);
		lose(session);
	}
	keep_trying(session);
	return true;
}

int session_opening_fd(const struct session *session)
{
	return session->opening ? opening_fd(session->opening) : -1;
}

int session_wait_ms(const struct session *session)
{
	int64_t wait_ms;

	if (!session->returns) {
		return -1;
	}
	wait_ms = comeback_wait_ms(&session->comeback, session_now_ms());
	return wait_ms < 0 || wait_ms > SESSION_LOOK_MS ? SESSION_LOOK_MS : (int)wait_ms;
}
