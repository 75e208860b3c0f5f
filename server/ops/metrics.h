/* What is counted for whoever watches the server: one table of metrics, written as Prometheus' text
 * format (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4).
 *
 * Counters are plain integers: for one thread, the loop's; another hands its numbers to that one.
 * To add a metric is to add a row to the table in metrics.c and a value to the enum. */
#ifndef OPS_METRICS_H
#define OPS_METRICS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A label that is a number stands for the word at its place in the metric's row. */
enum metric {
	METRIC_BUILD_INFO, /* see metrics_set_version */
	METRIC_START_TIME, /* milliseconds since 1970 UTC */
	METRIC_CPU,	   /* microseconds */
	METRIC_MEMORY,	   /* bytes */
	METRIC_ACCEPTED,   /* label: enum door of net */
	METRIC_CONNECTIONS,
	METRIC_WEBSOCKETS,
	METRIC_ENTERING,
	METRIC_CLOSED,	/* label: a word */
	METRIC_REFUSED, /* label: a word */
	METRIC_ACCEPT_RESTS,
	METRIC_BYTES_IN,
	METRIC_BYTES_OUT,
	METRIC_BYTES_WAITING,
	METRIC_LINES,
	METRIC_REPLY_TIME, /* microseconds */
	METRIC_REQUESTS,   /* see metrics_name_requests */
	METRIC_BEHIND,
	METRIC_SESSIONS,
	METRIC_PLAYERS,
	METRIC_ROOMS, /* label: enum room_status of protocol */
	METRIC_UNDER_WAY,
	METRIC_STORE_BATCHES, /* label: enum store_status of play */
	METRIC_STORE_UNKNOWN,
	METRIC_STORE_FAILURES, /* label: enum store_sqlite_failure of store */
	METRIC_COMMIT_TIME,    /* microseconds */
	METRIC_COMMIT_SIZE,
	METRIC_WORK_WAITING,
	METRIC_WORK_RUNNING,
	METRIC_WORK_TIME,     /* microseconds */
	METRIC_CERT_EXPIRY,   /* seconds since 1970 UTC */
	METRIC_CERT_LOADS,    /* label: a word */
	METRIC_HTTP_REQUESTS, /* label: a word, the status */
	METRIC_COUNT
};

/* Count `more` in the cell of a label (0 where the metric has none). */
void metrics_add(enum metric metric, size_t label, uint64_t more);

/* A number that is found out when somebody asks. */
void metrics_set(enum metric metric, size_t label, uint64_t value);

/* Count one under a word of the metric's label; a word that the table does not have counts
 * as its last one, which stands for all others. */
void metrics_count_word(enum metric metric, const char *word);

/* The words of METRIC_REQUESTS' labels, which are somebody else's: its cell has the label
 * type * METRICS_CODES + code. Both are called with what is below the counts. */
#define METRICS_TYPES 64
#define METRICS_CODES 64
typedef const char *metrics_word_fn(size_t n);
void metrics_name_requests(
		size_t types, metrics_word_fn *type, size_t codes, metrics_word_fn *code);

/* The version of METRIC_BUILD_INFO; not copied. */
void metrics_set_version(const char *version);

/* A distribution: how many values were at most the n-th bound, and their sum. A plain value, so
 * that another thread can keep one. Zeroed at the start. */
#define HISTOGRAM_BOUNDS_MAX 20
struct histogram {
	uint64_t counts[HISTOGRAM_BOUNDS_MAX +
			1]; /* each for itself; the last: beyond all bounds */
	uint64_t sum;
};

/* Ascending, `count` of them, HISTOGRAM_BOUNDS_MAX at most. */
struct histogram_bounds {
	size_t count;
	uint64_t at[HISTOGRAM_BOUNDS_MAX];
};

/* Microseconds, from a tenth of a millisecond to ten seconds. */
extern const struct histogram_bounds histogram_times;
/* Powers of two, to 1024. */
extern const struct histogram_bounds histogram_sizes;

/* `times` times the same value. */
void histogram_observe(struct histogram *histogram, const struct histogram_bounds *bounds,
		uint64_t value, uint64_t times);

/* The same in the metric's own. */
void metrics_observe(enum metric metric, uint64_t value, uint64_t times);

/* The metric's own is this from now on: a copy. */
void metrics_set_histogram(enum metric metric, const struct histogram *histogram);

/* What the system knows of this process: METRIC_CPU, METRIC_MEMORY. */
void metrics_look_at_process(void);

/* Of all its labels. */
uint64_t metrics_sum(enum metric metric);

/* All of it as text. */
void metrics_print(FILE *out);

/* The content type of that text. */
#define METRICS_CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* For tests. */
uint64_t metrics_value(enum metric metric, size_t label);

#endif
