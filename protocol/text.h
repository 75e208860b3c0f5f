/* Text from people: what may stand in names, titles and chat, and how to show what may not. */
#ifndef PROTOCOL_TEXT_H
#define PROTOCOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Number of characters (code points) of NUL-ended UTF-8, or -1 where it is not UTF-8. */
long text_chars(const char *text);

/* True for valid UTF-8 without control characters (C0, C1, DEL), format characters (bidi and
 * other, category Cf), line or paragraph separators, surrogates, or noncharacters. */
bool text_is_clean(const char *text);

/* A character that is shown or logged as it is: the test that text_is_clean makes of each. */
bool text_char_is_clean(int codepoint);

#endif
