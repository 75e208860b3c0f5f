/* The operator's door: what he does is stored before anybody hears of it, and lasts. */
#include <string.h>

#include "tests/world/world.h"

#define ALA_TOKEN "ala-ala-ala-ala-ala-ala"

static void settle_and_skip(struct world *world)
{
	world_settle(world);
	for (size_t i = 0; i < world->client_count; i++) {
		client_skip(world->clients[i]);
	}
}

/* Notice, kick. */

static void a_notice_reaches_all_or_a_room_or_a_name(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ewa = client_connect_as(world, "ewa", NULL);
	struct table table;

	table_open(world, "ala", "ola", &table);
	assert_int_equal(ask(door, "notice good evening")->connections, 3);
	assert_string_equal(client_event(ewa, EVENT_NOTICE)->notice, "good evening");
	settle_and_skip(world);
	assert_int_equal(ask(door, "notice room=%s be nice", table.room)->connections, 2);
	assert_string_equal(client_event(table.x, EVENT_NOTICE)->notice, "be nice");
	client_event(table.o, EVENT_NOTICE);
	client_nothing(ewa);
	assert_int_equal(ask(door, "notice name=Ola you too")->connections, 1);
	assert_string_equal(client_event(table.o, EVENT_NOTICE)->notice, "you too");
	client_nothing(table.x);
	ask_refused(door, CODE_NO_SUCH_PLAYER, "notice name=nobody hello");
	ask_refused(door, CODE_NO_SUCH_ROOM, "notice room=zzzzz hello");
	ask_refused(door, CODE_BAD_REQUEST, "notice room=%s name=ala hello", table.room);
}

static void who_is_kicked_may_come_again(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ala = client_connect_as(world, "ala", ALA_TOKEN);
	struct client *near = client_connect_from(world, "10.1.2.3");
	struct client *far = client_connect_from(world, "11.1.2.3");

	assert_int_equal(ask(door, "kick ALA")->connections, 1);
	client_bye(ala, BYE_KICKED);
	assert_int_equal(ask(door, "kick 10.0.0.0/8")->connections, 1);
	client_bye(near, BYE_KICKED);
	assert_non_null(far->session);
	client_connect_as(world, "ala", ALA_TOKEN);
	ask_refused(door, CODE_NO_SUCH_PLAYER, "kick nobody");
	assert_string_equal(ask_refused(door, CODE_BAD_REQUEST, "kick 10.0.0.1/8")->field, "whom");
}

/* Rooms. */

static void all_rooms_are_listed_with_who_is_in_them(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ewa = client_connect_as(world, "ewa", NULL);
	struct table table;

	ask(ewa, "create private title=Secret");
	table_open(world, "ala", "ola", &table);
	ask(ewa, "watch %s", table.room);
	const struct ok *ok = ask(door, "rooms");
	assert_int_equal(ok->room_count, 2);
	assert_true(ok->rooms[0].is_private);
	assert_string_equal(ok->rooms[0].summary.title, "Secret");
	assert_int_equal(ok->rooms[0].here_count, 1);
	assert_string_equal(ok->rooms[0].here[0], "ewa");
	assert_false(ok->rooms[1].is_private);
	assert_int_equal(ok->rooms[1].here_count, 3);
	ok = ask(door, "rooms limit=1");
	assert_int_equal(ok->room_count, 1);
	char next[CURSOR_SIZE];
	message_copy(next, sizeof(next), ok->next);
	ok = ask(door, "rooms playing after=%s", next);
	assert_int_equal(ok->room_count, 1);
	assert_string_equal(ok->rooms[0].summary.room, table.room);
	assert_int_equal(ask(door, "rooms over")->room_count, 0);
}

static void a_room_is_closed_for_all_once_that_is_stored(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ewa = client_connect_as(world, "ewa", NULL);
	struct table table;
	char waiting[ROOM_ID_SIZE];

	message_copy(waiting, sizeof(waiting), ask(ewa, "create")->room);
	table_open(world, "ala", "ola", &table);
	ask_unheard(door, table.x, "close %s", table.room);
	assert_int_equal(client_ok(door, REQUEST_CLOSE)->seq, 5);
	const struct event *ended = client_event(table.x, EVENT_ENDED);
	assert_int_equal(ended->ended.result.reason, REASON_ABORTED);
	assert_int_equal(ended->ended.result.cause, CAUSE_OPERATOR);
	client_event(table.o, EVENT_ENDED);
	ask(door, "close %s", waiting);
	client_event(ewa, EVENT_ENDED);
	ask_refused(door, CODE_GAME_OVER, "close %s", waiting);
	ask_refused(door, CODE_NO_SUCH_ROOM, "close zzzzz");
	world_restart(world);
	assert_int_equal(ask(client_connect(world), "state %s", table.room)->state->result.cause,
			CAUSE_OPERATOR);
}

/* Release. */

static void a_released_name_is_free_and_its_token_and_connections_are_dead(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ala = client_connect_as(world, "ala", ALA_TOKEN);
	struct client *other = client_connect(world);

	ask_unheard(door, ala, "release ALA");
	const struct ok *ok = client_ok(door, REQUEST_RELEASE);
	assert_string_equal(ok->name, "ala");
	assert_int_equal(ok->connections, 1);
	client_bye(ala, BYE_KICKED);
	ask_refused(other, CODE_BAD_TOKEN, "hello token=" ALA_TOKEN);
	ask_refused(door, CODE_NO_SUCH_PLAYER, "release ala");
	assert_string_equal(ask(other, "hello ala")->name, "ala");
	world_restart(world);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=" ALA_TOKEN);
	ask_refused(client_connect(world), CODE_NAME_TAKEN, "hello ala");
}

/* Who talks an operator into a release gets a name, and nothing that somebody else has played. */
static void what_he_played_goes_with_who_had_the_name_not_with_who_gets_it(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *other = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask(door, "release ala");
	const struct event *seated = client_event(table.o, EVENT_SEATED);
	assert_int_equal(seated->seated.seat, SEAT_X);
	assert_memory_equal(seated->seated.player, "gone-", 5);
	settle_and_skip(world);
	assert_int_equal(ask(other, "hello ala")->own_room_count, 0);
	ask_refused(other, CODE_NOT_SEATED, "move 1 5 room=%s", table.room);
	world_restart(world);
	other = client_connect(world);
	assert_memory_equal(ask(other, "state %s", table.room)->state->players[0].name, "gone-", 5);
	ask_refused(other, CODE_BAD_NAME, "hello gone-23456789");
}

static void expect_next_owner_has_nothing(struct world *world)
{
	assert_int_equal(ask(client_connect(world), "hello ala token=next-next-next-next-next")
					 ->own_room_count,
			0);
}

/* What he asked for before was being stored, or waited for it, when the name was taken from him. */
static void seats_that_were_on_their_way_are_not_the_next_owners(void **state)
{
	static const char *const ways[] = {"create", "join", "rematch"};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct world *world = *state;
		struct client *door = client_connect_operator(world);
		struct table table;
		char waiting[ROOM_ID_SIZE];

		table_open(world, "ala", "ola", &table);
		message_copy(waiting, sizeof(waiting), ask(table.o, "create")->room);
		settle_and_skip(world);
		ask(table.x, "resign room=%s", table.room);
		settle_and_skip(world);
		ask(table.x, "rematch %s", table.room);
		settle_and_skip(world);
		world_hold(world);
		if (strcmp(ways[i], "create") == 0) {
			client_say(table.x, "create");
		} else if (strcmp(ways[i], "join") == 0) {
			client_say(table.x, "join %s", waiting);
		} else {
			client_say(table.o, "rematch %s", table.room);
		}
		client_say(door, "release ala");
		world_settle(world);
		world_release(world);
		world_advance(world, 1000);
		client_ok(door, REQUEST_RELEASE);
		expect_next_owner_has_nothing(world);
		world_restart(world);
		expect_next_owner_has_nothing(world);
		ask(client_connect_operator(world), "release ola");
		ask(client_connect_operator(world), "release ala");
	}
}

static void who_is_being_released_takes_no_seat(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ala = client_connect_as(world, "ala", ALA_TOKEN);

	world_hold(world);
	client_say(door, "release ala");
	world_settle(world);
	ask_refused(ala, CODE_UNAVAILABLE, "create");
	world_release(world);
	client_ok(door, REQUEST_RELEASE);
}

static void what_an_operator_could_not_have_stored_changes_nothing(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ala = client_connect_as(world, "ala", ALA_TOKEN);

	ask_unstored(door, "ban ala");
	assert_int_equal(ask(door, "bans")->ban_count, 0);
	ask_unstored(door, "release ala");
	client_nothing(ala);
	assert_string_equal(ask(ala, "hello")->name, "ala");
	ask(ala, "create");
}

/* Drain. */

static void while_it_drains_games_go_on_and_none_begins(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ewa = client_connect_as(world, "ewa", NULL);
	struct table table;
	char waiting[ROOM_ID_SIZE];

	table_open(world, "ala", "ola", &table);
	message_copy(waiting, sizeof(waiting), ask(ewa, "create")->room);
	settle_and_skip(world);
	const struct ok *ok = ask(door, "drain");
	assert_true(ok->draining);
	assert_int_equal(ok->games_left, 1);
	client_event(table.x, EVENT_NOTICE);
	client_event(ewa, EVENT_NOTICE);
	ask_refused(table.x, CODE_SERVER_FULL, "create");
	ask_refused(table.x, CODE_SERVER_FULL, "match");
	ask_refused(table.x, CODE_SERVER_FULL, "create bot-good");
	ask_refused(table.x, CODE_SERVER_FULL, "join %s", waiting);
	ask(table.x, "move 1 5 room=%s", table.room);
	world_advance(world, 60000);
	assert_false(world->was_drained);
	settle_and_skip(world);
	ask(table.o, "resign");
	settle_and_skip(world);
	ask_refused(table.o, CODE_SERVER_FULL, "rematch %s", table.room);
	world_advance(world, 1000);
	assert_true(world->was_drained);
}

static void who_comes_while_it_drains_may_finish_his_game_and_nothing_else(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ala = client_connect_as(world, "ala", ALA_TOKEN);
	struct client *back;
	struct client *stranger;

	client_connect_as(world, "ewa", "ewa-ewa-ewa-ewa-ewa-ewa");
	ask(ala, "create bot-good X");
	ask(door, "drain");
	client_drop(ala);
	back = client_connect(world);
	ask(back, "hello token=" ALA_TOKEN);
	client_event(back, EVENT_STATE);
	ask(back, "move 1 5");
	stranger = client_connect(world);
	client_say(stranger, "lobby");
	world_settle(world);
	client_error(stranger, CODE_SERVER_FULL);
	client_bye(stranger, BYE_SHUTDOWN);
	stranger = client_connect(world);
	ask(stranger, "hello token=ewa-ewa-ewa-ewa-ewa-ewa");
	client_bye(stranger, BYE_SHUTDOWN);
	ask(client_connect_operator(world), "stats");
}

static void a_bot_takes_no_rematch_while_it_drains(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ala = client_connect_as(world, "ala", ALA_TOKEN);

	ask(ala, "create bot-random X");
	client_skip(ala);
	ask(ala, "resign");
	client_skip(ala);
	ask(ala, "rematch");
	ask(door, "drain");
	world_advance(world, 5000);
	assert_int_equal(ask(door, "lobby playing")->summary_count, 0);
	/* It is asked once more when games begin again. */
	client_skip(door);
	ask(door, "drain off");
	client_skip(ala);
	ask(ala, "rematch");
	world_advance(world, 5000);
	client_skip(door);
	assert_int_equal(ask(door, "lobby playing")->summary_count, 1);
}

static void a_drain_ends_in_time_or_is_taken_back(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask(door, "drain for_ms=10m");
	world_advance(world, 599000);
	assert_false(world->was_drained);
	settle_and_skip(world);
	assert_false(ask(door, "drain off")->draining);
	client_event(table.x, EVENT_NOTICE);
	ask(table.x, "create");
	ask(client_connect(world), "match");
	world_advance(world, 10000);
	assert_false(world->was_drained);
	assert_true((ask(door, "drain for_ms=1s")->carries & OK_UNTIL) != 0);
	world_advance(world, 999);
	assert_false(world->was_drained);
	world_advance(world, 400);
	assert_true(world->was_drained);
}

/* The rest. */

static void the_message_of_the_day_is_told_to_who_comes_next(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *client;

	assert_string_equal(ask(door, "motd")->motd, "");
	ask(door, "motd Cup tonight at eight");
	client = client_connect(world);
	assert_non_null(memmem(client->lines[0]->data, client->lines[0]->length,
			"\"motd\":\"Cup tonight at eight\"", 29));
	assert_string_equal(ask(door, "motd on=no")->motd, "");
	ask_refused(door, CODE_BAD_TEXT,
			"motd łłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłł"
			"łłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłłł");
}

static void an_operator_has_no_name_and_no_allowance_to_use_up(void **state)
{
	struct world *world = *state;

	world_limit(world, &(struct play_limits){.allowance = 1,
					   .address_allowance = 1,
					   .first_line_ms = 1000,
					   .idle_ms = 1000});
	struct client *door = client_connect_operator(world);
	world_advance(world, 5000);
	for (int i = 0; i < 100; i++) {
		ask(door, "rooms");
	}
	ask_refused(door, CODE_NOT_ALLOWED, "hello ala");
	ask_refused(door, CODE_NOT_ALLOWED, "match");
	ask_refused(client_connect(world), CODE_BAD_NAME, "hello operator");
}

static void numbers_are_told(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask(door, "ban 10.0.0.0/8");
	world_advance(world, 5000);
	const struct stats *stats = ask(door, "stats")->stats;
	assert_string_equal(stats->version, "0.1.0");
	assert_int_equal(stats->uptime_ms, 5000 + world->now_ms - WORLD_START_MS - 5000);
	assert_int_equal(stats->connections, 3);
	assert_int_equal(stats->online, 2);
	assert_int_equal(stats->rooms[STATUS_PLAYING], 1);
	assert_int_equal(stats->bans, 1);
	assert_false(stats->draining);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(a_notice_reaches_all_or_a_room_or_a_name),
			WORLD_TEST(who_is_kicked_may_come_again),
			WORLD_TEST(all_rooms_are_listed_with_who_is_in_them),
			WORLD_TEST(a_room_is_closed_for_all_once_that_is_stored),
			WORLD_TEST(a_released_name_is_free_and_its_token_and_connections_are_dead),
			WORLD_TEST(what_he_played_goes_with_who_had_the_name_not_with_who_gets_it),
			WORLD_TEST(seats_that_were_on_their_way_are_not_the_next_owners),
			WORLD_TEST(who_is_being_released_takes_no_seat),
			WORLD_TEST(what_an_operator_could_not_have_stored_changes_nothing),
			WORLD_TEST(while_it_drains_games_go_on_and_none_begins),
			WORLD_TEST(who_comes_while_it_drains_may_finish_his_game_and_nothing_else),
			WORLD_TEST(a_bot_takes_no_rematch_while_it_drains),
			WORLD_TEST(a_drain_ends_in_time_or_is_taken_back),
			WORLD_TEST(the_message_of_the_day_is_told_to_who_comes_next),
			WORLD_TEST(an_operator_has_no_name_and_no_allowance_to_use_up),
			WORLD_TEST(numbers_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
