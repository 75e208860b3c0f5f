#include "client-cli/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "client-cli/language.h"
#include "client-cli/refusal.h"
#include "client-cli/token.h"
#include "protocol/decode.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

#define GUEST_PREFIX "guest-"
/* As many as the server's own have. */
#define CHOSEN_TOKEN_CHARS 43

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
	       session->comeback.state == COMEBACK_UP;
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
	if (lines_done(&session->input)) {
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

/* Where the token of a name is kept: in the file that was named, or a place of its own. */
static bool session_token_place(
		const struct session *session, const char *name, char ret_path[PATH_MAX])
{
	const struct options *options = session->options;

	if (options->token_file) {
		return snprintf(ret_path, PATH_MAX, "%s", options->token_file) < PATH_MAX;
	}
	return name && name[0] != '\0' && token_path(options->host, options->port, name, ret_path);
}

int session_find_token(const struct session *session, const char *name, char ret_token[TOKEN_SIZE])
{
	char path[PATH_MAX];

	ret_token[0] = '\0';
	return session_token_place(session, name, path) ? token_load(path, ret_token) : 0;
}

/* 22 characters of 6 bits would be enough. */
static bool choose_token(char ret_token[TOKEN_SIZE])
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789-_";
	unsigned char bits[CHOSEN_TOKEN_CHARS];

	if (getrandom(bits, sizeof(bits), 0) != (ssize_t)sizeof(bits)) {
		return false;
	}
	for (size_t i = 0; i < sizeof(bits); i++) {
		ret_token[i] = letters[bits[i] % 64];
	}
	ret_token[sizeof(bits)] = '\0';
	return true;
}

static bool names_equal(const char *a, const char *b)
{
	char *one = text_folded(a);
	char *other = text_folded(b);
	bool equal = one && other && strcmp(one, other) == 0;

	free(one);
	free(other);
	return equal;
}

/* A token of our own choice in place of the one that we have: so its answer may be lost. Said with
 * the name it can be sent again: the old token, which is tried first then, makes the connection
 * ours, or the new one does. */
static bool renews_own(const struct session *session, const struct request *request)
{
	return request->type == REQUEST_HELLO && (request->has & HAS_RENEW) != 0 &&
	       request->renew && (request->has & HAS_TOKEN) == 0 && session->name[0] != '\0' &&
	       ((request->has & HAS_NAME) == 0 || names_equal(request->name, session->name));
}

static void sign_renewal(const struct session *session, struct request *request, bool *ret_chosen)
{
	*ret_chosen = choose_token(request->token);
	if (*ret_chosen) {
		request->has |= HAS_TOKEN | HAS_NAME;
		message_copy(request->name, sizeof(request->name), session->name);
	}
}

void session_sign_hello(struct session *session, struct request *request, bool *ret_chosen)
{
	*ret_chosen = false;
	if (renews_own(session, request)) {
		sign_renewal(session, request, ret_chosen);
		return;
	}
	if (request->type != REQUEST_HELLO || request->has != HAS_NAME) {
		return;
	}
	if (session->name[0] != '\0' && names_equal(request->name, session->name)) {
		message_copy(request->token, sizeof(request->token), session->token);
	} else if (session_find_token(session, request->name, request->token) == 0 &&
			request->token[0] == '\0') {
		*ret_chosen = choose_token(request->token);
	}
	if (request->token[0] != '\0') {
		request->has |= HAS_TOKEN;
	}
}

void session_hello(struct session *session, const char *token)
{
	const struct options *options = session->options;
	struct request request = {.type = REQUEST_HELLO};
	struct command command;
	bool chosen = false;

	if (options->name) {
		request.has |= HAS_NAME;
		message_copy(request.name, sizeof(request.name), options->name);
	}
	if (token[0] != '\0') {
		request.has |= HAS_TOKEN;
		message_copy(request.token, sizeof(request.token), token);
	} else if (!options->json) {
		/* A program reads the token that the server makes in its answer. */
		session_sign_hello(session, &request, &chosen);
	}
	command_request(&request, "hello", session->number + 1, &command);
	command.asked.chose_token = chosen;
	session_do(session, &command);
}

bool session_is_guest(const char *name)
{
	return strncmp(name, GUEST_PREFIX, strlen(GUEST_PREFIX)) == 0;
}

/* A guest's token is void once he has a name; any other in the token file is the only proof of its
 * name, and must not make room for another name's. */
static bool session_may_keep(const struct session *session, const char *name)
{
	return !session->options->token_file || session->holder[0] == '\0' ||
	       session_is_guest(session->holder) || strcmp(session->holder, name) == 0;
}

static void tell_renewed(struct session *session, const char *path)
{
	char line[PATH_MAX + 128];

	snprintf(line, sizeof(line), _("Your name has a new token; it is kept in %s."), path);
	if (session->stage.note) {
		session->stage.note(session->stage.context, line);
	} else if (!session->options->json) {
		view_raw(&session->view, line, strlen(line));
	}
}

/* A token that is kept need not be shown; else it is, or the name would be lost. */
static void session_keep_token(struct session *session, const struct ok *ok, bool renewed)
{
	const char *name = ok->to == REQUEST_HELLO ? ok->name : ok->you;
	bool may_keep = session_may_keep(session, name);
	char path[PATH_MAX];
	int result;

	if (name[0] != '\0' && may_keep) {
		message_copy(session->holder, sizeof(session->holder), name);
	}
	if (!(ok->carries & OK_TOKEN)) {
		return;
	}
	session->view.hides_token = may_keep && session_token_place(session, ok->name, path);
	if (!session->view.hides_token) {
		return;
	}
	result = token_save(path, ok->token);
	if (result < 0) {
		if (!session->stage.show) {
			fprintf(stderr, _("qttt: can't keep the token in %s: %s\n"), path,
					language_reason(-result));
		}
		session->view.hides_token = false;
	} else if (renewed) {
		tell_renewed(session, path);
	}
}

/* The server does not send back a token that we chose: from here on it is as if it had. */
static void learn_token(struct session *session, const struct waiting *waiting, struct ok *ok)
{
	const struct asked *asked = &waiting->asked;
	const char *name = ok->to == REQUEST_HELLO ? ok->name : ok->you;

	if (asked->chose_token && !(ok->carries & OK_TOKEN)) {
		ok->carries |= OK_TOKEN;
		message_copy(ok->token, sizeof(ok->token), asked->token);
	}
	if (ok->carries & OK_TOKEN) {
		message_copy(session->token, sizeof(session->token), ok->token);
	} else if (ok->to == REQUEST_HELLO && asked->token[0] != '\0') {
		message_copy(session->token, sizeof(session->token), asked->token);
	}
	if (name[0] != '\0') {
		message_copy(session->name, sizeof(session->name), name);
	}
}

/* The name is nobody's any more, and its token proves nothing. */
static void learn_forgotten(struct session *session)
{
	char path[PATH_MAX];

	if (session_may_keep(session, session->name) &&
			session_token_place(session, session->name, path)) {
		token_drop(path);
	}
	session->name[0] = '\0';
	session->token[0] = '\0';
	session->holder[0] = '\0';
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

static void session_take_answer(
		struct session *session, const struct waiting *waiting, struct message *message)
{
	if (message->kind == MESSAGE_OK) {
		learn_token(session, waiting, &message->ok);
		learn_lobby(session, waiting);
		session_keep_token(session, &message->ok,
				(waiting->asked.has & HAS_RENEW) != 0 &&
						waiting->asked.type == REQUEST_HELLO);
		if (message->ok.to == REQUEST_FORGET) {
			learn_forgotten(session);
		}
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
		session_take_answer(session, &waiting, message);
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
			!session->output_failed && !session->given_up) {
		if (result == LINE_WHOLE) {
			session_take_server_line(session, line, length);
		}
	}
}
