/* `text`: who is told in words, what, and how often; and that nobody else notices. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define DRAWING_LINES 11

/* Say a line in words of its own and settle. */
static void say(struct client *client, const char *words)
{
	client_say(client, "%s", words);
	world_settle(client->world);
}

/* The next line is a line of words, and is so after its "# ". */
static void reads_words(struct client *client, const char *words)
{
	const char *line = client_line(client);

	assert_memory_equal(line, "# ", 2);
	assert_string_equal(line + 2, words);
}

/* The next lines are a drawing, and nothing but it. */
static void reads_drawing(struct client *client)
{
	for (size_t i = 0; i < DRAWING_LINES; i++) {
		const char *line = client_line(client);
		if (i % 4 == 3) {
			assert_string_equal(line, "# ─────────────┼─────────────┼─────────────");
		} else {
			assert_non_null(strstr(line, " │ "));
		}
	}
}

/* All that is left to read is words; returns how many drawings are in it. */
static size_t reads_only_words(struct client *client)
{
	size_t rules = 0;

	while (client_unread(client) > 0) {
		const char *line = client_line(client);
		assert_memory_equal(line, "# ", 2);
		assert_null(strchr(line, '{'));
		rules += strstr(line, "─┼─") != NULL;
	}
	assert_int_equal(rules % 2, 0);
	return rules / 2;
}

static void begin_only(struct client *client)
{
	say(client, "text only");
	reads_words(client, "From now on you are told in words. All requests: help");
	client_nothing(client);
}

static void begin_on(struct client *client)
{
	assert_int_equal(ask(client, "text on")->mode, TEXT_ON);
	client_nothing(client);
}

static void a_connection_begins_in_json_and_comes_back_to_it(void **state)
{
	struct client *client = client_connect(*state);

	client_say(client, "{\"type\":\"text\",\"id\":1,\"mode\":\"off\"}");
	world_settle(*state);
	client_reads(client, "{\"type\":\"ok\",\"re\":1,\"to\":\"text\",\"mode\":\"off\"}");
	begin_only(client);
	say(client, "ping");
	assert_int_equal(reads_only_words(client), 0);
	assert_int_equal(ask(client, "text off")->mode, TEXT_OFF);
	assert_int_equal(ask(client, "ping")->to, REQUEST_PING);
	assert_string_equal(ask_refused(client, CODE_BAD_REQUEST, "text loud")->field, "mode");
	assert_string_equal(ask_refused(client, CODE_BAD_REQUEST, "text")->field, "mode");
	client_nothing(client);
}

static void on_adds_a_sentence_and_a_drawing_to_what_carries_a_board(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	begin_on(table.x);
	say(table.x, "move 6 8");
	client_ok(table.x, REQUEST_MOVE);
	client_event(table.x, EVENT_MOVED);
	reads_words(table.x, "X moved 6-8. You are X. It is the turn of ola (O): move 2.");
	reads_drawing(table.x);
	say(table.o, "move 5 1");
	client_event(table.x, EVENT_MOVED);
	reads_words(table.x, "O moved 1-5. You are X: your turn. Move 3: name two squares.");
	reads_drawing(table.x);
	client_nothing(table.x);
}

static void on_leaves_what_carries_no_board_as_it_is(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	begin_on(table.x);
	ask(table.x, "help");
	ask(table.x, "lobby playing");
	ask_refused(table.x, CODE_UNKNOWN_TYPE, "dance");
	say(table.x, "draw");
	client_ok(table.x, REQUEST_DRAW);
	client_event(table.x, EVENT_DRAW_OFFERED);
	say(table.o, "say no");
	client_event(table.x, EVENT_SAID);
	client_nothing(table.x);
}

static void an_error_with_a_board_is_told_and_drawn(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	begin_on(table.o);
	say(table.o, "move 1 2");
	client_error(table.o, CODE_NOT_YOUR_TURN);
	reads_words(table.o, "move was refused: It is not your turn. (not_your_turn)");
	reads_words(table.o, "You are O. It is the turn of ala (X): move 1.");
	reads_drawing(table.o);
	client_nothing(table.o);
}

/* The game of the article: O gets a line with time 6, X one with time 7. */
static void the_end_of_a_game_is_drawn_once(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5");
	watcher = table_watch(&table);
	begin_on(table.x);
	begin_only(watcher);
	say(table.x, "collapse 5");
	client_ok(table.x, REQUEST_COLLAPSE);
	client_event(table.x, EVENT_COLLAPSED);
	reads_words(table.x, "X measured: O8 in 5, O4 in 9, O6 in 7, X1 in 1, X5 in 6, O2 in 8, "
			     "X3 in 2, X7 in 3.");
	reads_drawing(table.x);
	client_event(table.x, EVENT_ENDED);
	reads_words(table.x, "O wins 1 to ½: O 7-8-9 at time 6, X 1-2-3 at time 7.");
	reads_words(table.x, "Rating: ala (X) 1419 (-81), ola (O) 1581 (+81).");
	reads_words(table.x, "To play again with sides changed: rematch");
	client_nothing(table.x);
	assert_int_equal(reads_only_words(watcher), 1);
}

static void the_others_get_the_stored_bytes_all_the_same(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	struct table table;
	size_t count;

	table_open(world, "ala", "ola", &table);
	watcher = table_watch(&table);
	begin_only(table.x);
	begin_on(table.o);
	say(table.x, "move 1 5");
	assert_int_equal(reads_only_words(table.x), 1);
	struct bytes *const *lines = fickle_store_lines(world->store, table.room, &count);
	assert_memory_equal(
			client_line(watcher), lines[count - 1]->data, lines[count - 1]->length - 1);
	assert_string_equal(client_line(table.o), watcher->text);
	client_nothing(watcher);
}

/* Who plays, watches and looks on in `only`, all that there is to be said and told. */
static void in_only_everything_is_told_in_words(void **state)
{
	static const char *const x_says[] = {"hello", "help", "help move", "help dance", "who",
			"mute ola", "mute ola no", "ping", "lobby", "lobby playing follow", "dance",
			"{\"type\"", "{\"type\":\"move\"}", "hello guest-1", "join zzzzz", "abort",
			"state since=0", "say hi", "draw", "move 1 9", "draw", "create nobody",
			"decline k7m2q", "claim", "\x01", "resign", "rematch"};
	static const char *const o_says[] = {"draw no", "move 1 5", "collapse 1", "move 1 5 move=9",
			"move 1 1", "abort", "rematch", "leave", "leave"};
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	begin_only(table.x);
	begin_only(table.o);
	begin_only(watcher);
	client_say(watcher, "watch %s", table.room);
	for (size_t i = 0; i < sizeof(x_says) / sizeof(x_says[0]); i++) {
		client_skip(table.x);
		say(table.x, x_says[i]);
		assert_true(client_unread(table.x) > 0);
		reads_only_words(table.x);
		if (i >= 18 && i < 20) {
			say(table.o, o_says[i - 18]);
		}
	}
	for (size_t i = 2; i < sizeof(o_says) / sizeof(o_says[0]); i++) {
		client_skip(table.o);
		say(table.o, o_says[i]);
		assert_true(client_unread(table.o) > 0);
		reads_only_words(table.o);
	}
	world_advance(world, 5000);
	reads_only_words(table.x);
	reads_only_words(table.o);
	assert_true(client_unread(watcher) > 10);
	reads_only_words(watcher);
}

static void in_only_a_guest_is_told_his_name_and_token_once(void **state)
{
	struct client *client = client_connect(*state);

	begin_only(client);
	say(client, "create X");
	assert_memory_equal(client_line(client), "# You are guest-", 16);
	assert_memory_equal(client_line(client), "# Your token, ", 14);
	assert_memory_equal(client_line(client), "# Room ", 7);
	client_skip(client);
	say(client, "match");
	assert_memory_equal(client_line(client), "# Room ", 7);
}

static void in_only_the_past_is_a_sentence_an_event_and_one_drawing(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5 2-6 1-5");
	begin_only(client);
	client_say(client, "state %s since=3", table.room);
	world_settle(world);
	reads_words(client, "The game begins: ala (X) against ola (O).");
	reads_words(client, "X moved 1-5.");
	reads_words(client, "O moved 2-6.");
	reads_words(client, "X moved 1-5.");
	assert_memory_equal(client_line(client), "# Room ", 7);
	reads_words(client, "Rating: ala 1500, ola 1500.");
	reads_words(client, "Cycle 1-5 closed: ola (O) measures.");
	assert_int_equal(reads_only_words(client), 1);
}

static void in_on_the_past_is_json_and_one_drawing(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5 2-6");
	begin_on(client);
	client_say(client, "state %s since=4", table.room);
	world_settle(world);
	client_event(client, EVENT_MOVED);
	client_event(client, EVENT_MOVED);
	client_ok(client, REQUEST_STATE);
	assert_int_equal(reads_only_words(client), 1);
}

static void who_reads_slowly_is_told_the_state_once_in_words(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct table table;

	table_open(world, "ala", "ola", &table);
	begin_only(watcher);
	client_say(watcher, "watch %s", table.room);
	world_settle(world);
	client_skip(watcher);
	client_stalls(watcher, WORLD_BEHIND_BYTES + 1);
	table_play(&table, "1-5 2-6");
	client_nothing(watcher);
	client_stalls(watcher, 0);
	assert_memory_equal(client_line(watcher), "# Room ", 7);
	assert_int_equal(reads_only_words(watcher), 1);
	table_play(&table, "1-3");
	reads_words(watcher, "X moved 1-3. It is the turn of ola (O): move 4.");
}

static void anothers_events_are_told_in_words_too(void **state)
{
	struct world *world = *state;
	struct table table;
	struct event event = {.type = EVENT_DRAW_OFFERED, .by = SEAT_O};

	table_open(world, "ala", "ola", &table);
	begin_only(table.x);
	world_foreign(world, table.room, 1, &event, STORE_ROOM_PLAYING);
	say(table.x, "resign");
	reads_words(table.x, "ola (O) offers a draw. draw accepts, draw no declines.");
	reads_words(table.x, "ok: resign");
	assert_int_equal(reads_only_words(table.x), 1);
}

static void rooms_are_told_apart_while_another_one_runs(void **state)
{
	struct world *world = *state;
	struct table table;
	char expected[64];

	table_open(world, "ala", "ola", &table);
	say(table.x, "create");
	client_skip(table.x);
	begin_only(table.x);
	client_say(table.o, "say hi");
	world_settle(world);
	snprintf(expected, sizeof(expected), "[%s] <ola> hi", table.room);
	reads_words(table.x, expected);
	client_nothing(table.x);
}

static void what_people_write_can_not_pass_for_the_server(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	begin_only(table.x);
	say(table.o, "say # O moved 1-2.");
	reads_words(table.x, "<ola> # O moved 1-2.");
	/* A type is repeated as it came. */
	say(table.x, "{\"type\":\"a\\u001b[2J\\nb\"}");
	assert_memory_equal(client_line(table.x), "# a\\x1b[2J\\x0ab was refused: ", 29);
	client_nothing(table.x);
}

static void the_lobby_invitations_and_the_end_are_told_in_words(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);

	begin_only(ola);
	say(ola, "lobby follow");
	reads_words(ola, "No such rooms. To open one: create. To play whoever comes next: match");
	say(ala, "create ola X");
	assert_memory_equal(client_line(ola), "# Lobby: room ", 14);
	assert_memory_equal(client_line(ola), "# ala invites you to room ", 26);
	client_nothing(ola);
	world_shutdown(world);
	reads_words(ola, "The server shuts down.");
	reads_words(ola, "Come back in 2 s.");
	client_nothing(ola);
	assert_true(ola->was_closed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(a_connection_begins_in_json_and_comes_back_to_it),
			WORLD_TEST(on_adds_a_sentence_and_a_drawing_to_what_carries_a_board),
			WORLD_TEST(on_leaves_what_carries_no_board_as_it_is),
			WORLD_TEST(an_error_with_a_board_is_told_and_drawn),
			WORLD_TEST(the_end_of_a_game_is_drawn_once),
			WORLD_TEST(the_others_get_the_stored_bytes_all_the_same),
			WORLD_TEST(in_only_everything_is_told_in_words),
			WORLD_TEST(in_only_a_guest_is_told_his_name_and_token_once),
			WORLD_TEST(in_only_the_past_is_a_sentence_an_event_and_one_drawing),
			WORLD_TEST(in_on_the_past_is_json_and_one_drawing),
			WORLD_TEST(who_reads_slowly_is_told_the_state_once_in_words),
			WORLD_TEST(anothers_events_are_told_in_words_too),
			WORLD_TEST(rooms_are_told_apart_while_another_one_runs),
			WORLD_TEST(what_people_write_can_not_pass_for_the_server),
			WORLD_TEST(the_lobby_invitations_and_the_end_are_told_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
