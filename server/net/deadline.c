#include "server/net/deadline.h"

#include <assert.h>
#include <stddef.h>

#include <event2/event.h>

#include "server/ops/clock.h"

static void set_timer(struct deadlines *deadlines)
{
	const struct deadline *first = TAILQ_FIRST(&deadlines->list);

	if (first == NULL) {
		evtimer_del(deadlines->timer);
		return;
	}
	loop_timer_set(deadlines->timer, first->at_ms - clock_now_ms());
}

static void deadlines_timer_fired(evutil_socket_t fd, short what, void *arg)
{
	struct deadlines *deadlines = arg;
	const int64_t now_ms = clock_now_ms();
	struct deadline *first;

	(void)fd;
	(void)what;
	while ((first = TAILQ_FIRST(&deadlines->list)) != NULL && first->at_ms <= now_ms) {
		deadline_clear(first);
		deadlines->passed(first);
	}
	/* It may have come too early for anybody. */
	set_timer(deadlines);
}

void deadlines_init(struct deadlines *deadlines, struct loop *loop, int64_t wait_ms,
		deadline_fn *passed)
{
	TAILQ_INIT(&deadlines->list);
	deadlines->timer = loop_timer_new(loop, deadlines_timer_fired, deadlines);
	deadlines->wait_ms = wait_ms;
	deadlines->passed = passed;
}

void deadlines_fini(struct deadlines *deadlines)
{
	assert(TAILQ_EMPTY(&deadlines->list));
	event_free(deadlines->timer);
}

void deadlines_change(struct deadlines *deadlines, int64_t wait_ms)
{
	const int64_t more_ms = wait_ms - deadlines->wait_ms;
	struct deadline *deadline;

	TAILQ_FOREACH(deadline, &deadlines->list, link)
	{
		deadline->at_ms += more_ms;
	}
	deadlines->wait_ms = wait_ms;
	set_timer(deadlines);
}

void deadline_set(struct deadlines *deadlines, struct deadline *deadline)
{
	deadline_clear(deadline);
	deadline->of = deadlines;
	deadline->at_ms = clock_now_ms() + deadlines->wait_ms;
	TAILQ_INSERT_TAIL(&deadlines->list, deadline, link);
	if (deadline == TAILQ_FIRST(&deadlines->list)) {
		set_timer(deadlines);
	}
}

void deadline_clear(struct deadline *deadline)
{
	struct deadlines *deadlines = deadline->of;

	if (deadlines != NULL) {
		const bool first = deadline == TAILQ_FIRST(&deadlines->list);

		deadline->of = NULL;
		TAILQ_REMOVE(&deadlines->list, deadline, link);
		if (first) {
			set_timer(deadlines);
		}
	}
}
