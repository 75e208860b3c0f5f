/* What a run counts, in slices: a slice in which other processes had more than a little of the
 * machine is set aside, and one in which a core stood still, with the next, where what had piled up
 * is worked off. If too little is left, the disturbed slices count too, and the result says
 * that it is not clean. */
#ifndef BENCH_TALLY_H
#define BENCH_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A slice is closed after this long, when the run next allows it. */
#define TALLY_SLICE_NS 50000000u
/* A core that is late by this stood still. */
#define TALLY_STOOD_NS 500000u
/* Share of the wanted time that must have been undisturbed. */
#define TALLY_CLEAN_SHARE 0.4

struct tally_sum {
	uint64_t timed_ns;
	uint64_t server_ns;
	uint64_t driver_ns;
	uint64_t count;
	uint32_t *latency_ns;
	size_t latencies;
	size_t size;
};

struct tally {
	double foreign_percent; /* the limit, of one core */
	struct tally_sum slice; /* open */
	struct tally_sum kept;
	struct tally_sum disturbed;
	uint64_t slice_wall_ns; /* where the open slice began, by four clocks */
	uint64_t slice_all_ns;
	uint64_t slice_own_ns;
	uint64_t slice_waited_ns;
	uint64_t from_wall_ns; /* where a timed stretch began */
	uint64_t from_server_ns;
	uint64_t from_driver_ns;
	bool stood;	   /* a core, in the slice before the open one */
	double foreign_ns; /* over all slices */
	double waited_ns;
	double wall_ns;
	double stood_ns; /* of it, in slices in which a core stood still, and the next ones */
	bool is_clean;	 /* from tally_finish */
};

void tally_init(struct tally *tally, double foreign_percent);
void tally_fini(struct tally *tally);

/* Begin counting: what came before is dropped. */
void tally_reset(struct tally *tally);

/* Between these two time counts; a run may set up games in between without being timed. */
void tally_start_clock(struct tally *tally);
void tally_stop_clock(struct tally *tally);

void tally_add_latency(struct tally *tally, uint64_t latency_ns);

/* With the clock stopped: close the slice if it is long enough, or `is_last`. */
void tally_close_slice(struct tally *tally, bool is_last);

/* Take the disturbed slices too if the kept ones are too few; sort the latencies. */
void tally_finish(struct tally *tally, double wanted_s);

/* After tally_finish: members of a JSON object, each with a comma before it. */
void tally_print(const struct tally *tally);

#endif
