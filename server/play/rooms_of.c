/* The rooms of a name. */
#include <string.h>

#include "server/play/queue.h"

const struct role_list *rooms_of(const struct play *play, const char *name)
{
	static struct role_list none = {.entries = TAILQ_HEAD_INITIALIZER(none.entries)};
	const struct role_list *list = map_get(&play->roles, name);

	return list == NULL ? &none : list;
}

struct hosted *rooms_game_of(const struct play *play, const char *name)
{
	const struct role *role;

	TAILQ_FOREACH(role, &rooms_of(play, name)->entries, of_name)
	{
		const struct room *room = &role->hosted->room;
		if (room->status == STATUS_PLAYING && room_seat_of(room, name) != SEAT_NONE) {
			return role->hosted;
		}
	}
	return NULL;
}

bool rooms_may_go_on(const struct hosted *hosted)
{
	const struct room *room = &hosted->room;
	const struct part *part;
	bool may = false;

	TAILQ_FOREACH(part, &hosted->queue, in_queue)
	{
		may = may || part->args.kind == ROOM_REMATCH;
	}
	return may && room->status == STATUS_OVER && room->rematch[0] == '\0';
}

size_t rooms_sat_in(const struct play *play, const char *name, const struct hosted *but)
{
	const struct role *role;
	size_t count = 0;

	TAILQ_FOREACH(role, &rooms_of(play, name)->entries, of_name)
	{
		const struct hosted *hosted = role->hosted;
		count += hosted != but && room_seat_of(&hosted->room, name) != SEAT_NONE &&
			 (hosted->room.status != STATUS_OVER || rooms_may_go_on(hosted));
	}
	return count;
}

bool rooms_seats_come(const struct player *player)
{
	const struct role *role;

	TAILQ_FOREACH(role, &rooms_of(player->play, player->record.name)->entries, of_name)
	{
		if (rooms_may_go_on(role->hosted)) {
			return true;
		}
	}
	return player->seats_to_come > 0;
}

static bool counts(const struct player *invited, const char *creator, const char *by)
{
	return by == NULL ? !player_has_muted(invited, creator) : strcmp(creator, by) == 0;
}

size_t rooms_invited_to(const struct play *play, const struct player *player, const char *by)
{
	const char *name = player->record.name;
	const struct command *command;
	const struct role *role;
	size_t count = 0;

	TAILQ_FOREACH(role, &rooms_of(play, name)->entries, of_name)
	{
		const struct room *room = &role->hosted->room;
		count += room->status == STATUS_WAITING && strcmp(room->opponent, name) == 0 &&
			 counts(player, room->creator, by);
	}
	TAILQ_FOREACH(command, &player->invitations, of_invited)
	{
		count += counts(player, command->sits->record.name, by);
	}
	return count;
}
