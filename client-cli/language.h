/* The language that is spoken to the player: it finds the catalogue and installs the translator of
 * protocol/phrase. What is typed and what goes over the wire is the same in every language. */
#ifndef CLIENT_LANGUAGE_H
#define CLIENT_LANGUAGE_H

#include <stdbool.h>

/* The words that --language takes. */
#define LANGUAGE_WORDS "pl en"

/* Set the locale and the language. `wanted`: one of LANGUAGE_WORDS, or NULL: as the environment has
 * it. `ascii`: letters that ASCII lacks are shown by those that are nearest, which is done too
 * where the locale's characters are not UTF-8. `folder` has the catalogues, as
 * pl/LC_MESSAGES/qttt.mo; NULL: it is beside the program in its build folder, or where they are
 * installed. */
void language_begin(const char *wanted, bool ascii, const char *folder);

/* Does the terminal show UTF-8, as far as the locale tells? For after language_begin. */
bool language_has_utf8(void);

/* Why the system could not do something: an errno, or what getaddrinfo gave, which is negative.
 * What is usual is translated on every machine, the rest is as the C library has it. Unlike
 * strerror, for any thread. */
const char *language_reason(int error);

#endif
