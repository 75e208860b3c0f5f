#include "tests/unit/store/promises.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/game/random.h"

#define ASKS_MAX 6
#define EVENTS_MAX 3

/* A batch under way. */
struct ask {
	struct promises *promises;
	bool answered;
	int rooms[2]; /* -1: none */
	int player;
	struct suite_change changes[2];
	struct store_room_change room_changes[2];
	struct store_player_change player_change;
	struct store_game game;
	struct store_batch batch;
};

void promises_init(struct promises *promises, uint64_t *random)
{
	*promises = (struct promises){.random = random};
	for (int i = 0; i < PROMISED_ROOMS; i++) {
		snprintf(promises->rooms[i].id, sizeof(promises->rooms[i].id), "room%d", i);
		promises->rooms[i].other = -1;
	}
	for (int i = 0; i < PROMISED_PLAYERS; i++) {
		snprintf(promises->players[i].key, sizeof(promises->players[i].key), "p%d", i);
	}
}

static void break_promise(struct promises *promises, const char *what, const char *whose,
		int64_t expected, int64_t there)
{
	if (promises->broken[0] == '\0') {
		snprintf(promises->broken, sizeof(promises->broken),
				"%s of %s: %" PRId64 " expected, %" PRId64 " there", what, whose,
				expected, there);
	}
}

/* Asking. */

static void answer(void *arg, enum store_status status)
{
	struct ask *ask = arg;
	struct promises *promises = ask->promises;

	ask->answered = true;
	promises->stored += status == STORE_STORED ? 1 : 0;
	promises->unknown += status == STORE_UNKNOWN ? 1 : 0;
	if (status == STORE_CONFLICT) {
		break_promise(promises, "the last event", promises->rooms[ask->rooms[0]].id,
				promises->rooms[ask->rooms[0]].sure, -1);
	}
	for (int i = 0; i < 2 && ask->rooms[i] >= 0; i++) {
		struct promised_room *room = &promises->rooms[ask->rooms[i]];

		if (status == STORE_STORED) {
			room->sure = room->asked;
		} else if (status != STORE_UNKNOWN) {
			room->asked = room->sure;
		}
		if (status != STORE_UNKNOWN) {
			room->busy = false;
			room->other = -1;
		}
		if (room->ended_seq > room->asked) {
			room->ended_seq = 0;
		}
	}
	if (ask->player >= 0) {
		struct promised_player *player = &promises->players[ask->player];

		player->sure = status == STORE_STORED ? player->asked : player->sure;
		player->asked = status == STORE_UNKNOWN ? player->asked : player->sure;
		player->busy = status == STORE_UNKNOWN;
	}
}

/* A room that is not asked about, or -1. */
static int pick_room(const struct promises *promises)
{
	int number = random_below(promises->random, PROMISED_ROOMS);

	return promises->rooms[number].busy ? -1 : number;
}

static void add_room(struct ask *ask, int number, bool ends)
{
	struct promises *promises = ask->promises;
	struct promised_room *room = &promises->rooms[number];
	size_t at = ask->batch.room_count;
	size_t count = 1 + (size_t)random_below(promises->random, EVENTS_MAX);
	bool is_over = ends || room->ended_seq != 0;

	ask->rooms[at] = number;
	suite_change_init(&ask->changes[at], room->id, room->sure, count,
			is_over ? STORE_ROOM_OVER : STORE_ROOM_PLAYING);
	ask->room_changes[at] = ask->changes[at].change;
	ask->room_changes[at].keeps_state = room->sure > 0 && !ends;
	ask->batch.room_count++;
	ask->batch.rooms = ask->room_changes;
	room->asked = room->sure + (int64_t)count;
	room->busy = true;
}

static void add_game(struct ask *ask, int number)
{
	struct promised_room *room = &ask->promises->rooms[number];

	room->ended_seq = room->asked;
	ask->game = (struct store_game){.room = room->id,
			.ended_seq = room->asked,
			.x_key = "p0",
			.o_key = "p1",
			.ended_ms = 1000,
			.result = "{}",
			.record = "1:X(1-2)"};
	ask->batch.game_count = 1;
	ask->batch.games = &ask->game;
}

static void add_player(struct ask *ask, int number)
{
	struct promised_player *player = &ask->promises->players[number];

	if (player->busy) {
		return;
	}
	player->busy = true;
	player->asked = player->sure + 1;
	ask->player = number;
	ask->player_change = suite_player_of(
			number + 1, player->asked, player->key, (char)('a' + number));
	ask->batch.player_count = 1;
	ask->batch.players = &ask->player_change;
}

static void fill(struct ask *ask)
{
	struct promises *promises = ask->promises;
	int first = pick_room(promises);
	int second;
	bool ends;

	if (random_below(promises->random, 4) == 0) {
		add_player(ask, random_below(promises->random, PROMISED_PLAYERS));
	}
	if (first < 0) {
		return;
	}
	ends = promises->rooms[first].sure > 3 && promises->rooms[first].ended_seq == 0 &&
	       random_below(promises->random, 3) == 0;
	add_room(ask, first, ends);
	if (ends) {
		add_game(ask, first);
	}
	second = pick_room(promises);
	if (second >= 0 && random_below(promises->random, 4) == 0) {
		add_room(ask, second, false);
		promises->rooms[first].other = second;
		promises->rooms[second].other = first;
	}
}

static void ask_one(struct promises *promises, struct suite *suite, struct ask *ask)
{
	*ask = (struct ask){.promises = promises, .rooms = {-1, -1}, .player = -1};
	fill(ask);
	promises->asked++;
	suite->store->ops->commit(suite->store, &ask->batch, answer, ask);
}

static void ask_end(struct ask *ask)
{
	for (size_t i = 0; i < ask->batch.room_count; i++) {
		suite_change_fini(&ask->changes[i]);
	}
	if (ask->player >= 0) {
		bytes_unref(ask->player_change.player.record);
	}
}

void promises_ask(struct promises *promises, struct suite *suite, int batches)
{
	struct ask asks[ASKS_MAX];

	while (batches > 0) {
		int count = 1 + random_below(promises->random, ASKS_MAX);

		for (int i = 0; i < count; i++) {
			ask_one(promises, suite, &asks[i]);
		}
		for (int i = 0; i < count; i++) {
			while (!asks[i].answered) {
				suite->deliver(suite->store);
			}
		}
		for (int i = 0; i < count; i++) {
			ask_end(&asks[i]);
		}
		batches -= count;
	}
}

/* Reading. */

struct reading {
	struct promises *promises;
	const struct promised_room *room;
	bool answered;
	enum store_found found;
	int64_t last; /* the seq of the last event */
	int64_t version;
};

static bool is_line(const struct bytes *line, const char *room, int64_t seq)
{
	struct bytes *expected = suite_line(room, seq);
	bool is = line->length == expected->length &&
		  memcmp(line->data, expected->data, line->length) == 0;

	bytes_unref(expected);
	return is;
}

/* The seq that the line at this place must have. */
static int64_t seq_at(const struct promised_room *room, enum store_found found, size_t place)
{
	if (found == STORE_DROPPED && place > 0) {
		return room->ended_seq + (int64_t)place - 1;
	}
	return (int64_t)place + 1;
}

static void note_room(void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct reading *reading = arg;
	const struct promised_room *room = reading->room;

	reading->answered = true;
	reading->found = found;
	for (size_t i = 0; i < count; i++) {
		int64_t seq = seq_at(room, found, i);

		if (!is_line(lines[i], room->id, seq)) {
			break_promise(reading->promises, "an event", room->id, seq, seq);
		}
		reading->last = seq;
	}
}

static struct reading read_room(struct promises *promises, struct suite *suite, int number)
{
	struct reading reading = {.promises = promises, .room = &promises->rooms[number]};

	suite->store->ops->load_room(suite->store, reading.room->id, 0, note_room, &reading);
	while (!reading.answered) {
		suite->deliver(suite->store);
	}
	return reading;
}

static void note_player(void *arg, enum store_found found, const struct store_player *player)
{
	struct reading *reading = arg;

	reading->answered = true;
	reading->found = found;
	reading->version = player == NULL ? 0 : player->version;
}

static void check(struct promises *promises, const char *what, const char *whose, int64_t sure,
		int64_t asked, int64_t there)
{
	/* A batch of one room is there as a whole or not at all. */
	if (there != sure && there != asked) {
		break_promise(promises, what, whose, sure, there);
	}
}

static bool read_rooms(struct promises *promises, struct suite *suite)
{
	bool is_whole[PROMISED_ROOMS];

	for (int i = 0; i < PROMISED_ROOMS; i++) {
		struct promised_room *room = &promises->rooms[i];
		struct reading reading = read_room(promises, suite, i);

		if (reading.found == STORE_NOT_READABLE) {
			return false;
		}
		if (reading.found == STORE_DROPPED && (!promises->drops || room->ended_seq == 0)) {
			break_promise(promises, "events", room->id, room->sure, reading.last);
		}
		check(promises, "events", room->id, room->sure, room->asked, reading.last);
		is_whole[i] = reading.last == room->asked;
		room->sure = reading.last;
	}
	for (int i = 0; i < PROMISED_ROOMS; i++) {
		struct promised_room *room = &promises->rooms[i];

		if (room->other >= 0 && is_whole[i] != is_whole[room->other]) {
			break_promise(promises, "a batch", room->id, room->asked, room->sure);
		}
	}
	for (int i = 0; i < PROMISED_ROOMS; i++) {
		struct promised_room *room = &promises->rooms[i];

		room->asked = room->sure;
		room->ended_seq = room->ended_seq > room->sure ? 0 : room->ended_seq;
		room->other = -1;
		room->busy = false;
	}
	return true;
}

static bool read_players(struct promises *promises, struct suite *suite)
{
	for (int i = 0; i < PROMISED_PLAYERS; i++) {
		struct promised_player *player = &promises->players[i];
		struct reading reading = {0};

		suite->store->ops->load_player_by_key(
				suite->store, player->key, note_player, &reading);
		while (!reading.answered) {
			suite->deliver(suite->store);
		}
		if (reading.found == STORE_NOT_READABLE) {
			return false;
		}
		check(promises, "versions", player->key, player->sure, player->asked,
				reading.version);
		player->sure = reading.version;
		player->asked = reading.version;
		player->busy = false;
	}
	return true;
}

bool promises_read(struct promises *promises, struct suite *suite)
{
	return read_rooms(promises, suite) && read_players(promises, suite);
}
