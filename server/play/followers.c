#include "server/play/followers.h"

#include <stdlib.h>

#include "protocol/encode.h"
#include "server/ops/memory.h"
#include "server/play/players.h"
#include "server/play/presence.h"
#include "server/play/rooms.h"
#include "server/play/session.h"

/* Of the rooms that it follows, the one that ended longest ago; NULL if all run. */
static struct follower *longest_over(const struct session *session)
{
	struct follower *oldest = NULL;
	struct follower *follower;

	TAILQ_FOREACH(follower, &session->following, of_session)
	{
		const struct hosted *hosted = follower->hosted;
		if (hosted->room.status == STATUS_OVER &&
				(oldest == NULL || rooms_ended_before(hosted, oldest->hosted))) {
			oldest = follower;
		}
	}
	return oldest;
}

bool followers_has_place(const struct session *session)
{
	return session->follow_count < LIMIT_ROOMS_FOLLOWED || longest_over(session) != NULL;
}

struct follower *followers_find(const struct session *session, const struct hosted *hosted)
{
	struct follower *follower;

	TAILQ_FOREACH(follower, &session->following, of_session)
	{
		if (follower->hosted == hosted) {
			return follower;
		}
	}
	return NULL;
}

bool followers_add(struct session *session, struct hosted *hosted)
{
	struct follower *follower = followers_find(session, hosted);

	if (follower != NULL) {
		follower->told_seq = hosted->room.seq;
		follower->behind = false;
		return true;
	}
	if (session->follow_count >= LIMIT_ROOMS_FOLLOWED) {
		struct follower *oldest = longest_over(session);
		if (oldest == NULL) {
			return false;
		}
		followers_remove(oldest);
	}
	follower = memory_new(1, sizeof *follower);
	follower->session = session;
	follower->hosted = hosted;
	follower->told_seq = hosted->room.seq;
	TAILQ_INSERT_TAIL(&session->following, follower, of_session);
	TAILQ_INSERT_TAIL(&hosted->followers, follower, of_room);
	session->follow_count++;
	hosted->follower_count++;
	timers_cancel(&hosted->play->timers, &hosted->keep_timer);
	presence_spectators(hosted);
	return true;
}

void followers_remove(struct follower *follower)
{
	struct hosted *hosted = follower->hosted;

	TAILQ_REMOVE(&follower->session->following, follower, of_session);
	TAILQ_REMOVE(&hosted->followers, follower, of_room);
	follower->session->follow_count--;
	hosted->follower_count--;
	free(follower);
	presence_spectators(hosted);
	rooms_maybe_leave(hosted);
}

void followers_remove_all(struct session *session)
{
	struct follower *follower = TAILQ_FIRST(&session->following);

	while (follower != NULL) {
		struct follower *next = TAILQ_NEXT(follower, of_session);
		followers_remove(follower);
		follower = next;
	}
}

void followers_tell(
		struct hosted *hosted, int64_t seq, const struct event *event, struct bytes *line)
{
	struct follower *follower;

	TAILQ_FOREACH(follower, &hosted->followers, of_room)
	{
		if (follower->told_seq >= seq) {
			continue;
		}
		if (follower->behind || session_is_behind(follower->session)) {
			follower->behind = true;
			continue;
		}
		follower->told_seq = seq;
		session_tell(follower->session, event, line);
	}
}

void followers_tell_event(
		struct hosted *hosted, const struct event *event, followers_wants_fn *wants)
{
	struct follower *follower;

	if (TAILQ_EMPTY(&hosted->followers)) {
		return;
	}
	struct bytes *line = encode_event(event);
	TAILQ_FOREACH(follower, &hosted->followers, of_room)
	{
		if (wants != NULL && !wants(follower->session, hosted, event)) {
			continue;
		}
		if (session_is_behind(follower->session)) {
			follower->behind = true;
		}
		if (!follower->behind) {
			session_tell(follower->session, event, line);
		}
	}
	bytes_unref(line);
}

void followers_send_state(struct session *session, struct hosted *hosted)
{
	struct follower *follower = followers_find(session, hosted);
	struct event event = {.type = EVENT_STATE};

	rooms_snapshot(hosted, session->player, &event.state);
	session_send_event(session, &event);
	if (follower != NULL) {
		follower->told_seq = hosted->room.seq;
		follower->behind = false;
	}
}

void followers_catch_up(struct session *session)
{
	struct follower *follower;

	TAILQ_FOREACH(follower, &session->following, of_session)
	{
		if (session_is_behind(session)) {
			return;
		}
		if (follower->behind) {
			followers_send_state(session, follower->hosted);
		}
	}
}
