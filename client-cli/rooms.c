#include "client-cli/rooms.h"

#include <stdio.h>
#include <string.h>

struct tell_room *rooms_find(struct rooms *rooms, const char *id)
{
	for (size_t i = 0; i < rooms->count; i++) {
		if (strcmp(rooms->seen[i].id, id) == 0) {
			return &rooms->seen[i];
		}
	}
	return NULL;
}

static void rooms_drop_at(struct rooms *rooms, size_t index)
{
	rooms->count--;
	memmove(&rooms->seen[index], &rooms->seen[index + 1],
			(rooms->count - index) * sizeof(rooms->seen[0]));
}

void rooms_drop(struct rooms *rooms, const char *id)
{
	struct tell_room *room = rooms_find(rooms, id);

	if (room) {
		rooms_drop_at(rooms, (size_t)(room - rooms->seen));
	}
}

static void rooms_make_place(struct rooms *rooms)
{
	size_t index = 0;

	while (index < rooms->count && rooms->seen[index].status != STATUS_OVER) {
		index++;
	}
	rooms_drop_at(rooms, index < rooms->count ? index : 0);
}

struct tell_room *rooms_see(struct rooms *rooms, const char *id)
{
	struct tell_room *room = rooms_find(rooms, id);

	if (room) {
		return room;
	}
	if (rooms->count == LIMIT_ROOMS_FOLLOWED) {
		rooms_make_place(rooms);
	}
	room = &rooms->seen[rooms->count++];
	*room = (struct tell_room){.status = STATUS_WAITING};
	snprintf(room->id, sizeof(room->id), "%s", id);
	return room;
}

size_t rooms_running(const struct rooms *rooms)
{
	size_t running = 0;

	for (size_t i = 0; i < rooms->count; i++) {
		running += rooms->seen[i].status != STATUS_OVER;
	}
	return running;
}

struct tell_room *rooms_only(struct rooms *rooms)
{
	struct tell_room *only = NULL;

	for (size_t i = 0; i < rooms->count; i++) {
		if (rooms->seen[i].status != STATUS_OVER) {
			if (only) {
				return NULL;
			}
			only = &rooms->seen[i];
		}
	}
	return only;
}

void room_seat_player(
		const struct rooms *rooms, struct tell_room *room, enum seat seat, const char *name)
{
	if (seat == SEAT_NONE) {
		return;
	}
	snprintf(room->players[seat - SEAT_X], NAME_SIZE, "%s", name);
	if (name[0] != '\0' && strcmp(name, rooms->name) == 0) {
		room->seat = seat;
	}
}

void room_keep_seat(const struct rooms *rooms, struct tell_room *room, const char *name)
{
	bool is_ours = strcmp(name, rooms->name) == 0;

	message_copy(room->kept_for, sizeof(room->kept_for), is_ours ? "" : name);
}
