#include "server/play/session.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/decode.h"
#include "protocol/encode.h"
#include "protocol/requests.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"
#include "server/play/analysis.h"
#include "server/play/dispatch.h"
#include "server/play/lobby.h"
#include "server/play/players.h"
#include "server/play/presence.h"
#include "server/play/task.h"
#include "server/play/telling.h"

/* What a newcomer at a bare netcat is told to paste. */
#define HELP_LINES                                                                                 \
	"Type words or JSON: hello NAME | match | create | lobby | join ROOM | watch ROOM | "      \
	"move 1 5 | collapse 5 | say TEXT | help | quit. To be told in words: text only"

/* When one may come again after a shutdown, which mostly is a restart. */
#define RETRY_MS 2000

/* What a program hears that takes this for a web server. */
#define HTTP_SENTENCE "This is a game server, not a web server: it reads lines of JSON or words."

void session_send(struct session *session, struct bytes *line)
{
	session->sink->send(session->conn, line);
}

void session_tell(struct session *session, const struct event *event, struct bytes *line)
{
	if (session->text != TEXT_ONLY) {
		session_send(session, line);
	}
	if (session->text != TEXT_OFF) {
		telling_event(session, event, line);
	}
}

void session_tell_past(struct session *session, struct bytes *line)
{
	if (session->text == TEXT_ONLY) {
		telling_past(session, line);
	} else {
		session_send(session, line);
	}
}

static void send_new(struct session *session, struct bytes *line)
{
	session_send(session, line);
	bytes_unref(line);
}

void session_send_event(struct session *session, const struct event *event)
{
	struct bytes *line = encode_event(event);

	session_tell(session, event, line);
	bytes_unref(line);
}

/* Answers by type and code: what is no request counts as type `none`. */
static void count_answer(size_t type, enum code code)
{
	metrics_add(METRIC_REQUESTS, type * METRICS_CODES + code, 1);
}

void session_send_ok(struct session *session, const struct ok *ok)
{
	count_answer(ok->to, CODE_NONE);
	if (session->text != TEXT_ONLY) {
		send_new(session, encode_ok(ok));
	}
	if (session->text != TEXT_OFF) {
		telling_ok(session, ok);
	}
}

void session_send_error(
		struct session *session, const struct error *error, const struct hosted *hosted)
{
	count_answer(request_type_of(error->to, strlen(error->to)), error->code);
	if (session->text != TEXT_ONLY) {
		send_new(session, encode_error(error));
	}
	if (session->text != TEXT_OFF) {
		telling_error(session, error, hosted);
	}
}

bool session_is_behind(const struct session *session)
{
	return session->sink->queued(session->conn) > session->play->config.behind_bytes;
}

int64_t session_waits_since(const struct session *session)
{
	if (session->task != NULL) {
		return session->task->arrived_ms;
	}
	return session->closing ? INT64_MAX : session->sink->waits_since(session->conn);
}

static void send_welcome(struct session *session)
{
	const struct play_config *config = &session->play->config;
	struct event event = {.type = EVENT_WELCOME};
	struct event_welcome *welcome = &event.welcome;

	message_copy(welcome->server, sizeof(welcome->server), "qtttd/");
	message_copy(welcome->server + 6, sizeof(welcome->server) - 6, config->version);
	message_copy(welcome->name, sizeof(welcome->name), config->name);
	message_copy(welcome->motd, sizeof(welcome->motd),
			config->motd == NULL ? "" : config->motd);
	message_copy(welcome->help, sizeof(welcome->help), HELP_LINES);
	session_send_event(session, &event);
}

struct session *play_session_open(struct play *play, const struct sink_ops *sink, void *conn)
{
	if (play->closing) {
		return NULL;
	}
	struct session *session = memory_new(1, sizeof(*session));
	session->play = play;
	session->sink = sink;
	session->conn = conn;
	TAILQ_INIT(&session->running);
	TAILQ_INIT(&session->ended);
	TAILQ_INIT(&session->analyses);
	TAILQ_INSERT_TAIL(&play->sessions, session, all);
	play->session_count++;
	send_welcome(session);
	return session;
}

static void leave_player(struct session *session)
{
	struct player *player = session->player;
	struct play *play = session->play;

	TAILQ_REMOVE(&player->sessions, session, of_player);
	player->session_count--;
	session->player = NULL;
	if (player->session_count == 0) {
		TAILQ_REMOVE(&play->online, player, of_online);
		play->online_count--;
		presence_player(play, player->record.name, false);
	}
	player_unref(player);
}

static void become_player(struct session *session, struct player *player)
{
	struct play *play = session->play;

	session->player = player_ref(player);
	TAILQ_INSERT_TAIL(&player->sessions, session, of_player);
	player->session_count++;
	if (player->session_count == 1) {
		TAILQ_INSERT_TAIL(&play->online, player, of_online);
		play->online_count++;
		presence_player(play, player->record.name, true);
	}
}

void session_set_player(struct session *session, struct player *player)
{
	struct follower *follower;

	if (session->player == player) {
		return;
	}
	if (session->player != NULL) {
		leave_player(session);
	}
	become_player(session, player);
	/* Who was a spectator may be a player now. */
	TAILQ_FOREACH(follower, &session->running, of_session)
	{
		presence_spectators(follower->hosted);
	}
	TAILQ_FOREACH(follower, &session->ended, of_session)
	{
		presence_spectators(follower->hosted);
	}
}

static void session_free(struct session *session)
{
	struct play *play = session->play;

	if (session->task != NULL) {
		session->task->session = NULL;
	}
	analyses_leave(session);
	followers_remove_all(session);
	lobby_follow(session, false);
	if (session->player != NULL) {
		leave_player(session);
	}
	TAILQ_REMOVE(&play->sessions, session, all);
	play->session_count--;
	free(session->new_token);
	free(session);
}

static void close_now(struct session *session)
{
	const struct sink_ops *sink = session->sink;
	void *conn = session->conn;

	if (session->says_bye) {
		struct event event = {.type = EVENT_BYE, .bye = {.reason = session->bye}};
		if (session->bye == BYE_SHUTDOWN) {
			event.bye.has_retry = true;
			event.bye.retry_ms = RETRY_MS;
		}
		session_send_event(session, &event);
	}
	session_free(session);
	sink->close(conn);
}

/* Close unless something of it is still being worked on; true if it is gone. */
static bool close_if_due(struct session *session)
{
	if (!session->closing || session->in_line || session->task != NULL ||
			session->analysis_count > 0) {
		return false;
	}
	close_now(session);
	return true;
}

void session_close(struct session *session, enum bye_reason reason)
{
	session->closing = true;
	session->says_bye = true;
	session->bye = reason;
	close_if_due(session);
}

void session_task_done(struct session *session)
{
	if (!close_if_due(session) && !session->in_line && !session->closing) {
		session->sink->ready(session->conn);
	}
}

void session_analysis_done(struct session *session)
{
	close_if_due(session);
}

static void refuse_line(struct session *session, enum code code, const char *message)
{
	struct error error = {.code = code};

	message_copy(error.message, sizeof(error.message), message);
	session_send_error(session, &error, NULL);
}

static void take_line(struct session *session, const char *line, size_t length, int64_t arrived_ms)
{
	struct task *task = task_new(session, arrived_ms);
	struct error error;

	session->task = task;
	if (!decode_request(line, length, &task->request, &error)) {
		session_send_error(session, &error, NULL);
		task_end(task);
		return;
	}
	dispatch(task);
}

static void take(struct session *session, enum line_result kind, const char *line, size_t length,
		int64_t arrived_ms)
{
	bool is_first = !session->was_heard;

	session->was_heard = true;
	if (kind == LINE_TOO_LONG) {
		refuse_line(session, CODE_TOO_LONG, code_sentence(CODE_TOO_LONG));
	} else if (kind == LINE_NOT_TEXT) {
		refuse_line(session, CODE_BAD_JSON, "A line is UTF-8 without NUL bytes.");
	} else if (is_first && line_is_http(line, length)) {
		refuse_line(session, CODE_BAD_JSON, HTTP_SENTENCE);
		session->closing = true;
	} else {
		take_line(session, line, length, arrived_ms);
	}
}

enum play_line_result play_session_line(struct session *session, enum line_result kind,
		const char *line, size_t length, int64_t arrived_ms)
{
	assert(session->task == NULL && !session->closing);
	session->in_line = true;
	take(session, kind, line, length, arrived_ms);
	session->in_line = false;
	if (session->task != NULL) {
		return PLAY_BUSY;
	}
	if (close_if_due(session)) {
		return PLAY_CLOSED;
	}
	/* Nothing more is taken while the last analyses are waited for. */
	return session->closing ? PLAY_BUSY : PLAY_NEXT;
}

void play_session_end(struct session *session)
{
	assert(session->task == NULL);
	session->closing = true;
	close_if_due(session);
}

void play_session_lost(struct session *session)
{
	session_free(session);
}

void play_session_drained(struct session *session)
{
	followers_catch_up(session);
	lobby_catch_up(session);
}
