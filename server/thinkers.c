#include "server/thinkers.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/ops/log.h"
#include "server/solver/solver.h"
#include "server/work/pool.h"

/* Threads where nobody says how many: more help only a server that is full of bots. */
#define THINKERS_UNASKED_MAX 4

static size_t thread_count(const struct config *config)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (config->workers > 0) {
		return (size_t)config->workers;
	}
	/* One core is for the loop; and each thread warms its own solver. */
	cores = cores - 1 < THINKERS_UNASKED_MAX ? cores - 1 : THINKERS_UNASKED_MAX;
	return cores < 1 ? 1 : (size_t)cores;
}

/* An idle thread gives up its core to one that was woken, but the kernel's fair share may let it
 * go on until the next tick all the same (4 ms), if the other has had a little more than its own.
 * Who yields before is not asked for that long. */
static void yield(void)
{
	sched_yield();
}

static void *new_solver(void *arg)
{
	const struct config *config = ((const struct thinkers *)arg)->config;
	struct solver *solver =
			solver_new(((size_t)config->solver_mib << 20) / thread_count(config));

	if (solver != NULL) {
		solver_rest_by(solver, yield);
	}
	return solver;
}

static void free_solver(void *tool)
{
	solver_free(tool);
}

static bool warm_solver(void *tool, const atomic_bool *stop)
{
	return solver_warm(tool, stop);
}

static void solvers_are_warm(void *arg)
{
	const struct thinkers *thinkers = arg;

	log_event(LOG_INFO, "solver_warm", "workers=%zu", thread_count(thinkers->config));
}

static void deliver(void *arg)
{
	const struct thinkers *thinkers = arg;

	work_pool_deliver(thinkers->work);
}

bool thinkers_init(struct thinkers *thinkers, struct loop *loop, const struct config *config)
{
	const struct work_config work_config = {
			.threads = thread_count(config),
			.tool_new = new_solver,
			.tool_free = free_solver,
			.prepare = warm_solver,
			.prepared = solvers_are_warm,
			.arg = thinkers,
	};
	int error;

	*thinkers = (struct thinkers){.config = config};
	error = work_pool_open(&work_config, &thinkers->work);
	if (error != 0) {
		fprintf(stderr, "qtttd: no threads for the solver: %s\n", strerror(-error));
		return false;
	}
	thinkers->watch = loop_watch_new(loop, work_pool_fd(thinkers->work), deliver, thinkers);
	return thinkers->watch != NULL;
}

void thinkers_fini(struct thinkers *thinkers)
{
	loop_watch_free(thinkers->watch);
	work_pool_free(thinkers->work);
}
