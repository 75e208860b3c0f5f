#include "server/net/health.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include <event2/event.h>

#include "server/ops/memory.h"

struct health {
	struct loop *loop;
	struct store *store;
	struct event *late;
	bool asked; /* the store has not answered yet */
	size_t count;
	struct http_call *waiting[HTTP_CONNECTIONS_MAX];
};

static void answer_all(struct health *health, int status, const char *text)
{
	const size_t count = health->count;

	evtimer_del(health->late);
	health->count = 0;
	for (size_t i = 0; i < count; i++) {
		http_answer_text(health->waiting[i], status, text);
	}
}

static void store_answered(void *arg, enum store_status status)
{
	struct health *health = arg;

	health->asked = false;
	if (status == STORE_STORED) {
		answer_all(health, 200, "ok");
	} else {
		answer_all(health, 503, "The store can't be written to: see the log.");
	}
}

static void store_is_late(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	answer_all(arg, 503, "The store does not answer.");
}

void health_handle(void *arg, struct http_call *call)
{
	static const struct store_batch nothing = {0};
	struct health *health = arg;

	assert(health->count < HTTP_CONNECTIONS_MAX);
	health->waiting[health->count++] = call;
	if (health->count == 1) {
		loop_timer_set(health->late, HEALTH_WAIT_MS);
	}
	if (!health->asked) {
		health->asked = true;
		health->store->ops->commit(health->store, &nothing, store_answered, health);
	}
}

struct health *health_new(struct loop *loop, struct store *store)
{
	struct health *health = memory_new(1, sizeof(*health));

	health->loop = loop;
	health->store = store;
	health->late = loop_timer_new(loop, store_is_late, health);
	return health;
}

void health_free(struct health *health)
{
	if (health == NULL) {
		return;
	}
	answer_all(health, 503, "The server stops.");
	event_free(health->late);
	free(health);
}
