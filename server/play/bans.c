#include "server/play/bans.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/encode.h"
#include "protocol/tell.h"
#include "protocol/text.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/play/players.h"
#include "server/play/session.h"
#include "server/play/task.h"

/* Before the store is asked again what it could not say. */
#define AGAIN_MS 250
/* Bans that are over, taken out of the store at a time. */
#define OVER_MAX 64

/* Whom. */

bool bans_whom(const char *typed, struct ban_whom *ret)
{
	static_assert(NAME_SIZE >= PREFIX_TEXT_SIZE, "the text of either fits");
	struct ban_whom whom = {0};

	if (prefix_parse(typed, &whom.prefix)) {
		prefix_write(&whom.prefix, whom.text);
	} else if (name_normalise(typed, whom.text)) {
		whom.is_name = true;
		name_key(whom.text, whom.key);
	} else {
		return false;
	}
	*ret = whom;
	return true;
}

bool bans_fits(const struct ban_whom *whom, const struct session *session)
{
	if (session->operator_name != NULL) {
		return false;
	}
	if (whom->is_name) {
		return session->player != NULL && strcmp(session->player->key, whom->key) == 0;
	}
	return session->has_peer && prefix_holds(&whom->prefix, session->peer);
}

/* In memory. */

const struct ban *bans_get(const struct play *play, const struct ban_whom *whom)
{
	return whom->is_name ? bans_of_name(play, whom->key)
			     : prefix_set_get(&play->bans.by_address, &whom->prefix);
}

const struct ban *bans_of_name(const struct play *play, const char *key)
{
	return play->bans.count == 0 ? NULL : map_get(&play->bans.by_name, key);
}

const struct ban *bans_after(const struct play *play, uint64_t number)
{
	const struct ban *ban;

	TAILQ_FOREACH(ban, &play->bans.all, in_order)
	{
		if (ban->number > number) {
			return ban;
		}
	}
	return NULL;
}

void bans_sentence(const struct ban *ban, char ret_text[BAN_SENTENCE_SIZE])
{
	char until[TELL_TIME_SIZE] = "";
	char text[TEXT_SIZE + BAN_SENTENCE_SIZE];
	size_t length;

	if (ban->until_ms != 0) {
		tell_time(ban->until_ms, until);
	}
	snprintf(text, sizeof(text), "This %s is banned%s%s%s%s",
			ban->whom.is_name ? "name" : "address", until[0] == '\0' ? "" : " until ",
			until, ban->why[0] == '\0' ? "." : ": ", ban->why);
	length = text_cut(text, strlen(text), BAN_SENTENCE_SIZE - 1);
	memcpy(ret_text, text, length);
	ret_text[length] = '\0';
}

static void set_refusal(struct ban *ban)
{
	struct error error = {.code = CODE_NOT_ALLOWED};

	static_assert(sizeof(error.message) >= BAN_SENTENCE_SIZE, "it fits");
	bans_sentence(ban, error.message);
	ban->refusal = encode_error(&error);
}

struct bytes *play_banned(const struct play *play, const uint8_t address[PREFIX_ADDRESS_BYTES])
{
	const struct ban *ban = prefix_set_find(&play->bans.by_address, address);

	return ban == NULL ? NULL : ban->refusal;
}

static void expire_in_time(struct play *play)
{
	struct bans *bans = &play->bans;
	const struct ban *ban;
	int64_t due_ms = INT64_MAX;

	TAILQ_FOREACH(ban, &bans->all, in_order)
	{
		if (ban->until_ms != 0 && ban->until_ms < due_ms) {
			due_ms = ban->until_ms;
		}
	}
	if (due_ms == INT64_MAX) {
		timers_cancel(&play->timers, &bans->expire);
	} else {
		play_set_timer(play, &bans->expire, due_ms);
	}
}

static void ban_free(struct ban *ban)
{
	bytes_unref(ban->refusal);
	free(ban->why);
	free(ban);
}

static void take_out(struct play *play, const struct ban_whom *whom)
{
	struct bans *bans = &play->bans;
	struct ban *ban = whom->is_name ? map_remove(&bans->by_name, whom->key)
					: prefix_set_remove(&bans->by_address, &whom->prefix);

	if (ban != NULL) {
		TAILQ_REMOVE(&bans->all, ban, in_order);
		bans->count--;
		ban_free(ban);
	}
}

static void put_in(struct play *play, const struct ban_whom *whom, const struct store_ban *stored)
{
	struct bans *bans = &play->bans;
	struct ban *ban = memory_new(1, sizeof(*ban));

	take_out(play, whom);
	ban->whom = *whom;
	ban->made_ms = stored->made_ms;
	ban->until_ms = stored->until_ms;
	ban->why = memory_string(stored->why);
	ban->number = ++bans->last_number;
	set_refusal(ban);
	TAILQ_INSERT_TAIL(&bans->all, ban, in_order);
	bans->count++;
	if (whom->is_name) {
		map_put(&bans->by_name, ban->whom.key, ban);
	} else {
		prefix_set_put(&bans->by_address, &ban->whom.prefix, ban);
	}
}

/* On the way to the store, one after the other: each goes by what the one before it left. */

struct ban_change {
	TAILQ_ENTRY(ban_change) in_turn;
	struct play *play;
	struct task *task; /* NULL: nobody asked */
	ban_done_fn *done;
	struct ban_whom whom;
	struct store_ban asked; /* but for whom */
	bool lifts;
	char *why;
	struct timer again;
	bool is_unknown; /* what came of it; asked until it is stored, which does no harm */
	size_t count;
	/* If it was asked for, the last is what was; before it comes one that takes back a ban for
	 * the same, as the name may have been spelt otherwise. They are made when its turn comes.
	 */
	struct store_ban_change rows[OVER_MAX];
	char texts[OVER_MAX][NAME_SIZE];
};

static struct ban_change *change_new(struct play *play)
{
	struct ban_change *change = memory_new(1, sizeof(*change));

	change->play = play;
	return change;
}

static void change_free(struct ban_change *change)
{
	free(change->why);
	free(change);
}

static struct store_ban_change *change_add(struct ban_change *change, const char *whom, bool lifts)
{
	struct store_ban_change *row = &change->rows[change->count];
	char *text = change->texts[change->count];

	message_copy(text, NAME_SIZE, whom);
	row->ban.whom = text;
	row->ban.why = "";
	row->lifts = lifts;
	change->count++;
	return row;
}

static void on_stored(void *arg, enum store_status status);

static void submit(void *owner)
{
	struct ban_change *change = owner;
	struct store *store = change->play->config.store;
	const struct store_batch batch = {.ban_count = change->count, .bans = change->rows};

	store->ops->commit(store, &batch, on_stored, change);
}

static void prepare_asked(struct ban_change *change)
{
	const struct ban *old = bans_get(change->play, &change->whom);

	change_add(change, old == NULL ? change->whom.text : old->whom.text, true);
	if (!change->lifts) {
		struct store_ban_change *row = change_add(change, change->whom.text, false);
		const char *text = row->ban.whom;

		row->ban = change->asked;
		row->ban.whom = text;
		row->ban.why = change->why;
	}
}

/* Who was banned anew meanwhile stays banned. */
static void prepare_expired(struct ban_change *change)
{
	const struct ban *ban;
	struct ban_whom whom;
	const size_t count = change->count;

	change->count = 0;
	for (size_t i = 0; i < count; i++) {
		char text[NAME_SIZE];

		message_copy(text, sizeof(text), change->texts[i]);
		ban = bans_whom(text, &whom) ? bans_get(change->play, &whom) : NULL;
		if (ban == NULL || strcmp(ban->whom.text, text) != 0) {
			change_add(change, text, true);
		}
	}
}

static void end(struct ban_change *change);

static void take_turn(struct ban_change *change)
{
	if (change->task == NULL) {
		prepare_expired(change);
	} else {
		prepare_asked(change);
	}
	if (change->count == 0) {
		end(change);
	} else {
		submit(change);
	}
}

static void begin(struct ban_change *change)
{
	struct bans *bans = &change->play->bans;

	change->play->under_way++;
	change->again = (struct timer){.fire = submit, .owner = change};
	TAILQ_INSERT_TAIL(&bans->changes, change, in_turn);
	if (TAILQ_FIRST(&bans->changes) == change) {
		take_turn(change);
	}
}

static void end(struct ban_change *change)
{
	struct play *play = change->play;

	TAILQ_REMOVE(&play->bans.changes, change, in_turn);
	change_free(change);
	play->under_way--;
	change = TAILQ_FIRST(&play->bans.changes);
	if (change != NULL) {
		take_turn(change);
	}
}

static void apply(struct ban_change *change)
{
	const struct store_ban_change *row = &change->rows[change->count - 1];

	if (row->lifts) {
		take_out(change->play, &change->whom);
	} else {
		put_in(change->play, &change->whom, &row->ban);
	}
	expire_in_time(change->play);
}

static void on_stored(void *arg, enum store_status status)
{
	struct ban_change *change = arg;
	struct play *play = change->play;

	change->is_unknown = change->is_unknown || status == STORE_UNKNOWN;
	if (change->is_unknown && status != STORE_STORED) {
		play_set_timer(play, &change->again, play_now(play) + AGAIN_MS);
		return;
	}
	if (status == STORE_STORED && change->task != NULL) {
		apply(change);
	}
	if (change->task != NULL) {
		change->done(change->task, &change->whom,
				status == STORE_STORED ? CODE_NONE : CODE_UNAVAILABLE);
	}
	end(change);
}

static struct ban_change *change_asked(
		struct task *task, const struct ban_whom *whom, ban_done_fn *done)
{
	struct ban_change *change = change_new(task->play);

	change->task = task;
	change->whom = *whom;
	change->done = done;
	return change;
}

void bans_put(struct task *task, const struct ban_whom *whom, int64_t until_ms, const char *why,
		ban_done_fn *done)
{
	struct ban_change *change = change_asked(task, whom, done);

	change->why = memory_string(why);
	change->asked = (struct store_ban){.made_ms = play_now(task->play), .until_ms = until_ms};
	begin(change);
}

void bans_lift(struct task *task, const struct ban_whom *whom, ban_done_fn *done)
{
	struct ban_change *change = change_asked(task, whom, done);

	change->lifts = true;
	begin(change);
}

/* Those that are over. */

static void expire_due(void *owner)
{
	struct play *play = owner;
	int64_t now_ms = play_now(play);
	struct ban_change *change = change_new(play);
	struct ban *ban = TAILQ_FIRST(&play->bans.all);

	while (ban != NULL && change->count < OVER_MAX) {
		struct ban *next = TAILQ_NEXT(ban, in_order);
		if (ban->until_ms != 0 && ban->until_ms <= now_ms) {
			log_event(LOG_INFO, "ban_over", "whom=%s", log_text(ban->whom.text));
			change_add(change, ban->whom.text, true);
			take_out(play, &ban->whom);
		}
		ban = next;
	}
	expire_in_time(play);
	if (change->count > 0 && !play->closing) {
		begin(change);
	} else {
		change_free(change);
	}
}

void bans_load(struct play *play, size_t count, const struct store_ban *bans)
{
	struct ban_whom whom;

	for (size_t i = 0; i < count; i++) {
		if (bans_whom(bans[i].whom, &whom)) {
			put_in(play, &whom, &bans[i]);
		} else {
			log_event(LOG_ERROR, "ban_not_loaded", "whom=%s", log_text(bans[i].whom));
		}
	}
	expire_in_time(play);
}

/* Life. */

void bans_init(struct play *play)
{
	map_init(&play->bans.by_name);
	TAILQ_INIT(&play->bans.all);
	TAILQ_INIT(&play->bans.changes);
	play->bans.expire = (struct timer){.fire = expire_due, .owner = play};
}

void bans_fini(struct play *play)
{
	struct bans *bans = &play->bans;
	struct ban *ban;

	while ((ban = TAILQ_FIRST(&bans->all)) != NULL) {
		take_out(play, &ban->whom);
	}
	map_fini(&bans->by_name);
	prefix_set_fini(&bans->by_address);
}
