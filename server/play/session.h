/* A connection as the server sees it: who it is, which rooms it follows, the request it waits for.
 * play.h has what the net calls. */
#ifndef PLAY_SESSION_H
#define PLAY_SESSION_H

#include "server/play/followers.h"
#include "server/play/state.h"

/* How far a session has got that is told what it missed of the lobby. */
struct lobby_pass {
	bool is_under_way;
	bool misses_more; /* since it began */
	int64_t began_ms;
	int list;		/* of enum lobby_list */
	struct age_place place; /* of the last room looked at */
};

struct session {
	struct play *play;
	const struct sink_ops *sink;
	void *conn;
	struct player *player;	     /* NULL: no name yet; a reference is held */
	struct limits_account *name; /* of the player, or NULL */
	struct limits_account *address;
	struct limits_bucket allowance;
	struct task *task;	       /* the request under way, or NULL */
	struct analysis_list analyses; /* asked for and not answered; see analysis.h */
	size_t analysis_count;
	struct work_lane lane;	      /* theirs */
	struct follower_list running; /* rooms followed that are not over, as they came */
	struct follower_list ended;   /* those that are, who ended longest ago first */
	size_t running_count;
	size_t follow_count;
	TAILQ_ENTRY(session) all;
	TAILQ_ENTRY(session) of_player;
	TAILQ_ENTRY(session) of_lobby;
	char *new_token;    /* the made token of a guest, until an `ok` has told it */
	int64_t heard_ms;   /* when its last line came, or it itself */
	int64_t played_ms;  /* when it was last seen to play; 0: never */
	int64_t strayed_ms; /* when it did something else; see play_session_goes_first */
	struct timer idle;  /* set where there is a limit: has it been silent for too long? */
	struct timer rest;  /* see rest.h */
	TAILQ_ENTRY(session) of_line;
	int64_t first_until_ms;
	int64_t lobby_behind_ms; /* since when lobby events are missed; 0: none are */
	struct lobby_pass lobby_pass;
	enum text_mode text;		    /* words beside the lines, or in their place */
	uint8_t peer[PREFIX_ADDRESS_BYTES]; /* where it is from */
	bool has_peer;
	char *operator_name; /* NULL: it did not come by the operator's door */
	bool stands_in_line; /* of those who wait for its address's allowance */
	bool is_late;	     /* it came while the server drains, and is in no game */
	bool follows_lobby;
	bool misses_invitations;
	bool is_behind; /* it missed something of a room that it follows */
	bool in_line;	/* within play_session_line */
	bool was_heard; /* a line came */
	bool closing;	/* close once what is under way is answered */
	bool says_bye;	/* and say why */
	enum bye_reason bye;
};

/* Queue a line as it is; the caller keeps his reference. */
void session_send(struct session *session, struct bytes *line);

/* Tell an event that was encoded for many, the way that this session wants it. `event` may be NULL
 * where only the line is at hand. */
void session_tell(struct session *session, const struct event *event, struct bytes *line);

/* A stored event again, exactly as it was. */
void session_tell_past(struct session *session, struct bytes *line);

/* Encode and tell for this session alone. `hosted`: the room whose board an error carries, or NULL.
 */
void session_send_event(struct session *session, const struct event *event);
void session_send_ok(struct session *session, const struct ok *ok);
void session_send_error(
		struct session *session, const struct error *error, const struct hosted *hosted);

/* Is more waiting to be read than the session should be sent? */
bool session_is_behind(const struct session *session);

/* When the request under way came, or the first that waits: INT64_MAX if there is none. */
int64_t session_waits_since(const struct session *session);
/* Use up some of its allowance, in a request's units. */
void session_use(struct session *session, size_t units);

/* The limits have changed; its allowance was `before`. */
void session_change(struct session *session, int64_t before);

/* For play.c: the doorway of the timer by which accounts are forgotten. */
void session_forget_accounts(void *owner);

/* Say bye and close, once the request under way and all analyses are answered. The session may be
 * gone when this returns, unless it is called from within a handler. */
void session_close(struct session *session, enum bye_reason reason);

/* The request under way was answered; or an analysis was. */
void session_task_done(struct session *session);
void session_analysis_done(struct session *session);

/* This connection is `player` from now on. Takes a reference of its own; who it was before is let
 * go. Tells the rooms of both about their presence. */
void session_set_player(struct session *session, struct player *player);

#endif
