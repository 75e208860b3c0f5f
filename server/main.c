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
#include "server/net/loop.h"
#include "server/net/net.h"
#include "server/net/tls.h"
#include "server/ops/clock.h"
#include "server/ops/config.h"
#include "server/ops/log.h"
#include "server/ops/metrics.h"
#include "server/ops/prefix.h"
#include "server/ops/supervisor.h"
#include "server/play/play.h"
#include "server/service.h"
#include "server/settings.h"
#include "server/storage.h"
#include "server/thinkers.h"
#include "server/upkeep/upkeep.h"
#include "server/watch.h"

/* From the signal to the end. Clients that have not gone by then are cut; the store has a second
 * more for what was decided; then the process ends as it is, also while the database is closed: at
 * the latest five seconds after the signal nothing of it is left. */
#define STOP_CLIENTS_MS 3000
#define STOP_STORE_MS 4000
#define STOP_ALL_MS 4500

/* When clients may come again after a stop: once the next server should be there; where a
 * supervisor holds the sockets, they may wait at its door. */
#define RETRY_MS 2000
#define RETRY_HELD_MS 200

struct server {
	struct config *config;
	int argc; /* the command line, to be read again */
	char **argv;
	struct supervisor_sockets passed;
	struct service service;
	struct loop *loop;
	struct storage storage;
	struct thinkers thinkers;
	struct play *play;
	struct bytes *full_line;
	struct watch *watch;
	struct tls *tls; /* NULL: nobody listens for it */
	struct prefix proxies[CONFIG_LIST_MAX];
	struct prefix watchers[CONFIG_LIST_MAX]; /* who look at the metrics */
	struct bytes *crowd_line;
	struct bytes *bye_line;
	struct net *net;
	struct event *stop_timer;
	bool stopping;
	bool cut;	/* the clients were */
	bool abandoned; /* the store does not answer */
	int status;
};

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

static void stop(void *arg);

static int64_t retry_ms(const struct server *server)
{
	return server->passed.count > 0 ? RETRY_HELD_MS : RETRY_MS;
}

static void make_play(struct server *server)
{
	struct play_config play_config = {
			.version = QTTT_VERSION,
			.retry_ms = retry_ms(server),
			.store = server->storage.store,
			.work = server->thinkers.work,
			.random = {.fill = fill_random},
			.drained = stop,
			.drained_arg = server,
	};

	settings_for_play(server->config, &play_config);
	loop_clock(server->loop, wake_play, server, &play_config.clock);
	server->play = play_new(&play_config);
}

static void parse_prefixes(const struct config_list *list, struct prefix *ret)
{
	for (size_t i = 0; i < list->count; i++) {
		prefix_parse(list->items[i], &ret[i]);
	}
}

static void make_watch(struct server *server)
{
	const struct watch_config config = {
			.loop = server->loop,
			.play = server->play,
			.store = server->storage.store,
			.store_is_file = server->storage.is_in_file,
			.work = server->thinkers.work,
			.from = server->watchers,
			.from_count = server->config->metrics_from.count,
	};

	parse_prefixes(&server->config->metrics_from, server->watchers);
	server->watch = watch_new(&config);
}

/* Net. */

static struct bytes *encode_refusal(const char *message)
{
	struct error error = {.code = CODE_TOO_MANY_CONNECTIONS};

	snprintf(error.message, sizeof(error.message), "%s", message);
	return encode_error(&error);
}

static struct bytes *encode_bye(const struct server *server)
{
	const struct event event = {.type = EVENT_BYE,
			.bye = {.reason = BYE_SHUTDOWN,
					.has_retry = true,
					.retry_ms = retry_ms(server)}};

	return encode_event(&event);
}

/* What was passed for a door is listened on in place of what its option says. */
static bool bind_list(struct server *server, enum door door, const struct config_list *list)
{
	char why[LISTENER_WHY_SIZE];

	if (net_has(server->net, door)) {
		return true;
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!net_bind(server->net, door, list->items[i], why)) {
			fprintf(stderr, "qtttd: %s\n", why);
			return false;
		}
	}
	return true;
}

static bool bind_admin(struct server *server)
{
	char why[LISTENER_WHY_SIZE];

	if (server->config->admin[0] == '\0' ||
			net_bind_path(server->net, DOOR_ADMIN, server->config->admin, why)) {
		return true;
	}
	fprintf(stderr, "qtttd: %s\n", why);
	return false;
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

/* Who has a certificate has it read again whatever has become of the file of options. */
static void reload_certificate(struct server *server)
{
	const struct config *config = server->config;
	char why[TLS_WHY_SIZE];

	static_assert(sizeof(why) >= CONFIG_WHY_SIZE, "it fits");
	if (server->tls == NULL) {
		return;
	}
	if (!config_is_readable_again(config->cert, why) ||
			!config_is_readable_again(config->key, why) ||
			!tls_reload(server->tls, config->cert, config->key, why)) {
		log_event(LOG_ERROR, "certificate_kept", "the old one is served on, as %s", why);
	}
}

static void change_settings(struct server *server)
{
	struct play_config play_config = {0};
	struct net_config net_config = {0};

	log_set_level(server->config->log_level);
	settings_for_play(server->config, &play_config);
	play_change(server->play, &play_config);
	settings_for_net(server->config, server->proxies, &net_config);
	net_change(server->net, &net_config);
}

static void reload(void *arg)
{
	struct server *server = arg;
	char why[CONFIG_WHY_SIZE] = "";

	if (server->stopping) {
		return;
	}
	service_reloading(&server->service);
	if (!settings_reload(server->config, server->argc, server->argv, why)) {
		log_event(LOG_ERROR, "options_kept", "all stay as they were: %s", why);
	} else {
		change_settings(server);
	}
	reload_certificate(server);
	log_event(LOG_INFO, "reloaded", "file=%s", log_text(server->config->file));
	service_reloaded(&server->service);
}

static bool make_net(struct server *server)
{
	const struct config *config = server->config;
	struct net_config net_config = {
			.loop = server->loop,
			.play = server->play,
			.tls = server->tls,
			.http = watch_http(server->watch),
			.origins = {config->ws_origin.count, config->ws_origin.items},
			.full_line = server->full_line,
			.crowd_line = server->crowd_line,
			.bye_line = server->bye_line,
	};

	settings_for_net(config, server->proxies, &net_config);
	server->net = net_new(&net_config);
	watch_set_net(server->watch, server->net);
	if (!service_adopt_sockets(server->net, &server->passed)) {
		server->status = EXIT_BAD_FILE;
		return false;
	}
	return bind_list(server, DOOR_TCP, &config->listen) &&
	       bind_list(server, DOOR_TLS, &config->listen_tls) &&
	       bind_list(server, DOOR_HTTP, &config->http) &&
	       bind_list(server, DOOR_HTTPS, &config->https) && bind_admin(server);
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

	if (server->stopping) {
		return;
	}
	log_event(LOG_INFO, "stopping", "connections=%zu", net_connections(server->net));
	server->stopping = true;
	supervisor_tell(SUPERVISOR_STOPPING);
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
	service_begin(&server->service, server->loop, server->net, server->play);
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
	if (!storage_open(&server->storage, server->loop, server->config->db) ||
			!thinkers_init(&server->thinkers, server->loop, server->config)) {
		return false;
	}
	make_play(server);
	server->full_line = encode_refusal("The server has as many connections as it takes.");
	server->crowd_line = encode_refusal(code_sentence(CODE_TOO_MANY_CONNECTIONS));
	server->bye_line = encode_bye(server);
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
	service_fini(&server->service);
	net_free(server->net);
	play_free(server->play);
	bytes_unref(server->full_line);
	thinkers_fini(&server->thinkers);
	bytes_unref(server->crowd_line);
	bytes_unref(server->bye_line);
	storage_close(&server->storage);
	watch_free(server->watch);
	loop_free(server->loop);
	tls_free(server->tls);
}

/* Before anything else opens a file. */
static bool take_sockets(struct server *server)
{
	char why[SUPERVISOR_WHY_SIZE];

	if (!supervisor_take_sockets(&server->passed, why)) {
		fprintf(stderr, "qtttd: %s\n", why);
		return false;
	}
	return true;
}

static void run(struct server *server)
{
	if (!make_all(server)) {
		server->status = server->status == EXIT_OK ? EXIT_FAILED : server->status;
		return;
	}
	play_start(server->play, play_started, server);
	loop_run(server->loop, is_finished, server);
	if (server->abandoned) {
		_exit(EXIT_FAILED);
	}
	log_event(LOG_INFO, "stopped", "status=%d", server->status);
}

static int serve(struct config *config, int argc, char **argv)
{
	struct server server = {.config = config, .argc = argc, .argv = argv, .status = EXIT_OK};

	if (!take_sockets(&server)) {
		return EXIT_BAD_FILE;
	}
	log_set_level(config->log_level);
	metrics_set_version(QTTT_VERSION);
	metrics_set(METRIC_START_TIME, 0, (uint64_t)clock_now_ms());
	log_event(LOG_INFO, "starting", "version=%s db=%s", QTTT_VERSION, log_text(config->db));
	if (load_certificate(config, &server.tls)) {
		run(&server);
		free_all(&server);
	} else {
		server.status = EXIT_BAD_FILE;
	}
	supervisor_sockets_fini(&server.passed);
	return server.status;
}

/* The command line. */

static int complain(const char *why, const char *hint, int status)
{
	fprintf(stderr, "qtttd: %s%s\n", why, hint);
	return status;
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

static int obey(enum config_result result, struct config *config, const char *why)
{
	switch (result) {
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
	case CONFIG_RUN:
		break;
	}
	assert(false);
	return EXIT_FAILED;
}

int main(int argc, char **argv)
{
	struct config config;
	char why[CONFIG_WHY_SIZE] = "";
	enum config_result result;
	int status;

	/* A file that may grow no further is for SQLite to tell of, as a full disk is. */
	signal(SIGXFSZ, SIG_IGN);
	if (sodium_init() < 0) {
		return complain("the system gives no random numbers", "", EXIT_FAILED);
	}
	result = config_read(argc, argv, &config, why);
	if ((result == CONFIG_RUN || result == CONFIG_CHECK) &&
			!settings_texts_are_clean(&config, why)) {
		result = CONFIG_BAD_FILE;
	}
	status = result == CONFIG_RUN ? serve(&config, argc, argv) : obey(result, &config, why);
	config_fini(&config);
	return status;
}
