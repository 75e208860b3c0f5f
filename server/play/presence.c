#include "server/play/presence.h"

#include "server/play/due.h"
#include "server/play/followers.h"
#include "server/play/rooms.h"

#define SPECTATORS_EVERY_MS 1000

/* When the other may claim, should this one be away and have to act then. */
static void set_claim(const struct hosted *hosted, const char *player, struct event_presence *ret)
{
	enum seat seat = room_seat_of(&hosted->room, player);
	int64_t at_ms = seat == SEAT_NONE ? INT64_MAX
					  : room_claim_at(&hosted->room, &hosted->watch, seat);

	ret->has_claim = at_ms != INT64_MAX;
	if (ret->has_claim) {
		ret->claim_in_ms = at_ms - play_now(hosted->play);
	}
}

static void tell(struct hosted *hosted, const char *player, bool online)
{
	struct event event = {.type = EVENT_PRESENCE};

	message_copy(event.room, sizeof(event.room), hosted->room.id);
	message_copy(event.presence.player, sizeof(event.presence.player), player);
	event.presence.online = online;
	set_claim(hosted, player, &event.presence);
	event.presence.spectators = (int64_t)rooms_spectators(hosted);
	followers_tell_event(hosted, &event, NULL);
}

void presence_player(struct play *play, const char *name, bool online)
{
	const struct role *role;

	if (play->closing) {
		/* Everybody goes, and is told so by `bye`. */
		return;
	}
	TAILQ_FOREACH(role, &rooms_of(play, name)->entries, of_name)
	{
		if (room_seat_of(&role->hosted->room, name) != SEAT_NONE) {
			due_presence(role->hosted);
			tell(role->hosted, name, online);
		}
	}
}

void presence_spectators_due(void *owner)
{
	struct hosted *hosted = owner;
	size_t spectators = rooms_spectators(hosted);

	if (spectators != hosted->spectators_told) {
		hosted->spectators_told = spectators;
		hosted->spectators_told_ms = play_now(hosted->play);
		tell(hosted, "", false);
	}
}

void presence_spectators(struct hosted *hosted)
{
	/* Even the first change waits for a moment, so that it never overtakes the reply to the
	 * request that made it. */
	if (hosted->spectators_timer.place == 0) {
		int64_t now_ms = play_now(hosted->play);
		int64_t due_ms = hosted->spectators_told_ms + SPECTATORS_EVERY_MS;
		play_set_timer(hosted->play, &hosted->spectators_timer,
				due_ms > now_ms ? due_ms : now_ms);
	}
}
