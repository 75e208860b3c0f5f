/* Who a connection is: hello in all its forms, guests, claims, tokens, mute. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"
#define TOKEN_B "BBBBBBBBBBBBBBBBBBBBBB"

static bool is_guest(const char *name)
{
	return strncmp(name, "guest-", 6) == 0 && strlen(name) == 14;
}

static void a_newcomer_is_told_how_to_begin(void **state)
{
	struct client *client = client_connect(*state);
	const struct event *event;

	client->read = 0;
	event = client_event(client, EVENT_WELCOME);
	assert_string_equal(event->welcome.server, "qtttd/0.1.0");
	assert_string_equal(event->welcome.name, "world");
	assert_non_null(strstr(event->welcome.help, "hello NAME"));
	client_nothing(client);
}

static void hello_with_nothing_makes_a_guest_with_a_token(void **state)
{
	struct client *client = client_connect(*state);
	struct client *other = client_connect(*state);
	char token[TOKEN_SIZE];
	char name[NAME_SIZE];
	const struct ok *ok = ask(client, "hello");

	assert_true(is_guest(ok->name));
	assert_true(strlen(ok->token) >= LIMIT_TOKEN_CHARS_MIN);
	strcpy(token, ok->token);
	strcpy(name, ok->name);
	/* Asked again it tells the name, and the token no more. */
	ok = ask(client, "hello");
	assert_string_equal(ok->name, name);
	assert_false(ok->carries & OK_TOKEN);
	ok = ask(other, "hello token=%s", token);
	assert_string_equal(ok->name, name);
	assert_false(ok->carries & OK_TOKEN);
}

static void hello_with_a_free_name_claims_it(void **state)
{
	struct client *client = client_connect(*state);

	client_say(client, "{\"type\":\"hello\",\"id\":7,\"name\":\"Ala\"}");
	world_settle(*state);
	assert_non_null(strstr(client_line(client),
			"{\"type\":\"ok\",\"re\":7,\"to\":\"hello\",\"name\":\"Ala\","
			"\"token\":\""));
	client_nothing(client);
	assert_string_equal(ask(client, "hello")->name, "Ala");
	assert_string_equal(ask(client, "hello ALA")->name, "Ala");
}

static void a_token_alone_or_with_its_name_brings_a_player_back(void **state)
{
	struct client *client = client_connect(*state);
	char token[TOKEN_SIZE];

	strcpy(token, ask(client, "hello ala")->token);
	client_drop(client);
	client = client_connect(*state);
	assert_string_equal(ask(client, "hello token=%s", token)->name, "ala");
	client = client_connect(*state);
	assert_string_equal(ask(client, "hello Ala token=%s", token)->name, "ala");
	world_restart(*state);
	client = client_connect(*state);
	assert_string_equal(ask(client, "hello token=%s", token)->name, "ala");
	client_nothing(client);
}

static void a_taken_name_needs_its_token(void **state)
{
	struct client *client = client_connect(*state);

	client_connect_as(*state, "ala", TOKEN_A);
	ask_refused(client, CODE_NAME_TAKEN, "hello ala");
	ask_refused(client, CODE_NAME_TAKEN, "hello ALA");
	ask_refused(client, CODE_NAME_TAKEN, "hello ala token=%s", TOKEN_B);
}

static void a_token_that_nobody_has_is_refused(void **state)
{
	struct client *client = client_connect(*state);

	client_connect_as(*state, "ala", TOKEN_A);
	ask_refused(client, CODE_BAD_TOKEN, "hello token=%s", TOKEN_B);
	ask_refused(client, CODE_BAD_TOKEN, "hello token=short");
	ask_refused(client, CODE_BAD_TOKEN, "hello ola token=%s", TOKEN_A);
}

static void a_client_may_choose_its_token_and_say_hello_again(void **state)
{
	struct client *client = client_connect(*state);
	const struct ok *ok = ask(client, "hello ala token=%s", TOKEN_A);

	assert_string_equal(ok->name, "ala");
	assert_false(ok->carries & OK_TOKEN);
	/* The reply was lost: the same again, on this connection and on another. */
	assert_string_equal(ask(client, "hello ala token=%s", TOKEN_A)->name, "ala");
	client_drop(client);
	client = client_connect(*state);
	assert_string_equal(ask(client, "hello ala token=%s", TOKEN_A)->name, "ala");
}

static void names_that_cant_be_are_refused(void **state)
{
	static const char *const names[] = {"a", "1ala", "guest-abcde", "bot-perfect", "gone-1",
			"Server", "OPERATOR", "a.b", "abcdefghijklmnopqrstu", "\xd0\x90\xd0\xbb"};
	struct client *client = client_connect(*state);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		ask_refused(client, CODE_BAD_NAME, "hello name=%s", names[i]);
	}
	assert_string_equal(ask(client, "hello \xc5\xbb\xc3\xb3\xc5\x82w_1-2")->name,
			"\xc5\xbb\xc3\xb3\xc5\x82w_1-2");
}

static void a_name_is_the_same_in_any_case_and_form(void **state)
{
	struct client *client = client_connect(*state);

	/* Composed and decomposed. */
	client_connect_as(*state, "\xc5\xbb\xc3\xb3\xc5\x82w", NULL);
	ask_refused(client, CODE_NAME_TAKEN, "hello \xc5\xbc\xc3\x93\xc5\x81W");
	ask_refused(client, CODE_NAME_TAKEN, "hello Z\xcc\x87o\xcc\x81\xc5\x82w");
}

static void another_version_of_the_protocol_is_refused(void **state)
{
	struct client *client = client_connect(*state);

	ask_refused(client, CODE_BAD_PROTOCOL, "{\"type\":\"hello\",\"protocol\":2}");
	assert_string_equal(
			ask(client, "{\"type\":\"hello\",\"name\":\"ala\",\"protocol\":1}")->name,
			"ala");
}

static void who_speaks_without_hello_is_given_a_name_and_told_once(void **state)
{
	static const char *const lines[] = {"create", "match"};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct client *client = client_connect(world);
		const struct ok *ok = ask(client, "%s", lines[i]);
		char token[TOKEN_SIZE];

		assert_true(is_guest(ok->you));
		assert_true(ok->carries & OK_TOKEN);
		strcpy(token, ok->token);
		client_skip(client);
		assert_false(ask(client, "ping")->carries & (OK_TOKEN | OK_YOU));
		client_drop(client);
		client = client_connect(world);
		assert_true(is_guest(ask(client, "hello token=%s", token)->name));
		client_drop(client);
	}
}

static void a_name_given_to_a_refused_request_is_told_with_the_next_ok(void **state)
{
	struct client *client = client_connect(*state);
	const struct ok *ok;

	ask_refused(client, CODE_NO_SUCH_ROOM, "join k7m2q");
	ok = ask(client, "ping");
	assert_true(is_guest(ok->you));
	assert_true(ok->carries & OK_TOKEN);
	assert_false(ask(client, "ping")->carries & OK_TOKEN);
}

static void looking_on_needs_no_name(void **state)
{
	struct client *client = client_connect(*state);
	struct table table;

	table_open(*state, "ala", "ola", &table);
	assert_false(ask(client, "watch %s", table.room)->carries & (OK_YOU | OK_TOKEN));
	client_skip(client);
	assert_false(ask(client, "lobby playing")->carries & (OK_YOU | OK_TOKEN));
	assert_false(ask(client, "who")->carries & (OK_YOU | OK_TOKEN));
	assert_int_equal(ask(client, "who")->online, 2);
}

/* A guest's token and room, in a game with ola. */
static struct client *guest_at_table(
		struct world *world, char ret_token[TOKEN_SIZE], struct table *ret)
{
	struct client *guest = client_connect(world);

	strcpy(ret_token, ask(guest, "hello")->token);
	message_copy(ret->room, sizeof(ret->room), ask(guest, "create X")->room);
	ret->x = guest;
	ret->o = client_connect_as(world, "ola", NULL);
	ask(ret->o, "join %s", ret->room);
	client_skip(ret->o);
	client_skip(guest);
	return guest;
}

static void a_guest_who_claims_a_name_keeps_his_games(void **state)
{
	char token[TOKEN_SIZE];
	struct table table;
	struct client *guest = guest_at_table(*state, token, &table);
	const struct ok *ok = ask(guest, "hello ala");
	const struct event *event;

	assert_string_equal(ok->name, "ala");
	assert_true(ok->carries & OK_TOKEN);
	assert_int_equal(ok->own_room_count, 1);
	assert_string_equal(ok->own_rooms[0], table.room);
	event = client_event(guest, EVENT_STATE);
	assert_string_equal(event->state.players[0].name, "ala");
	assert_int_equal(event->state.seq, 5);
	client_nothing(guest);
	event = client_event(table.o, EVENT_SEATED);
	assert_int_equal(event->seated.seat, SEAT_X);
	assert_string_equal(event->seated.player, "ala");
	client_nothing(table.o);
	assert_int_equal(ask(guest, "move 1 5")->seq, 6);
	client_event(guest, EVENT_MOVED);
	client_nothing(guest);
}

static void a_guests_token_is_void_after_the_claim(void **state)
{
	char token[TOKEN_SIZE];
	struct table table;
	struct client *guest = guest_at_table(*state, token, &table);
	struct client *other = client_connect(*state);

	ask(guest, "hello ala token=%s", TOKEN_A);
	ask_refused(other, CODE_BAD_TOKEN, "hello token=%s", token);
	world_restart(*state);
	other = client_connect(*state);
	ask_refused(other, CODE_BAD_TOKEN, "hello token=%s", token);
	assert_int_equal(ask(other, "hello token=%s", TOKEN_A)->own_room_count, 1);
}

static void a_token_that_was_never_told_dies_with_the_claim(void **state)
{
	struct client *client = client_connect(*state);

	ask_refused(client, CODE_NO_SUCH_ROOM, "join k7m2q");
	assert_false(ask(client, "hello ala token=%s", TOKEN_A)->carries & OK_TOKEN);
	assert_false(ask(client, "ping")->carries & (OK_TOKEN | OK_YOU));
}

static void a_claim_goes_on_while_a_move_of_the_guest_is_in_flight(void **state)
{
	struct world *world = *state;
	char token[TOKEN_SIZE];
	struct table table;
	struct client *guest = guest_at_table(world, token, &table);
	struct client *second = client_connect(world);

	ask(second, "hello token=%s", token);
	client_skip(second);
	world_hold(world);
	client_say(guest, "move 1 5");
	client_say(second, "hello ala");
	world_settle(world);
	client_say(table.o, "move 2 5");
	world_settle(world);
	client_nothing(guest);
	client_nothing(second);
	world_release(world);
	assert_int_equal(client_ok(guest, REQUEST_MOVE)->seq, 5);
	assert_int_equal(client_event(guest, EVENT_MOVED)->seq, 5);
	assert_string_equal(client_event(guest, EVENT_SEATED)->seated.player, "ala");
	assert_int_equal(client_event(guest, EVENT_MOVED)->seq, 7);
	assert_int_equal(client_event(second, EVENT_MOVED)->seq, 5);
	assert_string_equal(client_ok(second, REQUEST_HELLO)->name, "ala");
	assert_int_equal(client_event(second, EVENT_STATE)->state.seq, 6);
	client_skip(guest);
	/* The first connection is his too, under the new name. */
	assert_string_equal(ask(guest, "hello")->name, "ala");
	client_skip(guest);
	ask(guest, "move 3 4");
}

static void a_move_that_waits_behind_its_players_claim_is_carried_out(void **state)
{
	struct world *world = *state;
	char token[TOKEN_SIZE];
	struct table table;
	struct client *guest = guest_at_table(world, token, &table);
	struct client *second = client_connect(world);

	ask(second, "hello token=%s", token);
	client_skip(second);
	world_hold(world);
	client_say(second, "hello ala");
	world_settle(world);
	client_say(guest, "move 1 5");
	world_release(world);
	assert_string_equal(client_event(guest, EVENT_SEATED)->seated.player, "ala");
	assert_int_equal(client_ok(guest, REQUEST_MOVE)->seq, 6);
	client_event(guest, EVENT_MOVED);
	client_nothing(guest);
}

/* Two connections of one guest; commits are held. */
static void guest_twice(struct world *world, struct client *ret_clients[2])
{
	char token[TOKEN_SIZE];

	ret_clients[0] = client_connect(world);
	strcpy(token, ask(ret_clients[0], "hello")->token);
	ret_clients[1] = client_connect(world);
	ask(ret_clients[1], "hello token=%s", token);
}

static void a_seat_taken_while_its_guest_claims_a_name_is_his_all_the_same(void **state)
{
	static const char *const acts[] = {"create X", "match", "join"};

	for (int i = 0; i < 6; i++) {
		struct world *world = *state;
		struct client *guest[2];
		const char *act = acts[i / 2];
		char room[ROOM_ID_SIZE];
		const struct ok *ok;

		/* The seat first, then the claim; and the other way round. */
		strcpy(room, ask(client_connect_as(world, "ola", TOKEN_B), "create O")->room);
		guest_twice(world, guest);
		world_hold(world);
		for (int j = 0; j < 2; j++) {
			if (j == i % 2) {
				client_say(guest[0], "%s %s", act, i / 2 == 2 ? room : "");
			} else {
				client_say(guest[1], "hello ala token=%s", TOKEN_A);
			}
			world_settle(world);
		}
		world_release(world);
		ok = &client_next(guest[0])->ok;
		assert_int_equal(guest[0]->message.kind, MESSAGE_OK);
		strcpy(room, ok->room);
		client_skip(guest[0]);
		ok = ask(guest[0], "state %s", room);
		assert_string_equal(ok->state->players[0].name, "ala");
		assert_true(ok->state->players[0].online);
		assert_string_equal(client_ok(guest[1], REQUEST_HELLO)->name, "ala");
		client_skip(guest[0]);
		ask(guest[0], "leave %s", room);
		world_free(world);
		world_setup(state);
	}
}

static void a_rematch_that_waits_before_a_claim_has_the_new_name(void **state)
{
	struct world *world = *state;
	char token[TOKEN_SIZE];
	struct table table;
	struct client *guest = guest_at_table(world, token, &table);
	struct client *second = client_connect(world);
	char room[ROOM_ID_SIZE];

	ask(guest, "resign");
	ask(second, "hello token=%s", token);
	client_skip(guest);
	ask(guest, "rematch");
	client_skip(table.o);
	world_hold(world);
	client_say(table.o, "rematch");
	world_settle(world);
	client_say(second, "hello ala");
	world_settle(world);
	world_release(world);
	strcpy(room, client_ok(table.o, REQUEST_REMATCH)->new_room);
	client_skip(table.o);
	assert_string_equal(ask(table.o, "state %s", room)->state->players[1].name, "ala");
	ask(table.o, "move 1 5 room=%s", room);
	client_skip(guest);
	ask(guest, "move 2 6 room=%s", room);
}

static void two_who_claim_one_name_at_once_dont_both_get_it(void **state)
{
	struct world *world = *state;
	struct client *one = client_connect(world);
	struct client *two = client_connect(world);

	client_say(one, "hello ala");
	client_say(two, "hello ala");
	world_settle(world);
	if (one->lines[one->read]->data[9] == 'e') {
		struct client *first = one;
		one = two;
		two = first;
	}
	assert_string_equal(client_ok(one, REQUEST_HELLO)->name, "ala");
	client_error(two, CODE_NAME_TAKEN);
}

static void a_hello_sent_again_while_the_first_is_stored_is_the_same_claim(void **state)
{
	struct world *world = *state;

	/* The second comes at each step of the first; answers of one step come in any order. */
	for (int i = 0; i < 60; i++) {
		struct client *lost = client_connect(world);
		struct client *again = client_connect(world);
		client_say(lost, "hello ala-%d token=%s%d", i, TOKEN_A, i);
		for (int step = 0; step < i % 6; step++) {
			world_step(world);
		}
		client_say(again, "hello ala-%d token=%s%d", i, TOKEN_A, i);
		world_settle(world);
		client_ok(lost, REQUEST_HELLO);
		client_ok(again, REQUEST_HELLO);
	}
}

static void two_connections_of_one_name_both_play(void **state)
{
	struct world *world = *state;
	struct client *second;
	struct client *first = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];

	strcpy(room, ask(first, "create X")->room);
	second = client_connect(world);
	assert_string_equal(ask(second, "hello token=%s", TOKEN_A)->own_rooms[0], room);
	assert_int_equal(client_event(second, EVENT_STATE)->state.spectators, 0);
	ask(ola, "join %s", room);
	client_skip(first);
	client_skip(second);
	client_skip(ola);
	ask(second, "move 1 5");
	client_event(second, EVENT_MOVED);
	client_event(first, EVENT_MOVED);
	client_event(ola, EVENT_MOVED);
	client_drop(second);
	world_advance(world, 5000);
	/* The other one is still there: nobody went. */
	client_nothing(ola);
	client_drop(first);
	assert_false(client_event(ola, EVENT_PRESENCE)->presence.online);
}

static void hello_with_another_name_makes_the_connection_another_player(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect_as(world, "ala", TOKEN_A);
	struct client *other = client_connect(world);

	ask(client, "create X");
	assert_string_equal(ask(client, "hello ela token=%s", TOKEN_B)->name, "ela");
	client_skip(client);
	ask_refused(client, CODE_NOT_SEATED, "resign");
	assert_string_equal(ask(other, "hello token=%s", TOKEN_A)->name, "ala");
	client_skip(other);
}

static void a_muted_name_is_kept_over_a_restart(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola;
	const struct ok *ok;

	client_connect_as(world, "ola", TOKEN_B);
	ok = ask(ala, "mute OLA");
	assert_int_equal(ok->muted_count, 1);
	assert_string_equal(ok->muted[0], "ola");
	world_restart(world);
	ala = client_connect_as(world, "ala", TOKEN_A);
	ola = client_connect_as(world, "ola", TOKEN_B);
	assert_int_equal(ask(ala, "mute ola")->muted_count, 1);
	ask(ola, "create ala");
	client_nothing(ala);
	assert_int_equal(ask(ala, "mute ola on=off")->muted_count, 0);
	assert_int_equal(ask(ala, "mute ola on=off")->muted_count, 0);
	ask(ola, "create ala");
	client_event(ala, EVENT_INVITED);
}

static void a_muted_guest_is_not_heard_under_another_name(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *guest = client_connect(world);
	char name[NAME_SIZE];

	message_copy(name, sizeof(name), ask(guest, "hello")->name);
	assert_int_equal(ask(ala, "mute %s", name)->muted_count, 1);
	ask(guest, "hello greta");
	ask(guest, "create ala");
	client_nothing(ala);
	assert_int_equal(ask(ala, "mute greta on=off")->muted_count, 0);
	ask(guest, "create ala");
	client_event(ala, EVENT_INVITED);
}

static void mute_needs_another_player(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);

	ask_refused(ala, CODE_NO_SUCH_PLAYER, "mute ola");
	assert_string_equal(ask_refused(ala, CODE_BAD_REQUEST, "mute ala")->field, "name");
}

static void quit_is_answered_and_then_said_goodbye(void **state)
{
	struct client *client = client_connect(*state);

	client_say(client, "quit");
	client_reads(client, "{\"type\":\"ok\",\"to\":\"quit\"}");
	client_reads(client, "{\"type\":\"bye\",\"reason\":\"quit\"}");
	assert_true(client->was_closed);
}

static void what_came_before_the_end_of_input_is_answered(void **state)
{
	struct client *client = client_connect(*state);

	client_say(client, "create");
	client_say(client, "ping");
	client_half_close(client);
	world_settle(*state);
	client_ok(client, REQUEST_CREATE);
	client_ok(client, REQUEST_PING);
	client_nothing(client);
	assert_true(client->was_closed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(a_newcomer_is_told_how_to_begin),
			WORLD_TEST(hello_with_nothing_makes_a_guest_with_a_token),
			WORLD_TEST(hello_with_a_free_name_claims_it),
			WORLD_TEST(a_token_alone_or_with_its_name_brings_a_player_back),
			WORLD_TEST(a_taken_name_needs_its_token),
			WORLD_TEST(a_token_that_nobody_has_is_refused),
			WORLD_TEST(a_client_may_choose_its_token_and_say_hello_again),
			WORLD_TEST(names_that_cant_be_are_refused),
			WORLD_TEST(a_name_is_the_same_in_any_case_and_form),
			WORLD_TEST(another_version_of_the_protocol_is_refused),
			WORLD_TEST(who_speaks_without_hello_is_given_a_name_and_told_once),
			WORLD_TEST(a_name_given_to_a_refused_request_is_told_with_the_next_ok),
			WORLD_TEST(looking_on_needs_no_name),
			WORLD_TEST(a_guest_who_claims_a_name_keeps_his_games),
			WORLD_TEST(a_guests_token_is_void_after_the_claim),
			WORLD_TEST(a_token_that_was_never_told_dies_with_the_claim),
			WORLD_TEST(a_claim_goes_on_while_a_move_of_the_guest_is_in_flight),
			WORLD_TEST(a_move_that_waits_behind_its_players_claim_is_carried_out),
			WORLD_TEST(a_seat_taken_while_its_guest_claims_a_name_is_his_all_the_same),
			WORLD_TEST(a_rematch_that_waits_before_a_claim_has_the_new_name),
			WORLD_TEST(two_who_claim_one_name_at_once_dont_both_get_it),
			WORLD_TEST(a_hello_sent_again_while_the_first_is_stored_is_the_same_claim),
			WORLD_TEST(two_connections_of_one_name_both_play),
			WORLD_TEST(hello_with_another_name_makes_the_connection_another_player),
			WORLD_TEST(a_muted_name_is_kept_over_a_restart),
			WORLD_TEST(a_muted_guest_is_not_heard_under_another_name),
			WORLD_TEST(mute_needs_another_player),
			WORLD_TEST(quit_is_answered_and_then_said_goodbye),
			WORLD_TEST(what_came_before_the_end_of_input_is_answered),
	};

	return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
