/* Players in memory: those who are connected, and those a request asks for. */
#ifndef PLAY_PLAYERS_H
#define PLAY_PLAYERS_H

#include "protocol/decode.h"
#include "server/play/name.h"
#include "server/play/state.h"

#define PLAYER_HASH_HEX_SIZE (STORE_HASH_BYTES * 2 + 1)
/* Names that one player can mute. */
#define PLAYER_MUTED_MAX 100

/* How long a name that was given up is kept from others, at least. */
#define PLAYER_NAME_KEPT_MS (90 * INT64_C(86400000))

struct player {
	struct play *play;
	int64_t id;
	int64_t version; /* of what is stored */
	char key[NAME_KEY_SIZE];
	unsigned char token_hash[STORE_HASH_BYTES];
	char token_hex[PLAYER_HASH_HEX_SIZE];
	struct player_record record; /* name, guest, muted, … */
	struct store_rating rating;
	bool distrusts_rating;	/* the store has another: read it before it is relied on */
	struct rated *rated_by; /* see rated.h: who changes it, or NULL */
	size_t references;
	size_t bot_games_opening; /* asked for, and not stored yet */
	size_t session_count;
	size_t seats_to_come;		 /* of commands under way */
	struct command_list invitations; /* commands under way by which he is invited */
	size_t releases; /* of his name, under way: meanwhile he takes no seat, nor is invited */
	struct session_list sessions;
	TAILQ_ENTRY(player) of_online;
};

/* A new state of a player, on its way to the store: a new player, a new name, a new mute list. */
struct player_change {
	struct player *player; /* whose; NULL: a new one */
	int64_t id;
	int64_t version; /* after it */
	char key[NAME_KEY_SIZE];
	unsigned char token_hash[STORE_HASH_BYTES];
	struct player_record record; /* owned */
	struct bytes *line;	     /* record, encoded */
};

struct player *player_ref(struct player *player);
/* The last reference takes him out of memory. NULL is fine. */
void player_unref(struct player *player);

struct player *players_by_key(const struct play *play, const char *key);
struct player *players_by_hash(const struct play *play, const unsigned char hash[STORE_HASH_BYTES]);

/* A player as the store gave him, with one reference, the caller's; or the one in memory already.
 * NULL, and a line in the log, when his record can't be read. */
struct player *players_load(struct play *play, const struct store_player *stored);

/* Does he not want to hear from that name, or from the guest that it was before? */
bool player_has_muted(const struct player *player, const char *name);

void players_hash_token(const char *token, unsigned char ret_hash[STORE_HASH_BYTES]);
void players_new_token(const struct play *play, char ret_token[TOKEN_SIZE]);

/* Changes. Each is filled from scratch; player_change_fini frees what it owns. */
void player_change_new(struct play *play, const char *name, bool guest, const char *token,
		struct player_change *ret);
void player_change_rename(struct player *player, const char *name, const char *token,
		struct player_change *ret);
/* is_given_up: of each name on the list of whom the player has muted, whether nobody has it any
 * more; it falls off. */
void player_change_mute(struct player *player, const bool *is_given_up, const struct player *other,
		bool on, struct player_change *ret);
/* Takes a name off the list too, though nobody may have it any more. NULL: no further one. */
void player_change_unmute(struct player *player, const bool *is_given_up, const char *name,
		struct player_change *ret);
/* Another token in place of the one he has. */
void player_change_renew(struct player *player, const char *token, struct player_change *ret);
/* He is called gone-… from now on, and nobody has his token. */
void player_change_release(struct player *player, struct player_change *ret);
/* The same, and whom he muted is not kept. */
void player_change_forget(struct player *player, struct player_change *ret);
/* A new player that nobody is: he keeps a name, given up by its player, from others. */
void player_change_keep_name(struct play *play, const char *name, struct player_change *ret);
void player_change_fini(struct player_change *change);

/* The change is stored, and its rooms' events are applied: take it over. A new name is had in all
 * rooms that are over. Returns the player, with a reference for the caller. */
struct player *players_apply(struct play *play, struct player_change *change);

#endif
