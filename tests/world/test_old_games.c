/* Games that have been over for so long that their events are dropped: what is asked about them is
 * answered from record, players and result. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"
#define LINE_SIZE 4096

/* Ask; what came before does not matter. */
static const struct ok *act(struct client *client, const char *line)
{
	client_skip(client);
	return ask(client, "%s", line);
}

static const struct ok *act_in(struct client *client, const char *what, const char *room)
{
	client_skip(client);
	return ask(client, "%s %s", what, room);
}

/* A snapshot as bytes. */
static const char *snapshot(struct client *client, const char *room, char ret_line[LINE_SIZE])
{
	client_skip(client);
	client_say(client, "state %s", room);
	world_settle(client->world);
	snprintf(ret_line, LINE_SIZE, "%s", client_line(client));
	client_nothing(client);
	return ret_line;
}

/* Everybody goes, and a day does. */
static void pass_a_day(struct world *world)
{
	while (world->client_count > 0) {
		client_drop(world->clients[0]);
		client_free(world->clients[0]);
	}
	world_advance(world, WORLD_KEEP_EVENTS_MS + WORLD_KEEP_OVER_MS + 120000);
}

/* Events in the store. */
static size_t events_left(const struct world *world, const char *room)
{
	size_t count;
	size_t left = 0;
	struct bytes *const *lines = fickle_store_lines(world->store, room, &count);

	for (size_t i = 0; i < count; i++) {
		left += lines[i] != NULL ? 1 : 0;
	}
	return left;
}

/* The room's snapshot is the same before its events were dropped and after. */
static void assert_stays(struct world *world, const char *room, size_t left)
{
	char before[LINE_SIZE];
	char after[LINE_SIZE];
	char name[ROOM_ID_SIZE];

	/* Whoever looks is online himself, and no player. */
	strcpy(name, room);
	while (world->client_count > 0) {
		client_drop(world->clients[0]);
		client_free(world->clients[0]);
	}
	snapshot(client_connect(world), name, before);
	assert_non_null(strstr(before, "\"status\":\"over\""));
	pass_a_day(world);
	assert_int_equal(events_left(world, name), left);
	assert_string_equal(snapshot(client_connect(world), name, after), before);
	world_restart(world);
	assert_string_equal(snapshot(client_connect(world), name, after), before);
}

static void a_game_that_ended_on_the_board_shows_the_same_as_before(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	act(table.x, "draw");
	table_play(&table, "1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5 c5");
	assert_int_equal(act(table.x, "state")->state->result.reason, REASON_LINE);
	assert_stays(world, table.room, 2);
}

static void a_game_that_was_resigned_in_a_private_room_shows_the_same_as_before(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "Ala", NULL);
	struct client *ola = client_connect_as(world, "Ola", NULL);
	char room[ROOM_ID_SIZE];

	strcpy(room, act(ala, "create Ola O private title=Wieczorna partia")->room);
	act_in(ola, "join", room);
	act(ola, "move 1 5");
	act(ala, "move 1 5");
	act(ola, "collapse 1");
	act(ala, "resign");
	assert_stays(world, room, 2);
}

static void a_game_against_a_bot_shows_the_same_as_before_and_is_analysed(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "Ala", NULL);
	char room[ROOM_ID_SIZE];

	strcpy(room, act(ala, "create bot-random X")->room);
	act(ala, "move 1 5");
	act(ala, "resign");
	assert_stays(world, room, 2);
	const struct ok *ok = ask(client_connect(world), "analyse %s steps", room);
	assert_int_equal(ok->half_points, -2);
	assert_int_equal(ok->step_count, 2);
}

static void what_the_clocks_showed_at_the_end_is_shown_as_before(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];
	char line[LINE_SIZE];

	strcpy(room, act(ala, "create X clock=3+2")->room);
	act_in(ola, "join", room);
	world_advance(world, 1000);
	act(ala, "move 1 5");
	world_advance(world, 5000);
	act(ola, "move 2 6");
	world_advance(world, 7000);
	act(ala, "resign");
	snapshot(ala, room, line);
	assert_null(strstr(line, "\"clock\":null"));
	assert_non_null(strstr(line, "\"running\":null}"));
	assert_stays(world, room, 2);
}

static void a_flag_that_fell_is_shown_as_before(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];
	char line[LINE_SIZE];

	strcpy(room, act(ala, "create X clock=1+0")->room);
	act_in(ola, "join", room);
	act(ala, "move 1 5");
	act(ola, "move 2 6");
	world_advance(world, 70000);
	assert_non_null(strstr(snapshot(ala, room, line), "\"flag\""));
	assert_non_null(strstr(line, "\"X_ms\":0"));
	assert_stays(world, room, 2);
}

static void a_game_that_was_aborted_shows_the_same_as_before(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	act(table.o, "abort");
	assert_stays(world, table.room, 2);
}

static void a_rematch_of_old_is_still_told(void **state)
{
	struct world *world = *state;
	struct table table;
	char next[ROOM_ID_SIZE];

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5 2-6");
	act(table.x, "resign");
	act(table.x, "rematch");
	strcpy(next, act_in(table.o, "rematch", table.room)->new_room);
	assert_stays(world, table.room, 4);
	table.o = client_connect_as(world, "bob", NULL);
	client_skip(table.o);
	ask_refused(table.o, CODE_NOT_SEATED, "rematch %s", table.room);
	assert_int_equal(act_in(table.o, "watch", next)->state->status, STATUS_PLAYING);
}

static void since_gives_the_state_alone_once_events_are_gone(void **state)
{
	struct world *world = *state;
	struct client *client;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5 2-6 3-7");
	act(table.x, "resign");
	pass_a_day(world);
	client = client_connect(world);
	for (int since = 0; since <= 8; since++) {
		assert_int_equal(
				ask(client, "state %s since=%d", table.room, since)->state->seq, 8);
		client_nothing(client);
	}
}

static void an_old_rooms_rematch_comes_after_its_last_event(void **state)
{
	static const char token_o[] = "OOOOOOOOOOOOOOOOOOOOOO";
	struct world *world = *state;
	struct client *ala = client_connect(world);
	struct client *ola = client_connect(world);
	const struct event *event;
	char room[ROOM_ID_SIZE];

	ask(ala, "hello ala token=%s", TOKEN_A);
	ask(ola, "hello ola token=%s", token_o);
	strcpy(room, act(ala, "create X title=Again")->room);
	act_in(ola, "join", room);
	act(ala, "move 1 5");
	act(ola, "resign");
	pass_a_day(world);
	assert_int_equal(events_left(world, room), 2);
	ala = client_connect(world);
	ola = client_connect(world);
	ask(ala, "hello ala token=%s", TOKEN_A);
	ask(ola, "hello ola token=%s", token_o);
	assert_int_equal(act_in(ala, "watch", room)->state->seq, 6);
	assert_int_equal(act(ala, "rematch")->seq, 7);
	world_restart(world);
	ola = client_connect(world);
	ask(ola, "hello token=%s", token_o);
	act_in(ola, "watch", room);
	assert_int_equal(act(ola, "rematch")->seq, 8);
	client_event(ola, EVENT_REMATCH);
	event = client_event(ola, EVENT_STATE);
	assert_string_equal(event->state.players[0].name, "ola");
	assert_string_equal(event->state.players[1].name, "ala");
	assert_string_equal(event->state.title, "Again");
}

static void an_old_game_shows_a_players_name_of_today(void **state)
{
	struct world *world = *state;
	struct client *guest = client_connect(world);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char token[TOKEN_SIZE];
	char room[ROOM_ID_SIZE];

	strcpy(token, act(guest, "hello")->token);
	strcpy(room, act(guest, "create X")->room);
	act_in(ola, "join", room);
	act(guest, "resign");
	pass_a_day(world);
	guest = client_connect(world);
	ask(guest, "hello token=%s", token);
	act(guest, "hello ala");
	client_skip(guest);
	assert_string_equal(act_in(guest, "state", room)->state->players[0].name, "ala");
}

static void of_a_room_in_which_nobody_played_nothing_is_left(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	char room[ROOM_ID_SIZE];

	strcpy(room, act(ala, "create")->room);
	act(ala, "leave");
	assert_int_equal(ask(client_connect(world), "state %s", room)->state->status, STATUS_OVER);
	pass_a_day(world);
	ask_refused(client_connect(world), CODE_NO_SUCH_ROOM, "state %s", room);
}

static void a_game_that_runs_for_days_keeps_its_events(void **state)
{
	struct world *world = *state;
	struct client *client;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5 2-6");
	pass_a_day(world);
	client = client_connect(world);
	client_say(client, "state %s since=0", table.room);
	world_settle(world);
	client_event(client, EVENT_OPENED);
	assert_int_equal(events_left(world, table.room), 6);
}

static void a_room_in_memory_outlives_its_events_in_the_store(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	act(table.o, "resign");
	world_advance(world, WORLD_KEEP_EVENTS_MS + 120000);
	assert_int_equal(events_left(world, table.room), 2);
	client_skip(table.x);
	client_say(table.x, "state since=3");
	world_settle(world);
	client_event(table.x, EVENT_STARTED);
	client_event(table.x, EVENT_ENDED);
	client_ok(table.x, REQUEST_STATE);
	assert_int_equal(act(table.x, "rematch")->seq, 6);
}

static void an_old_game_that_cant_be_read_is_unavailable_and_later_there(void **state)
{
	struct world *world = *state;
	struct client *client;
	struct table table;
	int refused = 0;

	table_open(world, "ala", "ola", &table);
	act(table.o, "resign");
	pass_a_day(world);
	client = client_connect(world);
	fickle_store_turn(world->store, &(struct fickle_knobs){.not_readable = 500});
	/* The first load fails, or the second one. */
	for (int i = 0; i < 20 && refused < 5; i++) {
		client_say(client, "state %s", table.room);
		world_settle(world);
		if (client_next(client)->kind == MESSAGE_ERROR) {
			assert_int_equal(client->message.error.code, CODE_UNAVAILABLE);
			refused++;
		} else {
			world_advance(world, WORLD_KEEP_OVER_MS);
		}
	}
	assert_int_equal(refused, 5);
	world_store_works(world);
	assert_int_equal(act_in(client, "state", table.room)->state->seq, 5);
}

static void an_end_whose_outcome_stays_unknown_until_its_events_are_gone_is_settled(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5 5-9 1-9 c1");
	fickle_store_turn(world->store, &(struct fickle_knobs){.unknown = 1000,
							.unknown_kept = 1000,
							.not_readable = 1000});
	client_say(table.x, "resign");
	world_settle(world);
	client_nothing(table.x);
	world->store->ops->drop_events(world->store, INT64_MAX);
	assert_int_equal(events_left(world, table.room), 2);
	world_store_works(world);
	world_advance(world, 1000);
	assert_int_equal(client_ok(table.x, REQUEST_RESIGN)->seq, 9);
}

static void a_guest_whose_room_closed_long_ago_may_still_claim_a_name(void **state)
{
	struct world *world = *state;
	struct client *guest = client_connect(world);
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	char room[ROOM_ID_SIZE];

	strcpy(room, ask(guest, "create ala")->room);
	act_in(ala, "decline", room);
	/* He follows it, so it is in memory, and no more in the store. */
	world_advance(world, WORLD_KEEP_EVENTS_MS + 120000);
	assert_int_equal(events_left(world, room), 0);
	assert_string_equal(act(guest, "hello ola")->name, "ola");
}

static void how_long_events_are_kept_may_be_changed_to_for_ever_and_back(void **state)
{
	struct world *world = *state;
	struct play_config config = world->config;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5 1-5 c1");
	act(table.x, "resign");
	const size_t all = events_left(world, table.room);
	config.keep_events_ms = 0;
	play_change(world->play, &config);
	pass_a_day(world);
	assert_int_equal(events_left(world, table.room), all);
	play_change(world->play, &world->config);
	world_advance(world, 120000);
	assert_int_equal(events_left(world, table.room), 2);
}

static void how_long_guests_are_kept_may_be_changed_to_for_ever_and_back(void **state)
{
	struct world *world = *state;
	struct play_config config = world->config;
	struct client *guest = client_connect(world);
	char hello[96];

	snprintf(hello, sizeof(hello), "hello token=%s", ask(guest, "hello")->token);
	config.keep_guests_ms = 0;
	play_change(world->play, &config);
	client_drop(guest);
	client_free(guest);
	world_advance(world, 2 * (int64_t)WORLD_KEEP_GUESTS_MS);
	guest = client_connect(world);
	ask(guest, "%s", hello);
	client_drop(guest);
	client_free(guest);
	play_change(world->play, &world->config);
	world_advance(world, 2 * (int64_t)WORLD_KEEP_GUESTS_MS);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "%s", hello);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(a_game_that_ended_on_the_board_shows_the_same_as_before),
			WORLD_TEST(a_game_that_was_resigned_in_a_private_room_shows_the_same_as_before),
			WORLD_TEST(a_game_against_a_bot_shows_the_same_as_before_and_is_analysed),
			WORLD_TEST(what_the_clocks_showed_at_the_end_is_shown_as_before),
			WORLD_TEST(a_flag_that_fell_is_shown_as_before),
			WORLD_TEST(a_game_that_was_aborted_shows_the_same_as_before),
			WORLD_TEST(a_rematch_of_old_is_still_told),
			WORLD_TEST(since_gives_the_state_alone_once_events_are_gone),
			WORLD_TEST(an_old_rooms_rematch_comes_after_its_last_event),
			WORLD_TEST(an_old_game_shows_a_players_name_of_today),
			WORLD_TEST(of_a_room_in_which_nobody_played_nothing_is_left),
			WORLD_TEST(a_game_that_runs_for_days_keeps_its_events),
			WORLD_TEST(a_room_in_memory_outlives_its_events_in_the_store),
			WORLD_TEST(an_old_game_that_cant_be_read_is_unavailable_and_later_there),
			WORLD_TEST(an_end_whose_outcome_stays_unknown_until_its_events_are_gone_is_settled),
			WORLD_TEST(a_guest_whose_room_closed_long_ago_may_still_claim_a_name),
			WORLD_TEST(how_long_events_are_kept_may_be_changed_to_for_ever_and_back),
			WORLD_TEST(how_long_guests_are_kept_may_be_changed_to_for_ever_and_back),
	};

	return cmocka_run_group_tests_name("old_games", tests, NULL, NULL);
}
