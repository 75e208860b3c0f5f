#include "server/play/play.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/requests.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"
#include "server/play/bans.h"
#include "server/play/drain.h"
#include "server/play/due.h"
#include "server/play/guests.h"
#include "server/play/news.h"
#include "server/play/players.h"
#include "server/play/rated.h"
#include "server/play/rooms.h"
#include "server/play/session.h"
#include "server/play/thought.h"

/* Old events. */

#define DROP_EVERY_MS 60000

/* While they are kept for ever too, lest somebody changes that. */
static void drop_due(void *owner)
{
	struct play *play = owner;
	struct store *store = play->config.store;
	int64_t keep_ms = play->config.keep_events_ms;
	int64_t now_ms = play_now(play);

	if (keep_ms > 0) {
		store->ops->drop_events(store, now_ms - keep_ms);
	}
	play_set_timer(play, &play->drop_timer,
			now_ms + (keep_ms > 0 && keep_ms < DROP_EVERY_MS ? keep_ms
									 : DROP_EVERY_MS));
}

static const char *request_word(size_t type)
{
	return type == REQUEST_COUNT ? "none" : request_row((enum request_type)type)->name;
}

static const char *answer_word(size_t code)
{
	return code == CODE_NONE ? "ok" : code_word((enum code)code);
}

static const char *text_or_none(const char *text)
{
	return text == NULL ? "" : text;
}

struct play *play_new(const struct play_config *config)
{
	struct play *play = memory_new(1, sizeof(*play));

	play->config = *config;
	metrics_name_requests(REQUEST_COUNT + 1, request_word, CODE_COUNT, answer_word);
	map_init(&play->rooms);
	map_init(&play->roles);
	map_init(&play->absent);
	map_init(&play->players_by_key);
	map_init(&play->players_by_token);
	TAILQ_INIT(&play->sessions);
	TAILQ_INIT(&play->lobby_followers);
	TAILQ_INIT(&play->news[0]);
	TAILQ_INIT(&play->news[1]);
	play->news_timer = (struct timer){.fire = news_due, .owner = play};
	TAILQ_INIT(&play->online);
	TAILQ_INIT(&play->ready);
	TAILQ_INIT(&play->match_waits);
	play->drop_timer = (struct timer){.fire = drop_due, .owner = play};
	TAILQ_INIT(&play->thoughts);
	TAILQ_INIT(&play->leaving[false]);
	TAILQ_INIT(&play->leaving[true]);
	limits_init(&play->limits, &config->most);
	bans_init(play);
	drain_init(play);
	message_copy(play->motd, sizeof(play->motd), text_or_none(config->motd));
	message_copy(play->option_motd, sizeof(play->option_motd), play->motd);
	play->began_ms = play_now(play);
	play->limits.forget = (struct timer){.fire = session_forget_accounts, .owner = play};
	play->wake_ms = INT64_MAX;
	return play;
}

void play_free(struct play *play)
{
	if (play == NULL) {
		return;
	}
	assert(play->session_count == 0 && play->under_way == 0);
	rooms_free_all(play);
	bans_fini(play);
	map_fini(&play->rooms);
	map_fini(&play->roles);
	map_fini(&play->absent);
	map_fini(&play->players_by_key);
	map_fini(&play->players_by_token);
	limits_fini(&play->limits);
	timers_fini(&play->timers);
	timers_fini(&play->rests);
	spare_fini(&play->tasks);
	spare_fini(&play->commands);
	free(play);
}

void play_change(struct play *play, const struct play_config *config)
{
	const struct play_config old = play->config;
	struct session *session;

	play->config = *config;
	play->config.version = old.version;
	play->config.retry_ms = old.retry_ms;
	play->config.store = old.store;
	play->config.work = old.work;
	play->config.clock = old.clock;
	play->config.random = old.random;
	play->config.drained = old.drained;
	play->config.drained_arg = old.drained_arg;
	/* What an operator has said stays, unless the file says something new. */
	if (strcmp(play->option_motd, text_or_none(config->motd)) != 0) {
		message_copy(play->motd, sizeof(play->motd), text_or_none(config->motd));
		message_copy(play->option_motd, sizeof(play->option_motd), play->motd);
	}
	limits_change(&play->limits, &config->most, play_now(play));
	TAILQ_FOREACH(session, &play->sessions, all)
	{
		session_change(session, old.most.allowance);
	}
}

static void on_unfinished_room(
		void *arg, const char *room, size_t count, struct bytes *const *lines)
{
	struct play *play = arg;

	if (rooms_load(play, count, lines, NULL) == NULL) {
		log_event(LOG_ERROR, "room_not_loaded", "room=%s", room);
	}
}

static void started(struct play *play, int error)
{
	play->under_way--;
	if (error == 0) {
		guests_begin(play);
		rated_learn(play);
		drop_due(play);
	}
	play->started(play->started_arg, error);
}

static void on_bans(void *arg, enum store_found found, size_t count, const struct store_ban *bans)
{
	struct play *play = arg;

	bans_load(play, count, bans);
	started(play, found == STORE_FOUND ? 0 : -EIO);
}

static void on_unfinished_done(
		void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct play *play = arg;

	(void)count;
	(void)lines;
	if (found == STORE_FOUND) {
		log_event(LOG_INFO, "rooms_loaded", "rooms=%zu", play->rooms.count);
		play->config.store->ops->load_bans(play->config.store, on_bans, play);
	} else {
		started(play, -EIO);
	}
}

void play_start(struct play *play, play_started_fn *done, void *arg)
{
	struct store *store = play->config.store;

	play->started = done;
	play->started_arg = arg;
	play->under_way++;
	store->ops->load_unfinished(store, on_unfinished_room, on_unfinished_done, play);
}

/* Of those who rest, thousands may fall due in one millisecond: who plays is not to wait for all of
 * them. */
#define RESTS_A_WAKE 8

static void rearm(struct play *play)
{
	const int64_t due_ms = timers_next(&play->timers);
	const int64_t rest_ms = timers_next(&play->rests);
	const int64_t next_ms = due_ms < rest_ms ? due_ms : rest_ms;

	if (next_ms != play->wake_ms && !play->wakes) {
		play->wake_ms = next_ms;
		play->config.clock.wake_at(play->config.clock.arg, next_ms);
	}
}

void play_wake(struct play *play)
{
	struct timer *timer;
	int64_t now_ms = play_now(play);

	play->wakes = true;
	while ((timer = timers_take_due(&play->timers, now_ms)) != NULL) {
		timer->fire(timer->owner);
	}
	for (int i = 0; i < RESTS_A_WAKE; i++) {
		timer = timers_take_due(&play->rests, now_ms);
		if (timer != NULL) {
			timer->fire(timer->owner);
		}
	}
	play->wakes = false;
	/* What the clock was asked for has come, so it must be asked again. */
	play->wake_ms = INT64_MAX;
	rearm(play);
}

void play_stood_still(struct play *play, int64_t ms)
{
	size_t cursor = 0;
	struct hosted *hosted;

	while ((hosted = map_next(&play->rooms, &cursor)) != NULL) {
		due_stood_still(hosted, ms);
	}
}

void play_shutdown(struct play *play)
{
	struct session *session = TAILQ_FIRST(&play->sessions);

	play->closing = true;
	while (session != NULL) {
		struct session *next = TAILQ_NEXT(session, all);
		session_close(session, BYE_SHUTDOWN);
		session = next;
	}
	thoughts_cancel(play);
}

bool play_idle(const struct play *play)
{
	return play->under_way == 0;
}

void play_count(const struct play *play, struct play_counts *ret)
{
	ret->sessions = play->session_count;
	ret->rooms = play->rooms.count;
	ret->players = play->players_by_key.count;
	ret->frozen = play->frozen;
	ret->under_way = play->under_way;
	memcpy(ret->rooms_by_status, play->rooms_by_status, sizeof(ret->rooms_by_status));
}

int64_t play_now(const struct play *play)
{
	return play->config.clock.now_ms(play->config.clock.arg);
}

void play_random(const struct play *play, void *buffer, size_t size)
{
	play->config.random.fill(play->config.random.arg, buffer, size);
}

void play_random_letters(const struct play *play, size_t count, char *ret_letters)
{
	static const char alphabet[] = ROOM_ID_ALPHABET;
	const unsigned int letters = sizeof(alphabet) - 1;
	size_t made = 0;

	while (made < count) {
		unsigned char bytes[16];
		play_random(play, bytes, sizeof(bytes));
		for (size_t i = 0; i < sizeof(bytes) && made < count; i++) {
			/* Five bits; the one value beyond the 31 letters is thrown again. */
			unsigned int index = bytes[i] & 31U;
			if (index < letters) {
				ret_letters[made] = alphabet[index];
				made++;
			}
		}
	}
	ret_letters[count] = '\0';
}

void play_set_timer(struct play *play, struct timer *timer, int64_t due_ms)
{
	timers_set(&play->timers, timer, due_ms);
	rearm(play);
}

void play_set_rest(struct play *play, struct timer *timer, int64_t due_ms)
{
	timers_set(&play->rests, timer, due_ms);
	rearm(play);
}
