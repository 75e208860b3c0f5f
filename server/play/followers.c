#include "server/play/followers.h"

#include <stdlib.h>

#include "protocol/encode.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"
#include "server/play/players.h"
#include "server/play/presence.h"
#include "server/play/rooms.h"
#include "server/play/session.h"

/* A session's rooms are in two lists, so that what is asked for at each request (which room is
 * meant) takes no walk through all that it ever followed. */

static struct follower_list *list_of(const struct follower *follower)
{
	const struct hosted *hosted = follower->hosted;

	return hosted == NULL || hosted->room.status == STATUS_OVER ? &follower->session->ended
								    : &follower->session->running;
}

/* Did the one room end before the other? */
static bool ended_before(const struct hosted *hosted, const struct follower *other)
{
	const bool is_there = other->hosted != NULL;
	const int64_t ended_ms = is_there ? other->hosted->room.ended_ms : other->absent->ended_ms;

	if (hosted->room.ended_ms != ended_ms) {
		return hosted->room.ended_ms < ended_ms;
	}
	return hosted->end_number <
	       (is_there ? other->hosted->end_number : other->absent->end_number);
}

static void list_add(struct follower *follower)
{
	struct follower_list *list = list_of(follower);
	struct follower *before = TAILQ_LAST(list, follower_list);

	if (list == &follower->session->running) {
		follower->session->running_count++;
		TAILQ_INSERT_TAIL(list, follower, of_session);
		return;
	}
	while (before != NULL && ended_before(follower->hosted, before)) {
		before = TAILQ_PREV(before, follower_list, of_session);
	}
	if (before == NULL) {
		TAILQ_INSERT_HEAD(list, follower, of_session);
	} else {
		TAILQ_INSERT_AFTER(list, before, follower, of_session);
	}
}

void followers_room_ended(struct hosted *hosted)
{
	struct follower *follower;

	TAILQ_FOREACH(follower, &hosted->followers, of_room)
	{
		TAILQ_REMOVE(&follower->session->running, follower, of_session);
		follower->session->running_count--;
		list_add(follower);
	}
}

bool followers_has_place(const struct session *session)
{
	return session->follow_count < LIMIT_ROOMS_FOLLOWED || !TAILQ_EMPTY(&session->ended);
}

struct follower *followers_find(const struct session *session, const struct hosted *hosted)
{
	const struct follower_list *list =
			hosted->room.status == STATUS_OVER ? &session->ended : &session->running;
	struct follower *follower;

	TAILQ_FOREACH(follower, list, of_session)
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
		struct follower *oldest = TAILQ_FIRST(&session->ended);
		if (oldest == NULL) {
			return false;
		}
		followers_remove(oldest);
	}
	follower = memory_new(1, sizeof(*follower));
	follower->session = session;
	follower->hosted = hosted;
	follower->told_seq = hosted->room.seq;
	list_add(follower);
	TAILQ_INSERT_TAIL(&hosted->followers, follower, of_room);
	session->follow_count++;
	hosted->follower_count++;
	rooms_maybe_leave(hosted);
	presence_spectators(hosted);
	return true;
}

static void leave_absent(struct play *play, struct follower *follower)
{
	struct absent *absent = follower->absent;

	TAILQ_REMOVE(&absent->followers, follower, of_room);
	if (TAILQ_EMPTY(&absent->followers)) {
		map_remove(&play->absent, absent->id);
		free(absent);
	}
}

static void leave_room(struct hosted *hosted, struct follower *follower)
{
	TAILQ_REMOVE(&hosted->followers, follower, of_room);
	hosted->follower_count--;
	presence_spectators(hosted);
	rooms_maybe_leave(hosted);
}

void followers_remove(struct follower *follower)
{
	struct session *session = follower->session;

	if (list_of(follower) == &session->running) {
		session->running_count--;
	}
	TAILQ_REMOVE(list_of(follower), follower, of_session);
	session->follow_count--;
	if (follower->hosted == NULL) {
		leave_absent(session->play, follower);
	} else {
		leave_room(follower->hosted, follower);
	}
	free(follower);
}

static void remove_all(struct follower_list *list)
{
	struct follower *follower = TAILQ_FIRST(list);

	while (follower != NULL) {
		struct follower *next = TAILQ_NEXT(follower, of_session);
		followers_remove(follower);
		follower = next;
	}
}

void followers_remove_all(struct session *session)
{
	remove_all(&session->running);
	remove_all(&session->ended);
}

static void fall_behind(struct follower *follower)
{
	metrics_add(METRIC_BEHIND, 0, follower->session->is_behind ? 0 : 1);
	follower->behind = true;
	follower->session->is_behind = true;
}

void followers_tell(
		struct hosted *hosted, int64_t seq, const struct event *event, struct bytes *line)
{
	struct follower *follower;

	hosted->play->spreads = hosted->follower_count > PLAY_FEW;
	TAILQ_FOREACH(follower, &hosted->followers, of_room)
	{
		if (follower->told_seq >= seq) {
			continue;
		}
		if (follower->behind || session_is_behind(follower->session)) {
			fall_behind(follower);
			continue;
		}
		follower->told_seq = seq;
		session_tell(follower->session, event, line);
	}
	hosted->play->spreads = false;
}

void followers_tell_event(
		struct hosted *hosted, const struct event *event, followers_wants_fn *wants)
{
	struct follower *follower;

	if (TAILQ_EMPTY(&hosted->followers)) {
		return;
	}
	struct bytes *line = encode_event(event);
	hosted->play->spreads = hosted->follower_count > PLAY_FEW;
	TAILQ_FOREACH(follower, &hosted->followers, of_room)
	{
		if (wants != NULL && !wants(follower->session, hosted, event)) {
			continue;
		}
		if (session_is_behind(follower->session)) {
			fall_behind(follower);
		}
		if (!follower->behind) {
			session_tell(follower->session, event, line);
		}
	}
	hosted->play->spreads = false;
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

/* False: it is behind again, and will be called anew once that is read. */
static bool catch_up(struct session *session, const struct follower_list *list)
{
	struct follower *follower;

	TAILQ_FOREACH(follower, list, of_session)
	{
		if (follower->behind && follower->hosted != NULL) {
			if (session_is_behind(session)) {
				return false;
			}
			followers_send_state(session, follower->hosted);
		}
	}
	return true;
}

void followers_catch_up(struct session *session)
{
	if (session->is_behind && catch_up(session, &session->running) &&
			catch_up(session, &session->ended)) {
		session->is_behind = false;
	}
}

/* Rooms that leave memory. */

const char *followers_room(const struct follower *follower)
{
	return follower->hosted != NULL ? follower->hosted->room.id : follower->absent->id;
}

void followers_part(struct hosted *hosted)
{
	struct follower *follower;

	if (hosted->follower_count == 0) {
		return;
	}
	struct absent *absent = memory_new(1, sizeof(*absent));
	message_copy(absent->id, sizeof(absent->id), hosted->room.id);
	absent->ended_ms = hosted->room.ended_ms;
	absent->end_number = hosted->end_number;
	TAILQ_INIT(&absent->followers);
	TAILQ_CONCAT(&absent->followers, &hosted->followers, of_room);
	hosted->follower_count = 0;
	TAILQ_FOREACH(follower, &absent->followers, of_room)
	{
		follower->hosted = NULL;
		follower->absent = absent;
	}
	map_put(&hosted->play->absent, absent->id, absent);
}

void followers_return(struct hosted *hosted)
{
	struct absent *absent = map_remove(&hosted->play->absent, hosted->room.id);
	struct follower *follower;

	if (absent == NULL) {
		return;
	}
	hosted->end_number = absent->end_number;
	TAILQ_CONCAT(&hosted->followers, &absent->followers, of_room);
	free(absent);
	TAILQ_FOREACH(follower, &hosted->followers, of_room)
	{
		follower->hosted = hosted;
		follower->absent = NULL;
		hosted->follower_count++;
	}
	/* To them their number has not changed. */
	hosted->spectators_told = rooms_spectators(hosted);
	TAILQ_FOREACH(follower, &hosted->followers, of_room)
	{
		if (follower->behind || follower->told_seq < hosted->room.seq) {
			fall_behind(follower);
			followers_catch_up(follower->session);
		}
	}
}

void followers_lose(struct play *play, const char *id)
{
	struct absent *absent;

	while ((absent = map_get(&play->absent, id)) != NULL) {
		followers_remove(TAILQ_FIRST(&absent->followers));
	}
}

/* A rematch. */

static void go_on(struct session *session, struct hosted *hosted)
{
	if (followers_add(session, hosted)) {
		followers_send_state(session, hosted);
	}
}

/* Who came back since he asked follows the old room by none of his connections: his game begins all
 * the same, so all of them are told. */
static void fetch_player(const struct player *player, struct hosted *hosted)
{
	struct session *session;

	TAILQ_FOREACH(session, &player->sessions, of_player)
	{
		if (followers_find(session, hosted) != NULL) {
			return;
		}
	}
	TAILQ_FOREACH(session, &player->sessions, of_player)
	{
		go_on(session, hosted);
	}
}

void followers_go_on(struct hosted *old, struct hosted *new)
{
	struct follower *next = TAILQ_FIRST(&old->followers);

	while (next != NULL) {
		/* A connection without a place drops a room that is over, maybe this one. */
		struct session *session = next->session;
		next = TAILQ_NEXT(next, of_room);
		const char *name = session->player == NULL ? "" : session->player->record.name;
		if (room_seat_of(&new->room, name) != SEAT_NONE) {
			go_on(session, new);
		}
	}
	for (enum seat seat = SEAT_X; seat <= SEAT_O; seat++) {
		const struct player *player =
				rooms_player(new->play, room_player(&new->room, seat));
		if (player != NULL) {
			fetch_player(player, new);
		}
	}
}
