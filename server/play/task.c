#include "server/play/task.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/requests.h"
#include "server/game/rating.h"
#include "server/ops/memory.h"
#include "server/play/dispatch.h"
#include "server/play/records.h"

/* How often a request begins anew because somebody else was first. */
#define RESTARTS_MAX 5
/* Letters after "guest-": so many that a name which a guest gave up for another is not met again,
 * as rooms and invitations may still be under it. */
#define GUEST_LETTERS 8

struct task *task_new(struct session *session, int64_t arrived_ms)
{
	struct task *task = spare_take(&session->play->tasks, sizeof(*task));

	memset(task, 0, offsetof(struct task, request));
	task->play = session->play;
	task->session = session;
	task->arrived_ms = arrived_ms;
	if (session->player != NULL) {
		task->player = player_ref(session->player);
	}
	return task;
}

static void drop_lines(struct lookup *lookup)
{
	for (size_t i = 0; i < lookup->line_count; i++) {
		bytes_unref(lookup->lines[i]);
	}
	free(lookup->lines);
}

void task_drop_lookups(struct task *task)
{
	for (size_t i = 0; i < task->lookup_count; i++) {
		player_unref(task->lookups[i].player);
		free(task->lookups[i].games);
		free(task->lookups[i].standings);
		rooms_unpin(task->lookups[i].hosted);
		drop_lines(&task->lookups[i]);
	}
	task->lookup_count = 0;
}

void task_run(struct task *task)
{
	/* What has not been decided when its connection is lost need not be. */
	if (task->session == NULL) {
		task_end(task);
		return;
	}
	dispatch(task);
}

void task_restart(struct task *task)
{
	task_drop_lookups(task);
	task->restarts++;
	if (task->restarts > RESTARTS_MAX) {
		task_refuse(task, CODE_UNAVAILABLE, NULL);
		return;
	}
	task_run(task);
}

void task_end(struct task *task)
{
	struct session *session = task->session;

	task_drop_lookups(task);
	player_unref(task->player);
	spare_put(&task->play->tasks, task);
	if (session != NULL) {
		session->task = NULL;
		session_task_done(session);
	}
}

/* Look-ups. */

static struct lookup *find_lookup(struct task *task, enum lookup_kind kind, const char *key)
{
	for (size_t i = 0; i < task->lookup_count; i++) {
		if (task->lookups[i].kind == kind && strcmp(task->lookups[i].key, key) == 0) {
			return &task->lookups[i];
		}
	}
	return NULL;
}

static struct lookup *add_lookup(struct task *task, enum lookup_kind kind, const char *key)
{
	struct lookup *lookup = &task->lookups[task->lookup_count];

	assert(task->lookup_count < TASK_LOOKUPS_MAX);
	task->lookup_count++;
	*lookup = (struct lookup){.kind = kind, .state = LOOKUP_PENDING};
	message_copy(lookup->key, sizeof(lookup->key), key);
	return lookup;
}

/* Has that not been looked up yet? Then it is from now on. */
static bool begins(struct task *task, enum lookup_kind kind, const char *key,
		const struct lookup **ret_lookup)
{
	*ret_lookup = find_lookup(task, kind, key);
	if (*ret_lookup != NULL) {
		return false;
	}
	*ret_lookup = add_lookup(task, kind, key);
	task->play->under_way++;
	return true;
}

/* The answer to the one look-up that is pending; the handler begins again. */
static void looked_up(struct task *task, enum lookup_state state, struct player *player)
{
	struct lookup *lookup = &task->lookups[task->lookup_count - 1];

	task->play->under_way--;
	assert(lookup->state == LOOKUP_PENDING);
	lookup->state = state;
	if (lookup->kind == LOOKUP_ROOM && state == LOOKUP_FOUND) {
		lookup->hosted = rooms_find(task->play, lookup->key);
		rooms_pin(lookup->hosted);
	}
	lookup->player = player;
	task_run(task);
}

static const enum lookup_state state_of_found[] = {
		[STORE_FOUND] = LOOKUP_FOUND,
		[STORE_ABSENT] = LOOKUP_ABSENT,
		[STORE_NOT_READABLE] = LOOKUP_FAILED,
		[STORE_DROPPED] = LOOKUP_FOUND,
};

/* Is there place for the room that was asked for? */
static bool finds_place(struct task *task)
{
	struct lookup *lookup = &task->lookups[task->lookup_count - 1];

	lookup->is_full = !rooms_has_place(task->play, NULL);
	return !lookup->is_full;
}

static struct hosted *load(struct task *task, const struct store_finished *finished)
{
	const struct lookup *lookup = &task->lookups[task->lookup_count - 1];

	if (lookup->line_count > 0) {
		return rooms_load(task->play, lookup->line_count, lookup->lines, finished);
	}
	/* A room that is thinned has a game: without one, the store is at odds with itself. */
	return finished == NULL ? NULL : rooms_load_finished(task->play, finished);
}

static void on_game(void *arg, enum store_found found, const struct store_finished *finished)
{
	struct task *task = arg;
	struct lookup *lookup = &task->lookups[task->lookup_count - 1];
	enum lookup_state state = LOOKUP_FOUND;

	/* Another task may have loaded it meanwhile. */
	if (rooms_find(task->play, lookup->key) == NULL &&
			(found == STORE_NOT_READABLE || !finds_place(task) ||
					load(task, finished) == NULL)) {
		state = LOOKUP_FAILED;
	}
	looked_up(task, state, NULL);
}

/* What is there of a room; if it is over, its game has the names of today. */
static void on_room(void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct task *task = arg;
	struct store *store = task->play->config.store;
	struct lookup *lookup = &task->lookups[task->lookup_count - 1];

	if (state_of_found[found] != LOOKUP_FOUND) {
		looked_up(task, state_of_found[found], NULL);
		return;
	}
	lookup->line_count = found == STORE_FOUND ? count : 0;
	lookup->lines = memory_new(lookup->line_count + 1, sizeof(struct bytes *));
	for (size_t i = 0; i < lookup->line_count; i++) {
		lookup->lines[i] = bytes_ref(lines[i]);
	}
	store->ops->load_game(store, lookup->key, on_game, task);
}

static void on_player(void *arg, enum store_found found, const struct store_player *stored)
{
	struct task *task = arg;
	struct player *player = NULL;
	enum lookup_state state = state_of_found[found];

	task->play->lookups--;
	if (state == LOOKUP_FOUND) {
		player = players_load(task->play, stored);
		state = player == NULL ? LOOKUP_FAILED : LOOKUP_FOUND;
	}
	looked_up(task, state, player);
}

static enum lookup_state answer_failure(struct task *task, const struct lookup *lookup)
{
	enum lookup_state state = lookup->state;

	if (state == LOOKUP_FAILED) {
		task_refuse(task, lookup->is_full ? CODE_SERVER_FULL : CODE_UNAVAILABLE, NULL);
	}
	return state;
}

enum lookup_state task_room(struct task *task, const char *id, struct hosted **ret_hosted)
{
	struct store *store = task->play->config.store;
	struct hosted *hosted = rooms_find(task->play, id);
	const struct lookup *lookup;

	if (hosted != NULL) {
		*ret_hosted = hosted;
		return LOOKUP_FOUND;
	}
	if (begins(task, LOOKUP_ROOM, id, &lookup)) {
		store->ops->load_room(store, id, 0, on_room, task);
	}
	/* Found a moment ago and gone again can't be: it stays until the task ends. */
	assert(lookup->state != LOOKUP_FOUND);
	return answer_failure(task, lookup);
}

/* What came of looking for him, or that he is being looked for from now on. */
static struct lookup *look_for_player(struct task *task, const char *key)
{
	struct store *store = task->play->config.store;
	struct lookup *lookup = find_lookup(task, LOOKUP_KEY, key);

	if (lookup != NULL) {
		return lookup;
	}
	struct player *player = players_by_key(task->play, key);
	lookup = add_lookup(task, LOOKUP_KEY, key);
	if (player != NULL) {
		lookup->player = player_ref(player);
		lookup->state = LOOKUP_FOUND;
	} else {
		task->play->under_way++;
		task->play->lookups++;
		store->ops->load_player_by_key(store, key, on_player, task);
	}
	return lookup;
}

enum lookup_state task_player_by_key(struct task *task, const char *key, struct player **ret_player)
{
	const struct lookup *lookup = look_for_player(task, key);

	*ret_player = lookup->player;
	return answer_failure(task, lookup);
}

bool task_has_looked_for(struct task *task, const char *key)
{
	return look_for_player(task, key)->state != LOOKUP_PENDING;
}

enum lookup_state task_player_by_token(struct task *task,
		const unsigned char hash[STORE_HASH_BYTES], struct player **ret_player)
{
	struct store *store = task->play->config.store;
	struct lookup *lookup = find_lookup(task, LOOKUP_TOKEN, "");

	if (lookup == NULL) {
		struct player *player = players_by_hash(task->play, hash);
		lookup = add_lookup(task, LOOKUP_TOKEN, "");
		if (player == NULL) {
			task->play->under_way++;
			task->play->lookups++;
			store->ops->load_player_by_token(store, hash, on_player, task);
			return LOOKUP_PENDING;
		}
		lookup->player = player_ref(player);
		lookup->state = LOOKUP_FOUND;
	}
	*ret_player = lookup->player;
	return answer_failure(task, lookup);
}

/* Games. */

static void on_games(void *arg, enum store_found found, size_t count,
		const struct store_finished *games, int64_t next)
{
	struct task *task = arg;
	struct lookup *lookup = &task->lookups[task->lookup_count - 1];

	lookup->games = memory_new(count + 1, sizeof(*lookup->games));
	for (size_t i = 0; i < count; i++) {
		lookup->game_count += records_read(&games[i], &lookup->games[lookup->game_count]);
	}
	lookup->next = next;
	looked_up(task, state_of_found[found], NULL);
}

static void on_record(void *arg, enum store_found found, const struct store_finished *finished)
{
	struct task *task = arg;
	struct lookup *lookup = &task->lookups[task->lookup_count - 1];
	enum lookup_state state = state_of_found[found];

	if (state == LOOKUP_FOUND) {
		lookup->games = memory_new(1, sizeof(*lookup->games));
		state = records_read(finished, lookup->games) ? LOOKUP_FOUND : LOOKUP_FAILED;
	}
	looked_up(task, state, NULL);
}

enum lookup_state task_game(struct task *task, const char *room, const struct lookup **ret_found)
{
	struct store *store = task->play->config.store;

	if (begins(task, LOOKUP_GAME, room, ret_found)) {
		store->ops->load_game(store, room, on_record, task);
	}
	return answer_failure(task, *ret_found);
}

enum lookup_state task_games(struct task *task, const struct store_games_query *query,
		const struct lookup **ret_found)
{
	struct store *store = task->play->config.store;

	if (begins(task, LOOKUP_GAMES, "", ret_found)) {
		store->ops->load_games(store, query, on_games, task);
	}
	return answer_failure(task, *ret_found);
}

/* Ratings. */

static int64_t today(const struct task *task)
{
	return play_now(task->play) / RATING_DAY_MS;
}

static void note_standings(
		struct task *task, size_t count, const struct store_player *const *players)
{
	struct lookup *lookup = &task->lookups[task->lookup_count - 1];

	lookup->standings = memory_new(count + 1, sizeof(*lookup->standings));
	for (size_t i = 0; i < count; i++) {
		lookup->standing_count += records_read_standing(players[i], today(task),
				&lookup->standings[lookup->standing_count]);
	}
}

static void on_top(void *arg, enum store_found found, size_t count,
		const struct store_player *const *players)
{
	note_standings(arg, count, players);
	looked_up(arg, state_of_found[found], NULL);
}

static void on_standing(void *arg, enum store_found found, const struct store_player *player)
{
	struct task *task = arg;
	enum lookup_state state = state_of_found[found];

	if (state == LOOKUP_FOUND) {
		const struct lookup *lookup = &task->lookups[task->lookup_count - 1];
		note_standings(task, 1, &player);
		state = lookup->standing_count == 1 ? LOOKUP_FOUND : LOOKUP_FAILED;
		if (state == LOOKUP_FOUND && lookup->standings[0].name[0] == '\0') {
			state = LOOKUP_ABSENT;
		}
	}
	looked_up(task, state, NULL);
}

enum lookup_state task_standing(struct task *task, const char *key, const struct lookup **ret_found)
{
	struct store *store = task->play->config.store;

	if (begins(task, LOOKUP_STANDING, key, ret_found)) {
		store->ops->load_player_by_key(store, key, on_standing, task);
	}
	return answer_failure(task, *ret_found);
}

enum lookup_state task_top(struct task *task, size_t limit, const struct lookup **ret_found)
{
	struct store *store = task->play->config.store;

	if (begins(task, LOOKUP_TOP, "", ret_found)) {
		store->ops->load_top(store, today(task), limit, on_top, task);
	}
	return answer_failure(task, *ret_found);
}

bool task_is_done(struct command *command)
{
	if (command->is_lost_race) {
		task_restart(command->task);
		return false;
	}
	if (command->code != CODE_NONE) {
		task_refuse(command->task, command->code, command->message);
		return false;
	}
	return true;
}

/* A name for the nameless. */

static void guest_stored(struct command *command)
{
	struct task *task = command->task;

	if (!task_is_done(command)) {
		return;
	}
	if (task->session != NULL) {
		session_set_player(task->session, command->player);
		task->session->new_token = memory_string(task->new_token);
	}
	task->player = player_ref(command->player);
	task_run(task);
}

bool task_needs_name(struct task *task)
{
	char name[NAME_SIZE] = "guest-";

	if (task->player != NULL) {
		return true;
	}
	if (!task_may(task, RATE_NAMES)) {
		return false;
	}
	play_random_letters(task->play, GUEST_LETTERS, name + strlen(name));
	players_new_token(task->play, task->new_token);
	struct command *command = command_new(task, 0, guest_stored);
	command->has_change = true;
	player_change_new(task->play, name, true, task->new_token, &command->change);
	queue_submit(command);
	return false;
}

/* Answers. */

void task_send_ok(struct task *task, struct ok *ok)
{
	struct session *session = task->session;

	if (session == NULL) {
		return;
	}
	ok->re = task->request.id;
	ok->to = task->request.type;
	if (session->new_token != NULL) {
		/* The first `ok` since the connection was given a name tells it. */
		if ((ok->carries & OK_NAME) == 0) {
			ok->carries |= OK_YOU;
			message_copy(ok->you, sizeof(ok->you), session->player->record.name);
		}
		ok->carries |= OK_TOKEN;
		message_copy(ok->token, sizeof(ok->token), session->new_token);
		free(session->new_token);
		session->new_token = NULL;
	}
	session_send_ok(session, ok);
}

void task_ok(struct task *task, struct ok *ok)
{
	task_send_ok(task, ok);
	task_end(task);
}

static void fill_error(
		const struct task *task, enum code code, const char *message, struct error *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->re = task->request.id;
	ret->code = code;
	message_copy(ret->to, sizeof(ret->to), request_row(task->request.type)->name);
	message_copy(ret->message, sizeof(ret->message),
			message == NULL ? code_sentence(code) : message);
}

/* Who guesses at what he was not told is read more slowly, whether it is a room's id, a name or a
 * token: beyond what a player mistypes, each costs as much as many a request. */
#define GUESS_COST 50

static const bool is_guess[CODE_COUNT] = {
		[CODE_NO_SUCH_ROOM] = true,
		[CODE_NO_SUCH_PLAYER] = true,
		[CODE_NAME_TAKEN] = true,
		[CODE_BAD_TOKEN] = true,
};

static void send_error(struct task *task, const struct error *error, const struct hosted *hosted)
{
	if (task->session != NULL) {
		session_use(task->session, is_guess[error->code] ? GUESS_COST : 0);
		session_send_error(task->session, error, hosted);
	}
	task_end(task);
}

void task_refuse(struct task *task, enum code code, const char *message)
{
	struct error error;

	fill_error(task, code, message, &error);
	send_error(task, &error, NULL);
}

bool task_may(struct task *task, enum play_rate rate)
{
	struct session *session = task->session;
	struct play *play = task->play;
	uint32_t bit = (uint32_t)1 << rate;
	int64_t wait_ms;

	if ((task->rates & bit) != 0) {
		return true;
	}
	wait_ms = limits_take(&play->limits, rate, session->name, session->address, play_now(play));
	if (wait_ms == 0) {
		task->rates |= bit;
		return true;
	}
	task_refuse_for(task, wait_ms, NULL);
	return false;
}

void task_refuse_field(struct task *task, const char *field, const char *message)
{
	struct error error;

	fill_error(task, CODE_BAD_REQUEST, message, &error);
	message_copy(error.field, sizeof(error.field), field);
	send_error(task, &error, NULL);
}

void task_refuse_at(struct task *task, const char *field, int64_t at, const char *message)
{
	struct error error;

	fill_error(task, CODE_BAD_REQUEST, message, &error);
	message_copy(error.field, sizeof(error.field), field);
	error.has_at = true;
	error.at = at;
	send_error(task, &error, NULL);
}

void task_refuse_for(struct task *task, int64_t retry_ms, const char *message)
{
	struct error error;

	fill_error(task, CODE_RATE_LIMITED, message, &error);
	error.has_retry = true;
	error.retry_ms = retry_ms;
	send_error(task, &error, NULL);
}

void task_refuse_in_room(
		struct task *task, const struct command *command, const struct hosted *hosted)
{
	struct error error;
	const char *name = task->player == NULL ? "" : task->player->record.name;

	fill_error(task, command->code, command->message, &error);
	if (command->field != NULL) {
		message_copy(error.field, sizeof(error.field), command->field);
	}
	error.has_retry = command->retry_ms > 0;
	error.retry_ms = command->retry_ms;
	bool follows = task->session != NULL && followers_find(task->session, hosted) != NULL;
	if (follows || room_seat_of(&hosted->room, name) != SEAT_NONE) {
		error.has_board = true;
		error.seq = hosted->room.seq;
		room_board(&hosted->room, &error.board);
	}
	send_error(task, &error, hosted);
}
