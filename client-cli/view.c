#include "client-cli/view.h"

#include <stdarg.h>
#include <string.h>

#include "client-cli/view_parts.h"
#include "protocol/text.h"

void view_init(struct view *view, FILE *out, bool ascii, bool hides_token)
{
	*view = (struct view){.out = out, .ascii = ascii, .hides_token = hides_token};
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

/* Write text so that it can't do anything but be read: the bytes of what is not clean as \xNN. */
static void write_clean(FILE *out, const char *text, size_t length)
{
	size_t at = 0;

	while (at < length) {
		size_t size = clean_size(text + at, length - at);

		if (size > 0) {
			fwrite(text + at, 1, size, out);
			at += size;
		} else {
			fprintf(out, "\\x%02x", (unsigned int)(unsigned char)text[at]);
			at++;
		}
	}
}

void view_line(struct view *view, const char *format, ...)
{
	char text[VIEW_LINE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	write_clean(view->out, view->prefix, strlen(view->prefix));
	write_clean(view->out, text, strlen(text));
	fputc('\n', view->out);
}

void view_append(char *text, size_t size, const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
}

void view_mark_room(struct view *view, const char *room)
{
	const struct room_seen *seen = room[0] != '\0' ? rooms_find(&view->rooms, room) : NULL;
	size_t others = rooms_running(&view->rooms);

	if (seen && seen->status != STATUS_OVER) {
		others--;
	}
	view->prefix[0] = '\0';
	if (room[0] != '\0' && others > 0) {
		snprintf(view->prefix, sizeof(view->prefix), "[%s] ", room);
	}
}

void view_person(const struct room_seen *room, enum seat seat, char ret_text[PERSON_SIZE])
{
	static const char *const letters[] = {"nobody", "X", "O"};
	const char *name = room && seat != SEAT_NONE ? room->players[seat - SEAT_X] : "";

	if (name[0] != '\0') {
		snprintf(ret_text, PERSON_SIZE, "%s (%s)", name, letters[seat]);
	} else {
		snprintf(ret_text, PERSON_SIZE, "%s", letters[seat]);
	}
}

void view_clock_agreed(const struct clock_agreed *clock, char ret_text[CLOCK_TEXT_SIZE])
{
	if (!clock->set) {
		snprintf(ret_text, CLOCK_TEXT_SIZE, "-");
	} else if (clock->base_ms % 60000 == 0) {
		snprintf(ret_text, CLOCK_TEXT_SIZE, "%lld+%lld",
				(long long)(clock->base_ms / 60000),
				(long long)(clock->increment_ms / 1000));
	} else {
		snprintf(ret_text, CLOCK_TEXT_SIZE, "%lld s + %lld s",
				(long long)(clock->base_ms / 1000),
				(long long)(clock->increment_ms / 1000));
	}
}

static void view_retry(struct view *view, const struct error *error)
{
	if (error->has_retry) {
		view_line(view, "Try again in %lld s.",
				(long long)((error->retry_ms + 999) / 1000));
	}
}

/* The room that an error is about, as far as it can be known: errors do not name it. */
static struct room_seen *asked_room(struct view *view, const struct asked *asked)
{
	if (asked && asked->room[0] != '\0') {
		return rooms_find(&view->rooms, asked->room);
	}
	return rooms_only(&view->rooms);
}

void view_refusal(struct view *view, const struct asked *asked, const struct error *error)
{
	const struct room_seen *room = asked_room(view, asked);
	const char *words = asked ? asked->words : error->to;
	const char *sentence =
			error->message[0] != '\0' ? error->message : code_sentence(error->code);

	view_mark_room(view, error->has_board && room ? room->id : "");
	view_line(view, "%s%s%s (%s)", words[0] != '\0' ? words : "Refused",
			words[0] != '\0' ? " was refused: " : ": ", sentence,
			code_word(error->code));
	view_retry(view, error);
	if (error->has_board) {
		view_board(view, room, &error->board, NULL);
	}
	view_mark_room(view, "");
}

void view_raw(struct view *view, const char *line, size_t length)
{
	write_clean(view->out, line, length);
	fputc('\n', view->out);
}

void view_message(struct view *view, const struct message *message, const struct asked *asked)
{
	switch (message->kind) {
	case MESSAGE_OK:
		view_ok(view, &message->ok);
		break;
	case MESSAGE_ERROR:
		view_refusal(view, asked, &message->error);
		break;
	case MESSAGE_EVENT:
		view_event(view, &message->event);
		break;
	}
	view_mark_room(view, "");
}
