/* The words that can be typed at a terminal: the requests, and the client's own. One table of each:
 * protocol/requests.c has the requests. */
#ifndef CLIENT_VOCABULARY_H
#define CLIENT_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

#define VOCABULARY_USAGE_SIZE 96

struct vocabulary_word {
	const char *word;
	char usage[VOCABULARY_USAGE_SIZE]; /* what follows it; "": nothing */
	const char *about;		   /* one line */
	const char *theme;		   /* what it stands under in the help */
};

/* The n-th of all words, requests and own ones, in the order of the help; false beyond the last. */
bool vocabulary_at(size_t index, struct vocabulary_word *ret);

/* The word that is meant, in any case; false if there is none such. */
bool vocabulary_find(const char *text, size_t length, struct vocabulary_word *ret);

/* The word that is nearest to one that does not exist, by letters typed wrong, left out, put in or
 * swapped; NULL where none is near. */
const char *vocabulary_nearest(const char *text, size_t length);

#endif
