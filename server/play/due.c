#include "server/play/due.h"

#include "server/ops/log.h"
#include "server/play/lobby.h"
#include "server/play/queue.h"
#include "server/play/session.h"

/* How long a deadline waits for lines that came before it, and how often it looks. Only a
 * connection that does not read, or a store that does not answer, makes a line wait so long. */
#define WAIT_MS 5000
/* Pause before what could not be stored is tried again. */
#define RETRY_MS 1000
/* A game that nobody touches is not ended sooner after a start than this: its players may have had
 * no server to touch it on, and the machine's clock may have been wrong. */
#define NOTICE_MS (INT64_C(24) * 3600 * 1000)

static int64_t later(int64_t at_ms, int64_t wait_ms)
{
	return at_ms == INT64_MAX ? at_ms : at_ms + wait_ms;
}

/* When the room leaves the lobby; INT64_MAX if it does not. */
static int64_t hides_at(const struct hosted *hosted)
{
	enum seat creator = room_seat_of(&hosted->room, hosted->room.creator);

	if (hosted->room.status != STATUS_WAITING || creator == SEAT_NONE || !lobby_shows(hosted)) {
		return INT64_MAX;
	}
	return later(hosted->watch.away_ms[creator - SEAT_X], hosted->play->config.hide_away_ms);
}

static int64_t falls_due_at(const struct hosted *hosted)
{
	struct room_due due;

	room_next_due(&hosted->room, &hosted->watch, &due);
	return due.at_ms;
}

/* A timer that is too early costs less than setting it anew at each event: when it fires it is set
 * to what is next then. */
static void wake_by(struct hosted *hosted, int64_t at_ms)
{
	struct timer *timer = &hosted->due_timer;

	if (at_ms == INT64_MAX) {
		timers_cancel(&hosted->play->timers, timer);
	} else if (timer->place == 0 || timer->due_ms > at_ms) {
		play_set_timer(hosted->play, timer, at_ms);
	}
}

void due_update(struct hosted *hosted)
{
	int64_t hide_ms = hides_at(hosted);
	int64_t due_ms = hosted->due_queued ? INT64_MAX : falls_due_at(hosted);

	wake_by(hosted, hide_ms < due_ms ? hide_ms : due_ms);
}

/* The command. */

/* Does a line wait that a player sent before? */
static bool has_earlier_line(const struct hosted *hosted, int64_t due_ms)
{
	for (enum seat seat = SEAT_X; seat <= SEAT_O; seat++) {
		const struct player *player =
				rooms_player(hosted->play, room_player(&hosted->room, seat));
		const struct session *session;
		if (player == NULL) {
			continue;
		}
		TAILQ_FOREACH(session, &player->sessions, of_player)
		{
			if (session_waits_since(session) < due_ms) {
				return true;
			}
		}
	}
	return false;
}

static bool must_wait(const struct command *command)
{
	const struct part *part = &command->parts[0];

	return play_now(command->play) < part->args.arrived_ms + WAIT_MS &&
	       has_earlier_line(part->hosted, part->args.arrived_ms);
}

static void decided(struct command *command)
{
	struct hosted *hosted = command->parts[0].hosted;

	hosted->due_queued = false;
	if (command->code != CODE_NONE) {
		/* The store has told what fails; this is once a second and room. */
		log_event(LOG_DEBUG, "deadline_not_stored", "room=%s", hosted->room.id);
		play_set_timer(hosted->play, &hosted->due_timer, play_now(hosted->play) + RETRY_MS);
		return;
	}
	due_update(hosted);
}

static void submit(struct hosted *hosted, int64_t due_ms)
{
	struct command *command = command_new_unasked(hosted->play, 1, decided);

	command_add(command, hosted, ROOM_TIME)->arrived_ms = due_ms;
	command->must_wait = must_wait;
	hosted->due_queued = true;
	queue_submit(command);
}

void due_before(struct hosted *hosted, int64_t arrived_ms)
{
	int64_t due_ms = falls_due_at(hosted);

	if (!hosted->due_queued && due_ms <= arrived_ms) {
		submit(hosted, due_ms);
	}
}

void due_fire(void *owner)
{
	struct hosted *hosted = owner;
	int64_t now_ms = play_now(hosted->play);

	if (hosted->play->closing) {
		/* From now on it is nobody's time. */
		return;
	}
	if (hides_at(hosted) <= now_ms) {
		lobby_hide(hosted);
	}
	due_before(hosted, now_ms);
	due_update(hosted);
}

/* Since when things are as they are. */

void due_presence(struct hosted *hosted)
{
	enum seat creator = room_seat_of(&hosted->room, hosted->room.creator);

	for (enum seat seat = SEAT_X; seat <= SEAT_O; seat++) {
		int64_t *away_ms = &hosted->watch.away_ms[seat - SEAT_X];
		const char *player = room_player(&hosted->room, seat);
		if (player[0] == '\0' || rooms_is_online(hosted->play, player)) {
			*away_ms = ROOM_HERE;
		} else if (*away_ms == ROOM_HERE) {
			*away_ms = play_now(hosted->play);
		}
	}
	if (creator != SEAT_NONE && hosted->watch.away_ms[creator - SEAT_X] == ROOM_HERE) {
		lobby_show(hosted);
	}
	due_update(hosted);
}

void due_not_stored(const struct command *command)
{
	for (size_t i = 0; i < command->part_count; i++) {
		const struct part *part = &command->parts[i];
		if (part->args.kind == ROOM_MOVE || part->args.kind == ROOM_COLLAPSE) {
			part->hosted->watch.turn_ms = play_now(command->play);
			due_update(part->hosted);
		}
	}
}

/* What began meanwhile, as far as the clock knows, begins now. The timer may be early then, which
 * it finds out as it fires. */
void due_stood_still(struct hosted *hosted, int64_t ms)
{
	struct room_watch *watch = &hosted->watch;
	int64_t now_ms = play_now(hosted->play);
	int64_t *since_ms[] = {&watch->turn_ms, &watch->touched_ms, &watch->away_ms[0],
			&watch->away_ms[1]};

	for (size_t i = 0; i < sizeof(since_ms) / sizeof(since_ms[0]); i++) {
		if (*since_ms[i] < now_ms) {
			*since_ms[i] = *since_ms[i] + ms < now_ms ? *since_ms[i] + ms : now_ms;
		}
	}
}

void due_loaded(struct hosted *hosted)
{
	int64_t untouched_ms = hosted->watch.limits->untouched_ms;
	int64_t now_ms = play_now(hosted->play);
	int64_t earliest_ms = now_ms;

	/* Who comes again when he was asked to has lost nothing by it. */
	hosted->watch.turn_ms = now_ms + hosted->play->config.retry_ms;
	if (untouched_ms > NOTICE_MS) {
		earliest_ms -= untouched_ms - NOTICE_MS;
	}
	/* Days are counted by what is stored, as a server may start more often than once in so
	 * many. */
	if (hosted->room.at_ms < now_ms) {
		hosted->watch.touched_ms =
				hosted->room.at_ms > earliest_ms ? hosted->room.at_ms : earliest_ms;
	}
	due_update(hosted);
}
