/* Who does not read: what he misses, and what he is told once he reads again. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define ROOMS 40
#define WATCHERS 200

static void stall(struct client *client)
{
	client_stalls(client, WORLD_BEHIND_BYTES + 1);
}

/* It reads what waits, as long as there is more; at most `most` bytes at a time. */
static size_t read_by_and_by(struct client *client)
{
	size_t most = 0;

	client->piles_up = true;
	client_stalls(client, 0);
	while (client->queued > 0) {
		most = client->queued > most ? client->queued : most;
		client_stalls(client, 0);
	}
	client->piles_up = false;
	return most;
}

static void what_was_missed_of_the_lobby_comes_in_helpings(void **state)
{
	struct world *world = *state;
	struct client *slow = client_connect(world);
	char rooms[ROOMS][ROOM_ID_SIZE];

	ask(slow, "lobby follow");
	stall(slow);
	for (int i = 0; i < ROOMS; i++) {
		message_copy(rooms[i], ROOM_ID_SIZE, ask(client_connect(world), "create X")->room);
	}
	client_nothing(slow);
	/* No more than what makes one slow, and the line that did. */
	assert_in_range(read_by_and_by(slow), WORLD_BEHIND_BYTES, WORLD_BEHIND_BYTES + 500);
	for (int i = 0; i < ROOMS; i++) {
		const struct event *event = client_event(slow, EVENT_LOBBY);
		assert_int_equal(event->lobby.change, LOBBY_ADDED);
		assert_string_equal(event->lobby.summary.room, rooms[i]);
	}
	client_nothing(slow);
	ask(client_connect(world), "create X");
	client_event(slow, EVENT_LOBBY);
}

static void what_changes_between_two_helpings_is_not_missed(void **state)
{
	struct world *world = *state;
	struct client *slow = client_connect(world);
	struct client *owners[ROOMS];
	const struct event *event = NULL;
	char first[ROOM_ID_SIZE];
	char opened[ROOM_ID_SIZE];

	ask(slow, "lobby follow");
	stall(slow);
	for (int i = 0; i < ROOMS; i++) {
		owners[i] = client_connect(world);
		ask(owners[i], "create X");
		client_skip(owners[i]);
	}
	slow->piles_up = true;
	client_stalls(slow, 0);
	event = client_event(slow, EVENT_LOBBY);
	assert_int_equal(event->lobby.change, LOBBY_ADDED);
	strcpy(first, event->lobby.summary.room);
	client_skip(slow);
	/* A room that it has just been told of is gone, and a new one opens. */
	world_advance(world, 10);
	ask(owners[0], "leave");
	message_copy(opened, sizeof(opened), ask(client_connect(world), "create O")->room);
	client_nothing(slow);
	read_by_and_by(slow);
	int gone = 0;
	int others = 0;
	while (client_unread(slow) > 0) {
		event = client_event(slow, EVENT_LOBBY);
		if (event->lobby.change == LOBBY_REMOVED) {
			assert_string_equal(event->lobby.summary.room, first);
			gone++;
		} else {
			others += strcmp(event->lobby.summary.room, opened) == 0;
		}
	}
	/* Each at least once; the second look may tell again what the first has seen. */
	assert_in_range(gone, 1, 2);
	assert_in_range(others, 1, 2);
}

static void who_does_not_read_is_invited_once_he_does(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char kept[ROOM_ID_SIZE];

	stall(ola);
	ask(ala, "create ola title=gone before he reads");
	ask(ala, "leave");
	client_skip(ala);
	message_copy(kept, sizeof(kept), ask(ala, "create ola")->room);
	client_nothing(ola);
	client_stalls(ola, 0);
	assert_string_equal(client_event(ola, EVENT_INVITED)->room, kept);
	client_nothing(ola);
	client_stalls(ola, 0);
	client_nothing(ola);
}

static void one_stuck_watcher_among_many_costs_the_others_nothing(void **state)
{
	struct world *world = *state;
	struct client *watchers[WATCHERS];
	struct table table;

	table_open(world, "ala", "ola", &table);
	for (int i = 0; i < WATCHERS; i++) {
		watchers[i] = client_connect(world);
		ask(watchers[i], "watch %s", table.room);
	}
	world_advance(world, 2000);
	for (int i = 0; i < WATCHERS; i++) {
		client_skip(watchers[i]);
	}
	stall(watchers[WATCHERS / 2]);
	table_play(&table, "1-5 2-6 1-5 c1");
	for (int i = 0; i < WATCHERS; i++) {
		if (i == WATCHERS / 2) {
			client_nothing(watchers[i]);
			continue;
		}
		for (int64_t seq = 5; seq <= 8; seq++) {
			assert_int_equal(client_next(watchers[i])->event.seq, seq);
		}
		client_nothing(watchers[i]);
	}
	client_stalls(watchers[WATCHERS / 2], 0);
	assert_int_equal(client_event(watchers[WATCHERS / 2], EVENT_STATE)->state.seq, 8);
	client_nothing(watchers[WATCHERS / 2]);
}

#define FOLLOWERS 200
#define NEW_ROOMS 60

/* How many rooms it was told of that are there anew, and of nothing else. */
static size_t rooms_added(struct client *client)
{
	const size_t count = client_unread(client);

	for (size_t i = 0; i < count; i++) {
		assert_int_equal(client_event(client, EVENT_LOBBY)->lobby.change, LOBBY_ADDED);
	}
	return count;
}

static void much_news_for_many_waits_and_what_came_and_went_meanwhile_is_not_told(void **state)
{
	struct world *world = *state;
	struct client *followers[FOLLOWERS];
	struct client *owners[NEW_ROOMS];
	size_t at_once;

	for (int i = 0; i < FOLLOWERS; i++) {
		followers[i] = client_connect(world);
		ask(followers[i], "lobby follow");
	}
	for (int i = 0; i < NEW_ROOMS; i++) {
		owners[i] = client_connect(world);
		ask(owners[i], "create X");
	}
	at_once = rooms_added(followers[0]);
	assert_in_range(at_once, 5, NEW_ROOMS / 2);
	ask(owners[NEW_ROOMS - 1], "leave");
	world_advance(world, 5000);
	for (int i = 0; i < FOLLOWERS; i++) {
		const size_t before = i == 0 ? at_once : 0;

		assert_int_equal(before + rooms_added(followers[i]), NEW_ROOMS - 1);
	}
	ask(owners[0], "leave");
	assert_int_equal(client_event(followers[0], EVENT_LOBBY)->lobby.change, LOBBY_REMOVED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(what_was_missed_of_the_lobby_comes_in_helpings),
			WORLD_TEST(what_changes_between_two_helpings_is_not_missed),
			WORLD_TEST(who_does_not_read_is_invited_once_he_does),
			WORLD_TEST(much_news_for_many_waits_and_what_came_and_went_meanwhile_is_not_told),
			WORLD_TEST(one_stuck_watcher_among_many_costs_the_others_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
