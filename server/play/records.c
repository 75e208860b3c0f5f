#include "server/play/records.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/decode.h"
#include "server/game/notation.h"
#include "server/ops/log.h"
#include "server/play/rated.h"
#include "server/play/replay.h"

static_assert(NOTATION_SIZE <= GAME_RECORD_SIZE, "a record fits into what is told");

/* What is kept is the event that ended the game. */
static bool read_result(const char *line, struct result *ret)
{
	struct message message;
	bool fits = decode_message(line, strlen(line), &message) && message.kind == MESSAGE_EVENT &&
		    message.event.type == EVENT_ENDED;

	if (fits) {
		*ret = message.event.ended.result;
	}
	message_fini(&message);
	return fits;
}

bool records_read(const struct store_finished *finished, struct game_row *ret)
{
	const struct store_game *game = &finished->game;
	struct game_row row = {.has_result = true,
			.is_private = game->is_private,
			.agreed = {.set = game->has_clock,
					.base_ms = game->base_ms,
					.increment_ms = game->increment_ms},
			.rated = {.set = game->is_rated, .on = game->is_rated},
			.started_ms = game->started_ms,
			.ended_ms = game->ended_ms};

	if (!replay_name(finished, 0, row.players[0]) ||
			!replay_name(finished, 1, row.players[1]) ||
			!read_result(game->result, &row.result) ||
			strlen(game->record) >= sizeof(row.record)) {
		log_event(LOG_ERROR, "game_row_broken", "room=%s", log_text(game->room));
		return false;
	}
	message_copy(row.room, sizeof(row.room), game->room);
	message_copy(row.record, sizeof(row.record), game->record);
	*ret = row;
	return true;
}

void records_see(const struct room *room, struct game_row *ret)
{
	assert(room->started_ms != 0);
	*ret = (struct game_row){.agreed = room->clock,
			.rated = {.set = room->is_rated, .on = room->is_rated},
			.has_result = room->has_result,
			.result = room->result,
			.started_ms = room->started_ms,
			.ended_ms = room->ended_ms};
	message_copy(ret->room, sizeof(ret->room), room->id);
	for (int i = 0; i < 2; i++) {
		message_copy(ret->players[i], NAME_SIZE, room->players[i]);
	}
	notation_write(room->actions, room->action_count, ret->record);
}

static void set_standing(const struct store_rating *stored, int64_t day, struct standing *ret)
{
	struct rating rating = rated_read(stored);

	rating_age(&rating, day, &rating);
	ret->rating_milli = rating.milli;
	ret->deviation_milli = rating.deviation_milli;
	ret->games = stored->games;
	ret->wins = stored->wins;
	ret->draws = stored->draws;
	ret->losses = stored->losses;
}

bool records_read_standing(const struct store_player *player, int64_t day, struct standing *ret)
{
	struct player_record record;

	if (!decode_player(player->record->data, player->record->length, &record)) {
		log_event(LOG_ERROR, "player_record_broken", "id=%lld", (long long)player->id);
		return false;
	}
	*ret = (struct standing){0};
	/* "": nobody is called so. */
	message_copy(ret->name, sizeof(ret->name), record.given_up ? "" : record.name);
	player_record_fini(&record);
	set_standing(&player->rating, day, ret);
	return true;
}

void records_bot_standing(const char *name, struct standing *ret)
{
	static const struct store_rating none;

	*ret = (struct standing){.online = true};
	message_copy(ret->name, sizeof(ret->name), name);
	set_standing(&none, 0, ret);
}

void records_write_cursor(int64_t place, char ret_cursor[CURSOR_SIZE])
{
	snprintf(ret_cursor, CURSOR_SIZE, "g%" PRIx64, (uint64_t)place);
}

bool records_read_cursor(const char *cursor, int64_t *ret_place)
{
	size_t digits;

	if (cursor[0] == '\0') {
		*ret_place = 0;
		return true;
	}
	digits = cursor[0] == 'g' ? strspn(cursor + 1, "0123456789abcdef") : 0;
	/* Fifteen digits fit whatever they are, and no list is longer. */
	if (digits == 0 || digits > 15 || cursor[1 + digits] != '\0') {
		return false;
	}
	*ret_place = (int64_t)strtoull(cursor + 1, NULL, 16);
	return *ret_place > 0;
}
