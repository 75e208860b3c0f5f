#include "tests/unit/store/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void suite_hash(char letter, unsigned char ret_hash[STORE_HASH_BYTES])
{
	memset(ret_hash, letter, STORE_HASH_BYTES);
}

struct bytes *suite_line(const char *room, int64_t seq)
{
	char text[128];
	int length = snprintf(text, sizeof(text),
			"{\"type\":\"moved\",\"room\":\"%s\",\"seq\":%" PRId64 "}\n", room, seq);

	return bytes_new(text, (size_t)length);
}

void suite_note_committed(void *arg, enum store_status status)
{
	struct suite_committed *committed = arg;

	assert_false(committed->answered);
	committed->answered = true;
	committed->status = status;
}

enum store_status suite_commit(struct suite *suite, const struct store_batch *batch)
{
	struct suite_committed committed = {0};

	suite->store->ops->commit(suite->store, batch, suite_note_committed, &committed);
	assert_false(committed.answered);
	while (!committed.answered) {
		suite->deliver(suite->store);
	}
	return committed.status;
}

void suite_change_init(struct suite_change *change, const char *room, int64_t after_seq,
		size_t count, enum store_room_state state)
{
	assert_true(count <= SUITE_LINES_MAX);
	for (size_t i = 0; i < count; i++) {
		change->lines[i] = suite_line(room, after_seq + 1 + (int64_t)i);
	}
	change->change = (struct store_room_change){.room = room,
			.after_seq = after_seq,
			.count = count,
			.lines = change->lines,
			.state = state,
			.at_ms = 1000 + after_seq};
}

void suite_change_fini(struct suite_change *change)
{
	for (size_t i = 0; i < change->change.count; i++) {
		bytes_unref(change->lines[i]);
	}
}

enum store_status suite_commit_events(struct suite *suite, const char *room, int64_t after_seq,
		size_t count, enum store_room_state state)
{
	struct suite_change change;
	struct store_batch batch = {.room_count = 1, .rooms = &change.change};
	enum store_status status;

	suite_change_init(&change, room, after_seq, count, state);
	status = suite_commit(suite, &batch);
	suite_change_fini(&change);
	return status;
}

struct store_player_change suite_player_of(int64_t id, int64_t version, const char *key, char token)
{
	struct store_player_change change = {.player = {.id = id, .version = version, .key = key}};
	char text[64];
	int length = snprintf(text, sizeof(text), "{\"name\":\"%s\",\"version\":%" PRId64 "}", key,
			version);

	suite_hash(token, change.player.token_hash);
	change.player.record = bytes_new(text, (size_t)length);
	return change;
}

enum store_status suite_commit_player(
		struct suite *suite, int64_t id, int64_t version, const char *key, char token)
{
	struct store_player_change change = suite_player_of(id, version, key, token);
	struct store_batch batch = {.player_count = 1, .players = &change};
	enum store_status status = suite_commit(suite, &batch);

	bytes_unref(change.player.record);
	return status;
}

void suite_assert_lines(
		const char *room, int64_t after_seq, size_t count, struct bytes *const *lines)
{
	for (size_t i = 0; i < count; i++) {
		struct bytes *line = suite_line(room, after_seq + 1 + (int64_t)i);

		assert_int_equal(lines[i]->length, line->length);
		assert_memory_equal(lines[i]->data, line->data, line->length);
		bytes_unref(line);
	}
}

void suite_note_room(void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct suite_loaded_room *loaded = arg;

	assert_false(loaded->answered);
	suite_assert_lines(loaded->room, loaded->after_seq, count, lines);
	loaded->answered = true;
	loaded->found = found;
	loaded->count = count;
}

int64_t suite_count_events(struct suite *suite, const char *room, int64_t after_seq)
{
	struct suite_loaded_room loaded = {.room = room, .after_seq = after_seq};

	suite->store->ops->load_room(suite->store, room, after_seq, suite_note_room, &loaded);
	assert_false(loaded.answered);
	while (!loaded.answered) {
		suite->deliver(suite->store);
	}
	assert_int_not_equal(loaded.found, STORE_NOT_READABLE);
	return loaded.found == STORE_ABSENT ? -1 : (int64_t)loaded.count;
}

static void note_found(void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	(void)count;
	(void)lines;
	*(int *)arg = (int)found;
}

enum store_found suite_found(struct suite *suite, const char *room)
{
	int found = -1;

	suite->store->ops->load_room(suite->store, room, 0, note_found, &found);
	while (found < 0) {
		suite->deliver(suite->store);
	}
	return (enum store_found)found;
}

static void note_player(void *arg, enum store_found found, const struct store_player *player)
{
	struct suite_loaded_player *loaded = arg;

	assert_false(loaded->answered);
	assert_int_equal(found == STORE_FOUND, player != NULL);
	loaded->answered = true;
	loaded->found = found;
	if (player != NULL) {
		loaded->id = player->id;
		loaded->version = player->version;
		snprintf(loaded->key, sizeof(loaded->key), "%s", player->key);
		loaded->token = (char)player->token_hash[STORE_HASH_BYTES - 1];
		assert_true(player->record->length < sizeof(loaded->record));
		memcpy(loaded->record, player->record->data, player->record->length);
	}
}

struct suite_loaded_player suite_player_by_key(struct suite *suite, const char *key)
{
	struct suite_loaded_player loaded = {0};

	suite->store->ops->load_player_by_key(suite->store, key, note_player, &loaded);
	assert_false(loaded.answered);
	while (!loaded.answered) {
		suite->deliver(suite->store);
	}
	return loaded;
}

struct suite_loaded_player suite_player_by_token(struct suite *suite, char token)
{
	struct suite_loaded_player loaded = {0};
	unsigned char hash[STORE_HASH_BYTES];

	suite_hash(token, hash);
	suite->store->ops->load_player_by_token(suite->store, hash, note_player, &loaded);
	memset(hash, 0, sizeof(hash));
	while (!loaded.answered) {
		suite->deliver(suite->store);
	}
	return loaded;
}
