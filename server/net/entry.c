#include "server/net/entry.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "server/net/conn.h"
#include "server/net/proxy.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"

/* Bytes of who was refused that are thrown away at a time. */
#define DRAIN_BYTES 4096

enum entry_step { STEP_PROXY, STEP_TLS, STEP_REFUSED };

struct entry {
	struct entry_set *set;
	TAILQ_ENTRY(entry) link;
	struct transport transport; /* plain until the handshake begins */
	struct event readable;
	struct event writable;
	struct entry_list *shaking; /* of the set's, in which it waits for its turn; or NULL */
	TAILQ_ENTRY(entry) of_shaking;
	bool has_begun; /* its handshake */
	bool was_long;	/* so far: its keys are there */
	unsigned int extensions;
	struct deadline end;
	struct peer_name peer;
	struct crowd_group *group; /* NULL: not counted */
	enum door door;
	enum entry_step step;
	size_t length; /* of header */
	unsigned char header[PROXY_BYTES_MAX];
};

static void begin_shaking(struct entry *entry)
{
	struct entry_set *set = entry->set;

	entry->shaking = &set->shaking[entry->was_long];
	TAILQ_INSERT_TAIL(entry->shaking, entry, of_shaking);
	loop_defer(set->config.loop, LOOP_ARRIVALS, &set->turn);
}

/* Who was broken off goes on; then who has all but finished, so that what was done for him is not
 * in vain; then who begins. */
static struct entry *next_shaking(const struct entry_set *set)
{
	if (set->broken_off != NULL) {
		return set->broken_off;
	}
	return TAILQ_EMPTY(&set->shaking[true]) ? TAILQ_FIRST(&set->shaking[false])
						: TAILQ_FIRST(&set->shaking[true]);
}

static bool somebody_shakes(const struct entry_set *set)
{
	return set->broken_off != NULL || !TAILQ_EMPTY(&set->shaking[false]) ||
	       !TAILQ_EMPTY(&set->shaking[true]);
}

/* Does he wait for us, and not we for him? */
static bool is_shaking(const struct entry *entry)
{
	return entry->shaking != NULL || entry->set->broken_off == entry;
}

static void stop_shaking(struct entry *entry)
{
	struct entry_set *set = entry->set;

	if (entry->shaking != NULL) {
		TAILQ_REMOVE(entry->shaking, entry, of_shaking);
		entry->shaking = NULL;
	}
	if (set->broken_off == entry) {
		set->broken_off = NULL;
	}
	if (!somebody_shakes(set)) {
		loop_forget(&set->turn);
	}
}

/* The end, of either kind. */

/* Off the books; the transport is somebody else's. */
static void forget(struct entry *entry)
{
	event_del(&entry->readable);
	event_del(&entry->writable);
	stop_shaking(entry);
	deadline_clear(&entry->end);
	if (entry->group != NULL) {
		crowd_leave(&entry->set->crowd, entry->group);
	}
	TAILQ_REMOVE(&entry->set->all, entry, link);
	entry->set->count--;
	free(entry);
}

static void end(struct entry *entry)
{
	entry->transport.ops->close(&entry->transport);
	forget(entry);
}

static void count_refusal(const struct entry *entry, const char *word, const char *why)
{
	metrics_count_word(METRIC_REFUSED, word);
	if (log_may(&entry->set->logs)) {
		log_event(LOG_INFO, "conn_refused", "peer=%s reason=%s%s%s", entry->peer.text, word,
				why == NULL ? "" : " why=", why == NULL ? "" : log_text(why));
	}
}

/* Closing at once, over bytes that were not read, would take back the alert. */
static void refuse(struct entry *entry, const char *word, const char *why)
{
	count_refusal(entry, word, why);
	entry->step = STEP_REFUSED;
	event_del(&entry->writable);
	event_add(&entry->readable, NULL);
	shutdown(entry->transport.fd, SHUT_WR);
	deadline_set(&entry->set->lingering, &entry->end);
}

static void deadline_passed(struct deadline *deadline)
{
	struct entry *entry = (void *)((char *)deadline - offsetof(struct entry, end));

	struct entry_set *set = entry->set;

	if (is_shaking(entry) && !set->stopping && entry->extensions < ENTRY_EXTENSIONS) {
		entry->extensions++;
		deadline_set(&set->entering, &entry->end);
		return;
	}
	if (entry->step != STEP_REFUSED) {
		count_refusal(entry, set->stopping ? "stopping" : "too_slow", NULL);
	}
	end(entry);
}

static void drain(struct entry *entry)
{
	char nothing[DRAIN_BYTES];
	const ssize_t got = recv(entry->transport.fd, nothing, sizeof(nothing), 0);

	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
		end(entry);
	}
}

static void admit(struct entry *entry)
{
	const struct entry_config *config = &entry->set->config;
	const struct transport transport = entry->transport;
	const struct peer_name peer = entry->peer;
	const enum door door = entry->door;

	forget(entry);
	config->admitted(config->arg, door, &transport, &peer);
}

/* The steps. */

static void shake_hands(struct entry *entry)
{
	const char *why = NULL;

	switch (tls_handshake(&entry->transport, &why)) {
	case TLS_GOES_ON:
		entry->was_long = true;
		entry->set->broken_off = entry;
		break;
	case TLS_DONE:
		admit(entry);
		break;
	case TLS_WANTS_READ:
		event_add(&entry->readable, NULL);
		break;
	case TLS_WANTS_WRITE:
		event_add(&entry->writable, NULL);
		break;
	case TLS_NOT_TLS:
		refuse(entry, "not_tls", why);
		break;
	case TLS_FAILED:
		refuse(entry, "tls_error", why);
		break;
	}
}

/* What a client that speaks TLS can't begin with; left where it is. */
static bool proxy_header_waits(const struct entry *entry)
{
	unsigned char begin[PROXY_HEAD_BYTES];
	const ssize_t got = recv(entry->transport.fd, begin, sizeof(begin), MSG_PEEK);

	return got > 0 && proxy_begins(begin, (size_t)got);
}

static void after_proxy(struct entry *entry)
{
	if (!door_has_tls(entry->door)) {
		admit(entry);
		return;
	}
	if (entry->set->config.keeps_out(entry->set->config.arg, &entry->peer)) {
		refuse(entry, "banned", NULL);
		return;
	}
	entry->group = crowd_enter(&entry->set->crowd, entry->peer.group);
	if (entry->group == NULL) {
		refuse(entry, "crowded", NULL);
		return;
	}
	entry->step = STEP_TLS;
	transport_init_tls(&entry->transport, entry->transport.fd, entry->set->config.tls);
	event_add(&entry->readable, NULL);
}

static void header_came(struct entry *entry, enum proxy_result result,
		const struct sockaddr_storage *address, socklen_t length)
{
	struct peer_name client;

	if (result == PROXY_BAD) {
		refuse(entry, "bad_proxy_header", NULL);
		return;
	}
	if (result == PROXY_FROM) {
		peer_name_of((const struct sockaddr *)address, length, &client);
		log_event(LOG_DEBUG, "proxied", "proxy=%s peer=%s", entry->peer.text, client.text);
		entry->peer = client;
	}
	after_proxy(entry);
}

static void read_header(struct entry *entry)
{
	struct sockaddr_storage address;
	socklen_t length = 0;
	size_t wanted = PROXY_HEAD_BYTES;
	enum proxy_result result;

	while ((result = proxy_parse(entry->header, entry->length, &wanted, &address, &length)) ==
			PROXY_MORE) {
		const ssize_t got = recv(entry->transport.fd, entry->header + entry->length,
				wanted - entry->length, 0);

		if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
			return;
		}
		if (got <= 0) {
			count_refusal(entry, "gone", NULL);
			end(entry);
			return;
		}
		entry->length += (size_t)got;
	}
	header_came(entry, result, &address, length);
}

/* One handshake after the other, since one that is broken off in the middle holds some memory. */
static void entry_turn(struct loop_task *task)
{
	struct entry_set *set = (void *)((char *)task - offsetof(struct entry_set, turn));
	struct entry *entry = next_shaking(set);

	stop_shaking(entry);
	if (!entry->has_begun && entry->length == 0 && proxy_header_waits(entry)) {
		refuse(entry, "proxy_not_listed", NULL);
	} else {
		entry->has_begun = true;
		shake_hands(entry);
	}
	if (somebody_shakes(set)) {
		loop_defer(set->config.loop, LOOP_ARRIVALS, &set->turn);
	}
}

static void entry_ready(evutil_socket_t fd, short what, void *arg)
{
	struct entry *entry = arg;

	(void)fd;
	(void)what;
	switch (entry->step) {
	case STEP_PROXY:
		read_header(entry);
		break;
	case STEP_TLS:
		event_del(&entry->readable);
		event_del(&entry->writable);
		begin_shaking(entry);
		break;
	case STEP_REFUSED:
		drain(entry);
		break;
	}
}

/* Beginning. */

static bool is_proxy(const struct entry_config *config, const struct sockaddr *address)
{
	for (size_t i = 0; i < config->proxy_count; i++) {
		if (prefix_has(&config->proxies[i], address)) {
			return true;
		}
	}
	return false;
}

static struct entry *new_entry(
		struct entry_set *set, enum door door, int fd, const struct peer_name *peer)
{
	struct event_base *base = loop_base(set->config.loop);
	struct entry *entry = memory_new(1, sizeof(*entry));

	entry->set = set;
	entry->door = door;
	entry->peer = *peer;
	transport_init_plain(&entry->transport, fd);
	event_assign(&entry->readable, base, fd, EV_READ | EV_PERSIST, entry_ready, entry);
	event_assign(&entry->writable, base, fd, EV_WRITE | EV_PERSIST, entry_ready, entry);
	TAILQ_INSERT_TAIL(&set->all, entry, link);
	set->count++;
	deadline_set(&set->entering, &entry->end);
	return entry;
}

void entry_begin(struct entry_set *set, enum door door, int fd, const struct sockaddr *address,
		socklen_t length)
{
	const bool proxied = !door_has_http(door) && is_proxy(&set->config, address);
	struct peer_name peer;
	struct entry *entry;

	peer_name_of(address, length, &peer);
	if (!proxied && !door_has_tls(door)) {
		struct transport transport;

		transport_init_plain(&transport, fd);
		set->config.admitted(set->config.arg, door, &transport, &peer);
		return;
	}
	entry = new_entry(set, door, fd, &peer);
	if (proxied) {
		entry->step = STEP_PROXY;
		event_add(&entry->readable, NULL);
	} else {
		after_proxy(entry);
	}
}

void entry_set_init(struct entry_set *set, const struct entry_config *config)
{
	set->config = *config;
	set->count = 0;
	set->stopping = false;
	TAILQ_INIT(&set->all);
	TAILQ_INIT(&set->shaking[false]);
	TAILQ_INIT(&set->shaking[true]);
	set->broken_off = NULL;
	set->turn = (struct loop_task){.run = entry_turn};
	crowd_init(&set->crowd, config->per_address);
	deadlines_init(&set->entering, config->loop,
			config->wait_ms == 0 ? ENTRY_MS : config->wait_ms, deadline_passed);
	deadlines_init(&set->lingering, config->loop, CONN_LINGER_MS, deadline_passed);
}

void entry_set_change(struct entry_set *set, const struct prefix *proxies, size_t proxy_count,
		size_t per_address)
{
	set->config.proxies = proxies;
	set->config.proxy_count = proxy_count;
	set->crowd.most = per_address;
}

void entry_set_stop(struct entry_set *set)
{
	set->stopping = true;
	if (set->entering.wait_ms > ENTRY_STOP_MS) {
		deadlines_change(&set->entering, ENTRY_STOP_MS);
	}
}

void entry_set_close(struct entry_set *set)
{
	struct entry *entry = TAILQ_FIRST(&set->all);

	while (entry != NULL) {
		struct entry *next = TAILQ_NEXT(entry, link);

		if (entry->step != STEP_REFUSED) {
			count_refusal(entry, "stopping", NULL);
		}
		end(entry);
		entry = next;
	}
}

void entry_set_fini(struct entry_set *set)
{
	entry_set_close(set);
	crowd_fini(&set->crowd);
	deadlines_fini(&set->entering);
	deadlines_fini(&set->lingering);
}
