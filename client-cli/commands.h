/* Words typed by a person into a request's line. The grammar is the protocol library's shorthand;
 * here is decided only what is not sent. */
#ifndef CLIENT_COMMANDS_H
#define CLIENT_COMMANDS_H

#include "protocol/bytes.h"
#include "protocol/message.h"

/* What is told of a request when its answer comes. */
#define ASKED_WORDS_SIZE 64

/* What an answer is for. */
enum asked_use {
	ASKED_TO_TELL,
	ASKED_FOR_STUDY, /* a game's events, then its values: they become one page */
	ASKED_FOR_HINT,
	ASKED_TO_GO /* instead of a rematch */
};

struct asked {
	struct request_id id;
	bool known; /* the request could be read; else type and room are not set */
	enum request_type type;
	enum asked_use use;
	char room[ROOM_ID_SIZE];      /* "": the request names none */
	uint32_t has;		      /* enum request_has, of the request */
	char opponent[NAME_SIZE];     /* create: for whom a seat is to be kept, or "" */
	bool follows;		      /* lobby: what comes is to be told */
	char token[TOKEN_SIZE];	      /* hello: that came with it, "" without */
	bool chose_token;	      /* it is our own choice, for a new name */
	char words[ASKED_WORDS_SIZE]; /* as typed, perhaps cut; where a token is among them the
					 first alone */
};

enum command_kind {
	COMMAND_SEND,	/* line, asked */
	COMMAND_STUDY,	/* asked: all that is known of a game, to be shown at once */
	COMMAND_HELP,	/* about */
	COMMAND_REFUSED /* asked, refusal: the words are no request */
};

struct command {
	enum command_kind kind;
	struct asked asked;
	struct bytes *line;    /* the caller's reference; NULL unless COMMAND_SEND */
	bool ends;	       /* `quit`: nothing is to be sent after it */
	char about[WORD_SIZE]; /* the request that help is asked about; "": all */
	struct error refusal;
};

/* Read a line of input (as line_cut gives it, not empty). A request in words gets the integer `id`
 * unless it names one; JSON goes as it is. With `send_help` a `help` is the server's to answer,
 * and nothing is COMMAND_STUDY. */
void command_read(const char *line, size_t length, int64_t id, bool send_help, struct command *ret);

/* A request that was made otherwise; `words` is what is told of it when its answer comes. To
 * analyse a room is COMMAND_STUDY, typed or not. */
void command_request(struct request *request, const char *words, int64_t id, struct command *ret);

#endif
