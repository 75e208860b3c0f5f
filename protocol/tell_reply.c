#include <assert.h>
#include <stdio.h>

#include "protocol/phrase.h"
#include "protocol/requests.h"
#include "protocol/tell_parts.h"

/* One function a request, for what its `ok` tells. NULL: the events that follow tell it. */
typedef void (*reply_teller)(struct tell *tell, const struct ok *ok);

static void tell_hello(struct tell *tell, const struct ok *ok)
{
	if (ok->own_room_count > 0) {
		tell_line(tell, "%s", _("Your unfinished games:"));
	}
	for (size_t i = 0; i < ok->own_room_count; i++) {
		tell_line(tell, "  %s", ok->own_rooms[i]);
	}
}

static void tell_help_asked(struct tell *tell, const struct ok *ok)
{
	tell_requests(tell, ok->requests, ok->request_count);
}

static void tell_ping(struct tell *tell, const struct ok *ok)
{
	char text[TELL_TIME_SIZE];

	tell_time(ok->now_ms, text);
	tell_line(tell, _("The server answers; its time is %s."), text);
}

static void tell_state(struct tell *tell, const struct ok *ok)
{
	if (ok->state) {
		tell_snapshot(tell, ok->state);
	}
}

static void tell_watched(struct tell *tell, const struct ok *ok)
{
	tell->count_follows = true;
	tell_state(tell, ok);
	tell->count_follows = false;
}

static void tell_declined(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, _("You declined the invitation to room %s."), ok->room);
}

static void tell_left(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, _("You left room %s."), ok->room);
}

static void tell_forgotten(struct tell *tell, const struct ok *ok)
{
	(void)ok;
	tell_line(tell, "%s", _("Your name is given up, and its token is void."));
}

static void tell_mode(struct tell *tell, const struct ok *ok)
{
	static const char *const modes[] = {
			[TEXT_OFF] = N_("From now on you are told in JSON."),
			[TEXT_ON] = N_("From now on you are told in JSON, and of boards in words "
				       "too."),
			[TEXT_ONLY] = N_("From now on you are told in words. All requests: help"),
	};

	tell_line(tell, "%s", _(modes[ok->mode]));
}

static const reply_teller reply_rows[REQUEST_COUNT] = {
		[REQUEST_HELLO] = tell_hello,
		[REQUEST_HELP] = tell_help_asked,
		[REQUEST_WHO] = tell_players,
		[REQUEST_TEXT] = tell_mode,
		[REQUEST_MUTE] = tell_muted,
		[REQUEST_PING] = tell_ping,
		[REQUEST_CREATE] = tell_state,
		[REQUEST_MATCH] = tell_state,
		[REQUEST_JOIN] = tell_state,
		[REQUEST_DECLINE] = tell_declined,
		[REQUEST_WATCH] = tell_watched,
		[REQUEST_LEAVE] = tell_left,
		[REQUEST_LOBBY] = tell_rooms,
		[REQUEST_STATE] = tell_state,
		[REQUEST_GAME] = tell_game,
		[REQUEST_GAMES] = tell_games,
		[REQUEST_PLAYER] = tell_standing,
		[REQUEST_TOP] = tell_top,
		[REQUEST_FORGET] = tell_forgotten,
		[REQUEST_ANALYSE] = tell_values,
		[REQUEST_NOTICE] = tell_touched,
		[REQUEST_KICK] = tell_touched,
		[REQUEST_BAN] = tell_banned,
		[REQUEST_UNBAN] = tell_unbanned,
		[REQUEST_BANS] = tell_bans,
		[REQUEST_ROOMS] = tell_all_rooms,
		[REQUEST_CLOSE] = tell_closed,
		[REQUEST_STATS] = tell_stats,
		[REQUEST_RELEASE] = tell_released,
		[REQUEST_DRAIN] = tell_drain,
		[REQUEST_MOTD] = tell_motd,
};

/* Who he is can come with any reply: a guest is named by the first request that needs a name. */
static void tell_name(struct tell *tell, const struct ok *ok)
{
	const char *name = ok->to == REQUEST_HELLO ? ok->name : ok->you;

	if (name[0] != '\0' && (ok->to == REQUEST_HELLO || !tell->knows_name)) {
		tell_line(tell, _("You are %s."), name);
	}
	if (ok->token[0] != '\0' && !tell->hides_token) {
		tell_line(tell,
				_("Your token, a secret that proves your name (hello token=...): "
				  "%s"),
				ok->token);
	}
}

void tell_ok(struct tell *tell, const struct ok *ok)
{
	reply_teller reply;

	assert(ok->to < REQUEST_COUNT);
	reply = reply_rows[ok->to];
	tell_name(tell, ok);
	if (reply) {
		reply(tell, ok);
	} else if (tell->bare) {
		tell_line(tell, "ok: %s", request_row(ok->to)->name);
	}
}
