/* Games that count for ratings: which do, what they make of them, and that each does so once. */
#include <stdio.h>
#include <string.h>

#include "protocol/encode.h"
#include "server/play/rated.h"
#include "tests/world/world.h"

#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"
#define TOKEN_B "BBBBBBBBBBBBBBBBBBBBBB"
/* What a newcomer has after a win over another one, and after a loss. */
#define WON_MILLI 1662311
#define LOST_MILLI 1337689

/* Stored ratings. */

struct asked {
	int64_t id;
	struct store_rating rating;
};

static void note_player(void *arg, enum store_found found, const struct store_player *player)
{
	struct asked *asked = arg;

	assert_int_equal(found, STORE_FOUND);
	asked->id = player->id;
	asked->rating = player->rating;
}

static struct asked stored(struct world *world, const char *key)
{
	struct asked asked = {0};

	world->store->ops->load_player_by_key(world->store, key, note_player, &asked);
	world_settle(world);
	assert_int_not_equal(asked.id, 0);
	return asked;
}

static void assert_stored(struct world *world, const char *key, int64_t games, int64_t milli)
{
	struct store_rating rating = stored(world, key).rating;

	assert_int_equal(rating.games, games);
	assert_int_equal(rating.milli, milli);
	assert_int_equal(rating.wins + rating.draws + rating.losses, games);
}

static size_t rated_games(const struct world *world)
{
	size_t count;

	fickle_store_rated(world->store, &count);
	return count;
}

/* What is stored is what all games make, one after the other, and none is there twice. */
static void assert_adds_up(struct world *world)
{
	struct rating_book ratings;
	size_t count;
	const struct fickle_rated *rated = fickle_store_rated(world->store, &count);

	rating_book_init(&ratings);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			assert_string_not_equal(rated[i].room, rated[j].room);
		}
		rating_book_add(&ratings, rated[i].ids, rated[i].ahead, rated[i].ended_ms);
	}
	for (size_t i = 0; i < 2 * count; i++) {
		int64_t id = rated[i / 2].ids[i % 2];
		struct store_rating calculated = rating_book_find(&ratings, id);
		struct store_rating rating;

		assert_true(fickle_store_rating(world->store, id, &rating));
		assert_true(rated_same(&rating, &calculated));
	}
	rating_book_fini(&ratings);
}

/* What a client is told. */

static struct ratings_changed next_ratings(struct client *client)
{
	const struct message *message = client_next(client);
	struct ratings_changed ratings;

	while (message->kind != MESSAGE_EVENT || message->event.type != EVENT_ENDED) {
		message = client_next(client);
	}
	ratings = message->event.ended.ratings;
	client_skip(client);
	return ratings;
}

static void assert_ratings(const struct ratings_changed *ratings, int64_t x_before, int64_t x_after,
		int64_t o_before, int64_t o_after)
{
	assert_true(ratings->set);
	assert_int_equal(ratings->before_milli[0], x_before);
	assert_int_equal(ratings->after_milli[0], x_after);
	assert_int_equal(ratings->before_milli[1], o_before);
	assert_int_equal(ratings->after_milli[1], o_after);
}

static void assert_shown(const struct snapshot *state, int seat, int64_t milli)
{
	assert_true(state->players[seat].rating.set);
	assert_int_equal(state->players[seat].rating.milli, milli);
}

static void pass_over(struct table *table)
{
	client_skip(table->x);
	client_skip(table->o);
}

/* Both ask, and play on with sides changed. */
static void play_on(struct table *table)
{
	struct client *x = table->o;

	ask(table->x, "rematch %s", table->room);
	pass_over(table);
	message_copy(table->room, sizeof(table->room),
			ask(table->o, "rematch %s", table->room)->new_room);
	pass_over(table);
	table->o = table->x;
	table->x = x;
}

/* A game of these two is resigned by O, and counts or does not. */
static void assert_counts(struct table *table, bool counts)
{
	pass_over(table);
	table_play(table, "1-2 2-3");
	ask(table->o, "resign %s", table->room);
	assert_int_equal(next_ratings(table->x).set, counts);
	client_skip(table->o);
}

static void open_table(struct client *x, struct client *o, const char *create, struct table *ret)
{
	*ret = (struct table){.x = x, .o = o};
	message_copy(ret->room, sizeof(ret->room), ask(x, "%s", create)->room);
	ask(o, "join %s", ret->room);
	world_settle(x->world);
	pass_over(ret);
}

/* Which games count. */

static void a_game_between_two_names_counts_and_all_are_told(void **state)
{
	struct world *world = *state;
	struct client *watcher = client_connect(world);
	struct ratings_changed ratings;
	struct table table;
	const struct ok *ok;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-2 2-3");
	ok = ask(watcher, "watch %s", table.room);
	assert_shown(ok->state, 0, 1500000);
	assert_shown(ok->state, 1, 1500000);
	pass_over(&table);
	ask(table.o, "resign");
	ratings = next_ratings(table.x);
	assert_ratings(&ratings, 1500000, WON_MILLI, 1500000, LOST_MILLI);
	ratings = next_ratings(watcher);
	assert_ratings(&ratings, 1500000, WON_MILLI, 1500000, LOST_MILLI);
	assert_stored(world, "ala", 1, WON_MILLI);
	assert_stored(world, "ola", 1, LOST_MILLI);
	client_skip(table.o);
	ok = ask(table.o, "state");
	assert_shown(ok->state, 0, WON_MILLI);
	assert_shown(ok->state, 1, LOST_MILLI);
	ok = ask(table.o, "who");
	for (size_t i = 0; i < ok->player_count; i++) {
		bool won = strcmp(ok->players[i].name, "ala") == 0;

		assert_true(ok->players[i].rating.set);
		assert_int_equal(ok->players[i].rating.milli, won ? WON_MILLI : LOST_MILLI);
	}
	assert_int_equal(ok->player_count, 2);
	assert_adds_up(world);
}

static void the_points_count_and_half_of_them_weighs_half(void **state)
{
	struct world *world = *state;
	struct ratings_changed ratings;
	struct table table;

	/* X half a point, O one: O's win gives half of what a whole one does. */
	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5");
	ask(table.x, "collapse 5");
	client_event(table.x, EVENT_COLLAPSED);
	ratings = next_ratings(table.x);
	assert_ratings(&ratings, 1500000, 1418845, 1500000, 1581155);
	assert_int_equal(stored(world, "ola").rating.wins, 1);
	assert_int_equal(stored(world, "ala").rating.losses, 1);
}

static void an_agreed_draw_counts_as_one(void **state)
{
	struct world *world = *state;
	struct ratings_changed ratings;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-2 2-3");
	ask(table.x, "draw");
	pass_over(&table);
	ask(table.o, "draw");
	ratings = next_ratings(table.x);
	assert_ratings(&ratings, 1500000, 1500000, 1500000, 1500000);
	assert_int_equal(stored(world, "ola").rating.draws, 1);
	assert_true(stored(world, "ola").rating.deviation_milli < 350000);
}

static void a_private_game_counts_too(void **state)
{
	struct world *world = *state;
	struct client *x = client_connect_as(world, "ala", NULL);
	struct client *o = client_connect_as(world, "ola", NULL);
	struct table table;

	open_table(x, o, "create X private", &table);
	assert_counts(&table, true);
}

static void a_room_that_was_opened_so_does_not_count_nor_does_its_rematch(void **state)
{
	struct world *world = *state;
	struct client *x = client_connect_as(world, "ala", NULL);
	struct client *o = client_connect_as(world, "ola", NULL);
	struct client *ela = client_connect_as(world, "ela", NULL);
	const struct snapshot *snapshot;
	struct table table;

	open_table(x, o, "create X rated=no", &table);
	snapshot = ask(x, "state")->state;
	assert_true(snapshot->rated.set);
	assert_false(snapshot->rated.on);
	assert_false(ask(ela, "lobby playing")->summaries[0].rated.on);
	assert_true(ask(ela, "lobby playing")->summaries[0].rated.set);
	assert_counts(&table, false);
	play_on(&table);
	assert_counts(&table, false);
	assert_int_equal(rated_games(world), 0);
	assert_stored(world, "ala", 0, 0);
}

static void who_is_invited_is_told_that_it_does_not_count(void **state)
{
	struct world *world = *state;
	struct client *x = client_connect_as(world, "ala", NULL);
	struct client *o = client_connect_as(world, "ola", NULL);
	const struct event *event;

	ask(x, "create ola rated=no");
	event = client_event(o, EVENT_INVITED);
	assert_true(event->invited.rated.set);
	assert_false(event->invited.rated.on);
}

static void guests_and_bots_have_no_rating(void **state)
{
	struct world *world = *state;
	struct client *x = client_connect_as(world, "ala", NULL);
	struct client *guest = client_connect(world);
	const struct snapshot *snapshot;
	struct table table;

	open_table(x, guest, "create X rated", &table);
	snapshot = ask(x, "state")->state;
	assert_shown(snapshot, 0, 1500000);
	assert_false(snapshot->players[1].rating.set);
	assert_counts(&table, false);
	ask(x, "create bot-random X rated");
	client_skip(x);
	ask(x, "resign");
	assert_false(next_ratings(x).set);
	assert_int_equal(rated_games(world), 0);
}

static void a_game_that_began_as_a_guests_does_not_count_but_its_rematch_does(void **state)
{
	struct world *world = *state;
	struct client *x = client_connect_as(world, "ala", NULL);
	struct client *guest = client_connect(world);
	struct table table;

	open_table(x, guest, "create X", &table);
	ask(guest, "hello ola");
	client_skip(x);
	client_skip(guest);
	assert_counts(&table, false);
	play_on(&table);
	assert_counts(&table, true);
	assert_int_equal(rated_games(world), 1);
}

static void a_game_that_is_called_off_does_not_count(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask(table.x, "abort");
	assert_false(next_ratings(table.o).set);
	assert_int_equal(rated_games(world), 0);
	assert_stored(world, "ala", 0, 0);
}

/* Who is not there. */

/* A game with clocks in which both have moved. */
static void open_timed(struct world *world, struct table *ret)
{
	table_open_clocks(world, 60000, 0, ret);
	table_play(ret, "1-2 2-3");
}

static void a_flag_that_falls_while_nobody_is_there_counts(void **state)
{
	struct world *world = *state;
	struct ratings_changed ratings;
	struct client *watcher;
	struct table table;

	open_timed(world, &table);
	watcher = client_connect(world);
	ask(watcher, "watch %s", table.room);
	client_drop(table.x);
	client_drop(table.o);
	world_advance(world, 59999);
	client_skip(watcher);
	world_advance(world, 1);
	ratings = next_ratings(watcher);
	assert_ratings(&ratings, 1500000, LOST_MILLI, 1500000, WON_MILLI);
	assert_stored(world, "ala", 1, LOST_MILLI);
	assert_shown(ask(watcher, "state")->state, 1, WON_MILLI);
}

static void a_flag_that_falls_after_a_restart_counts_once(void **state)
{
	struct world *world = *state;
	struct table table;

	open_timed(world, &table);
	world_restart(world);
	world_advance(world, WORLD_RETRY_MS + 60000);
	assert_stored(world, "ola", 1, WON_MILLI);
	world_restart(world);
	world_advance(world, 600000);
	assert_stored(world, "ola", 1, WON_MILLI);
	assert_stored(world, "ala", 1, LOST_MILLI);
	assert_int_equal(rated_games(world), 1);
}

static void who_asks_after_a_restart_is_told_ratings_of_who_is_away(void **state)
{
	struct world *world = *state;
	struct table table;
	char over[ROOM_ID_SIZE];
	const struct snapshot *snapshot;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", TOKEN_B);

	open_table(ala, ola, "create X", &table);
	assert_counts(&table, true);
	strcpy(over, table.room);
	open_table(ala, ola, "create X", &table);
	world_restart(world);
	/* Of a game long over. */
	snapshot = ask(client_connect(world), "state %s", over)->state;
	assert_shown(snapshot, 0, WON_MILLI);
	assert_shown(snapshot, 1, LOST_MILLI);
	/* Of the one that runs, as an event. */
	ala = client_connect(world);
	ask(ala, "hello token=" TOKEN_A);
	snapshot = &client_event(ala, EVENT_STATE)->state;
	assert_shown(snapshot, 0, WON_MILLI);
	assert_shown(snapshot, 1, LOST_MILLI);
}

static void a_store_that_cant_be_read_ends_no_game(void **state)
{
	struct world *world = *state;
	struct table table;

	open_timed(world, &table);
	client_drop(table.o);
	/* O is in memory no more. */
	world_advance(world, 1000);
	client_skip(table.x);
	fickle_store_turn(world->store, &(struct fickle_knobs){.not_readable = 1000});
	ask_refused(table.x, CODE_UNAVAILABLE, "resign");
	assert_int_equal(rated_games(world), 0);
	world_store_works(world);
	ask(table.x, "resign");
	assert_true(next_ratings(table.x).set);
	assert_adds_up(world);
}

static void on_renamed(void *arg, enum store_status status)
{
	*(enum store_status *)arg = status;
}

static void a_game_of_somebody_who_is_no_more_counts_for_nobody(void **state)
{
	struct world *world = *state;
	enum store_status status = STORE_UNKNOWN;
	struct store_player_change change = {.player = {.version = 2, .key = "gone-k7m2q"}};
	struct store_batch batch = {.player_count = 1, .players = &change};
	struct table table;

	open_timed(world, &table);
	client_drop(table.o);
	world_advance(world, 1000);
	/* Another server has taken the name. */
	change.player.id = stored(world, "ola").id;
	change.player.record = bytes_new("{}\n", 3);
	world->store->ops->commit(world->store, &batch, on_renamed, &status);
	world_settle(world);
	assert_int_equal(status, STORE_STORED);
	bytes_unref(change.player.record);
	client_skip(table.x);
	ask(table.x, "resign");
	assert_false(next_ratings(table.x).set);
	assert_int_equal(rated_games(world), 0);
}

static void a_game_of_somebody_whose_name_was_released_counts_for_nobody(void **state)
{
	struct world *world = *state;
	struct table table;

	open_timed(world, &table);
	ask(client_connect_operator(world), "release ola");
	client_skip(table.x);
	ask(table.x, "resign");
	assert_false(next_ratings(table.x).set);
	assert_int_equal(rated_games(world), 0);
}

/* Several at once. */

#define MANY 12

static void ends_of_one_players_games_at_once_count_one_after_the_other(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct table tables[MANY];
	char name[16];

	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "ola-%d", i);
		open_table(ala, client_connect_as(world, name, NULL), "create X", &tables[i]);
		table_play(&tables[i], "1-2 2-3");
	}
	world_hold(world);
	for (int i = 0; i < MANY; i++) {
		client_skip(tables[i].o);
		client_say(tables[i].o, "resign");
	}
	world_settle(world);
	assert_int_equal(rated_games(world), 0);
	world_release(world);
	assert_int_equal(rated_games(world), MANY);
	for (int i = 0; i < MANY; i++) {
		client_ok(tables[i].o, REQUEST_RESIGN);
		assert_true(next_ratings(tables[i].o).set);
	}
	assert_int_equal(stored(world, "ala").rating.wins, MANY);
	assert_adds_up(world);
}

/* Another server has rated a game of X's meanwhile. */
static void rate_elsewhere(struct world *world, const char *key)
{
	enum store_status status = STORE_UNKNOWN;
	struct asked asked = stored(world, key);
	const struct store_rating before[2] = {asked.rating, {0}};
	struct store_rating after[2];
	struct store_rating_change change;
	struct store_batch batch = {.rating_count = 1, .ratings = &change};

	rated_game(before, 2, world->now_ms, after);
	change = (struct store_rating_change){asked.id, after[0]};
	world->store->ops->commit(world->store, &batch, on_renamed, &status);
	world_settle(world);
	assert_int_equal(status, STORE_STORED);
}

static void who_was_rated_by_another_server_is_decided_again(void **state)
{
	struct world *world = *state;
	struct ratings_changed ratings;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-2 2-3");
	rate_elsewhere(world, "ala");
	pass_over(&table);
	ask(table.o, "resign");
	ratings = next_ratings(table.x);
	pass_over(&table);
	assert_true(ratings.set);
	assert_int_equal(ratings.before_milli[0], WON_MILLI);
	assert_int_equal(stored(world, "ala").rating.games, 2);
	assert_int_equal(stored(world, "ala").rating.milli, ratings.after_milli[0]);
	assert_int_equal(stored(world, "ola").rating.games, 1);
	/* And again, once what is in memory is right. */
	rate_elsewhere(world, "ola");
	open_table(table.x, table.o, "create X", &table);
	assert_counts(&table, true);
	assert_int_equal(stored(world, "ola").rating.games, 3);
}

/* What nobody knows. */

static void end_with_unknown(struct world *world, bool kept)
{
	struct table table;

	open_timed(world, &table);
	client_skip(table.x);
	client_skip(table.o);
	world_store_forgets(world, kept);
	client_say(table.o, "resign");
	world_settle(world);
	world_store_works(world);
	world_advance(world, 1000);
	assert_int_equal(rated_games(world), kept ? 1 : 0);
	if (kept) {
		client_ok(table.o, REQUEST_RESIGN);
		client_event(table.o, EVENT_ENDED);
		assert_stored(world, "ala", 1, WON_MILLI);
	} else {
		client_error(table.o, CODE_UNAVAILABLE);
		client_skip(table.x);
		ask(table.o, "resign");
		assert_true(next_ratings(table.x).set);
	}
	/* The next one counts from there. */
	pass_over(&table);
	open_table(table.x, table.o, "create X", &table);
	assert_counts(&table, true);
	assert_int_equal(rated_games(world), 2);
	assert_adds_up(world);
}

static void an_end_of_unknown_outcome_that_was_kept_counts_once(void **state)
{
	end_with_unknown(*state, true);
}

static void an_end_of_unknown_outcome_that_was_lost_counts_when_it_comes_again(void **state)
{
	end_with_unknown(*state, false);
}

/* Days. */

static void idle_days_make_a_rating_less_sure(void **state)
{
	struct world *world = *state;
	struct client *x = client_connect_as(world, "ala", TOKEN_A);
	struct client *o = client_connect_as(world, "ola", TOKEN_B);
	struct store_rating first;
	struct store_rating second;
	struct store_rating later;
	struct table table;

	open_table(x, o, "create X", &table);
	assert_counts(&table, true);
	first = stored(world, "ala").rating;
	open_table(x, o, "create X", &table);
	assert_counts(&table, true);
	second = stored(world, "ala").rating;
	assert_int_equal(second.day, first.day);
	assert_true(second.deviation_milli < first.deviation_milli);
	world->now_ms += INT64_C(86400000) * 1000;
	world_restart(world);
	x = client_connect_as(world, "ala", TOKEN_A);
	o = client_connect_as(world, "ola", TOKEN_B);
	open_table(x, o, "create X", &table);
	assert_counts(&table, true);
	later = stored(world, "ala").rating;
	assert_int_equal(later.day, first.day + 1000);
	assert_true(later.deviation_milli > second.deviation_milli);
	assert_adds_up(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(a_game_between_two_names_counts_and_all_are_told),
			WORLD_TEST(the_points_count_and_half_of_them_weighs_half),
			WORLD_TEST(an_agreed_draw_counts_as_one),
			WORLD_TEST(a_private_game_counts_too),
			WORLD_TEST(a_room_that_was_opened_so_does_not_count_nor_does_its_rematch),
			WORLD_TEST(who_is_invited_is_told_that_it_does_not_count),
			WORLD_TEST(guests_and_bots_have_no_rating),
			WORLD_TEST(a_game_that_began_as_a_guests_does_not_count_but_its_rematch_does),
			WORLD_TEST(a_game_that_is_called_off_does_not_count),
			WORLD_TEST(a_flag_that_falls_while_nobody_is_there_counts),
			WORLD_TEST(a_flag_that_falls_after_a_restart_counts_once),
			WORLD_TEST(who_asks_after_a_restart_is_told_ratings_of_who_is_away),
			WORLD_TEST(a_store_that_cant_be_read_ends_no_game),
			WORLD_TEST(a_game_of_somebody_who_is_no_more_counts_for_nobody),
			WORLD_TEST(a_game_of_somebody_whose_name_was_released_counts_for_nobody),
			WORLD_TEST(ends_of_one_players_games_at_once_count_one_after_the_other),
			WORLD_TEST(who_was_rated_by_another_server_is_decided_again),
			WORLD_TEST(an_end_of_unknown_outcome_that_was_kept_counts_once),
			WORLD_TEST(an_end_of_unknown_outcome_that_was_lost_counts_when_it_comes_again),
			WORLD_TEST(idle_days_make_a_rating_less_sure),
	};

	return cmocka_run_group_tests_name("rated", tests, NULL, NULL);
}
