/* The words that can be typed at a terminal: the requests, and the client's own. One table of each:
 * protocol/requests.c has the requests. */
#ifndef CLIENT_VOCABULARY_H
#define CLIENT_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/message.h"

#define VOCABULARY_USAGE_SIZE 96
#define VOCABULARY_SENTENCE_SIZE 256

struct vocabulary_word {
	const char *word;
	char usage[VOCABULARY_USAGE_SIZE]; /* what follows it; "": nothing */
	const char *about;		   /* one line */
	const char *theme;		   /* what it stands under in the help, in English */
};

/* Who types is an operator from now on, for the whole program: his requests are words too, and
 * those of players are none. */
void vocabulary_serve_operator(void);
bool vocabulary_is_operators(void);

/* Words or JSON into a request, as who types may say it; see decode_request. A title in words that
 * swallows another member is refused. */
bool vocabulary_decode(
		const char *line, size_t length, struct request *ret, struct error *ret_error);

/* The n-th of all words, requests and own ones, in the order of the help; false beyond the last. */
bool vocabulary_at(size_t index, struct vocabulary_word *ret);

/* The word that is meant, in any case; false if there is none such. */
bool vocabulary_find(const char *text, size_t length, struct vocabulary_word *ret);

/* The sentence that there is no such word, with the one that is meant, if that can be guessed: what
 * is called so elsewhere, or is near by letters typed wrong, left out, put in or swapped. */
void vocabulary_refuse(
		const char *text, size_t length, char ret_sentence[VOCABULARY_SENTENCE_SIZE]);

#endif
