/* A session: requests from the input to the server, what it says to the output, until both are
 * done. Owns the requests that wait for an answer. */
#ifndef CLIENT_SESSION_H
#define CLIENT_SESSION_H

#include "client-cli/commands.h"
#include "client-cli/lines.h"
#include "client-cli/link.h"
#include "client-cli/options.h"
#include "client-cli/study.h"
#include "client-cli/view.h"

/* Requests sent and not yet answered; more input is read only below it. */
#define SESSION_WAITING_MAX 32
/* A line from the server. */
#define SESSION_SERVER_LINE_BYTES ((size_t)1024 * 1024)

struct waiting {
	struct asked asked;
	int64_t number; /* of the request, from 1 */
};

/* Who shows messages in place of the view. */
struct session_stage {
	void (*show)(void *context, const struct message *message, const struct asked *asked);
	void *context;
};

struct session {
	const struct options *options;
	struct link *link; /* the maker's */
	struct lines input;
	struct lines server;
	struct view view;
	struct session_stage stage; /* show may be NULL */
	/* The oldest first. A study takes two places, of which one may be the last. */
	struct waiting waiting[SESSION_WAITING_MAX + 1];
	size_t waiting_count;
	char holder[NAME_SIZE]; /* whose token the token file holds, "" while that is not known */
	struct study study;	/* of the game that was asked about last */
	bool studies;		/* its values are not there yet: no request before that */
	bool study_listens;	/* its events come again */
	int64_t number;		/* of the last request */
	bool last_refused;	/* the last request was; false while it is not answered */
	bool input_ended;	/* at its end, or after `quit` */
	bool server_spoke;	/* a whole line came: it is no port that only takes connections */
	bool said_bye;		/* the server did */
	enum bye_reason bye;
	bool output_failed;
};

/* `out` stays the caller's. */
void session_init(struct session *session, const struct options *options, struct link *link,
		FILE *out);
void session_fini(struct session *session);

/* Say hello first, with options' name and this token ("": none). */
void session_hello(struct session *session, const char *token);

/* Go where the options say: into a game, or to watch one. */
void session_go_in(struct session *session);

/* Do what a line asks for. */
void session_do(struct session *session, struct command *command);

/* The token that is kept for a name, "" without one. Returns 0, or as token_load. */
int session_find_token(const struct session *session, const char *name, char ret_token[TOKEN_SIZE]);

/* May a request be sent? Not while too many wait for their answers, or a study does. */
bool session_may_send(const struct session *session);

/* Take lines from the input's buffer, as many as may be sent now. */
void session_take_input(struct session *session);

/* Take all whole lines from the server's buffer. */
void session_take_server(struct session *session);

/* Work until the server closes. `input_fd` is read to its end. Returns the exit status, and tells
 * on standard error what went wrong. */
enum exit_status session_run(struct session *session, int input_fd);

/* Values: session_study.c. */

/* Ask for a game's events and for its values; `asked` has its room, or "", and what was typed. */
void session_study(struct session *session, const struct asked *asked);

/* Take what belongs to a study. Returns whether it was that, and is not to be shown. */
bool session_study_takes(
		struct session *session, const struct message *message, const struct asked *asked);

/* Show a study that is complete, or a hint, in a pipe. Returns false if the message is neither. */
bool session_show_values(
		struct session *session, const struct message *message, const struct asked *asked);

#endif
