#include "client-cli/opening.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Of two owners, the session and the thread; the last one frees it. */
struct opening {
	char *path; /* or NULL */
	char *host;
	char *port;
	char *ca; /* or NULL */
	bool tls;
	int event; /* readable once `done` */

	pthread_mutex_t mutex; /* guards what follows */
	bool abandoned;
	bool done;
	bool opened;
	struct link link;
	const char *reason; /* static */
};

static void opening_free(struct opening *opening)
{
	pthread_mutex_destroy(&opening->mutex);
	if (opening->event >= 0) {
		close(opening->event);
	}
	free(opening->path);
	free(opening->host);
	free(opening->port);
	free(opening->ca);
	free(opening);
}

static void *connect_beside(void *argument)
{
	struct opening *opening = argument;
	const uint64_t one = 1;
	const char *reason = NULL;
	struct link link = {.fd = -1};
	const struct link_target target = {.path = opening->path,
			.host = opening->host,
			.port = opening->port,
			.tls = opening->tls,
			.ca = opening->ca};
	bool opened = link_open(&target, &link, &reason);
	bool abandoned;

	link_end_thread();
	pthread_mutex_lock(&opening->mutex);
	abandoned = opening->abandoned;
	opening->done = true;
	opening->opened = opened;
	opening->link = link;
	opening->reason = reason;
	/* It holds numbers up to 2^64, so this can't fail. */
	(void)!write(opening->event, &one, sizeof(one));
	pthread_mutex_unlock(&opening->mutex);
	if (abandoned) {
		link_close(&link);
		opening_free(opening);
	}
	return NULL;
}

/* All signals are for the thread that waits for them. */
static bool thread_start(struct opening *opening)
{
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	int result;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(&thread, NULL, connect_beside, opening);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (result != 0) {
		return false;
	}
	pthread_detach(thread);
	return true;
}

struct opening *opening_new(const struct link_target *target)
{
	struct opening *opening = calloc(1, sizeof(*opening));

	if (!opening) {
		return NULL;
	}
	pthread_mutex_init(&opening->mutex, NULL);
	opening->path = target->path ? strdup(target->path) : NULL;
	opening->host = strdup(target->host);
	opening->port = strdup(target->port);
	opening->ca = target->ca ? strdup(target->ca) : NULL;
	opening->tls = target->tls;
	opening->event = eventfd(0, EFD_CLOEXEC);
	if ((target->path && !opening->path) || !opening->host || !opening->port ||
			(target->ca && !opening->ca) || opening->event < 0 ||
			!thread_start(opening)) {
		opening_free(opening);
		return NULL;
	}
	return opening;
}

int opening_fd(const struct opening *opening)
{
	return opening->event;
}

bool opening_take(struct opening *opening, struct link *ret, const char **ret_reason)
{
	uint64_t count;
	bool opened;

	(void)!read(opening->event, &count, sizeof(count));
	/* The thread still holds it while it says that it is done. */
	pthread_mutex_lock(&opening->mutex);
	opened = opening->opened;
	if (opened) {
		*ret = opening->link;
	} else {
		*ret_reason = opening->reason;
	}
	pthread_mutex_unlock(&opening->mutex);
	opening_free(opening);
	return opened;
}

void opening_abandon(struct opening *opening)
{
	bool done;

	if (!opening) {
		return;
	}
	pthread_mutex_lock(&opening->mutex);
	opening->abandoned = true;
	done = opening->done;
	pthread_mutex_unlock(&opening->mutex);
	if (done) {
		link_close(&opening->link);
		opening_free(opening);
	}
}
