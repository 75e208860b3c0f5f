/* Players who are away: claims, and rooms that wait for nobody. */
#include <string.h>

#include "tests/world/world.h"

#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"
#define TOKEN_B "BBBBBBBBBBBBBBBBBBBBBB"
#define NO_TIME_LIMIT_MS 3600000

/* Claims. */

/* O has to act, both have moved, and X is here. */
static void open_for_claim(struct world *world, int64_t base_ms, struct table *ret)
{
	if (base_ms == 0) {
		table_open(world, "ala", "ola", ret);
	} else {
		table_open_clocks(world, base_ms, 0, ret);
	}
	table_play(ret, "1-2 2-3 3-4");
}

/* A game without clocks of two who can come back by their tokens; X has moved. */
static void open_with_tokens(struct world *world, struct table *ret)
{
	ret->x = client_connect_as(world, "ala", TOKEN_A);
	ret->o = client_connect_as(world, "ola", TOKEN_B);
	strcpy(ret->room, ask(ret->x, "create X")->room);
	ask(ret->o, "join %s", ret->room);
	world_settle(world);
	client_skip(ret->x);
	table_play(ret, "1-2");
}

/* O goes; returns the grace that X is told. */
static int64_t o_goes(const struct table *table)
{
	const struct event_presence *presence;

	client_drop(table->o);
	presence = &client_event(table->x, EVENT_PRESENCE)->presence;
	assert_string_equal(presence->player, "ola");
	assert_false(presence->online);
	assert_true(presence->has_claim);
	return presence->claim_in_ms;
}

static void expect_claim(struct client *client)
{
	const struct result *result = &client_event(client, EVENT_ENDED)->ended.result;

	assert_int_equal(result->reason, REASON_CLAIM);
	assert_int_equal(result->half_points_x, 2);
	assert_int_equal(result->half_points_o, 0);
}

/* What remains to wait is told; after exactly that the claim is good. */
static void claim_after(struct world *world, const struct table *table, int64_t grace_ms)
{
	const struct error *error;

	assert_int_equal(o_goes(table), grace_ms);
	error = ask_refused(table->x, CODE_TOO_EARLY, "claim");
	assert_true(error->has_retry);
	assert_int_equal(error->retry_ms, grace_ms);
	assert_true(error->has_board);
	world_advance(world, grace_ms - 1);
	assert_int_equal(ask_refused(table->x, CODE_TOO_EARLY, "claim")->retry_ms, 1);
	world_advance(world, 1);
	ask(table->x, "claim");
	expect_claim(table->x);
	ask_refused(table->x, CODE_GAME_OVER, "claim");
}

static void who_stays_away_for_the_grace_time_is_beaten_by_a_claim(void **state)
{
	struct table table;

	open_for_claim(*state, NO_TIME_LIMIT_MS, &table);
	claim_after(*state, &table, WORLD_CLAIM_MS);
}

static void the_grace_is_half_of_what_the_clock_shows_at_most(void **state)
{
	struct table table;

	open_for_claim(*state, 100000, &table);
	world_advance(*state, 20000);
	claim_after(*state, &table, 40000);
}

static void the_grace_is_ten_seconds_at_least(void **state)
{
	struct table table;

	open_for_claim(*state, 15000, &table);
	claim_after(*state, &table, 10000);
}

static void without_clocks_the_grace_is_a_day(void **state)
{
	struct table table;

	open_for_claim(*state, 0, &table);
	claim_after(*state, &table, WORLD_CLAIM_UNTIMED_MS);
}

static void being_away_counts_from_when_he_went_whoever_had_to_act_then(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open_clocks(world, NO_TIME_LIMIT_MS, 0, &table);
	table_play(&table, "1-2 2-3");
	assert_int_equal(o_goes(&table), WORLD_CLAIM_MS);
	world_advance(world, WORLD_CLAIM_MS - 1);
	ask_refused(table.x, CODE_NOT_ALLOWED, "claim");
	ask(table.x, "move 3 4");
	client_skip(table.x);
	ask_refused(table.x, CODE_TOO_EARLY, "claim");
	world_advance(world, 1);
	ask(table.x, "claim");
	expect_claim(table.x);
}

static void who_comes_back_in_time_begins_anew(void **state)
{
	struct world *world = *state;
	const struct event_presence *presence;
	struct client *back;
	struct table table;

	open_with_tokens(world, &table);
	o_goes(&table);
	world_advance(world, WORLD_CLAIM_UNTIMED_MS - 1);
	back = client_connect_as(world, "ola", TOKEN_B);
	presence = &client_event(table.x, EVENT_PRESENCE)->presence;
	assert_true(presence->online);
	assert_false(presence->has_claim);
	world_advance(world, 1);
	ask_refused(table.x, CODE_NOT_ALLOWED, "claim");
	table.o = back;
	assert_int_equal(o_goes(&table), WORLD_CLAIM_UNTIMED_MS);
	ask_refused(table.x, CODE_TOO_EARLY, "claim");
}

static void a_second_connection_is_enough_to_be_here(void **state)
{
	struct world *world = *state;
	struct client *ola = client_connect_as(world, "ola", TOKEN_B);
	struct table table;

	open_with_tokens(world, &table);
	client_drop(ola);
	world_settle(world);
	client_nothing(table.x);
	ask_refused(table.x, CODE_NOT_ALLOWED, "claim");
}

static void a_claim_is_for_who_waits_for_somebody_who_is_away(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct table table;

	table_open_clocks(world, NO_TIME_LIMIT_MS, 0, &table);
	ask_refused(table.x, CODE_NOT_ALLOWED, "claim");
	ask_refused(table.o, CODE_NOT_ALLOWED, "claim");
	ask_refused(watcher, CODE_NOT_SEATED, "claim %s", table.room);
	table_play(&table, "1-2");
	/* Without his first move the game is called off anyway. */
	client_drop(table.o);
	assert_false(client_event(table.x, EVENT_PRESENCE)->presence.has_claim);
	world_advance(world, WORLD_FIRST_MOVE_MS - 1);
	ask_refused(table.x, CODE_NOT_ALLOWED, "claim");
	world_advance(world, 1);
	assert_int_equal(client_event(table.x, EVENT_ENDED)->ended.result.cause,
			CAUSE_NO_FIRST_MOVE);
	ask(table.x, "create");
	client_skip(table.x);
	ask_refused(table.x, CODE_NOT_STARTED, "claim");
}

static void a_claim_that_came_before_the_flag_is_one(void **state)
{
	struct world *world = *state;
	struct table table;

	open_for_claim(world, 20000, &table);
	o_goes(&table);
	world_advance(world, 19999);
	world_hold(world);
	client_say(table.x, "claim");
	world_advance(world, 50);
	world_release(world);
	client_ok(table.x, REQUEST_CLAIM);
	expect_claim(table.x);
	client_nothing(table.x);
}

static void grace_begins_anew_after_a_restart(void **state)
{
	struct world *world = *state;
	struct table table;

	open_with_tokens(world, &table);
	o_goes(&table);
	world_advance(world, WORLD_CLAIM_UNTIMED_MS);
	world->now_ms += 5 * WORLD_CLAIM_UNTIMED_MS;
	world_restart(world);
	world_advance(world, 1000);
	table.x = client_connect_as(world, "ala", TOKEN_A);
	assert_int_equal(ask_refused(table.x, CODE_TOO_EARLY, "claim")->retry_ms,
			WORLD_CLAIM_UNTIMED_MS - 1000);
	world_advance(world, WORLD_CLAIM_UNTIMED_MS - 1000);
	ask(table.x, "claim");
	expect_claim(table.x);
}

static void a_lost_connection_ends_no_game(void **state)
{
	struct world *world = *state;
	struct client *back;
	struct table table = {.x = client_connect_as(world, "ala", TOKEN_A),
			.o = client_connect_as(world, "ola", TOKEN_B)};

	strcpy(table.room, ask(table.x, "create X")->room);
	ask(table.o, "join %s", table.room);
	client_drop(table.x);
	client_drop(table.o);
	world_advance(world, WORLD_UNTOUCHED_MS - 1);
	back = client_connect(world);
	ask(back, "hello ala token=" TOKEN_A);
	assert_int_equal(client_event(back, EVENT_STATE)->state.status, STATUS_PLAYING);
}

/* Rooms that wait. */

static const struct event *lobby_event(struct client *client, enum lobby_change change)
{
	const struct event *event = client_event(client, EVENT_LOBBY);

	assert_int_equal(event->lobby.change, change);
	return event;
}

struct waiting {
	struct client *creator;
	struct client *follower;
	char room[ROOM_ID_SIZE];
};

static void open_waiting(struct world *world, struct waiting *ret)
{
	ret->creator = client_connect_as(world, "ala", TOKEN_A);
	strcpy(ret->room, ask(ret->creator, "create X")->room);
	client_skip(ret->creator);
	ret->follower = client_connect(world);
	ask(ret->follower, "lobby follow");
}

static void who_is_away_is_matched_with_nobody(void **state)
{
	struct world *world = *state;
	struct waiting waiting;
	struct client *other = client_connect(world);

	open_waiting(world, &waiting);
	client_drop(waiting.creator);
	world_settle(world);
	assert_string_not_equal(ask(other, "match")->room, waiting.room);
}

static void the_lobby_hides_a_room_whose_creator_stays_away_until_he_is_back(void **state)
{
	struct world *world = *state;
	struct waiting waiting;

	open_waiting(world, &waiting);
	client_drop(waiting.creator);
	world_advance(world, WORLD_HIDE_AWAY_MS - 1);
	assert_int_equal(ask(waiting.follower, "lobby")->summary_count, 1);
	world_advance(world, 1);
	assert_string_equal(lobby_event(waiting.follower, LOBBY_REMOVED)->lobby.summary.room,
			waiting.room);
	assert_int_equal(ask(waiting.follower, "lobby")->summary_count, 0);
	waiting.creator = client_connect_as(world, "ala", TOKEN_A);
	assert_string_equal(lobby_event(waiting.follower, LOBBY_ADDED)->lobby.summary.room,
			waiting.room);
	assert_int_equal(ask(waiting.follower, "lobby")->summary_count, 1);
	/* And again. */
	client_drop(waiting.creator);
	world_advance(world, WORLD_HIDE_AWAY_MS);
	lobby_event(waiting.follower, LOBBY_REMOVED);
}

static void a_hidden_room_closes_without_a_further_word_to_the_lobby(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	const struct result *result;
	struct waiting waiting;

	open_waiting(world, &waiting);
	ask(watcher, "watch %s", waiting.room);
	client_drop(waiting.creator);
	world_advance(world, WORLD_CLOSE_AWAY_MS - 1);
	lobby_event(waiting.follower, LOBBY_REMOVED);
	client_skip(watcher);
	world_advance(world, 1);
	result = &client_event(watcher, EVENT_ENDED)->ended.result;
	assert_int_equal(result->cause, CAUSE_CREATOR_LEFT);
	client_nothing(waiting.follower);
	assert_int_equal(ask(waiting.follower, "lobby over")->summary_count, 1);
}

static void a_hidden_room_may_be_joined_and_is_shown_again(void **state)
{
	struct world *world = *state;
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct waiting waiting;

	open_waiting(world, &waiting);
	client_drop(waiting.creator);
	world_advance(world, WORLD_HIDE_AWAY_MS);
	lobby_event(waiting.follower, LOBBY_REMOVED);
	ask(ola, "join %s", waiting.room);
	assert_int_equal(lobby_event(waiting.follower, LOBBY_ADDED)->lobby.summary.status,
			STATUS_PLAYING);
	client_skip(ola);
	world_advance(world, WORLD_CLOSE_AWAY_MS);
	client_nothing(ola);
}

static void who_reads_slowly_learns_that_a_room_was_hidden(void **state)
{
	struct world *world = *state;
	struct waiting waiting;

	open_waiting(world, &waiting);
	client_drop(waiting.creator);
	client_stalls(waiting.follower, WORLD_BEHIND_BYTES + 1);
	world_advance(world, WORLD_HIDE_AWAY_MS);
	client_nothing(waiting.follower);
	client_stalls(waiting.follower, 0);
	assert_string_equal(lobby_event(waiting.follower, LOBBY_REMOVED)->lobby.summary.room,
			waiting.room);
	client_stalls(waiting.follower, WORLD_BEHIND_BYTES + 1);
	world_advance(world, 1);
	client_connect_as(world, "ala", TOKEN_A);
	client_stalls(waiting.follower, 0);
	lobby_event(waiting.follower, LOBBY_ADDED);
}

static void rooms_that_wait_count_from_the_start_of_the_server(void **state)
{
	struct world *world = *state;
	struct client *watcher;
	struct waiting waiting;

	open_waiting(world, &waiting);
	client_drop(waiting.creator);
	world_advance(world, WORLD_CLOSE_AWAY_MS - 1);
	world_restart(world);
	watcher = client_connect(world);
	ask(watcher, "lobby follow");
	ask(watcher, "watch %s", waiting.room);
	world_advance(world, WORLD_HIDE_AWAY_MS - 1);
	client_skip(watcher);
	world_advance(world, 1);
	lobby_event(watcher, LOBBY_REMOVED);
	world_advance(world, WORLD_CLOSE_AWAY_MS - WORLD_HIDE_AWAY_MS - 1);
	client_nothing(watcher);
	world_advance(world, 1);
	client_event(watcher, EVENT_ENDED);
}

static void a_room_kept_for_somebody_closes_too(void **state)
{
	struct world *world = *state;
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct client *ala = client_connect_as(world, "ala", NULL);
	char room[ROOM_ID_SIZE];

	strcpy(room, ask(ala, "create ola private")->room);
	client_drop(ala);
	world_advance(world, WORLD_CLOSE_AWAY_MS - 1);
	client_event(ola, EVENT_INVITED);
	assert_int_equal(ask(ola, "state %s", room)->state->status, STATUS_WAITING);
	world_advance(world, 1);
	ask_refused(ola, CODE_GAME_OVER, "join %s", room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(who_stays_away_for_the_grace_time_is_beaten_by_a_claim),
			WORLD_TEST(the_grace_is_half_of_what_the_clock_shows_at_most),
			WORLD_TEST(the_grace_is_ten_seconds_at_least),
			WORLD_TEST(without_clocks_the_grace_is_a_day),
			WORLD_TEST(being_away_counts_from_when_he_went_whoever_had_to_act_then),
			WORLD_TEST(who_comes_back_in_time_begins_anew),
			WORLD_TEST(a_second_connection_is_enough_to_be_here),
			WORLD_TEST(a_claim_is_for_who_waits_for_somebody_who_is_away),
			WORLD_TEST(a_claim_that_came_before_the_flag_is_one),
			WORLD_TEST(grace_begins_anew_after_a_restart),
			WORLD_TEST(a_lost_connection_ends_no_game),
			WORLD_TEST(who_is_away_is_matched_with_nobody),
			WORLD_TEST(the_lobby_hides_a_room_whose_creator_stays_away_until_he_is_back),
			WORLD_TEST(a_hidden_room_closes_without_a_further_word_to_the_lobby),
			WORLD_TEST(a_hidden_room_may_be_joined_and_is_shown_again),
			WORLD_TEST(who_reads_slowly_learns_that_a_room_was_hidden),
			WORLD_TEST(rooms_that_wait_count_from_the_start_of_the_server),
			WORLD_TEST(a_room_kept_for_somebody_closes_too),
	};

	return cmocka_run_group_tests_name("away", tests, NULL, NULL);
}
