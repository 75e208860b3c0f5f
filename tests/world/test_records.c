/* Finished games in lists and alone, and how players stand. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"

static const struct ok *act(struct client *client, const char *line)
{
	client_skip(client);
	return ask(client, "%s", line);
}

/* One more game between the two, which X gives up; its room. */
static void play_one(
		struct client *x, struct client *o, const char *create, char ret_room[ROOM_ID_SIZE])
{
	client_skip(x);
	client_skip(o);
	message_copy(ret_room, ROOM_ID_SIZE, ask(x, "%s", create)->room);
	ask(o, "join %s", ret_room);
	client_skip(x);
	ask(x, "resign %s", ret_room);
	client_skip(x);
	client_skip(o);
}

static void a_game_is_told_while_it_is_played_and_after(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct table table;

	table_open(world, "ala", "Ola", &table);
	table_play(&table, "1-5 1-5");
	const struct ok *ok = ask(watcher, "game %s", table.room);
	assert_string_equal(ok->room, table.room);
	assert_string_equal(ok->game->record, "1:X(1-5),2:O(1-5)");
	assert_false(ok->game->has_result);
	assert_int_equal(ok->game->started_ms, world->now_ms);
	assert_string_equal(ok->game->players[0], "ala");
	assert_string_equal(ok->game->players[1], "Ola");
	world_advance(world, 7000);
	act(table.o, "resign");
	for (int i = 0; i < 2; i++) {
		ok = ask(watcher, "game %s", table.room);
		assert_string_equal(ok->game->record, "1:X(1-5),2:O(1-5)");
		assert_int_equal(ok->game->result.reason, REASON_RESIGN);
		assert_int_equal(ok->game->result.half_points_x, 2);
		assert_int_equal(ok->game->ended_ms - ok->game->started_ms, 7000);
		/* From the store, when the room is gone and when it is not. */
		world_restart(world);
		watcher = client_connect(world);
	}
}

static void a_room_without_a_game_has_none_to_tell(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	char room[ROOM_ID_SIZE];

	message_copy(room, sizeof(room), ask(ala, "create X")->room);
	ask_refused(ala, CODE_NOT_STARTED, "game %s", room);
	act(ala, "leave");
	client_skip(ala);
	ask_refused(ala, CODE_NOT_STARTED, "game %s", room);
	ask_refused(ala, CODE_NO_SUCH_ROOM, "game zzzzz");
}

static void games_are_listed_newest_first_with_the_clock_that_was_agreed(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char rooms[3][ROOM_ID_SIZE];

	play_one(ala, ola, "create X", rooms[0]);
	play_one(ola, ala, "create X clock=3+2", rooms[1]);
	play_one(ala, client_connect_as(world, "ela", NULL), "create X", rooms[2]);
	const struct ok *ok = ask(ola, "games");
	assert_int_equal(ok->game_count, 3);
	assert_false(ok->carries & OK_NEXT);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(ok->games[i].room, rooms[2 - i]);
	}
	assert_int_equal(ok->games[1].agreed.base_ms, 180000);
	assert_int_equal(ok->games[1].agreed.increment_ms, 2000);
	assert_false(ok->games[0].agreed.set);
	ok = ask(ola, "games OLA");
	assert_int_equal(ok->game_count, 2);
	assert_string_equal(ok->games[0].room, rooms[1]);
	assert_string_equal(ok->games[0].players[0], "ola");
	ask_refused(ola, CODE_NO_SUCH_PLAYER, "games nobody");
	ask_refused(ola, CODE_NO_SUCH_PLAYER, "games ?");
}

static void private_games_are_in_no_list(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char hidden[ROOM_ID_SIZE];
	char shown[ROOM_ID_SIZE];

	play_one(ala, ola, "create X private", hidden);
	play_one(ala, ola, "create X", shown);
	static const char *const lines[] = {"games", "games ala", "games ola"};
	for (size_t i = 0; i < 3; i++) {
		/* His own included: a list may be shown to others. */
		const struct ok *ok = ask(ala, "%s", lines[i]);
		assert_int_equal(ok->game_count, 1);
		assert_string_equal(ok->games[0].room, shown);
	}
	/* Who knows the room may ask for it. */
	assert_string_equal(ask(client_connect(world), "game %s", hidden)->room, hidden);
}

static void a_bots_games_are_listed_under_its_name(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);

	act(ala, "create bot-random X");
	act(ala, "resign");
	client_skip(ala);
	const struct ok *ok = ask(ala, "games BOT-RANDOM");
	assert_int_equal(ok->game_count, 1);
	assert_string_equal(ok->games[0].players[1], "bot-random");
	assert_int_equal(ask(ala, "games bot-good")->game_count, 0);
	ask_refused(ala, CODE_NO_SUCH_PLAYER, "games bot-nobody");
}

/* Pages of two while games end and the server starts again: each game once, none left out. */
static void a_cursor_stays_right_while_games_end_and_the_server_starts_again(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char rooms[7][ROOM_ID_SIZE];
	char cursor[CURSOR_SIZE] = "";
	size_t seen = 0;

	for (size_t i = 0; i < 7; i++) {
		play_one(ala, ola, "create X", rooms[i]);
	}
	while (seen < 7) {
		char later[ROOM_ID_SIZE];
		const struct ok *ok = seen == 0 ? ask(ala, "games ala limit=2")
						: ask(ala, "games ala limit=2 after=%s", cursor);
		assert_int_equal(ok->game_count, seen < 6 ? 2 : 1);
		for (size_t i = 0; i < ok->game_count; i++) {
			assert_string_equal(ok->games[i].room, rooms[6 - seen - i]);
		}
		seen += ok->game_count;
		assert_int_equal((ok->carries & OK_NEXT) != 0, seen < 7);
		message_copy(cursor, sizeof(cursor), ok->next);
		play_one(ala, ola, "create X", later);
		if (seen == 4) {
			world_restart(world);
			ala = client_connect_as(world, "ala", TOKEN_A);
			ola = client_connect_as(world, "ewa", NULL);
		}
	}
}

static void a_cursor_that_is_none_is_refused(void **state)
{
	static const char *const wrong[] = {
			"g", "g0", "5", "gx", "g5 ", "G5", "g-5", "g1000000000000000"};
	struct client *client = client_connect(*state);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		client_say(client, "{\"type\":\"games\",\"after\":\"%s\"}", wrong[i]);
		world_settle(*state);
		assert_string_equal(client_error(client, CODE_BAD_REQUEST)->field, "after");
	}
	assert_int_equal(ask(client, "games after=g7")->game_count, 0);
}

static void players_are_told_as_they_are_called_now(void **state)
{
	struct world *world = *state;
	struct client *guest = client_connect(world);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];

	act(guest, "hello");
	play_one(guest, ola, "create X", room);
	act(guest, "hello Ala");
	client_skip(ola);
	assert_string_equal(ask(ola, "games")->games[0].players[0], "Ala");
	assert_string_equal(ask(ola, "game %s", room)->game->players[0], "Ala");
	assert_int_equal(ask(ola, "games ala")->game_count, 1);
}

static void a_newcomer_and_a_bot_stand_at_the_beginning(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "Ala", NULL);
	static const char *const asked[] = {"player ALA", "player bot-good"};

	for (size_t i = 0; i < 2; i++) {
		const struct ok *ok = ask(ala, "%s", asked[i]);
		assert_string_equal(ok->name, i == 0 ? "Ala" : "bot-good");
		assert_true(ok->standing->online);
		assert_int_equal(ok->standing->rating_milli, 1500000);
		assert_int_equal(ok->standing->deviation_milli, 350000);
		assert_int_equal(ok->standing->games, 0);
	}
	ask_refused(ala, CODE_NO_SUCH_PLAYER, "player nobody");
	ask_refused(ala, CODE_NO_SUCH_PLAYER, "player bot-nobody");
	ask_refused(ala, CODE_NO_SUCH_PLAYER, "player 1");
	assert_int_equal(ask(ala, "top")->top_count, 0);
}

static void records_that_can_not_be_read_are_unavailable(void **state)
{
	static const char *const lines[] = {"game k7m2q", "games", "player ala", "top"};
	struct world *world = *state;
	struct client *client = client_connect(world);

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		fickle_store_turn(world->store, &(struct fickle_knobs){.not_readable = 1000});
		ask_refused(client, CODE_UNAVAILABLE, "%s", lines[i]);
		world_store_works(world);
	}
}

static void records_are_told_in_words_to_who_wants_that(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];
	char line[200];

	play_one(ala, ola, "create X", room);
	client_say(ola, "text only");
	world_settle(world);
	client_skip(ola);
	client_say(ola, "games");
	client_say(ola, "game %s", room);
	client_say(ola, "player ala");
	client_say(ola, "top");
	world_settle(world);
	assert_string_equal(
			client_line(ola), "# ROOM   ENDED (UTC)       X    O    CLOCK  X-O  HOW");
	snprintf(line, sizeof(line), "# %s  2027-01-15 08:00  ala  ola  -      0-1  resign", room);
	assert_string_equal(client_line(ola), line);
	snprintf(line, sizeof(line), "# Room %s: ala (X) against ola (O), no clock.", room);
	assert_string_equal(client_line(ola), line);
	assert_string_equal(client_line(ola), "# Began 2027-01-15 08:00 UTC.");
	assert_string_equal(client_line(ola), "# Ended 2027-01-15 08:00 UTC, X-O: 0-1.");
	assert_string_equal(client_line(ola), "# O wins 1 to 0: X resigned.");
	assert_string_equal(client_line(ola), "# Record: no move was made");
	assert_string_equal(client_line(ola), "# ala is here.");
	assert_non_null(strstr(client_line(ola), "# Rating 1"));
	assert_non_null(strstr(client_line(ola), "# Nobody's rating is settled yet"));
	client_nothing(ola);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(a_game_is_told_while_it_is_played_and_after),
			WORLD_TEST(a_room_without_a_game_has_none_to_tell),
			WORLD_TEST(games_are_listed_newest_first_with_the_clock_that_was_agreed),
			WORLD_TEST(private_games_are_in_no_list),
			WORLD_TEST(a_bots_games_are_listed_under_its_name),
			WORLD_TEST(a_cursor_stays_right_while_games_end_and_the_server_starts_again),
			WORLD_TEST(a_cursor_that_is_none_is_refused),
			WORLD_TEST(players_are_told_as_they_are_called_now),
			WORLD_TEST(a_newcomer_and_a_bot_stand_at_the_beginning),
			WORLD_TEST(records_that_can_not_be_read_are_unavailable),
			WORLD_TEST(records_are_told_in_words_to_who_wants_that),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
