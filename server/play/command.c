/* Making commands. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "server/ops/memory.h"
#include "server/play/queue.h"
#include "server/play/task.h"

struct command *command_new_unasked(struct play *play, size_t place_count, command_fn *done)
{
	size_t size = sizeof(struct command) + place_count * sizeof(struct part);
	struct command *command = place_count == 1 ? spare_take(&play->commands, size)
						   : memory_resize(NULL, 1, size);

	*command = (struct command){.play = play, .done = done, .place_count = place_count};
	command->retry.owner = command;
	return command;
}

struct command *command_new(struct task *task, size_t place_count, command_fn *done)
{
	struct command *command = command_new_unasked(task->play, place_count, done);

	command->task = task;
	return command;
}

void command_free(struct command *command)
{
	if (command->place_count == 1) {
		spare_put(&command->play->commands, command);
	} else {
		free(command);
	}
}

static struct part *add_part(struct command *command, struct hosted *hosted)
{
	struct part *part = &command->parts[command->part_count];

	assert(command->part_count < command->place_count);
	command->part_count++;
	memset(part, 0, offsetof(struct part, events));
	part->command = command;
	part->hosted = hosted;
	return part;
}

struct room_command *command_add(
		struct command *command, struct hosted *hosted, enum room_command_kind kind)
{
	struct part *part = add_part(command, hosted);

	part->args.kind = kind;
	part->args.player = "";
	part->args.watch = &hosted->watch;
	if (command->task == NULL) {
		part->args.arrived_ms = play_now(command->play);
		return &part->args;
	}
	part->args.arrived_ms = command->task->arrived_ms;
	if (command->task->player != NULL) {
		/* By reference: while the command waits its player may get a new name, and so do
		 * the seats of the room. */
		part->args.player = command->task->player->record.name;
	}
	return &part->args;
}

void command_sits(struct command *command, struct player *player)
{
	command->sits = player_ref(player);
	player->seats_to_come++;
}

void command_invites(struct command *command, struct player *player)
{
	assert(command->sits != NULL);
	command->invited = player_ref(player);
	TAILQ_INSERT_TAIL(&player->invitations, command, of_invited);
}

int64_t command_seq(const struct command *command)
{
	const struct part *part = &command->parts[0];

	return part->count > 0 ? part->events[0].seq : part->hosted->room.seq;
}
