#include "server/store/sqlite_writer.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "server/ops/memory.h"

/* Jobs in one transaction at most, so that the first does not wait for ever. */
#define GROUP_JOBS_MAX 1024
/* 16 MiB of log are brought into the file at once, less when nothing was asked for a second. */
#define CHECKPOINT_PAGES 4096
#define IDLE_MS 1000
/* Pauses between steps of dropping events: while nothing is asked for, and while much is. */
#define DROP_IDLE_MS 20
#define DROP_BUSY_MS 100

void job_list_init(struct job_list *list)
{
	list->first = NULL;
	list->last = &list->first;
}

void job_list_add(struct job_list *list, struct job *job)
{
	job->next = NULL;
	*list->last = job;
	list->last = &job->next;
}

/* A group of jobs. */

/* After a commit whose outcome is not known the file is opened anew, and what is then read from it
 * must last: a page that could not be synced may be in the system's cache and nowhere else. So
 * the log is brought into the file, and that synced, before anything is told. */
static bool reopen(struct db_writer *writer)
{
	struct db *db = &writer->db;

	if (db->handle != NULL && !db_stays_in_place(db)) {
		return false;
	}
	if (db->handle != NULL) {
		return true;
	}
	if (db_open(db) != 0) {
		return false;
	}
	if (!db_checkpoint(db, SQLITE_CHECKPOINT_PASSIVE)) {
		db_note_text(db, STORE_SQLITE_LOCKED,
				"another program that reads it keeps the log from being brought "
				"in");
		db_close(db);
		return false;
	}
	pthread_mutex_lock(&writer->mutex);
	writer->counts.reopened++;
	pthread_mutex_unlock(&writer->mutex);
	return true;
}

/* Do the jobs, all commits in one transaction. Returns what became of it: STORED also if there
 * was none. */
static enum store_status group_do(struct db *db, struct job *first)
{
	bool begun = false;

	for (struct job *job = first; job != NULL; job = job->next) {
		if (job->kind->is_commit && !begun) {
			begun = db_begin(db);
			if (!begun) {
				return STORE_UNAVAILABLE;
			}
		}
		job->kind->work(db, job);
		if (job->kind->is_commit && job->status == STORE_UNKNOWN) {
			db_rollback(db);
			return STORE_UNAVAILABLE;
		}
	}
	return begun ? db_commit(db) : STORE_STORED;
}

/* The transaction failed: what it stored is not there, or not known to be, and what was read in it
 * may not be true. */
static void group_undo(struct job *first, enum store_status outcome)
{
	for (struct job *job = first; job != NULL; job = job->next) {
		if (job->kind->is_commit) {
			/* A conflict may have been with what is not there now. */
			job->status = job->status == STORE_STORED ? outcome : STORE_UNAVAILABLE;
		} else {
			job->kind->clear(job);
		}
	}
}

/* A database that can't be opened now is not asked for once a job: each time may wait for a lock.
 */
static void group_read_again(struct db_writer *writer, struct job *first)
{
	bool readable = true;

	for (struct job *job = first; job != NULL && readable; job = job->next) {
		if (job->kind->is_commit) {
			continue;
		}
		readable = reopen(writer);
		if (readable) {
			job->kind->work(&writer->db, job);
		}
	}
}

/* Count what became of the jobs; the mutex is held. */
static void group_count(struct store_sqlite_counts *counts, const struct job *first)
{
	uint64_t *by_status[] = {
			[STORE_STORED] = &counts->batches,
			[STORE_CONFLICT] = &counts->conflicts,
			[STORE_UNAVAILABLE] = &counts->unavailable,
			[STORE_UNKNOWN] = &counts->unknown,
	};
	uint64_t stored = counts->batches;

	for (const struct job *job = first; job != NULL; job = job->next) {
		if (job->kind->is_commit) {
			(*by_status[job->status])++;
		} else if (job->found == STORE_NOT_READABLE) {
			counts->not_readable++;
		}
	}
	counts->transactions += counts->batches > stored ? 1 : 0;
}

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t now_ms(void)
{
	return now_us() / 1000;
}

static uint64_t group_count_stored(const struct job *first)
{
	uint64_t stored = 0;

	for (const struct job *job = first; job != NULL; job = job->next) {
		stored += job->kind->is_commit && job->status == STORE_STORED ? 1 : 0;
	}
	return stored;
}

static void group_measure(struct db_writer *writer, const struct job *first, int64_t took_us)
{
	const uint64_t stored = group_count_stored(first);

	if (stored == 0) {
		return;
	}
	pthread_mutex_lock(&writer->mutex);
	histogram_observe(&writer->counts.commit_times, &histogram_times, (uint64_t)took_us, 1);
	histogram_observe(&writer->counts.commit_sizes, &histogram_sizes, stored, 1);
	pthread_mutex_unlock(&writer->mutex);
}

static void group_run(struct db_writer *writer, struct job *first)
{
	enum store_status outcome;
	int64_t began_us;

	if (!reopen(writer)) {
		return;
	}
	began_us = now_us();
	outcome = group_do(&writer->db, first);
	/* A transaction that can't even be rolled back ends with the connection. */
	if (outcome == STORE_UNKNOWN || db_in_transaction(&writer->db)) {
		db_close(&writer->db);
	}
	if (outcome == STORE_STORED) {
		group_measure(writer, first, now_us() - began_us);
	} else {
		group_undo(first, outcome);
		group_read_again(writer, first);
	}
}

static bool has_news(const struct db_writer *writer)
{
	return writer->done.first != NULL || writer->reports != NULL;
}

/* What failed, or that it does no more; the mutex is held. Reads that go well say nothing of a disk
 * that takes no more, writes say all. */
static void report_trouble(struct db_writer *writer, bool has_stored)
{
	struct db *db = &writer->db;
	struct db_report report = {.news = STORE_SQLITE_WORKS};
	struct db_report **last = &writer->reports;
	bool tells;

	if (db->message[0] != '\0') {
		tells = trouble_fails(
				&writer->trouble, db->message, now_ms(), &report.news, report.text);
		db->message[0] = '\0';
	} else {
		if (has_stored) {
			trouble_goes_well(&writer->trouble);
		}
		tells = trouble_ends(&writer->trouble, now_ms(), report.text);
	}
	if (!tells) {
		return;
	}
	while (*last != NULL) {
		last = &(*last)->next;
	}
	*last = memory_new(1, sizeof(report));
	**last = report;
}

static void count_failures(struct db_writer *writer)
{
	struct db *db = &writer->db;

	for (size_t i = 0; i < STORE_SQLITE_FAILURES; i++) {
		writer->counts.failures[i] += db->failures[i];
		db->failures[i] = 0;
	}
}

/* Hand back what is done and what failed. */
static void group_hand_back(struct db_writer *writer, struct job *first)
{
	bool had_news;
	bool news;

	pthread_mutex_lock(&writer->mutex);
	had_news = has_news(writer);
	group_count(&writer->counts, first);
	count_failures(writer);
	report_trouble(writer, group_count_stored(first) > 0);
	while (first != NULL) {
		struct job *next = first->next;

		job_list_add(&writer->done, first);
		first = next;
	}
	news = has_news(writer);
	pthread_mutex_unlock(&writer->mutex);
	if (news && !had_news) {
		eventfd_write(writer->event, 1);
	}
}

/* The thread. */

static void checkpoint(struct db_writer *writer, int mode)
{
	struct db *db = &writer->db;

	if (db->handle == NULL) {
		return;
	}
	db_checkpoint(db, mode);
	pthread_mutex_lock(&writer->mutex);
	writer->counts.checkpoints++;
	pthread_mutex_unlock(&writer->mutex);
	/* Another program that reads may keep pages from the file: they come with the next ones,
	 * and until then they do not count. */
	db->wal_in_file = db->wal_pages;
	group_hand_back(writer, NULL);
}

static bool wal_waits(const struct db_writer *writer)
{
	return writer->db.handle != NULL && writer->db.wal_pages > writer->db.wal_in_file;
}

/* Until when to wait for jobs before something else is done. */
static bool idle_end(const struct db_writer *writer, struct timespec *ret_end)
{
	int64_t end_ms = now_ms() + (writer->dropping_ms != 0 ? DROP_IDLE_MS : IDLE_MS);

	ret_end->tv_sec = end_ms / 1000;
	ret_end->tv_nsec = end_ms % 1000 * 1000000;
	return writer->dropping_ms != 0 || wal_waits(writer) || writer->trouble.went_well;
}

/* Wait for jobs, cut off at most GROUP_JOBS_MAX of them; NULL if idle for long, or stopping. */
static struct job *jobs_wait(struct db_writer *writer, bool *ret_stopping)
{
	int result = 0;
	struct timespec end;
	bool may_time_out = idle_end(writer, &end);
	struct job *first;
	struct job **cut;

	pthread_mutex_lock(&writer->mutex);
	while (writer->asked.first == NULL && !writer->stopping && writer->drop_before_ms == 0 &&
			result == 0) {
		result = may_time_out ? pthread_cond_timedwait(
							&writer->changed, &writer->mutex, &end)
				      : pthread_cond_wait(&writer->changed, &writer->mutex);
	}
	if (writer->drop_before_ms != 0) {
		writer->dropping_ms = writer->drop_before_ms;
		writer->drop_before_ms = 0;
	}
	first = writer->asked.first;
	cut = &first;
	for (int i = 0; i < GROUP_JOBS_MAX && *cut != NULL; i++) {
		cut = &(*cut)->next;
	}
	writer->asked.first = *cut;
	if (*cut == NULL) {
		writer->asked.last = &writer->asked.first;
	}
	*cut = NULL;
	*ret_stopping = writer->stopping;
	pthread_mutex_unlock(&writer->mutex);
	return first;
}

/* Small steps, and none while the database is closed: whoever asked asks again some day. */
static void drop_step(struct db_writer *writer)
{
	struct db *db = &writer->db;
	enum store_status status = STORE_UNAVAILABLE;
	int count = 0;

	if (db->handle != NULL) {
		status = db_drop_step(db, writer->dropping_ms, &count);
	}
	if (status == STORE_UNKNOWN || db_in_transaction(db)) {
		db_close(db);
	}
	if (count < DB_DROP_ROOMS) {
		writer->dropping_ms = 0;
	}
	writer->dropped_at_ms = now_ms();
	pthread_mutex_lock(&writer->mutex);
	writer->counts.dropped += (uint64_t)count;
	pthread_mutex_unlock(&writer->mutex);
	group_hand_back(writer, NULL);
}

/* What is done between groups. */
static void keep_house(struct db_writer *writer)
{
	if (writer->db.wal_pages - writer->db.wal_in_file >= CHECKPOINT_PAGES) {
		checkpoint(writer, SQLITE_CHECKPOINT_PASSIVE);
	}
	if (writer->dropping_ms != 0 && now_ms() - writer->dropped_at_ms >= DROP_BUSY_MS) {
		drop_step(writer);
	}
}

static void *writer_main(void *arg)
{
	struct db_writer *writer = arg;
	bool stopping = false;

	for (;;) {
		struct job *first = jobs_wait(writer, &stopping);

		if (first != NULL) {
			group_run(writer, first);
			group_hand_back(writer, first);
			keep_house(writer);
		} else if (stopping) {
			break;
		} else if (writer->dropping_ms != 0) {
			drop_step(writer);
			keep_house(writer);
		} else if (wal_waits(writer)) {
			checkpoint(writer, SQLITE_CHECKPOINT_PASSIVE);
		} else {
			/* Maybe it is over, which has to be told. */
			group_hand_back(writer, NULL);
		}
	}
	checkpoint(writer, SQLITE_CHECKPOINT_TRUNCATE);
	return NULL;
}

/* The loop's side. */

static int thread_start(struct db_writer *writer)
{
	sigset_t all;
	sigset_t before;
	int error;

	/* Signals are the loop's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&writer->thread, NULL, writer_main, writer);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -error;
}

int db_writer_start(struct db_writer *writer)
{
	pthread_condattr_t monotonic;
	int error;

	job_list_init(&writer->asked);
	job_list_init(&writer->done);
	writer->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (writer->event < 0) {
		return -errno;
	}
	pthread_mutex_init(&writer->mutex, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&writer->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	error = thread_start(writer);
	if (error != 0) {
		pthread_cond_destroy(&writer->changed);
		pthread_mutex_destroy(&writer->mutex);
		close(writer->event);
	}
	return error;
}

void db_writer_stop(struct db_writer *writer)
{
	pthread_mutex_lock(&writer->mutex);
	writer->stopping = true;
	pthread_cond_signal(&writer->changed);
	pthread_mutex_unlock(&writer->mutex);
	pthread_join(writer->thread, NULL);
}

void db_writer_fini(struct db_writer *writer)
{
	db_fini(&writer->db);
	pthread_cond_destroy(&writer->changed);
	pthread_mutex_destroy(&writer->mutex);
	close(writer->event);
}

void db_writer_ask(struct db_writer *writer, struct job_list *jobs)
{
	if (jobs->first == NULL) {
		return;
	}
	pthread_mutex_lock(&writer->mutex);
	*writer->asked.last = jobs->first;
	writer->asked.last = jobs->last;
	pthread_cond_signal(&writer->changed);
	pthread_mutex_unlock(&writer->mutex);
	job_list_init(jobs);
}

void db_writer_drop(struct db_writer *writer, int64_t before_ms)
{
	pthread_mutex_lock(&writer->mutex);
	writer->drop_before_ms = before_ms;
	pthread_cond_signal(&writer->changed);
	pthread_mutex_unlock(&writer->mutex);
}

struct job *db_writer_take(struct db_writer *writer, struct db_report **ret_reports)
{
	struct job *first;
	eventfd_t ignored;

	/* Read before the list is taken: what comes after is told anew. */
	eventfd_read(writer->event, &ignored);
	pthread_mutex_lock(&writer->mutex);
	first = writer->done.first;
	job_list_init(&writer->done);
	*ret_reports = writer->reports;
	writer->reports = NULL;
	pthread_mutex_unlock(&writer->mutex);
	return first;
}
