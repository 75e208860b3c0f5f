#include "client-cli/scene.h"

#include <stdio.h>
#include <string.h>

#include "client-cli/clocks.h"

void scene_init(struct scene *scene, struct rooms *rooms)
{
	*scene = (struct scene){.rooms = rooms};
}

/* Names and ids that were met. */

/* Put text to the end of a list of `size` bytes each, if it is not in it. */
static void list_meet(char *list, size_t size, size_t max, size_t *count, const char *text)
{
	if (text[0] == '\0') {
		return;
	}
	for (size_t i = 0; i < *count; i++) {
		if (strcmp(list + i * size, text) == 0) {
			return;
		}
	}
	if (*count == max) {
		(*count)--;
		memmove(list, list + size, *count * size);
	}
	snprintf(list + *count * size, size, "%s", text);
	(*count)++;
}

static void scene_meet_name(struct scene *scene, const char *name)
{
	list_meet(scene->names[0], NAME_SIZE, SCENE_NAMES_MAX, &scene->name_count, name);
}

static void scene_meet_id(struct scene *scene, const char *id)
{
	list_meet(scene->ids[0], ROOM_ID_SIZE, SCENE_IDS_MAX, &scene->id_count, id);
}

/* Rooms. */

struct scene_room *scene_find(struct scene *scene, const char *id)
{
	for (size_t i = 0; i < scene->count; i++) {
		if (strcmp(scene->seen[i].id, id) == 0) {
			return &scene->seen[i];
		}
	}
	return NULL;
}

static void scene_drop_at(struct scene *scene, size_t index)
{
	scene->count--;
	memmove(&scene->seen[index], &scene->seen[index + 1],
			(scene->count - index) * sizeof(scene->seen[0]));
}

/* The room, made if it is new; in place of one that the rooms have forgotten, or of the first. */
static struct scene_room *scene_see(struct scene *scene, const char *id)
{
	struct scene_room *room = scene_find(scene, id);
	size_t index = 0;

	if (room) {
		return room;
	}
	if (scene->count == LIMIT_ROOMS_FOLLOWED) {
		while (index < scene->count && rooms_find(scene->rooms, scene->seen[index].id)) {
			index++;
		}
		scene_drop_at(scene, index < scene->count ? index : 0);
	}
	room = &scene->seen[scene->count++];
	*room = (struct scene_room){.has_board = false};
	message_copy(room->id, sizeof(room->id), id);
	return room;
}

const struct tell_room *scene_current(const struct scene *scene)
{
	return scene->current[0] != '\0' ? rooms_find(scene->rooms, scene->current) : NULL;
}

bool scene_plays(const struct scene *scene)
{
	const struct tell_room *room = scene_current(scene);

	return room && room->status == STATUS_PLAYING && room->seat != SEAT_NONE;
}

static void scene_enter(struct scene *scene, const char *id)
{
	message_copy(scene->current, sizeof(scene->current), id);
}

/* A room comes by itself: it is what words are about from now on unless a game goes on in another.
 */
static void scene_come_to(struct scene *scene, const char *id)
{
	const struct tell_room *room = scene_current(scene);

	if (!room || room->status != STATUS_PLAYING) {
		scene_enter(scene, id);
	}
}

static void scene_leave(struct scene *scene, const char *id)
{
	struct scene_room *room = scene_find(scene, id);

	if (room) {
		scene_drop_at(scene, (size_t)(room - scene->seen));
	}
	if (strcmp(scene->current, id) == 0) {
		const struct tell_room *other = rooms_only(scene->rooms);

		scene_enter(scene, other ? other->id : "");
	}
}

static void scene_uninvite(struct scene *scene, const char *id)
{
	for (size_t i = 0; i < scene->invitation_count; i++) {
		if (strcmp(scene->invitations[i].room, id) == 0) {
			scene->invitation_count--;
			memmove(&scene->invitations[i], &scene->invitations[i + 1],
					(scene->invitation_count - i) *
							sizeof(scene->invitations[0]));
			return;
		}
	}
}

/* Clocks, and who is away. */

struct clock_running scene_clock(const struct scene *scene, const struct scene_room *room)
{
	return clocks_left(&room->clock, room->clock_ms, scene->now_ms);
}

static void room_wind(const struct scene *scene, struct scene_room *room,
		const struct clock_running *clock)
{
	room->clock = *clock;
	room->clock_ms = scene->told_ms;
}

/* A game that is over says nothing of its clocks: they stay as they are. */
static void room_stop(const struct scene *scene, struct scene_room *room)
{
	struct clock_running clock = scene_clock(scene, room);

	clock.running = SEAT_NONE;
	room_wind(scene, room, &clock);
	room->claim_at_ms = 0;
}

static const char *opponent_in(const struct scene *scene, const char *id)
{
	const struct tell_room *room = rooms_find(scene->rooms, id);

	if (!room || room->seat == SEAT_NONE) {
		return "";
	}
	return room->players[room->seat == SEAT_X ? 1 : 0];
}

static void learn_presence(struct scene *scene, struct scene_room *room, const struct event *event)
{
	const struct event_presence *presence = &event->presence;

	if (presence->player[0] == '\0' ||
			strcmp(presence->player, opponent_in(scene, room->id)) != 0) {
		return;
	}
	room->away = !presence->online;
	room->claim_at_ms = presence->has_claim ? scene->told_ms + presence->claim_in_ms : 0;
}

static void learn_snapshot_presence(
		struct scene *scene, struct scene_room *room, const struct snapshot *state)
{
	const char *opponent = opponent_in(scene, room->id);

	for (size_t i = 0; i < 2; i++) {
		if (opponent[0] != '\0' && strcmp(state->players[i].name, opponent) == 0) {
			room->away = !state->players[i].online;
		}
	}
	if (!room->away) {
		room->claim_at_ms = 0;
	}
}

/* It tells how long he has to stay away yet. */
static void learn_error(struct scene *scene, const struct error *error, const char *id)
{
	struct scene_room *room = scene_find(scene, id);

	if (room && error->code == CODE_TOO_EARLY && error->has_retry) {
		room->away = true;
		room->claim_at_ms = scene->now_ms + error->retry_ms;
	}
}

/* A wait of seconds is counted down. */
static int64_t claim_change_ms(const struct scene *scene, const struct scene_room *room)
{
	int64_t wait_ms = room->claim_at_ms - scene->now_ms;

	return room->claim_at_ms > 0 && wait_ms > 0 ? (wait_ms - 1) % 1000 + 1 : -1;
}

int64_t scene_change_ms(struct scene *scene)
{
	const struct scene_room *room = scene_find(scene, scene->current);
	int64_t clock_ms;
	int64_t claim_ms;

	if (!room) {
		return -1;
	}
	clock_ms = clocks_change_ms(&room->clock, room->clock_ms, scene->now_ms);
	claim_ms = claim_change_ms(scene, room);
	return clock_ms < 0 || (claim_ms >= 0 && claim_ms < clock_ms) ? claim_ms : clock_ms;
}

/* Events. */

static void room_draw(struct scene_room *room, const struct board *board)
{
	room->has_board = true;
	room->board = *board;
}

static void learn_opened(struct scene *scene, struct scene_room *room, const struct event *event)
{
	(void)room;
	scene_meet_name(scene, event->opened.player);
	scene_meet_name(scene, event->opened.opponent);
}

static void learn_seated(struct scene *scene, struct scene_room *room, const struct event *event)
{
	(void)room;
	scene_meet_name(scene, event->seated.player);
}

static void learn_started(struct scene *scene, struct scene_room *room, const struct event *event)
{
	scene_meet_name(scene, event->started.players[0]);
	scene_meet_name(scene, event->started.players[1]);
	room_draw(room, &event->started.board);
	room_wind(scene, room, &event->started.clock);
	room->last = 0;
	scene_come_to(scene, room->id);
}

/* An offer of a draw lapses when its receiver acts. */
static void room_act(struct scene_room *room, enum seat by)
{
	if (room->draw_offer != by) {
		room->draw_offer = SEAT_NONE;
	}
}

static void learn_moved(struct scene *scene, struct scene_room *room, const struct event *event)
{
	room_draw(room, &event->moved.board);
	room_wind(scene, room, &event->moved.clock);
	room->last = 1U << event->moved.move % 10;
	room_act(room, event->moved.by);
}

static void learn_collapsed(struct scene *scene, struct scene_room *room, const struct event *event)
{
	const struct measured *measured = &event->collapsed.measured;

	room_draw(room, &event->collapsed.board);
	room_wind(scene, room, &event->collapsed.clock);
	room->last = 0;
	for (size_t i = 0; i < measured->count && i < 9; i++) {
		room->last |= 1U << measured->mark[i] % 10;
	}
	room_act(room, event->collapsed.by);
}

static void learn_draw_offered(
		struct scene *scene, struct scene_room *room, const struct event *event)
{
	(void)scene;
	room->draw_offer = event->by;
}

static void learn_draw_declined(
		struct scene *scene, struct scene_room *room, const struct event *event)
{
	(void)scene;
	(void)event;
	room->draw_offer = SEAT_NONE;
}

static void room_score(struct scene_room *room, const struct result *result)
{
	room->line = 0;
	for (size_t i = 0; i < result->line_count && i < 2; i++) {
		for (size_t j = 0; j < 3; j++) {
			room->line |= 1U << result->lines[i].squares[j] % 10;
		}
	}
	room->draw_offer = SEAT_NONE;
}

static void learn_ended(struct scene *scene, struct scene_room *room, const struct event *event)
{
	scene_uninvite(scene, room->id);
	room_draw(room, &event->ended.board);
	room_stop(scene, room);
	room_score(room, &event->ended.result);
}

static void learn_rematch_offered(
		struct scene *scene, struct scene_room *room, const struct event *event)
{
	(void)scene;
	room->rematch_by = event->by;
}

static void learn_rematch(struct scene *scene, struct scene_room *room, const struct event *event)
{
	room->rematch_by = SEAT_NONE;
	if (strcmp(scene->current, room->id) == 0) {
		scene_enter(scene, event->new_room);
	}
}

static void learn_said(struct scene *scene, struct scene_room *room, const struct event *event)
{
	(void)room;
	scene_meet_name(scene, event->said.player);
}

/* Which mark was put last is plain from a board only while it is still in two squares. */
static unsigned int board_last(const struct board *board)
{
	unsigned int mark = board->phase == PHASE_MOVE ? board->move - 1U : board->move;

	for (size_t i = 0; i < 9; i++) {
		const struct board_square *square = &board->squares[i];

		if (mark > 0 && mark <= 9 && square->spooky_count <= 9 &&
				memchr(square->spooky, (int)mark, square->spooky_count)) {
			return 1U << mark;
		}
	}
	return 0;
}

static void learn_snapshot(struct scene *scene, const struct snapshot *state)
{
	struct scene_room *room = scene_see(scene, state->room);

	scene_meet_id(scene, state->room);
	scene_meet_name(scene, state->players[0].name);
	scene_meet_name(scene, state->players[1].name);
	room_draw(room, &state->board);
	room_wind(scene, room, &state->clock);
	learn_snapshot_presence(scene, room, state);
	room->last = board_last(&state->board);
	room->draw_offer = state->draw_offer;
	if (state->has_result) {
		room_score(room, &state->result);
	}
}

static void learn_lobby(struct scene *scene, const struct event_lobby *event)
{
	const struct summary *summary = &event->summary;
	bool listed = event->change != LOBBY_REMOVED && summary->status == scene->lobby_status;
	size_t index = 0;

	scene_meet_id(scene, summary->room);
	scene_meet_name(scene, summary->players[0]);
	scene_meet_name(scene, summary->players[1]);
	/* Nobody tells the invited that the inviter has left. */
	if (event->change == LOBBY_REMOVED) {
		scene_uninvite(scene, summary->room);
	}
	while (index < scene->lobby_count && strcmp(scene->lobby[index].room, summary->room) != 0) {
		index++;
	}
	if (listed && index < LIMIT_LIST) {
		scene->lobby[index] = *summary;
		scene->lobby_count += index == scene->lobby_count;
	} else if (!listed && index < scene->lobby_count) {
		scene->lobby_count--;
		memmove(&scene->lobby[index], &scene->lobby[index + 1],
				(scene->lobby_count - index) * sizeof(scene->lobby[0]));
	}
}

static void learn_invited(struct scene *scene, const struct event *event)
{
	struct scene_invitation *invitation;

	scene_meet_id(scene, event->room);
	scene_meet_name(scene, event->invited.player);
	scene_uninvite(scene, event->room);
	if (scene->invitation_count == SCENE_INVITATIONS_MAX) {
		scene_uninvite(scene, scene->invitations[0].room);
	}
	invitation = &scene->invitations[scene->invitation_count++];
	message_copy(invitation->room, sizeof(invitation->room), event->room);
	message_copy(invitation->player, sizeof(invitation->player), event->invited.player);
}

typedef void (*room_learner)(
		struct scene *scene, struct scene_room *room, const struct event *event);

static const room_learner room_learners[EVENT_COUNT] = {
		[EVENT_OPENED] = learn_opened,
		[EVENT_SEATED] = learn_seated,
		[EVENT_STARTED] = learn_started,
		[EVENT_MOVED] = learn_moved,
		[EVENT_COLLAPSED] = learn_collapsed,
		[EVENT_DRAW_OFFERED] = learn_draw_offered,
		[EVENT_DRAW_DECLINED] = learn_draw_declined,
		[EVENT_ENDED] = learn_ended,
		[EVENT_REMATCH_OFFERED] = learn_rematch_offered,
		[EVENT_REMATCH] = learn_rematch,
		[EVENT_PRESENCE] = learn_presence,
		[EVENT_SAID] = learn_said,
};

/* While we were stopped, lines waited to be read: what they tell of clocks was true at their time,
 * not now. The server's time and ours are compared by lines that did not wait. */
static void learn_time(struct scene *scene, int64_t at_ms)
{
	int64_t ahead_ms = at_ms - scene->now_ms;

	if (at_ms == 0) {
		return;
	}
	if (!scene->knows_ahead || ahead_ms > scene->ahead_ms) {
		scene->ahead_ms = ahead_ms;
		scene->knows_ahead = !scene->is_late;
	}
	if (scene->is_late && scene->knows_ahead) {
		scene->told_ms = at_ms - scene->ahead_ms;
	}
}

static void learn_event(struct scene *scene, const struct event *event)
{
	learn_time(scene, event->at_ms);
	if (room_learners[event->type]) {
		room_learners[event->type](scene, scene_see(scene, event->room), event);
	} else if (event->type == EVENT_STATE) {
		learn_snapshot(scene, &event->state);
		scene_come_to(scene, event->state.room);
	} else if (event->type == EVENT_LOBBY) {
		learn_lobby(scene, &event->lobby);
	} else if (event->type == EVENT_INVITED) {
		learn_invited(scene, event);
	}
}

/* Replies. */

static void learn_list(struct scene *scene, const struct ok *ok)
{
	scene->lobby_count = 0;
	for (size_t i = 0; i < ok->summary_count && i < LIMIT_LIST; i++) {
		scene->lobby[scene->lobby_count++] = ok->summaries[i];
		scene_meet_id(scene, ok->summaries[i].room);
		scene_meet_name(scene, ok->summaries[i].players[0]);
		scene_meet_name(scene, ok->summaries[i].players[1]);
	}
}

static void learn_ok(struct scene *scene, const struct ok *ok)
{
	if (ok->state) {
		learn_snapshot(scene, ok->state);
		scene_enter(scene, ok->state->room);
	}
	if (ok->to == REQUEST_JOIN || ok->to == REQUEST_DECLINE) {
		scene_uninvite(scene, ok->room);
	} else if (ok->to == REQUEST_LEAVE) {
		scene_leave(scene, ok->room);
	} else if (ok->to == REQUEST_LOBBY) {
		learn_list(scene, ok);
	}
	for (size_t i = 0; i < ok->player_count; i++) {
		scene_meet_name(scene, ok->players[i].name);
		scene_meet_id(scene, ok->players[i].room);
	}
}

void scene_asked(struct scene *scene, const struct request *request)
{
	if (request->type == REQUEST_LOBBY) {
		scene->lobby_status = request->status;
		if (request->has & HAS_FOLLOW) {
			scene->follows_lobby = request->follow;
		}
	}
}

void scene_learn(struct scene *scene, const struct message *message, const char *room)
{
	scene->told_ms = scene->now_ms;
	switch (message->kind) {
	case MESSAGE_OK:
		learn_ok(scene, &message->ok);
		break;
	case MESSAGE_ERROR:
		/* An invitation that can't be taken up or turned down stands no more. */
		scene_uninvite(scene, room);
		learn_error(scene, &message->error, room);
		break;
	case MESSAGE_EVENT:
		learn_event(scene, &message->event);
		break;
	}
}

enum scene_question scene_asks(struct scene *scene, const char **ret_room, const char **ret_player)
{
	const struct tell_room *room = scene_current(scene);
	const struct scene_room *seen = room ? scene_find(scene, room->id) : NULL;

	if (scene->forgets) {
		*ret_room = "";
		*ret_player = scene->rooms->name;
		return QUESTION_FORGET;
	}
	if (seen && room->seat != SEAT_NONE) {
		enum seat other = room->seat == SEAT_X ? SEAT_O : SEAT_X;

		*ret_room = room->id;
		*ret_player = room->players[other - SEAT_X];
		if (room->status == STATUS_PLAYING && seen->draw_offer == other) {
			return QUESTION_DRAW;
		}
		if (room->status == STATUS_OVER && seen->rematch_by == other) {
			return QUESTION_REMATCH;
		}
	}
	if (scene->invitation_count > 0 && !scene_plays(scene)) {
		const struct scene_invitation *newest =
				&scene->invitations[scene->invitation_count - 1];

		*ret_room = newest->room;
		*ret_player = newest->player;
		return QUESTION_INVITED;
	}
	return QUESTION_NONE;
}
