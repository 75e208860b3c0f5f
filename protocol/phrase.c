#include "protocol/phrase.h"

#include <stddef.h>

static phrase_translator translate;

void phrase_translate_by(phrase_translator translator)
{
	translate = translator;
}

const char *phrase(const char *text)
{
	return translate && text[0] != '\0' ? translate(text, NULL, 0) : text;
}

const char *phrase_count(const char *one, const char *many, int64_t count)
{
	if (translate) {
		return translate(one, many, count);
	}
	return count == 1 ? one : many;
}
