#include "server/play/rest.h"

#include <assert.h>

static int64_t min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t own_wait_ms(const struct session *session)
{
	const struct play *play = session->play;

	return limits_rest(&play->limits, &session->allowance, play_now(play));
}

static int64_t address_wait_ms(const struct session *session)
{
	const struct play *play = session->play;

	return limits_rest_address(&play->limits, session->address, play_now(play));
}

static void wait_for(struct session *session, int64_t wait_ms)
{
	play_set_rest(session->play, &session->rest, play_now(session->play) + wait_ms);
}

/* The line of an address: only who is first has his timer set. */

static void be_first(struct session *session)
{
	const int64_t wait_ms = min(address_wait_ms(session), REST_FIRST_MS);

	session->first_until_ms = play_now(session->play) + REST_FIRST_MS;
	wait_for(session, wait_ms > 0 ? wait_ms : 1);
}

static void join_line(struct session *session)
{
	struct session_list *line = limits_line(session->address);

	session->stands_in_line = true;
	TAILQ_INSERT_TAIL(line, session, of_line);
	if (TAILQ_FIRST(line) == session) {
		be_first(session);
	}
}

static void leave_line(struct session *session)
{
	struct session_list *line = limits_line(session->address);
	const bool was_first = TAILQ_FIRST(line) == session;

	TAILQ_REMOVE(line, session, of_line);
	session->stands_in_line = false;
	if (was_first && !TAILQ_EMPTY(line)) {
		be_first(TAILQ_FIRST(line));
	}
}

/* He stays the first until there is something, or he has waited for long enough. */
static bool has_turn(struct session *session)
{
	const int64_t wait_ms = address_wait_ms(session);
	const int64_t left_ms = session->first_until_ms - play_now(session->play);

	if (wait_ms > 0 && left_ms > 0) {
		wait_for(session, min(wait_ms, left_ms));
		return false;
	}
	leave_line(session);
	return true;
}

static void rest_over(void *owner)
{
	struct session *session = owner;
	const bool may = session->stands_in_line ? has_turn(session) : rest_may_go_on(session);

	if (may && !session->closing) {
		session->sink->ready(session->conn);
	}
}

void rest_init(struct session *session)
{
	session->rest = (struct timer){.fire = rest_over, .owner = session};
}

void rest_fini(struct session *session)
{
	timers_cancel(&session->play->rests, &session->rest);
	if (session->stands_in_line) {
		leave_line(session);
	}
}

void rest_change(struct session *session)
{
	if (session->rest.place == 0) {
		return;
	}
	if (session->stands_in_line) {
		be_first(session);
	} else {
		const int64_t wait_ms = own_wait_ms(session);

		wait_for(session, wait_ms > 0 ? wait_ms : 1);
	}
}

bool rest_is_on(const struct session *session)
{
	return session->stands_in_line || session->rest.place != 0;
}

bool rest_may_go_on(struct session *session)
{
	assert(!rest_is_on(session));
	if (session->operator_name != NULL) {
		return true;
	}
	const int64_t own_ms = own_wait_ms(session);
	if (own_ms > 0) {
		/* It stands in no line meanwhile: there it would have its turn too early. */
		wait_for(session, own_ms);
		return false;
	}
	if (address_wait_ms(session) > 0) {
		join_line(session);
		return false;
	}
	return true;
}
