/* The store in a file of SQLite: one writer thread, one transaction for all that waits, every
 * acknowledged change synced to the disk.
 *
 * The thread only reads the batches that it was handed, and counts no references in them; the lines
 * that it loads are its own until it hands them over. One server at a time opens
 * a file: a lock on PATH.lock sees to it, where PATH is what links lead to. Other programs may read
 * the file meanwhile. */
#ifndef STORE_SQLITE_H
#define STORE_SQLITE_H

#include "server/ops/metrics.h"
#include "server/play/ports.h"

#define STORE_SQLITE_MESSAGE_SIZE 512

/* What there is to say of the disk and the database. However much fails, that is a few lines. */
enum store_sqlite_news {
	STORE_SQLITE_FAILS,	  /* something does, first of its kind */
	STORE_SQLITE_STILL_FAILS, /* now and then, while it lasts */
	STORE_SQLITE_WORKS	  /* nothing fails any more */
};

/* A sentence for the log; valid during the call. */
typedef void store_sqlite_report_fn(void *arg, enum store_sqlite_news news, const char *message);

struct store_sqlite_config {
	/* The database file: made with mode 0600 if it is not there, its directory and those above
	 * with mode 0700. */
	const char *path;
	store_sqlite_report_fn *report; /* called by store_sqlite_deliver, or by free; or NULL */
	void *report_arg;
	/* Something was asked for: call store_sqlite_hand_over soon. What is asked for until then
	 * goes to the writer's thread together, which wakes it once. NULL: each goes at once. */
	void (*waits)(void *arg);
	void *waits_arg;
};

/* Open the file, bring it to this version's schema and start the writer. Returns 0, or a negative
 * errno with a sentence in ret_message: -EBUSY another server has it, -ENOTSUP a newer version
 * wrote it, -EINVAL it is no qttt database, and what the system said. */
int store_sqlite_open(const struct store_sqlite_config *config, struct store **ret_store,
		char ret_message[STORE_SQLITE_MESSAGE_SIZE]);

/* Give the writer what was asked for. */
void store_sqlite_hand_over(struct store *store);

/* Readable when answers wait: then call store_sqlite_deliver. Stays the store's. */
int store_sqlite_fd(const struct store *store);

/* Give the answers that wait, in the order in which they were asked for. Never blocks. Returns how
 * many it gave. */
size_t store_sqlite_deliver(struct store *store);

/* Kinds of failures. */
enum store_sqlite_failure {
	STORE_SQLITE_FULL,
	STORE_SQLITE_READ_ONLY,
	STORE_SQLITE_LOCKED,
	STORE_SQLITE_CORRUPT,
	STORE_SQLITE_READ,
	STORE_SQLITE_WRITE,
	STORE_SQLITE_SYNC,
	STORE_SQLITE_MOVED, /* the file, or its log, is not where it was */
	STORE_SQLITE_OTHER
};
#define STORE_SQLITE_FAILURES (STORE_SQLITE_OTHER + 1)

/* "full", "read_only", … */
const char *store_sqlite_failure_word(enum store_sqlite_failure failure);

struct store_sqlite_counts {
	uint64_t batches;   /* stored */
	uint64_t conflicts; /* of batches; so are the next two */
	uint64_t unavailable;
	uint64_t unknown;
	uint64_t not_readable; /* loads */
	uint64_t failures[STORE_SQLITE_FAILURES];
	uint64_t transactions; /* that stored them */
	uint64_t checkpoints;
	uint64_t dropped;	       /* rooms whose events are */
	uint64_t reopened;	       /* after a commit whose outcome was not known */
	struct histogram commit_times; /* microseconds of each such transaction */
	struct histogram commit_sizes; /* batches stored in one */
};

void store_sqlite_count(struct store *store, struct store_sqlite_counts *ret);

#endif
