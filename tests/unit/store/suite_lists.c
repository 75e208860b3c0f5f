#include "tests/unit/store/suite_lists.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/store/suite.h"

#define ROWS_MAX (STORE_GAMES_MAX + 1)

static void finish(struct suite *suite, int number, const char *x_key, const char *o_key,
		bool is_private)
{
	char room[16];
	struct suite_change change;
	struct store_game game = {.room = room,
			.ended_seq = 2,
			.x_key = x_key,
			.o_key = o_key,
			.is_private = is_private,
			.started_ms = number,
			/* Times tell nothing of the order. */
			.ended_ms = 1000 - number,
			.has_clock = true,
			.base_ms = 180000 + number,
			.increment_ms = 2000,
			.result = "{}",
			.record = "1:X(1-2)"};
	struct store_batch batch = {
			.room_count = 1, .rooms = &change.change, .game_count = 1, .games = &game};

	snprintf(room, sizeof(room), "room%d", number);
	suite_change_init(&change, room, 0, 2, STORE_ROOM_OVER);
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	suite_change_fini(&change);
}

struct listed {
	bool answered;
	size_t count;
	int numbers[ROWS_MAX];
	char players[ROWS_MAX][2][16];
	int64_t next;
};

static void note_games(void *arg, enum store_found found, size_t count,
		const struct store_finished *games, int64_t next)
{
	struct listed *listed = arg;

	assert_int_equal(found, STORE_FOUND);
	assert_true(count <= ROWS_MAX);
	listed->answered = true;
	listed->count = count;
	listed->next = next;
	for (size_t i = 0; i < count; i++) {
		const struct store_game *game = &games[i].game;

		listed->numbers[i] = (int)game->started_ms;
		assert_int_equal(game->base_ms, 180000 + game->started_ms);
		assert_int_equal(game->increment_ms, 2000);
		assert_int_equal(games[i].count, 0);
		assert_true(i == 0 || games[i].place < games[i - 1].place);
		for (int seat = 0; seat < 2; seat++) {
			const char *key = seat == 0 ? game->x_key : game->o_key;

			assert_int_equal(key == NULL, games[i].players[seat] != NULL);
			snprintf(listed->players[i][seat], sizeof(listed->players[i][seat]), "%s",
					key == NULL ? games[i].players[seat]->key : key);
		}
	}
}

/* What it shows is valid until the next call. */
static const struct listed *list(
		struct suite *suite, int64_t player, const char *key, int64_t after, size_t limit)
{
	const struct store_games_query query = {
			.player = player, .key = key, .after = after, .limit = limit};
	static struct listed listed;

	listed = (struct listed){0};
	suite->store->ops->load_games(suite->store, &query, note_games, &listed);
	assert_false(listed.answered);
	while (!listed.answered) {
		suite->deliver(suite->store);
	}
	return &listed;
}

void games_are_listed_from_the_last_one_on(void **state)
{
	struct suite *suite = *state;
	const struct listed *listed = list(suite, 0, NULL, 0, 10);

	assert_int_equal(listed->count, 0);
	suite_commit_player(suite, 7, 1, "ala", 'a');
	for (int i = 1; i <= 3; i++) {
		finish(suite, i, i == 2 ? "bot-good" : "ala", i == 2 ? "ala" : "bot-good", false);
	}
	listed = list(suite, 0, NULL, 0, 3);
	assert_int_equal(listed->count, 3);
	assert_int_equal(listed->next, 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(listed->numbers[i], 3 - i);
		assert_string_equal(listed->players[i][0], i == 1 ? "bot-good" : "ala");
		assert_string_equal(listed->players[i][1], i == 1 ? "ala" : "bot-good");
	}
}

void a_list_goes_on_from_its_place_while_games_are_added(void **state)
{
	struct suite *suite = *state;
	int64_t after = 0;
	int number = 230;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	for (int i = 1; i <= number; i++) {
		finish(suite, i, "ala", "bot-good", false);
	}
	do {
		const struct listed *listed = list(suite, 7, NULL, after, STORE_GAMES_MAX);

		for (size_t i = 0; i < listed->count; i++, number--) {
			assert_int_equal(listed->numbers[i], number);
		}
		after = listed->next;
		finish(suite, 1000 + number, "ala", "bot-good", false);
	} while (after != 0);
	assert_int_equal(number, 0);
	/* A place is the same in every list. */
	after = list(suite, 7, NULL, 0, 1)->next;
	number = list(suite, 0, NULL, after, 1)->numbers[0];
	assert_int_equal(list(suite, 0, "bot-good", after, 1)->numbers[0], number);
}

void a_players_games_are_listed_by_his_id_and_a_strangers_by_his_key(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	suite_commit_player(suite, 8, 1, "ola", 'o');
	finish(suite, 1, "ala", "ola", false);
	finish(suite, 2, "bot-good", "ala", false);
	finish(suite, 3, "ola", "bot-best", false);
	assert_int_equal(list(suite, 7, NULL, 0, 10)->count, 2);
	assert_int_equal(list(suite, 7, NULL, 0, 10)->numbers[0], 2);
	assert_int_equal(list(suite, 8, NULL, 0, 10)->numbers[1], 1);
	assert_int_equal(list(suite, 0, "bot-good", 0, 10)->numbers[0], 2);
	assert_int_equal(list(suite, 0, "bot-best", 0, 10)->count, 1);
	assert_int_equal(list(suite, 0, "ala", 0, 10)->count, 0);
	assert_int_equal(list(suite, 9, NULL, 0, 10)->count, 0);
	/* Whatever he is called. */
	suite_commit_player(suite, 7, 2, "ela", 'a');
	assert_string_equal(list(suite, 7, NULL, 0, 10)->players[1][0], "ela");
}

void private_games_are_not_listed(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	finish(suite, 1, "ala", "bot-good", false);
	finish(suite, 2, "ala", "bot-good", true);
	finish(suite, 3, "bot-good", "ala", true);
	assert_int_equal(list(suite, 0, NULL, 0, 10)->count, 1);
	assert_int_equal(list(suite, 7, NULL, 0, 10)->count, 1);
	assert_int_equal(list(suite, 0, "bot-good", 0, 10)->count, 1);
	assert_int_equal(list(suite, 0, "bot-good", 0, 1)->next, 0);
}

/* Players. */

struct top {
	bool answered;
	size_t count;
	char keys[STORE_TOP_MAX][16];
};

static void note_top(void *arg, enum store_found found, size_t count,
		const struct store_player *const *players)
{
	struct top *top = arg;

	assert_int_equal(found, STORE_FOUND);
	assert_true(count <= STORE_TOP_MAX);
	top->answered = true;
	top->count = count;
	for (size_t i = 0; i < count; i++) {
		snprintf(top->keys[i], sizeof(top->keys[i]), "%s", players[i]->key);
		assert_true(i == 0 || players[i]->rating.milli <= players[i - 1]->rating.milli);
	}
}

static struct top load_top(struct suite *suite, int64_t day, size_t limit)
{
	struct top top = {0};

	suite->store->ops->load_top(suite->store, day, limit, note_top, &top);
	while (!top.answered) {
		suite->deliver(suite->store);
	}
	return top;
}

static void rate(struct suite *suite, int64_t id, int64_t milli, int64_t settled_day)
{
	const struct store_rating_change change = {.player = id,
			.rating = {.games = 1, .milli = milli, .settled_day = settled_day}};
	const struct store_batch batch = {.rating_count = 1, .ratings = &change};

	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
}

void of_those_whose_rating_is_settled_the_highest_come_first(void **state)
{
	struct suite *suite = *state;
	struct top top;

	suite_commit_player(suite, 5, 1, "new", 'n');
	suite_commit_player(suite, 6, 1, "low", 'l');
	suite_commit_player(suite, 7, 1, "high", 'h');
	suite_commit_player(suite, 8, 1, "middle", 'm');
	suite_commit_player(suite, 9, 1, "idle", 'i');
	rate(suite, 6, 1400000, 20);
	rate(suite, 7, 1900000, 20);
	rate(suite, 8, 1600000, 20);
	rate(suite, 9, 2000000, 19);
	top = load_top(suite, 20, 10);
	assert_int_equal(top.count, 3);
	assert_string_equal(top.keys[0], "high");
	assert_string_equal(top.keys[1], "middle");
	assert_string_equal(top.keys[2], "low");
	assert_int_equal(load_top(suite, 20, 2).count, 2);
	assert_string_equal(load_top(suite, 19, 1).keys[0], "idle");
	assert_int_equal(load_top(suite, 21, 10).count, 0);
}

void who_is_gone_is_not_among_the_highest(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	suite_commit_player(suite, 8, 1, "ola", 'o');
	rate(suite, 7, 1900000, 20);
	rate(suite, 8, 1600000, 20);
	suite_commit_player(suite, 7, 2, "gone-k7m2q", 'g');
	assert_int_equal(load_top(suite, 20, 10).count, 1);
	assert_string_equal(load_top(suite, 20, 10).keys[0], "ola");
}

void a_key_that_a_batch_gives_up_is_anothers_in_the_same_batch(void **state)
{
	struct suite *suite = *state;
	struct store_player_change changes[2] = {suite_player_of(7, 2, "gone-k7m2q", 'g'),
			suite_player_of(9, 1, "ala", 'k')};
	const struct store_batch batch = {.player_count = 2, .players = changes};

	suite_commit_player(suite, 7, 1, "ala", 'a');
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	assert_int_equal(suite_player_by_key(suite, "gone-k7m2q").id, 7);
	assert_int_equal(suite_player_by_key(suite, "ala").id, 9);
	for (size_t i = 0; i < 2; i++) {
		bytes_unref(changes[i].player.record);
	}
}
