#include "server/watch.h"

#include <stdio.h>
#include <stdlib.h>

#include "server/net/health.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"
#include "server/page.h"
#include "server/store/sqlite.h"
#include "server/work/pool.h"

struct watch {
	struct watch_config config;
	struct net *net;
	struct health *health;
	struct http *http;
	struct page *page;
	struct http_route routes[4];
};

static void measure_store(const struct watch *watch)
{
	struct store_sqlite_counts counts;

	if (watch->config.store_is_file) {
		store_sqlite_count(watch->config.store, &counts);
		metrics_set_histogram(METRIC_COMMIT_TIME, &counts.commit_times);
		metrics_set_histogram(METRIC_COMMIT_SIZE, &counts.commit_sizes);
		for (size_t i = 0; i < STORE_SQLITE_FAILURES; i++) {
			metrics_set(METRIC_STORE_FAILURES, i, counts.failures[i]);
		}
	}
}

static void measure_play(const struct watch *watch)
{
	struct play_counts counts;

	play_count(watch->config.play, &counts);
	metrics_set(METRIC_SESSIONS, 0, counts.sessions);
	metrics_set(METRIC_PLAYERS, 0, counts.players);
	metrics_set(METRIC_UNDER_WAY, 0, counts.under_way);
	metrics_set(METRIC_STORE_UNKNOWN, 0, counts.frozen);
	for (size_t i = 0; i < sizeof(counts.rooms_by_status) / sizeof(size_t); i++) {
		metrics_set(METRIC_ROOMS, i, counts.rooms_by_status[i]);
	}
}

static void measure_work(const struct watch *watch)
{
	struct work_counts counts;

	work_pool_count(watch->config.work, &counts);
	metrics_set(METRIC_WORK_WAITING, 0, counts.waiting);
	metrics_set(METRIC_WORK_RUNNING, 0, counts.running);
	metrics_set_histogram(METRIC_WORK_TIME, &counts.times);
}

static bool may_watch(const struct watch *watch, const struct http_call *call)
{
	static const char *const own[] = {"127.0.0.0/8", "::1"};
	const struct watch_config *config = &watch->config;
	struct peer_name peer;
	struct prefix prefix;

	if (!http_call_peer(call, &peer)) {
		return false;
	}
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (prefix_parse(own[i], &prefix) && prefix_holds(&prefix, peer.address)) {
			return true;
		}
	}
	for (size_t i = 0; i < config->from_count; i++) {
		if (prefix_holds(&config->from[i], peer.address)) {
			return true;
		}
	}
	return false;
}

/* For whom it is not, there is nothing. */
static void tell_health(void *arg, struct http_call *call)
{
	const struct watch *watch = arg;

	if (may_watch(watch, call)) {
		health_handle(watch->health, call);
	} else {
		page_handle(watch->page, call);
	}
}

static void tell_metrics(void *arg, struct http_call *call)
{
	const struct watch *watch = arg;
	char *text = NULL;
	size_t length = 0;
	FILE *out;

	if (!may_watch(watch, call)) {
		page_handle(watch->page, call);
		return;
	}
	out = open_memstream(&text, &length);
	if (out == NULL) {
		http_answer_text(call, 503, "There is no memory.");
		return;
	}
	net_measure(watch->net);
	measure_play(watch);
	measure_store(watch);
	measure_work(watch);
	metrics_look_at_process();
	metrics_print(out);
	fclose(out);
	http_answer(call, 200, METRICS_CONTENT_TYPE, bytes_new(text, length));
	free(text);
}

static void upgrade(void *arg, struct http_call *call)
{
	const struct watch *watch = arg;

	net_websocket(watch->net, call);
}

struct watch *watch_new(const struct watch_config *config)
{
	struct watch *watch = memory_new(1, sizeof(*watch));

	watch->config = *config;
	watch->page = page_new();
	watch->health = health_new(config->loop, config->store);
	watch->routes[0] = (struct http_route){"/healthz", tell_health, watch};
	watch->routes[1] = (struct http_route){"/metrics", tell_metrics, watch};
	watch->routes[2] = (struct http_route){"/ws", upgrade, watch};
	watch->routes[3] = (struct http_route){NULL, page_handle, watch->page};
	watch->http = http_new(config->loop, watch->routes,
			sizeof(watch->routes) / sizeof(watch->routes[0]), 0);
	return watch;
}

struct http *watch_http(const struct watch *watch)
{
	return watch->http;
}

void watch_set_net(struct watch *watch, struct net *net)
{
	watch->net = net;
}

void watch_free(struct watch *watch)
{
	if (watch == NULL) {
		return;
	}
	health_free(watch->health);
	http_free(watch->http);
	page_free(watch->page);
	free(watch);
}
