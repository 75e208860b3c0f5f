#include "server/play/rooms.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/play/bots.h"
#include "server/play/due.h"
#include "server/play/lobby.h"
#include "server/play/news.h"
#include "server/play/players.h"
#include "server/play/presence.h"
#include "server/play/queue.h"
#include "server/play/rated.h"
#include "server/play/replay.h"
#include "server/play/session.h"

/* Rooms in memory beside which a short id is still likely to be free. */
#define SHORT_IDS_MAX 100000

/* Leaving memory. */

/* But for those who follow it. */
static bool may_leave(const struct hosted *hosted)
{
	return hosted->pins == 0 && TAILQ_EMPTY(&hosted->queue) && !bots_owe(hosted);
}

static void leave(struct hosted *hosted)
{
	log_event(LOG_DEBUG, "room_leaves_memory", "room=%s", hosted->room.id);
	rooms_free(hosted);
}

/* From the list of those that leave, or may have to. */
static void stay(struct hosted *hosted)
{
	if (hosted->leaves_in != NULL) {
		timers_cancel(&hosted->play->timers, &hosted->keep_timer);
		TAILQ_REMOVE(hosted->leaves_in, hosted, in_leaving);
		hosted->leaves_in = NULL;
	}
}

void rooms_maybe_leave(struct hosted *hosted)
{
	struct play *play = hosted->play;

	stay(hosted);
	if (hosted->room.status != STATUS_OVER) {
		return;
	}
	if (hosted->follower_count == 0) {
		play_set_timer(play, &hosted->keep_timer,
				play_now(play) + play->config.keep_over_ms);
	}
	/* Chat is nowhere else, and who follows may hear of more. */
	hosted->leaves_in =
			&play->leaving[hosted->follower_count > 0 || !TAILQ_EMPTY(&hosted->chat)];
	TAILQ_INSERT_TAIL(hosted->leaves_in, hosted, in_leaving);
}

static void keep_due(void *owner)
{
	struct hosted *hosted = owner;

	stay(hosted);
	if (may_leave(hosted)) {
		leave(hosted);
	}
}

/* Let rooms of that list go until there is place. */
static bool make_place(struct play *play, struct hosted_list *list, const struct hosted *keep)
{
	const int64_t most = play->limits.most.rooms;
	struct hosted *hosted = TAILQ_FIRST(list);

	while (limits_is_full(most, play->hosted_count) && hosted != NULL) {
		struct hosted *next = TAILQ_NEXT(hosted, in_leaving);
		if (hosted != keep && may_leave(hosted)) {
			followers_part(hosted);
			leave(hosted);
		}
		hosted = next;
	}
	return !limits_is_full(most, play->hosted_count);
}

bool rooms_has_place(struct play *play, const struct hosted *keep)
{
	return make_place(play, &play->leaving[false], keep) ||
	       make_place(play, &play->leaving[true], keep);
}

struct hosted *rooms_new(struct play *play)
{
	struct hosted *hosted = memory_new(1, sizeof(*hosted));

	hosted->play = play;
	play->hosted_count++;
	TAILQ_INIT(&hosted->queue);
	TAILQ_INIT(&hosted->followers);
	TAILQ_INIT(&hosted->chat);
	hosted->lobby_timer = (struct timer){.fire = lobby_change_due, .owner = hosted};
	hosted->spectators_timer = (struct timer){.fire = presence_spectators_due, .owner = hosted};
	hosted->keep_timer = (struct timer){.fire = keep_due, .owner = hosted};
	hosted->due_timer = (struct timer){.fire = due_fire, .owner = hosted};
	hosted->watch = (struct room_watch){
			.limits = &play->config.limits, .away_ms = {ROOM_HERE, ROOM_HERE}};
	return hosted;
}

/* Roles: which rooms a name has to do with. */

static void role_add(const char *name, struct hosted *hosted)
{
	struct play *play = hosted->play;
	struct role_list *list = map_get(&play->roles, name);
	struct role *role = &hosted->roles[hosted->role_count];

	if (list == NULL) {
		list = memory_new(1, sizeof(*list));
		message_copy(list->name, sizeof(list->name), name);
		TAILQ_INIT(&list->entries);
		map_put(&play->roles, list->name, list);
	}
	hosted->role_count++;
	*role = (struct role){.hosted = hosted, .of = list};
	TAILQ_INSERT_TAIL(&list->entries, role, of_name);
	list->count++;
}

static void role_remove(struct role *role)
{
	struct role_list *list = role->of;

	TAILQ_REMOVE(&list->entries, role, of_name);
	list->count--;
	if (list->count == 0) {
		map_remove(&role->hosted->play->roles, list->name);
		free(list);
	}
}

/* The names that have to do with a room, each once. A bot's rooms are nobody's to look through. */
static void roles_add(struct hosted *hosted)
{
	const struct room *room = &hosted->room;
	const char *names[ROLES_MAX] = {room->players[0], room->players[1], room->opponent};

	for (size_t i = 0; i < ROLES_MAX; i++) {
		bool is_new = names[i][0] != '\0' && !name_is_bot(names[i]);
		for (size_t j = 0; j < i; j++) {
			is_new = is_new && strcmp(names[i], names[j]) != 0;
		}
		if (is_new) {
			role_add(names[i], hosted);
		}
	}
}

static void roles_remove(struct hosted *hosted)
{
	for (size_t i = 0; i < hosted->role_count; i++) {
		role_remove(&hosted->roles[i]);
	}
	hosted->role_count = 0;
}

static bool same_roles(const struct room *a, const struct room *b)
{
	return strcmp(a->players[0], b->players[0]) == 0 &&
	       strcmp(a->players[1], b->players[1]) == 0 && strcmp(a->opponent, b->opponent) == 0;
}

static bool is_registered(const struct hosted *hosted)
{
	return map_get(&hosted->play->rooms, hosted->room.id) == hosted;
}

void rooms_free(struct hosted *hosted)
{
	if (hosted == NULL) {
		return;
	}
	assert(TAILQ_EMPTY(&hosted->queue) && TAILQ_EMPTY(&hosted->followers) && hosted->pins == 0);
	if (is_registered(hosted)) {
		map_remove(&hosted->play->rooms, hosted->room.id);
		hosted->play->rooms_by_status[hosted->room.status]--;
		roles_remove(hosted);
		news_forget(hosted);
		lobby_forget(hosted);
	}
	bots_leave(hosted);
	timers_cancel(&hosted->play->timers, &hosted->lobby_timer);
	timers_cancel(&hosted->play->timers, &hosted->spectators_timer);
	stay(hosted);
	timers_cancel(&hosted->play->timers, &hosted->due_timer);
	hosted->play->hosted_count--;
	for (int64_t i = 0; i < hosted->room.seq; i++) {
		bytes_unref(hosted->lines[i]);
	}
	free(hosted->lines);
	struct said *said;
	while ((said = TAILQ_FIRST(&hosted->chat)) != NULL) {
		TAILQ_REMOVE(&hosted->chat, said, next);
		free(said);
	}
	free(hosted);
}

void rooms_register(struct hosted *hosted)
{
	hosted->play->room_number++;
	hosted->number = hosted->play->room_number;
	map_put(&hosted->play->rooms, hosted->room.id, hosted);
	hosted->play->rooms_by_status[hosted->room.status]++;
	roles_add(hosted);
}

void rooms_new_id(const struct play *play, bool is_private, int tries, char ret_id[ROOM_ID_SIZE])
{
	size_t length = is_private ? LIMIT_ROOM_CHARS_PRIVATE : LIMIT_ROOM_CHARS_MIN;

	/* Public ids stay short while there are few rooms to collide with. */
	length += !is_private && play->rooms.count > SHORT_IDS_MAX ? 1 : 0;
	length += (size_t)tries;
	length = length < LIMIT_ROOM_CHARS ? length : LIMIT_ROOM_CHARS;
	do {
		play_random_letters(play, length, ret_id);
	} while (map_get(&play->rooms, ret_id) != NULL);
}

struct hosted *rooms_find(const struct play *play, const char *id)
{
	return map_get(&play->rooms, id);
}

/* More of its lines; `lines` NULL: they are dropped. */
static void keep_lines(struct hosted *hosted, size_t count, struct bytes *const *lines)
{
	size_t have = (size_t)hosted->room.seq;

	while (have + count > hosted->line_size) {
		hosted->line_size = hosted->line_size == 0 ? 8 : hosted->line_size * 2;
		hosted->lines = memory_resize(
				hosted->lines, hosted->line_size, sizeof(struct bytes *));
	}
	for (size_t i = 0; i < count; i++) {
		hosted->lines[have + i] = lines == NULL ? NULL : bytes_ref(lines[i]);
	}
}

/* Time begins anew when the events are told, which is now: what it took to store them is nobody's.
 */
static void see_time(struct hosted *hosted, const struct room *after)
{
	int64_t now_ms = play_now(hosted->play);

	hosted->watch.touched_ms = now_ms;
	if (after->action_count != hosted->room.action_count ||
			after->status != hosted->room.status) {
		hosted->watch.turn_ms = now_ms;
	}
}

void rooms_advance(struct hosted *hosted, const struct room *after, size_t count,
		struct bytes *const *lines)
{
	bool changes_roles = !same_roles(&hosted->room, after);
	bool moves_roles = hosted->room.seq > 0 && changes_roles && is_registered(hosted);

	assert(after->seq == hosted->room.seq + (int64_t)count);
	keep_lines(hosted, count, lines);
	if (moves_roles) {
		roles_remove(hosted);
	}
	if (hosted->room.status != after->status && is_registered(hosted)) {
		hosted->play->rooms_by_status[hosted->room.status]--;
		hosted->play->rooms_by_status[after->status]++;
	}
	bool ends = hosted->room.status != STATUS_OVER && after->status == STATUS_OVER;
	see_time(hosted, after);
	hosted->room = *after;
	if (ends) {
		hosted->play->end_number++;
		hosted->end_number = hosted->play->end_number;
		followers_room_ended(hosted);
	}
	if (moves_roles) {
		roles_add(hosted);
		/* Who was a spectator may be a player now. */
		presence_spectators(hosted);
	}
	if (changes_roles) {
		due_presence(hosted);
	} else {
		due_update(hosted);
	}
	bots_see(hosted);
	rooms_maybe_leave(hosted);
}

bool rooms_absorb(struct hosted *hosted, size_t count, struct bytes *const *lines)
{
	for (size_t i = 0; i < count; i++) {
		struct room after = hosted->room;
		struct message message;
		bool fits = replay_read(lines[i], &message) && room_apply(&after, &message.event);
		message_fini(&message);
		if (!fits) {
			log_event(LOG_ERROR, "room_log_broken", "room=%s after_seq=%lld",
					hosted->room.id, (long long)hosted->room.seq);
			return false;
		}
		rooms_advance(hosted, &after, 1, &lines[i]);
	}
	return true;
}

/* Findable, if it is a room. */
static struct hosted *take_in(struct hosted *hosted, bool is_room)
{
	if (!is_room) {
		rooms_free(hosted);
		return NULL;
	}
	rooms_register(hosted);
	lobby_list(hosted);
	due_loaded(hosted);
	followers_return(hosted);
	rooms_maybe_leave(hosted);
	return hosted;
}

/* The events of a room that is over have the names of then. False: they can't be told. */
static bool name_as_today(struct hosted *hosted, const struct store_finished *finished)
{
	struct room *room = &hosted->room;
	bool fits = true;

	for (int seat = 0; seat < 2 && room->status == STATUS_OVER; seat++) {
		if (finished != NULL) {
			fits = fits && replay_name(finished, seat, room->players[seat]);
		} else if (room->started_ms == 0) {
			room->players[seat][0] = '\0';
		}
	}
	return fits;
}

struct hosted *rooms_load(struct play *play, size_t count, struct bytes *const *lines,
		const struct store_finished *finished)
{
	struct hosted *hosted = rooms_new(play);

	return take_in(hosted, count > 0 && rooms_absorb(hosted, count, lines) &&
					       name_as_today(hosted, finished));
}

/* The first event is there; what lies between it and the end is told by the game's row. */
static bool absorb_past(struct hosted *hosted, const struct store_finished *finished)
{
	struct room after = hosted->room;

	if (!replay_past(&after, finished)) {
		return false;
	}
	keep_lines(hosted, (size_t)(after.seq - hosted->room.seq), NULL);
	hosted->room = after;
	return true;
}

struct hosted *rooms_load_finished(struct play *play, const struct store_finished *finished)
{
	struct hosted *hosted = rooms_new(play);
	bool is_room = finished->count > 1 && rooms_absorb(hosted, 1, finished->lines) &&
		       absorb_past(hosted, finished) &&
		       rooms_absorb(hosted, finished->count - 1, finished->lines + 1) &&
		       name_as_today(hosted, finished);

	hosted->whole_from = hosted->room.seq;
	if (!is_room) {
		log_event(LOG_ERROR, "game_row_broken", "room=%s", log_text(finished->game.room));
	}
	return take_in(hosted, is_room);
}

const struct player *rooms_player(const struct play *play, const char *name)
{
	char key[NAME_KEY_SIZE];

	if (name[0] == '\0') {
		return NULL;
	}
	name_key(name, key);
	return players_by_key(play, key);
}

void rooms_keep_rating(const struct player *player)
{
	const char *name = player->record.name;
	struct role_list *list = map_get(&player->play->roles, name);

	if (list != NULL && room_has_rating(name)) {
		list->rating = (struct rating_shown){
				.set = true, .milli = rated_milli(&player->rating)};
	}
}

bool rooms_is_online(const struct play *play, const char *name)
{
	const struct player *player = rooms_player(play, name);

	return name_is_bot(name) || (player != NULL && player->session_count > 0);
}

size_t rooms_spectators(const struct hosted *hosted)
{
	size_t seated = 0;

	for (enum seat seat = SEAT_X; seat <= SEAT_O; seat++) {
		const struct player *player =
				rooms_player(hosted->play, room_player(&hosted->room, seat));
		if (player == NULL) {
			continue;
		}
		const struct session *session;
		TAILQ_FOREACH(session, &player->sessions, of_player)
		{
			seated += followers_find(session, hosted) != NULL;
		}
	}
	return hosted->follower_count - seated;
}

void rooms_keep_said(struct hosted *hosted, enum seat seat, const char *player, const char *text)
{
	bool is_player = seat != SEAT_NONE;
	size_t size = strlen(text) + 1;
	struct said *said = memory_new(1, sizeof(*said) + size);

	said->seat = seat;
	message_copy(said->player, sizeof(said->player), player);
	memcpy(said->text, text, size);
	TAILQ_INSERT_TAIL(&hosted->chat, said, next);
	rooms_maybe_leave(hosted);
	hosted->chat_count[is_player]++;
	/* Players' and watchers' lines are counted apart: neither crowds out the other's. */
	if (hosted->chat_count[is_player] <= LIMIT_CHAT_LINES) {
		return;
	}
	TAILQ_FOREACH(said, &hosted->chat, next)
	{
		if ((said->seat != SEAT_NONE) == is_player) {
			break;
		}
	}
	TAILQ_REMOVE(&hosted->chat, said, next);
	hosted->chat_count[is_player]--;
	free(said);
}

static struct hosted *past_of(const struct play *play, const char *name)
{
	const struct role *role;

	TAILQ_FOREACH(role, &rooms_of(play, name)->entries, of_name)
	{
		const struct room *room = &role->hosted->room;
		if (room->status == STATUS_OVER && room_seat_of(room, name) != SEAT_NONE) {
			return role->hosted;
		}
	}
	return NULL;
}

void rooms_rename_past(struct play *play, const char *before, const char *now)
{
	struct hosted *hosted;

	while ((hosted = past_of(play, before)) != NULL) {
		enum seat seat = room_seat_of(&hosted->room, before);
		roles_remove(hosted);
		message_copy(hosted->room.players[seat - SEAT_X], NAME_SIZE, now);
		roles_add(hosted);
		rooms_rename_said(hosted, before, now);
	}
}

void rooms_rename_said(struct hosted *hosted, const char *before, const char *now)
{
	struct said *said;

	TAILQ_FOREACH(said, &hosted->chat, next)
	{
		if (strcmp(said->player, before) == 0) {
			message_copy(said->player, sizeof(said->player), now);
		}
	}
}

/* The last lines of chat that a viewer may see, oldest first. Watchers' words are for watchers
 * until the game is over, and a snapshot shows them to nobody before. */
static size_t visible_chat(const struct hosted *hosted, const struct player *viewer,
		struct chat_line ret_chat[LIMIT_CHAT_LINES])
{
	size_t free_places = LIMIT_CHAT_LINES;
	const struct said *said;

	TAILQ_FOREACH_REVERSE(said, &hosted->chat, said_list, next)
	{
		bool is_hidden = said->seat == SEAT_NONE && hosted->room.status != STATUS_OVER;
		if (free_places == 0) {
			break;
		}
		if (is_hidden || (viewer != NULL && player_has_muted(viewer, said->player))) {
			continue;
		}
		free_places--;
		struct chat_line *line = &ret_chat[free_places];
		line->seat = said->seat;
		message_copy(line->player, sizeof(line->player), said->player);
		message_copy(line->text, sizeof(line->text), said->text);
	}
	return free_places;
}

void rooms_snapshot(const struct hosted *hosted, const struct player *viewer, struct snapshot *ret)
{
	struct chat_line *chat = hosted->play->chat;

	room_snapshot(&hosted->room, ret);
	ret->clock = room_clocks(&hosted->room, &hosted->watch, play_now(hosted->play));
	for (int i = 0; i < 2; i++) {
		ret->players[i].online = rooms_is_online(hosted->play, ret->players[i].name);
		ret->players[i].rating = rated_shown(hosted->play, ret->players[i].name);
	}
	ret->spectators = (int64_t)rooms_spectators(hosted);
	size_t first = visible_chat(hosted, viewer, chat);
	ret->chat_count = LIMIT_CHAT_LINES - first;
	ret->chat = &chat[first];
}

void rooms_summary(const struct hosted *hosted, struct summary *ret)
{
	room_summary(&hosted->room, ret);
	ret->spectators = (int64_t)rooms_spectators(hosted);
}

void rooms_pin(struct hosted *hosted)
{
	hosted->pins++;
}

void rooms_unpin(struct hosted *hosted)
{
	if (hosted != NULL && --hosted->pins == 0) {
		rooms_maybe_leave(hosted);
	}
}

void rooms_free_all(struct play *play)
{
	size_t cursor = 0;
	struct hosted *hosted;

	while ((hosted = map_next(&play->rooms, &cursor)) != NULL) {
		rooms_free(hosted);
	}
}
