/* A record of a game as text: what is read can be written, and read again is the same game; what is
 * refused says where and why. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "server/game/notation.h"

static void expect_round_trip(const struct notation_record *record)
{
	struct notation_record again;
	struct notation_error error;
	char text[NOTATION_SIZE];
	char text_again[NOTATION_SIZE];
	size_t length = notation_write(record->actions, record->count, text);

	FUZZ_EXPECT(length == strlen(text));
	FUZZ_EXPECT(notation_read(text, length, &again, &error));
	FUZZ_EXPECT(again.count == record->count);
	notation_write(again.actions, again.count, text_again);
	FUZZ_EXPECT(strcmp(text, text_again) == 0);
	FUZZ_EXPECT(memcmp(&again.state, &record->state, sizeof(again.state)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct notation_record record = {0};
	struct notation_error error = {0};

	if (notation_read((const char *)data, size, &record, &error)) {
		expect_round_trip(&record);
	} else {
		FUZZ_EXPECT(error.at >= 1 && error.at <= size + 1);
		FUZZ_EXPECT(error.message != NULL && error.message[0] != '\0');
		FUZZ_EXPECT(error.item >= 0);
		FUZZ_EXPECT(record.count >= 0 && record.count <= RULES_GAME_MAX);
	}
	return 0;
}
