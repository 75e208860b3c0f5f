/* Who is told what, in which order, and how often. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define TOKEN_B "BBBBBBBBBBBBBBBBBBBBBB"

static void a_reply_comes_before_its_events_and_all_get_the_same_bytes(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	struct table table;

	table_open(world, "ala", "ola", &table);
	watcher = table_watch(&table);
	client_say(table.x, "{\"type\":\"move\",\"id\":\"a\",\"squares\":[5,1]}");
	client_say(table.o, "{\"type\":\"move\",\"id\":2,\"squares\":[5,1]}");
	world_settle(world);
	client_reads(table.x,
			"{\"type\":\"ok\",\"re\":\"a\",\"to\":\"move\",\"room\":\"%s\",\"seq\":5}",
			table.room);
	assert_string_equal(client_line(table.x), client_line(watcher));
	assert_non_null(strstr(table.x->text, "\"by\":\"X\",\"move\":1,\"squares\":[1,5],"));
	assert_string_equal(client_line(table.o), table.x->text);
	client_reads(table.o,
			"{\"type\":\"ok\",\"re\":2,\"to\":\"move\",\"room\":\"%s\",\"seq\":6}",
			table.room);
	assert_string_equal(client_line(table.o), client_line(watcher));
	assert_string_equal(client_line(table.x), watcher->text);
	client_nothing(table.x);
	client_nothing(table.o);
	client_nothing(watcher);
}

static void who_watches_gets_the_state_and_then_each_event_once(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5");
	assert_int_equal(ask(watcher, "watch %s", table.room)->state->seq, 5);
	client_skip(watcher);
	/* Watched again: nothing comes twice. */
	assert_int_equal(ask(watcher, "watch %s", table.room)->state->seq, 5);
	client_nothing(watcher);
	table_play(&table, "2-6");
	assert_int_equal(client_event(watcher, EVENT_MOVED)->seq, 6);
	client_nothing(watcher);
}

static void who_watches_while_a_move_is_stored_is_told_of_it_once(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	world_hold(world);
	client_say(table.x, "move 1 5");
	assert_int_equal(ask(watcher, "watch %s", table.room)->state->seq, 4);
	client_skip(watcher);
	world_release(world);
	assert_int_equal(client_event(watcher, EVENT_MOVED)->seq, 5);
	client_nothing(watcher);
}

/* Reads the events after `since` and expects them to be those that are stored. */
static void reads_as_stored(struct client *client, const char *room, size_t since)
{
	size_t count;
	struct bytes *const *lines = fickle_store_lines(client->world->store, room, &count);

	assert_true(since <= count);
	for (size_t i = since; i < count; i++) {
		assert_int_equal(strlen(client_line(client)), lines[i]->length - 1);
		assert_memory_equal(client->text, lines[i]->data, lines[i]->length - 1);
	}
}

static void later_events_come_again_as_they_were(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5 2-6 1-5 c1");
	client_say(client, "state %s since=0", table.room);
	reads_as_stored(client, table.room, 0);
	assert_int_equal(client_ok(client, REQUEST_STATE)->state->seq, 8);
	client_nothing(client);
	client_say(client, "watch %s since=5", table.room);
	reads_as_stored(client, table.room, 5);
	client_ok(client, REQUEST_WATCH);
	client_say(client, "watch %s since=8", table.room);
	client_ok(client, REQUEST_WATCH);
	client_say(client, "watch %s since=99", table.room);
	client_ok(client, REQUEST_WATCH);
	client_nothing(client);
}

static void a_look_at_the_state_is_not_following(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask(client, "state %s", table.room);
	table_play(&table, "1-5");
	client_nothing(client);
}

static void a_slow_follower_gets_one_state_for_what_it_missed(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	struct table table;

	table_open(world, "ala", "ola", &table);
	watcher = table_watch(&table);
	client_stalls(watcher, WORLD_BEHIND_BYTES);
	table_play(&table, "1-5");
	client_event(watcher, EVENT_MOVED);
	client_stalls(watcher, WORLD_BEHIND_BYTES + 1);
	table_play(&table, "2-6 3-7");
	client_nothing(watcher);
	/* It reads, but not yet all: nothing in between either. */
	watcher->queued = 10;
	table_play(&table, "4-8");
	client_nothing(watcher);
	client_stalls(watcher, 0);
	assert_int_equal(client_event(watcher, EVENT_STATE)->state.seq, 8);
	client_nothing(watcher);
	client_stalls(watcher, 0);
	client_nothing(watcher);
	table_play(&table, "1-9");
	assert_int_equal(client_event(watcher, EVENT_MOVED)->seq, 9);
	client_nothing(watcher);
}

static void a_slow_follower_of_two_rooms_gets_a_state_of_each_that_moved(void **state)
{
	struct world *world = *state;
	struct table tables[3];
	struct client *watcher;
	bool seen[3] = {false};

	table_open(world, "ala", "ola", &tables[0]);
	table_open(world, "ada", "oda", &tables[1]);
	table_open(world, "ana", "ona", &tables[2]);
	watcher = table_watch(&tables[0]);
	for (int i = 1; i < 3; i++) {
		ask(watcher, "watch %s", tables[i].room);
		world_advance(world, 2000);
		client_skip(watcher);
		client_skip(tables[i].x);
		client_skip(tables[i].o);
	}
	client_stalls(watcher, WORLD_BEHIND_BYTES + 1);
	table_play(&tables[0], "1-5 2-6");
	table_play(&tables[2], "1-5");
	client_stalls(watcher, 0);
	for (int i = 0; i < 2; i++) {
		const struct event *event = client_event(watcher, EVENT_STATE);

		for (int j = 0; j < 3; j++) {
			seen[j] = seen[j] || strcmp(event->state.room, tables[j].room) == 0;
		}
	}
	client_nothing(watcher);
	assert_true(seen[0] && seen[2] && !seen[1]);
}

static void a_slow_players_own_request_is_answered(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	client_stalls(table.x, WORLD_BEHIND_BYTES + 1);
	assert_int_equal(ask(table.x, "move 1 5")->seq, 5);
	client_nothing(table.x);
	client_skip(table.o);
	ask(table.o, "move 2 6");
	client_nothing(table.x);
	/* He asks: the answer has all that he missed. */
	assert_int_equal(ask(table.x, "state")->state->seq, 6);
	client_stalls(table.x, 0);
	client_nothing(table.x);
}

static void what_was_said_to_a_slow_follower_stands_in_its_state(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	const struct event *event;
	struct table table;

	table_open(world, "ala", "ola", &table);
	watcher = table_watch(&table);
	client_stalls(watcher, WORLD_BEHIND_BYTES + 1);
	ask(table.x, "say good luck");
	client_nothing(watcher);
	client_stalls(watcher, 0);
	event = client_event(watcher, EVENT_STATE);
	assert_int_equal(event->state.chat_count, 1);
	assert_string_equal(event->state.chat[0].text, "good luck");
	client_nothing(watcher);
}

static void the_lobby_tells_of_rooms_that_come_change_and_go(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	const struct event *event;
	struct table table;

	assert_int_equal(ask(client, "lobby follow")->summary_count, 0);
	table_open(world, "ala", "ola", &table);
	event = client_event(client, EVENT_LOBBY);
	assert_int_equal(event->lobby.change, LOBBY_ADDED);
	assert_string_equal(event->lobby.summary.room, table.room);
	assert_int_equal(event->lobby.summary.status, STATUS_WAITING);
	client_nothing(client);
	world_advance(world, 999);
	client_nothing(client);
	world_advance(world, 1);
	event = client_event(client, EVENT_LOBBY);
	assert_int_equal(event->lobby.change, LOBBY_CHANGED);
	assert_int_equal(event->lobby.summary.status, STATUS_PLAYING);
	assert_string_equal(event->lobby.summary.players[1], "ola");
	/* Several moves within a second are one change. */
	table_play(&table, "1-5 2-6 3-7");
	world_advance(world, 999);
	client_nothing(client);
	world_advance(world, 1);
	event = client_event(client, EVENT_LOBBY);
	assert_int_equal(event->lobby.summary.move, 4);
	world_advance(world, 5000);
	client_nothing(client);
	/* After a pause a change is told at once. */
	table_play(&table, "4-8");
	client_event(client, EVENT_LOBBY);
	/* The end is told at once in any case. */
	ask(table.x, "resign");
	assert_int_equal(client_event(client, EVENT_LOBBY)->lobby.change, LOBBY_REMOVED);
	world_advance(world, 5000);
	client_nothing(client);
}

static void the_lobby_is_quiet_for_who_follows_it_no_more(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	struct client *ala = client_connect_as(world, "ala", NULL);

	ask(client, "lobby follow");
	ask(client, "lobby");
	ask(ala, "create private");
	client_nothing(client);
	ask(ala, "create");
	client_event(client, EVENT_LOBBY);
	ask(client, "lobby follow=no");
	ask(ala, "create");
	world_advance(world, 5000);
	client_nothing(client);
}

static void a_slow_follower_of_the_lobby_is_told_what_changed_meanwhile(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	struct client *ala = client_connect_as(world, "ala", NULL);
	const struct event *event;
	char rooms[3][ROOM_ID_SIZE];

	for (int i = 0; i < 2; i++) {
		strcpy(rooms[i], ask(ala, "create")->room);
	}
	world_advance(world, 5000);
	ask(client, "lobby follow");
	client_stalls(client, WORLD_BEHIND_BYTES + 1);
	ask(ala, "leave %s", rooms[0]);
	strcpy(rooms[2], ask(ala, "create")->room);
	world_advance(world, 5000);
	client_nothing(client);
	client_stalls(client, 0);
	event = client_event(client, EVENT_LOBBY);
	assert_int_equal(event->lobby.change, LOBBY_ADDED);
	assert_string_equal(event->lobby.summary.room, rooms[2]);
	event = client_event(client, EVENT_LOBBY);
	assert_int_equal(event->lobby.change, LOBBY_REMOVED);
	assert_string_equal(event->lobby.summary.room, rooms[0]);
	client_nothing(client);
	ask(ala, "leave %s", rooms[1]);
	client_event(client, EVENT_LOBBY);
}

static void spectators_are_counted_at_most_once_a_second(void **state)
{
	struct world *world = *state;
	struct client *watchers[4];
	struct table table;

	table_open(world, "ala", "ola", &table);
	world_advance(world, 5000);
	client_nothing(table.x);
	watchers[0] = client_connect(world);
	ask(watchers[0], "watch %s", table.room);
	assert_int_equal(client_event(table.x, EVENT_PRESENCE)->presence.spectators, 1);
	for (int i = 1; i < 4; i++) {
		watchers[i] = client_connect(world);
		ask(watchers[i], "watch %s", table.room);
	}
	client_drop(watchers[0]);
	world_advance(world, 999);
	client_nothing(table.x);
	world_advance(world, 1);
	client_reads(table.x, "{\"type\":\"presence\",\"room\":\"%s\",\"spectators\":3}",
			table.room);
	/* One goes and one comes: no change. */
	client_drop(watchers[1]);
	watchers[1] = client_connect(world);
	ask(watchers[1], "watch %s", table.room);
	world_advance(world, 5000);
	client_nothing(table.x);
}

static void a_spectator_who_takes_a_seat_is_no_spectator_any_more(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];

	strcpy(room, ask(ala, "create x")->room);
	ask(ola, "watch %s", room);
	assert_int_equal(client_event(ala, EVENT_PRESENCE)->presence.spectators, 1);
	world_advance(world, 5000);
	client_skip(ola);
	ask(ola, "join %s", room);
	client_event(ala, EVENT_SEATED);
	client_event(ala, EVENT_STARTED);
	world_advance(world, 1000);
	client_reads(ala, "{\"type\":\"presence\",\"room\":\"%s\",\"spectators\":0}", room);
}

static void a_players_coming_and_going_is_told_at_once(void **state)
{
	struct world *world = *state;
	struct client *back;
	struct table table;

	table_open(world, "ala", "ela", &table);
	table.o = client_connect_as(world, "ola", TOKEN_B);
	client_drop(world->clients[1]);
	assert_string_equal(client_event(table.x, EVENT_PRESENCE)->presence.player, "ela");
	client_nothing(table.x);
	table_open(world, "ada", "oda", &table);
	client_drop(table.o);
	client_reads(table.x,
			"{\"type\":\"presence\",\"room\":\"%s\",\"player\":\"oda\","
			"\"online\":false,\"claim_in_ms\":86400000,\"spectators\":0}",
			table.room);
	assert_false(ask(table.x, "state")->state->players[1].online);
	back = client_connect(world);
	ask_refused(back, CODE_NAME_TAKEN, "hello oda");
	client_nothing(table.x);
}

static void players_words_go_to_everyone_watchers_words_to_watchers(void **state)
{
	struct world *world = *state;
	struct client *watchers[2];
	const struct event *event;
	struct table table;

	table_open(world, "ala", "ola", &table);
	watchers[0] = table_watch(&table);
	watchers[1] = table_watch(&table);
	client_skip(watchers[0]);
	client_say(table.x, "say good luck");
	client_reads(table.x, "{\"type\":\"ok\",\"to\":\"say\",\"room\":\"%s\"}", table.room);
	client_reads(table.x,
			"{\"type\":\"said\",\"room\":\"%s\",\"player\":\"ala\",\"seat\":\"X\","
			"\"text\":\"good luck\"}",
			table.room);
	client_event(table.o, EVENT_SAID);
	client_event(watchers[0], EVENT_SAID);
	client_event(watchers[1], EVENT_SAID);
	/* A watcher, who is given a name. */
	assert_true(ask(watchers[0], "say who wins?")->carries & OK_YOU);
	event = client_event(watchers[0], EVENT_SAID);
	assert_int_equal(event->said.seat, SEAT_NONE);
	client_event(watchers[1], EVENT_SAID);
	client_nothing(table.x);
	client_nothing(table.o);
	assert_int_equal(ask(table.o, "state")->state->chat_count, 1);
	assert_int_equal(ask(watchers[1], "state")->state->chat_count, 1);
	/* When it is over there are no secrets. */
	ask(table.o, "resign");
	client_skip(table.o);
	client_skip(table.x);
	client_skip(watchers[1]);
	ask(watchers[1], "say well played");
	client_event(table.o, EVENT_SAID);
	client_event(table.x, EVENT_SAID);
	assert_int_equal(ask(table.o, "state")->state->chat_count, 3);
}

static void a_player_who_watches_from_a_second_connection_hears_no_watchers(void **state)
{
	struct world *world = *state;
	struct client *second;
	struct client *watcher;
	struct table table;

	table_open(world, "ala", "ela", &table);
	client_drop(table.o);
	table.o = client_connect_as(world, "ola", TOKEN_B);
	table_open(world, "ada", "oda", &table);
	watcher = table_watch(&table);
	second = client_connect_as(world, "ola", TOKEN_B);
	ask(second, "watch %s", table.room);
	world_advance(world, 2000);
	client_skip(second);
	client_skip(watcher);
	client_skip(table.x);
	ask(watcher, "say hm");
	client_event(second, EVENT_SAID);
	client_nothing(table.x);
}

static void who_is_not_there_cant_speak(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect_as(world, "ela", NULL);
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask_refused(client, CODE_NOT_IN_ROOM, "say hello");
	ask_refused(client, CODE_NOT_IN_ROOM,
			"{\"type\":\"say\",\"room\":\"%s\",\"text\":\"hello\"}", table.room);
	ask_refused(client, CODE_BAD_TEXT, "{\"type\":\"say\",\"text\":\"a\\u0007\"}");
	/* Who sits there may, even when he does not follow it. */
	ask(table.o, "leave");
	ask(table.o, "{\"type\":\"say\",\"room\":\"%s\",\"text\":\"hello\"}", table.room);
	client_event(table.x, EVENT_SAID);
}

static void the_muted_are_not_heard(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	struct table table;

	table_open(world, "ala", "ola", &table);
	watcher = table_watch(&table);
	ask(table.o, "mute ala");
	ask(table.x, "say boo");
	client_event(watcher, EVENT_SAID);
	client_nothing(table.o);
	assert_int_equal(ask(table.o, "state")->state->chat_count, 0);
	assert_int_equal(ask(watcher, "state")->state->chat_count, 1);
	ask(table.o, "mute ala on=no");
	assert_int_equal(ask(table.o, "state")->state->chat_count, 1);
}

static void the_last_words_are_kept_for_the_state(void **state)
{
	struct world *world = *state;
	const struct ok *ok;
	struct table table;

	table_open(world, "ala", "ola", &table);
	for (int i = 0; i <= LIMIT_CHAT_LINES; i++) {
		ask(table.x, "say line %d", i);
		client_skip(table.x);
	}
	client_skip(table.o);
	ok = ask(table.o, "state");
	assert_int_equal(ok->state->chat_count, LIMIT_CHAT_LINES);
	assert_string_equal(ok->state->chat[0].text, "line 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(a_reply_comes_before_its_events_and_all_get_the_same_bytes),
			WORLD_TEST(who_watches_gets_the_state_and_then_each_event_once),
			WORLD_TEST(who_watches_while_a_move_is_stored_is_told_of_it_once),
			WORLD_TEST(later_events_come_again_as_they_were),
			WORLD_TEST(a_look_at_the_state_is_not_following),
			WORLD_TEST(a_slow_follower_gets_one_state_for_what_it_missed),
			WORLD_TEST(a_slow_follower_of_two_rooms_gets_a_state_of_each_that_moved),
			WORLD_TEST(a_slow_players_own_request_is_answered),
			WORLD_TEST(what_was_said_to_a_slow_follower_stands_in_its_state),
			WORLD_TEST(the_lobby_tells_of_rooms_that_come_change_and_go),
			WORLD_TEST(the_lobby_is_quiet_for_who_follows_it_no_more),
			WORLD_TEST(a_slow_follower_of_the_lobby_is_told_what_changed_meanwhile),
			WORLD_TEST(spectators_are_counted_at_most_once_a_second),
			WORLD_TEST(a_spectator_who_takes_a_seat_is_no_spectator_any_more),
			WORLD_TEST(a_players_coming_and_going_is_told_at_once),
			WORLD_TEST(players_words_go_to_everyone_watchers_words_to_watchers),
			WORLD_TEST(a_player_who_watches_from_a_second_connection_hears_no_watchers),
			WORLD_TEST(who_is_not_there_cant_speak),
			WORLD_TEST(the_muted_are_not_heard),
			WORLD_TEST(the_last_words_are_kept_for_the_state),
	};

	return cmocka_run_group_tests_name("telling", tests, NULL, NULL);
}
