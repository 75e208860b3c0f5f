/* What commits of the SQLite store take, without a server around it: some rooms act in turn, each
 * with a commit of its own, all of them waiting at once, as often as time allows.
 *
 *     bench_store FOLDER ROOMS SECONDS LINE_BYTES
 *
 * One JSON object: ROOMS, rounds, the median and p99 of a round, and events a second. With one room
 * there is one event in a transaction: the yardstick for group commit. */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/store/sqlite.h"

/* The first one opens the room, the last one ends the game. */
#define GAME_EVENTS 15
#define ROUNDS_MAX 1000000

struct room {
	char id[24];
	int64_t seq;
	int64_t last; /* the seq that ends its game */
};

static struct store *store;
static struct room *rooms;
static size_t room_count;
static uint64_t rooms_opened;
static struct bytes *line;
static size_t answered;

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void on_commit(void *arg, enum store_status status)
{
	(void)arg;
	answered++;
	if (status != STORE_STORED) {
		fprintf(stderr, "bench_store: a commit failed (%d)\n", (int)status);
		exit(1);
	}
}

static void open_room(struct room *room, int64_t events)
{
	rooms_opened++;
	snprintf(room->id, sizeof(room->id), "r%" PRIu64, rooms_opened * 2654435761U % 4294967296U);
	room->seq = 0;
	room->last = events;
}

/* What a commit is made of lives until it is answered. */
struct act {
	struct store_room_change change;
	struct store_game game;
	struct store_batch batch;
};

static void act(struct room *room, struct act *act)
{
	bool ends;

	if (room->seq == room->last) {
		open_room(room, GAME_EVENTS);
	}
	ends = room->seq == room->last - 1;
	act->change = (struct store_room_change){.room = room->id,
			.after_seq = room->seq,
			.count = 1,
			.lines = &line,
			.state = ends ? STORE_ROOM_OVER : STORE_ROOM_PLAYING,
			.keeps_state = room->seq > 0 && !ends};
	act->game = (struct store_game){.room = room->id,
			.x_key = "ala",
			.o_key = "ola",
			.ended_ms = (int64_t)rooms_opened,
			.result = "{}",
			.record = "1-5 5-9 1-9 O=5"};
	act->batch = (struct store_batch){.room_count = 1,
			.rooms = &act->change,
			.game_count = ends ? 1 : 0,
			.games = &act->game};
	room->seq++;
	store->ops->commit(store, &act->batch, on_commit, NULL);
}

static int64_t round_us(struct act *acts)
{
	int64_t begin = now_us();

	answered = 0;
	for (size_t i = 0; i < room_count; i++) {
		act(&rooms[i], &acts[i]);
	}
	store_sqlite_hand_over(store);
	while (answered < room_count) {
		struct pollfd answers = {.fd = store_sqlite_fd(store), .events = POLLIN};

		poll(&answers, 1, -1);
		store_sqlite_deliver(store);
	}
	return now_us() - begin;
}

static int by_size(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a;
	int64_t right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

static void measure(double seconds)
{
	struct act *acts = calloc(room_count, sizeof(*acts));
	int64_t *took = calloc(ROUNDS_MAX, sizeof(*took));
	int64_t begin = now_us();
	size_t rounds = 0;
	double lasted;

	if (acts == NULL || took == NULL) {
		abort();
	}
	while (rounds < ROUNDS_MAX && now_us() - begin < (int64_t)(seconds * 1e6)) {
		took[rounds++] = round_us(acts);
	}
	lasted = (double)(now_us() - begin) / 1e6;
	qsort(took, rounds, sizeof(*took), by_size);
	printf("{\"run\":\"store\",\"rooms\":%zu,\"rounds\":%zu,\"p50_us\":%" PRId64
	       ",\"p99_us\":%" PRId64 ",\"per_s\":%.0f}\n",
			room_count, rounds, took[rounds / 2], took[rounds * 99 / 100],
			(double)(rounds * room_count) / lasted);
	free(took);
	free(acts);
}

/* So that a round is one group, whichever thread is quicker. */
static void wait_for_hand_over(void *arg)
{
	(void)arg;
}

int main(int argc, char **argv)
{
	char path[4096];
	char message[STORE_SQLITE_MESSAGE_SIZE] = "";
	const struct store_sqlite_config config = {.path = path, .waits = wait_for_hand_over};
	size_t length;
	char *text;

	if (argc != 5) {
		fprintf(stderr, "usage: bench_store FOLDER ROOMS SECONDS LINE_BYTES\n");
		return 64;
	}
	room_count = strtoul(argv[2], NULL, 10);
	length = strtoul(argv[4], NULL, 10);
	snprintf(path, sizeof(path), "%s/store.db", argv[1]);
	if (room_count == 0 || store_sqlite_open(&config, &store, message) != 0) {
		fprintf(stderr, "bench_store: %s\n", message);
		return 1;
	}
	rooms = calloc(room_count, sizeof(*rooms));
	text = calloc(length, 1);
	line = bytes_new(text, length);
	if (rooms == NULL || text == NULL) {
		abort();
	}
	for (size_t i = 0; i < room_count; i++) {
		/* So that not all games end in the same round. */
		open_room(&rooms[i], 2 + (int64_t)(i % GAME_EVENTS));
	}
	measure(strtod(argv[3], NULL));
	store->ops->free(store);
	bytes_unref(line);
	free(text);
	free(rooms);
	return 0;
}
