#include "protocol/tell.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "protocol/phrase.h"
#include "protocol/tell_parts.h"
#include "protocol/text.h"

/* "90.5" */
#define SECONDS_SIZE 25

void tell_init(struct tell *tell)
{
	memset(tell, 0, sizeof(*tell));
	writer_init(&tell->text);
}

void tell_fini(struct tell *tell)
{
	writer_fini(&tell->text);
}

/* The bytes of the character at text[0..length) if it may be shown, else 0. */
static size_t clean_size(const char *text, size_t length)
{
	char character[5] = "";

	for (size_t size = 1; size <= 4 && size <= length; size++) {
		character[size - 1] = text[size - 1];
		if (text_is_utf8(character, size)) {
			return text_is_clean(character) ? size : 0;
		}
	}
	return 0;
}

static void put_escaped(struct writer *writer, char character)
{
	char escaped[5];

	snprintf(escaped, sizeof(escaped), "\\x%02x", (unsigned int)(unsigned char)character);
	writer_put_plain(writer, escaped);
}

/* Write text so that it can't do anything but be read. */
static void put_clean(struct writer *writer, const char *text, size_t length)
{
	size_t at = 0;

	while (at < length) {
		size_t size = clean_size(text + at, length - at);

		if (size > 0) {
			writer_put(writer, text + at, size);
			at += size;
		} else {
			put_escaped(writer, text[at]);
			at++;
		}
	}
}

void tell_text(struct tell *tell, const char *text, size_t length)
{
	if (tell->bare) {
		writer_put_plain(&tell->text, "# ");
	}
	writer_put_plain(&tell->text, tell->mark);
	put_clean(&tell->text, text, length);
	writer_put_char(&tell->text, '\n');
}

void tell_line(struct tell *tell, const char *format, ...)
{
	char text[TELL_LINE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	tell_text(tell, text, strlen(text));
}

void tell_append(char *text, size_t size, const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
}

void tell_mark_room(struct tell *tell, const char *room)
{
	tell->mark[0] = '\0';
	if (room[0] != '\0' && tell->others_run) {
		snprintf(tell->mark, sizeof(tell->mark), "[%s] ", room);
	}
}

void tell_named(const char *name, enum seat seat, char ret_text[PERSON_SIZE])
{
	static const char *const letters[] = {N_("nobody"), "X", "O"};

	if (name[0] != '\0') {
		snprintf(ret_text, PERSON_SIZE, "%s (%s)", name, letters[seat]);
	} else {
		snprintf(ret_text, PERSON_SIZE, "%s",
				seat == SEAT_NONE ? _(letters[seat]) : letters[seat]);
	}
}

void tell_person(const struct tell *tell, enum seat seat, char ret_text[PERSON_SIZE])
{
	bool known = tell->room && seat != SEAT_NONE;

	tell_named(known ? tell->room->players[seat - SEAT_X] : "", seat, ret_text);
}

const char *tell_name_or_free(const char *name)
{
	return name[0] != '\0' ? name : _("free");
}

const char *tell_status(enum room_status status)
{
	static const char *const texts[] = {
			[STATUS_WAITING] = N_("waiting"),
			[STATUS_PLAYING] = N_("playing"),
			[STATUS_OVER] = N_("over"),
	};

	return _(texts[status]);
}

/* With as many digits as it needs. */
static void seconds_text(int64_t ms, char ret_text[SECONDS_SIZE])
{
	size_t length;

	snprintf(ret_text, SECONDS_SIZE, "%lld.%03lld", (long long)(ms / 1000), llabs(ms % 1000));
	length = strlen(ret_text);
	while (ret_text[length - 1] == '0') {
		length--;
	}
	length -= ret_text[length - 1] == '.';
	ret_text[length] = '\0';
}

void tell_clock_agreed(const struct clock_agreed *clock, char ret_text[CLOCK_TEXT_SIZE])
{
	char base[SECONDS_SIZE];
	char increment[SECONDS_SIZE];

	seconds_text(clock->base_ms, base);
	seconds_text(clock->increment_ms, increment);
	if (!clock->set) {
		snprintf(ret_text, CLOCK_TEXT_SIZE, "-");
	} else if (clock->base_ms % 60000 == 0) {
		snprintf(ret_text, CLOCK_TEXT_SIZE, "%lld+%s", (long long)(clock->base_ms / 60000),
				increment);
	} else {
		snprintf(ret_text, CLOCK_TEXT_SIZE, "%s s + %s s", base, increment);
	}
}

const char *tell_error_sentence(const struct error *error)
{
	return error->message[0] != '\0' ? error->message : _(code_sentence(error->code));
}

void tell_error(struct tell *tell, const struct error *error, const char *words)
{
	const struct tell_room *room = tell->room;
	bool asked = words && words[0] != '\0';
	const char *sentence = tell_error_sentence(error);

	tell_mark_room(tell, error->has_board && room ? room->id : "");
	if (asked) {
		tell_line(tell, _("%s was refused: %s (%s)"), words, sentence,
				code_word(error->code));
	} else {
		tell_line(tell, _("Refused: %s (%s)"), sentence, code_word(error->code));
	}
	if (error->has_retry) {
		tell_line(tell, _("Try again in %lld s."),
				(long long)((error->retry_ms + 999) / 1000));
	}
	if (error->has_board) {
		tell_board(tell, "", &error->board, NULL, !room || room->status == STATUS_PLAYING);
	}
	tell_mark_room(tell, "");
}
