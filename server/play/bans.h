/* Who is not let in: addresses, blocks of addresses, names. Kept in the store; in memory all of
 * them are at hand, so that who connects is looked up once. A ban that has an end is over by the
 * server's clock, whether a server ran meanwhile or not. */
#ifndef PLAY_BANS_H
#define PLAY_BANS_H

#include "server/ops/prefix_set.h"
#include "server/play/name.h"
#include "server/play/state.h"

/* Bans at a time. */
#define BANS_MAX 10000

/* Whom a ban is for. */
struct ban_whom {
	bool is_name;
	char key[NAME_KEY_SIZE]; /* of a name */
	struct prefix prefix;	 /* else */
	char text[NAME_SIZE];	 /* as it is told */
};

struct ban {
	struct ban_whom whom;
	int64_t made_ms;
	int64_t until_ms; /* 0: for good */
	char *why;	  /* "": not said */
	uint64_t number;  /* later ones have larger ones */
	struct bytes *refusal;
	TAILQ_ENTRY(ban) in_order;
};

/* Read what an operator typed; false if it is neither an address, nor a block, nor a name. */
bool bans_whom(const char *typed, struct ban_whom *ret);

/* Is the session one of his? */
bool bans_fits(const struct ban_whom *whom, const struct session *session);

void bans_init(struct play *play);
void bans_fini(struct play *play);

/* Take what the store had, at the start. */
void bans_load(struct play *play, size_t count, const struct store_ban *bans);

/* The ban for exactly him, for a name (its key), for an address; NULL: there is none. */
const struct ban *bans_get(const struct play *play, const struct ban_whom *whom);
const struct ban *bans_of_name(const struct play *play, const char *key);

/* What is told to who is banned. */
#define BAN_SENTENCE_SIZE 200
void bans_sentence(const struct ban *ban, char ret_text[BAN_SENTENCE_SIZE]);

/* The oldest one with a larger number; NULL: there is none. */
const struct ban *bans_after(const struct play *play, uint64_t number);

typedef void ban_done_fn(struct task *task, const struct ban_whom *whom, enum code code);

/* Ban him, or take it back: stored first, then so. Then `done` is called, later. */
void bans_put(struct task *task, const struct ban_whom *whom, int64_t until_ms, const char *why,
		ban_done_fn *done);
void bans_lift(struct task *task, const struct ban_whom *whom, ban_done_fn *done);

#endif
