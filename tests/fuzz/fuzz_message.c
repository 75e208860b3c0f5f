/* A line from a server, as the client reads it, and a player's record, as the server reads its
 * store: whatever is in it, it is read or not; what is read can be written, and read again the
 * same; and it can be told in words. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "protocol/cells.h"
#include "protocol/decode.h"
#include "protocol/encode.h"
#include "protocol/text.h"
#include "tests/fuzz/told.h"

static void show_cells(const struct summary *row)
{
	for (unsigned int cell = 0; cell < CELL_COUNT; cell++) {
		char text[CELL_SIZE];

		cell_write((enum cell)cell, row, text);
		FUZZ_EXPECT(text_is_clean(text));
	}
}

static void expect_round_trip(const struct message *message)
{
	struct bytes *line = encode_again(message);
	struct bytes *line_again;
	struct message again;

	FUZZ_EXPECT(decode_message(line->data, line->length - 1, &again));
	line_again = encode_again(&again);
	FUZZ_EXPECT(line->length == line_again->length);
	FUZZ_EXPECT(memcmp(line->data, line_again->data, line->length) == 0);
	bytes_unref(line_again);
	bytes_unref(line);
	message_fini(&again);
}

static void read_record(const char *line, size_t length)
{
	struct player_record record;
	struct player_record again;
	struct bytes *written;

	if (!decode_player(line, length, &record)) {
		return;
	}
	written = encode_player(&record);
	FUZZ_EXPECT(decode_player(written->data, written->length, &again));
	FUZZ_EXPECT(strcmp(record.name, again.name) == 0);
	FUZZ_EXPECT(record.muted_count == again.muted_count);
	bytes_unref(written);
	player_record_fini(&again);
	player_record_fini(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *line = (const char *)data;
	struct message message;

	if (decode_message(line, size, &message)) {
		expect_round_trip(&message);
		tell_in_every_way(&message);
		if (message.kind == MESSAGE_EVENT && message.event.type == EVENT_LOBBY) {
			show_cells(&message.event.lobby.summary);
		}
	}
	message_fini(&message);
	read_record(line, size);
	return 0;
}
