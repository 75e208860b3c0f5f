#include "client-cli/session.h"

#include <string.h>
#include <sys/random.h>

#include "client-cli/refusal.h"
#include "protocol/decode.h"
#include "protocol/phrase.h"

static uint64_t random_bits(void)
{
	uint64_t bits = 0;

	/* So few come at once, and without fail. */
	(void)!getrandom(&bits, sizeof(bits), 0);
	return bits;
}

void session_init(struct session *session, const struct options *options, struct link *link,
		FILE *out)
{
	*session = (struct session){.options = options, .link = link};
	lines_init(&session->input, LIMIT_LINE_BYTES);
	lines_init_whole(&session->server, SESSION_SERVER_LINE_BYTES);
	view_init(&session->view, out, options->ascii, options->token_file != NULL);
	comeback_init(&session->comeback, (int64_t)options->patience_s * 1000, random_bits(),
			session_now_ms());
}

void session_fini(struct session *session)
{
	for (size_t i = 0; i < session->waiting_count; i++) {
		bytes_unref(session->waiting[i].line);
	}
	for (size_t i = 0; i < session->held_count; i++) {
		bytes_unref(session->held[i].line);
	}
	bytes_unref(session->lobby.line);
	opening_abandon(session->opening);
	lines_fini(&session->input);
	lines_fini(&session->server);
}

/* Requests. */

static void session_begin_request(struct session *session)
{
	session->number++;
	session->last_refused = false;
}

static void session_refuse(
		struct session *session, const struct asked *asked, const struct error *error)
{
	session_begin_request(session);
	session->last_refused = true;
	session->any_refused = true;
	if (session->options->json) {
		/* Standard output holds the server's lines alone. */
		struct view view;

		view_init(&view, stderr, session->options->ascii, true);
		view_refusal(&view, asked, error);
	} else {
		view_refusal(&session->view, asked, error);
	}
}

void session_push(struct session *session, const struct waiting *waiting)
{
	struct waiting *slot = &session->waiting[session->waiting_count];

	*slot = *waiting;
	slot->begins = session->link->queued;
	if (link_send(session->link, slot->line->data, slot->line->length) < 0) {
		fprintf(stderr, _("qttt: out of memory\n"));
		session->link->write_failed = true;
	}
	session->waiting_count++;
}

static void session_send(struct session *session, const struct command *command)
{
	struct waiting waiting = {.asked = command->asked};

	session_begin_request(session);
	waiting.number = session->number;
	waiting.line = bytes_ref(command->line);
	session_push(session, &waiting);
	session->input_ended |= command->ends;
}

void session_do(struct session *session, struct command *command)
{
	switch (command->kind) {
	case COMMAND_SEND:
		session_send(session, command);
		break;
	case COMMAND_STUDY:
		session_study(session, &command->asked);
		break;
	case COMMAND_HELP:
		session_begin_request(session);
		view_help(&session->view, command->about);
		break;
	case COMMAND_REFUSED:
		session_refuse(session, &command->asked, &command->refusal);
		break;
	}
	bytes_unref(command->line);
	command->line = NULL;
}

bool session_may_send(const struct session *session)
{
	return session->waiting_count < SESSION_WAITING_MAX && !session->studies &&
	       !session->opens && session->comeback.state == COMEBACK_UP;
}

void session_flush(struct session *session)
{
	bool is_last = session->input_ended && session->comeback.state == COMEBACK_UP;

	link_flush(session->link);
	if (is_last && !link_has_output(session->link)) {
		link_half_close(session->link);
	}
}

static void session_take_line(
		struct session *session, enum line_result result, const char *line, size_t length)
{
	struct command command;
	struct asked asked = {.known = false};
	struct error error = {.code = result == LINE_TOO_LONG ? CODE_TOO_LONG : CODE_BAD_JSON};

	if (result == LINE_WHOLE) {
		command_read(line, length, session->number + 1, session->options->json, &command);
		session_do(session, &command);
		return;
	}
	snprintf(error.message, sizeof(error.message), "%s",
			result == LINE_TOO_LONG ? _("It is longer than 4096 bytes.")
						: _("It is not text in UTF-8."));
	message_copy(asked.words, sizeof(asked.words), _("The line"));
	session_refuse(session, &asked, &error);
}

void session_go_in(struct session *session)
{
	const struct options *options = session->options;
	char words[64] = "match";

	if (options->bot) {
		snprintf(words, sizeof(words), "create bot-%.20s %.1s", options->bot,
				options->side ? options->side : "");
	} else if (options->join) {
		snprintf(words, sizeof(words), "join %.40s", options->join);
	} else if (options->watch) {
		snprintf(words, sizeof(words), "watch %.40s", options->watch);
	} else if (!options->match) {
		return;
	} else if (options->clock) {
		snprintf(words, sizeof(words), "match %.40s", options->clock);
	}
	session_take_line(session, LINE_WHOLE, words, strlen(words));
}

void session_take_input(struct session *session)
{
	while (!session->input_ended && session_may_send(session)) {
		const char *line = NULL;
		size_t length = 0;
		enum line_result result = lines_next(&session->input, &line, &length);

		if (result == LINE_MORE) {
			break;
		}
		session_take_line(session, result, line, length);
	}
	if (!session->opens && lines_done(&session->input)) {
		session->input_ended = true;
	}
}

/* Answers. */

static bool id_equal(const struct request_id *a, const struct request_id *b)
{
	if (a->kind != b->kind) {
		return false;
	}
	return a->kind == ID_INTEGER ? a->integer == b->integer : strcmp(a->string, b->string) == 0;
}

/* Which request an answer belongs to: the oldest with its id. Answers come in the order of the
 * requests, so one without an id, or with one that we did not read, belongs to the oldest. */
static size_t waiting_find(const struct session *session, const struct request_id *re)
{
	for (size_t i = 0; i < session->waiting_count; i++) {
		if (id_equal(&session->waiting[i].asked.id, re)) {
			return i;
		}
	}
	return 0;
}

/* Take the request that an answer belongs to off the list; its line is the caller's then. Returns
 * false if none waits. */
static bool waiting_take(struct session *session, const struct request_id *re, bool refused,
		struct waiting *ret)
{
	size_t index = waiting_find(session, re);

	if (session->waiting_count == 0) {
		return false;
	}
	*ret = session->waiting[index];
	if (ret->errand == ERRAND_NONE && ret->number == session->number) {
		session->last_refused = refused;
	}
	if (ret->errand == ERRAND_NONE && refused) {
		session->any_refused = true;
	}
	session->waiting_count--;
	memmove(&session->waiting[index], &session->waiting[index + 1],
			(session->waiting_count - index) * sizeof(session->waiting[0]));
	return true;
}

static void learn_lobby(struct session *session, const struct waiting *waiting)
{
	if (waiting->asked.type == REQUEST_LOBBY && waiting->asked.has & HAS_FOLLOW) {
		bytes_unref(session->lobby.line);
		session->lobby = *waiting;
		session->lobby.line = waiting->asked.follows ? bytes_ref(waiting->line) : NULL;
	}
}

/* Returns whether it is for the player. */
static bool learn_event(struct session *session, const struct event *event)
{
	bool is_first = !session->welcomed;

	if (event->type == EVENT_BYE) {
		session->said_bye = true;
		session->bye = event->bye.reason;
		session->retry_ms = event->bye.has_retry ? event->bye.retry_ms : 0;
	}
	if (event->type == EVENT_WELCOME) {
		session_welcome(session);
	}
	return event->type != EVENT_WELCOME || is_first;
}

void session_show(struct session *session, const struct message *message, const struct asked *asked,
		bool quiet)
{
	if (session->stage.show) {
		session->stage.show(session->stage.context, message, asked, quiet);
	} else if (!session->options->json && !session_show_values(session, message, asked)) {
		session->view.quiet = quiet;
		view_message(&session->view, message, asked);
		session->view.quiet = false;
	}
}

/* The room that it is about came before, with the `hello` of our return. */
static bool is_known_state(struct session *session, const struct waiting *waiting,
		const struct message *message)
{
	const struct place *place;

	if (!waiting->again || message->kind != MESSAGE_OK || !message->ok.state) {
		return false;
	}
	place = places_find(&session->places, message->ok.state->room);
	return place && place->seq == message->ok.state->seq;
}

/* Is it about the name that the options have? A server that takes no more connections says so
 * without having read what was asked. */
static bool opens_by(const struct session *session, const struct waiting *waiting,
		const struct message *message)
{
	bool was_read = message->kind == MESSAGE_OK || message->error.re.kind != ID_NONE;

	return session->opens && waiting->errand == ERRAND_NONE && was_read;
}

static void session_take_answer(
		struct session *session, const struct waiting *waiting, struct message *message)
{
	if (message->kind == MESSAGE_OK) {
		session_learn_name(session, waiting, &message->ok);
		learn_lobby(session, waiting);
	}
	if (waiting->errand != ERRAND_NONE) {
		session_take_errand(session, waiting, message);
	} else if (!session_was_done(session, waiting, message) &&
			!session_study_takes(session, message, &waiting->asked)) {
		bool quiet = is_known_state(session, waiting, message);

		(void)places_take(&session->places, message);
		session_show(session, message, &waiting->asked, quiet);
	}
}

/* It may be the one that more depends on. */
static void session_take_first_answer(
		struct session *session, const struct waiting *waiting, struct message *message)
{
	bool opens = opens_by(session, waiting, message);

	if (opens) {
		session->opens = false;
	}
	session_take_answer(session, waiting, message);
	if (opens && message->kind == MESSAGE_ERROR) {
		session->turned_away = true;
	} else if (opens && !session->input_ended) {
		session_go_in(session);
	}
}

static void session_take_message(struct session *session, struct message *message)
{
	bool is_error = message->kind == MESSAGE_ERROR;
	struct waiting waiting;

	if (is_error) {
		refusal_translate(&message->error);
	}
	if (message->kind == MESSAGE_EVENT) {
		if (learn_event(session, &message->event) &&
				!session_study_takes(session, message, NULL) &&
				places_take(&session->places, message)) {
			session_show(session, message, NULL, false);
		}
	} else if (waiting_take(session, is_error ? &message->error.re : &message->ok.re, is_error,
				   &waiting)) {
		session_take_first_answer(session, &waiting, message);
		bytes_unref(waiting.line);
	} else if (is_error && session->comeback.state == COMEBACK_RESTORING) {
		session_give_up(session, _(code_sentence(message->error.code)),
				message->error.retry_ms);
	} else {
		session_show(session, message, NULL, false);
	}
}

static bool line_begins(const char *line, size_t length, const char *text)
{
	return length >= strlen(text) && memcmp(line, text, strlen(text)) == 0;
}

/* A line that this client does not know: an event of a later server is passed over, but an answer,
 * which can only be to JSON that was sent as it was, is shown as it is. */
static void session_take_unknown(struct session *session, const char *line, size_t length)
{
	const struct request_id none = {.kind = ID_NONE};
	bool ok = line_begins(line, length, "{\"type\":\"ok\"");
	bool error = line_begins(line, length, "{\"type\":\"error\"");
	struct waiting waiting;

	if (!ok && !error) {
		return;
	}
	if (waiting_take(session, &none, error, &waiting)) {
		bytes_unref(waiting.line);
	}
	if (!session->options->json) {
		view_raw(&session->view, line, length);
	}
}

static void session_take_server_line(struct session *session, const char *line, size_t length)
{
	struct message message;

	session->server_spoke = true;
	comeback_heard(&session->comeback, session_now_ms());
	if (session->options->json) {
		fwrite(line, 1, length, session->view.out);
		fputc('\n', session->view.out);
	}
	if (decode_message(line, length, &message)) {
		session_take_message(session, &message);
	} else {
		session_take_unknown(session, line, length);
	}
	message_fini(&message);
	if (fflush(session->view.out) != 0) {
		session->output_failed = true;
	}
}

void session_take_server(struct session *session)
{
	const char *line = NULL;
	size_t length = 0;
	enum line_result result;

	while ((result = lines_next(&session->server, &line, &length)) != LINE_MORE &&
			!session->output_failed && !session->given_up && !session->turned_away) {
		if (result == LINE_WHOLE) {
			session_take_server_line(session, line, length);
		}
	}
}
