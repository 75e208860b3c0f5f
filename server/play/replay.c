#include "server/play/replay.h"

#include <string.h>

#include "server/game/notation.h"

bool replay_read(const struct bytes *line, struct message *ret)
{
	ret->owned = NULL;
	return line->length > 0 && decode_message(line->data, line->length - 1, ret) &&
	       ret->kind == MESSAGE_EVENT;
}

/* In a room's seat: a player as he is called now, or the key of whom the store never knew. */
static bool read_player(const struct store_finished *finished, int seat, char ret_name[NAME_SIZE])
{
	const struct store_player *player = finished->players[seat];
	const char *key = seat == 0 ? finished->game.x_key : finished->game.o_key;
	struct player_record record;

	if (player == NULL) {
		message_copy(ret_name, NAME_SIZE, key == NULL ? "" : key);
		return key != NULL;
	}
	if (!decode_player(player->record->data, player->record->length, &record)) {
		return false;
	}
	message_copy(ret_name, NAME_SIZE, record.name);
	player_record_fini(&record);
	return true;
}

bool replay_past(struct room *room, const struct store_finished *finished)
{
	const struct store_game *game = &finished->game;
	struct notation_record record;
	struct notation_error error;
	char names[2][NAME_SIZE];

	if (!read_player(finished, 0, names[0]) || !read_player(finished, 1, names[1]) ||
			!notation_read(game->record, strlen(game->record), &record, &error)) {
		return false;
	}
	const struct room_past past = {
			.players = {names[0], names[1]},
			.started_ms = game->started_ms,
			.is_rated = game->is_rated,
			.left = {.set = game->has_clock,
					.x_ms = game->left_ms[0],
					.o_ms = game->left_ms[1]},
			.last_seq = game->ended_seq - 1,
			.action_count = record.count,
			.actions = record.actions,
	};
	return room_apply_past(room, &past);
}
