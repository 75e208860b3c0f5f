#include "server/play/requests/requests.h"

#include <string.h>

#include "protocol/encode.h"
#include "server/play/bots.h"
#include "server/play/invitations.h"
#include "server/play/lobby.h"
#include "server/play/name.h"

static bool has_place(struct task *task)
{
	if (!followers_has_place(task->session)) {
		task_refuse(task, CODE_TOO_MANY_ROOMS,
				"You follow as many running rooms as one connection can.");
		return false;
	}
	return true;
}

/* A place to follow it, or it is followed already. */
static bool has_place_for(struct task *task, const struct hosted *hosted)
{
	return followers_find(task->session, hosted) != NULL || has_place(task);
}

static void refuse(struct command *command)
{
	task_refuse(command->task, command->code, command->message);
}

/* Create. */

static void tell_invited(struct command *command)
{
	if (command->invited != NULL) {
		invitations_tell(command->parts[0].hosted, command->invited);
	}
}

static void seated(struct command *command)
{
	struct task *task = command->task;
	struct hosted *hosted = command->parts[0].hosted;

	if (command->code != CODE_NONE) {
		refuse(command);
	} else if (room_seat_of(&hosted->room, task->player->record.former) != SEAT_NONE) {
		/* The guest claimed a name while this was stored: the seat gets it too. */
		struct command *rename = command_new(task, 1, seated);
		requests_rename(rename, hosted);
		queue_submit(rename);
	} else {
		requests_answer_seated(task, hosted);
	}
}

static struct room_command *open_room(
		struct task *task, command_fn *done, struct command **ret_command)
{
	unsigned char coin;

	play_random(task->play, &coin, sizeof(coin));
	*ret_command = command_new(task, 1, done);
	command_sits(*ret_command, task->player);
	struct room_command *args = command_add(*ret_command, rooms_new(task->play), ROOM_OPEN);
	args->side_coin = (coin & 1) != 0;
	return args;
}

/* Whom the seat is for, NULL for anyone. False: the task waits or was refused. */
static bool find_opponent(struct task *task, struct player **ret_player)
{
	const struct request *request = &task->request;

	*ret_player = NULL;
	if ((request->has & HAS_OPPONENT) == 0) {
		return true;
	}
	struct player *player = requests_player(task, request->opponent);
	if (player == NULL) {
		return false;
	}
	if (player == task->player) {
		task_refuse_field(task, "opponent", "You can't play against yourself.");
		return false;
	}
	*ret_player = player;
	return true;
}

static void bot_seated(struct command *command)
{
	command->task->player->bot_games_opening--;
	seated(command);
}

static void create_against_bot(struct task *task)
{
	const struct request *request = &task->request;
	const char *bot = bots_name(request->opponent);
	struct command *command;

	if (bot == NULL) {
		task_refuse(task, CODE_NO_SUCH_PLAYER,
				"The bots are bot-random, bot-good and bot-perfect.");
		return;
	}
	if (!bots_have_time_for(task->play, task->player)) {
		task_refuse(task, CODE_TOO_MANY_ROOMS,
				"You play as many games against bots as one can; end one first.");
		return;
	}
	if (!has_place(task) || !requests_may_open(task, NULL)) {
		return;
	}
	struct room_command *args = open_room(task, bot_seated, &command);
	args->side = request->side;
	args->is_private = request->is_private;
	args->clock = request->clock;
	args->rated = (struct rated_asked){(request->has & HAS_RATED) != 0, request->rated};
	args->title = request->title;
	args->opponent = bot;
	args->opponent_sits = true;
	task->player->bot_games_opening++;
	queue_submit(command);
}

void requests_create(struct task *task)
{
	const struct request *request = &task->request;
	struct player *opponent;
	struct command *command;

	if (name_is_bot(request->opponent)) {
		create_against_bot(task);
		return;
	}
	if (!find_opponent(task, &opponent) || !has_place(task)) {
		return;
	}
	if (!requests_may_open(task, NULL) ||
			(opponent != NULL && !requests_may_invite(task, opponent))) {
		return;
	}
	struct room_command *args = open_room(task, seated, &command);
	args->side = request->side;
	args->is_private = request->is_private;
	args->clock = request->clock;
	args->rated = (struct rated_asked){(request->has & HAS_RATED) != 0, request->rated};
	args->title = request->title;
	if (opponent != NULL) {
		/* The name by reference: a guest may get another while this waits. */
		args->opponent = opponent->record.name;
		command_invites(command, opponent);
		command->told = tell_invited;
	}
	queue_submit(command);
}

/* Match. */

static bool is_own_match(
		const struct hosted *hosted, const char *name, const struct clock_agreed *clock)
{
	const struct room *room = &hosted->room;

	return room->status == STATUS_WAITING && !room->is_private && room->opponent[0] == '\0' &&
	       strcmp(room->creator, name) == 0 && clock_agreed_same(&room->clock, clock);
}

static struct hosted *own_match(const struct task *task)
{
	const char *name = task->player->record.name;
	const struct role *role;

	TAILQ_FOREACH(role, &rooms_of(task->play, name)->entries, of_name)
	{
		if (is_own_match(role->hosted, name, &task->request.clock)) {
			return role->hosted;
		}
	}
	return NULL;
}

/* Those who came while a room was being opened: one takes its seat, the next opens another. */
static void wake_waiting(struct play *play)
{
	struct task *task;

	while (!play->match_opens && (task = TAILQ_FIRST(&play->match_waits)) != NULL) {
		TAILQ_REMOVE(&play->match_waits, task, waits);
		play->under_way--;
		task_run(task);
	}
}

static void match_opened(struct command *command)
{
	command->play->match_opens = false;
	seated(command);
	if (command->code != CODE_NONE) {
		wake_waiting(command->play);
	}
}

static void match_told(struct command *command)
{
	wake_waiting(command->play);
}

static void match_joined(struct command *command)
{
	bool was_late = command->code == CODE_ROOM_FULL || command->code == CODE_GAME_OVER;

	if (was_late) {
		/* Somebody else took the seat: look for another. */
		task_run(command->task);
	} else {
		seated(command);
	}
}

void requests_match(struct task *task)
{
	struct play *play = task->play;
	struct command *command;
	struct hosted *own = own_match(task);

	if (own != NULL && has_place_for(task, own)) {
		requests_answer_seated(task, own);
	}
	if (own != NULL || !has_place(task)) {
		return;
	}
	struct hosted *other = lobby_match(play, task->player->record.name, &task->request.clock);
	if (!(other != NULL ? requests_may_sit(task, other) && task_may(task, RATE_OPENS)
			    : requests_may_open(task, NULL))) {
		return;
	}
	if (other != NULL) {
		command = command_new(task, 1, match_joined);
		command_sits(command, task->player);
		command_add(command, other, ROOM_JOIN)->former = task->player->record.former;
		queue_submit(command);
	} else if (play->match_opens) {
		play->under_way++;
		TAILQ_INSERT_TAIL(&play->match_waits, task, waits);
	} else {
		play->match_opens = true;
		open_room(task, match_opened, &command)->clock = task->request.clock;
		command->told = match_told;
		queue_submit(command);
	}
}

/* Join, decline. */

void requests_join(struct task *task)
{
	struct hosted *hosted = requests_room(task);

	if (hosted == NULL || !has_place_for(task, hosted) || !requests_may_sit(task, hosted) ||
			!requests_know_ratings(task, hosted)) {
		return;
	}
	struct command *command = command_new(task, 1, seated);
	command_sits(command, task->player);
	struct room_command *args = command_add(command, hosted, ROOM_JOIN);
	args->side = task->request.side;
	args->former = task->player->record.former;
	queue_submit(command);
}

static void answer_room(struct task *task, const struct hosted *hosted)
{
	struct ok ok = {.carries = OK_ROOM};

	message_copy(ok.room, sizeof(ok.room), hosted->room.id);
	task_ok(task, &ok);
}

static void declined(struct command *command)
{
	if (command->code != CODE_NONE) {
		refuse(command);
	} else {
		answer_room(command->task, command->parts[0].hosted);
	}
}

void requests_decline(struct task *task)
{
	struct hosted *hosted = requests_room(task);

	if (hosted == NULL) {
		return;
	}
	struct command *command = command_new(task, 1, declined);
	struct room_command *args = command_add(command, hosted, ROOM_DECLINE);
	if (task->player != NULL) {
		args->former = task->player->record.former;
	}
	queue_submit(command);
}

/* Watch, state. */

/* The later events again, exactly as they were. */
static void send_since(struct task *task, const struct hosted *hosted)
{
	/* Of a game long over they may be gone: then the state says it all. */
	if ((task->request.has & HAS_SINCE) == 0 || task->request.since < hosted->whole_from) {
		return;
	}
	for (int64_t seq = task->request.since; seq < hosted->room.seq; seq++) {
		session_tell_past(task->session, hosted->lines[seq]);
	}
}

static void answer_state(struct task *task, const struct hosted *hosted)
{
	struct snapshot snapshot;
	struct ok ok;

	send_since(task, hosted);
	requests_fill_state(task, hosted, &ok, &snapshot);
	task_ok(task, &ok);
}

void requests_watch(struct task *task)
{
	struct hosted *hosted = requests_room(task);

	if (hosted != NULL && has_place_for(task, hosted) && requests_may_watch(task, hosted) &&
			requests_know_ratings(task, hosted)) {
		followers_add(task->session, hosted);
		answer_state(task, hosted);
	}
}

void requests_state(struct task *task)
{
	struct hosted *hosted = requests_room(task);

	if (hosted == NULL || !requests_know_ratings(task, hosted)) {
		return;
	}
	if (followers_find(task->session, hosted) != NULL) {
		/* What it missed while it was slow is told by this answer. */
		followers_add(task->session, hosted);
	}
	answer_state(task, hosted);
}

/* Leave. */

static void left(struct command *command)
{
	struct task *task = command->task;
	struct hosted *hosted = command->parts[0].hosted;
	struct follower *follower = NULL;

	if (command->code != CODE_NONE) {
		refuse(command);
		return;
	}
	if (task->session != NULL) {
		follower = followers_find(task->session, hosted);
	}
	if (follower != NULL) {
		followers_remove(follower);
	}
	answer_room(task, hosted);
}

void requests_leave(struct task *task)
{
	struct hosted *hosted = requests_room(task);

	if (hosted == NULL) {
		return;
	}
	const char *name = task->player == NULL ? "" : task->player->record.name;
	bool closes_it = hosted->room.status == STATUS_WAITING &&
			 room_seat_of(&hosted->room, name) != SEAT_NONE;
	if (!closes_it && followers_find(task->session, hosted) == NULL) {
		task_refuse(task, CODE_NOT_IN_ROOM, NULL);
		return;
	}
	struct command *command = command_new(task, 1, left);
	command_add(command, hosted, ROOM_LEAVE);
	queue_submit(command);
}
