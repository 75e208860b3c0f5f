#include "server/play/telling.h"

#include <assert.h>
#include <string.h>

#include "protocol/decode.h"
#include "protocol/tell.h"
#include "server/play/players.h"
#include "server/play/rooms.h"

/* So many lines of an answer in words cost a unit of the allowance more; a past event costs one.
 * Words are much dearer to make than JSON: a full lobby costs more than ten times as much. */
#define LINES_A_UNIT 4

/* What is told, and the room that it is about as the reader knows it. */
struct telling {
	struct session *session;
	struct tell tell;
	struct tell_room room;
};

/* Whom it is told. */

static bool others_run(const struct session *session, const struct hosted *hosted)
{
	const struct follower *follower = TAILQ_FIRST(&session->running);

	if (follower != NULL && follower->hosted == hosted) {
		follower = TAILQ_NEXT(follower, of_session);
	}
	return follower != NULL;
}

static void see_room(struct telling *telling, const struct hosted *hosted)
{
	const struct player *player = telling->session->player;
	const struct room *room = &hosted->room;
	struct tell_room *seen = &telling->room;

	message_copy(seen->id, sizeof(seen->id), room->id);
	seen->seat = player == NULL ? SEAT_NONE : room_seat_of(room, player->record.name);
	for (size_t i = 0; i < 2; i++) {
		message_copy(seen->players[i], NAME_SIZE, room->players[i]);
	}
	message_copy(seen->kept_for, sizeof(seen->kept_for),
			player != NULL && strcmp(player->record.name, room->opponent) == 0
					? ""
					: room->opponent);
	seen->status = room->status;
	telling->tell.room = seen;
}

/* `hosted` may be NULL: it is about no room that is known. */
static void begin(struct telling *telling, struct session *session, const struct hosted *hosted)
{
	bool only = session->text == TEXT_ONLY;

	telling->session = session;
	tell_init(&telling->tell);
	telling->tell.bare = true;
	telling->tell.knows_name = !only;
	telling->tell.hides_token = !only;
	telling->tell.others_run = others_run(session, hosted);
	if (hosted != NULL) {
		see_room(telling, hosted);
	}
}

/* Send what was told, line by line, as a sink wants it. Returns how many lines. */
static size_t end(struct telling *telling)
{
	size_t count = 0;
	const char *at = telling->tell.text.data;
	const char *last = at + telling->tell.text.length;

	while (at < last) {
		const char *newline = memchr(at, '\n', (size_t)(last - at));
		assert(newline != NULL);
		struct bytes *line = bytes_new(at, (size_t)(newline - at) + 1);
		session_send(telling->session, line);
		bytes_unref(line);
		at = newline + 1;
		count++;
	}
	tell_fini(&telling->tell);
	return count;
}

/* What is told. */

static const bool event_has_board[EVENT_COUNT] = {
		[EVENT_STARTED] = true,
		[EVENT_MOVED] = true,
		[EVENT_COLLAPSED] = true,
		[EVENT_ENDED] = true,
		[EVENT_STATE] = true,
};

static void put_event(struct session *session, const struct event *event, bool is_past)
{
	const char *id = event->type == EVENT_STATE ? event->state.room : event->room;
	struct telling telling;

	if (session->text == TEXT_ON && !event_has_board[event->type]) {
		return;
	}
	begin(&telling, session, id[0] == '\0' ? NULL : rooms_find(session->play, id));
	telling.tell.brief = is_past;
	tell_event(&telling.tell, event);
	end(&telling);
}

static void put_line(struct session *session, const struct bytes *line, bool is_past)
{
	struct message message;

	if (decode_message(line->data, line->length - 1, &message) &&
			message.kind == MESSAGE_EVENT) {
		put_event(session, &message.event, is_past);
	}
	message_fini(&message);
}

void telling_event(struct session *session, const struct event *event, const struct bytes *line)
{
	if (event != NULL) {
		put_event(session, event, false);
	} else {
		put_line(session, line, false);
	}
}

void telling_past(struct session *session, const struct bytes *line)
{
	session_use(session, 1);
	put_line(session, line, true);
}

void telling_ok(struct session *session, const struct ok *ok)
{
	struct telling telling;

	if (session->text == TEXT_ON && ok->state == NULL && ok->board == NULL) {
		return;
	}
	begin(&telling, session,
			ok->state == NULL ? NULL : rooms_find(session->play, ok->state->room));
	telling.tell.knows_name |= (ok->carries & OK_TOKEN) == 0;
	tell_ok(&telling.tell, ok);
	session_use(session, end(&telling) / LINES_A_UNIT);
}

void telling_error(struct session *session, const struct error *error, const struct hosted *hosted)
{
	struct telling telling;

	if (session->text == TEXT_ON && !error->has_board) {
		return;
	}
	begin(&telling, session, hosted);
	tell_error(&telling.tell, error, error->to);
	end(&telling);
}
