#include "protocol/text.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

/* The character at the front of text[0..length), length > 0; returns its bytes, or 0 if bad. */
static size_t text_next(const char *text, size_t length, int32_t *ret_codepoint)
{
	utf8proc_ssize_t taken = utf8proc_iterate(
			(const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, ret_codepoint);

	return taken > 0 ? (size_t)taken : 0;
}

/* How many of the first bytes are ASCII: nearly all of them, so eight are looked at at once. */
static size_t ascii_span(const char *data, size_t length)
{
	const uint64_t high_bits = UINT64_C(0x8080808080808080);
	size_t at = 0;
	uint64_t eight;

	while (length - at >= sizeof(eight)) {
		memcpy(&eight, data + at, sizeof(eight));
		if ((eight & high_bits) != 0) {
			break;
		}
		at += sizeof(eight);
	}
	while (at < length && (unsigned char)data[at] < 0x80) {
		at++;
	}
	return at;
}

bool text_is_utf8(const char *data, size_t length)
{
	size_t at = ascii_span(data, length);
	int32_t codepoint;

	while (at < length) {
		size_t taken = text_next(data + at, length - at, &codepoint);

		if (taken == 0) {
			return false;
		}
		at += taken;
		at += ascii_span(data + at, length - at);
	}
	return true;
}

size_t text_cut(const char *text, size_t length, size_t limit)
{
	if (length <= limit) {
		return length;
	}
	/* Bytes 10xxxxxx continue a character: the cut goes before one that does not. */
	while (limit > 0 && ((unsigned char)text[limit] & 0xc0) == 0x80) {
		limit--;
	}
	return limit;
}

long text_chars(const char *text)
{
	size_t length = strlen(text);
	size_t at = 0;
	long chars = 0;
	int32_t codepoint;

	while (at < length) {
		size_t taken = text_next(text + at, length - at, &codepoint);

		if (taken == 0) {
			return -1;
		}
		at += taken;
		chars++;
	}
	return chars;
}

size_t text_char(const char *text, size_t length, int *ret_codepoint)
{
	int32_t codepoint = 0;
	size_t taken = text_next(text, length, &codepoint);

	*ret_codepoint = codepoint;
	return taken;
}

int text_char_columns(int codepoint)
{
	return utf8proc_charwidth(codepoint);
}

size_t text_columns(const char *text)
{
	size_t length = strlen(text);
	size_t at = 0;
	size_t columns = 0;

	while (at < length) {
		int32_t codepoint;
		size_t taken = text_next(text + at, length - at, &codepoint);

		at += taken > 0 ? taken : 1;
		columns += taken > 0 ? (size_t)utf8proc_charwidth(codepoint) : 1;
	}
	return columns;
}

char *text_folded(const char *text)
{
	return (char *)utf8proc_NFKC_Casefold((const utf8proc_uint8_t *)text);
}

bool text_char_is_clean(int codepoint)
{
	utf8proc_category_t category = utf8proc_category(codepoint);
	bool noncharacter = (codepoint & 0xfffe) == 0xfffe ||
			    (codepoint >= 0xfdd0 && codepoint <= 0xfdef);

	return codepoint >= 0 && codepoint <= 0x10ffff && !noncharacter &&
	       category != UTF8PROC_CATEGORY_CC && category != UTF8PROC_CATEGORY_CF &&
	       category != UTF8PROC_CATEGORY_CS && category != UTF8PROC_CATEGORY_ZL &&
	       category != UTF8PROC_CATEGORY_ZP;
}

bool text_is_clean(const char *text)
{
	size_t length = strlen(text);
	size_t at = 0;
	int32_t codepoint;

	while (at < length) {
		size_t taken = text_next(text + at, length - at, &codepoint);

		if (taken == 0 || !text_char_is_clean(codepoint)) {
			return false;
		}
		at += taken;
	}
	return true;
}
