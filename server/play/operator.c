#include "server/play/operator.h"

#include <string.h>

#include "protocol/encode.h"
#include "protocol/requests.h"
#include "server/ops/log.h"
#include "server/play/players.h"
#include "server/play/rooms.h"

static bool is_logged(const struct session *session, enum request_type type)
{
	return session->operator_name != NULL && type < REQUEST_COUNT &&
	       request_row(type)->is_operators;
}

void operator_log_asked(const struct session *session, enum request_type type, const char *line,
		size_t length)
{
	char text[LIMIT_LINE_BYTES];

	if (is_logged(session, type)) {
		length = length < sizeof(text) ? length : sizeof(text) - 1;
		memcpy(text, line, length);
		text[length] = '\0';
		log_event(LOG_WARN, "operator_asks", "by=%s act=%s line=%s", session->operator_name,
				request_row(type)->name, log_text(text));
	}
}

void operator_log_answered(const struct session *session, enum request_type type, enum code code)
{
	if (is_logged(session, type)) {
		log_event(LOG_WARN, "operator_done", "by=%s act=%s code=%s", session->operator_name,
				request_row(type)->name,
				code == CODE_NONE ? "ok" : code_word(code));
	}
}

/* Telling. */

static struct bytes *notice_new(const char *text, struct event *ret_event)
{
	*ret_event = (struct event){.type = EVENT_NOTICE};
	message_copy(ret_event->notice, sizeof(ret_event->notice), text);
	return encode_event(ret_event);
}

static size_t tell(struct session *session, const struct event *event, struct bytes *line)
{
	if (session->closing) {
		return 0;
	}
	session_tell(session, event, line);
	return 1;
}

size_t operator_tell_all(struct play *play, const char *text, const struct session *but)
{
	struct event event;
	struct bytes *line = notice_new(text, &event);
	struct session *session;
	size_t count = 0;

	TAILQ_FOREACH(session, &play->sessions, all)
	{
		count += session == but ? 0 : tell(session, &event, line);
	}
	bytes_unref(line);
	return count;
}

size_t operator_tell_room(struct hosted *hosted, const char *text, const struct session *but)
{
	struct event event;
	struct bytes *line = notice_new(text, &event);
	struct follower *follower;
	size_t count = 0;

	TAILQ_FOREACH(follower, &hosted->followers, of_room)
	{
		count += follower->session == but ? 0 : tell(follower->session, &event, line);
	}
	bytes_unref(line);
	return count;
}

size_t operator_tell_player(struct player *player, const char *text)
{
	struct event event;
	struct bytes *line = notice_new(text, &event);
	struct session *session;
	size_t count = 0;

	TAILQ_FOREACH(session, &player->sessions, of_player)
	{
		count += tell(session, &event, line);
	}
	bytes_unref(line);
	return count;
}

/* Closing. */

void operator_close_player(const struct player *player, const struct session *but)
{
	struct session *session = TAILQ_FIRST(&player->sessions);

	while (session != NULL) {
		struct session *next = TAILQ_NEXT(session, of_player);
		if (!session->closing && session != but) {
			session_close(session, BYE_KICKED);
		}
		session = next;
	}
}

size_t operator_close(struct play *play, const struct ban_whom *whom)
{
	struct session *session = TAILQ_FIRST(&play->sessions);
	size_t count = 0;

	while (session != NULL) {
		struct session *next = TAILQ_NEXT(session, all);
		if (!session->closing && bans_fits(whom, session)) {
			session_close(session, BYE_KICKED);
			count++;
		}
		session = next;
	}
	return count;
}
