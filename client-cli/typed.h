/* A line typed at a terminal: besides the protocol's words it may be numbers alone where a move or
 * a measurement is expected, 'text for everybody in the room, y or n, and the client's own words.
 */
#ifndef CLIENT_TYPED_H
#define CLIENT_TYPED_H

#include "client-cli/scene.h"
#include "protocol/message.h"

enum typed_kind {
	TYPED_NOTHING,
	TYPED_REQUEST, /* request, words */
	TYPED_HINT,    /* request, words */
	TYPED_GO,      /* request, words: to leave instead of a rematch */
	TYPED_LINE,    /* JSON, to be sent as it is */
	TYPED_REFUSED, /* refusal */
	TYPED_BOARD,   /* the board of the current room again */
	TYPED_RULES,
	TYPED_KEYS,
	TYPED_HELP /* about */
};

#define TYPED_REFUSAL_SIZE 512

struct typed {
	enum typed_kind kind;
	struct request request;
	char words[WORD_SIZE];		  /* the request's, for its answer */
	char about[WORD_SIZE];		  /* "": all */
	char refusal[TYPED_REFUSAL_SIZE]; /* a sentence, or two */
};

/* Read a line, not changing what the scene has learnt, but for the room that words are about, and
 * whether a name is to be given up. */
void typed_read(struct scene *scene, const char *text, struct typed *ret);

#endif
