#include "server/ops/metrics.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Words of a label, ended by NULL. */
#define WORDS_MAX 24

enum metric_type { TYPE_COUNTER, TYPE_GAUGE, TYPE_HISTOGRAM };

struct metric_row {
	const char *name;
	const char *help;
	enum metric_type type;
	const char *label;	      /* NULL: none */
	const char *words[WORDS_MAX]; /* of the label */
	size_t decimals; /* how many of the value's digits are behind the point; 6 at most */
	const struct histogram_bounds *bounds; /* TYPE_HISTOGRAM */
};

const struct histogram_bounds histogram_times = {
		.count = 16,
		.at = {100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 500000,
				1000000, 2500000, 5000000, 10000000},
};

const struct histogram_bounds histogram_sizes = {
		.count = 11,
		.at = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
};

static const struct metric_row rows[METRIC_COUNT] = {
		[METRIC_BUILD_INFO] = {"qttt_build_info", "The version that runs, in a label.",
				TYPE_GAUGE},
		[METRIC_START_TIME] = {"process_start_time_seconds",
				"When the process began, in seconds since 1970 UTC.", TYPE_GAUGE,
				.decimals = 3},
		[METRIC_CPU] = {"process_cpu_seconds_total",
				"Processor time that the process has used.", TYPE_COUNTER,
				.decimals = 6},
		[METRIC_MEMORY] = {"process_resident_memory_bytes",
				"Memory of the process that is in use.", TYPE_GAUGE},
		[METRIC_ACCEPTED] = {"qttt_connections_accepted_total",
				"Connections that came, by what is spoken at the door.",
				TYPE_COUNTER, "door", {"tcp", "tls", "http", "https", "admin"}},
		[METRIC_WEBSOCKETS] = {"qttt_websockets",
				"Players' connections by WebSocket, of qttt_connections.",
				TYPE_GAUGE},
		[METRIC_CONNECTIONS] = {"qttt_connections", "Players' connections that are open.",
				TYPE_GAUGE},
		[METRIC_ENTERING] = {"qttt_connections_entering",
				"Connections whose handshake or proxy header is not complete.",
				TYPE_GAUGE},
		[METRIC_CLOSED] = {"qttt_connections_closed_total",
				"Players' connections that ended, by reason.", TYPE_COUNTER,
				"reason",
				{"closed", "end_of_input", "slow_reader", "close_timeout",
						"proxy_not_listed", "bad_frame", "no_pong", "cut",
						"error"}},
		[METRIC_REFUSED] = {"qttt_connections_refused_total",
				"Connections that never got in, by reason.", TYPE_COUNTER, "reason",
				{"full", "crowded", "too_slow", "bad_proxy_header",
						"proxy_not_listed", "not_tls", "gone", "stopping",
						"banned", "tls_error"}},
		[METRIC_ACCEPT_RESTS] = {"qttt_accept_rests_total",
				"Times that accepting rested because the system had no more files.",
				TYPE_COUNTER},
		[METRIC_BYTES_IN] = {"qttt_received_bytes_total",
				"Bytes of lines that came from players.", TYPE_COUNTER},
		[METRIC_BYTES_OUT] = {"qttt_sent_bytes_total",
				"Bytes of lines that went to players.", TYPE_COUNTER},
		[METRIC_BYTES_WAITING] = {"qttt_output_waiting_bytes",
				"Memory of the lines that wait for players to read.", TYPE_GAUGE},
		[METRIC_LINES] = {"qttt_lines_total", "Lines that came from players.",
				TYPE_COUNTER},
		[METRIC_REPLY_TIME] = {"qttt_reply_seconds",
				"From a line's arrival to its answer being written.",
				TYPE_HISTOGRAM, .decimals = 6, .bounds = &histogram_times},
		[METRIC_REQUESTS] = {"qttt_requests_total",
				"Requests that were answered, by type and code (ok or an error's).",
				TYPE_COUNTER},
		[METRIC_BEHIND] = {"qttt_sessions_fell_behind_total",
				"Times that a reader was so slow that it missed events.",
				TYPE_COUNTER},
		[METRIC_SESSIONS] = {"qttt_sessions", "Sessions that are open.", TYPE_GAUGE},
		[METRIC_PLAYERS] = {"qttt_players", "Players in memory.", TYPE_GAUGE},
		[METRIC_ROOMS] = {"qttt_rooms", "Rooms in memory, by status.", TYPE_GAUGE, "status",
				{"waiting", "playing", "over"}},
		[METRIC_UNDER_WAY] = {"qttt_store_waiting",
				"Changes and loads that the store has not answered.", TYPE_GAUGE},
		[METRIC_STORE_BATCHES] = {"qttt_store_batches_total",
				"Changes that were to be stored, by what became of them.",
				TYPE_COUNTER, "outcome",
				{"stored", "conflict", "unavailable", "unknown"}},
		[METRIC_STORE_UNKNOWN] = {"qttt_store_unknown",
				"Changes of which it is not known whether they are stored; their "
				"rooms wait.",
				TYPE_GAUGE},
		[METRIC_STORE_FAILURES] = {"qttt_store_failures_total",
				"Failures of the database and its disk, by kind.", TYPE_COUNTER,
				"kind",
				{"full", "read_only", "locked", "corrupt", "read", "write", "sync",
						"moved", "other"}},
		[METRIC_COMMIT_TIME] = {"qttt_store_commit_seconds",
				"How long the database took to commit a transaction.",
				TYPE_HISTOGRAM, .decimals = 6, .bounds = &histogram_times},
		[METRIC_COMMIT_SIZE] = {"qttt_store_commit_batches",
				"How many changes were committed in one transaction.",
				TYPE_HISTOGRAM, .bounds = &histogram_sizes},
		[METRIC_WORK_WAITING] = {"qttt_solver_waiting",
				"Questions to the solver that no thread has begun.", TYPE_GAUGE},
		[METRIC_WORK_RUNNING] = {"qttt_solver_running",
				"Questions that the solver works on.", TYPE_GAUGE},
		[METRIC_WORK_TIME] = {"qttt_solver_seconds",
				"How long the solver worked on a question.", TYPE_HISTOGRAM,
				.decimals = 6, .bounds = &histogram_times},
		[METRIC_CERT_EXPIRY] = {"qttt_tls_certificate_expiry_timestamp_seconds",
				"When the TLS certificate ends, in seconds since 1970 UTC; 0 "
				"without one.",
				TYPE_GAUGE},
		[METRIC_CERT_LOADS] = {"qttt_tls_certificate_loads_total",
				"Times that the TLS certificate was read, by result.", TYPE_COUNTER,
				"result", {"loaded", "failed"}},
		[METRIC_HTTP_REQUESTS] = {"qttt_http_requests_total",
				"Requests by HTTP, by the answer's status.", TYPE_COUNTER, "status",
				{"101", "200", "304", "400", "403", "404", "405", "413", "426",
						"431", "503", "505", "other"}},
};

static uint64_t plain[METRIC_COUNT][WORDS_MAX];
static uint64_t requests[METRICS_TYPES * METRICS_CODES];
static struct histogram histograms[METRIC_COUNT];

static const char *build_version = "";
static struct {
	size_t count;
	metrics_word_fn *word;
} request_types, request_codes;

/* Counting. */

static uint64_t *cell_of(enum metric metric, size_t label)
{
	if (metric == METRIC_REQUESTS) {
		assert(label < COUNT_OF(requests));
		return &requests[label];
	}
	assert(label < WORDS_MAX);
	return &plain[metric][label];
}

void metrics_add(enum metric metric, size_t label, uint64_t more)
{
	*cell_of(metric, label) += more;
}

void metrics_set(enum metric metric, size_t label, uint64_t value)
{
	*cell_of(metric, label) = value;
}

void metrics_count_word(enum metric metric, const char *word)
{
	const char *const *words = rows[metric].words;
	size_t label = 0;

	while (words[label + 1] != NULL && strcmp(words[label], word) != 0) {
		label++;
	}
	metrics_add(metric, label, 1);
}

void metrics_name_requests(size_t types, metrics_word_fn *type, size_t codes, metrics_word_fn *code)
{
	assert(types <= METRICS_TYPES && codes <= METRICS_CODES);
	request_types.count = types;
	request_types.word = type;
	request_codes.count = codes;
	request_codes.word = code;
}

void metrics_set_version(const char *version)
{
	build_version = version;
}

void histogram_observe(struct histogram *histogram, const struct histogram_bounds *bounds,
		uint64_t value, uint64_t times)
{
	size_t n = 0;

	while (n < bounds->count && value > bounds->at[n]) {
		n++;
	}
	histogram->counts[n] += times;
	histogram->sum += value * times;
}

void metrics_observe(enum metric metric, uint64_t value, uint64_t times)
{
	histogram_observe(&histograms[metric], rows[metric].bounds, value, times);
}

void metrics_set_histogram(enum metric metric, const struct histogram *histogram)
{
	histograms[metric] = *histogram;
}

uint64_t metrics_value(enum metric metric, size_t label)
{
	return rows[metric].type == TYPE_HISTOGRAM ? histograms[metric].counts[label]
						   : *cell_of(metric, label);
}

/* The process. */

static uint64_t micros(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

/* The second number of this file; 0 if it can't be read. */
static uint64_t resident_pages(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	char line[128] = "";
	const char *second;

	if (file == NULL) {
		return 0;
	}
	second = fgets(line, sizeof(line), file) == NULL ? NULL : strchr(line, ' ');
	fclose(file);
	return second == NULL ? 0 : strtoull(second, NULL, 10);
}

void metrics_look_at_process(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		metrics_set(METRIC_CPU, 0, micros(&usage.ru_utime) + micros(&usage.ru_stime));
	}
	metrics_set(METRIC_MEMORY, 0, resident_pages() * (uint64_t)sysconf(_SC_PAGESIZE));
}

uint64_t metrics_sum(enum metric metric)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof(plain[metric]) / sizeof(plain[metric][0]); i++) {
		sum += plain[metric][i];
	}
	return sum;
}

/* Writing. A number is written as what it is, without a float in between. */

static void print_number(FILE *out, uint64_t value, size_t decimals)
{
	static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
	const uint64_t whole = value / powers[decimals];
	uint64_t rest = value % powers[decimals];

	if (rest == 0) {
		fprintf(out, "%" PRIu64, whole);
		return;
	}
	while (rest % 10 == 0) {
		rest /= 10;
		decimals--;
	}
	fprintf(out, "%" PRIu64 ".%0*" PRIu64, whole, (int)decimals, rest);
}

static void print_sample(FILE *out, const struct metric_row *row, uint64_t value)
{
	fputc(' ', out);
	print_number(out, value, row->decimals);
	fputc('\n', out);
}

static void print_plain(FILE *out, enum metric metric)
{
	const struct metric_row *row = &rows[metric];

	if (row->label == NULL) {
		fprintf(out, "%s", row->name);
		print_sample(out, row, plain[metric][0]);
		return;
	}
	for (size_t i = 0; row->words[i] != NULL; i++) {
		fprintf(out, "%s{%s=\"%s\"}", row->name, row->label, row->words[i]);
		print_sample(out, row, plain[metric][i]);
	}
}

/* There are a thousand pairs, of which a few dozen ever come. */
static void print_requests(FILE *out)
{
	const struct metric_row *row = &rows[METRIC_REQUESTS];

	for (size_t type = 0; type < request_types.count; type++) {
		for (size_t code = 0; code < request_codes.count; code++) {
			const uint64_t value = requests[type * METRICS_CODES + code];

			if (value > 0) {
				fprintf(out, "%s{type=\"%s\",code=\"%s\"}", row->name,
						request_types.word(type), request_codes.word(code));
				print_sample(out, row, value);
			}
		}
	}
}

static void print_histogram(FILE *out, enum metric metric)
{
	const struct metric_row *row = &rows[metric];
	const struct histogram *histogram = &histograms[metric];
	uint64_t count = 0;

	for (size_t i = 0; i < row->bounds->count; i++) {
		count += histogram->counts[i];
		fprintf(out, "%s_bucket{le=\"", row->name);
		print_number(out, row->bounds->at[i], row->decimals);
		fprintf(out, "\"} %" PRIu64 "\n", count);
	}
	count += histogram->counts[row->bounds->count];
	fprintf(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n%s_sum", row->name, count, row->name);
	print_sample(out, row, histogram->sum);
	fprintf(out, "%s_count %" PRIu64 "\n", row->name, count);
}

static void print_metric(FILE *out, enum metric metric)
{
	static const char *const types[] = {
			[TYPE_COUNTER] = "counter",
			[TYPE_GAUGE] = "gauge",
			[TYPE_HISTOGRAM] = "histogram",
	};
	const struct metric_row *row = &rows[metric];

	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", row->name, row->help, row->name,
			types[row->type]);
	if (row->type == TYPE_HISTOGRAM) {
		print_histogram(out, metric);
	} else if (metric == METRIC_REQUESTS) {
		print_requests(out);
	} else if (metric == METRIC_BUILD_INFO) {
		fprintf(out, "%s{version=\"%s\"} 1\n", row->name, build_version);
	} else {
		print_plain(out, metric);
	}
}

void metrics_print(FILE *out)
{
	for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
		print_metric(out, metric);
	}
}
