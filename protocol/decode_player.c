/* What is kept about a player, read by the table that it is written from. */
#include <stdlib.h>

#include "protocol/decode.h"
#include "protocol/reading.h"

bool decode_player(const char *data, size_t length, struct player_record *ret)
{
	struct reading reading = {.allowed = UINT32_MAX};
	struct player_record record = {0};
	json_t *object = json_loadb(data, length, 0, NULL);
	bool done = reading_fields(&reading, schema_player, object, &record);

	json_decref(object);
	/* The one array that a record has goes over to it. */
	free(reading.owned);
	if (!done) {
		player_record_fini(&record);
		return false;
	}
	*ret = record;
	return true;
}

void player_record_fini(struct player_record *record)
{
	if (record != NULL) {
		free(record->muted);
		record->muted = NULL;
		record->muted_count = 0;
	}
}
