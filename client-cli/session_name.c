/* Who we are to the server: `hello`, and the tokens that prove names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "client-cli/language.h"
#include "client-cli/session.h"
#include "client-cli/token.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

#define GUEST_PREFIX "guest-"
/* As many as the server's own have. */
#define CHOSEN_TOKEN_CHARS 43

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

static void say_hello(struct session *session, const char *token)
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

static bool goes_in(const struct options *options)
{
	return options->match || options->bot || options->join || options->watch;
}

void session_begin(struct session *session, const char *token)
{
	const struct options *options = session->options;

	if (options->name || options->token_file) {
		say_hello(session, token);
	}
	session->opens = options->name && (goes_in(options) || !session->stage.show);
	if (!session->opens) {
		session_go_in(session);
	}
}

bool session_was_turned_away(const struct session *session)
{
	if (session->turned_away) {
		fprintf(stderr,
				_("qttt: the name %s was refused, and nothing is done under "
				  "another\n"),
				session->options->name);
	}
	return session->turned_away;
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

void session_learn_name(struct session *session, const struct waiting *waiting, struct ok *ok)
{
	learn_token(session, waiting, ok);
	session_keep_token(session, ok,
			(waiting->asked.has & HAS_RENEW) != 0 &&
					waiting->asked.type == REQUEST_HELLO);
	if (ok->to == REQUEST_FORGET) {
		learn_forgotten(session);
	}
}
