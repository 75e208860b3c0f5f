#include "tests/unit/store/suite_ratings.h"

#include <string.h>

#include "tests/unit/store/suite.h"

static struct store_rating rating_of(int64_t games)
{
	return (struct store_rating){.games = games,
			.wins = games + 1,
			.draws = games + 2,
			.losses = games + 3,
			.milli = 1500000 - games,
			.deviation_milli = 350000 - games,
			.volatility_nano = 60000000 - games,
			.day = 20000 + games,
			.settled_day = 20100 + games};
}

struct rated {
	bool answered;
	enum store_found found;
	struct store_rating rating;
};

static void note_rating(void *arg, enum store_found found, const struct store_player *player)
{
	struct rated *rated = arg;

	rated->answered = true;
	rated->found = found;
	if (player != NULL) {
		rated->rating = player->rating;
	}
}

static void assert_rating(struct suite *suite, const char *key, int64_t games)
{
	const struct store_rating none = {0};
	const struct store_rating expected = rating_of(games);
	struct rated rated = {0};

	suite->store->ops->load_player_by_key(suite->store, key, note_rating, &rated);
	while (!rated.answered) {
		suite->deliver(suite->store);
	}
	assert_int_equal(rated.found, STORE_FOUND);
	assert_memory_equal(&rated.rating, games == 0 ? &none : &expected, sizeof(none));
}

static enum store_status rate(struct suite *suite, int64_t player, int64_t games)
{
	const struct store_rating_change change = {.player = player, .rating = rating_of(games)};
	const struct store_batch batch = {.rating_count = 1, .ratings = &change};

	return suite_commit(suite, &batch);
}

void a_player_who_is_new_has_no_rating(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	assert_rating(suite, "ala", 0);
}

void a_rating_changes_under_the_expected_number_of_games_only(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	assert_int_equal(rate(suite, 7, 2), STORE_CONFLICT);
	assert_int_equal(rate(suite, 8, 1), STORE_CONFLICT);
	assert_rating(suite, "ala", 0);
	assert_int_equal(rate(suite, 7, 1), STORE_STORED);
	assert_rating(suite, "ala", 1);
	assert_int_equal(rate(suite, 7, 1), STORE_CONFLICT);
	assert_int_equal(rate(suite, 7, 2), STORE_STORED);
	assert_rating(suite, "ala", 2);
}

void of_an_end_and_two_ratings_all_are_stored_or_none(void **state)
{
	struct suite *suite = *state;
	struct suite_change change;
	struct store_rating_change ratings[2] = {{7, rating_of(1)}, {8, rating_of(2)}};
	struct store_batch batch = {.room_count = 1,
			.rooms = &change.change,
			.rating_count = 2,
			.ratings = ratings};

	suite_commit_player(suite, 7, 1, "ala", 'a');
	suite_commit_player(suite, 8, 1, "ola", 'b');
	suite_commit_events(suite, "k7m2q", 0, 3, STORE_ROOM_PLAYING);
	suite_change_init(&change, "k7m2q", 3, 1, STORE_ROOM_OVER);
	assert_int_equal(suite_commit(suite, &batch), STORE_CONFLICT);
	assert_rating(suite, "ala", 0);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 3);
	ratings[1].rating = rating_of(1);
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	assert_rating(suite, "ala", 1);
	assert_rating(suite, "ola", 1);
	/* The event is there, so the ratings stay as they are. */
	ratings[0].rating = rating_of(2);
	ratings[1].rating = rating_of(2);
	assert_int_equal(suite_commit(suite, &batch), STORE_CONFLICT);
	assert_rating(suite, "ala", 1);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 4);
	suite_change_fini(&change);
}

void a_change_of_a_player_leaves_his_rating(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	assert_int_equal(rate(suite, 7, 1), STORE_STORED);
	suite_commit_player(suite, 7, 2, "gone-k7m2q", 'x');
	assert_rating(suite, "gone-k7m2q", 1);
	suite_commit_player(suite, 8, 1, "ala", 'a');
	assert_rating(suite, "ala", 0);
}

struct known {
	bool answered;
	enum store_found found;
	bool is_rated;
	int ahead;
	int64_t rated_ids[2];
	int64_t ids[2];
};

static void note_game(void *arg, enum store_found found, const struct store_finished *finished)
{
	struct known *known = arg;

	known->answered = true;
	known->found = found;
	if (finished == NULL) {
		return;
	}
	known->is_rated = finished->game.is_rated;
	known->ahead = finished->game.ahead;
	memcpy(known->rated_ids, finished->game.rated_ids, sizeof(known->rated_ids));
	for (int i = 0; i < 2; i++) {
		known->ids[i] = finished->players[i] == NULL ? 0 : finished->players[i]->id;
	}
}

static struct known finish(struct suite *suite, const char *room, bool is_rated)
{
	struct suite_change change;
	struct store_game game = {.room = room,
			.ended_seq = 2,
			.x_key = "ala",
			.o_key = "ola",
			.started_ms = 1,
			.ended_ms = 2,
			.result = "{}",
			.record = "1:X(1-2)",
			.is_rated = is_rated,
			.rated_ids = {is_rated ? 7 : 0, is_rated ? 8 : 0},
			.ahead = is_rated ? -1 : 0};
	struct store_batch batch = {
			.room_count = 1, .rooms = &change.change, .game_count = 1, .games = &game};
	struct known known = {0};

	suite_change_init(&change, room, 0, 2, STORE_ROOM_OVER);
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	suite_change_fini(&change);
	suite->store->ops->load_game(suite->store, room, note_game, &known);
	while (!known.answered) {
		suite->deliver(suite->store);
	}
	assert_int_equal(known.found, STORE_FOUND);
	return known;
}

void a_rated_game_is_of_those_whose_ratings_it_changed(void **state)
{
	struct suite *suite = *state;
	struct known known;

	/* Somebody else has his name by now. */
	suite_commit_player(suite, 7, 1, "gone-k7m2q", 'a');
	suite_commit_player(suite, 8, 1, "ola", 'b');
	suite_commit_player(suite, 9, 1, "ala", 'c');
	known = finish(suite, "rated", true);
	assert_true(known.is_rated);
	assert_int_equal(known.ahead, -1);
	assert_int_equal(known.rated_ids[0], 7);
	assert_int_equal(known.rated_ids[1], 8);
	assert_int_equal(known.ids[0], 7);
	assert_int_equal(known.ids[1], 8);
	known = finish(suite, "plain", false);
	assert_false(known.is_rated);
	assert_int_equal(known.rated_ids[0], 0);
	assert_int_equal(known.ids[0], 9);
	assert_int_equal(known.ids[1], 8);
}
