#include "server/play/requests/requests.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"
#include "server/ops/metrics.h"
#include "server/play/bans.h"
#include "server/play/drain.h"
#include "server/play/operator.h"
#include "server/play/thought.h"

static void answer_touched(struct task *task, size_t count)
{
	struct ok ok = {.carries = OK_TOUCHED, .connections = (int64_t)count};

	task_ok(task, &ok);
}

/* When `for_ms` is over; 0: it was not said. */
static int64_t until_of(const struct task *task)
{
	const struct request *request = &task->request;

	return (request->has & HAS_FOR) != 0 ? play_now(task->play) + request->for_ms : 0;
}

/* Whom `whom` means; false: it was refused. */
static bool read_whom(struct task *task, struct ban_whom *ret)
{
	if (bans_whom(task->request.name, ret)) {
		return true;
	}
	task_refuse_field(task, "whom",
			"That is no name, and no address or block of addresses such as "
			"10.0.0.0/8 or 2001:db8::/32 (with no bits set that do not count).");
	return false;
}

/* Notice, kick. */

void requests_notice(struct task *task)
{
	const struct request *request = &task->request;

	if ((request->has & HAS_ROOM) != 0 && (request->has & HAS_NAME) != 0) {
		task_refuse_field(task, "name", "Tell a room or a name, not both.");
	} else if ((request->has & HAS_ROOM) != 0) {
		struct hosted *hosted = requests_room(task);
		if (hosted != NULL) {
			answer_touched(task,
					operator_tell_room(hosted, request->text, task->session));
		}
	} else if ((request->has & HAS_NAME) != 0) {
		struct player *player = requests_player(task, request->name);
		if (player != NULL) {
			answer_touched(task, operator_tell_player(player, request->text));
		}
	} else {
		answer_touched(task, operator_tell_all(task->play, request->text, task->session));
	}
}

void requests_kick(struct task *task)
{
	struct ban_whom whom;

	if (!read_whom(task, &whom)) {
		return;
	}
	if (whom.is_name && requests_player(task, task->request.name) == NULL) {
		return;
	}
	answer_touched(task, operator_close(task->play, &whom));
}

/* Bans. */

static void fill_ban(const struct ban *ban, struct ban_row *ret)
{
	message_copy(ret->whom, sizeof(ret->whom), ban->whom.text);
	ret->made_ms = ban->made_ms;
	ret->has_until = ban->until_ms != 0;
	ret->until_ms = ban->until_ms;
	message_copy(ret->why, sizeof(ret->why), ban->why);
}

static void banned(struct task *task, const struct ban_whom *whom, enum code code)
{
	const struct ban *ban = bans_get(task->play, whom);
	struct ok ok = {.carries = OK_WHOM | OK_TOUCHED};

	/* Who was banned is out, whether anybody waits for the answer or not. */
	if (code == CODE_NONE) {
		ok.connections = (int64_t)operator_close(task->play, whom);
	}
	if (code != CODE_NONE) {
		task_refuse(task, code, NULL);
		return;
	}
	message_copy(ok.whom, sizeof(ok.whom), whom->text);
	if (ban != NULL && ban->until_ms != 0) {
		ok.carries |= OK_UNTIL;
		ok.until_ms = ban->until_ms;
	}
	task_ok(task, &ok);
}

void requests_ban(struct task *task)
{
	struct ban_whom whom;

	if (!read_whom(task, &whom)) {
		return;
	}
	if (task->play->bans.count >= BANS_MAX && bans_get(task->play, &whom) == NULL) {
		task_refuse(task, CODE_NOT_ALLOWED, "There are as many bans as there may be.");
		return;
	}
	bans_put(task, &whom, until_of(task), task->request.text, banned);
}

static void unbanned(struct task *task, const struct ban_whom *whom, enum code code)
{
	struct ok ok = {.carries = OK_WHOM};

	if (code != CODE_NONE) {
		task_refuse(task, code, NULL);
		return;
	}
	message_copy(ok.whom, sizeof(ok.whom), whom->text);
	task_ok(task, &ok);
}

void requests_unban(struct task *task)
{
	struct ban_whom whom;

	if (!read_whom(task, &whom)) {
		return;
	}
	if (bans_get(task->play, &whom) == NULL) {
		task_refuse_field(task, "whom", "There is no such ban; bans lists them all.");
		return;
	}
	bans_lift(task, &whom, unbanned);
}

/* Lists go by numbers that only grow. */

static bool read_cursor(struct task *task, uint64_t *ret_number)
{
	const char *after = task->request.after;
	size_t length = strlen(after);

	*ret_number = 0;
	if ((task->request.has & HAS_AFTER) == 0) {
		return true;
	}
	if (length == 0 || length > 19 || strspn(after, "0123456789") != length) {
		task_refuse_field(task, "after", "That is no cursor of this list.");
		return false;
	}
	*ret_number = strtoull(after, NULL, 10);
	return true;
}

static void fill_next(struct ok *ok, uint64_t number)
{
	ok->carries |= OK_NEXT;
	snprintf(ok->next, sizeof(ok->next), "%" PRIu64, number);
}

void requests_bans(struct task *task)
{
	size_t limit = requests_limit(&task->request);
	struct ok ok = {.carries = OK_BANS};
	const struct ban *ban;
	uint64_t number;

	if (!read_cursor(task, &number)) {
		return;
	}
	struct ban_row *rows = memory_new(limit, sizeof(*rows));
	ok.bans = rows;
	while ((ban = bans_after(task->play, number)) != NULL && ok.ban_count < limit) {
		fill_ban(ban, &rows[ok.ban_count]);
		ok.ban_count++;
		number = ban->number;
	}
	if (ban != NULL) {
		fill_next(&ok, number);
	}
	task_ok(task, &ok);
	free(rows);
}

/* Rooms. */

static int by_number(const void *one, const void *other)
{
	const struct hosted *a = *(struct hosted *const *)one;
	const struct hosted *b = *(struct hosted *const *)other;

	return (a->number > b->number) - (a->number < b->number);
}

/* All rooms that are asked for, in order. Returns how many. */
static size_t find_rooms(const struct task *task, uint64_t after, struct hosted **ret_rooms)
{
	const struct request *request = &task->request;
	struct hosted *hosted;
	size_t cursor = 0;
	size_t count = 0;

	while ((hosted = map_next(&task->play->rooms, &cursor)) != NULL) {
		if (hosted->number > after &&
				((request->has & HAS_STATUS) == 0 ||
						hosted->room.status == request->status)) {
			ret_rooms[count] = hosted;
			count++;
		}
	}
	if (count > 0) {
		qsort(ret_rooms, count, sizeof(struct hosted *), by_number);
	}
	return count;
}

static void fill_room(const struct hosted *hosted, struct room_row *ret)
{
	const struct follower *follower;

	rooms_summary(hosted, &ret->summary);
	ret->is_private = hosted->room.is_private;
	ret->here = memory_new(hosted->follower_count + 1, NAME_SIZE);
	TAILQ_FOREACH(follower, &hosted->followers, of_room)
	{
		const struct player *player = follower->session->player;
		if (player != NULL && ret->here_count < LIMIT_LIST) {
			message_copy(ret->here[ret->here_count], NAME_SIZE, player->record.name);
			ret->here_count++;
		}
	}
}

void requests_rooms(struct task *task)
{
	size_t limit = requests_limit(&task->request);
	struct ok ok = {.carries = OK_ROOMS};
	uint64_t after;

	if (!read_cursor(task, &after)) {
		return;
	}
	struct hosted **found = memory_new(task->play->rooms.count + 1, sizeof(struct hosted *));
	struct room_row *rows = memory_new(limit, sizeof(*rows));
	size_t count = find_rooms(task, after, found);
	ok.rooms = rows;
	ok.room_count = count < limit ? count : limit;
	for (size_t i = 0; i < ok.room_count; i++) {
		fill_room(found[i], &rows[i]);
	}
	if (count > limit) {
		fill_next(&ok, found[limit - 1]->number);
	}
	task_ok(task, &ok);
	for (size_t i = 0; i < ok.room_count; i++) {
		free(rows[i].here);
	}
	free(rows);
	free(found);
}

static void closed(struct command *command)
{
	struct ok ok = {.carries = OK_ROOM | OK_SEQ};

	if (command->code != CODE_NONE) {
		task_refuse(command->task, command->code, command->message);
		return;
	}
	message_copy(ok.room, sizeof(ok.room), command->parts[0].hosted->room.id);
	ok.seq = command_seq(command);
	task_ok(command->task, &ok);
}

void requests_close(struct task *task)
{
	struct hosted *hosted = requests_room(task);

	if (hosted != NULL) {
		struct command *command = command_new(task, 1, closed);
		command_add(command, hosted, ROOM_CLOSE);
		queue_submit(command);
	}
}

/* Numbers. */

void requests_stats(struct task *task)
{
	const struct play *play = task->play;
	const struct thought *thought;
	struct stats stats = {
			.uptime_ms = play_now(play) - play->began_ms,
			.connections = (int64_t)play->session_count,
			.online = (int64_t)play->online_count,
			.bans = (int64_t)play->bans.count,
			.store_waiting = (int64_t)play->under_way,
			.store_unknown = (int64_t)play->frozen,
			.accepted = (int64_t)metrics_sum(METRIC_ACCEPTED),
			.refused = (int64_t)metrics_sum(METRIC_REFUSED),
			.lines = (int64_t)metrics_sum(METRIC_LINES),
			.bytes_in = (int64_t)metrics_sum(METRIC_BYTES_IN),
			.bytes_out = (int64_t)metrics_sum(METRIC_BYTES_OUT),
			.draining = play->drain.on,
	};
	struct ok ok = {.carries = OK_STATS, .stats = &stats};

	metrics_look_at_process();
	stats.memory_bytes = (int64_t)metrics_sum(METRIC_MEMORY);
	message_copy(stats.version, sizeof(stats.version), play->config.version);
	for (size_t i = 0; i < sizeof(stats.rooms) / sizeof(stats.rooms[0]); i++) {
		stats.rooms[i] = (int64_t)play->rooms_by_status[i];
	}
	TAILQ_FOREACH(thought, &play->thoughts, of_play)
	{
		stats.thoughts++;
	}
	task_ok(task, &ok);
}

/* Release: the name is free, and whoever had it is somebody whom nobody can be. */

static void released(struct command *command)
{
	struct task *task = command->task;
	struct ok ok = {.carries = OK_NAME | OK_TOUCHED};

	command->change.player->releases--;
	if (task_is_done(command)) {
		message_copy(ok.name, sizeof(ok.name), task->released);
		ok.connections = (int64_t)command->player->session_count;
		task_ok(task, &ok);
	}
}

static void close_released(struct command *command)
{
	operator_close_player(command->player, NULL);
}

static bool waits_for_seats(const struct command *command)
{
	return rooms_seats_come(command->player);
}

static void seats_came(struct command *command)
{
	command->player->releases--;
	task_restart(command->task);
}

/* Stored later than the release, they would go to who gets the name next. */
static void wait_for_seats(struct task *task, struct player *player)
{
	struct command *command = command_new(task, 0, seats_came);

	command->player = player_ref(player);
	command->must_wait = waits_for_seats;
	queue_submit(command);
}

void requests_release(struct task *task)
{
	struct player *player = requests_player(task, task->request.name);

	if (player == NULL) {
		return;
	}
	player->releases++;
	if (rooms_seats_come(player)) {
		wait_for_seats(task, player);
		return;
	}
	const char *name = player->record.name;
	size_t most = rooms_of(task->play, name)->count;
	struct hosted **rooms = memory_new(most + 1, sizeof(struct hosted *));
	size_t count = requests_rooms_to_rename(task->play, name, rooms);
	struct command *command = command_new(task, count, released);
	message_copy(task->released, sizeof(task->released), name);
	command->told = close_released;
	command->has_change = true;
	player_change_release(player, &command->change);
	for (size_t i = 0; i < count; i++) {
		struct room_command *args = command_add(command, rooms[i], ROOM_RENAME);
		args->player = name;
		args->new_name = command->change.record.name;
	}
	free(rooms);
	queue_submit(command);
}

/* Drain, motd. */

void requests_drain(struct task *task)
{
	const struct request *request = &task->request;
	struct play *play = task->play;
	bool on = (request->has & HAS_ON) == 0 || request->on;
	struct ok ok = {.carries = OK_DRAIN,
			.draining = on,
			.games_left = (int64_t)drain_games(play)};
	int64_t until_ms = until_of(task);

	if (on && until_ms != 0) {
		ok.carries |= OK_UNTIL;
		ok.until_ms = until_ms;
	}
	task_send_ok(task, &ok);
	if (on) {
		drain_begin(play, until_ms, task->session);
	} else {
		drain_end(play, task->session);
	}
	task_end(task);
}

void requests_motd(struct task *task)
{
	const struct request *request = &task->request;
	struct play *play = task->play;
	struct ok ok = {.carries = OK_MOTD};
	bool has_text = (request->has & HAS_TEXT) != 0;
	bool clears = (request->has & HAS_ON) != 0 && !request->on;

	if (has_text && clears) {
		task_refuse_field(task, "on", "Say what it is to be, or take it away, not both.");
		return;
	}
	if (has_text && strlen(request->text) >= sizeof(play->motd)) {
		task_refuse(task, CODE_BAD_TEXT, "A message of the day has at most 255 bytes.");
		return;
	}
	if (has_text || clears) {
		message_copy(play->motd, sizeof(play->motd), clears ? "" : request->text);
	}
	message_copy(ok.motd, sizeof(ok.motd), play->motd);
	task_ok(task, &ok);
}
