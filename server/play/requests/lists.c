#include "server/play/requests/requests.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/requests.h"
#include "server/ops/memory.h"
#include "server/play/lobby.h"
#include "server/play/rated.h"

size_t requests_limit(const struct request *request)
{
	return (request->has & HAS_LIMIT) != 0 ? (size_t)request->limit : LIMIT_LIST;
}

void requests_help(struct task *task)
{
	enum request_type types[REQUEST_COUNT];
	struct ok ok = {.carries = OK_REQUESTS, .requests = types};
	bool is_operator = task->session->operator_name != NULL;

	if ((task->request.has & HAS_ABOUT) != 0) {
		const char *about = task->request.about;
		types[0] = request_type_for(is_operator, about, strlen(about));
		ok.request_count = 1;
		if (types[0] == REQUEST_COUNT) {
			task_refuse_field(
					task, "about", "There is no such request; help lists all.");
			return;
		}
	} else {
		for (int type = 0; type < REQUEST_COUNT; type++) {
			if (request_is_for(is_operator, (enum request_type)type)) {
				types[ok.request_count] = (enum request_type)type;
				ok.request_count++;
			}
		}
	}
	task_ok(task, &ok);
}

/* The public room that a player sits in and that is not over, the newest; "" for none. Those that
 * are over and not forgotten yet are older, most of the time: it is the first that is looked at. */
static const char *public_room_of(const struct play *play, const char *name)
{
	const struct role *role;

	TAILQ_FOREACH_REVERSE(role, &rooms_of(play, name)->entries, role_entries, of_name)
	{
		const struct room *room = &role->hosted->room;
		if (!room->is_private && room->status != STATUS_OVER &&
				room_seat_of(room, name) != SEAT_NONE) {
			return room->id;
		}
	}
	return "";
}

void requests_who(struct task *task)
{
	struct who_row rows[LIMIT_LIST] = {0};
	struct ok ok = {.carries = OK_ONLINE | OK_PLAYERS, .players = rows};
	const struct player *player;

	TAILQ_FOREACH(player, &task->play->online, of_online)
	{
		const char *name = player->record.name;
		if (ok.player_count == requests_limit(&task->request)) {
			break;
		}
		struct who_row *row = &rows[ok.player_count];
		message_copy(row->name, sizeof(row->name), name);
		row->rating = rated_shown(task->play, name);
		message_copy(row->room, sizeof(row->room), public_room_of(task->play, name));
		ok.player_count++;
	}
	ok.online = (int64_t)task->play->online_count;
	task_ok(task, &ok);
}

void requests_lobby(struct task *task)
{
	const struct request *request = &task->request;
	struct summary *rooms = memory_new(LIMIT_LIST, sizeof(*rooms));
	struct ok ok = {.carries = OK_SUMMARIES, .summaries = rooms};
	enum room_status status =
			(request->has & HAS_STATUS) != 0 ? request->status : STATUS_WAITING;

	if (!lobby_page(task->play, status, request->after, requests_limit(request), rooms,
			    &ok.summary_count, ok.next)) {
		task_refuse_field(task, "after", "That is no cursor of this list.");
		free(rooms);
		return;
	}
	if (ok.next[0] != '\0') {
		ok.carries |= OK_NEXT;
	}
	if ((request->has & HAS_FOLLOW) != 0) {
		lobby_follow(task->session, request->follow);
	}
	task_ok(task, &ok);
	free(rooms);
}
