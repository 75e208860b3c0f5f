#include "tests/world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/decode.h"
#include "protocol/encode.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "tests/unit/game/random.h"
#include "tests/world/told.h"

/* Steps after which a world that still moves is taken for one that never stops. */
#define STEPS_MAX 10000

static const struct fickle_knobs works = {0};

/* Clock, random bytes. */

static int64_t clock_now(void *arg)
{
	const struct world *world = arg;

	return world->now_ms;
}

static void clock_wake_at(void *arg, int64_t at_ms)
{
	struct world *world = arg;

	world->wake_ms = at_ms;
}

static void random_fill(void *arg, void *buffer, size_t size)
{
	struct world *world = arg;
	unsigned char *bytes = buffer;

	for (size_t i = 0; i < size; i++) {
		bytes[i] = (unsigned char)random_next(&world->random);
	}
}

/* Life. */

static void on_started(void *arg, int error)
{
	struct world *world = arg;

	world->started = error == 0;
}

static void on_drained(void *arg)
{
	struct world *world = arg;

	world->was_drained = true;
}

static void start(struct world *world)
{
	struct play_config config = {
			.version = "0.1.0",
			.name = "world",
			.retry_ms = WORLD_RETRY_MS,
			.most = world->limits,
			.keep_guests_ms = WORLD_KEEP_GUESTS_MS,
			.bot_pace_ms = WORLD_BOT_PACE_MS,
			.behind_bytes = WORLD_BEHIND_BYTES,
			.keep_over_ms = WORLD_KEEP_OVER_MS,
			.keep_events_ms = WORLD_KEEP_EVENTS_MS,
			.hide_away_ms = WORLD_HIDE_AWAY_MS,
			.limits = {.first_move_ms = WORLD_FIRST_MOVE_MS,
					.claim_ms = WORLD_CLAIM_MS,
					.claim_untimed_ms = WORLD_CLAIM_UNTIMED_MS,
					.untouched_ms = WORLD_UNTOUCHED_MS,
					.creator_away_ms = WORLD_CLOSE_AWAY_MS},
			.store = world->store,
			.work = world->work,
			.clock = {clock_now, clock_wake_at, world},
			.random = {random_fill, world},
			.drained = on_drained,
			.drained_arg = world,
	};

	world->config = config;
	world->wake_ms = INT64_MAX;
	world->started = false;
	world->is_closing = false;
	world->play = play_new(&config);
	play_start(world->play, on_started, world);
	while (fickle_store_step(world->store) > 0 || !play_idle(world->play)) {
		continue;
	}
	assert_true(world->started);
}

struct world *world_new(uint64_t seed, const struct fickle_knobs *knobs)
{
	struct world *world = memory_new(1, sizeof(*world));

	log_set_level(LOG_ERROR);
	world->random = seed;
	world->now_ms = WORLD_START_MS;
	world->store = fickle_store_new(seed, &works);
	world->work = fake_work_new();
	start(world);
	fickle_store_turn(world->store, knobs);
	return world;
}

void client_clear(struct client *client)
{
	for (size_t i = 0; i < client->count; i++) {
		bytes_unref(client->lines[i]);
	}
	client->count = 0;
	client->read = 0;
}

static void leave_world(struct client *client)
{
	struct world *world = client->world;
	size_t kept = 0;

	for (size_t i = 0; i < world->client_count; i++) {
		if (world->clients[i] != client) {
			world->clients[kept] = world->clients[i];
			kept++;
		}
	}
	world->client_count = kept;
}

void client_free(struct client *client)
{
	assert_null(client->session);
	leave_world(client);
	client_clear(client);
	for (size_t i = 0; i < client->input_count; i++) {
		free(client->input[i].text);
	}
	free(client->input);
	free(client->lines);
	message_fini(&client->message);
	free(client->text);
	free(client);
}

/* Answers what is under way, also what waits for the clock, whatever the store was like. */
static void come_to_rest(struct world *world)
{
	for (size_t i = 0; i < world->client_count; i++) {
		client_drop(world->clients[i]);
	}
	fake_work_hold(world->work, false);
	fickle_store_settle(world->store);
	for (int i = 0; i < STEPS_MAX && !play_idle(world->play); i++) {
		fickle_store_settle(world->store);
		while (fake_work_step(world->work)) {
			continue;
		}
		if (!play_idle(world->play) && world->wake_ms != INT64_MAX) {
			world->now_ms = world->wake_ms > world->now_ms ? world->wake_ms
								       : world->now_ms;
			play_wake(world->play);
		}
	}
	assert_true(play_idle(world->play));
}

void world_free(struct world *world)
{
	come_to_rest(world);
	while (world->client_count > 0) {
		client_free(world->clients[0]);
	}
	free(world->clients);
	play_free(world->play);
	fake_work_free(world->work);
	world->store->ops->free(world->store);
	free(world);
}

void world_restart(struct world *world)
{
	come_to_rest(world);
	play_free(world->play);
	start(world);
}

void world_shutdown(struct world *world)
{
	world->is_closing = true;
	play_shutdown(world->play);
}

void world_limit(struct world *world, const struct play_limits *limits)
{
	world->limits = *limits;
	world_restart(world);
}

/* Steps. */

static void take_input(struct client *client)
{
	struct said_line line = client->input[0];
	enum play_line_result result;

	client->input_count--;
	memmove(client->input, client->input + 1, client->input_count * sizeof(*client->input));
	client->is_busy = true;
	result = play_session_line(
			client->session, LINE_WHOLE, line.text, strlen(line.text), line.at_ms);
	if (result == PLAY_NEXT) {
		result = play_session_bytes(client->session, strlen(line.text) + 1);
	}
	free(line.text);
	if (result != PLAY_BUSY) {
		client->is_busy = false;
	}
	if (result == PLAY_CLOSED) {
		assert_null(client->session);
	}
}

/* Hand over what can be. */
static bool client_move(struct client *client)
{
	bool moved = false;

	while (client->session != NULL && !client->is_busy && !client->is_stopped &&
			client->input_count > 0) {
		take_input(client);
		moved = true;
	}
	if (client->session != NULL && !client->is_busy && client->ends) {
		client->ends = false;
		client->is_busy = true;
		play_session_end(client->session);
		moved = true;
	}
	return moved;
}

bool world_step(struct world *world)
{
	bool moved = false;

	for (size_t i = 0; i < world->client_count; i++) {
		moved = client_move(world->clients[i]) || moved;
	}
	moved = fickle_store_step(world->store) > 0 || moved;
	moved = fake_work_step(world->work) || moved;
	if (world->wake_ms <= world->now_ms) {
		world->wake_ms = INT64_MAX;
		play_wake(world->play);
		moved = true;
	}
	return moved;
}

void world_settle(struct world *world)
{
	int steps = 0;

	while (world_step(world)) {
		steps++;
		assert_true(steps < STEPS_MAX);
	}
}

void world_advance(struct world *world, int64_t ms)
{
	int64_t until_ms = world->now_ms + ms;

	world_settle(world);
	while (world->wake_ms <= until_ms) {
		world->now_ms = world->wake_ms;
		world_settle(world);
	}
	world->now_ms = until_ms;
	world_settle(world);
}

/* The store. */

void world_hold(struct world *world)
{
	fickle_store_hold(world->store);
}

void world_release(struct world *world)
{
	fickle_store_release(world->store);
	world_settle(world);
}

void world_store_refuses(struct world *world)
{
	fickle_store_turn(world->store, &(struct fickle_knobs){.unavailable = 1000});
}

void world_store_forgets(struct world *world, bool kept)
{
	fickle_store_turn(world->store,
			&(struct fickle_knobs){.unknown = 1000, .unknown_kept = kept ? 1000 : 0});
}

void world_store_works(struct world *world)
{
	fickle_store_turn(world->store, &works);
}

static void on_foreign(void *arg, enum store_status status)
{
	*(enum store_status *)arg = status;
}

void world_foreign(struct world *world, const char *room, size_t count, struct event *events,
		enum store_room_state state)
{
	struct bytes *lines[8];
	int64_t after_seq = world_stored(world, room);
	enum store_status status = STORE_UNKNOWN;
	struct store_room_change change = {.room = room,
			.after_seq = after_seq,
			.count = count,
			.lines = lines,
			.state = state,
			.at_ms = world->now_ms};
	struct store_batch batch = {.room_count = 1, .rooms = &change};

	assert_true(count <= sizeof(lines) / sizeof(*lines));
	for (size_t i = 0; i < count; i++) {
		message_copy(events[i].room, sizeof(events[i].room), room);
		events[i].seq = after_seq + (int64_t)i + 1;
		events[i].at_ms = world->now_ms;
		lines[i] = encode_event(&events[i]);
	}
	world->store->ops->commit(world->store, &batch, on_foreign, &status);
	world_settle(world);
	assert_int_equal(status, STORE_STORED);
	for (size_t i = 0; i < count; i++) {
		bytes_unref(lines[i]);
	}
}

int64_t world_stored(const struct world *world, const char *room)
{
	size_t count;

	fickle_store_lines(world->store, room, &count);
	return (int64_t)count;
}

/* A client, as its session sees it. */

static void on_send(void *conn, struct bytes *line)
{
	struct client *client = conn;

	if (line->data[0] == '#' && client->passes_over_words) {
		return;
	}
	told_check(client->world->store, line);
	client->queued += client->piles_up ? line->length : 0;
	if (client->count == client->size) {
		client->size = client->size == 0 ? 16 : client->size * 2;
		client->lines = memory_resize(client->lines, client->size, sizeof(*client->lines));
	}
	client->lines[client->count] = bytes_ref(line);
	client->count++;
}

static size_t on_queued(void *conn)
{
	const struct client *client = conn;

	return client->queued;
}

static void on_ready(void *conn)
{
	struct client *client = conn;

	assert_true(client->is_busy);
	client->is_busy = false;
}

static void on_close(void *conn)
{
	struct client *client = conn;

	client->session = NULL;
	client->is_busy = false;
	client->was_closed = true;
}

static int64_t on_waits_since(void *conn)
{
	const struct client *client = conn;

	return client->input_count > 0 ? client->input[0].at_ms : INT64_MAX;
}

static const struct sink_ops sink = {on_send, on_queued, on_ready, on_close, on_waits_since};

static struct client *client_new(struct world *world)
{
	struct client *client = memory_new(1, sizeof(*client));

	if (world->client_count == world->client_size) {
		world->client_size = world->client_size == 0 ? 8 : world->client_size * 2;
		world->clients = memory_resize(
				world->clients, world->client_size, sizeof(*world->clients));
	}
	world->clients[world->client_count] = client;
	world->client_count++;
	client->world = world;
	return client;
}

static struct client *connect_as(struct world *world, const struct play_peer *peer)
{
	struct client *client = client_new(world);

	client->session = play_session_open(world->play, &sink, client, peer);
	if (client->session != NULL) {
		client_event(client, EVENT_WELCOME);
	}
	return client;
}

struct client *client_connect_from(struct world *world, const char *address)
{
	struct play_peer peer = {.group = address};
	struct prefix prefix;
	struct bytes *banned = NULL;

	if (prefix_parse(address, &prefix)) {
		peer.address = prefix.bytes;
		banned = play_banned(world->play, prefix.bytes);
	}
	if (banned != NULL) {
		struct client *client = client_new(world);
		on_send(client, banned);
		client->was_closed = true;
		return client;
	}
	return connect_as(world, &peer);
}

struct client *client_connect_operator(struct world *world)
{
	return connect_as(world, &(struct play_peer){.operator_name = "uid=0,pid=1"});
}

struct client *client_connect(struct world *world)
{
	return client_connect_from(world, "192.0.2.1");
}

struct client *client_connect_as(struct world *world, const char *name, const char *token)
{
	struct client *client = client_connect(world);

	if (token == NULL) {
		ask(client, "hello %s", name);
	} else {
		ask(client, "hello %s token=%s", name, token);
	}
	client_skip(client);
	return client;
}

__attribute__((format(printf, 1, 0))) static char *print(const char *format, va_list list)
{
	char *text;

	assert_true(vasprintf(&text, format, list) >= 0);
	return text;
}

/* Takes over the line. */
static void say(struct client *client, char *line)
{
	assert_non_null(client->session);
	if (client->input_count == client->input_size) {
		client->input_size = client->input_size == 0 ? 4 : client->input_size * 2;
		client->input = memory_resize(
				client->input, client->input_size, sizeof(*client->input));
	}
	client->input[client->input_count] = (struct said_line){line, client->world->now_ms};
	client->input_count++;
	client_move(client);
}

void client_say(struct client *client, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	say(client, print(format, list));
	va_end(list);
}

void client_drop(struct client *client)
{
	if (client->session != NULL) {
		play_session_lost(client->session);
		client->session = NULL;
		client->is_busy = false;
	}
}

void client_half_close(struct client *client)
{
	client->ends = true;
}

void client_stalls(struct client *client, size_t bytes)
{
	client->queued = bytes;
	if (bytes == 0 && client->session != NULL) {
		play_session_drained(client->session);
	}
}

/* Reading. */

void client_skip(struct client *client)
{
	client->read = client->count;
}

size_t client_unread(const struct client *client)
{
	return client->count - client->read;
}

const char *client_line(struct client *client)
{
	const struct bytes *line;

	if (client->read == client->count) {
		fail_msg("there is no further line");
	}
	line = client->lines[client->read];
	client->read++;
	free(client->text);
	client->text = memory_new(1, line->length);
	memcpy(client->text, line->data, line->length - 1);
	return client->text;
}

const struct message *client_next(struct client *client)
{
	const char *line = client_line(client);

	message_fini(&client->message);
	memset(&client->message, 0, sizeof(client->message));
	if (!decode_message(line, strlen(line), &client->message)) {
		fail_msg("no message: %s", line);
	}
	return &client->message;
}

const struct ok *client_ok(struct client *client, enum request_type to)
{
	const struct message *message = client_next(client);

	if (message->kind != MESSAGE_OK || message->ok.to != to) {
		fail_msg("no ok to that request: %s", client->text);
	}
	return &message->ok;
}

const struct error *client_error(struct client *client, enum code code)
{
	const struct message *message = client_next(client);

	if (message->kind != MESSAGE_ERROR || message->error.code != code) {
		fail_msg("not %s: %s", code_word(code), client->text);
	}
	return &message->error;
}

const struct event *client_event(struct client *client, enum event_type type)
{
	const struct message *message = client_next(client);

	if (message->kind != MESSAGE_EVENT || message->event.type != type) {
		fail_msg("not %s: %s", event_word(type), client->text);
	}
	return &message->event;
}

void client_reads(struct client *client, const char *format, ...)
{
	va_list list;
	char *expected;

	va_start(list, format);
	expected = print(format, list);
	va_end(list);
	assert_string_equal(client_line(client), expected);
	free(expected);
}

void client_bye(struct client *client, enum bye_reason reason)
{
	assert_int_equal(client_event(client, EVENT_BYE)->bye.reason, reason);
	assert_true(client->was_closed);
	client_nothing(client);
}

void client_nothing(struct client *client)
{
	if (client->read < client->count) {
		fail_msg("nothing was to come, but: %s", client_line(client));
	}
}

/* Takes over the line. */
static void ask_line(struct client *client, char *line)
{
	client_nothing(client);
	say(client, line);
	world_settle(client->world);
}

const struct ok *ask(struct client *client, const char *format, ...)
{
	const struct message *message;
	va_list list;

	va_start(list, format);
	ask_line(client, print(format, list));
	va_end(list);
	message = client_next(client);
	if (message->kind != MESSAGE_OK) {
		fail_msg("no ok: %s", client->text);
	}
	return &message->ok;
}

const struct error *ask_refused(struct client *client, enum code code, const char *format, ...)
{
	const struct error *error;
	va_list list;

	va_start(list, format);
	ask_line(client, print(format, list));
	va_end(list);
	error = client_error(client, code);
	client_nothing(client);
	return error;
}

void ask_unheard(struct client *client, struct client *other, const char *format, ...)
{
	va_list list;

	world_hold(client->world);
	va_start(list, format);
	ask_line(client, print(format, list));
	va_end(list);
	client_nothing(client);
	client_nothing(other);
	assert_non_null(other->session);
	world_release(client->world);
}

int world_setup(void **state)
{
	*state = world_new(1, &works);
	return 0;
}

int world_teardown(void **state)
{
	world_free(*state);
	return 0;
}
