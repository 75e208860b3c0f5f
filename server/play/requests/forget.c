#include <stdlib.h>
#include <string.h>

#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/play/requests/requests.h"

/* Until who takes a seat right now on another connection, or is invited, may try again. */
#define AGAIN_MS 1000

/* Every room in memory that shows the name goes with the same commit: those that wait for him or
 * with him are closed, in the others he is called otherwise. But for those that closed before
 * anybody played: the store may have dropped them. */
static bool is_concerned(const struct room *room, const char *name)
{
	bool was_played = room->started_ms != 0;

	return room->status == STATUS_WAITING ||
	       (was_played && room_seat_of(room, name) != SEAT_NONE);
}

static void add_rooms(struct command *command, const struct role_list *roles)
{
	const struct role *role;

	TAILQ_FOREACH(role, &roles->entries, of_name)
	{
		if (is_concerned(&role->hosted->room, roles->name)) {
			command_add(command, role->hosted, ROOM_FORGET)->new_name =
					command->change.record.name;
		}
	}
}

/* What he said, in the rooms that he sat in and those that his connections follow. */
static void forget_chat(const struct command *command, const char *before)
{
	const struct player *player = command->player;
	const char *now = player->record.name;
	const struct session *session;
	const struct follower *follower;

	for (size_t i = 0; i < command->part_count; i++) {
		rooms_rename_said(command->parts[i].hosted, before, now);
	}
	TAILQ_FOREACH(session, &player->sessions, of_player)
	{
		TAILQ_FOREACH(follower, &session->running, of_session)
		{
			rooms_rename_said(follower->hosted, before, now);
		}
		TAILQ_FOREACH(follower, &session->ended, of_session)
		{
			if (follower->hosted != NULL) {
				rooms_rename_said(follower->hosted, before, now);
			}
		}
	}
}

static void forgotten(struct command *command)
{
	struct task *task = command->task;
	struct session *session = task->session;
	struct ok ok = {0};

	command->change.player->releases--;
	if (command->code == CODE_TOO_EARLY) {
		/* Somebody has joined him meanwhile. */
		task_run(task);
		return;
	}
	if (!task_is_done(command)) {
		return;
	}
	log_event(LOG_INFO, "name_given_up", "now=%s", log_text(command->player->record.name));
	forget_chat(command, command->kept.record.name);
	command->asker = session;
	if (session != NULL) {
		/* A guest's that was not told yet. */
		free(session->new_token);
		session->new_token = NULL;
	}
	task_ok(task, &ok);
}

/* Those in his rooms have heard that he is called otherwise: now that he goes. The asker may be
 * gone already: then he is none of these. */
static void all_told(struct command *command)
{
	struct session *session = TAILQ_FIRST(&command->player->sessions);

	while (session != NULL) {
		struct session *next = TAILQ_NEXT(session, of_player);
		session_close(session, session == command->asker ? BYE_QUIT : BYE_KICKED);
		session = next;
	}
}

/* His games are resigned one after the other, each as he could have done himself: then there is one
 * commit that needs no game's end. */

static void resigned(struct command *command)
{
	if (command->code == CODE_UNAVAILABLE) {
		task_refuse(command->task, CODE_UNAVAILABLE, NULL);
	} else {
		/* Or it ended otherwise. */
		task_run(command->task);
	}
}

static void resign(struct task *task, struct hosted *game)
{
	struct command *command = command_new(task, 1, resigned);
	struct follower *follower = followers_find(task->session, game);

	/* What it causes may not come to the asker before his answer. */
	if (follower != NULL) {
		followers_remove(follower);
	}
	command_add(command, game, ROOM_RESIGN);
	queue_submit(command);
}

void requests_forget(struct task *task)
{
	struct player *player = task->player;
	struct command *command;

	if (player == NULL) {
		task_refuse(task, CODE_NOT_ALLOWED, "You have no name that you could give up.");
		return;
	}
	if (rooms_seats_come(player) || !TAILQ_EMPTY(&player->invitations)) {
		task_refuse_for(task, AGAIN_MS,
				"You are just taking a seat, or being invited: ask again.");
		return;
	}
	struct hosted *game = rooms_game_of(task->play, player->record.name);
	if (game != NULL) {
		resign(task, game);
		return;
	}
	const struct role_list *roles = rooms_of(task->play, player->record.name);
	player->releases++;
	command = command_new(task, roles->count, forgotten);
	command->told = all_told;
	command->has_change = true;
	player_change_forget(player, &command->change);
	command->keeps_name = true;
	player_change_keep_name(task->play, player->record.name, &command->kept);
	add_rooms(command, roles);
	queue_submit(command);
}
