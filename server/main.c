/* The server's wiring: what is made, in which order, and how it ends. */
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <event2/event.h>
#include <sodium.h>

#include "config.h"
#include "protocol/codes.h"
#include "protocol/encode.h"
#include "protocol/text.h"
#include "server/net/loop.h"
#include "server/net/net.h"
#include "server/net/tls.h"
#include "server/ops/clock.h"
#include "server/ops/config.h"
#include "server/ops/log.h"
#include "server/ops/metrics.h"
#include "server/ops/prefix.h"
#include "server/play/play.h"
#include "server/store/memory.h"
#include "server/store/sqlite.h"
#include "server/thinkers.h"
#include "server/upkeep/upkeep.h"
#include "server/watch.h"

#define MS_A_SECOND 1000

/* From the signal to the end. Clients that have not gone by then are cut; the store has a second
 * more for what was decided; then the process ends as it is, also while the database is closed: at
 * the latest five seconds after the signal nothing of it is left. */
#define STOP_CLIENTS_MS 3000
#define STOP_STORE_MS 4000
#define STOP_ALL_MS 4500

struct server {
	const struct config *config;
	struct loop *loop;
	struct store *store;
	struct loop_task deliver;   /* the memory store's answers, which have no fd */
	struct loop_task hand_over; /* what the file store was asked for in a pass */
	bool is_in_file;
	struct loop_watch *store_watch;
	struct thinkers thinkers;
	struct play *play;
	struct bytes *full_line;
	struct watch *watch;
	struct tls *tls; /* NULL: nobody listens for it */
	struct prefix proxies[CONFIG_LIST_MAX];
	struct bytes *crowd_line;
	struct net *net;
	struct event *stop_timer;
	bool stopping;
	bool cut;	/* the clients were */
	bool abandoned; /* the store does not answer */
	int status;
};

/* The store. */

static void deliver_from_memory(struct loop_task *task)
{
	struct server *server = (void *)((char *)task - offsetof(struct server, deliver));

	store_memory_deliver(server->store);
}

static void memory_has_answers(void *arg)
{
	struct server *server = arg;

	loop_defer(server->loop, &server->deliver);
}

static void deliver_from_file(void *arg)
{
	struct server *server = arg;

	store_sqlite_deliver(server->store);
}

static void hand_over_to_file(struct loop_task *task)
{
	struct server *server = (void *)((char *)task - offsetof(struct server, hand_over));

	store_sqlite_hand_over(server->store);
}

static void file_waits(void *arg)
{
	struct server *server = arg;

	loop_defer_late(server->loop, &server->hand_over);
}

static void report_store(void *arg, enum store_sqlite_news news, const char *message)
{
	static const struct {
		enum log_level level;
		const char *event;
	} lines[] = {
			[STORE_SQLITE_FAILS] = {LOG_ERROR, "store_failed"},
			[STORE_SQLITE_STILL_FAILS] = {LOG_ERROR, "store_still_fails"},
			[STORE_SQLITE_WORKS] = {LOG_WARN, "store_works_again"},
	};

	(void)arg;
	log_event(lines[news].level, lines[news].event, "%s=%s",
			news == STORE_SQLITE_WORKS ? "after" : "error", log_text(message));
}

static bool open_file_store(struct server *server)
{
	const struct store_sqlite_config config = {
			.path = server->config->db,
			.report = report_store,
			.waits = file_waits,
			.waits_arg = server,
	};
	char why[STORE_SQLITE_MESSAGE_SIZE] = "";

	server->hand_over.run = hand_over_to_file;
	server->is_in_file = true;

	if (store_sqlite_open(&config, &server->store, why) != 0) {
		fprintf(stderr,
				"qtttd: %s\n(--db PATH names another file, --db none keeps "
				"nothing)\n",
				why);
		return false;
	}
	server->store_watch = loop_watch_new(
			server->loop, store_sqlite_fd(server->store), deliver_from_file, server);
	return server->store_watch != NULL;
}

static bool open_store(struct server *server)
{
	if (strcmp(server->config->db, "none") != 0) {
		return open_file_store(server);
	}
	server->deliver.run = deliver_from_memory;
	server->store = store_memory_new(memory_has_answers, server);
	return true;
}

static void close_store(struct server *server)
{
	loop_watch_free(server->store_watch);
	if (server->store != NULL) {
		server->store->ops->free(server->store);
	}
	loop_forget(server->loop, &server->deliver);
	loop_forget_late(server->loop, &server->hand_over);
}

/* Play. */

static void fill_random(void *arg, void *buffer, size_t size)
{
	(void)arg;
	randombytes_buf(buffer, size);
}

static void wake_play(void *arg)
{
	struct server *server = arg;

	play_wake(server->play);
}

static void stood_still(void *arg, int64_t ms)
{
	struct server *server = arg;

	log_event(LOG_WARN, "stood_still", "ms=%lld", (long long)ms);
	play_stood_still(server->play, ms);
}

/* None where the operator wants none. */
static struct play_limits limits_of(const struct config *config)
{
	if (config->no_limits) {
		return (struct play_limits){0};
	}
	return (struct play_limits){
			.rooms = config->max_rooms,
			.rooms_per_name = config->rooms_per_name,
			.bot_games_per_name = config->bot_games_per_name,
			.invites_per_name = config->invites_per_name,
			.connections_per_name = config->connections_per_name,
			.watchers_per_room = config->watchers_per_room,
			.rates = {[RATE_OPENS] = config->opens_per_minute,
					[RATE_SAYS] = config->says_per_minute,
					[RATE_INVITES] = config->invites_per_minute,
					[RATE_NAMES] = config->names_per_hour},
			.allowance = config->allowance,
			.address_allowance = config->address_allowance,
			.first_line_ms = config->first_line_s * MS_A_SECOND,
			.idle_ms = config->idle_s * MS_A_SECOND,
	};
}

static void make_play(struct server *server)
{
	const struct config *config = server->config;
	struct play_config play_config = {
			.version = QTTT_VERSION,
			.name = config->name,
			.motd = config->motd[0] == '\0' ? NULL : config->motd,
			.most = limits_of(config),
			.behind_bytes = (size_t)config->behind_bytes,
			.keep_over_ms = config->keep_over_s * MS_A_SECOND,
			.keep_events_ms = config->keep_events_s * MS_A_SECOND,
			.keep_guests_ms = config->keep_guests_s * MS_A_SECOND,
			.hide_away_ms = config->lobby_away_s * MS_A_SECOND,
			.limits = {.first_move_ms = config->first_move_s * MS_A_SECOND,
					.claim_ms = config->claim_grace_s * MS_A_SECOND,
					.claim_untimed_ms = config->claim_untimed_s * MS_A_SECOND,
					.untouched_ms = config->untouched_s * MS_A_SECOND,
					.creator_away_ms = config->close_away_s * MS_A_SECOND},
			.bot_pace_ms = config->bot_pace_ms,
			.store = server->store,
			.work = server->thinkers.work,
			.random = {.fill = fill_random},
	};

	loop_clock(server->loop, wake_play, server, &play_config.clock);
	server->play = play_new(&play_config);
}

static void make_watch(struct server *server)
{
	const struct watch_config config = {
			.loop = server->loop,
			.play = server->play,
			.store = server->store,
			.store_is_file = server->is_in_file,
			.work = server->thinkers.work,
	};

	server->watch = watch_new(&config);
}

/* Net. */

static struct bytes *encode_refusal(const char *message)
{
	struct error error = {.code = CODE_TOO_MANY_CONNECTIONS};

	snprintf(error.message, sizeof(error.message), "%s", message);
	return encode_error(&error);
}

static bool bind_list(struct server *server, enum door door, const struct config_list *list)
{
	char why[LISTENER_WHY_SIZE];

	for (size_t i = 0; i < list->count; i++) {
		if (!net_bind(server->net, door, list->items[i], why)) {
			fprintf(stderr, "qtttd: %s\n", why);
			return false;
		}
	}
	return true;
}

/* Read the certificate, if one is named; false with a sentence on standard error. */
static bool load_certificate(const struct config *config, struct tls **ret)
{
	char why[TLS_WHY_SIZE];

	if (config->cert[0] == '\0') {
		return true;
	}
	*ret = tls_new(config->cert, config->key, why);
	if (*ret == NULL) {
		fprintf(stderr, "qtttd: %s\n", why);
	}
	return *ret != NULL;
}

static void reload(void *arg)
{
	struct server *server = arg;
	char why[TLS_WHY_SIZE];

	if (server->tls == NULL) {
		log_event(LOG_INFO, "nothing_reloaded", "there is no certificate");
	} else if (!tls_reload(server->tls, why)) {
		log_event(LOG_ERROR, "certificate_kept", "the old one is served on, as %s", why);
	}
}

static bool make_net(struct server *server)
{
	const struct config *config = server->config;
	struct net_config net_config = {
			.loop = server->loop,
			.play = server->play,
			.tls = server->tls,
			.http = watch_http(server->watch),
			.proxies = server->proxies,
			.proxy_count = config->proxy_from.count,
			.max_connections = (size_t)config->max_connections,
			.full_line = server->full_line,
			.crowd_line = server->crowd_line,
			.limits = {.output = (size_t)config->max_output,
					.output_all = (size_t)config->max_output_all,
					.slow_ms = config->slow_reader_s * MS_A_SECOND,
					.per_address = (size_t)config->connections_per_address},
	};

	for (size_t i = 0; i < config->proxy_from.count; i++) {
		prefix_parse(config->proxy_from.items[i], &server->proxies[i]);
	}
	if (config->no_limits) {
		net_config.max_connections = SIZE_MAX;
		net_config.limits.per_address = 0;
	}
	server->net = net_new(&net_config);
	watch_set_net(server->watch, server->net);
	return bind_list(server, DOOR_TCP, &config->listen) &&
	       bind_list(server, DOOR_TLS, &config->listen_tls) &&
	       bind_list(server, DOOR_HTTP, &config->http);
}

/* From start to stop. */

/* What was acknowledged is stored, so this loses nothing that anybody was promised. */
static void end_at_once(int number)
{
	static const char line[] = "qtttd: stopping took too long; ended as it was\n";

	(void)number;
	(void)!write(STDERR_FILENO, line, sizeof(line) - 1);
	_exit(EXIT_FAILED);
}

/* A timer that no blocked thread holds up. */
static void limit_stop(void)
{
	struct sigaction end = {.sa_handler = end_at_once};
	const struct itimerval wait = {
			.it_value = {.tv_sec = STOP_ALL_MS / 1000,
					.tv_usec = STOP_ALL_MS % 1000 * 1000L},
	};

	sigemptyset(&end.sa_mask);
	sigaction(SIGALRM, &end, NULL);
	setitimer(ITIMER_REAL, &wait, NULL);
}

static void stop_is_late(int fd, short what, void *arg)
{
	struct server *server = arg;
	struct play_counts counts;

	(void)fd;
	(void)what;
	if (!server->cut) {
		server->cut = true;
		log_event(LOG_WARN, "stop_cut", "connections=%zu", net_cut(server->net));
		loop_timer_set(server->stop_timer, STOP_STORE_MS - STOP_CLIENTS_MS);
		return;
	}
	play_count(server->play, &counts);
	server->abandoned = counts.under_way > 0;
	if (server->abandoned) {
		log_event(LOG_ERROR, "stop_abandoned", "under_way=%zu", counts.under_way);
	}
}

static void stop(void *arg)
{
	struct server *server = arg;

	log_event(LOG_INFO, "stopping", "connections=%zu", net_connections(server->net));
	server->stopping = true;
	limit_stop();
	server->stop_timer = loop_timer_new(server->loop, stop_is_late, server);
	loop_timer_set(server->stop_timer, STOP_CLIENTS_MS);
	net_close(server->net);
	play_shutdown(server->play);
}

static void play_started(void *arg, int error)
{
	struct server *server = arg;

	if (server->stopping) {
		return;
	}
	if (error != 0) {
		log_event(LOG_ERROR, "not_started", "error=%s", log_text(strerror(-error)));
		server->status = EXIT_FAILED;
		stop(server);
		return;
	}
	net_open(server->net, stdout);
}

/* Everybody has heard the last word, and what was decided is stored. */
static bool is_finished(void *arg)
{
	struct server *server = arg;

	if (server->abandoned) {
		return true;
	}
	return server->stopping && net_connections(server->net) == 0 && play_idle(server->play);
}

static bool make_all(struct server *server)
{
	server->loop = loop_new();
	if (server->loop == NULL) {
		fprintf(stderr, "qtttd: the system gives no event loop\n");
		return false;
	}
	if (!open_store(server) ||
			!thinkers_init(&server->thinkers, server->loop, server->config)) {
		return false;
	}
	make_play(server);
	server->full_line = encode_refusal("The server has as many connections as it takes.");
	server->crowd_line = encode_refusal(code_sentence(CODE_TOO_MANY_CONNECTIONS));
	make_watch(server);
	return make_net(server) && loop_on_stop(server->loop, stop, server) == 0 &&
	       loop_on_standstill(server->loop, stood_still, server) == 0 &&
	       loop_on_hangup(server->loop, reload, server) == 0;
}

static void free_all(struct server *server)
{
	if (server->stop_timer != NULL) {
		event_free(server->stop_timer);
	}
	net_free(server->net);
	play_free(server->play);
	bytes_unref(server->full_line);
	thinkers_fini(&server->thinkers);
	bytes_unref(server->crowd_line);
	if (server->loop != NULL) {
		close_store(server);
	}
	watch_free(server->watch);
	loop_free(server->loop);
	tls_free(server->tls);
}

static int serve(const struct config *config)
{
	struct server server = {.config = config, .status = EXIT_OK};

	log_set_level(config->log_level);
	metrics_set_version(QTTT_VERSION);
	metrics_set(METRIC_START_TIME, 0, (uint64_t)clock_now_ms());
	log_event(LOG_INFO, "starting", "version=%s db=%s", QTTT_VERSION, log_text(config->db));
	if (!load_certificate(config, &server.tls)) {
		return EXIT_BAD_FILE;
	}
	if (make_all(&server)) {
		play_start(server.play, play_started, &server);
		loop_run(server.loop, is_finished, &server);
		if (server.abandoned) {
			_exit(EXIT_FAILED);
		}
		log_event(LOG_INFO, "stopped", "status=%d", server.status);
	} else {
		server.status = EXIT_FAILED;
	}
	free_all(&server);
	return server.status;
}

/* The command line. */

static int complain(const char *why, const char *hint, int status)
{
	fprintf(stderr, "qtttd: %s%s\n", why, hint);
	return status;
}

/* What everybody who connects is told must be text that can be shown. */
static bool texts_are_clean(const struct config *config)
{
	return text_is_clean(config->name) && text_is_clean(config->motd);
}

static int check(const struct config *config)
{
	struct tls *tls = NULL;

	if (!load_certificate(config, &tls)) {
		return EXIT_BAD_FILE;
	}
	tls_free(tls);
	puts("configuration OK");
	return EXIT_OK;
}

static int obey(enum config_result result, const struct config *config, const char *why)
{
	if ((result == CONFIG_RUN || result == CONFIG_CHECK) && !texts_are_clean(config)) {
		return complain("name and motd want UTF-8 without control or format characters", "",
				EXIT_BAD_FILE);
	}
	switch (result) {
	case CONFIG_RUN:
		return serve(config);
	case CONFIG_CHECK:
		return check(config);
	case CONFIG_BACKUP:
		return upkeep_backup(config->db, config->backup);
	case CONFIG_CHECK_DB:
		return upkeep_check(config->db);
	case CONFIG_EXPORT:
		return upkeep_export(config->db, config->export);
	case CONFIG_HELP:
		config_print_help(stdout);
		return EXIT_OK;
	case CONFIG_VERSION:
		puts("qtttd " QTTT_VERSION);
		return EXIT_OK;
	case CONFIG_SAMPLE:
		config_print_sample(stdout);
		return EXIT_OK;
	case CONFIG_BAD_ARGS:
		return complain(why, "; see qtttd --help", EXIT_BAD_ARGS);
	case CONFIG_BAD_FILE:
		return complain(why, "", EXIT_BAD_FILE);
	}
	assert(false);
	return EXIT_FAILED;
}

int main(int argc, char **argv)
{
	struct config config;
	char why[CONFIG_WHY_SIZE] = "";
	int status;

	if (sodium_init() < 0) {
		return complain("the system gives no random numbers", "", EXIT_FAILED);
	}
	status = obey(config_read(argc, argv, &config, why), &config, why);
	config_fini(&config);
	return status;
}
