#include "server/play/invitations.h"

#include <string.h>

#include "server/play/players.h"
#include "server/play/rooms.h"
#include "server/play/session.h"

static void tell(struct session *session, const struct hosted *hosted)
{
	struct event event = {.type = EVENT_INVITED};

	message_copy(event.room, sizeof(event.room), hosted->room.id);
	message_copy(event.invited.player, sizeof(event.invited.player), hosted->room.creator);
	event.invited.clock = hosted->room.clock;
	event.invited.rated = hosted->room.rated;
	session_send_event(session, &event);
}

void invitations_tell(const struct hosted *hosted, const struct player *player)
{
	struct session *session;

	if (player_has_muted(player, hosted->room.creator)) {
		return;
	}
	TAILQ_FOREACH(session, &player->sessions, of_player)
	{
		if (session_is_behind(session)) {
			session->misses_invitations = true;
		} else {
			tell(session, hosted);
		}
	}
}

static void tell_all_of(struct session *session, const char *name)
{
	const struct role *role;

	TAILQ_FOREACH(role, &rooms_of(session->play, name)->entries, of_name)
	{
		const struct room *room = &role->hosted->room;
		if (room->status == STATUS_WAITING && strcmp(room->opponent, name) == 0 &&
				!player_has_muted(session->player, room->creator)) {
			tell(session, role->hosted);
		}
	}
}

void invitations_tell_all(struct session *session)
{
	const struct player_record *record = &session->player->record;

	session->misses_invitations = false;
	tell_all_of(session, record->name);
	if (record->former[0] != '\0') {
		tell_all_of(session, record->former);
	}
}

void invitations_catch_up(struct session *session)
{
	if (session->misses_invitations && session->player != NULL && !session_is_behind(session)) {
		invitations_tell_all(session);
	}
}
