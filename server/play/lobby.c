#include "server/play/lobby.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/play/news.h"
#include "server/play/queue.h"
#include "server/play/rooms.h"
#include "server/play/session.h"

#define CHANGES_EVERY_MS 1000

void lobby_list(struct hosted *hosted)
{
	struct play *play = hosted->play;
	const struct room *room = &hosted->room;
	enum lobby_list which = hosted->is_hidden ? LOBBY_HIDDEN : (enum lobby_list)room->status;

	if (room->is_private) {
		return;
	}
	hosted->in_lobby.place = (struct age_place){room->created_ms, hosted->number};
	hosted->in_lobby.owner = hosted;
	ages_add(&play->lobby[which], &hosted->in_lobby);
	hosted->listed_in = which;
	hosted->is_listed = true;
	hosted->is_open = which == LOBBY_WAITING && room->opponent[0] == '\0';
	if (hosted->is_open) {
		hosted->in_open = hosted->in_lobby;
		ages_add(&play->open, &hosted->in_open);
	}
}

void lobby_forget(struct hosted *hosted)
{
	struct play *play = hosted->play;

	if (hosted->is_listed) {
		ages_remove(&play->lobby[hosted->listed_in], &hosted->in_lobby);
		hosted->is_listed = false;
	}
	if (hosted->is_open) {
		ages_remove(&play->open, &hosted->in_open);
		hosted->is_open = false;
	}
}

void lobby_change_due(void *owner)
{
	news_tell(owner, LOBBY_CHANGED);
}

bool lobby_shows(const struct hosted *hosted)
{
	return !hosted->room.is_private && !hosted->is_hidden;
}

static void list_anew(struct hosted *hosted)
{
	lobby_forget(hosted);
	lobby_list(hosted);
	hosted->lobby_changed_ms = play_now(hosted->play);
}

static void set_hidden(struct hosted *hosted, bool hidden, enum lobby_change change)
{
	if (hosted->is_listed && hosted->is_hidden != hidden) {
		hosted->is_hidden = hidden;
		list_anew(hosted);
		timers_cancel(&hosted->play->timers, &hosted->lobby_timer);
		news_tell(hosted, change);
	}
}

void lobby_hide(struct hosted *hosted)
{
	set_hidden(hosted, true, LOBBY_REMOVED);
}

void lobby_show(struct hosted *hosted)
{
	set_hidden(hosted, false, LOBBY_ADDED);
}

/* A hidden room has begun or closed: who follows the lobby does not know it. */
static void leave_hiding(struct hosted *hosted)
{
	hosted->is_hidden = false;
	list_anew(hosted);
	if (hosted->room.status != STATUS_OVER) {
		news_tell(hosted, LOBBY_ADDED);
	}
}

void lobby_update(struct hosted *hosted)
{
	struct play *play = hosted->play;
	bool was_listed = hosted->is_listed;

	if (hosted->is_hidden) {
		if (hosted->room.status != STATUS_WAITING) {
			leave_hiding(hosted);
		}
		return;
	}
	if (hosted->room.is_private) {
		return;
	}
	hosted->lobby_changed_ms = play_now(play);
	if (!was_listed || hosted->listed_in != (enum lobby_list)hosted->room.status) {
		list_anew(hosted);
	} else if (hosted->room.status == STATUS_OVER) {
		return;
	}
	if (!was_listed) {
		news_tell(hosted, LOBBY_ADDED);
	} else if (hosted->room.status == STATUS_OVER) {
		timers_cancel(&play->timers, &hosted->lobby_timer);
		news_tell(hosted, LOBBY_REMOVED);
	} else if (hosted->lobby_timer.place == 0 && !TAILQ_EMPTY(&play->lobby_followers)) {
		int64_t due_ms = hosted->lobby_told_ms + CHANGES_EVERY_MS;
		if (due_ms <= hosted->lobby_changed_ms) {
			news_tell(hosted, LOBBY_CHANGED);
		} else {
			play_set_timer(play, &hosted->lobby_timer, due_ms);
		}
	}
}

void lobby_follow(struct session *session, bool on)
{
	struct session_list *followers = &session->play->lobby_followers;

	if (on == session->follows_lobby) {
		return;
	}
	session->follows_lobby = on;
	session->lobby_behind_ms = 0;
	session->lobby_pass = (struct lobby_pass){0};
	if (on) {
		TAILQ_INSERT_TAIL(followers, session, of_lobby);
		session->play->lobby_follower_count++;
	} else {
		TAILQ_REMOVE(followers, session, of_lobby);
		session->play->lobby_follower_count--;
	}
}

static void tell_state_of(struct session *session, const struct hosted *hosted)
{
	static const enum lobby_change change_as[LOBBY_LISTS] = {
			[LOBBY_WAITING] = LOBBY_CHANGED,
			[LOBBY_PLAYING] = LOBBY_CHANGED,
			[LOBBY_OVER] = LOBBY_REMOVED,
			[LOBBY_HIDDEN] = LOBBY_REMOVED,
	};
	enum lobby_change change = change_as[hosted->listed_in];
	struct event event;

	if (change == LOBBY_CHANGED && hosted->lobby_added_ms >= session->lobby_behind_ms) {
		change = LOBBY_ADDED;
	}
	news_event(hosted, change, &event);
	session_send_event(session, &event);
}

/* One look at all rooms. False: it is behind again before the end, and goes on once it has read. */
static bool pass_through(struct session *session, struct lobby_pass *pass)
{
	const struct hosted *hosted;

	while (pass->list < LOBBY_LISTS) {
		hosted = ages_after(&session->play->lobby[pass->list], pass->place);
		if (hosted == NULL) {
			pass->list++;
			pass->place = AGE_BEGINNING;
			continue;
		}
		if (session_is_behind(session)) {
			return false;
		}
		pass->place = hosted->in_lobby.place;
		if (hosted->lobby_changed_ms >= session->lobby_behind_ms) {
			tell_state_of(session, hosted);
		}
	}
	return true;
}

void lobby_catch_up(struct session *session)
{
	struct lobby_pass *pass = &session->lobby_pass;

	while (session->lobby_behind_ms != 0) {
		if (!pass->is_under_way) {
			*pass = (struct lobby_pass){.is_under_way = true,
					.began_ms = play_now(session->play),
					.list = LOBBY_WAITING,
					.place = AGE_BEGINNING};
		}
		if (!pass_through(session, pass)) {
			return;
		}
		pass->is_under_way = false;
		/* What changed meanwhile may have been looked at before, or have slipped by. */
		session->lobby_behind_ms = pass->misses_more ? pass->began_ms : 0;
	}
}

/* A cursor is the place of the last room shown. */
static void write_cursor(const struct hosted *last, char ret_cursor[CURSOR_SIZE])
{
	struct age_place place = last->in_lobby.place;

	snprintf(ret_cursor, CURSOR_SIZE, "%" PRIx64 "-%" PRIx64, (uint64_t)place.created_ms,
			place.number);
}

/* Digits as write_cursor writes them, and nothing else that strtoull would take. */
static bool read_hex(const char **text, uint64_t *ret_number)
{
	size_t digits = strspn(*text, "0123456789abcdef");

	if (digits == 0 || digits > 16) {
		return false;
	}
	*ret_number = strtoull(*text, NULL, 16);
	*text += digits;
	return true;
}

static bool read_cursor(const char *cursor, struct age_place *ret_place)
{
	uint64_t created_ms = 0;

	*ret_place = AGE_BEGINNING;
	if (cursor[0] == '\0') {
		return true;
	}
	if (!read_hex(&cursor, &created_ms) || *cursor != '-') {
		return false;
	}
	cursor++;
	ret_place->created_ms = (int64_t)created_ms;
	return read_hex(&cursor, &ret_place->number) && *cursor == '\0';
}

bool lobby_page(const struct play *play, enum room_status status, const char *after, size_t limit,
		struct summary *ret_rooms, size_t *ret_count, char ret_next[CURSOR_SIZE])
{
	const struct hosted *hosted;
	const struct hosted *last = NULL;
	struct age_place place;
	size_t count = 0;

	assert(limit > 0);
	if (!read_cursor(after, &place)) {
		return false;
	}
	ret_next[0] = '\0';
	while ((hosted = ages_after(&play->lobby[status], place)) != NULL) {
		if (count == limit) {
			write_cursor(last, ret_next);
			break;
		}
		rooms_summary(hosted, &ret_rooms[count]);
		place = hosted->in_lobby.place;
		last = hosted;
		count++;
	}
	*ret_count = count;
	return true;
}

/* Somebody waits for the free seat to be stored as his. Were it still offered, all who match at one
 * moment would ask for it, and all but one of them again for the next. */
static bool is_being_taken(const struct hosted *hosted)
{
	const struct part *part;

	TAILQ_FOREACH(part, &hosted->queue, in_queue)
	{
		if (part->args.kind == ROOM_JOIN &&
				strcmp(part->args.player, hosted->room.creator) != 0) {
			return true;
		}
	}
	return false;
}

struct hosted *lobby_match(
		const struct play *play, const char *name, const struct clock_agreed *clock)
{
	struct age_place place = AGE_BEGINNING;
	struct hosted *hosted;

	while ((hosted = ages_after(&play->open, place)) != NULL) {
		const struct room *room = &hosted->room;
		if (strcmp(room->creator, name) != 0 && clock_agreed_same(&room->clock, clock) &&
				!is_being_taken(hosted) && rooms_is_online(play, room->creator)) {
			return hosted;
		}
		place = hosted->in_lobby.place;
	}
	return NULL;
}
