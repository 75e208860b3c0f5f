#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/metrics.h"
#include "tests/unit/game/cmocka_all.h"

/* Is this line in the text? */
static bool is_printed(const char *line)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	char wanted[256];
	bool found;

	metrics_print(out);
	fclose(out);
	snprintf(wanted, sizeof(wanted), "\n%s\n", line);
	found = strstr(text, wanted) != NULL;
	free(text);
	return found;
}

static void a_counter_counts_under_its_label(void **state)
{
	(void)state;
	metrics_add(METRIC_ACCEPTED, 1, 3);
	metrics_add(METRIC_ACCEPTED, 1, 2);
	assert_true(is_printed("# TYPE qttt_connections_accepted_total counter"));
	assert_true(is_printed("qttt_connections_accepted_total{door=\"tls\"} 5"));
	assert_true(is_printed("qttt_connections_accepted_total{door=\"tcp\"} 0"));
}

static void a_word_that_the_table_lacks_counts_as_the_last(void **state)
{
	(void)state;
	metrics_count_word(METRIC_CLOSED, "slow_reader");
	metrics_count_word(METRIC_CLOSED, "Connection reset by peer");
	metrics_count_word(METRIC_CLOSED, "Broken pipe");
	assert_true(is_printed("qttt_connections_closed_total{reason=\"slow_reader\"} 1"));
	assert_true(is_printed("qttt_connections_closed_total{reason=\"error\"} 2"));
}

static void a_gauge_is_what_it_was_set_to(void **state)
{
	(void)state;
	metrics_set(METRIC_SESSIONS, 0, 7);
	metrics_set(METRIC_SESSIONS, 0, 6);
	assert_true(is_printed("qttt_sessions 6"));
}

static void times_are_told_in_seconds_without_needless_digits(void **state)
{
	(void)state;
	metrics_set(METRIC_CPU, 0, 1000001);
	assert_true(is_printed("process_cpu_seconds_total 1.000001"));
	metrics_set(METRIC_CPU, 0, 2500000);
	assert_true(is_printed("process_cpu_seconds_total 2.5"));
	metrics_set(METRIC_CPU, 0, 3000000);
	assert_true(is_printed("process_cpu_seconds_total 3"));
	metrics_set(METRIC_CPU, 0, UINT64_MAX);
	assert_true(is_printed("process_cpu_seconds_total 18446744073709.551615"));
}

static void a_bucket_has_all_that_is_at_most_its_bound(void **state)
{
	(void)state;
	metrics_observe(METRIC_REPLY_TIME, 100, 1);
	metrics_observe(METRIC_REPLY_TIME, 101, 2);
	metrics_observe(METRIC_REPLY_TIME, 10000000, 1);
	metrics_observe(METRIC_REPLY_TIME, 10000001, 1);
	assert_true(is_printed("qttt_reply_seconds_bucket{le=\"0.0001\"} 1"));
	assert_true(is_printed("qttt_reply_seconds_bucket{le=\"0.00025\"} 3"));
	assert_true(is_printed("qttt_reply_seconds_bucket{le=\"5\"} 3"));
	assert_true(is_printed("qttt_reply_seconds_bucket{le=\"10\"} 4"));
	assert_true(is_printed("qttt_reply_seconds_bucket{le=\"+Inf\"} 5"));
	assert_true(is_printed("qttt_reply_seconds_sum 20.000303"));
	assert_true(is_printed("qttt_reply_seconds_count 5"));
}

static void a_histogram_of_another_thread_can_be_taken_over(void **state)
{
	struct histogram histogram = {0};

	(void)state;
	histogram_observe(&histogram, &histogram_sizes, 1, 1);
	histogram_observe(&histogram, &histogram_sizes, 1025, 1);
	metrics_set_histogram(METRIC_COMMIT_SIZE, &histogram);
	metrics_set_histogram(METRIC_COMMIT_SIZE, &histogram);
	assert_true(is_printed("qttt_store_commit_batches_bucket{le=\"1024\"} 1"));
	assert_true(is_printed("qttt_store_commit_batches_count 2"));
	assert_true(is_printed("qttt_store_commit_batches_sum 1026"));
}

static const char *type_word(size_t n)
{
	return n == 0 ? "move" : "say";
}

static const char *code_word_of(size_t n)
{
	return n == 0 ? "ok" : "stale";
}

static void requests_are_told_by_type_and_code_once_there_were_any(void **state)
{
	(void)state;
	metrics_name_requests(2, type_word, 2, code_word_of);
	metrics_add(METRIC_REQUESTS, METRICS_CODES + 1, 4);
	assert_true(is_printed("qttt_requests_total{type=\"say\",code=\"stale\"} 4"));
	assert_false(is_printed("qttt_requests_total{type=\"move\",code=\"ok\"} 0"));
}

static void the_process_is_looked_at(void **state)
{
	(void)state;
	metrics_look_at_process();
	assert_true(metrics_value(METRIC_MEMORY, 0) > 100000);
	assert_true(metrics_value(METRIC_CPU, 0) > 0);
}

static void the_version_is_a_label(void **state)
{
	(void)state;
	metrics_set_version("1.2.3");
	assert_true(is_printed("qttt_build_info{version=\"1.2.3\"} 1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_counter_counts_under_its_label),
			cmocka_unit_test(a_word_that_the_table_lacks_counts_as_the_last),
			cmocka_unit_test(a_gauge_is_what_it_was_set_to),
			cmocka_unit_test(times_are_told_in_seconds_without_needless_digits),
			cmocka_unit_test(a_bucket_has_all_that_is_at_most_its_bound),
			cmocka_unit_test(a_histogram_of_another_thread_can_be_taken_over),
			cmocka_unit_test(requests_are_told_by_type_and_code_once_there_were_any),
			cmocka_unit_test(the_process_is_looked_at),
			cmocka_unit_test(the_version_is_a_label),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
