/* How many rooms are in memory, and which of them makes place for another. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

static size_t rooms_in(const struct world *world)
{
	struct play_counts counts;

	play_count(world->play, &counts);
	return counts.rooms;
}

/* Of those that are over the lobby lists what is in memory. */
static bool is_there(struct world *world, const char *room)
{
	struct client *client = client_connect(world);
	const struct ok *lobby = ask(client, "lobby over");
	bool found = false;

	for (size_t i = 0; i < lobby->summary_count; i++) {
		found = found || strcmp(lobby->summaries[i].room, room) == 0;
	}
	client_drop(client);
	client_free(client);
	return found;
}

/* A table at which the game is over; both still follow it. */
static void table_over(struct world *world, int number, struct table *ret)
{
	char x[NAME_SIZE];
	char o[NAME_SIZE];

	snprintf(x, sizeof(x), "ala%d", number);
	snprintf(o, sizeof(o), "ola%d", number);
	table_open(world, x, o, ret);
	ask(ret->x, "resign");
	client_skip(ret->x);
	client_skip(ret->o);
}

static void table_leave(struct table *table)
{
	ask(table->x, "leave");
	ask(table->o, "leave");
}

/* Somebody opens a room, and stays in it. */
static struct client *open_one(struct world *world)
{
	struct client *client = client_connect(world);

	ask(client, "create");
	return client;
}

/* It makes place for whoever comes next. */
static void close_one(struct client *client)
{
	client_skip(client);
	ask(client, "leave");
}

static void the_server_holds_so_many_rooms(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;
	struct play_counts counts;
	char room[ROOM_ID_SIZE];

	world_limit(world, &(struct play_limits){.rooms = 2});
	ala = client_connect_as(world, "ala", NULL);
	ola = client_connect_as(world, "ola", NULL);
	strcpy(room, ask(ala, "create X")->room);
	ask(ala, "create");
	ask_refused(ola, CODE_SERVER_FULL, "create");
	/* A match where somebody waits opens none. */
	ask(ola, "match");
	client_skip(ola);
	client_skip(ala);
	ask_refused(ola, CODE_SERVER_FULL, "create");
	ask(ola, "resign");
	client_skip(ola);
	client_skip(ala);
	/* It is over, and makes place, though it is followed. */
	ask(ala, "create");
	play_count(world->play, &counts);
	assert_int_equal(counts.rooms, 2);
	/* And can't come back, now that there is no place. */
	ask_refused(ola, CODE_SERVER_FULL, "state %s", room);
}

static void of_rooms_that_are_over_those_go_first_that_nobody_follows(void **state)
{
	struct world *world = *state;
	struct table tables[3];

	world_limit(world, &(struct play_limits){.rooms = 3});
	for (int i = 0; i < 3; i++) {
		table_over(world, i, &tables[i]);
	}
	table_leave(&tables[1]);
	/* First the one that nobody follows, then the one that was used longest ago. */
	open_one(world);
	assert_false(is_there(world, tables[1].room));
	ask(tables[0].x, "leave");
	ask(tables[0].x, "watch %s", tables[0].room);
	open_one(world);
	assert_false(is_there(world, tables[2].room));
	assert_true(is_there(world, tables[0].room));
}

static void rooms_in_which_something_was_said_go_after_those_in_which_nothing_was(void **state)
{
	struct world *world = *state;
	struct table tables[2];

	world_limit(world, &(struct play_limits){.rooms = 2});
	for (int i = 0; i < 2; i++) {
		table_over(world, i, &tables[i]);
	}
	ask(tables[0].x, "say good game");
	client_skip(tables[0].x);
	client_skip(tables[0].o);
	table_leave(&tables[0]);
	table_leave(&tables[1]);
	open_one(world);
	assert_false(is_there(world, tables[1].room));
	assert_int_equal(ask(tables[1].x, "state %s", tables[0].room)->state->chat_count, 1);
}

/* Of two rooms the one that ended first, and in which this was asked for after that, stays. */
static void assert_is_use(struct world *world, const char *line)
{
	struct table tables[2];

	world_limit(world, &(struct play_limits){.rooms = 2});
	for (int i = 0; i < 2; i++) {
		table_over(world, i, &tables[i]);
	}
	ask(tables[0].x, "%s", line);
	open_one(world);
	assert_true(is_there(world, tables[0].room));
	assert_false(is_there(world, tables[1].room));
}

static void who_speaks_in_a_room_uses_it(void **state)
{
	assert_is_use(*state, "say hello");
}

static void who_asks_for_a_rooms_state_uses_it(void **state)
{
	assert_is_use(*state, "state");
}

static void a_rematch_is_heard_by_who_follows_though_the_room_had_left_memory(void **state)
{
	struct world *world = *state;
	struct client *others[3];
	struct table table;

	world_limit(world, &(struct play_limits){.rooms = 3});
	table_over(world, 0, &table);
	for (int i = 0; i < 3; i++) {
		others[i] = open_one(world);
	}
	assert_false(is_there(world, table.room));
	/* Nor is it told that he may, as long as it can't be read. */
	ask_refused(table.x, CODE_SERVER_FULL, "rematch");
	close_one(others[0]);
	close_one(others[1]);
	ask(table.x, "rematch");
	client_event(table.x, EVENT_REMATCH_OFFERED);
	client_event(table.o, EVENT_REMATCH_OFFERED);
	assert_true(ask(table.o, "rematch")->carries & OK_NEW);
	client_event(table.o, EVENT_REMATCH);
	client_event(table.o, EVENT_STATE);
	client_event(table.x, EVENT_REMATCH);
	client_event(table.x, EVENT_STATE);
	client_nothing(table.x);
	assert_int_equal(rooms_in(world), 3);
}

static void the_room_that_ended_last_is_meant_though_it_has_left_memory(void **state)
{
	struct world *world = *state;
	struct client *other;
	struct table first;
	char last[ROOM_ID_SIZE];

	world_limit(world, &(struct play_limits){.rooms = 3});
	table_over(world, 0, &first);
	strcpy(last, ask(first.x, "create X")->room);
	ask(first.o, "join %s", last);
	client_skip(first.x);
	ask(first.x, "resign");
	client_skip(first.x);
	client_skip(first.o);
	other = open_one(world);
	ask(first.x, "state %s", first.room);
	open_one(world);
	assert_false(is_there(world, last));
	assert_true(is_there(world, first.room));
	close_one(other);
	assert_string_equal(ask(first.x, "state")->room, last);
	/* And that is the room in which both still are. */
	ask(first.x, "say again?");
	client_event(first.x, EVENT_SAID);
	assert_string_equal(client_event(first.o, EVENT_SAID)->room, last);
	client_nothing(first.o);
}

static void what_happened_in_a_room_that_had_left_memory_is_told_once_it_is_there_again(
		void **state)
{
	struct world *world = *state;
	struct event event = {.type = EVENT_REMATCH_OFFERED, .by = SEAT_X};
	struct table table;

	world_limit(world, &(struct play_limits){.rooms = 1});
	table_over(world, 0, &table);
	struct client *other = open_one(world);
	world_foreign(world, table.room, 1, &event, STORE_ROOM_OVER);
	close_one(other);
	client_drop(table.o);
	ask(client_connect(world), "state %s", table.room);
	assert_int_equal(client_event(table.x, EVENT_STATE)->state.seq, event.seq);
	client_nothing(table.x);
}

static void who_follows_a_room_that_is_gone_for_good_is_told_so(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ela;
	struct client *other;

	world_limit(world, &(struct play_limits){.rooms = 1});
	ala = client_connect_as(world, "ala", NULL);
	ela = client_connect(world);
	ask(ela, "watch %s", ask(ala, "create")->room);
	client_skip(ala);
	ask(ala, "leave");
	client_skip(ela);
	other = open_one(world);
	/* Nobody played there, so nothing is kept of it. */
	world_advance(world, WORLD_KEEP_EVENTS_MS + 120000);
	close_one(other);
	ask_refused(ela, CODE_NO_SUCH_ROOM, "state");
	ask_refused(ela, CODE_NOT_IN_ROOM, "state");
}

static void rooms_that_are_being_opened_take_place(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;

	world_limit(world, &(struct play_limits){.rooms = 1});
	ala = client_connect_as(world, "ala", NULL);
	ola = client_connect_as(world, "ola", NULL);
	say_at_once(ala, "create", ola, "create");
	client_ok(ala, REQUEST_CREATE);
	client_error(ola, CODE_SERVER_FULL);
}

static void rooms_looked_at_again_make_place_for_each_other(void **state)
{
	struct world *world = *state;
	struct client *client;
	struct play_counts counts;
	char rooms[8][ROOM_ID_SIZE];

	for (int i = 0; i < 8; i++) {
		struct table table;

		table_over(world, i, &table);
		strcpy(rooms[i], table.room);
	}
	world_restart(world);
	world_limit(world, &(struct play_limits){.rooms = 3});
	client = client_connect(world);
	for (int i = 0; i < 16; i++) {
		assert_int_equal(ask(client, "state %s", rooms[i % 8])->state->status, STATUS_OVER);
	}
	play_count(world->play, &counts);
	assert_int_equal(counts.rooms, 3);
}

static void a_bots_rematch_needs_place_and_its_room_stays_until_then(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;
	struct client *ela;
	char room[ROOM_ID_SIZE];

	world_limit(world, &(struct play_limits){.rooms = 2});
	ala = client_connect_as(world, "ala", NULL);
	ola = client_connect_as(world, "ola", NULL);
	ela = client_connect_as(world, "ela", NULL);
	strcpy(room, ask(ala, "create bot-random X")->room);
	ask(ala, "resign");
	client_skip(ala);
	ask(ala, "rematch");
	client_event(ala, EVENT_REMATCH_OFFERED);
	ask(ola, "create");
	/* The bot is about to take it: that room makes no place. */
	ask_refused(ela, CODE_SERVER_FULL, "create");
	world_advance(world, 2 * (int64_t)WORLD_BOT_PACE_MS);
	client_nothing(ala);
	assert_int_equal(rooms_in(world), 2);
	ask_refused(ala, CODE_SERVER_FULL, "rematch");
	/* Asked again when there is place, it does. */
	ask(ola, "leave");
	client_skip(ola);
	ask(ala, "rematch room=%s", room);
	world_advance(world, 2 * (int64_t)WORLD_BOT_PACE_MS);
	client_event(ala, EVENT_REMATCH);
	client_event(ala, EVENT_STATE);
	assert_int_equal(rooms_in(world), 2);
}

static void a_rematch_that_had_to_wait_for_its_turn_finds_the_place_taken(void **state)
{
	struct world *world = *state;
	struct client *ela;
	struct table table;

	world_limit(world, &(struct play_limits){.rooms = 2});
	table_open(world, "ala", "ola", &table);
	ask(table.x, "resign");
	client_skip(table.x);
	client_skip(table.o);
	ela = client_connect_as(world, "ela", NULL);
	world_hold(world);
	client_say(table.x, "rematch");
	client_say(table.o, "rematch");
	client_say(ela, "create");
	world_settle(world);
	world_release(world);
	client_ok(table.x, REQUEST_REMATCH);
	client_ok(ela, REQUEST_CREATE);
	client_event(table.o, EVENT_REMATCH_OFFERED);
	client_error(table.o, CODE_SERVER_FULL);
	assert_int_equal(rooms_in(world), 2);
}

static void a_room_goes_after_its_bot_found_no_place_for_a_rematch(void **state)
{
	struct world *world = *state;
	struct client *ala;

	world_limit(world, &(struct play_limits){.rooms = 2});
	ala = client_connect_as(world, "ala", NULL);
	ask(ala, "create bot-random X");
	ask(ala, "resign");
	client_skip(ala);
	ask(ala, "rematch");
	client_skip(ala);
	ask(client_connect_as(world, "ola", NULL), "create");
	world_advance(world, 2 * (int64_t)WORLD_BOT_PACE_MS);
	ask(client_connect_as(world, "ela", NULL), "create");
	assert_int_equal(rooms_in(world), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(the_server_holds_so_many_rooms),
			WORLD_TEST(of_rooms_that_are_over_those_go_first_that_nobody_follows),
			WORLD_TEST(rooms_in_which_something_was_said_go_after_those_in_which_nothing_was),
			WORLD_TEST(who_speaks_in_a_room_uses_it),
			WORLD_TEST(who_asks_for_a_rooms_state_uses_it),
			WORLD_TEST(a_rematch_is_heard_by_who_follows_though_the_room_had_left_memory),
			WORLD_TEST(the_room_that_ended_last_is_meant_though_it_has_left_memory),
			WORLD_TEST(what_happened_in_a_room_that_had_left_memory_is_told_once_it_is_there_again),
			WORLD_TEST(who_follows_a_room_that_is_gone_for_good_is_told_so),
			WORLD_TEST(rooms_that_are_being_opened_take_place),
			WORLD_TEST(rooms_looked_at_again_make_place_for_each_other),
			WORLD_TEST(a_bots_rematch_needs_place_and_its_room_stays_until_then),
			WORLD_TEST(a_rematch_that_had_to_wait_for_its_turn_finds_the_place_taken),
			WORLD_TEST(a_room_goes_after_its_bot_found_no_place_for_a_rematch),
	};

	return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
