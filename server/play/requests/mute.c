#include <string.h>

#include "server/play/name.h"
#include "server/play/players.h"
#include "server/play/queue.h"
#include "server/play/requests/requests.h"
#include "server/play/task.h"

/* What a name costs that has to be looked up. */
#define LOOK_COST 2

static void answer_muted(struct task *task)
{
	const struct player_record *record = &task->player->record;
	struct ok ok = {.carries = OK_MUTED,
			.muted_count = record->muted_count,
			.muted = record->muted};

	task_ok(task, &ok);
}

static void muted(struct command *command)
{
	if (task_is_done(command)) {
		answer_muted(command->task);
	}
}

/* The name on one's list that was typed, NULL if there is none such. */
static const char *listed(const struct task *task, const char *typed)
{
	const struct player_record *record = &task->player->record;
	char name[NAME_SIZE];
	char key[NAME_KEY_SIZE];
	char listed_key[NAME_KEY_SIZE];

	if (!name_normalise(typed, name)) {
		return NULL;
	}
	name_key(name, key);
	for (size_t i = 0; i < record->muted_count; i++) {
		name_key(record->muted[i], listed_key);
		if (strcmp(key, listed_key) == 0) {
			return record->muted[i];
		}
	}
	return NULL;
}

/* Does nobody have the name of that look-up any more? A guest's stays: he may be called otherwise.
 */
static bool is_given_up(const char *name, enum lookup_state state, const struct player *player)
{
	return !name_is_reserved(name) && (state == LOOKUP_ABSENT || player->record.given_up);
}

/* Is it known of each name on one's list whether somebody has it? False: return. They are looked up
 * one after the other, as the list may be long. */
static bool knows_given_up(struct task *task)
{
	const struct player *own = task->player;
	struct task_muted *list = &task->muted;

	if (list->version != own->version) {
		*list = (struct task_muted){.version = own->version};
	}
	while (list->known < own->record.muted_count && list->known < PLAYER_MUTED_MAX) {
		const char *name = own->record.muted[list->known];
		struct player *player = NULL;
		char key[NAME_KEY_SIZE];

		name_key(name, key);
		enum lookup_state state = task_player_by_key(task, key, &player);
		if (state == LOOKUP_PENDING) {
			session_use(task->session, LOOK_COST);
		}
		if (state == LOOKUP_PENDING || state == LOOKUP_FAILED) {
			return false;
		}
		list->is_given_up[list->known] = is_given_up(name, state, player);
		list->given_up += list->is_given_up[list->known];
		list->known++;
		task_drop_lookups(task);
	}
	return true;
}

/* Takes that name off the list (NULL: none), and those that were given up. */
static void unmute(struct task *task, const char *name)
{
	struct command *command = command_new(task, 0, muted);

	command->has_change = true;
	player_change_unmute(task->player, task->muted.is_given_up, name, &command->change);
	queue_submit(command);
}

static void mute(struct task *task, const struct player *other, bool on)
{
	struct command *command = command_new(task, 0, muted);

	command->has_change = true;
	player_change_mute(task->player, task->muted.is_given_up, other, on, &command->change);
	queue_submit(command);
}

void requests_mute(struct task *task)
{
	const struct request *request = &task->request;
	bool on = (request->has & HAS_ON) == 0 || request->on;

	if (!knows_given_up(task)) {
		return;
	}
	const char *on_list = on ? NULL : listed(task, request->name);
	/* Nobody need have that name any more: a guest may be forgotten, or called otherwise. */
	if (on_list != NULL) {
		unmute(task, on_list);
		return;
	}
	const struct player *other = requests_player(task, request->name);
	if (other == NULL) {
		return;
	}
	size_t given_up = task->muted.given_up;
	if (other == task->player) {
		task_refuse_field(task, "name", "You can't mute yourself.");
	} else if (on == player_has_muted(task->player, other->record.name)) {
		if (given_up > 0) {
			unmute(task, NULL);
		} else {
			answer_muted(task);
		}
	} else if (on && task->player->record.muted_count - given_up == PLAYER_MUTED_MAX) {
		task_refuse(task, CODE_NOT_ALLOWED, "Your list of muted names is full.");
	} else {
		mute(task, other, on);
	}
}
