#include "tests/world/fake_work.h"

#include <assert.h>
#include <stdlib.h>

#include "server/ops/memory.h"
#include "server/solver/solver.h"
#include "server/work/lanes.h"

struct fake_work {
	struct work work;
	struct work_lane_list lanes;
	struct work_job_list cancelled;
	size_t waiting;
	size_t ran;
	bool is_held;
};

/* One for all worlds of the process, made when it is first needed: its table is large, and what it
 * has found out holds in each. */
static struct solver *the_solver(void)
{
	static struct solver *solver;

	if (solver == NULL) {
		solver = solver_new(SOLVER_TABLE_BYTES);
	}
	return solver;
}

static void submit(struct work *work, struct work_lane *lane, struct work_job *job)
{
	struct fake_work *fake = (struct fake_work *)work;

	lanes_put(&fake->lanes, lane, job);
	fake->waiting++;
}

static void cancel(struct work *work, struct work_job *job)
{
	struct fake_work *fake = (struct fake_work *)work;

	atomic_store(&job->cancelled, true);
	if (lanes_remove(&fake->lanes, job)) {
		TAILQ_INSERT_TAIL(&fake->cancelled, job, link);
		fake->waiting--;
	}
}

static const struct work_ops ops = {.submit = submit, .cancel = cancel};

struct work *fake_work_new(void)
{
	struct fake_work *fake = memory_new(1, sizeof(*fake));

	fake->work.ops = &ops;
	TAILQ_INIT(&fake->lanes);
	TAILQ_INIT(&fake->cancelled);
	return &fake->work;
}

void fake_work_free(struct work *work)
{
	struct fake_work *fake = (struct fake_work *)work;

	assert(TAILQ_EMPTY(&fake->lanes) && TAILQ_EMPTY(&fake->cancelled));
	free(fake);
}

bool fake_work_step(struct work *work)
{
	struct fake_work *fake = (struct fake_work *)work;
	struct work_job *job = TAILQ_FIRST(&fake->cancelled);

	if (job != NULL) {
		TAILQ_REMOVE(&fake->cancelled, job, link);
		job->done(job);
		return true;
	}
	job = fake->is_held ? NULL : lanes_take(&fake->lanes);
	if (job == NULL) {
		return false;
	}
	fake->waiting--;
	fake->ran++;
	job->run(job, the_solver());
	job->done(job);
	return true;
}

void fake_work_hold(struct work *work, bool held)
{
	((struct fake_work *)work)->is_held = held;
}

size_t fake_work_waiting(const struct work *work)
{
	return ((const struct fake_work *)work)->waiting;
}

size_t fake_work_ran(const struct work *work)
{
	return ((const struct fake_work *)work)->ran;
}
