#include "server/play/players.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/encode.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/play/rooms.h"

/* Random bytes of a token that the server makes: 43 characters. */
#define TOKEN_BYTES 32

void players_hash_token(const char *token, unsigned char ret_hash[STORE_HASH_BYTES])
{
	crypto_generichash(ret_hash, STORE_HASH_BYTES, (const unsigned char *)token, strlen(token),
			NULL, 0);
}

void players_new_token(const struct play *play, char ret_token[TOKEN_SIZE])
{
	unsigned char secret[TOKEN_BYTES];

	play_random(play, secret, sizeof(secret));
	sodium_bin2base64(ret_token, TOKEN_SIZE, secret, sizeof(secret),
			sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

struct player *player_ref(struct player *player)
{
	player->references++;
	return player;
}

static void forget(struct player *player)
{
	map_remove(&player->play->players_by_key, player->key);
	map_remove(&player->play->players_by_token, player->token_hex);
}

static void find_again(struct player *player)
{
	sodium_bin2hex(player->token_hex, sizeof(player->token_hex), player->token_hash,
			sizeof(player->token_hash));
	map_put(&player->play->players_by_key, player->key, player);
	map_put(&player->play->players_by_token, player->token_hex, player);
}

void player_unref(struct player *player)
{
	if (player == NULL || --player->references > 0) {
		return;
	}
	assert(player->session_count == 0 && player->rated_by == NULL);
	rooms_keep_rating(player);
	forget(player);
	player_record_fini(&player->record);
	free(player);
}

struct player *players_by_key(const struct play *play, const char *key)
{
	return map_get(&play->players_by_key, key);
}

struct player *players_by_hash(const struct play *play, const unsigned char hash[STORE_HASH_BYTES])
{
	char hex[PLAYER_HASH_HEX_SIZE];

	sodium_bin2hex(hex, sizeof(hex), hash, STORE_HASH_BYTES);
	return map_get(&play->players_by_token, hex);
}

static struct player *player_new(struct play *play, int64_t id)
{
	struct player *player = memory_new(1, sizeof(*player));

	player->play = play;
	player->id = id;
	player->references = 1;
	TAILQ_INIT(&player->sessions);
	TAILQ_INIT(&player->invitations);
	return player;
}

struct player *players_load(struct play *play, const struct store_player *stored)
{
	struct player *player = players_by_key(play, stored->key);
	struct player_record record;

	if (player != NULL) {
		return player_ref(player);
	}
	if (!decode_player(stored->record->data, stored->record->length, &record)) {
		log_event(LOG_ERROR, "player_record_broken", "id=%lld", (long long)stored->id);
		return NULL;
	}
	player = player_new(play, stored->id);
	player->version = stored->version;
	player->record = record;
	player->rating = stored->rating;
	message_copy(player->key, sizeof(player->key), stored->key);
	memcpy(player->token_hash, stored->token_hash, STORE_HASH_BYTES);
	find_again(player);
	return player;
}

static bool is_on_list(const struct player_record *record, const char *name)
{
	for (size_t i = 0; i < record->muted_count; i++) {
		if (strcmp(record->muted[i], name) == 0) {
			return true;
		}
	}
	return false;
}

bool player_has_muted(const struct player *player, const char *name)
{
	char key[NAME_KEY_SIZE];

	if (player->record.muted_count == 0 || is_on_list(&player->record, name)) {
		return player->record.muted_count != 0;
	}
	/* A guest does not become audible by taking another name. */
	name_key(name, key);
	const struct player *other = players_by_key(player->play, key);
	return other != NULL && other->record.former[0] != '\0' &&
	       is_on_list(&player->record, other->record.former);
}

static void set_name(struct player_change *change, const char *name, bool guest, const char *token)
{
	message_copy(change->record.name, sizeof(change->record.name), name);
	change->record.guest = guest;
	name_key(name, change->key);
	players_hash_token(token, change->token_hash);
}

/* A change that leaves everything as it is, with room for one more muted name. */
static void begin_change(struct player *player, struct player_change *ret)
{
	*ret = (struct player_change){.player = player_ref(player),
			.id = player->id,
			.version = player->version + 1,
			.record = player->record};
	message_copy(ret->key, sizeof(ret->key), player->key);
	memcpy(ret->token_hash, player->token_hash, STORE_HASH_BYTES);
	ret->record.muted = memory_new(player->record.muted_count + 1, NAME_SIZE);
	if (player->record.muted_count > 0) {
		memcpy(ret->record.muted, player->record.muted,
				player->record.muted_count * NAME_SIZE);
	}
}

static void end_change(struct player_change *change)
{
	change->line = encode_player(&change->record);
}

static void begin_new(struct play *play, struct player_change *ret)
{
	*ret = (struct player_change){.version = 1};
	play_random(play, &ret->id, sizeof(ret->id));
	ret->id = (int64_t)((uint64_t)ret->id >> 1 | 1);
	ret->record.created_ms = play_now(play);
}

void player_change_new(struct play *play, const char *name, bool guest, const char *token,
		struct player_change *ret)
{
	begin_new(play, ret);
	set_name(ret, name, guest, token);
	end_change(ret);
}

void player_change_rename(struct player *player, const char *name, const char *token,
		struct player_change *ret)
{
	begin_change(player, ret);
	message_copy(ret->record.former, sizeof(ret->record.former), player->record.name);
	set_name(ret, name, false, token);
	end_change(ret);
}

static void take_off_list(struct player_record *record, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < record->muted_count; i++) {
		if (strcmp(record->muted[i], name) != 0) {
			memmove(record->muted[kept], record->muted[i], NAME_SIZE);
			kept++;
		}
	}
	record->muted_count = kept;
}

static void begin_mute(struct player *player, const bool *is_given_up, struct player_change *ret)
{
	struct player_record *record = &ret->record;
	size_t kept = 0;

	begin_change(player, ret);
	for (size_t i = 0; i < player->record.muted_count; i++) {
		if (!is_given_up[i]) {
			memcpy(record->muted[kept], player->record.muted[i], NAME_SIZE);
			kept++;
		}
	}
	record->muted_count = kept;
}

void player_change_mute(struct player *player, const bool *is_given_up, const struct player *other,
		bool on, struct player_change *ret)
{
	const struct player_record *whom = &other->record;
	struct player_record *record = &ret->record;

	begin_mute(player, is_given_up, ret);
	take_off_list(record, whom->name);
	take_off_list(record, whom->former);
	if (on) {
		message_copy(record->muted[record->muted_count], NAME_SIZE, whom->name);
		record->muted_count++;
	}
	end_change(ret);
}

void player_change_unmute(struct player *player, const bool *is_given_up, const char *name,
		struct player_change *ret)
{
	begin_mute(player, is_given_up, ret);
	if (name != NULL) {
		take_off_list(&ret->record, name);
	}
	end_change(ret);
}

void player_change_renew(struct player *player, const char *token, struct player_change *ret)
{
	begin_change(player, ret);
	players_hash_token(token, ret->token_hash);
	end_change(ret);
}

/* Letters after "gone-": so many that nobody else is called so. */
#define GONE_LETTERS 8

static void begin_release(struct player *player, struct player_change *ret)
{
	char name[NAME_SIZE] = ROOM_GONE;
	char token[TOKEN_SIZE];

	begin_change(player, ret);
	play_random_letters(player->play, GONE_LETTERS, name + strlen(name));
	/* Nobody is ever told it. */
	players_new_token(player->play, token);
	set_name(ret, name, player->record.guest, token);
	ret->record.former[0] = '\0';
}

void player_change_release(struct player *player, struct player_change *ret)
{
	begin_release(player, ret);
	end_change(ret);
}

void player_change_forget(struct player *player, struct player_change *ret)
{
	begin_release(player, ret);
	ret->record.muted_count = 0;
	end_change(ret);
}

void player_change_keep_name(struct play *play, const char *name, struct player_change *ret)
{
	char token[TOKEN_SIZE];

	players_new_token(play, token);
	begin_new(play, ret);
	ret->record.given_up = true;
	set_name(ret, name, false, token);
	end_change(ret);
}

void player_change_fini(struct player_change *change)
{
	player_unref(change->player);
	player_record_fini(&change->record);
	bytes_unref(change->line);
	*change = (struct player_change){0};
}

struct player *players_apply(struct play *play, struct player_change *change)
{
	struct player *player = change->player;

	if (player == NULL) {
		player = player_new(play, change->id);
	} else {
		player_ref(player);
		forget(player);
		if (strcmp(player->record.name, change->record.name) != 0) {
			rooms_rename_past(play, player->record.name, change->record.name);
		}
		player_record_fini(&player->record);
	}
	player->version = change->version;
	player->record = change->record;
	change->record = (struct player_record){0};
	message_copy(player->key, sizeof(player->key), change->key);
	memcpy(player->token_hash, change->token_hash, STORE_HASH_BYTES);
	find_again(player);
	return player;
}
