#include "server/play/drain.h"

#include <stdio.h>

#include "protocol/tell.h"
#include "server/play/operator.h"
#include "server/play/rooms.h"

/* How often it is looked whether all games are over. */
#define LOOK_MS 200

size_t drain_games(const struct play *play)
{
	return play->rooms_by_status[STATUS_PLAYING];
}

static bool is_due(const struct play *play)
{
	const struct drain *drain = &play->drain;

	return drain_games(play) == 0 ||
	       (drain->until_ms != 0 && drain->until_ms <= play_now(play));
}

static void look(void *owner)
{
	struct play *play = owner;

	if (!play->drain.on || play->closing) {
		return;
	}
	play_set_timer(play, &play->drain.look, play_now(play) + LOOK_MS);
	if (is_due(play) && play->config.drained != NULL) {
		play->config.drained(play->config.drained_arg);
	}
}

void drain_init(struct play *play)
{
	play->drain.look = (struct timer){.fire = look, .owner = play};
}

void drain_begin(struct play *play, int64_t until_ms, const struct session *but)
{
	struct drain *drain = &play->drain;
	char time[TELL_TIME_SIZE];
	char text[TEXT_SIZE];

	drain->on = true;
	drain->until_ms = until_ms;
	if (until_ms == 0) {
		snprintf(text, sizeof(text),
				"The server will stop. Games that run can be finished; no new ones "
				"begin.");
	} else {
		tell_time(until_ms, time);
		snprintf(text, sizeof(text),
				"The server will stop, at %s at the latest. Games that run can be "
				"finished until then; no new ones begin.",
				time);
	}
	operator_tell_all(play, text, but);
	/* The operator hears his answer first. */
	play_set_timer(play, &drain->look, play_now(play) + LOOK_MS);
}

void drain_end(struct play *play, const struct session *but)
{
	struct session *session;

	if (!play->drain.on) {
		return;
	}
	play->drain.on = false;
	TAILQ_FOREACH(session, &play->sessions, all)
	{
		session->is_late = false;
	}
	operator_tell_all(play, "The server goes on: new games can begin.", but);
}

bool drain_lets_in(struct task *task)
{
	struct session *session = task->session;
	enum request_type type = task->request.type;

	if (session == NULL || !session->is_late || type == REQUEST_HELLO || type == REQUEST_QUIT) {
		return true;
	}
	session_close(session, BYE_SHUTDOWN);
	task_refuse(task, CODE_SERVER_FULL, DRAIN_SENTENCE);
	return false;
}

void drain_greeted(struct session *session)
{
	if (!session->is_late) {
		return;
	}
	if (rooms_game_of(session->play, session->player->record.name) != NULL) {
		session->is_late = false;
	} else {
		session_close(session, BYE_SHUTDOWN);
	}
}
