/* A session: requests from the input to the server, what it says to the output, until both are
 * done. Owns the requests that wait for an answer. Where the options say so it outlives its
 * connection: session_return.c makes another one and takes up what there was; session_name.c has
 * who we are. */
#ifndef CLIENT_SESSION_H
#define CLIENT_SESSION_H

#include "client-cli/comeback.h"
#include "client-cli/commands.h"
#include "client-cli/lines.h"
#include "client-cli/link.h"
#include "client-cli/opening.h"
#include "client-cli/options.h"
#include "client-cli/places.h"
#include "client-cli/study.h"
#include "client-cli/view.h"

/* Requests sent and not yet answered; more input is read only below it. */
#define SESSION_WAITING_MAX 32
/* Errands come on top: a sign of life, or, when nothing else waits, the rooms and the lobby. */
#define SESSION_SLOTS (SESSION_WAITING_MAX + 3)
/* A line from the server. */
#define SESSION_SERVER_LINE_BYTES ((size_t)1024 * 1024)
/* The loop looks around at least so often: the time that a machine sleeps wakes nobody. */
#define SESSION_LOOK_MS 10000
#define SESSION_WHY_SIZE 256

/* What the session asks for by itself. */
enum errand { ERRAND_NONE, ERRAND_PING, ERRAND_HELLO, ERRAND_ROOM, ERRAND_LOBBY };

struct waiting {
	struct asked asked;
	int64_t number;	    /* of a typed request, from 1; else 0 */
	struct bytes *line; /* a reference */
	uint64_t begins;    /* where its line begins in what the link was given */
	enum errand errand; /* ERRAND_NONE: it was typed */
	bool left;	    /* held: some of it had left for the server */
	bool again;	    /* it was sent before, on a connection that was lost */
};

/* Who shows messages in place of the view. */
struct session_stage {
	/* `quiet`: it is to be learnt, but is nothing new to the player. */
	void (*show)(void *context, const struct message *message, const struct asked *asked,
			bool quiet);
	/* A sentence of ours. */
	void (*note)(void *context, const char *text);
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
	struct waiting waiting[SESSION_SLOTS];
	size_t waiting_count;
	char holder[NAME_SIZE]; /* whose token the token file holds, "" while that is not known */
	struct study study;	/* of the game that was asked about last */
	bool studies;		/* its values are not there yet: no request before that */
	bool study_listens;	/* its events come again */
	int64_t number;		/* of the last request */
	bool last_refused;	/* the last request was; false while it is not answered */
	bool any_refused;	/* one of them was */
	bool input_ended;	/* at its end, or after `quit` */
	bool server_spoke;	/* a whole line came: it is no port that only takes connections */
	bool said_bye;		/* the server did */
	enum bye_reason bye;
	bool output_failed;
	/* What the options ask for depends on the name that they have: */
	bool opens;	  /* it is asked for; no request before the answer */
	bool turned_away; /* it was refused: that is the end */
	/* For coming back: */
	bool returns;  /* another connection follows one that is lost */
	bool welcomed; /* by the server, on the first connection */
	struct comeback comeback;
	struct opening *opening; /* of the next connection, or NULL */
	struct places places;
	char name[NAME_SIZE];	/* ours; "": not known */
	char token[TOKEN_SIZE]; /* that proves it; "": none is known */
	struct waiting held[SESSION_WAITING_MAX +
			    1]; /* not answered when the connection was lost */
	size_t held_count;
	struct waiting lobby; /* the request that follows it; no line: it is not followed */
	int64_t errand_id;    /* of the last one: they are numbered downwards */
	size_t errands;	      /* that restore what there was and are not answered */
	bool given_up;	      /* the connection is of no use, for the reason next to be told */
	int64_t retry_ms;     /* what the server asked us to wait, or 0 */
	char why[SESSION_WHY_SIZE]; /* the connection is lost, as last told; "": it is not */
	char why_next[SESSION_WHY_SIZE];
};

/* `out` stays the caller's. */
void session_init(struct session *session, const struct options *options, struct link *link,
		FILE *out);
void session_fini(struct session *session);

/* Do what the options ask for, before all that is typed: say hello, with their name and this token
 * ("": one is made for a new name), and go into a game, or to watch one. If the name is refused
 * nobody plays under another: it ends. Who only said his name at a terminal is there to choose
 * another, and stays. */
void session_begin(struct session *session, const char *token);

/* Has it ended for that? Then it is told. */
bool session_was_turned_away(const struct session *session);

/* Go where the options say: into a game, or to watch one. */
void session_go_in(struct session *session);

/* Do what a line asks for. */
void session_do(struct session *session, struct command *command);

/* The token that is kept for a name, "" without one. Returns 0, or as token_load. */
int session_find_token(const struct session *session, const char *name, char ret_token[TOKEN_SIZE]);

/* Give a `hello` with a name alone what proves the name: the token that is known or kept for it,
 * or one of our own choice, so that it can be repeated if its answer is lost. */
void session_sign_hello(struct session *session, struct request *request, bool *ret_chosen);

/* May a request be sent? Not while too many wait for their answers, while a study or our name does,
 * or without a connection. */
bool session_may_send(const struct session *session);

/* Take lines from the input's buffer, as many as may be sent now. */
void session_take_input(struct session *session);

/* Take all whole lines from the server's buffer. */
void session_take_server(struct session *session);

/* Write what the connection takes, and after the last request tell that no more will come. */
void session_flush(struct session *session);

/* Work until the server closes. `input_fd` is read to its end. Returns the exit status, and tells
 * on standard error what went wrong. */
enum exit_status session_run(struct session *session, int input_fd);

/* Write what waits to be written, and read what the server says, for who has no input: waits at
 * most wait_ms, -1: until something can be done. Returns 0; 1 if nothing could; or a negative
 * errno. */
int session_wait_server(struct session *session, int wait_ms);

/* Coming back. */

/* Milliseconds that also pass while the machine sleeps. */
int64_t session_now_ms(void);

/* For poll: how long until session_keep has something to do; -1: it waits for others. */
int session_wait_ms(const struct session *session);

/* The opening's file descriptor, or -1. */
int session_opening_fd(const struct session *session);

/* After what could be read was taken: see whether the connection is there, and what is to be done
 * about it. `result` is what reading from it returned. Returns false when the session is over. */
bool session_keep(struct session *session, int result);

/* Among the session's own files. */

/* Did the server make the name up for somebody who has none? */
bool session_is_guest(const char *name);

/* A request was carried out: learn who we are from it, and keep the token. */
void session_learn_name(struct session *session, const struct waiting *waiting, struct ok *ok);

/* Queue a line for the server and wait for its answer. */
void session_push(struct session *session, const struct waiting *waiting);

/* Show a message, or only learn from it. */
void session_show(struct session *session, const struct message *message, const struct asked *asked,
		bool quiet);

/* The server says welcome: if it is to us who come back, begin to take up what there was. */
void session_welcome(struct session *session);

/* The server answered an errand. */
void session_take_errand(struct session *session, const struct waiting *waiting,
		const struct message *message);

/* A request that was sent again is refused because it was carried out the first time; the player
 * is told. */
bool session_was_done(struct session *session, const struct waiting *waiting,
		const struct message *message);

/* Why a connection ended, translated: `result` is 0 or a negative errno. */
const char *session_lost_why(const struct session *session, int result);

/* This connection is of no use. */
void session_give_up(struct session *session, const char *why, int64_t retry_ms);

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
