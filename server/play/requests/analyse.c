#include "server/play/requests/requests.h"

#include <string.h>

#include "server/game/notation.h"
#include "server/game/view.h"
#include "server/play/analysis.h"
#include "server/play/bots.h"

/* Who may ask, and about what: never about a running game between two people, and never in the
 * middle of one's own. A bot has nothing to lose by it. */

static bool plays_a_person(const struct play *play, const char *name)
{
	const struct role *role;

	TAILQ_FOREACH(role, &rooms_of(play, name)->entries, of_name)
	{
		const struct room *room = &role->hosted->room;

		if (room->status == STATUS_PLAYING && !bots_sit_in(room) &&
				room_seat_of(room, name) != SEAT_NONE) {
			return true;
		}
	}
	return false;
}

static bool may_ask(struct task *task)
{
	const struct player *player = task->player;

	/* A guest who claimed a name may still sit somewhere by the other. */
	if (player != NULL && (plays_a_person(task->play, player->record.name) ||
					      plays_a_person(task->play, player->record.former))) {
		task_refuse(task, CODE_NOT_ALLOWED,
				"You play against a person: no analysis before that is over.");
		return false;
	}
	return true;
}

static bool may_ask_about(struct task *task, const struct room *room)
{
	if (room->status == STATUS_WAITING) {
		task_refuse(task, CODE_NOT_STARTED, NULL);
		return false;
	}
	if (room->status == STATUS_PLAYING && !bots_sit_in(room)) {
		task_refuse(task, CODE_NOT_ALLOWED,
				"A running game between two people can't be analysed.");
		return false;
	}
	return true;
}

/* The position. */

static enum rules_refusal add_action(
		struct analysis_question *question, const struct rules_action *action)
{
	struct rules_state state = question->states[question->count - 1];
	enum rules_refusal refusal = rules_apply(&state, rules_turn(&state), action);

	if (refusal == RULES_FINE) {
		question->states[question->count] = state;
		question->count++;
	}
	return refusal;
}

static void add_actions(
		struct analysis_question *question, const struct rules_action *actions, int count)
{
	for (int i = 0; i < count; i++) {
		(void)add_action(question, &actions[i]);
	}
}

static struct rules_action action_of(const struct action *action)
{
	if (action->square_count == 0) {
		return (struct rules_action){.kind = RULES_MEASURE, .squares = {action->square}};
	}
	return (struct rules_action){.kind = RULES_PLACE,
			.squares = {action->squares[0], action->squares[action->square_count - 1]}};
}

static bool read_actions(struct task *task, struct analysis_question *question)
{
	const struct request *request = &task->request;

	for (int i = 0; i < request->action_count; i++) {
		struct rules_action action = action_of(&request->actions[i]);
		enum rules_refusal refusal = add_action(question, &action);

		if (refusal != RULES_FINE) {
			task_refuse_at(task, "actions", i + 1, code_sentence(view_code(refusal)));
			return false;
		}
	}
	return true;
}

static bool read_record(struct task *task, struct analysis_question *question)
{
	struct notation_record record;
	struct notation_error error;
	const char *text = task->request.record;

	if (!notation_read(text, strlen(text), &record, &error)) {
		task_refuse_at(task, "record", (int64_t)error.at, error.message);
		return false;
	}
	add_actions(question, record.actions, record.count);
	return true;
}

static void show_last(struct analysis_question *question)
{
	const struct rules_state *state = &question->states[question->count - 1];

	view_board(state, rules_phase(state) == RULES_OVER, &question->board);
}

static bool read_room(struct task *task, struct analysis_question *question)
{
	const struct hosted *hosted = requests_room(task);

	if (hosted == NULL || !may_ask_about(task, &hosted->room)) {
		return false;
	}
	const struct room *room = &hosted->room;
	add_actions(question, room->actions, room->action_count);
	room_board(room, &question->board);
	question->is_over = room->status == STATUS_OVER;
	question->half_points = room->result.half_points_x - room->result.half_points_o;
	return true;
}

static bool asks_about_one(struct task *task)
{
	uint32_t has = task->request.has;
	bool by_record = (has & HAS_RECORD) != 0;
	bool by_actions = (has & HAS_ACTIONS) != 0;

	if (((has & HAS_ROOM) != 0) + by_record + by_actions > 1) {
		task_refuse_field(task, by_actions ? "actions" : "record",
				"Say one of room, record and actions.");
		return false;
	}
	return true;
}

static bool read_question(struct task *task, struct analysis_question *question)
{
	uint32_t has = task->request.has;

	if ((has & (HAS_RECORD | HAS_ACTIONS)) == 0) {
		return may_ask(task) && read_room(task, question);
	}
	if (!((has & HAS_RECORD) != 0 ? read_record(task, question)
				      : read_actions(task, question)) ||
			!may_ask(task)) {
		return false;
	}
	show_last(question);
	return true;
}

void requests_analyse(struct task *task)
{
	struct analysis_question question = {.count = 1, .steps = task->request.steps};

	rules_start(&question.states[0]);
	if (asks_about_one(task) && read_question(task, &question)) {
		analysis_begin(task, &question);
	}
}
