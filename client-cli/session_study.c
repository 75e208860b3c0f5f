/* A game's values: what was done in it is told by its events, which come again, and what that was
 * worth by `analyse`; the two become one page. */
#include "client-cli/session.h"
#include "client-cli/show_values.h"

/* A pipe has no width. */
#define PIPE_COLUMNS 80

static void send_request(
		struct session *session, struct request *request, const struct asked *asked)
{
	struct command command;

	if (asked->room[0] != '\0') {
		request->has |= HAS_ROOM;
		message_copy(request->room, sizeof(request->room), asked->room);
	}
	command_request(request, asked->words, session->number + 1, &command);
	command.asked.use = ASKED_FOR_STUDY;
	session_do(session, &command);
}

void session_study(struct session *session, const struct asked *asked)
{
	struct request state = {.type = REQUEST_STATE, .has = HAS_SINCE, .since = 0};
	struct request values = {.type = REQUEST_ANALYSE, .has = HAS_STEPS, .steps = true};

	session->study = (struct study){.seq = 0};
	session->studies = true;
	session->study_listens = true;
	send_request(session, &state, asked);
	send_request(session, &values, asked);
}

bool session_study_takes(
		struct session *session, const struct message *message, const struct asked *asked)
{
	if (message->kind == MESSAGE_EVENT) {
		return session->study_listens && study_take_event(&session->study, &message->event);
	}
	if (!asked || asked->use != ASKED_FOR_STUDY) {
		return false;
	}
	if (asked->type == REQUEST_STATE) {
		/* If it was refused, so is what follows, and that is told. */
		session->study_listens = false;
		if (message->kind == MESSAGE_OK && message->ok.state) {
			study_take_state(&session->study, message->ok.state);
		}
		return true;
	}
	session->studies = false;
	if (message->kind == MESSAGE_OK) {
		study_take_values(&session->study, &message->ok);
	}
	return false;
}

bool session_show_values(
		struct session *session, const struct message *message, const struct asked *asked)
{
	const struct show show = {.out = session->view.out,
			.columns = PIPE_COLUMNS,
			.ascii = session->view.ascii};

	if (message->kind != MESSAGE_OK || !asked || asked->use == ASKED_TO_TELL) {
		return false;
	}
	if (asked->use == ASKED_FOR_STUDY) {
		show_study(&show, &session->study);
		show_best(&show, &message->ok);
	} else {
		show_hint(&show, &message->ok);
	}
	return true;
}
