#include "server/play/name.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "protocol/message.h"

/* Blocks of Latin letters; the two signs among them (× ÷) are no letters by category. */
static const struct {
	int32_t first, last;
} latin[] = {{'A', 'Z'}, {'a', 'z'}, {0x00C0, 0x024F}, {0x1E00, 0x1EFF}};

static bool is_latin_letter(int32_t c)
{
	bool in_block = false;

	for (size_t i = 0; i < sizeof(latin) / sizeof(*latin); i++) {
		in_block = in_block || (c >= latin[i].first && c <= latin[i].last);
	}
	utf8proc_category_t category = utf8proc_category(c);
	return in_block && category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

static bool is_name_char(int32_t c, int place)
{
	if (is_latin_letter(c)) {
		return true;
	}
	return place > 0 && ((c >= '0' && c <= '9') || c == '-' || c == '_');
}

static bool is_name(const char *text)
{
	const utf8proc_uint8_t *rest = (const utf8proc_uint8_t *)text;
	int chars = 0;

	while (*rest != '\0') {
		utf8proc_int32_t c;
		utf8proc_ssize_t taken = utf8proc_iterate(rest, -1, &c);
		if (taken <= 0 || !is_name_char(c, chars)) {
			return false;
		}
		rest += taken;
		chars++;
	}
	return chars >= LIMIT_NAME_CHARS_MIN && chars <= LIMIT_NAME_CHARS;
}

bool name_normalise(const char *typed, char ret_name[NAME_SIZE])
{
	utf8proc_uint8_t *normal = utf8proc_NFKC((const utf8proc_uint8_t *)typed);
	bool fine = normal != NULL && is_name((char *)normal);

	if (fine) {
		message_copy(ret_name, NAME_SIZE, (char *)normal);
	}
	free(normal);
	return fine;
}

static bool begins_with(const char *text, const char *beginning)
{
	return strncasecmp(text, beginning, strlen(beginning)) == 0;
}

bool name_is_bot(const char *name)
{
	return begins_with(name, "bot-");
}

bool name_is_reserved(const char *name)
{
	return name_is_bot(name) || begins_with(name, "guest-") || begins_with(name, "gone-") ||
	       strcasecmp(name, "server") == 0 || strcasecmp(name, "operator") == 0;
}

/* Folding ASCII is nothing but lower case; most names are, and are looked up at every turn. */
static bool fold_ascii(const char *name, char ret_key[NAME_KEY_SIZE])
{
	size_t i = 0;

	for (; i < NAME_KEY_SIZE - 1 && name[i] != '\0'; i++) {
		unsigned char c = (unsigned char)name[i];
		if (c >= 0x80) {
			return false;
		}
		ret_key[i] = (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
	}
	ret_key[i] = '\0';
	return true;
}

void name_key(const char *name, char ret_key[NAME_KEY_SIZE])
{
	if (fold_ascii(name, ret_key)) {
		return;
	}
	utf8proc_uint8_t *folded = utf8proc_NFKC_Casefold((const utf8proc_uint8_t *)name);

	/* Without memory for folding the name stands for itself: it still finds itself. */
	const char *key = folded == NULL ? name : (char *)folded;
	size_t length = strnlen(key, NAME_KEY_SIZE - 1);
	memcpy(ret_key, key, length);
	ret_key[length] = '\0';
	free(folded);
}
