#include "tests/fuzz/told.h"

#include <string.h>

#include "protocol/encode.h"
#include "protocol/tell.h"
#include "protocol/text.h"
#include "tests/fuzz/fuzz.h"

struct bytes *encode_again(const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_OK:
		return encode_ok(&message->ok);
	case MESSAGE_ERROR:
		return encode_error(&message->error);
	case MESSAGE_EVENT:
		return encode_event(&message->event);
	}
	abort();
}

static void expect_clean(const char *text, size_t length)
{
	for (size_t i = 0; i < length;) {
		int codepoint;
		size_t bytes = text_char(text + i, length - i, &codepoint);

		FUZZ_EXPECT(bytes > 0);
		FUZZ_EXPECT(codepoint == '\n' || text_char_is_clean(codepoint));
		i += bytes;
	}
}

/* Each flag is there once with and once without the others that matter to it. */
static const struct tell ways[] = {
		{.brief = false},
		{.ascii = true, .knows_name = true},
		{.bare = true},
		{.bare = true, .others_run = true, .hides_token = true},
		{.brief = true},
		{.brief = true, .bare = true, .ascii = true},
};

static void tell_one_way(
		const struct message *message, const struct tell *way, const struct tell_room *room)
{
	struct tell tell;

	tell_init(&tell);
	tell.ascii = way->ascii;
	tell.bare = way->bare;
	tell.room = room;
	tell.others_run = way->others_run;
	tell.hides_token = way->hides_token;
	tell.knows_name = way->knows_name;
	tell.brief = way->brief;
	switch (message->kind) {
	case MESSAGE_OK:
		tell_ok(&tell, &message->ok);
		break;
	case MESSAGE_ERROR:
		tell_error(&tell, &message->error, room != NULL ? "move 1 5" : NULL);
		break;
	case MESSAGE_EVENT:
		tell_event(&tell, &message->event);
		break;
	}
	expect_clean(tell.text.data, tell.text.length);
	tell_fini(&tell);
}

void tell_in_every_way(const struct message *message)
{
	static const struct tell_room room = {.id = "k7m2q",
			.seat = SEAT_X,
			.players = {"Ala", "Ola"},
			.status = STATUS_PLAYING};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		tell_one_way(message, &ways[i], i % 2 == 0 ? NULL : &room);
		if (ways[i].bare) {
			tell_one_way(message, &ways[i], i % 2 == 0 ? &room : NULL);
		}
	}
}
