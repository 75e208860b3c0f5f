#include "server/play/batch.h"

#include <stdlib.h>
#include <string.h>

#include "server/game/notation.h"
#include "server/ops/memory.h"

/* A finished game's texts. */
struct game_texts {
	char x_key[NAME_KEY_SIZE];
	char o_key[NAME_KEY_SIZE];
	char record[NOTATION_SIZE];
	char *result;
};

struct batch {
	struct store_batch store;
	struct store_player_change player;
	struct store_rating_change ratings[2];
	/* Only when a game ends: */
	struct store_game *games;
	struct game_texts *texts;
	struct store_room_change rooms[];
};

static const enum store_room_state state_of[] = {
		[STATUS_WAITING] = STORE_ROOM_WAITING,
		[STATUS_PLAYING] = STORE_ROOM_PLAYING,
		[STATUS_OVER] = STORE_ROOM_OVER,
};

static void add_room(struct batch *batch, const struct part *part)
{
	batch->rooms[batch->store.room_count] = (struct store_room_change){
			.room = part->after.id,
			.after_seq = part->after.seq - (int64_t)part->count,
			.count = part->count,
			.lines = part->lines,
			.state = state_of[part->after.status],
			.at_ms = part->after.at_ms,
			.keeps_state = part->after.status == part->hosted->room.status &&
				       part->hosted->room.seq > 0,
	};
	batch->store.room_count++;
}

/* The place of the `ended` event of a game that had begun, or the count of events. */
static size_t ended_place(const struct part *part)
{
	size_t place = 0;

	if (part->hosted->room.status != STATUS_PLAYING) {
		return part->count;
	}
	while (place < part->count && part->events[place].type != EVENT_ENDED) {
		place++;
	}
	return place;
}

static void add_game(struct batch *batch, size_t places, const struct part *part, size_t place)
{
	const struct bytes *ended = part->lines[place];
	const struct room *room = &part->after;

	if (batch->games == NULL) {
		batch->games = memory_new(places, sizeof(*batch->games));
		batch->texts = memory_new(places, sizeof(*batch->texts));
		batch->store.games = batch->games;
	}
	struct game_texts *texts = &batch->texts[batch->store.game_count];
	name_key(room->players[0], texts->x_key);
	name_key(room->players[1], texts->o_key);
	notation_write(room->actions, room->action_count, texts->record);
	texts->result = memory_new(1, ended->length);
	memcpy(texts->result, ended->data, ended->length - 1);
	batch->games[batch->store.game_count] = (struct store_game){
			.room = room->id,
			.ended_seq = part->events[place].seq,
			.x_key = texts->x_key,
			.o_key = texts->o_key,
			.is_private = room->is_private,
			.started_ms = room->started_ms,
			.ended_ms = room->ended_ms,
			.has_clock = room->left.set,
			.left_ms = {room->left.x_ms, room->left.o_ms},
			.result = texts->result,
			.record = texts->record,
	};
	batch->store.game_count++;
}

static void set_ratings(struct batch *batch, const struct rated *rated, struct store_game *game)
{
	game->is_rated = true;
	game->ahead = rated->ahead;
	for (int i = 0; i < 2; i++) {
		int64_t id = rated->players[i]->id;
		game->rated_ids[i] = id;
		batch->ratings[i] = (struct store_rating_change){id, rated->after[i]};
	}
	batch->store.rating_count = 2;
	batch->store.ratings = batch->ratings;
}

static void set_player(struct batch *batch, const struct player_change *change)
{
	batch->player.player = (struct store_player){
			.id = change->id,
			.version = change->version,
			.key = change->key,
			.record = change->line,
			.guest_ms = change->record.guest ? change->record.created_ms : 0,
	};
	memcpy(batch->player.player.token_hash, change->token_hash, STORE_HASH_BYTES);
	batch->store.player_count = 1;
	batch->store.players = &batch->player;
}

struct batch *batch_new(const struct command *command)
{
	size_t places = command->part_count;
	struct batch *batch =
			memory_new(1, sizeof(*batch) + places * sizeof(struct store_room_change));

	batch->store.rooms = batch->rooms;
	for (size_t i = 0; i < command->part_count; i++) {
		const struct part *part = &command->parts[i];
		size_t place = ended_place(part);
		if (part->count > 0) {
			add_room(batch, part);
		}
		if (place < part->count) {
			add_game(batch, places, part, place);
		}
		if (place < part->count && part->events[place].ended.ratings.set) {
			set_ratings(batch, command->rated,
					&batch->games[batch->store.game_count - 1]);
		}
	}
	if (command->has_change) {
		set_player(batch, &command->change);
	}
	return batch;
}

const struct store_batch *batch_store(const struct batch *batch)
{
	return &batch->store;
}

void batch_free(struct batch *batch)
{
	if (batch == NULL) {
		return;
	}
	for (size_t i = 0; i < batch->store.game_count; i++) {
		free(batch->texts[i].result);
	}
	free(batch->texts);
	free(batch->games);
	free(batch);
}
