/* How many rooms are in memory, and which of them makes place for another. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

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
	struct client *late;
	struct table tables[3];

	world_limit(world, &(struct play_limits){.rooms = 3});
	late = client_connect_as(world, "late", NULL);
	for (size_t i = 0; i < 3; i++) {
		char x[NAME_SIZE];
		char o[NAME_SIZE];

		snprintf(x, sizeof(x), "ala%zu", i);
		snprintf(o, sizeof(o), "ola%zu", i);
		table_open(world, x, o, &tables[i]);
		ask(tables[i].x, "resign");
		client_skip(tables[i].x);
		client_skip(tables[i].o);
	}
	ask(tables[1].x, "leave");
	ask(tables[1].o, "leave");
	/* First the one that nobody follows, then the one that ended first. */
	ask(late, "create");
	ask(tables[0].x, "leave");
	ask(tables[0].x, "watch %s", tables[0].room);
	ask(late, "create");
	ask_refused(tables[2].x, CODE_NOT_IN_ROOM, "leave");
	ask(tables[0].x, "leave");
	ask(tables[0].o, "leave");
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
		char x[NAME_SIZE];
		char o[NAME_SIZE];

		snprintf(x, sizeof(x), "ala%d", i);
		snprintf(o, sizeof(o), "ola%d", i);
		table_open(world, x, o, &table);
		ask(table.x, "resign");
		client_skip(table.x);
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

static size_t rooms_in(const struct world *world)
{
	struct play_counts counts;

	play_count(world->play, &counts);
	return counts.rooms;
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
			WORLD_TEST(rooms_that_are_being_opened_take_place),
			WORLD_TEST(rooms_looked_at_again_make_place_for_each_other),
			WORLD_TEST(a_bots_rematch_needs_place_and_its_room_stays_until_then),
			WORLD_TEST(a_rematch_that_had_to_wait_for_its_turn_finds_the_place_taken),
			WORLD_TEST(a_room_goes_after_its_bot_found_no_place_for_a_rematch),
	};

	return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
