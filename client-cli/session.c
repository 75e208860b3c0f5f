#include "client-cli/session.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "client-cli/token.h"
#include "protocol/decode.h"

#define GUEST_PREFIX "guest-"

void session_init(struct session *session, const struct options *options, struct link *link,
		FILE *out)
{
	*session = (struct session){.options = options, .link = link};
	lines_init(&session->input, LIMIT_LINE_BYTES);
	lines_init(&session->server, SESSION_SERVER_LINE_BYTES);
	view_init(&session->view, out, options->ascii, options->token_file != NULL);
}

void session_fini(struct session *session)
{
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
	if (session->options->json) {
		/* Standard output holds the server's lines alone. */
		struct view view;

		view_init(&view, stderr, session->options->ascii, true);
		view_refusal(&view, asked, error);
	} else {
		view_refusal(&session->view, asked, error);
	}
}

static void session_send(struct session *session, const struct command *command)
{
	struct waiting *waiting = &session->waiting[session->waiting_count];

	session_begin_request(session);
	if (link_send(session->link, command->line->data, command->line->length) < 0) {
		fprintf(stderr, "qttt: out of memory\n");
		session->link->write_failed = true;
	}
	waiting->asked = command->asked;
	waiting->number = session->number;
	session->waiting_count++;
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
	return session->waiting_count < SESSION_WAITING_MAX && !session->studies;
}

void session_hello(struct session *session, const char *token)
{
	struct command command;

	command_hello(session->options->name, token, session->number + 1, &command);
	session_do(session, &command);
}

static void session_take_line(
		struct session *session, enum line_result result, const char *line, size_t length)
{
	struct command command;
	struct asked asked = {.words = "The line"};
	struct error error = {.code = result == LINE_TOO_LONG ? CODE_TOO_LONG : CODE_BAD_JSON};

	if (result == LINE_WHOLE) {
		command_read(line, length, session->number + 1, session->options->json, &command);
		session_do(session, &command);
		return;
	}
	snprintf(error.message, sizeof(error.message), "%s",
			result == LINE_TOO_LONG ? "It is longer than 4096 bytes."
						: "It is not text in UTF-8.");
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

/* Take the request that an answer belongs to off the list. Returns false if none waits. */
static bool waiting_take(struct session *session, const struct request_id *re, bool refused,
		struct asked *ret_asked)
{
	size_t index = waiting_find(session, re);

	if (session->waiting_count == 0) {
		return false;
	}
	*ret_asked = session->waiting[index].asked;
	if (session->waiting[index].number == session->number) {
		session->last_refused = refused;
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

/* A guest's token is void once he has a name; any other in the token file is the only proof of its
 * name, and must not make room for another name's. */
static bool session_may_keep(const struct session *session, const char *name)
{
	return !session->options->token_file || session->holder[0] == '\0' ||
	       strncmp(session->holder, GUEST_PREFIX, strlen(GUEST_PREFIX)) == 0 ||
	       strcmp(session->holder, name) == 0;
}

/* A token that is kept need not be shown; else it is, or the name would be lost. */
static void session_keep_token(struct session *session, const struct ok *ok)
{
	const char *name = ok->carries & OK_NAME ? ok->name : ok->you;
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
			fprintf(stderr, "qttt: can't keep the token in %s: %s\n", path,
					strerror(-result));
		}
		session->view.hides_token = false;
	}
}

static void session_take_message(struct session *session, const struct message *message)
{
	struct asked asked;
	bool answers = false;

	switch (message->kind) {
	case MESSAGE_OK:
		session_keep_token(session, &message->ok);
		answers = waiting_take(session, &message->ok.re, false, &asked);
		break;
	case MESSAGE_ERROR:
		answers = waiting_take(session, &message->error.re, true, &asked);
		break;
	case MESSAGE_EVENT:
		if (message->event.type == EVENT_BYE) {
			session->said_bye = true;
			session->bye = message->event.bye.reason;
		}
		break;
	}
	if (session_study_takes(session, message, answers ? &asked : NULL)) {
		return;
	}
	if (session->stage.show) {
		session->stage.show(session->stage.context, message, answers ? &asked : NULL);
	} else if (!session->options->json &&
			!session_show_values(session, message, answers ? &asked : NULL)) {
		view_message(&session->view, message, answers ? &asked : NULL);
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
	struct asked asked;

	if (!ok && !error) {
		return;
	}
	(void)waiting_take(session, &none, error, &asked);
	if (!session->options->json) {
		view_raw(&session->view, line, length);
	}
}

static void session_take_server_line(struct session *session, const char *line, size_t length)
{
	struct message message;

	session->server_spoke = true;
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
			!session->output_failed) {
		if (result == LINE_WHOLE) {
			session_take_server_line(session, line, length);
		}
	}
}

/* The loop. */

/* Is there something to wait for from the input? Not while its requests wait to be answered. */
static bool session_wants_input(const struct session *session)
{
	return !session->input_ended && !session->input.at_end && session_may_send(session);
}

static int session_wait(struct session *session, int input_fd)
{
	struct pollfd wanted[2] = {
			{.fd = session->link->fd, .events = POLLIN},
			{.fd = session_wants_input(session) ? input_fd : -1, .events = POLLIN},
	};
	int result = 0;

	if (link_has_output(session->link)) {
		wanted[0].events |= POLLOUT;
	}
	if (poll(wanted, 2, -1) < 0) {
		return errno == EINTR ? 0 : -errno;
	}
	if (wanted[1].revents != 0) {
		(void)lines_fill(&session->input, input_fd);
	}
	if (wanted[0].revents & ~POLLOUT) {
		result = lines_fill(&session->server, session->link->fd);
	}
	return result;
}

static enum exit_status session_status(const struct session *session, int result)
{
	bool done = session->input_ended && session->waiting_count == 0 && session->server_spoke;

	if (session->output_failed) {
		fprintf(stderr, "qttt: can't write to standard output\n");
		return EXIT_LOST;
	}
	if (session->said_bye && session->bye != BYE_QUIT) {
		fprintf(stderr, "qttt: the server ended the session\n");
		return EXIT_LOST;
	}
	if (!session->said_bye && !done) {
		fprintf(stderr, "qttt: lost the connection: %s\n",
				result < 0 ? strerror(-result) : "the server closed it");
		return EXIT_LOST;
	}
	return session->last_refused ? EXIT_REFUSED : EXIT_FINE;
}

enum exit_status session_run(struct session *session, int input_fd)
{
	int result = 0;

	while (result == 0 && !lines_done(&session->server) && !session->output_failed) {
		session_take_input(session);
		if (fflush(session->view.out) != 0) {
			session->output_failed = true;
			break;
		}
		link_flush(session->link);
		if (session->input_ended && !link_has_output(session->link)) {
			link_half_close(session->link);
		}
		result = session_wait(session, input_fd);
		session_take_server(session);
	}
	return session_status(session, result);
}
