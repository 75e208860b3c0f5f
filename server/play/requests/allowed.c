#include "server/play/requests/requests.h"

#include <assert.h>

#include "server/play/drain.h"
#include "server/play/name.h"
#include "server/play/players.h"

/* What limits.h counts, asked for where a request would add to it. */

/* One more seat; `but` that room, of which it would come. */
static bool may_take_seat(struct task *task, const struct hosted *but)
{
	const struct player *player = task->player;

	/* Only who has a name takes a seat. */
	assert(player != NULL);
	if (player->releases > 0) {
		task_refuse(task, CODE_UNAVAILABLE, NULL);
		return false;
	}
	if (task->play->drain.on) {
		task_refuse(task, CODE_SERVER_FULL, DRAIN_SENTENCE);
		return false;
	}
	if (limits_is_full(task->play->limits.most.rooms_per_name,
			    rooms_sat_in(task->play, player->record.name, but) +
					    player->seats_to_come)) {
		task_refuse(task, CODE_TOO_MANY_ROOMS, "You sit in as many rooms as one may.");
		return false;
	}
	return true;
}

bool requests_may_sit(struct task *task, const struct hosted *hosted)
{
	const char *name = task->player->record.name;

	return room_seat_of(&hosted->room, name) != SEAT_NONE || may_take_seat(task, NULL);
}

bool requests_may_open(struct task *task, const struct hosted *keep)
{
	if (!may_take_seat(task, keep)) {
		return false;
	}
	if (!rooms_has_place(task->play, keep)) {
		task_refuse(task, CODE_SERVER_FULL, NULL);
		return false;
	}
	return task_may(task, RATE_OPENS);
}

/* Of the invitations that wait for somebody, from one name: nobody is to take all places. */
#define INVITES_FROM_ONE 4

bool requests_may_invite(struct task *task, const struct player *player)
{
	const struct play *play = task->play;

	if (player->releases > 0) {
		task_refuse(task, CODE_UNAVAILABLE, NULL);
		return false;
	}
	if (play->limits.most.invites_per_name != 0 &&
			rooms_invited_to(play, player, task->player->record.name) >=
					INVITES_FROM_ONE) {
		task_refuse(task, CODE_TOO_MANY_ROOMS,
				"As many of your invitations wait for that player as may.");
		return false;
	}
	if (limits_is_full(play->limits.most.invites_per_name,
			    rooms_invited_to(play, player, NULL))) {
		task_refuse(task, CODE_TOO_MANY_ROOMS,
				"As many invitations wait for that player as may.");
		return false;
	}
	return task_may(task, RATE_INVITES);
}

bool requests_may_watch(struct task *task, const struct hosted *hosted)
{
	const char *name = task->player == NULL ? "" : task->player->record.name;

	if (room_seat_of(&hosted->room, name) != SEAT_NONE ||
			followers_find(task->session, hosted) != NULL) {
		return true;
	}
	if (limits_is_full(task->play->limits.most.watchers_per_room, rooms_spectators(hosted))) {
		task_refuse(task, CODE_ROOM_FULL, "As many watch that room as may.");
		return false;
	}
	return true;
}

bool requests_may_ask_rematch(struct task *task, const struct hosted *hosted)
{
	const struct room *room = &hosted->room;
	const char *name = task->player == NULL ? "" : task->player->record.name;
	enum seat seat = room_seat_of(room, name);

	if (seat == SEAT_NONE || room->status != STATUS_OVER || room->rematch[0] != '\0') {
		/* It is refused, or opens none: that is decided in the room. */
		return true;
	}
	const char *other = room_player(room, seat == SEAT_X ? SEAT_O : SEAT_X);
	char key[NAME_KEY_SIZE];
	name_key(other, key);
	const struct player *opponent = players_by_key(task->play, key);
	if (opponent != NULL && opponent->releases > 0) {
		task_refuse(task, CODE_UNAVAILABLE, NULL);
		return false;
	}
	size_t to_come = opponent == NULL ? 0 : opponent->seats_to_come;
	if (limits_is_full(task->play->limits.most.rooms_per_name,
			    rooms_sat_in(task->play, other, hosted) + to_come)) {
		task_refuse(task, CODE_TOO_MANY_ROOMS,
				"Your opponent sits in as many rooms as one may.");
		return false;
	}
	return requests_may_open(task, hosted);
}
