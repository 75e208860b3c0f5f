#include "server/play/requests/requests.h"

#include <string.h>

#include "server/play/rated.h"

/* When no room is named, the only one followed that is not over is meant, or else the one that
 * ended last. From here on the request is about that one: should it have to be read first, others
 * may end meanwhile. False: it was refused. */
static bool name_room(struct task *task)
{
	const struct session *session = task->session;
	const struct follower *follower = TAILQ_FIRST(&session->running);

	if (session->running_count > 1) {
		task_refuse_field(task, "room",
				"You follow several rooms: say which one by room=ID.");
		return false;
	}
	if (follower == NULL) {
		follower = TAILQ_LAST(&session->ended, follower_list);
	}
	if (follower == NULL) {
		task_refuse(task, CODE_NOT_IN_ROOM, NULL);
		return false;
	}
	task->request.has |= HAS_ROOM;
	message_copy(task->request.room, sizeof(task->request.room), followers_room(follower));
	return true;
}

struct hosted *requests_room(struct task *task)
{
	struct hosted *hosted = NULL;

	if ((task->request.has & HAS_ROOM) == 0 && !name_room(task)) {
		return NULL;
	}
	switch (task_room(task, task->request.room, &hosted)) {
	case LOOKUP_FOUND:
		rooms_maybe_leave(hosted);
		return hosted;
	case LOOKUP_ABSENT:
		followers_lose(task->play, task->request.room);
		task_refuse(task, CODE_NO_SUCH_ROOM, NULL);
		return NULL;
	case LOOKUP_PENDING:
	case LOOKUP_FAILED:
		return NULL;
	}
	return NULL;
}

static struct player *find_player(struct task *task, const char *typed, bool may_be_gone)
{
	char name[NAME_SIZE];
	char key[NAME_KEY_SIZE];
	struct player *player = NULL;
	enum lookup_state state = LOOKUP_ABSENT;

	if (name_normalise(typed, name)) {
		name_key(name, key);
		state = task_player_by_key(task, key, &player);
	}
	/* Nobody hears any more who has no name, and nobody is called by one that is only kept. */
	if (state == LOOKUP_FOUND &&
			(player->record.given_up ||
					(room_is_gone(player->record.name) && !may_be_gone))) {
		state = LOOKUP_ABSENT;
	}
	if (state == LOOKUP_ABSENT) {
		task_refuse(task, CODE_NO_SUCH_PLAYER, NULL);
	}
	return state == LOOKUP_FOUND ? player : NULL;
}

struct player *requests_player(struct task *task, const char *typed)
{
	return find_player(task, typed, false);
}

struct player *requests_past_player(struct task *task, const char *typed)
{
	return find_player(task, typed, true);
}

bool requests_know_ratings(struct task *task, const struct hosted *hosted)
{
	char key[NAME_KEY_SIZE];
	bool knows = true;

	for (int i = 0; i < 2 && knows; i++) {
		const char *name = hosted->room.players[i];
		if (room_has_rating(name) && !rated_shown(task->play, name).set) {
			name_key(name, key);
			knows = task_has_looked_for(task, key);
		}
	}
	return knows;
}

void requests_fill_state(const struct task *task, const struct hosted *hosted, struct ok *ret_ok,
		struct snapshot *ret_snapshot)
{
	*ret_ok = (struct ok){.carries = OK_ROOM | OK_STATE, .state = ret_snapshot};
	message_copy(ret_ok->room, sizeof(ret_ok->room), hosted->room.id);
	rooms_snapshot(hosted, task->player, ret_snapshot);
}

void requests_answer_seated(struct task *task, struct hosted *hosted)
{
	struct snapshot snapshot;
	struct ok ok;
	const char *name = task->player->record.name;

	if (task->session != NULL) {
		followers_add(task->session, hosted);
	}
	requests_fill_state(task, hosted, &ok, &snapshot);
	ok.carries |= OK_YOU | OK_SEAT;
	message_copy(ok.you, sizeof(ok.you), name);
	ok.seat = room_seat_of(&hosted->room, name);
	task_ok(task, &ok);
}

void requests_rename(struct command *command, struct hosted *hosted)
{
	const struct player_record *record = &command->task->player->record;
	struct room_command *args = command_add(command, hosted, ROOM_RENAME);

	args->player = record->former;
	args->new_name = record->name;
}
