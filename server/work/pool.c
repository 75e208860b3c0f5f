#include "server/work/pool.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "server/ops/memory.h"
#include "server/work/lanes.h"

struct worker {
	struct pool *pool;
	pthread_t thread;
	void *tool;
	bool is_prepared;
	bool is_preparing;
	atomic_bool interrupt; /* a job has come: prepare later */
};

/* Guarded by the mutex, but for what is set before the threads begin. */
struct pool {
	struct work work;
	struct work_config config;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int event;
	struct work_lane_list lanes;
	struct work_job_list done;
	struct work_counts counts;
	size_t idle;
	size_t prepared;
	bool told_prepared;
	bool stopping;
	size_t started; /* of workers */
	struct worker workers[];
};

static struct pool *pool_of(struct work *work)
{
	return (struct pool *)work;
}

/* The threads. */

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void hand_back(struct pool *pool, struct work_job *job)
{
	bool had_news = !TAILQ_EMPTY(&pool->done);

	TAILQ_INSERT_TAIL(&pool->done, job, link);
	if (!had_news) {
		eventfd_write(pool->event, 1);
	}
}

/* Both with the mutex held, which is let go meanwhile. */

static void do_job(struct worker *worker, struct work_job *job)
{
	struct pool *pool = worker->pool;
	const int64_t began_us = now_us();

	pool->counts.waiting--;
	pool->counts.running++;
	pthread_mutex_unlock(&pool->mutex);
	job->run(job, worker->tool);
	pthread_mutex_lock(&pool->mutex);
	pool->counts.running--;
	histogram_observe(
			&pool->counts.times, &histogram_times, (uint64_t)(now_us() - began_us), 1);
	hand_back(pool, job);
}

static void prepare(struct worker *worker)
{
	struct pool *pool = worker->pool;

	atomic_store(&worker->interrupt, false);
	worker->is_preparing = true;
	pthread_mutex_unlock(&pool->mutex);
	worker->is_prepared = pool->config.prepare(worker->tool, &worker->interrupt);
	pthread_mutex_lock(&pool->mutex);
	worker->is_preparing = false;
	pool->prepared += worker->is_prepared;
	if (pool->prepared == pool->config.threads) {
		eventfd_write(pool->event, 1);
	}
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;
	struct pool *pool = worker->pool;

	const struct sched_param plain = {.sched_priority = 0};

	/* Thinking waits for serving: a nice thread may keep a core for some milliseconds before
	 * one that was woken has it, an idle one gives it up at once. On Linux this is of the
	 * thread alone. */
	(void)sched_setscheduler(0, SCHED_IDLE, &plain);
	pthread_mutex_lock(&pool->mutex);
	while (!pool->stopping) {
		struct work_job *job = lanes_take(&pool->lanes);

		if (job != NULL) {
			do_job(worker, job);
		} else if (!worker->is_prepared) {
			prepare(worker);
		} else {
			pool->idle++;
			pthread_cond_wait(&pool->changed, &pool->mutex);
			pool->idle--;
		}
	}
	pthread_mutex_unlock(&pool->mutex);
	return NULL;
}

/* The loop's side. */

static void interrupt_one(struct pool *pool)
{
	for (size_t i = 0; i < pool->started; i++) {
		struct worker *worker = &pool->workers[i];

		if (worker->is_preparing && !atomic_load(&worker->interrupt)) {
			atomic_store(&worker->interrupt, true);
			return;
		}
	}
}

static void submit(struct work *work, struct work_lane *lane, struct work_job *job)
{
	struct pool *pool = pool_of(work);

	pthread_mutex_lock(&pool->mutex);
	lanes_put(&pool->lanes, lane, job);
	pool->counts.waiting++;
	if (pool->idle > 0) {
		pthread_cond_signal(&pool->changed);
	} else {
		interrupt_one(pool);
	}
	pthread_mutex_unlock(&pool->mutex);
}

static void cancel(struct work *work, struct work_job *job)
{
	struct pool *pool = pool_of(work);

	atomic_store(&job->cancelled, true);
	pthread_mutex_lock(&pool->mutex);
	if (lanes_remove(&pool->lanes, job)) {
		pool->counts.waiting--;
		hand_back(pool, job);
	}
	pthread_mutex_unlock(&pool->mutex);
}

static const struct work_ops pool_ops = {.submit = submit, .cancel = cancel};

int work_pool_fd(const struct work *work)
{
	return ((const struct pool *)work)->event;
}

void work_pool_deliver(struct work *work)
{
	struct pool *pool = pool_of(work);
	struct work_job_list done = TAILQ_HEAD_INITIALIZER(done);
	struct work_job *job;
	eventfd_t ignored;
	bool is_prepared;

	/* Read before the list is taken: what comes after is told anew. */
	eventfd_read(pool->event, &ignored);
	pthread_mutex_lock(&pool->mutex);
	TAILQ_CONCAT(&done, &pool->done, link);
	is_prepared = pool->prepared == pool->config.threads;
	pthread_mutex_unlock(&pool->mutex);
	if (is_prepared && !pool->told_prepared) {
		pool->told_prepared = true;
		pool->config.prepared(pool->config.arg);
	}
	while ((job = TAILQ_FIRST(&done)) != NULL) {
		TAILQ_REMOVE(&done, job, link);
		job->done(job);
	}
}

void work_pool_count(struct work *work, struct work_counts *ret)
{
	struct pool *pool = pool_of(work);

	pthread_mutex_lock(&pool->mutex);
	*ret = pool->counts;
	pthread_mutex_unlock(&pool->mutex);
}

/* From open to free. */

static int start(struct worker *worker)
{
	struct pool *pool = worker->pool;
	sigset_t all;
	sigset_t before;
	int error;

	worker->tool = pool->config.tool_new(pool->config.arg);
	if (worker->tool == NULL) {
		return -ENOMEM;
	}
	/* Signals are the loop's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&worker->thread, NULL, worker_main, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error != 0) {
		pool->config.tool_free(worker->tool);
	} else {
		(void)pthread_setname_np(worker->thread, "qtttd-work");
	}
	return -error;
}

static int start_all(struct pool *pool)
{
	int error = 0;

	while (error == 0 && pool->started < pool->config.threads) {
		struct worker *worker = &pool->workers[pool->started];

		worker->pool = pool;
		error = start(worker);
		if (error == 0) {
			pthread_mutex_lock(&pool->mutex);
			pool->started++;
			pthread_mutex_unlock(&pool->mutex);
		}
	}
	return error;
}

int work_pool_open(const struct work_config *config, struct work **ret_work)
{
	struct pool *pool = memory_new(1, sizeof(*pool) + config->threads * sizeof(struct worker));
	int error;

	assert(config->threads >= 1 && config->threads <= WORK_THREADS_MAX);
	pool->work.ops = &pool_ops;
	pool->config = *config;
	TAILQ_INIT(&pool->lanes);
	TAILQ_INIT(&pool->done);
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->changed, NULL);
	pool->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	error = pool->event < 0 ? -errno : start_all(pool);
	if (error != 0) {
		work_pool_free(&pool->work);
		return error;
	}
	*ret_work = &pool->work;
	return 0;
}

static void stop(struct pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
	pool->stopping = true;
	for (size_t i = 0; i < pool->started; i++) {
		atomic_store(&pool->workers[i].interrupt, true);
	}
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->mutex);
	for (size_t i = 0; i < pool->started; i++) {
		pthread_join(pool->workers[i].thread, NULL);
		pool->config.tool_free(pool->workers[i].tool);
	}
}

void work_pool_free(struct work *work)
{
	struct pool *pool;

	if (work == NULL) {
		return;
	}
	pool = pool_of(work);
	stop(pool);
	assert(TAILQ_EMPTY(&pool->lanes) && TAILQ_EMPTY(&pool->done));
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->mutex);
	if (pool->event >= 0) {
		close(pool->event);
	}
	free(pool);
}
