/* Each limit at n and at n + 1, as players meet it. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define TOKEN "AAAAAAAAAAAAAAAAAAAAAA"

static void waits(struct client *client, int64_t retry_ms, const char *line)
{
	const struct error *error = ask_refused(client, CODE_RATE_LIMITED, "%s", line);

	assert_true(error->has_retry);
	assert_int_equal(error->retry_ms, retry_ms);
	world_advance(client->world, retry_ms - 1);
	ask_refused(client, CODE_RATE_LIMITED, "%s", line);
	world_advance(client->world, 1);
	ask(client, "%s", line);
	client_skip(client);
}

static void the_welcome_tells_the_limits_that_there_are(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);

	assert_false(client->message.event.welcome.has_limits);
	world_limit(world, &(struct play_limits){.rooms_per_name = 256,
					   .bot_games_per_name = 2,
					   .connections_per_name = 3,
					   .watchers_per_room = 4,
					   .rates = {5, 6, 7, 8}});
	client = client_connect(world);
	const struct event_welcome *welcome = &client->message.event.welcome;
	assert_true(welcome->has_limits);
	assert_int_equal(welcome->rooms_per_name, 256);
	assert_int_equal(welcome->bot_games_per_name, 2);
	assert_int_equal(welcome->connections_per_name, 3);
	assert_int_equal(welcome->watchers_per_room, 4);
	assert_int_equal(welcome->opens_per_minute, 5);
	assert_int_equal(welcome->says_per_minute, 6);
	assert_int_equal(welcome->invites_per_minute, 7);
	assert_int_equal(welcome->names_per_hour, 8);
}

static void a_name_opens_so_many_rooms_a_minute_however_it_asks(void **state)
{
	struct world *world = *state;
	struct client *ala;

	world_limit(world, &(struct play_limits){.rates = {[RATE_OPENS] = 3}});
	ala = client_connect_as(world, "ala", TOKEN);
	ask(ala, "create private");
	ask(ala, "match");
	client_skip(ala);
	ask(ala, "create private");
	/* The same room again opens none. */
	ask(ala, "match");
	waits(ala, 20000, "create");
	ask_refused(ala, CODE_RATE_LIMITED, "create");
	/* Another connection is no way around it, nor is coming back. */
	client_drop(ala);
	ala = client_connect_as(world, "ala", TOKEN);
	ask_refused(ala, CODE_RATE_LIMITED, "create");
	ask(client_connect_as(world, "ola", NULL), "create");
}

static void a_rematch_is_a_room_to_be_opened(void **state)
{
	struct world *world = *state;
	struct table table;

	world_limit(world, &(struct play_limits){.rates = {[RATE_OPENS] = 1}});
	table_open(world, "ala", "ola", &table);
	ask(table.x, "resign");
	client_skip(table.x);
	client_skip(table.o);
	ask_refused(table.x, CODE_RATE_LIMITED, "rematch");
	ask(table.o, "rematch");
	client_skip(table.o);
	client_skip(table.x);
	world_advance(world, 60000);
	client_skip(table.x);
	assert_true(ask(table.x, "rematch")->carries & OK_NEW);
	client_skip(table.x);
	/* It is there: asking again opens none. */
	ask(table.x, "rematch room=%s", table.room);
}

static void a_name_says_so_much_a_minute(void **state)
{
	struct world *world = *state;
	struct table table;

	world_limit(world, &(struct play_limits){.rates = {[RATE_SAYS] = 2}});
	table_open(world, "ala", "ola", &table);
	ask(table.x, "say one");
	client_skip(table.x);
	ask(table.x, "say two");
	client_skip(table.x);
	client_skip(table.o);
	waits(table.x, 30000, "say three");
	/* Nobody heard what was refused. */
	assert_string_equal(client_event(table.o, EVENT_SAID)->said.text, "three");
	client_nothing(table.o);
	ask(table.o, "say mine");
}

static void a_name_invites_so_often_and_is_invited_so_often(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;
	struct client *ela;

	world_limit(world, &(struct play_limits){
					   .rates = {[RATE_INVITES] = 2}, .invites_per_name = 3});
	ala = client_connect_as(world, "ala", NULL);
	ola = client_connect_as(world, "ola", NULL);
	ela = client_connect_as(world, "ela", NULL);
	ask(ala, "create ola");
	ask(ala, "create ola");
	ask_refused(ala, CODE_RATE_LIMITED, "create ela");
	/* Without a guest it is no invitation. */
	ask(ala, "create");
	ask(ela, "create ola");
	ask_refused(ela, CODE_TOO_MANY_ROOMS, "create ola");
	char room[ROOM_ID_SIZE];
	strcpy(room, client_event(ola, EVENT_INVITED)->room);
	client_skip(ola);
	ask(ola, "decline %s", room);
	ask(ela, "create ola");
}

static void invitations_by_the_muted_take_no_others_place(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;
	struct client *ela;

	world_limit(world, &(struct play_limits){.invites_per_name = 2});
	ala = client_connect_as(world, "ala", NULL);
	ola = client_connect_as(world, "ola", NULL);
	ela = client_connect_as(world, "ela", NULL);
	ask(ala, "create ola private");
	ask(ala, "create ola private");
	ask_refused(ela, CODE_TOO_MANY_ROOMS, "create ola");
	client_skip(ola);
	ask(ola, "mute ala");
	ask(ela, "create ola");
	assert_string_equal(client_event(ola, EVENT_INVITED)->invited.player, "ela");
	ask(ela, "create ola");
	ask_refused(ela, CODE_TOO_MANY_ROOMS, "create ola");
}

/* Two connections of a name ask at one moment, while nothing is stored yet. */
static void invitations_that_are_being_stored_count(void **state)
{
	struct world *world = *state;
	struct client *one;
	struct client *two;

	world_limit(world, &(struct play_limits){.invites_per_name = 32});
	one = client_connect_as(world, "ala", TOKEN);
	two = client_connect_as(world, "ala", TOKEN);
	client_connect_as(world, "ola", NULL);
	for (int i = 0; i < 3; i++) {
		ask(one, "create ola");
	}
	say_at_once(one, "create ola", two, "create ola");
	client_ok(one, REQUEST_CREATE);
	client_error(two, CODE_TOO_MANY_ROOMS);
}

static void invitations_by_the_muted_take_no_place_while_they_are_stored(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;
	struct client *ela;

	world_limit(world, &(struct play_limits){.invites_per_name = 1});
	ala = client_connect_as(world, "ala", NULL);
	ola = client_connect_as(world, "ola", NULL);
	ela = client_connect_as(world, "ela", NULL);
	ask(ola, "mute ala");
	say_at_once(ala, "create ola", ela, "create ola");
	client_ok(ala, REQUEST_CREATE);
	client_ok(ela, REQUEST_CREATE);
}

static void games_against_bots_are_rooms_to_be_opened(void **state)
{
	struct world *world = *state;
	struct client *ala;
	char room[ROOM_ID_SIZE];

	world_limit(world, &(struct play_limits){.rooms = 3,
					   .rooms_per_name = 3,
					   .rates = {[RATE_OPENS] = 4}});
	ala = client_connect_as(world, "ala", NULL);
	ask(ala, "create bot-random X");
	ask(ala, "create bot-random X private");
	strcpy(room, ask(ala, "create bot-random X")->room);
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "create bot-random X");
	ask(ala, "abort room=%s", room);
	client_skip(ala);
	ask(ala, "create bot-random X");
	ask(ala, "resign room=%s", ala->message.ok.room);
	client_skip(ala);
	waits(ala, 15000, "create bot-random X");
	ask_refused(client_connect_as(world, "ola", NULL), CODE_SERVER_FULL, "create bot-random");
}

static void a_bot_takes_no_rematch_beyond_the_rooms_of_a_name(void **state)
{
	struct world *world = *state;
	struct client *ala;
	char rooms[2][ROOM_ID_SIZE];

	world_limit(world, &(struct play_limits){.rooms_per_name = 2});
	ala = client_connect_as(world, "ala", NULL);
	for (int i = 0; i < 2; i++) {
		strcpy(rooms[i], ask(ala, "create bot-random X")->room);
		ask(ala, "resign room=%s", rooms[i]);
		client_skip(ala);
	}
	ask(ala, "create private");
	ask(ala, "rematch room=%s", rooms[0]);
	client_skip(ala);
	ask(ala, "rematch room=%s", rooms[1]);
	world_advance(world, 60000);
	client_skip(ala);
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "create");
	assert_int_equal(ask(client_connect(world), "lobby playing")->summary_count, 1);
}

static void an_address_makes_so_many_names_an_hour(void **state)
{
	struct world *world = *state;
	struct client *client;

	world_limit(world, &(struct play_limits){.rates = {[RATE_NAMES] = 3}});
	ask(client_connect(world), "hello");
	ask(client_connect(world), "create");
	ask(client_connect(world), "hello player1");
	client = client_connect(world);
	ask_refused(client, CODE_RATE_LIMITED, "hello");
	ask_refused(client, CODE_RATE_LIMITED, "match");
	/* Who makes no name is not held up by those who do. */
	ask(client, "lobby");
	ask_refused(client, CODE_NAME_TAKEN, "hello player1");
	waits(client, 1200000, "hello player2");
	ask(client_connect_from(world, "192.0.2.9"), "hello");
}

static void a_name_sits_in_so_many_rooms(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;
	char first[ROOM_ID_SIZE];
	char last[ROOM_ID_SIZE];

	world_limit(world, &(struct play_limits){.rooms_per_name = 2});
	ala = client_connect_as(world, "ala", TOKEN);
	ola = client_connect_as(world, "ola", NULL);
	strcpy(first, ask(ala, "create X")->room);
	strcpy(last, ask(ola, "create X")->room);
	ask(ala, "join %s", last);
	client_skip(ala);
	client_skip(ola);
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "create");
	/* Asked again for what he has, he is answered. */
	ask(ala, "join %s", last);
	ask(ala, "match");
	ask(ola, "create private");
	ask_refused(ola, CODE_TOO_MANY_ROOMS, "join %s", first);
	ask_refused(ola, CODE_TOO_MANY_ROOMS, "match");
	ask(ala, "resign %s", last);
	client_skip(ala);
	ask(ala, "create");
}

/* Two connections of a name ask at one moment, while nothing is stored yet. */
static void seats_that_are_being_stored_count(void **state)
{
	struct world *world = *state;
	struct client *one;
	struct client *two;

	world_limit(world, &(struct play_limits){.rooms_per_name = 1});
	one = client_connect_as(world, "ala", TOKEN);
	two = client_connect_as(world, "ala", TOKEN);
	say_at_once(one, "create", two, "create");
	client_ok(one, REQUEST_CREATE);
	client_error(two, CODE_TOO_MANY_ROOMS);
	/* And are let go where they were refused. */
	ask(one, "leave");
	client_skip(one);
	client_skip(two);
	ask(two, "create");
}

static void a_rematch_needs_place_for_both(void **state)
{
	struct world *world = *state;
	struct table table;

	world_limit(world, &(struct play_limits){.rooms_per_name = 1});
	table_open(world, "ala", "ola", &table);
	ask(table.x, "resign");
	client_skip(table.x);
	client_skip(table.o);
	ask(table.o, "create");
	client_skip(table.x);
	ask_refused(table.x, CODE_TOO_MANY_ROOMS, "rematch");
	ask_refused(table.o, CODE_TOO_MANY_ROOMS, "rematch room=%s", table.room);
}

static void a_name_has_so_many_connections(void **state)
{
	struct world *world = *state;
	struct client *one;
	struct client *three;

	world_limit(world, &(struct play_limits){.connections_per_name = 2});
	one = client_connect_as(world, "ala", TOKEN);
	client_connect_as(world, "ala", TOKEN);
	three = client_connect(world);
	ask_refused(three, CODE_TOO_MANY_CONNECTIONS, "hello token=" TOKEN);
	ask_refused(three, CODE_TOO_MANY_CONNECTIONS, "hello ala token=" TOKEN);
	/* It is nobody, and may be somebody else. */
	ask(three, "hello ola");
	ask(one, "hello ala token=" TOKEN);
	client_skip(one);
	client_drop(one);
	client_skip(three);
	ask(three, "hello token=" TOKEN);
}

static void a_room_has_so_many_watchers_and_its_players_beside_them(void **state)
{
	struct world *world = *state;
	struct client *one;
	struct client *three = client_connect(world);
	struct table table;

	world_limit(world, &(struct play_limits){.watchers_per_room = 2});
	table_open(world, "ala", "ola", &table);
	one = client_connect(world);
	three = client_connect(world);
	ask(one, "watch %s", table.room);
	ask(client_connect(world), "watch %s", table.room);
	ask_refused(three, CODE_ROOM_FULL, "watch %s", table.room);
	client_skip(one);
	client_skip(table.x);
	ask(one, "watch %s", table.room);
	ask(table.x, "leave");
	client_skip(table.x);
	ask(table.x, "watch %s", table.room);
	ask(three, "state %s", table.room);
	client_skip(one);
	ask(one, "leave");
	ask(three, "watch %s", table.room);
}

static void who_says_nothing_at_first_is_sent_away(void **state)
{
	struct world *world = *state;
	struct client *silent;
	struct client *speaks;

	world_limit(world, &(struct play_limits){.first_line_ms = 1000, .idle_ms = 5000});
	silent = client_connect(world);
	speaks = client_connect(world);
	world_advance(world, 999);
	client_say(speaks, "ping");
	assert_false(silent->was_closed);
	world_advance(world, 1);
	client_bye(silent, BYE_IDLE);
	assert_false(speaks->was_closed);
}

static void who_has_no_room_and_asks_nothing_is_sent_away_in_the_end(void **state)
{
	struct world *world = *state;
	struct client *client;
	struct client *plays;
	struct client *watches;

	world_limit(world, &(struct play_limits){.first_line_ms = 1000, .idle_ms = 5000});
	client = client_connect(world);
	plays = client_connect_as(world, "ala", NULL);
	ask(plays, "create X");
	watches = client_connect(world);
	ask(watches, "watch %s", ask(plays, "state")->room);
	ask(client, "ping");
	world_advance(world, 4000);
	ask(client, "ping");
	world_advance(world, 4999);
	assert_false(client->was_closed);
	world_advance(world, 1);
	assert_int_equal(client_event(client, EVENT_BYE)->bye.reason, BYE_IDLE);
	world_advance(world, 100000);
	assert_false(plays->was_closed);
	assert_false(watches->was_closed);
	/* Once the room is over it keeps nobody. */
	client_skip(plays);
	client_say(plays, "leave");
	world_advance(world, 10000);
	assert_true(plays->was_closed);
	assert_true(watches->was_closed);
}

static void who_is_given_up_gets_a_last_word_and_his_request_is_carried_out(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN);

	world_hold(world);
	client_say(ala, "create X");
	play_session_give_up(ala->session);
	ala->session = NULL;
	assert_int_equal(client_event(ala, EVENT_BYE)->bye.reason, BYE_SLOW_READER);
	world_release(world);
	assert_int_equal(ask(client_connect(world), "hello token=" TOKEN)->own_room_count, 1);
}

static void guests_who_came_once_are_forgotten_after_a_while(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	struct table table;
	char token[TOKEN_SIZE];
	char stays[TOKEN_SIZE];
	char sits[TOKEN_SIZE];

	message_copy(token, sizeof(token), ask(client, "hello")->token);
	client_drop(client);
	client = client_connect(world);
	message_copy(stays, sizeof(stays), ask(client, "hello")->token);
	client = client_connect(world);
	message_copy(sits, sizeof(sits), ask(client, "create X private")->token);
	ask(client_connect(world), "join %s", client->message.ok.room);
	client_drop(client);
	table_open(world, "ala", "ola", &table);
	world_advance(world, WORLD_KEEP_GUESTS_MS - 60000);
	client = client_connect(world);
	ask(client, "hello token=%s", token);
	client_drop(client);
	world_advance(world, 2 * 60000);
	client = client_connect(world);
	/* He was here, and he is not; she is still here; one sits in a game. */
	ask_refused(client, CODE_BAD_TOKEN, "hello token=%s", token);
	ask(client, "hello token=%s", stays);
	client_skip(client);
	client = client_connect(world);
	assert_int_equal(ask(client, "hello token=%s", sits)->own_room_count, 1);
}

static void a_guest_who_has_finished_a_game_is_remembered(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	struct client *other = client_connect(world);
	char token[TOKEN_SIZE];

	message_copy(token, sizeof(token), ask(client, "create X")->token);
	ask(other, "join %s", client->message.ok.room);
	client_skip(client);
	ask(client, "resign");
	client_drop(client);
	client_drop(other);
	world_advance(world, 3 * (int64_t)WORLD_KEEP_GUESTS_MS);
	ask(client_connect(world), "hello token=%s", token);
}

static void a_forgotten_guest_can_be_taken_off_the_list_of_the_muted(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *guest = client_connect(world);
	char name[NAME_SIZE];

	strcpy(name, ask(guest, "hello")->name);
	assert_int_equal(ask(ala, "mute %s", name)->muted_count, 1);
	client_drop(guest);
	world_advance(world, 2 * (int64_t)WORLD_KEEP_GUESTS_MS);
	ask_refused(ala, CODE_NO_SUCH_PLAYER, "mute %s", name);
	assert_int_equal(ask(ala, "mute %s on=off", name)->muted_count, 0);
	ask_refused(ala, CODE_NO_SUCH_PLAYER, "mute %s on=off", name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(the_welcome_tells_the_limits_that_there_are),
			WORLD_TEST(a_name_opens_so_many_rooms_a_minute_however_it_asks),
			WORLD_TEST(a_rematch_is_a_room_to_be_opened),
			WORLD_TEST(a_name_says_so_much_a_minute),
			WORLD_TEST(a_name_invites_so_often_and_is_invited_so_often),
			WORLD_TEST(invitations_by_the_muted_take_no_others_place),
			WORLD_TEST(invitations_that_are_being_stored_count),
			WORLD_TEST(invitations_by_the_muted_take_no_place_while_they_are_stored),
			WORLD_TEST(games_against_bots_are_rooms_to_be_opened),
			WORLD_TEST(a_bot_takes_no_rematch_beyond_the_rooms_of_a_name),
			WORLD_TEST(an_address_makes_so_many_names_an_hour),
			WORLD_TEST(a_name_sits_in_so_many_rooms),
			WORLD_TEST(seats_that_are_being_stored_count),
			WORLD_TEST(a_rematch_needs_place_for_both),
			WORLD_TEST(a_name_has_so_many_connections),
			WORLD_TEST(a_room_has_so_many_watchers_and_its_players_beside_them),
			WORLD_TEST(who_says_nothing_at_first_is_sent_away),
			WORLD_TEST(who_has_no_room_and_asks_nothing_is_sent_away_in_the_end),
			WORLD_TEST(guests_who_came_once_are_forgotten_after_a_while),
			WORLD_TEST(a_forgotten_guest_can_be_taken_off_the_list_of_the_muted),
			WORLD_TEST(a_guest_who_has_finished_a_game_is_remembered),
			WORLD_TEST(who_is_given_up_gets_a_last_word_and_his_request_is_carried_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
