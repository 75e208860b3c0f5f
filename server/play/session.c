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
#include "server/play/invitations.h"
#include "server/play/lobby.h"
#include "server/play/operator.h"
#include "server/play/players.h"
#include "server/play/presence.h"
#include "server/play/rest.h"
#include "server/play/task.h"
#include "server/play/telling.h"

/* What a newcomer at a bare netcat is told to paste. */
#define HELP_LINES                                                                                 \
	"Type words or JSON: hello NAME | match | create | lobby | join ROOM | watch ROOM | "      \
	"move 1 5 | collapse 5 | say TEXT | help | quit. To be told in words: text only"

/* And who came by the operator's door. */
#define OPERATOR_HELP_LINES                                                                        \
	"Type words or JSON: stats | rooms | notice TEXT | kick WHOM | ban WHOM 7d | unban WHOM "  \
	"| bans | close ROOM | release NAME | drain | motd TEXT | help | quit. "                   \
	"To be told in words: text only"

/* What a line costs that is no request. */
#define BAD_LINE_COST 5

/* Operators are an address of their own. */
#define OPERATOR_GROUP "operator"

/* What a program hears that takes this for a web server. */
#define HTTP_SENTENCE "This is a game server, not a web server: it reads lines of JSON or words."

void session_send(struct session *session, struct bytes *line)
{
	const struct sink_ops *sink = session->sink;

	if (session->play->spreads && sink->spread != NULL) {
		sink->spread(session->conn, line);
	} else {
		sink->send(session->conn, line);
	}
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
	operator_log_answered(session, ok->to, CODE_NONE);
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
	enum request_type type = request_type_for(
			session->operator_name != NULL, error->to, strlen(error->to));

	session->strayed_ms = play_now(session->play);
	count_answer(type, error->code);
	operator_log_answered(session, type, error->code);
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

/* Limits. */

void session_forget_accounts(void *owner)
{
	struct play *play = owner;
	int64_t due_ms;

	limits_forget(&play->limits, play_now(play));
	due_ms = limits_forget_due(&play->limits);
	if (due_ms != INT64_MAX) {
		play_set_timer(play, &play->limits.forget, due_ms);
	}
}

static void close_account(struct play *play, struct limits_account *account)
{
	if (account == NULL) {
		return;
	}
	limits_close(&play->limits, account, play_now(play));
	if (play->limits.forget.place == 0) {
		session_forget_accounts(play);
	}
}

static void use(struct session *session, size_t units, size_t bytes)
{
	struct play *play = session->play;

	if (session->operator_name == NULL) {
		limits_use(&play->limits, units, bytes, &session->allowance, session->address,
				play_now(play));
	}
}

void session_use(struct session *session, size_t units)
{
	use(session, units, 0);
}

/* Watch over its silence: until the first line, then from line to line. */
static void watch_silence(struct session *session)
{
	const struct play_limits *most = &session->play->limits.most;
	int64_t may_ms = session->was_heard ? most->idle_ms : most->first_line_ms;

	if (may_ms == 0 || session->operator_name != NULL) {
		timers_cancel(&session->play->timers, &session->idle);
	} else {
		play_set_timer(session->play, &session->idle, session->heard_ms + may_ms);
	}
}

static void silence_due(void *owner)
{
	struct session *session = owner;
	const struct play_limits *most = &session->play->limits.most;
	int64_t may_ms = session->was_heard ? most->idle_ms : most->first_line_ms;
	int64_t now_ms = play_now(session->play);

	if (session->closing) {
		return;
	}
	if (session->was_heard && (session->running_count > 0 || session->task != NULL ||
						  session->analysis_count > 0)) {
		session->heard_ms = now_ms;
	}
	/* The limit may be another than when the timer was set. */
	if (may_ms == 0 || session->heard_ms + may_ms > now_ms) {
		watch_silence(session);
	} else {
		session_close(session, BYE_IDLE);
	}
}

void session_change(struct session *session, int64_t before)
{
	const struct play *play = session->play;

	limits_ease(&play->limits, &session->allowance, before, play_now(play));
	rest_change(session);
	if (session->idle.place == 0) {
		/* While there was no limit nobody looked. */
		session->heard_ms = play_now(play);
		watch_silence(session);
	}
}

static void fill_limits(const struct play_limits *most, struct event_welcome *ret)
{
	ret->has_limits = most->rooms_per_name != 0;
	ret->rooms_per_name = most->rooms_per_name;
	ret->bot_games_per_name = most->bot_games_per_name;
	ret->connections_per_name = most->connections_per_name;
	ret->watchers_per_room = most->watchers_per_room;
	ret->opens_per_minute = most->rates[RATE_OPENS];
	ret->says_per_minute = most->rates[RATE_SAYS];
	ret->invites_per_minute = most->rates[RATE_INVITES];
	ret->names_per_hour = most->rates[RATE_NAMES];
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
	message_copy(welcome->motd, sizeof(welcome->motd), session->play->motd);
	message_copy(welcome->help, sizeof(welcome->help),
			session->operator_name == NULL ? HELP_LINES : OPERATOR_HELP_LINES);
	fill_limits(&config->most, welcome);
	session_send_event(session, &event);
}

static void set_peer(struct session *session, const struct play_peer *peer)
{
	struct play *play = session->play;
	const char *group = peer->operator_name == NULL ? peer->group : OPERATOR_GROUP;

	session->address = limits_open_address(&play->limits, group);
	session->lane.of = &limits_thinking(session->address)->lane;
	session->has_peer = peer->address != NULL;
	if (peer->address != NULL) {
		memcpy(session->peer, peer->address, sizeof(session->peer));
	}
	if (peer->operator_name != NULL) {
		session->operator_name = memory_string(peer->operator_name);
	}
	session->is_late = play->drain.on && peer->operator_name == NULL;
}

struct session *play_session_open(struct play *play, const struct sink_ops *sink, void *conn,
		const struct play_peer *peer)
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
	set_peer(session, peer);
	session->heard_ms = play_now(play);
	session->idle = (struct timer){.fire = silence_due, .owner = session};
	rest_init(session);
	TAILQ_INIT(&session->analyses);
	TAILQ_INSERT_TAIL(&play->sessions, session, all);
	play->session_count++;
	watch_silence(session);
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
	close_account(play, session->name);
	session->name = NULL;
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
	session->name = limits_open_name(&play->limits, player->id);
	TAILQ_INSERT_TAIL(&player->sessions, session, of_player);
	player->session_count++;
	if (player->session_count == 1) {
		TAILQ_INSERT_TAIL(&play->online, player, of_online);
		play->online_count++;
		presence_player(play, player->record.name, true);
	}
}

static bool sits_in_running_game(const struct session *session)
{
	const struct follower *follower;

	if (session->player == NULL) {
		return false;
	}
	TAILQ_FOREACH(follower, &session->running, of_session)
	{
		const struct room *room = &follower->hosted->room;

		if (room->status == STATUS_PLAYING &&
				room_seat_of(room, session->player->record.name) != SEAT_NONE) {
			return true;
		}
	}
	return false;
}

bool play_session_goes_first(struct session *session)
{
	const int64_t now_ms = play_now(session->play);

	if (session->strayed_ms != 0 && now_ms - session->strayed_ms < PLAY_STRAYED_MS) {
		return false;
	}
	if (sits_in_running_game(session)) {
		session->played_ms = now_ms;
	}
	return session->played_ms != 0 && now_ms - session->played_ms < PLAY_PLAYED_MS;
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
		if (follower->hosted != NULL) {
			presence_spectators(follower->hosted);
		}
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
	timers_cancel(&play->timers, &session->idle);
	rest_fini(session);
	close_account(play, session->address);
	TAILQ_REMOVE(&play->sessions, session, all);
	play->session_count--;
	free(session->new_token);
	free(session->operator_name);
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
			event.bye.retry_ms = session->play->config.retry_ms;
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
	if (!close_if_due(session) && !session->in_line && !session->closing &&
			rest_may_go_on(session)) {
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
	session_use(session, BAD_LINE_COST);
	session_send_error(session, &error, NULL);
}

static bool decode_for(const struct session *session, const char *line, size_t length,
		struct request *ret, struct error *ret_error)
{
	return session->operator_name == NULL
			       ? decode_request(line, length, ret, ret_error)
			       : decode_operator_request(line, length, ret, ret_error);
}

static void take_line(struct session *session, const char *line, size_t length, int64_t arrived_ms)
{
	struct task *task = task_new(session, arrived_ms);
	struct error error;

	session->task = task;
	if (!decode_for(session, line, length, &task->request, &error)) {
		session_use(session, BAD_LINE_COST);
		session_send_error(session, &error, NULL);
		task_end(task);
		return;
	}
	session_use(session, dispatch_cost(task->request.type));
	if (!dispatch_acts(task->request.type)) {
		session->strayed_ms = play_now(session->play);
	}
	operator_log_asked(session, task->request.type, line, length);
	dispatch(task);
}

static void take(struct session *session, enum line_result kind, const char *line, size_t length,
		int64_t arrived_ms)
{
	bool is_first = !session->was_heard;

	session->was_heard = true;
	session->heard_ms = play_now(session->play);
	if (is_first) {
		watch_silence(session);
	}
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
	assert(session->task == NULL && !rest_is_on(session));
	/* Nothing more is taken while the last analyses are waited for. */
	if (session->closing) {
		return PLAY_BUSY;
	}
	session->in_line = true;
	take(session, kind, line, length, arrived_ms);
	session->in_line = false;
	if (session->task != NULL) {
		return PLAY_BUSY;
	}
	if (close_if_due(session)) {
		return PLAY_CLOSED;
	}
	if (session->closing) {
		return PLAY_BUSY;
	}
	return rest_may_go_on(session) ? PLAY_NEXT : PLAY_BUSY;
}

enum play_line_result play_session_bytes(struct session *session, size_t count)
{
	use(session, 0, count);
	/* Who is busy is looked at when his answer is there. */
	if (session->task != NULL || rest_is_on(session) || session->closing ||
			rest_may_go_on(session)) {
		return PLAY_NEXT;
	}
	return PLAY_BUSY;
}

void play_session_end(struct session *session)
{
	assert(session->task == NULL);
	session->closing = true;
	close_if_due(session);
}

void play_session_give_up(struct session *session)
{
	struct event event = {.type = EVENT_BYE, .bye = {.reason = BYE_SLOW_READER}};

	session_send_event(session, &event);
	session_free(session);
}

void play_session_lost(struct session *session)
{
	session_free(session);
}

void play_session_drained(struct session *session)
{
	followers_catch_up(session);
	lobby_catch_up(session);
	invitations_catch_up(session);
}
