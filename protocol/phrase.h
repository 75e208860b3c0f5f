/* What people read, on its way to them: in English, as it is written, or in another language, by a
 * translator that the program installs once. The server installs none. What is parsed, compared or
 * goes over the wire does not come here. Sentences are whole, with their formats, so that a
 * language can put its words in an order of its own. */
#ifndef PROTOCOL_PHRASE_H
#define PROTOCOL_PHRASE_H

#include <stdint.h>

/* Marks for xgettext (client-cli/po): N_ for a text in a table, which is translated where it is
 * shown, _ for one that is shown here and now. */
#define N_(text) text
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): as everywhere. */
#define _(text) phrase(text)

/* `many` is NULL where nothing is counted. Returns `one` or `many` where it knows nothing better;
 * what it returns lives on. */
typedef const char *(*phrase_translator)(const char *one, const char *many, int64_t count);

/* NULL: none, as at the beginning. */
void phrase_translate_by(phrase_translator translator);

const char *phrase(const char *text) __attribute__((format_arg(1)));

/* The form for a number, which is not negative. */
const char *phrase_count(const char *one, const char *many, int64_t count)
		__attribute__((format_arg(1), format_arg(2)));

#endif
