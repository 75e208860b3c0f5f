#include "tests/world/fickle_store.h"

#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"
#include "server/store/memory.h"

struct fickle;
struct question;

struct question_kind {
	bool is_commit;
	void (*answer)(struct fickle *fickle, struct question *question);
};

struct question {
	struct question *next;
	const struct question_kind *kind;
	uint64_t due; /* the step in which it may be answered */
	void *arg;
	/* A commit: */
	struct store_batch batch;
	store_done_fn *committed;
	/* A load: */
	char *text; /* a room's id or a player's key, its own */
	int64_t after_seq;
	unsigned char token_hash[STORE_HASH_BYTES];
	store_each_room_fn *each;
	store_room_fn *room_loaded;
	store_player_fn *player_loaded;
	store_game_fn *game_loaded;
	store_bans_fn *bans_loaded;
};

struct fickle {
	struct store store; /* first: it is what others hold */
	struct store *inner;
	struct fickle_knobs knobs;
	uint64_t random;
	uint64_t step;
	bool holds;
	struct question *first; /* in the order of asking */
	size_t waiting;
	struct fickle_rated *rated;
	size_t rated_count;
};

static struct fickle *fickle_of(struct store *store)
{
	return (struct fickle *)store;
}

static const struct fickle *fickle_seen(const struct store *store)
{
	return (const struct fickle *)store;
}

/* Chance. */

static uint64_t random_next(struct fickle *fickle)
{
	uint64_t mixed = fickle->random += 0x9e3779b97f4a7c15;

	mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93;
	mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93;
	return mixed ^ (mixed >> 32);
}

static bool happens(struct fickle *fickle, unsigned int per_mille)
{
	return random_next(fickle) % 1000 < per_mille;
}

/* Answers. */

static void note_status(void *arg, enum store_status status)
{
	*(enum store_status *)arg = status;
}

static void note_rated(struct fickle *fickle, const struct store_game *game)
{
	fickle->rated = memory_resize(
			fickle->rated, fickle->rated_count + 1, sizeof(*fickle->rated));
	struct fickle_rated *rated = &fickle->rated[fickle->rated_count];
	fickle->rated_count++;
	*rated = (struct fickle_rated){.ids = {game->rated_ids[0], game->rated_ids[1]},
			.ahead = game->ahead,
			.ended_ms = game->ended_ms};
	memcpy(rated->room, game->room, strlen(game->room) + 1);
}

static enum store_status carry_out(struct fickle *fickle, const struct store_batch *batch)
{
	enum store_status status = STORE_UNKNOWN;

	fickle->inner->ops->commit(fickle->inner, batch, note_status, &status);
	store_memory_deliver(fickle->inner);
	for (size_t i = 0; i < batch->game_count && status == STORE_STORED; i++) {
		if (batch->games[i].is_rated) {
			note_rated(fickle, &batch->games[i]);
		}
	}
	return status;
}

static void commit_answer(struct fickle *fickle, struct question *question)
{
	enum store_status status = STORE_UNAVAILABLE;

	if (happens(fickle, fickle->knobs.unknown)) {
		if (happens(fickle, fickle->knobs.unknown_kept)) {
			carry_out(fickle, &question->batch);
		}
		status = STORE_UNKNOWN;
	} else if (!happens(fickle, fickle->knobs.unavailable)) {
		status = carry_out(fickle, &question->batch);
	}
	question->committed(question->arg, status);
}

static void room_answer(struct fickle *fickle, struct question *question)
{
	if (happens(fickle, fickle->knobs.not_readable)) {
		question->room_loaded(question->arg, STORE_NOT_READABLE, 0, NULL);
		return;
	}
	fickle->inner->ops->load_room(fickle->inner, question->text, question->after_seq,
			question->room_loaded, question->arg);
	store_memory_deliver(fickle->inner);
}

static void game_answer(struct fickle *fickle, struct question *question)
{
	if (happens(fickle, fickle->knobs.not_readable)) {
		question->game_loaded(question->arg, STORE_NOT_READABLE, NULL);
		return;
	}
	fickle->inner->ops->load_game(
			fickle->inner, question->text, question->game_loaded, question->arg);
	store_memory_deliver(fickle->inner);
}

static void unfinished_answer(struct fickle *fickle, struct question *question)
{
	if (happens(fickle, fickle->knobs.not_readable)) {
		question->room_loaded(question->arg, STORE_NOT_READABLE, 0, NULL);
		return;
	}
	fickle->inner->ops->load_unfinished(
			fickle->inner, question->each, question->room_loaded, question->arg);
	store_memory_deliver(fickle->inner);
}

static void bans_answer(struct fickle *fickle, struct question *question)
{
	if (happens(fickle, fickle->knobs.not_readable)) {
		question->bans_loaded(question->arg, STORE_NOT_READABLE, 0, NULL);
		return;
	}
	fickle->inner->ops->load_bans(fickle->inner, question->bans_loaded, question->arg);
	store_memory_deliver(fickle->inner);
}

static void player_answer(struct fickle *fickle, struct question *question)
{
	if (happens(fickle, fickle->knobs.not_readable)) {
		question->player_loaded(question->arg, STORE_NOT_READABLE, NULL);
		return;
	}
	if (question->text != NULL) {
		fickle->inner->ops->load_player_by_key(fickle->inner, question->text,
				question->player_loaded, question->arg);
	} else {
		fickle->inner->ops->load_player_by_token(fickle->inner, question->token_hash,
				question->player_loaded, question->arg);
	}
	store_memory_deliver(fickle->inner);
}

static const struct question_kind commit_kind = {true, commit_answer};
static const struct question_kind room_kind = {false, room_answer};
static const struct question_kind game_kind = {false, game_answer};
static const struct question_kind unfinished_kind = {false, unfinished_answer};
static const struct question_kind bans_kind = {false, bans_answer};
static const struct question_kind player_kind = {false, player_answer};

/* Questions. */

static struct question *ask(struct store *store, const struct question_kind *kind, void *arg)
{
	struct fickle *fickle = fickle_of(store);
	struct question *question = memory_new(1, sizeof(*question));
	struct question **end = &fickle->first;

	question->kind = kind;
	question->arg = arg;
	question->due = fickle->step + 1;
	if (happens(fickle, fickle->knobs.late) && fickle->knobs.late_steps > 0) {
		question->due += 1 + random_next(fickle) % fickle->knobs.late_steps;
	}
	while (*end != NULL) {
		end = &(*end)->next;
	}
	*end = question;
	fickle->waiting++;
	return question;
}

static void fickle_commit(struct store *store, const struct store_batch *batch, store_done_fn *done,
		void *arg)
{
	struct question *question = ask(store, &commit_kind, arg);

	question->batch = *batch;
	question->committed = done;
}

static void fickle_load_room(struct store *store, const char *room, int64_t after_seq,
		store_room_fn *done, void *arg)
{
	struct question *question = ask(store, &room_kind, arg);

	question->text = memory_string(room);
	question->after_seq = after_seq;
	question->room_loaded = done;
}

static void fickle_load_game(struct store *store, const char *room, store_game_fn *done, void *arg)
{
	struct question *question = ask(store, &game_kind, arg);

	question->text = memory_string(room);
	question->game_loaded = done;
}

static void fickle_load_bans(struct store *store, store_bans_fn *done, void *arg)
{
	ask(store, &bans_kind, arg)->bans_loaded = done;
}

/* At once: it is not asked about, and those who ask later may find it done or not. */
static void fickle_drop_events(struct store *store, int64_t before_ms)
{
	struct fickle *fickle = fickle_of(store);

	fickle->inner->ops->drop_events(fickle->inner, before_ms);
}

static void fickle_load_unfinished(
		struct store *store, store_each_room_fn *each, store_room_fn *done, void *arg)
{
	struct question *question = ask(store, &unfinished_kind, arg);

	question->each = each;
	question->room_loaded = done;
}

static void fickle_load_player_by_key(
		struct store *store, const char *key, store_player_fn *done, void *arg)
{
	struct question *question = ask(store, &player_kind, arg);

	question->text = memory_string(key);
	question->player_loaded = done;
}

static void fickle_load_player_by_token(struct store *store,
		const unsigned char token_hash[STORE_HASH_BYTES], store_player_fn *done, void *arg)
{
	struct question *question = ask(store, &player_kind, arg);

	memcpy(question->token_hash, token_hash, STORE_HASH_BYTES);
	question->player_loaded = done;
}

/* Order. */

static bool is_about_players(const struct question *question)
{
	return question->kind == &player_kind || question->kind == &game_kind ||
	       question->batch.player_count > 0 || question->batch.rating_count > 0 ||
	       question->batch.game_count > 0 || question->batch.guests != NULL;
}

static bool is_about_room(const struct question *question, const char *room)
{
	if (question->kind == &unfinished_kind) {
		return true;
	}
	if (question->kind == &room_kind || question->kind == &game_kind) {
		return strcmp(question->text, room) == 0;
	}
	for (size_t i = 0; i < question->batch.room_count; i++) {
		if (strcmp(question->batch.rooms[i].room, room) == 0) {
			return true;
		}
	}
	return false;
}

/* Must `later` be answered after `earlier`? */
static bool is_bound(const struct question *earlier, const struct question *later)
{
	if (is_about_players(earlier) && is_about_players(later)) {
		return true;
	}
	if (later->kind == &room_kind || later->kind == &game_kind) {
		return is_about_room(earlier, later->text);
	}
	if (later->kind == &unfinished_kind) {
		return earlier->batch.room_count > 0;
	}
	for (size_t i = 0; i < later->batch.room_count; i++) {
		if (is_about_room(earlier, later->batch.rooms[i].room)) {
			return true;
		}
	}
	return false;
}

static bool may_be_answered(const struct fickle *fickle, const struct question *question)
{
	if (question->due > fickle->step || (fickle->holds && question->kind->is_commit)) {
		return false;
	}
	for (const struct question *earlier = fickle->first; earlier != question;
			earlier = earlier->next) {
		if (is_bound(earlier, question)) {
			return false;
		}
	}
	return true;
}

/* Take out one of those that may be answered, each with the same chance; NULL: there is none. */
static struct question *pick(struct fickle *fickle)
{
	struct question **chosen = NULL;
	struct question *question;
	uint64_t seen = 0;

	for (struct question **at = &fickle->first; *at != NULL; at = &(*at)->next) {
		if (may_be_answered(fickle, *at) && random_next(fickle) % ++seen == 0) {
			chosen = at;
		}
	}
	if (chosen == NULL) {
		return NULL;
	}
	question = *chosen;
	*chosen = question->next;
	fickle->waiting--;
	return question;
}

size_t fickle_store_step(struct store *store)
{
	struct fickle *fickle = fickle_of(store);
	struct question *question;
	size_t count = 0;

	fickle->step++;
	while ((question = pick(fickle)) != NULL) {
		question->kind->answer(fickle, question);
		free(question->text);
		free(question);
		count++;
	}
	return count;
}

size_t fickle_store_settle(struct store *store)
{
	struct fickle *fickle = fickle_of(store);
	size_t count = 0;

	fickle->knobs = (struct fickle_knobs){0};
	fickle->holds = false;
	while (fickle->waiting > 0) {
		count += fickle_store_step(store);
	}
	return count;
}

/* Life. */

static void fickle_free(struct store *store)
{
	struct fickle *fickle = fickle_of(store);

	fickle_store_settle(store);
	fickle->inner->ops->free(fickle->inner);
	free(fickle->rated);
	free(fickle);
}

static const struct store_ops fickle_ops = {
		.commit = fickle_commit,
		.load_room = fickle_load_room,
		.load_game = fickle_load_game,
		.load_unfinished = fickle_load_unfinished,
		.load_player_by_key = fickle_load_player_by_key,
		.load_player_by_token = fickle_load_player_by_token,
		.load_bans = fickle_load_bans,
		.drop_events = fickle_drop_events,
		.free = fickle_free,
};

struct store *fickle_store_new(uint64_t seed, const struct fickle_knobs *knobs)
{
	struct fickle *fickle = memory_new(1, sizeof(*fickle));

	fickle->store.ops = &fickle_ops;
	fickle->inner = store_memory_new(NULL, NULL);
	fickle->knobs = *knobs;
	fickle->random = seed;
	return &fickle->store;
}

void fickle_store_turn(struct store *store, const struct fickle_knobs *knobs)
{
	fickle_of(store)->knobs = *knobs;
}

void fickle_store_hold(struct store *store)
{
	fickle_of(store)->holds = true;
}

void fickle_store_release(struct store *store)
{
	fickle_of(store)->holds = false;
}

size_t fickle_store_waiting(const struct store *store)
{
	return fickle_seen(store)->waiting;
}

bool fickle_store_has_event(const struct store *store, const char *room, int64_t seq)
{
	size_t count;

	fickle_store_lines(store, room, &count);
	return seq >= 1 && seq <= (int64_t)count;
}

const struct fickle_rated *fickle_store_rated(const struct store *store, size_t *ret_count)
{
	*ret_count = fickle_seen(store)->rated_count;
	return fickle_seen(store)->rated;
}

bool fickle_store_rating(const struct store *store, int64_t id, struct store_rating *ret_rating)
{
	return store_memory_rating(fickle_seen(store)->inner, id, ret_rating);
}

struct bytes *const *fickle_store_lines(
		const struct store *store, const char *room, size_t *ret_count)
{
	return store_memory_lines(fickle_seen(store)->inner, room, ret_count);
}
