#include "server/play/records.h"

#include "server/play/bots.h"
#include "server/play/requests/requests.h"

/* Rows of a list that cost as much as the least request. */
#define ROWS_PER_UNIT 4

static void answer_game(struct task *task, const struct game_row *row)
{
	struct ok ok = {.carries = OK_ROOM | OK_GAME, .game = row};

	message_copy(ok.room, sizeof(ok.room), row->room);
	task_ok(task, &ok);
}

/* A game that is being played, or one that another server has ended a moment ago. */
static void answer_from_memory(struct task *task)
{
	const struct hosted *hosted = requests_room(task);
	struct game_row row;

	if (hosted == NULL) {
		return;
	}
	if (hosted->room.started_ms == 0) {
		task_refuse(task, CODE_NOT_STARTED, NULL);
		return;
	}
	records_see(&hosted->room, &row);
	answer_game(task, &row);
}

void requests_game(struct task *task)
{
	const struct hosted *hosted = rooms_find(task->play, task->request.room);
	const struct lookup *found;

	if (hosted != NULL && hosted->room.status != STATUS_OVER) {
		answer_from_memory(task);
		return;
	}
	/* What is over is told from its row, which has the names of today. */
	switch (task_game(task, task->request.room, &found)) {
	case LOOKUP_FOUND:
		answer_game(task, found->games);
		return;
	case LOOKUP_ABSENT:
		answer_from_memory(task);
		return;
	case LOOKUP_PENDING:
	case LOOKUP_FAILED:
		return;
	}
}

/* Whose games? False: the task waits or was refused. */
static bool read_owner(
		struct task *task, struct store_games_query *query, char ret_key[NAME_KEY_SIZE])
{
	const char *bot = bots_name(task->request.name);
	const struct player *player;

	if ((task->request.has & HAS_NAME) == 0) {
		return true;
	}
	if (bot != NULL) {
		name_key(bot, ret_key);
		query->key = ret_key;
		return true;
	}
	player = requests_past_player(task, task->request.name);
	query->player = player == NULL ? 0 : player->id;
	return player != NULL;
}

void requests_games(struct task *task)
{
	struct store_games_query query = {.limit = requests_limit(&task->request)};
	struct ok ok = {.carries = OK_GAMES};
	const struct lookup *found;
	char key[NAME_KEY_SIZE];

	if (!records_read_cursor(task->request.after, &query.after)) {
		task_refuse_field(task, "after", "That is no cursor of this list.");
		return;
	}
	if (!read_owner(task, &query, key) || task_games(task, &query, &found) != LOOKUP_FOUND) {
		return;
	}
	ok.games = found->games;
	ok.game_count = found->game_count;
	if (found->next != 0) {
		ok.carries |= OK_NEXT;
		records_write_cursor(found->next, ok.next);
	}
	if (task->session != NULL) {
		session_use(task->session, found->game_count / ROWS_PER_UNIT);
	}
	task_ok(task, &ok);
}

/* Ratings. */

static void answer_standing(struct task *task, struct standing *standing)
{
	struct ok ok = {.carries = OK_NAME | OK_STANDING, .standing = standing};

	message_copy(ok.name, sizeof(ok.name), standing->name);
	standing->online = rooms_is_online(task->play, standing->name);
	task_ok(task, &ok);
}

void requests_standing(struct task *task)
{
	const char *bot = bots_name(task->request.name);
	const struct lookup *found;
	struct standing standing;
	char name[NAME_SIZE];
	char key[NAME_KEY_SIZE];

	if (bot != NULL) {
		records_bot_standing(bot, &standing);
		answer_standing(task, &standing);
		return;
	}
	if (!name_normalise(task->request.name, name)) {
		task_refuse(task, CODE_NO_SUCH_PLAYER, NULL);
		return;
	}
	name_key(name, key);
	switch (task_standing(task, key, &found)) {
	case LOOKUP_FOUND:
		answer_standing(task, found->standings);
		return;
	case LOOKUP_ABSENT:
		task_refuse(task, CODE_NO_SUCH_PLAYER, NULL);
		return;
	case LOOKUP_PENDING:
	case LOOKUP_FAILED:
		return;
	}
}

void requests_top(struct task *task)
{
	struct ok ok = {.carries = OK_TOP};
	const struct lookup *found;

	if (task_top(task, requests_limit(&task->request), &found) != LOOKUP_FOUND) {
		return;
	}
	for (size_t i = 0; i < found->standing_count; i++) {
		struct standing *standing = &found->standings[i];
		standing->online = rooms_is_online(task->play, standing->name);
	}
	ok.top = found->standings;
	ok.top_count = found->standing_count;
	if (task->session != NULL) {
		session_use(task->session, found->standing_count / ROWS_PER_UNIT);
	}
	task_ok(task, &ok);
}
