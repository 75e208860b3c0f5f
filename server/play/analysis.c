#include "server/play/analysis.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "protocol/requests.h"
#include "server/ops/memory.h"
#include "server/play/thought.h"
#include "server/solver/solver.h"

/* When to ask again who has too many under way, or who comes while all have. */
#define RETRY_MS 200
#define RETRY_FULL_MS 1000

struct analysis {
	struct thought thought;
	struct session *session; /* NULL: it is gone */
	TAILQ_ENTRY(analysis) of_session;
	struct request_id re;
	struct analysis_question question;
	/* Thought out: */
	int values[RULES_GAME_MAX + 1]; /* half points */
	struct solver_each each;
};

static struct analysis *analysis_of(struct thought *thought)
{
	return (void *)((char *)thought - offsetof(struct analysis, thought));
}

/* Beside the loop. */

static bool think(struct thought *thought, struct solver *solver, const atomic_bool *cancelled)
{
	struct analysis *analysis = analysis_of(thought);
	const struct analysis_question *question = &analysis->question;
	int last = question->count - 1;
	bool found = true;

	/* What the last position is worth helps to say it of those before. */
	if (!question->is_over) {
		found = solver_each(solver, &question->states[last], cancelled, &analysis->each);
	}
	for (int i = last; found && i >= (question->steps ? 0 : last); i--) {
		found = solver_value(solver, &question->states[i], cancelled, &analysis->values[i]);
	}
	return found;
}

static void count(struct session *session, int change)
{
	session->analysis_count += (size_t)change;
	limits_thinking(session->address)->count += (size_t)change;
}

/* The answer. */

static void make_row(const struct rules_action *action, int half_points, struct action_value *ret)
{
	bool is_one = action->squares[0] == action->squares[1];

	*ret = (struct action_value){.half_points = (int8_t)half_points};
	if (action->kind == RULES_MEASURE) {
		ret->action.square = (uint8_t)action->squares[0];
		return;
	}
	ret->action.square_count = is_one ? 1 : 2;
	ret->action.squares[0] = (uint8_t)action->squares[0];
	ret->action.squares[1] = is_one ? 0 : (uint8_t)action->squares[1];
}

static void answer(const struct analysis *analysis)
{
	const struct analysis_question *question = &analysis->question;
	int last = question->count - 1;
	struct action_value each[RULES_ACTIONS_MAX];
	int8_t steps[RULES_GAME_MAX + 1];
	struct ok ok = {.re = analysis->re,
			.to = REQUEST_ANALYSE,
			.carries = OK_VALUES,
			.board = &question->board,
			.each_count = (size_t)analysis->each.count,
			.each = each,
			.steps = steps};

	ok.half_points = (int8_t)(question->is_over ? question->half_points
						    : analysis->values[last]);
	for (int i = 0; i < analysis->each.count; i++) {
		make_row(&analysis->each.action[i], analysis->each.half_points[i], &each[i]);
	}
	if (question->steps) {
		ok.carries |= OK_STEPS;
		ok.step_count = (size_t)question->count;
	}
	for (size_t i = 0; i < ok.step_count; i++) {
		steps[i] = (int8_t)analysis->values[i];
	}
	session_send_ok(analysis->session, &ok);
}

static void refuse(const struct analysis *analysis)
{
	struct error error = {.re = analysis->re, .code = CODE_UNAVAILABLE};

	message_copy(error.to, sizeof(error.to), request_row(REQUEST_ANALYSE)->name);
	message_copy(error.message, sizeof(error.message), "The server stops.");
	session_send_error(analysis->session, &error, NULL);
}

static void thought_of(struct thought *thought, bool found)
{
	struct analysis *analysis = analysis_of(thought);
	struct session *session = analysis->session;

	thought->play->analyses--;
	if (session != NULL) {
		if (found) {
			answer(analysis);
		} else {
			refuse(analysis);
		}
		TAILQ_REMOVE(&session->analyses, analysis, of_session);
		count(session, -1);
		session_analysis_done(session);
	}
	free(analysis);
}

/* Beginning and giving up. */

static bool has_room(struct task *task)
{
	if (task->session->analysis_count >= ANALYSES_A_SESSION) {
		task_refuse_for(task, RETRY_MS,
				"You wait for as many analyses as one connection can.");
		return false;
	}
	if (task->play->analyses >= ANALYSES_MAX ||
			(task->play->analyses >= ANALYSES_SHARED &&
					limits_thinking(task->session->address)->count >=
							ANALYSES_AN_ADDRESS)) {
		task_refuse_for(task, RETRY_FULL_MS, "Too many analyses are asked for right now.");
		return false;
	}
	return true;
}

void analysis_begin(struct task *task, const struct analysis_question *question)
{
	struct session *session = task->session;
	struct analysis *analysis;

	if (!has_room(task)) {
		return;
	}
	analysis = memory_new(1, sizeof(*analysis));
	analysis->thought = (struct thought){.think = think, .done = thought_of};
	analysis->session = session;
	analysis->re = task->request.id;
	analysis->question = *question;
	TAILQ_INSERT_TAIL(&session->analyses, analysis, of_session);
	count(session, 1);
	task->play->analyses++;
	thought_begin(task->play, &session->lane, &analysis->thought);
	task_end(task);
}

void analyses_leave(struct session *session)
{
	struct analysis *analysis;

	while ((analysis = TAILQ_FIRST(&session->analyses)) != NULL) {
		TAILQ_REMOVE(&session->analyses, analysis, of_session);
		count(session, -1);
		analysis->session = NULL;
		thought_cancel(&analysis->thought);
	}
}
