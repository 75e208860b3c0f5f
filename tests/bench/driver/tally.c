#include "tests/bench/driver/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/driver/machine.h"
#include "tests/bench/driver/standstill.h"

#define FIRST_LATENCIES 65536

static void sum_clear(struct tally_sum *sum)
{
	sum->timed_ns = sum->server_ns = sum->driver_ns = sum->count = 0;
	sum->latencies = 0;
}

static void sum_reserve(struct tally_sum *sum, size_t more)
{
	if (sum->latencies + more <= sum->size) {
		return;
	}
	while (sum->latencies + more > sum->size) {
		sum->size = sum->size == 0 ? FIRST_LATENCIES : sum->size * 2;
	}
	sum->latency_ns = realloc(sum->latency_ns, sum->size * sizeof(*sum->latency_ns));
	if (sum->latency_ns == NULL) {
		machine_die("no memory for latencies");
	}
}

static void sum_add(struct tally_sum *sum, const struct tally_sum *more)
{
	sum->timed_ns += more->timed_ns;
	sum->server_ns += more->server_ns;
	sum->driver_ns += more->driver_ns;
	sum->count += more->count;
	sum_reserve(sum, more->latencies);
	if (more->latencies > 0) {
		memcpy(sum->latency_ns + sum->latencies, more->latency_ns,
				more->latencies * sizeof(*sum->latency_ns));
	}
	sum->latencies += more->latencies;
}

static void open_slice(struct tally *tally)
{
	sum_clear(&tally->slice);
	tally->slice_wall_ns = machine_now_ns();
	tally->slice_all_ns = machine_all_ns();
	tally->slice_own_ns = machine_server_ns() + machine_driver_ns();
	tally->slice_waited_ns = machine_waited_ns();
}

void tally_init(struct tally *tally, double foreign_percent)
{
	memset(tally, 0, sizeof(*tally));
	tally->foreign_percent = foreign_percent;
	tally_reset(tally);
}

void tally_fini(struct tally *tally)
{
	free(tally->slice.latency_ns);
	free(tally->kept.latency_ns);
	free(tally->disturbed.latency_ns);
}

void tally_reset(struct tally *tally)
{
	sum_clear(&tally->kept);
	sum_clear(&tally->disturbed);
	tally->foreign_ns = tally->waited_ns = tally->wall_ns = tally->stood_ns = 0;
	open_slice(tally);
}

void tally_start_clock(struct tally *tally)
{
	tally->from_server_ns = machine_server_ns();
	tally->from_driver_ns = machine_driver_ns();
	tally->from_wall_ns = machine_now_ns();
}

void tally_stop_clock(struct tally *tally)
{
	tally->slice.timed_ns += machine_now_ns() - tally->from_wall_ns;
	tally->slice.server_ns += machine_server_ns() - tally->from_server_ns;
	tally->slice.driver_ns += machine_driver_ns() - tally->from_driver_ns;
}

void tally_add_latency(struct tally *tally, uint64_t latency_ns)
{
	struct tally_sum *slice = &tally->slice;

	sum_reserve(slice, 1);
	slice->latency_ns[slice->latencies++] =
			latency_ns > UINT32_MAX ? UINT32_MAX : (uint32_t)latency_ns;
}

/* Work of others that neither the server nor the driver had to wait for did no harm: it takes both
 * signs to drop a slice. Where the system tells only one of them, that one decides. */
void tally_close_slice(struct tally *tally, bool is_last)
{
	const double wall = (double)(machine_now_ns() - tally->slice_wall_ns);
	const uint64_t all_ns = machine_all_ns();
	const uint64_t waited_ns = machine_waited_ns();
	const double own = (double)(machine_server_ns() + machine_driver_ns()) -
			   (double)tally->slice_own_ns;
	const double limit = wall * tally->foreign_percent / 100;
	double foreign = (double)(all_ns - tally->slice_all_ns) - own;
	double waited = (double)(waited_ns - tally->slice_waited_ns);

	if (wall < TALLY_SLICE_NS && !is_last) {
		return;
	}
	const bool stands = standstill_longest_ns() >= TALLY_STOOD_NS;
	const bool is_standing = stands || tally->stood;

	tally->stood = stands;
	tally->stood_ns += is_standing ? wall : 0;
	tally->foreign_ns += all_ns == 0 ? 0 : foreign;
	tally->waited_ns += waited;
	tally->wall_ns += wall;
	foreign = all_ns == 0 ? waited : foreign;
	waited = waited_ns == 0 ? foreign : waited;
	sum_add(is_standing || (foreign > limit && waited > limit) ? &tally->disturbed
								   : &tally->kept,
			&tally->slice);
	open_slice(tally);
}

static int compare_latencies(const void *one, const void *other)
{
	const uint32_t a = *(const uint32_t *)one;
	const uint32_t b = *(const uint32_t *)other;

	return a < b ? -1 : a > b;
}

void tally_finish(struct tally *tally, double wanted_s)
{
	struct tally_sum *kept = &tally->kept;

	tally_close_slice(tally, true);
	tally->is_clean = (double)kept->timed_ns >= wanted_s * TALLY_CLEAN_SHARE * NS_PER_S;
	if (!tally->is_clean) {
		sum_add(kept, &tally->disturbed);
	}
	if (kept->latencies > 0) {
		qsort(kept->latency_ns, kept->latencies, sizeof(*kept->latency_ns),
				compare_latencies);
	}
}

static double quantile_us(const struct tally_sum *sum, double part)
{
	if (sum->latencies == 0) {
		return 0;
	}
	return sum->latency_ns[(size_t)((double)(sum->latencies - 1) * part)] / 1e3;
}

void tally_print(const struct tally *tally)
{
	const struct tally_sum *kept = &tally->kept;
	const double timed = kept->timed_ns > 0 ? (double)kept->timed_ns : 1;
	const double count = kept->count > 0 ? (double)kept->count : 1;
	const double wall = tally->wall_ns > 0 ? tally->wall_ns : 1;

	printf(",\"count\":%llu,\"timed_s\":%.2f,\"per_s\":%.0f", (unsigned long long)kept->count,
			timed / NS_PER_S, (double)kept->count * NS_PER_S / timed);
	printf(",\"p50_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f", quantile_us(kept, 0.5),
			quantile_us(kept, 0.99), quantile_us(kept, 1));
	printf(",\"server_us_per_one\":%.3f,\"server_percent\":%.0f,\"driver_percent\":%.0f",
			(double)kept->server_ns / count / 1e3,
			100 * (double)kept->server_ns / timed,
			100 * (double)kept->driver_ns / timed);
	printf(",\"clean\":%s,\"foreign_percent\":%.1f,\"waited_percent\":%.1f,\"stood_percent\":%."
	       "0f",
			tally->is_clean ? "true" : "false", 100 * tally->foreign_ns / wall,
			100 * tally->waited_ns / wall, 100 * tally->stood_ns / wall);
}
