#include "server/play/queue.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/encode.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"
#include "server/play/batch.h"
#include "server/play/due.h"
#include "server/play/lobby.h"
#include "server/play/rated.h"
#include "server/play/task.h"

/* How often somebody else may be first before a request is given up. */
#define TRIES_MAX 5
/* Pause before a store that could not read is asked again. */
#define RETRY_MS 250
/* Pause before who lets others go first is asked again. */
#define WAIT_MS 20

static void decide(struct command *command);
static void settle(struct command *command);
static void reload(struct command *command);

/* Taking turns. */

void queue_ready(struct command *command)
{
	command->is_at_work = true;
	TAILQ_INSERT_TAIL(&command->play->ready, command, in_ready);
}

static void on_wait_over(void *arg)
{
	struct command *command = arg;

	queue_ready(command);
	queue_work(command->play);
}

static void begin(struct command *command)
{
	if (command->must_wait != NULL && command->must_wait(command)) {
		command->is_at_work = false;
		command->retry.fire = on_wait_over;
		play_set_timer(command->play, &command->retry, play_now(command->play) + WAIT_MS);
	} else {
		decide(command);
	}
}

void queue_work(struct play *play)
{
	struct command *command;

	/* One loop, however deep the stack is that calls: a long queue of commands that are all
	 * refused at once would otherwise be as many calls deep. */
	if (play->works) {
		return;
	}
	play->works = true;
	while ((command = TAILQ_FIRST(&play->ready)) != NULL) {
		TAILQ_REMOVE(&play->ready, command, in_ready);
		begin(command);
	}
	play->works = false;
}

/* Does a part go before one that waits? */
static bool comes_before(const struct part *part, const struct part *other)
{
	int64_t by_ms = part->args.arrived_ms - other->args.arrived_ms;

	if (other->command->is_at_work) {
		return false;
	}
	return by_ms < 0 || (by_ms == 0 && part->args.kind == ROOM_TIME);
}

/* Where it stands by its time: who waited at the head, and is not at work, waits behind it. */
static void enqueue(struct part *part)
{
	struct part_list *queue = &part->hosted->queue;
	struct part *after = TAILQ_LAST(queue, part_list);

	while (after != NULL && comes_before(part, after)) {
		after = TAILQ_PREV(after, part_list, in_queue);
	}
	if (after != NULL) {
		part->command->waiting++;
		TAILQ_INSERT_AFTER(queue, after, part, in_queue);
		return;
	}
	struct part *head = TAILQ_FIRST(queue);
	if (head != NULL) {
		head->command->waiting++;
		timers_cancel(&part->command->play->timers, &head->command->retry);
	}
	TAILQ_INSERT_HEAD(queue, part, in_queue);
}

void queue_submit(struct command *command)
{
	command->play->under_way++;
	/* Before any part stands in a queue: others may be worked on from within. */
	for (size_t i = 0; i < command->part_count; i++) {
		due_before(command->parts[i].hosted, command->parts[i].args.arrived_ms);
	}
	for (size_t i = 0; i < command->part_count; i++) {
		struct part *part = &command->parts[i];
		part->is_queued = part->hosted->room.seq > 0;
		if (part->is_queued) {
			enqueue(part);
		}
	}
	if (command->waiting == 0) {
		queue_ready(command);
	}
	queue_work(command->play);
}

/* Leave the queues; whoever is first then has his turn, once he is first in all of his. */
static void leave_queues(struct command *command)
{
	for (size_t i = 0; i < command->part_count; i++) {
		struct part *part = &command->parts[i];
		if (!part->is_queued) {
			continue;
		}
		struct hosted *hosted = part->hosted;
		assert(TAILQ_FIRST(&hosted->queue) == part);
		TAILQ_REMOVE(&hosted->queue, part, in_queue);
		struct part *next = TAILQ_FIRST(&hosted->queue);
		if (next == NULL) {
			rooms_maybe_leave(hosted);
		} else if (--next->command->waiting == 0) {
			queue_ready(next->command);
		}
	}
}

/* Drop what was decided, so that it can be decided again or be done with. */
static void undecide(struct command *command)
{
	batch_free(command->batch);
	command->batch = NULL;
	for (size_t i = 0; i < command->part_count; i++) {
		struct part *part = &command->parts[i];
		for (size_t j = 0; j < part->count; j++) {
			bytes_unref(part->lines[j]);
		}
		part->count = 0;
	}
}

/* A rematch's room is decided anew each time; other new rooms are the caller's part. */
static void drop_extra_room(struct command *command)
{
	if (command->part_count > 1 && command->parts[0].args.kind == ROOM_REMATCH) {
		struct part *extra = &command->parts[1];
		if (extra->hosted->room.seq == 0) {
			rooms_free(extra->hosted);
		}
		command->part_count = 1;
	}
}

static void end(struct command *command)
{
	struct play *play = command->play;

	leave_queues(command);
	rated_release(command);
	undecide(command);
	drop_extra_room(command);
	for (size_t i = 0; i < command->part_count; i++) {
		if (command->parts[i].hosted->room.seq == 0) {
			rooms_free(command->parts[i].hosted);
		}
	}
	if (command->has_change) {
		player_change_fini(&command->change);
	}
	if (command->keeps_name) {
		player_change_fini(&command->kept);
	}
	player_unref(command->sits);
	player_unref(command->player);
	player_unref(command->invited);
	command_free(command);
	play->under_way--;
	queue_work(play);
}

/* What was to come has come by now, or never will: who is answered may ask for more. */
static void answer(struct command *command, enum code code)
{
	if (command->sits != NULL) {
		command->sits->seats_to_come--;
	}
	if (command->invited != NULL) {
		TAILQ_REMOVE(&command->invited->invitations, command, of_invited);
	}
	command->code = code;
	command->done(command);
}

static void finish(struct command *command, enum code code)
{
	answer(command, code);
	end(command);
}

/* Deciding. */

static void decide_rematch_room(struct command *command, const struct part *old)
{
	command_add(command, rooms_new(command->play), ROOM_OPEN);
	struct part *part = &command->parts[command->part_count - 1];

	room_open_rematch(&old->hosted->room, old->new_id, old->args.now_ms, part->events);
	part->count = ROOM_REMATCH_EVENTS;
}

static void decide_part(struct command *command, struct part *part)
{
	struct play *play = command->play;
	struct room_decision decision;

	part->args.now_ms = play_now(play);
	part->args.new_room = part->new_id;
	if (part->args.kind == ROOM_OPEN || part->args.kind == ROOM_REMATCH) {
		bool is_private = part->args.is_private || part->hosted->room.is_private;
		rooms_new_id(play, is_private, command->tries, part->new_id);
	}
	room_decide(&part->hosted->room, &part->args, &decision);
	command->code = decision.code;
	command->message = decision.message;
	command->field = decision.field;
	command->retry_ms = decision.retry_ms;
	if (decision.opens_rematch && !rooms_has_place(play, part->hosted)) {
		command->code = CODE_SERVER_FULL;
		return;
	}
	part->count = (size_t)decision.count;
	memcpy(part->events, decision.events, part->count * sizeof(struct event));
	if (decision.opens_rematch) {
		decide_rematch_room(command, part);
	}
}

/* Encode the events, once, and make the room that would be. Returns how many. */
static size_t prepare_part(struct part *part)
{
	part->after = part->hosted->room;
	for (size_t i = 0; i < part->count; i++) {
		bool follows = room_apply(&part->after, &part->events[i]);
		assert(follows);
		(void)follows;
		part->lines[i] = encode_event(&part->events[i]);
	}
	return part->count;
}

static void on_commit(void *arg, enum store_status status);

/* Does the decision stand, with what it makes of ratings? */
static bool is_rated(struct command *command, struct part *part)
{
	enum rated_outcome outcome = rated_decide(command, part);

	if (outcome == RATED_DONE) {
		return true;
	}
	part->count = 0;
	undecide(command);
	if (outcome == RATED_FAILED) {
		due_not_stored(command);
		finish(command, CODE_UNAVAILABLE);
	}
	return false;
}

static void decide(struct command *command)
{
	struct play *play = command->play;
	size_t events = 0;

	for (size_t i = 0; i < command->part_count; i++) {
		struct part *part = &command->parts[i];
		if (part->count == 0) {
			decide_part(command, part);
		}
		if (command->code != CODE_NONE) {
			finish(command, command->code);
			return;
		}
		if (!is_rated(command, part)) {
			return;
		}
		events += prepare_part(part);
	}
	if (events == 0 && !command->has_change) {
		finish(command, CODE_NONE);
		return;
	}
	command->batch = batch_new(command);
	play->config.store->ops->commit(
			play->config.store, batch_store(command->batch), on_commit, command);
}

/* Stored: apply, answer, tell. */

/* Events that change what a lobby shows of a room. */
static const bool changes_summary[EVENT_COUNT] = {
		[EVENT_OPENED] = true,
		[EVENT_SEATED] = true,
		[EVENT_STARTED] = true,
		[EVENT_MOVED] = true,
		[EVENT_COLLAPSED] = true,
		[EVENT_ENDED] = true,
};

static void apply(struct command *command)
{
	for (size_t i = 0; i < command->part_count; i++) {
		struct part *part = &command->parts[i];
		bool is_new = part->hosted->room.seq == 0;
		rooms_advance(part->hosted, &part->after, part->count, part->lines);
		if (is_new) {
			rooms_register(part->hosted);
		}
	}
	if (command->has_change) {
		command->player = players_apply(command->play, &command->change);
	}
	rated_apply(command);
}

static void tell(struct command *command)
{
	for (size_t i = 0; i < command->part_count; i++) {
		struct part *part = &command->parts[i];
		bool is_lobby_news = false;
		for (size_t j = 0; j < part->count; j++) {
			followers_tell(part->hosted, part->events[j].seq, &part->events[j],
					part->lines[j]);
			is_lobby_news = is_lobby_news || changes_summary[part->events[j].type];
		}
		if (is_lobby_news) {
			lobby_update(part->hosted);
		}
	}
}

static void stored(struct command *command)
{
	apply(command);
	answer(command, CODE_NONE);
	tell(command);
	if (command->told != NULL) {
		command->told(command);
	}
	end(command);
}

/* Conflict: read what the others did, and decide again. */

static void wait_and(struct command *command, timer_fn *again)
{
	command->retry.fire = again;
	play_set_timer(command->play, &command->retry, play_now(command->play) + RETRY_MS);
}

static void decide_again(struct command *command)
{
	undecide(command);
	rated_distrust(command);
	rated_release(command);
	drop_extra_room(command);
	command->tries++;
	if (command->has_change || command->tries == TRIES_MAX) {
		/* Whose change lost has to look again at what he would change. */
		command->is_lost_race = command->has_change;
		finish(command, CODE_UNAVAILABLE);
		return;
	}
	queue_ready(command);
	queue_work(command->play);
}

static void on_reload_retry(void *arg)
{
	reload(arg);
}

static void on_reloaded(void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct command *command = arg;
	struct hosted *hosted = command->parts[command->reloading].hosted;
	int64_t seq = hosted->room.seq;

	if (found == STORE_NOT_READABLE) {
		wait_and(command, on_reload_retry);
		return;
	}
	if (found == STORE_FOUND && count > 0 && rooms_absorb(hosted, count, lines)) {
		for (size_t i = 0; i < count; i++) {
			followers_tell(hosted, seq + (int64_t)i + 1, NULL, lines[i]);
		}
		lobby_update(hosted);
	}
	command->reloading++;
	reload(command);
}

static void reload(struct command *command)
{
	struct store *store = command->play->config.store;

	while (command->reloading < command->part_count &&
			command->parts[command->reloading].hosted->room.seq == 0) {
		command->reloading++;
	}
	if (command->reloading == command->part_count) {
		command->reloading = 0;
		decide_again(command);
		return;
	}
	const struct room *room = &command->parts[command->reloading].hosted->room;
	store->ops->load_room(store, room->id, room->seq, on_reloaded, command);
}

/* Unknown: the store has all of it or nothing, so its first event tells, or the player. However
 * many commands that are: one line when it begins, one when it is over. */

static void freeze(struct command *command)
{
	struct play *play = command->play;

	if (play->frozen == 0) {
		log_event(LOG_WARN, "commits_unknown", "room=%s",
				command->part_count == 0 ? "" : command->parts[0].after.id);
		play->frozen_most = 0;
	}
	play->frozen++;
	play->frozen_most = play->frozen > play->frozen_most ? play->frozen : play->frozen_most;
}

static void thaw(struct command *command)
{
	struct play *play = command->play;

	play->frozen--;
	if (play->frozen == 0) {
		log_event(LOG_WARN, "commits_settled", "at_once=%zu", play->frozen_most);
	}
}

static void on_settle_retry(void *arg)
{
	settle(arg);
}

static const struct part *first_changed(const struct command *command)
{
	for (size_t i = 0; i < command->part_count; i++) {
		if (command->parts[i].count > 0) {
			return &command->parts[i];
		}
	}
	return NULL;
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
	return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

static void on_room_settled(
		void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct command *command = arg;
	const struct part *part = first_changed(command);

	assert(part != NULL);
	if (found == STORE_NOT_READABLE) {
		wait_and(command, on_settle_retry);
		return;
	}
	thaw(command);
	if (found == STORE_ABSENT || count == 0) {
		due_not_stored(command);
		finish(command, CODE_UNAVAILABLE);
	} else if (same_bytes(lines[0],
				   part->lines[found == STORE_DROPPED ? part->count - 1 : 0])) {
		/* An end that was stored long ago has its last event left. */
		stored(command);
	} else {
		reload(command);
	}
}

static void on_player_settled(void *arg, enum store_found found, const struct store_player *player)
{
	struct command *command = arg;
	const struct player_change *change = &command->change;

	if (found == STORE_NOT_READABLE) {
		wait_and(command, on_settle_retry);
		return;
	}
	thaw(command);
	if (found == STORE_ABSENT || player->version < change->version) {
		finish(command, CODE_UNAVAILABLE);
	} else if (player->id == change->id && player->version == change->version &&
			same_bytes(player->record, change->line)) {
		stored(command);
	} else {
		reload(command);
	}
}

static void settle(struct command *command)
{
	struct store *store = command->play->config.store;
	const struct part *part = first_changed(command);

	if (part == NULL) {
		store->ops->load_player_by_token(
				store, command->change.token_hash, on_player_settled, command);
		return;
	}
	store->ops->load_room(store, part->after.id, part->after.seq - (int64_t)part->count,
			on_room_settled, command);
}

static void on_commit(void *arg, enum store_status status)
{
	struct command *command = arg;

	metrics_add(METRIC_STORE_BATCHES, status, 1);
	switch (status) {
	case STORE_STORED:
		stored(command);
		break;
	case STORE_CONFLICT:
		reload(command);
		break;
	case STORE_UNAVAILABLE:
		due_not_stored(command);
		finish(command, CODE_UNAVAILABLE);
		break;
	case STORE_UNKNOWN:
		freeze(command);
		settle(command);
		break;
	}
}
