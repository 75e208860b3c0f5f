#include "server/play/requests/requests.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/encode.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/play/bans.h"
#include "server/play/drain.h"
#include "server/play/invitations.h"
#include "server/play/operator.h"

/* Hello: after the answer this connection follows its player's rooms. */

static bool is_own_unfinished(const struct hosted *hosted, const char *name)
{
	return hosted->room.status != STATUS_OVER && room_seat_of(&hosted->room, name) != SEAT_NONE;
}

/* The answer lists the rooms before they are followed; `state` of each comes after it. */
static void answer_hello(struct task *task, const char *made_token)
{
	const char *name = task->player->record.name;
	const struct role_list *roles = rooms_of(task->play, name);
	const struct role *role;
	char(*ids)[ROOM_ID_SIZE] = memory_new(roles->count + 1, ROOM_ID_SIZE);
	struct ok ok = {.carries = OK_NAME | OK_OWN_ROOMS, .own_rooms = ids};

	message_copy(ok.name, sizeof(ok.name), name);
	TAILQ_FOREACH(role, &roles->entries, of_name)
	{
		if (is_own_unfinished(role->hosted, name)) {
			message_copy(ids[ok.own_room_count], ROOM_ID_SIZE, role->hosted->room.id);
			ok.own_room_count++;
		}
	}
	if (made_token != NULL) {
		ok.carries |= OK_TOKEN;
		message_copy(ok.token, sizeof(ok.token), made_token);
	}
	task_send_ok(task, &ok);
	free(ids);
}

static void follow_own_rooms(struct session *session)
{
	const char *name = session->player->record.name;
	const struct role *role;

	TAILQ_FOREACH(role, &rooms_of(session->play, name)->entries, of_name)
	{
		if (is_own_unfinished(role->hosted, name) && followers_add(session, role->hosted)) {
			followers_send_state(session, role->hosted);
		}
	}
}

/* True: the name may not come in, and the request was refused. */
static bool is_banned(struct task *task, const char *key)
{
	const struct ban *ban = bans_of_name(task->play, key);
	char sentence[BAN_SENTENCE_SIZE];

	if (ban == NULL) {
		return false;
	}
	bans_sentence(ban, sentence);
	task_refuse(task, CODE_NOT_ALLOWED, sentence);
	return true;
}

/* The name was banned while a change of its player was being stored: whoever came by it goes, once
 * the others in his rooms have heard who he is now. */
static void close_banned(struct command *command)
{
	const struct ban *ban = bans_of_name(command->play, command->player->key);

	if (ban != NULL) {
		(void)operator_close(command->play, &ban->whom);
	}
}

/* The connection is `player` from now on: answer, then follow. */
static void enter(struct task *task, struct player *player, const char *made_token)
{
	struct session *session = task->session;
	struct player *before = task->player;

	task->player = player_ref(player);
	if (session != NULL) {
		if (session->player != player) {
			/* The token of a guest that was never told dies with him. */
			free(session->new_token);
			session->new_token = NULL;
		}
		answer_hello(task, made_token);
		session_set_player(session, player);
		follow_own_rooms(session);
		invitations_tell_all(session);
		drain_greeted(session);
	}
	player_unref(before);
	task_end(task);
}

/* The same, unless there are too many under this name. */
static void greet(struct task *task, struct player *player, const char *made_token)
{
	const struct session *session = task->session;

	if (is_banned(task, player->key)) {
		return;
	}
	if (session != NULL && session->player != player &&
			limits_is_full(task->play->limits.most.connections_per_name,
					player->session_count)) {
		task_refuse(task, CODE_TOO_MANY_CONNECTIONS,
				"There are too many connections under this name.");
	} else {
		enter(task, player, made_token);
	}
}

/* Does a new name matter in it? In those that wait or run, and where a rematch may still be asked
 * for. Not in one that closed before anybody played: the store may have dropped it. */
static bool takes_new_name(const struct room *room)
{
	bool was_played = room->started_ms != 0;

	return room->rematch[0] == '\0' && (was_played || room->status != STATUS_OVER);
}

size_t requests_rooms_to_rename(
		const struct play *play, const char *name, struct hosted **ret_rooms)
{
	const struct role *role;
	size_t count = 0;

	TAILQ_FOREACH(role, &rooms_of(play, name)->entries, of_name)
	{
		const struct room *room = &role->hosted->room;
		if (room_seat_of(room, name) != SEAT_NONE && takes_new_name(room)) {
			ret_rooms[count] = role->hosted;
			count++;
		}
	}
	return count;
}

/* Seats that were still being stored under a guest's name when he claimed another get his name now,
 * before he is told which rooms are his. */

static const char *made_token_of(const struct task *task)
{
	return task->new_token[0] == '\0' ? NULL : task->new_token;
}

static void late_seats_renamed(struct command *command)
{
	struct task *task = command->task;

	/* If it could not be stored, the next hello tries again. */
	greet(task, task->player, made_token_of(task));
}

/* The connection is `player` from now on: see to his late seats, and greet him. */
static void welcome(struct task *task, struct player *player)
{
	const struct player_record *record = &player->record;
	size_t most = rooms_of(task->play, record->former)->count;
	struct hosted **rooms = memory_new(most + 1, sizeof(struct hosted *));
	size_t count = requests_rooms_to_rename(task->play, record->former, rooms);

	if (count == 0) {
		greet(task, player, made_token_of(task));
	} else {
		struct player *before = task->player;
		task->player = player_ref(player);
		player_unref(before);
		struct command *command = command_new(task, count, late_seats_renamed);
		for (size_t i = 0; i < count; i++) {
			requests_rename(command, rooms[i]);
		}
		queue_submit(command);
	}
	free(rooms);
}

/* Who proved that he is `player`, and asked for another token, has it made here, or has chosen it.
 * Whoever came by the old one has no more of it: his connections are closed. */

static void renewed(struct command *command)
{
	struct task *task = command->task;

	if (!task_is_done(command)) {
		return;
	}
	log_event(LOG_INFO, "token_renewed", "name=%s", log_text(command->player->record.name));
	operator_close_player(command->player, task->session);
	if (task->session != NULL && task->session->player == command->player) {
		/* It was not told yet, and is void. */
		free(task->session->new_token);
		task->session->new_token = NULL;
	}
	/* However many there were: a token that is stored has to be told. */
	enter(task, command->player, made_token_of(task));
}

static void renew(struct task *task, struct player *player, const char *chosen)
{
	if (is_banned(task, player->key)) {
		return;
	}
	if (task->session->closing) {
		/* Another connection under the name was first: it stays, this one is closed. */
		task_refuse(task, CODE_NOT_ALLOWED, "This connection is being closed.");
		return;
	}
	struct command *command = command_new(task, 0, renewed);
	command->told = close_banned;
	task->new_token[0] = '\0';
	if (chosen == NULL) {
		players_new_token(task->play, task->new_token);
	}
	command->has_change = true;
	player_change_renew(player, chosen == NULL ? task->new_token : chosen, &command->change);
	queue_submit(command);
}

static bool wants_renewal(const struct task *task)
{
	return (task->request.has & HAS_RENEW) != 0 && task->request.renew;
}

/* He has proved who he is. */
static void come_back(struct task *task, struct player *player)
{
	if (wants_renewal(task)) {
		renew(task, player, NULL);
	} else {
		task->new_token[0] = '\0';
		welcome(task, player);
	}
}

static void claimed(struct command *command)
{
	struct task *task = command->task;

	if (task_is_done(command)) {
		log_event(LOG_INFO, "name_claimed", "name=%s",
				log_text(command->player->record.name));
		if (task->session != NULL) {
			/* It was the guest's, and is void. */
			free(task->session->new_token);
			task->session->new_token = NULL;
		}
		welcome(task, command->player);
	}
}

static void submit_claim(struct task *task, const char *name, const char *token)
{
	struct player *guest = task->player;
	struct play *play = task->play;

	if (!task_may(task, RATE_NAMES)) {
		return;
	}
	if (guest == NULL || !guest->record.guest) {
		struct command *command = command_new(task, 0, claimed);
		command->told = close_banned;
		command->has_change = true;
		player_change_new(play, name, false, token, &command->change);
		queue_submit(command);
		return;
	}
	size_t most = rooms_of(play, guest->record.name)->count;
	struct hosted **rooms = memory_new(most + 1, sizeof(struct hosted *));
	size_t count = requests_rooms_to_rename(play, guest->record.name, rooms);
	struct command *command = command_new(task, count, claimed);
	command->told = close_banned;
	command->has_change = true;
	player_change_rename(guest, name, token, &command->change);
	for (size_t i = 0; i < count; i++) {
		command_add(command, rooms[i], ROOM_RENAME)->new_name = command->change.record.name;
	}
	free(rooms);
	queue_submit(command);
}

/* The token of a name that is to be claimed has an owner already. If he has this very name, his
 * claim was the same one and was stored since the name was looked up. */
static void token_has_owner(struct task *task, const char *name, struct player *owner)
{
	char key[NAME_KEY_SIZE];
	char owner_key[NAME_KEY_SIZE];

	name_key(name, key);
	name_key(owner->record.name, owner_key);
	if (strcmp(key, owner_key) == 0) {
		task->new_token[0] = '\0';
		welcome(task, owner);
	} else {
		task_refuse(task, CODE_BAD_TOKEN, "That token belongs to another name.");
	}
}

static void claim(struct task *task, const char *name)
{
	if (name_is_reserved(name)) {
		task_refuse(task, CODE_BAD_NAME, "That name is reserved.");
		return;
	}
	if ((task->request.has & HAS_TOKEN) != 0) {
		struct player *holder = NULL;
		unsigned char hash[STORE_HASH_BYTES];
		players_hash_token(task->request.token, hash);
		switch (task_player_by_token(task, hash, &holder)) {
		case LOOKUP_ABSENT:
			break;
		case LOOKUP_FOUND:
			token_has_owner(task, name, holder);
			return;
		case LOOKUP_PENDING:
		case LOOKUP_FAILED:
			return;
		}
		task->new_token[0] = '\0';
		submit_claim(task, name, task->request.token);
		return;
	}
	players_new_token(task->play, task->new_token);
	submit_claim(task, name, task->new_token);
}

/* The connection's own player has chosen his next token, which must be nobody's. */
static void renew_by_choice(struct task *task)
{
	struct player *owner = NULL;
	unsigned char hash[STORE_HASH_BYTES];

	players_hash_token(task->request.token, hash);
	switch (task_player_by_token(task, hash, &owner)) {
	case LOOKUP_ABSENT:
		renew(task, task->player, task->request.token);
		return;
	case LOOKUP_FOUND:
		task_refuse(task, CODE_BAD_TOKEN, "That token belongs to another name.");
		return;
	case LOOKUP_PENDING:
	case LOOKUP_FAILED:
		return;
	}
}

static void hello_by_name(struct task *task)
{
	char name[NAME_SIZE];
	char key[NAME_KEY_SIZE];
	unsigned char hash[STORE_HASH_BYTES];
	struct player *player = NULL;
	bool has_token = (task->request.has & HAS_TOKEN) != 0;

	if (!name_normalise(task->request.name, name)) {
		task_refuse(task, CODE_BAD_NAME, NULL);
		return;
	}
	name_key(name, key);
	if (is_banned(task, key)) {
		return;
	}
	switch (task_player_by_key(task, key, &player)) {
	case LOOKUP_ABSENT:
		claim(task, name);
		return;
	case LOOKUP_FOUND:
		break;
	case LOOKUP_PENDING:
	case LOOKUP_FAILED:
		return;
	}
	players_hash_token(task->request.token, hash);
	bool is_his = has_token ? memcmp(hash, player->token_hash, sizeof(hash)) == 0
				: player == task->player;
	if (is_his) {
		come_back(task, player);
	} else if (has_token && player == task->player && wants_renewal(task)) {
		renew_by_choice(task);
	} else {
		task_refuse(task, CODE_NAME_TAKEN, NULL);
	}
}

static void hello_by_token(struct task *task)
{
	unsigned char hash[STORE_HASH_BYTES];
	struct player *player = NULL;

	players_hash_token(task->request.token, hash);
	switch (task_player_by_token(task, hash, &player)) {
	case LOOKUP_FOUND:
		task->token_was_anothers = player != task->player;
		come_back(task, player);
		return;
	case LOOKUP_ABSENT:
		if (wants_renewal(task) && task->player != NULL && !task->token_was_anothers) {
			renew(task, task->player, task->request.token);
		} else {
			task_refuse(task, CODE_BAD_TOKEN, NULL);
		}
		return;
	case LOOKUP_PENDING:
	case LOOKUP_FAILED:
		return;
	}
}

void requests_hello(struct task *task)
{
	const struct request *request = &task->request;

	if ((request->has & HAS_PROTOCOL) != 0 && request->protocol != PROTOCOL_VERSION) {
		task_refuse(task, CODE_BAD_PROTOCOL, NULL);
	} else if ((request->has & HAS_NAME) != 0) {
		hello_by_name(task);
	} else if ((request->has & HAS_TOKEN) != 0) {
		hello_by_token(task);
	} else if (task->player != NULL && wants_renewal(task)) {
		renew(task, task->player, NULL);
	} else if (task_needs_name(task)) {
		greet(task, task->player, NULL);
	}
}

void requests_text(struct task *task)
{
	struct ok ok = {.carries = OK_MODE, .mode = task->request.mode};

	/* The answer comes in the new way: in `only` there is no more JSON, in `off` no word. */
	task->session->text = task->request.mode;
	task_ok(task, &ok);
}

void requests_ping(struct task *task)
{
	struct ok ok = {.carries = OK_NOW, .now_ms = play_now(task->play)};

	task_ok(task, &ok);
}

void requests_quit(struct task *task)
{
	struct ok ok = {0};

	session_close(task->session, BYE_QUIT);
	task_ok(task, &ok);
}
