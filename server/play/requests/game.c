#include "server/play/requests/requests.h"

#include <string.h>

#include "server/play/bots.h"

/* Acts in a game: each goes through the room's queue. */

static void acted(struct command *command)
{
	const struct hosted *hosted = command->parts[0].hosted;
	struct ok ok = {.carries = OK_ROOM | OK_SEQ};

	if (command->code != CODE_NONE) {
		task_refuse_in_room(command->task, command, hosted);
		return;
	}
	message_copy(ok.room, sizeof(ok.room), hosted->room.id);
	ok.seq = command_seq(command);
	if (hosted->room.rematch[0] != '\0') {
		ok.carries |= OK_NEW;
		message_copy(ok.new_room, sizeof(ok.new_room), hosted->room.rematch);
	}
	/* A bot that had no time for a rematch is asked again. */
	bots_see(command->parts[0].hosted);
	task_ok(command->task, &ok);
}

/* A command of this kind in the room that the request is about, or NULL. */
static struct command *act(struct task *task, enum room_command_kind kind)
{
	struct hosted *hosted = requests_room(task);

	if (hosted == NULL) {
		return NULL;
	}
	struct command *command = command_new(task, kind == ROOM_REMATCH ? 2 : 1, acted);
	struct room_command *args = command_add(command, hosted, kind);
	args->has_number = (task->request.has & HAS_MOVE) != 0;
	args->number = task->request.move;
	return command;
}

static void act_plainly(struct task *task, enum room_command_kind kind)
{
	struct command *command = act(task, kind);

	if (command != NULL) {
		queue_submit(command);
	}
}

void requests_move(struct task *task)
{
	struct command *command = act(task, ROOM_MOVE);

	if (command != NULL) {
		struct room_command *args = &command->parts[0].args;
		args->square_count = task->request.square_count;
		memcpy(args->squares, task->request.squares, sizeof(args->squares));
		queue_submit(command);
	}
}

void requests_collapse(struct task *task)
{
	struct command *command = act(task, ROOM_COLLAPSE);

	if (command != NULL) {
		struct room_command *args = &command->parts[0].args;
		args->squares[0] = task->request.square;
		args->mark_seat = task->request.mark_seat;
		args->mark = task->request.mark_number;
		queue_submit(command);
	}
}

void requests_resign(struct task *task)
{
	act_plainly(task, ROOM_RESIGN);
}

void requests_abort(struct task *task)
{
	act_plainly(task, ROOM_ABORT);
}

void requests_claim(struct task *task)
{
	act_plainly(task, ROOM_CLAIM);
}

void requests_draw(struct task *task)
{
	struct command *command = act(task, ROOM_DRAW);

	if (command != NULL) {
		command->parts[0].args.has_accept = (task->request.has & HAS_ACCEPT) != 0;
		command->parts[0].args.accept = task->request.accept;
		queue_submit(command);
	}
}

/* Rematch. */

static void follow_rematch(struct command *command)
{
	if (command->part_count > 1) {
		followers_go_on(command->parts[0].hosted, command->parts[1].hosted);
	}
}

void requests_rematch(struct task *task)
{
	const struct hosted *hosted = requests_room(task);

	if (hosted == NULL || !requests_may_ask_rematch(task, hosted)) {
		return;
	}
	struct command *command = act(task, ROOM_REMATCH);
	if (command != NULL) {
		command->told = follow_rematch;
		queue_submit(command);
	}
}

/* Say. */

/* Players' words go to everyone; watchers' words to watchers until the game is over. Nobody hears
 * whom he has muted. */
static bool hears(const struct session *session, const struct hosted *hosted,
		const struct event *event)
{
	if (session->player == NULL) {
		return true;
	}
	const char *name = session->player->record.name;
	bool is_among_watchers =
			event->said.seat == SEAT_NONE && hosted->room.status != STATUS_OVER;
	if (is_among_watchers && room_seat_of(&hosted->room, name) != SEAT_NONE) {
		return false;
	}
	return !player_has_muted(session->player, event->said.player);
}

void requests_say(struct task *task)
{
	struct hosted *hosted = requests_room(task);
	struct event event = {.type = EVENT_SAID};
	struct ok ok = {.carries = OK_ROOM};

	if (hosted == NULL) {
		return;
	}
	const char *name = task->player->record.name;
	event.said.seat = room_seat_of(&hosted->room, name);
	if (event.said.seat == SEAT_NONE && followers_find(task->session, hosted) == NULL) {
		task_refuse(task, CODE_NOT_IN_ROOM, NULL);
		return;
	}
	if (!task_may(task, RATE_SAYS)) {
		return;
	}
	message_copy(event.room, sizeof(event.room), hosted->room.id);
	message_copy(event.said.player, sizeof(event.said.player), name);
	message_copy(event.said.text, sizeof(event.said.text), task->request.text);
	message_copy(ok.room, sizeof(ok.room), hosted->room.id);
	task_send_ok(task, &ok);
	rooms_keep_said(hosted, event.said.seat, name, event.said.text);
	followers_tell_event(hosted, &event, hears);
	task_end(task);
}
