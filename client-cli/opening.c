#include "client-cli/opening.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct opening {
	int result; /* the end of the pipe that is read */
};

/* What goes to the thread, which owns it from then on. */
struct order {
	int result; /* the other end; SIGPIPE is ignored */
	char *host;
	char *port;
};

/* What comes through the pipe, in one piece. */
struct outcome {
	bool opened;
	struct link link;
	const char *reason; /* static */
};

static void order_free(struct order *order)
{
	if (order) {
		free(order->host);
		free(order->port);
		free(order);
	}
}

static void *carry_out(void *argument)
{
	struct order *order = argument;
	struct outcome outcome;

	memset(&outcome, 0, sizeof(outcome));
	outcome.link.fd = -1;
	outcome.opened = link_open(order->host, order->port, &outcome.link, &outcome.reason);
	if (write(order->result, &outcome, sizeof(outcome)) != (ssize_t)sizeof(outcome)) {
		link_close(&outcome.link);
	}
	close(order->result);
	order_free(order);
	return NULL;
}

/* All signals are for the thread that waits for them. */
static bool thread_start(struct order *order)
{
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	int result;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(&thread, NULL, carry_out, order);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (result != 0) {
		return false;
	}
	pthread_detach(thread);
	return true;
}

static struct order *order_new(const char *host, const char *port, int result)
{
	struct order *order = calloc(1, sizeof(*order));

	if (!order) {
		return NULL;
	}
	order->result = result;
	order->host = strdup(host);
	order->port = strdup(port);
	if (!order->host || !order->port) {
		order_free(order);
		return NULL;
	}
	return order;
}

struct opening *opening_new(const char *host, const char *port)
{
	struct opening *opening = malloc(sizeof(*opening));
	struct order *order = NULL;
	int ends[2];

	if (!opening || pipe2(ends, O_CLOEXEC) < 0) {
		free(opening);
		return NULL;
	}
	order = order_new(host, port, ends[1]);
	if (!order || !thread_start(order)) {
		order_free(order);
		close(ends[0]);
		close(ends[1]);
		free(opening);
		return NULL;
	}
	opening->result = ends[0];
	return opening;
}

int opening_fd(const struct opening *opening)
{
	return opening->result;
}

bool opening_take(struct opening *opening, struct link *ret, const char **ret_reason)
{
	struct outcome outcome;
	ssize_t count = read(opening->result, &outcome, sizeof(outcome));

	close(opening->result);
	free(opening);
	if (count != (ssize_t)sizeof(outcome)) {
		*ret_reason = "it came to nothing";
		return false;
	}
	if (outcome.opened) {
		*ret = outcome.link;
	} else {
		*ret_reason = outcome.reason;
	}
	return outcome.opened;
}

void opening_abandon(struct opening *opening)
{
	struct outcome outcome;

	if (!opening) {
		return;
	}
	/* Its outcome may be in the pipe already. */
	if (fcntl(opening->result, F_SETFL, O_NONBLOCK) == 0 &&
			read(opening->result, &outcome, sizeof(outcome)) ==
					(ssize_t)sizeof(outcome)) {
		link_close(&outcome.link);
	}
	close(opening->result);
	free(opening);
}
