/* Text from people: what may stand in names, titles and chat, and how to show what may not. */
#ifndef PROTOCOL_TEXT_H
#define PROTOCOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Is data[0..length) UTF-8 (no overlong form, no surrogate)? A NUL byte is a character like others.
 */
bool text_is_utf8(const char *data, size_t length);

/* The longest length of at most `limit` bytes that cuts no character of text[0..length). */
size_t text_cut(const char *text, size_t length, size_t limit);

/* Number of characters (code points) of NUL-ended UTF-8, or -1 where it is not UTF-8. */
long text_chars(const char *text);

/* The bytes of the character at the front of text[0..length), length > 0, and what it is; 0 where
 * that is not UTF-8. */
size_t text_char(const char *text, size_t length, int *ret_codepoint);

/* Columns that a character takes on a screen: 0 (it joins the one before it), 1 or 2. */
int text_char_columns(int codepoint);

/* Columns that clean text takes on a screen. */
size_t text_columns(const char *text);

/* Text under NFKC casefold, as names are compared: the caller frees it. NULL where it is not UTF-8.
 */
char *text_folded(const char *text);

/* True for valid UTF-8 without control characters (C0, C1, DEL), format characters (bidi and
 * other, category Cf), line or paragraph separators, surrogates, or noncharacters. */
bool text_is_clean(const char *text);

/* A character that is shown or logged as it is: the test that text_is_clean makes of each. */
bool text_char_is_clean(int codepoint);

#endif
