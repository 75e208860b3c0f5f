/* What other rooms feel of a room whose commit is in doubt: a server without sockets on the SQLite
 * store plays games, by turns all well and with one room frozen, whose outcome it asks for again
 * and again. The turns are short, so that what else the machine does disturbs both alike.
 *
 *     bench_frozen FOLDER ROOMS SECONDS
 *
 * One JSON object: ROOMS, and of both the actions, the median and p99 of an action's answer. */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/ops/log.h"
#include "server/play/play.h"
#include "server/store/sqlite.h"

/* Nothing falls due while it runs, and no room leaves memory. */
#define LONG_MS 600000
#define TIMES_MAX 10000000
/* Longer than the pause before a room in doubt is asked about again. */
#define TURN_SECONDS 0.3

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* A store in which one room's commits are in doubt and can't be looked at. */

struct doubt {
	struct doubt *next;
	store_done_fn *committed;
	store_room_fn *loaded;
	void *arg;
};

struct gate {
	struct store store; /* first: it is what others hold */
	struct store_ops ops;
	struct store *inner;
	const char *frozen; /* a room, or NULL */
	struct doubt *doubts;
	uint64_t loads;
};
static struct gate gate;

static struct doubt *doubt_add(void *arg)
{
	struct doubt *doubt = calloc(1, sizeof(*doubt));

	if (doubt == NULL) {
		abort();
	}
	*doubt = (struct doubt){.next = gate.doubts, .arg = arg};
	gate.doubts = doubt;
	return doubt;
}

static bool is_frozen(const char *room)
{
	return gate.frozen != NULL && strcmp(gate.frozen, room) == 0;
}

static void gate_commit(struct store *store, const struct store_batch *batch, store_done_fn *done,
		void *arg)
{
	(void)store;
	if (batch->room_count > 0 && is_frozen(batch->rooms[0].room)) {
		doubt_add(arg)->committed = done;
	} else {
		gate.inner->ops->commit(gate.inner, batch, done, arg);
	}
}

static void gate_load_room(struct store *store, const char *room, int64_t after_seq,
		store_room_fn *done, void *arg)
{
	(void)store;
	if (is_frozen(room)) {
		gate.loads++;
		doubt_add(arg)->loaded = done;
	} else {
		gate.inner->ops->load_room(gate.inner, room, after_seq, done, arg);
	}
}

static void gate_load_unfinished(
		struct store *store, store_each_room_fn *each, store_room_fn *done, void *arg)
{
	(void)store;
	gate.inner->ops->load_unfinished(gate.inner, each, done, arg);
}

static void gate_load_by_key(struct store *store, const char *key, store_player_fn *done, void *arg)
{
	(void)store;
	gate.inner->ops->load_player_by_key(gate.inner, key, done, arg);
}

static void gate_load_by_token(struct store *store,
		const unsigned char token_hash[STORE_HASH_BYTES], store_player_fn *done, void *arg)
{
	(void)store;
	gate.inner->ops->load_player_by_token(gate.inner, token_hash, done, arg);
}

static void gate_open(const char *folder)
{
	static char path[4096];
	static char why[STORE_SQLITE_MESSAGE_SIZE];
	const struct store_sqlite_config config = {.path = path};

	snprintf(path, sizeof(path), "%s/frozen.db", folder);
	if (store_sqlite_open(&config, &gate.inner, why) != 0) {
		fprintf(stderr, "bench_frozen: %s\n", why);
		exit(1);
	}
	gate.ops = (struct store_ops){.commit = gate_commit,
			.load_room = gate_load_room,
			.load_unfinished = gate_load_unfinished,
			.load_player_by_key = gate_load_by_key,
			.load_player_by_token = gate_load_by_token};
	gate.store.ops = &gate.ops;
}

static void gate_deliver(void)
{
	struct doubt *doubt = gate.doubts;

	gate.doubts = NULL;
	while (doubt != NULL) {
		struct doubt *next = doubt->next;

		if (doubt->committed != NULL) {
			doubt->committed(doubt->arg, STORE_UNKNOWN);
		} else {
			doubt->loaded(doubt->arg, STORE_NOT_READABLE, 0, NULL);
		}
		free(doubt);
		doubt = next;
	}
	store_sqlite_deliver(gate.inner);
}

/* Games: two sessions each, one act after the other. */

static const struct {
	int by;
	const char *act;
} acts[] = {
		{0, "create X"},
		{1, "join"},
		{0, "move 1 2"},
		{1, "move 3 4"},
		{0, "move 5 6"},
		{1, "move 7 8"},
		{0, "move 1 3"},
		{1, "move 4 5"},
		{0, "move 6 7"},
		{1, "resign"},
};
#define ACTS (sizeof(acts) / sizeof(acts[0]))

struct game {
	struct session *sessions[2];
	size_t step;
	char room[32];
	int64_t asked_us;
	bool waits; /* for its answer */
};

static struct play *play;
static struct game *games;
static size_t game_count;
static int64_t wake_ms = INT64_MAX;
static bool started;

/* What answers took. */
struct times {
	int64_t *us;
	size_t count;
};
static struct times well;
static struct times frozen;
static struct times *times; /* of now; NULL: they do not count */

static int64_t clock_now(void *arg)
{
	(void)arg;
	return now_us() / 1000;
}

static void clock_wake_at(void *arg, int64_t at_ms)
{
	(void)arg;
	wake_ms = at_ms;
}

static void random_fill(void *arg, void *buffer, size_t size)
{
	(void)arg;
	for (size_t i = 0; i < size; i++) {
		((unsigned char *)buffer)[i] = (unsigned char)(random() >> 7);
	}
}

static void answered(struct game *game, const char *line, size_t length)
{
	const char *room = memmem(line, length, "\"room\":\"", 8);

	if (game->step == 0 && room != NULL) {
		sscanf(room + 8, "%31[a-z0-9]", game->room);
	}
	if (game->step > 1 && times != NULL && times->count < TIMES_MAX) {
		times->us[times->count++] = now_us() - game->asked_us;
	}
	game->step = (game->step + 1) % ACTS;
	game->waits = false;
}

static void on_send(void *conn, struct bytes *line)
{
	if (strncmp(line->data, "{\"type\":\"ok\"", 12) == 0) {
		answered(conn, line->data, line->length);
	} else if (strncmp(line->data, "{\"type\":\"error\"", 15) != 0) {
		return;
	} else if (conn == games) {
		/* It was frozen, and is told now that its act was not stored: it asks again. */
		games[0].waits = false;
	} else {
		fprintf(stderr, "bench_frozen: %.*s", (int)line->length, line->data);
		exit(1);
	}
}

static size_t on_queued(void *conn)
{
	(void)conn;
	return 0;
}

static void on_ready(void *conn)
{
	(void)conn;
}

static int64_t on_waits_since(void *conn)
{
	(void)conn;
	return INT64_MAX;
}

static const struct sink_ops sink = {.send = on_send,
		.queued = on_queued,
		.ready = on_ready,
		.close = on_ready,
		.waits_since = on_waits_since};

static void act(struct game *game)
{
	char line[128];
	int length = snprintf(line, sizeof(line), "%s%s%s", acts[game->step].act,
			game->step == 0 ? "" : " room=", game->step == 0 ? "" : game->room);

	game->waits = true;
	game->asked_us = now_us();
	play_session_line(game->sessions[acts[game->step].by], LINE_WHOLE, line, (size_t)length,
			now_us() / 1000);
}

static void turn(void)
{
	struct pollfd answers = {.fd = store_sqlite_fd(gate.inner), .events = POLLIN};

	poll(&answers, 1, gate.doubts == NULL ? 20 : 0);
	gate_deliver();
	if (wake_ms <= now_us() / 1000) {
		wake_ms = INT64_MAX;
		play_wake(play);
	}
}

static void run(double seconds, struct times *counted)
{
	int64_t end_us = now_us() + (int64_t)(seconds * 1e6);

	times = counted;
	while (now_us() < end_us) {
		for (size_t i = 0; i < game_count; i++) {
			if (!games[i].waits) {
				act(&games[i]);
			}
		}
		turn();
	}
}

static int by_size(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a;
	int64_t right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

static void print_times(const char *name, const struct times *of)
{
	qsort(of->us, of->count, sizeof(*of->us), by_size);
	printf(",\"%s\":{\"actions\":%zu,\"p50_us\":%" PRId64 ",\"p99_us\":%" PRId64 "}", name,
			of->count, of->us[of->count / 2], of->us[of->count * 99 / 100]);
}

static void on_started(void *arg, int error)
{
	(void)arg;
	started = error == 0;
}

static void start(void)
{
	struct play_config config = {.version = "0",
			.name = "bench",
			.behind_bytes = 1000000,
			.keep_over_ms = LONG_MS,
			.hide_away_ms = LONG_MS,
			.limits = {LONG_MS, LONG_MS, LONG_MS, LONG_MS, LONG_MS},
			.store = &gate.store,
			.clock = {clock_now, clock_wake_at, NULL},
			.random = {random_fill, NULL}};

	log_set_level(LOG_ERROR);
	play = play_new(&config);
	play_start(play, on_started, NULL);
	while (!started) {
		turn();
	}
	for (size_t i = 0; i < game_count; i++) {
		for (int seat = 0; seat < 2; seat++) {
			games[i].sessions[seat] = play_session_open(play, &sink, &games[i],
					&(struct play_peer){.group = "bench"});
		}
	}
}

int main(int argc, char **argv)
{
	double seconds;

	if (argc != 4) {
		fprintf(stderr, "usage: bench_frozen FOLDER ROOMS SECONDS\n");
		return 64;
	}
	game_count = strtoul(argv[2], NULL, 10);
	seconds = strtod(argv[3], NULL);
	games = calloc(game_count, sizeof(*games));
	well.us = calloc(TIMES_MAX, sizeof(*well.us));
	frozen.us = calloc(TIMES_MAX, sizeof(*frozen.us));
	if (games == NULL || well.us == NULL || frozen.us == NULL) {
		abort();
	}
	gate_open(argv[1]);
	start();
	run(seconds / 4, NULL);
	for (double left = seconds; left > 0; left -= TURN_SECONDS) {
		gate.frozen = NULL;
		run(TURN_SECONDS, NULL);
		run(TURN_SECONDS, &well);
		gate.frozen = games[0].room;
		run(TURN_SECONDS, NULL);
		run(TURN_SECONDS, &frozen);
	}
	printf("{\"run\":\"frozen\",\"rooms\":%zu", game_count);
	print_times("well", &well);
	print_times("frozen", &frozen);
	printf(",\"asked_again\":%" PRIu64 "}\n", gate.loads);
	/* As it stands: one commit will never be settled. */
	fflush(stdout);
	_Exit(0);
}
