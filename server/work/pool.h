/* A few threads for what is long: the worker of play/ports.h. Jobs are handed in from the loop's
 * thread and handed back to it by a descriptor; nothing is called from within.
 *
 * Knows nothing of what is worked on. Each thread has a tool of its own, which it prepares while
 * there is nothing to do; a job that comes meanwhile is done first, with the tool as it is. */
#ifndef WORK_POOL_H
#define WORK_POOL_H

#include "server/ops/metrics.h"
#include "server/play/ports.h"

#define WORK_THREADS_MAX 64

struct work_config {
	size_t threads; /* 1 to WORK_THREADS_MAX */
	/* A tool for a thread, made before that begins; NULL: there is no memory. */
	void *(*tool_new)(void *arg);
	void (*tool_free)(void *tool);
	/* In the thread: prepare the tool until that is done (true) or `stop` is set (false, soon);
	 * then it is called again later. */
	bool (*prepare)(void *tool, const atomic_bool *stop);
	/* On the loop's thread: every tool is prepared. */
	void (*prepared)(void *arg);
	void *arg;
};

/* Returns 0, or a negative errno and no worker. */
int work_pool_open(const struct work_config *config, struct work **ret_work);

/* Can be read when there is something to deliver. */
int work_pool_fd(const struct work *work);

/* Call `done` of the jobs that are done. */
void work_pool_deliver(struct work *work);

struct work_counts {
	size_t waiting; /* jobs that no thread has begun */
	size_t running;
	struct histogram times; /* microseconds that a job ran, of those that are done */
};

void work_pool_count(struct work *work, struct work_counts *ret);

/* End the threads; preparing stops. No job may be there that was not delivered. NULL is fine. */
void work_pool_free(struct work *work);

#endif
