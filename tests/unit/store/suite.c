#include "tests/unit/store/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"
#include "tests/unit/store/suite_bans.h"
#include "tests/unit/store/suite_games.h"
#include "tests/unit/store/suite_guests.h"
#include "tests/unit/store/suite_ratings.h"

#define MANY_ROOMS 500

/* Rooms. */

static void events_come_back_byte_for_byte(void **state)
{
	struct suite *suite = *state;

	assert_int_equal(suite_commit_events(suite, "k7m2q", 0, 3, STORE_ROOM_WAITING),
			STORE_STORED);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 3, 1, STORE_ROOM_PLAYING),
			STORE_STORED);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 4);
}

struct raw_line {
	bool answered;
	const struct bytes *expected;
};

static void note_raw_line(
		void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct raw_line *raw = arg;

	assert_int_equal(found, STORE_FOUND);
	assert_int_equal(count, 1);
	assert_int_equal(lines[0]->length, raw->expected->length);
	assert_memory_equal(lines[0]->data, raw->expected->data, raw->expected->length);
	raw->answered = true;
}

static void a_line_may_hold_any_byte(void **state)
{
	struct suite *suite = *state;
	char data[256];
	struct bytes *line;
	struct store_room_change change = {.room = "k7m2q", .count = 1, .lines = &line, .at_ms = 5};
	struct store_batch batch = {.room_count = 1, .rooms = &change};
	struct raw_line raw = {0};

	for (size_t i = 0; i < sizeof(data); i++) {
		data[i] = (char)i;
	}
	line = bytes_new(data, sizeof(data));
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	raw.expected = line;
	suite->store->ops->load_room(suite->store, "k7m2q", 0, note_raw_line, &raw);
	while (!raw.answered) {
		suite->deliver(suite->store);
	}
	bytes_unref(line);
}

static void events_are_loaded_from_a_seq_on(void **state)
{
	struct suite *suite = *state;

	suite_commit_events(suite, "k7m2q", 0, 5, STORE_ROOM_PLAYING);
	assert_int_equal(suite_count_events(suite, "k7m2q", 2), 3);
	assert_int_equal(suite_count_events(suite, "k7m2q", 5), 0);
	assert_int_equal(suite_count_events(suite, "k7m2q", 9), 0);
}

static void a_room_that_nobody_opened_is_absent(void **state)
{
	assert_int_equal(suite_count_events(*state, "k7m2q", 0), -1);
}

static void the_second_with_the_same_seq_is_a_conflict(void **state)
{
	struct suite *suite = *state;

	suite_commit_events(suite, "k7m2q", 0, 2, STORE_ROOM_PLAYING);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 2, 1, STORE_ROOM_PLAYING),
			STORE_STORED);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 2, 1, STORE_ROOM_PLAYING),
			STORE_CONFLICT);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 3);
}

static void a_gap_in_seq_is_a_conflict(void **state)
{
	struct suite *suite = *state;

	suite_commit_events(suite, "k7m2q", 0, 2, STORE_ROOM_PLAYING);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 3, 1, STORE_ROOM_PLAYING),
			STORE_CONFLICT);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 2);
}

static void a_room_is_opened_once(void **state)
{
	struct suite *suite = *state;

	suite_commit_events(suite, "k7m2q", 0, 1, STORE_ROOM_WAITING);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 0, 1, STORE_ROOM_WAITING),
			STORE_CONFLICT);
	assert_int_equal(suite_commit_events(suite, "zzzzz", 1, 1, STORE_ROOM_WAITING),
			STORE_CONFLICT);
	assert_int_equal(suite_count_events(suite, "zzzzz", 0), -1);
}

static void of_two_rooms_both_are_stored_or_none(void **state)
{
	struct suite *suite = *state;
	struct suite_change old;
	struct suite_change next;
	struct store_room_change changes[2];
	struct store_batch batch = {.room_count = 2, .rooms = changes};

	suite_commit_events(suite, "aaaaa", 0, 2, STORE_ROOM_OVER);
	suite_commit_events(suite, "bbbbb", 0, 1, STORE_ROOM_WAITING);
	suite_change_init(&old, "aaaaa", 2, 1, STORE_ROOM_OVER);
	suite_change_init(&next, "bbbbb", 0, 2, STORE_ROOM_PLAYING);
	changes[0] = old.change;
	changes[1] = next.change;
	assert_int_equal(suite_commit(suite, &batch), STORE_CONFLICT);
	assert_int_equal(suite_count_events(suite, "aaaaa", 0), 2);
	assert_int_equal(suite_count_events(suite, "bbbbb", 0), 1);
	suite_change_fini(&next);
	suite_change_init(&next, "ccccc", 0, 2, STORE_ROOM_PLAYING);
	changes[1] = next.change;
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	assert_int_equal(suite_count_events(suite, "aaaaa", 0), 3);
	assert_int_equal(suite_count_events(suite, "ccccc", 0), 2);
	suite_change_fini(&old);
	suite_change_fini(&next);
}

/* Players. */

static void a_player_is_found_by_key_and_by_token(void **state)
{
	struct suite *suite = *state;
	struct suite_loaded_player by_key;
	struct suite_loaded_player by_token;

	assert_int_equal(suite_commit_player(suite, INT64_MAX, 1, "ala", 'a'), STORE_STORED);
	by_key = suite_player_by_key(suite, "ala");
	assert_int_equal(by_key.found, STORE_FOUND);
	assert_true(by_key.id == INT64_MAX);
	assert_int_equal(by_key.version, 1);
	assert_string_equal(by_key.key, "ala");
	assert_int_equal(by_key.token, 'a');
	assert_string_equal(by_key.record, "{\"name\":\"ala\",\"version\":1}");
	by_token = suite_player_by_token(suite, 'a');
	assert_int_equal(by_token.found, STORE_FOUND);
	assert_true(by_token.id == INT64_MAX);
	assert_string_equal(by_token.key, "ala");
	assert_string_equal(by_token.record, by_key.record);
}

static void a_player_that_nobody_added_is_absent(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	assert_int_equal(suite_player_by_key(suite, "al").found, STORE_ABSENT);
	assert_int_equal(suite_player_by_token(suite, 'b').found, STORE_ABSENT);
}

static void a_player_changes_under_the_expected_version_only(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "guest-k7m2q", 'a');
	assert_int_equal(suite_commit_player(suite, 7, 1, "ala", 'b'), STORE_CONFLICT);
	assert_int_equal(suite_commit_player(suite, 7, 3, "ala", 'b'), STORE_CONFLICT);
	assert_int_equal(suite_commit_player(suite, 8, 2, "ola", 'c'), STORE_CONFLICT);
	assert_int_equal(suite_commit_player(suite, 7, 2, "ala", 'b'), STORE_STORED);
	assert_int_equal(suite_player_by_key(suite, "ala").version, 2);
	assert_int_equal(suite_player_by_key(suite, "guest-k7m2q").found, STORE_ABSENT);
	assert_int_equal(suite_player_by_token(suite, 'a').found, STORE_ABSENT);
}

static void a_key_belongs_to_one_player(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	suite_commit_player(suite, 8, 1, "ola", 'b');
	assert_int_equal(suite_commit_player(suite, 9, 1, "ala", 'c'), STORE_CONFLICT);
	assert_int_equal(suite_commit_player(suite, 8, 2, "ala", 'b'), STORE_CONFLICT);
	assert_int_equal(suite_player_by_key(suite, "ala").id, 7);
	assert_int_equal(suite_player_by_key(suite, "ola").version, 1);
	assert_int_equal(suite_player_by_token(suite, 'c').found, STORE_ABSENT);
}

static void a_token_belongs_to_one_player(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	assert_int_equal(suite_commit_player(suite, 8, 1, "ola", 'a'), STORE_CONFLICT);
	assert_int_equal(suite_player_by_key(suite, "ola").found, STORE_ABSENT);
}

static void a_name_that_was_given_up_is_free(void **state)
{
	struct suite *suite = *state;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	suite_commit_player(suite, 7, 2, "gone-k7m2q", 'x');
	assert_int_equal(suite_commit_player(suite, 8, 1, "ala", 'b'), STORE_STORED);
	assert_int_equal(suite_player_by_key(suite, "ala").id, 8);
}

static void two_new_players_with_one_key_are_a_conflict(void **state)
{
	struct suite *suite = *state;
	struct store_player_change changes[2] = {
			suite_player_of(7, 1, "ala", 'a'), suite_player_of(8, 1, "ala", 'b')};
	struct store_batch batch = {.player_count = 2, .players = changes};

	assert_int_equal(suite_commit(suite, &batch), STORE_CONFLICT);
	assert_int_equal(suite_player_by_key(suite, "ala").found, STORE_ABSENT);
	bytes_unref(changes[0].player.record);
	bytes_unref(changes[1].player.record);
}

/* Batches. */

static void a_conflict_of_a_player_keeps_the_room_as_it_was(void **state)
{
	struct suite *suite = *state;
	struct store_player_change players[2] = {
			suite_player_of(7, 2, "ala", 'a'), suite_player_of(8, 1, "ola", 'b')};
	struct suite_change change;
	struct store_batch batch = {.room_count = 1,
			.rooms = &change.change,
			.player_count = 2,
			.players = players};

	suite_commit_player(suite, 7, 1, "ala", 'a');
	suite_commit_player(suite, 8, 1, "ola", 'b');
	suite_commit_events(suite, "k7m2q", 0, 1, STORE_ROOM_PLAYING);
	suite_change_init(&change, "k7m2q", 1, 2, STORE_ROOM_OVER);
	assert_int_equal(suite_commit(suite, &batch), STORE_CONFLICT);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 1);
	assert_int_equal(suite_player_by_key(suite, "ala").version, 1);
	players[1].player.version = 2;
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 3);
	assert_int_equal(suite_player_by_key(suite, "ala").version, 2);
	assert_int_equal(suite_player_by_key(suite, "ola").version, 2);
	suite_change_fini(&change);
	bytes_unref(players[0].player.record);
	bytes_unref(players[1].player.record);
}

static void a_conflict_of_a_room_keeps_the_player_as_he_was(void **state)
{
	struct suite *suite = *state;
	struct store_player_change player = suite_player_of(7, 1, "ala", 'a');
	struct suite_change change;
	struct store_batch batch = {.room_count = 1,
			.rooms = &change.change,
			.player_count = 1,
			.players = &player};

	suite_change_init(&change, "k7m2q", 4, 1, STORE_ROOM_OVER);
	assert_int_equal(suite_commit(suite, &batch), STORE_CONFLICT);
	assert_int_equal(suite_player_by_key(suite, "ala").found, STORE_ABSENT);
	suite_change_fini(&change);
	bytes_unref(player.player.record);
}

static void a_batch_of_nothing_is_stored(void **state)
{
	struct store_batch batch = {0};

	assert_int_equal(suite_commit(*state, &batch), STORE_STORED);
}

/* Rooms in progress. */

struct unfinished {
	bool answered;
	size_t count;
	char rooms[8][16];
	size_t events[8];
};

static void note_unfinished_room(
		void *arg, const char *room, size_t count, struct bytes *const *lines)
{
	struct unfinished *unfinished = arg;

	assert_false(unfinished->answered);
	assert_true(unfinished->count < 8);
	suite_assert_lines(room, 0, count, lines);
	snprintf(unfinished->rooms[unfinished->count], sizeof(unfinished->rooms[0]), "%s", room);
	unfinished->events[unfinished->count++] = count;
}

static void note_unfinished(
		void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct unfinished *unfinished = arg;

	assert_int_equal(found, STORE_FOUND);
	assert_int_equal(count, 0);
	assert_null(lines);
	assert_false(unfinished->answered);
	unfinished->answered = true;
}

static void rooms_that_wait_or_play_are_listed_whole_the_oldest_first(void **state)
{
	struct suite *suite = *state;
	struct unfinished unfinished = {0};

	suite_commit_events(suite, "zzzzz", 0, 3, STORE_ROOM_PLAYING);
	suite_commit_events(suite, "aaaaa", 0, 1, STORE_ROOM_WAITING);
	suite_commit_events(suite, "bbbbb", 0, 2, STORE_ROOM_PLAYING);
	suite_commit_events(suite, "bbbbb", 2, 1, STORE_ROOM_OVER);
	suite_commit_events(suite, "zzzzz", 3, 2, STORE_ROOM_PLAYING);
	suite->store->ops->load_unfinished(
			suite->store, note_unfinished_room, note_unfinished, &unfinished);
	assert_false(unfinished.answered);
	while (!unfinished.answered) {
		suite->deliver(suite->store);
	}
	assert_int_equal(unfinished.count, 2);
	assert_string_equal(unfinished.rooms[0], "zzzzz");
	assert_int_equal(unfinished.events[0], 5);
	assert_string_equal(unfinished.rooms[1], "aaaaa");
	assert_int_equal(unfinished.events[1], 1);
}

static void a_room_that_keeps_its_state_is_listed_with_its_new_events(void **state)
{
	struct suite *suite = *state;
	struct unfinished unfinished = {0};
	struct suite_change change;
	struct store_batch batch = {.room_count = 1, .rooms = &change.change};

	suite_commit_events(suite, "k7m2q", 0, 2, STORE_ROOM_PLAYING);
	suite_change_init(&change, "k7m2q", 2, 3, STORE_ROOM_PLAYING);
	change.change.keeps_state = true;
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	assert_int_equal(suite_commit(suite, &batch), STORE_CONFLICT);
	suite_change_fini(&change);
	suite->store->ops->load_unfinished(
			suite->store, note_unfinished_room, note_unfinished, &unfinished);
	while (!unfinished.answered) {
		suite->deliver(suite->store);
	}
	assert_int_equal(unfinished.count, 1);
	assert_int_equal(unfinished.events[0], 5);
}

static void an_empty_store_has_no_rooms_in_progress(void **state)
{
	struct suite *suite = *state;
	struct unfinished unfinished = {0};

	suite->store->ops->load_unfinished(
			suite->store, note_unfinished_room, note_unfinished, &unfinished);
	while (!unfinished.answered) {
		suite->deliver(suite->store);
	}
	assert_int_equal(unfinished.count, 0);
}

/* Order. */

static void a_load_sees_the_commit_asked_for_before_it_and_not_the_one_after(void **state)
{
	struct suite *suite = *state;
	struct suite_change first;
	struct suite_change second;
	struct store_batch batches[2] = {{.room_count = 1, .rooms = &first.change},
			{.room_count = 1, .rooms = &second.change}};
	struct suite_committed committed[2] = {0};
	struct suite_loaded_room loaded = {.room = "k7m2q"};

	suite_change_init(&first, "k7m2q", 0, 2, STORE_ROOM_PLAYING);
	suite_change_init(&second, "k7m2q", 2, 1, STORE_ROOM_PLAYING);
	suite->store->ops->commit(suite->store, &batches[0], suite_note_committed, &committed[0]);
	suite->store->ops->load_room(suite->store, "k7m2q", 0, suite_note_room, &loaded);
	suite->store->ops->commit(suite->store, &batches[1], suite_note_committed, &committed[1]);
	while (!committed[0].answered || !loaded.answered || !committed[1].answered) {
		suite->deliver(suite->store);
	}
	assert_int_equal(loaded.count, 2);
	assert_int_equal(committed[1].status, STORE_STORED);
	suite_change_fini(&first);
	suite_change_fini(&second);
}

struct order {
	int *next;
	int place;
	enum store_status status;
};

static void note_place(void *arg, enum store_status status)
{
	struct order *order = arg;

	order->place = (*order->next)++;
	order->status = status;
}

static void answers_about_a_room_come_in_the_order_of_the_questions(void **state)
{
	struct suite *suite = *state;
	enum { COUNT = 20 };
	struct suite_change changes[COUNT];
	struct store_batch batches[COUNT];
	struct order orders[COUNT];
	int next = 0;

	for (int i = 0; i < COUNT; i++) {
		/* Every fourth comes too late: after_seq has been used. */
		int64_t after_seq = i % 4 == 3 ? i / 4 * 3 : i / 4 * 3 + i % 4;

		suite_change_init(&changes[i], "k7m2q", after_seq, 1, STORE_ROOM_PLAYING);
		batches[i] = (struct store_batch){.room_count = 1, .rooms = &changes[i].change};
		orders[i] = (struct order){.next = &next};
		suite->store->ops->commit(suite->store, &batches[i], note_place, &orders[i]);
	}
	while (next < COUNT) {
		suite->deliver(suite->store);
	}
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(orders[i].place, i);
		assert_int_equal(orders[i].status, i % 4 == 3 ? STORE_CONFLICT : STORE_STORED);
		suite_change_fini(&changes[i]);
	}
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), COUNT / 4 * 3);
}

struct chain {
	struct suite *suite;
	struct store_batch batch;
	struct suite_change change;
	bool within;
	int answered;
};

static void commit_again(void *arg, enum store_status status)
{
	struct chain *chain = arg;

	assert_int_equal(status, STORE_STORED);
	assert_false(chain->within);
	if (++chain->answered < 3) {
		chain->change.change.after_seq = chain->answered;
		bytes_unref(chain->change.lines[0]);
		chain->change.lines[0] = suite_line("k7m2q", chain->answered + 1);
		chain->within = true;
		chain->suite->store->ops->commit(
				chain->suite->store, &chain->batch, commit_again, chain);
		chain->within = false;
	}
}

static void an_answer_may_ask_for_more_and_gets_its_own_later(void **state)
{
	struct suite *suite = *state;
	struct chain chain = {.suite = suite};

	suite_change_init(&chain.change, "k7m2q", 0, 1, STORE_ROOM_PLAYING);
	chain.batch = (struct store_batch){.room_count = 1, .rooms = &chain.change.change};
	suite->store->ops->commit(suite->store, &chain.batch, commit_again, &chain);
	while (chain.answered < 3) {
		suite->deliver(suite->store);
	}
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 3);
	suite_change_fini(&chain.change);
}

static void many_batches_at_once_are_all_answered(void **state)
{
	struct suite *suite = *state;
	struct suite_change *changes = memory_new(MANY_ROOMS, sizeof(*changes));
	struct store_batch *batches = memory_new(MANY_ROOMS, sizeof(*batches));
	struct order *orders = memory_new(MANY_ROOMS, sizeof(*orders));
	char(*rooms)[8] = memory_new(MANY_ROOMS, sizeof(*rooms));
	int next = 0;

	for (size_t i = 0; i < MANY_ROOMS; i++) {
		/* Every tenth opens a room that is there already. */
		snprintf(rooms[i], sizeof(rooms[i]), "r%zu", i % 10 == 9 ? i - 1 : i);
		suite_change_init(&changes[i], rooms[i], 0, 2, STORE_ROOM_PLAYING);
		batches[i] = (struct store_batch){.room_count = 1, .rooms = &changes[i].change};
		orders[i] = (struct order){.next = &next};
		suite->store->ops->commit(suite->store, &batches[i], note_place, &orders[i]);
	}
	while (next < MANY_ROOMS) {
		suite->deliver(suite->store);
	}
	for (size_t i = 0; i < MANY_ROOMS; i++) {
		/* Of the two either may have been first, with a store that takes them so. */
		if (i % 10 == 8) {
			assert_int_not_equal(orders[i].status, orders[i + 1].status);
		} else if (i % 10 != 9) {
			assert_int_equal(orders[i].status, STORE_STORED);
		}
		assert_int_equal(suite_count_events(suite, rooms[i], 0), 2);
		suite_change_fini(&changes[i]);
	}
	free(changes);
	free(batches);
	free(orders);
	free(rooms);
}

static void a_store_that_is_freed_answers_first(void **state)
{
	struct suite *suite = *state;
	struct suite_change change;
	struct store_batch batch = {.room_count = 1, .rooms = &change.change};
	struct suite_committed committed = {0};
	struct suite_loaded_room loaded = {.room = "k7m2q"};

	suite_change_init(&change, "k7m2q", 0, 1, STORE_ROOM_PLAYING);
	suite->store->ops->commit(suite->store, &batch, suite_note_committed, &committed);
	suite->store->ops->load_room(suite->store, "k7m2q", 0, suite_note_room, &loaded);
	suite->store->ops->free(suite->store);
	suite->store = NULL;
	assert_true(committed.answered);
	assert_int_equal(committed.status, STORE_STORED);
	assert_true(loaded.answered);
	assert_int_equal(loaded.count, 1);
	suite_change_fini(&change);
}

#define SENTENCE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int suite_run(const char *name, CMFixtureFunction setup, CMFixtureFunction teardown)
{
	const struct CMUnitTest tests[] = {
			SENTENCE(events_come_back_byte_for_byte),
			SENTENCE(a_line_may_hold_any_byte),
			SENTENCE(events_are_loaded_from_a_seq_on),
			SENTENCE(a_room_that_nobody_opened_is_absent),
			SENTENCE(the_second_with_the_same_seq_is_a_conflict),
			SENTENCE(a_gap_in_seq_is_a_conflict),
			SENTENCE(a_room_is_opened_once),
			SENTENCE(of_two_rooms_both_are_stored_or_none),
			SENTENCE(a_player_is_found_by_key_and_by_token),
			SENTENCE(a_player_that_nobody_added_is_absent),
			SENTENCE(a_player_changes_under_the_expected_version_only),
			SENTENCE(a_key_belongs_to_one_player),
			SENTENCE(a_token_belongs_to_one_player),
			SENTENCE(a_name_that_was_given_up_is_free),
			SENTENCE(two_new_players_with_one_key_are_a_conflict),
			SENTENCE(a_conflict_of_a_player_keeps_the_room_as_it_was),
			SENTENCE(a_conflict_of_a_room_keeps_the_player_as_he_was),
			SENTENCE(a_game_is_over_once),
			SENTENCE(a_finished_game_comes_with_its_players_as_they_are_now),
			SENTENCE(a_game_that_nobody_finished_is_absent),
			SENTENCE(of_a_game_long_over_the_ends_of_its_events_stay),
			SENTENCE(of_a_room_without_a_game_nothing_stays),
			SENTENCE(rooms_that_are_not_long_over_stay_whole),
			SENTENCE(a_room_whose_events_are_dropped_goes_on),
			SENTENCE(many_rooms_are_dropped_and_no_more_than_they),
			SENTENCE(guests_of_long_ago_are_forgotten_but_for_those_to_be_kept),
			SENTENCE(who_has_a_name_of_his_own_is_never_forgotten),
			SENTENCE(who_has_finished_a_game_is_never_forgotten),
			SENTENCE(who_is_looked_for_after_he_was_to_be_forgotten_is_absent),
			SENTENCE(bans_come_back_as_they_were_given_the_oldest_first),
			SENTENCE(a_ban_for_the_same_takes_the_place_of_the_one_before),
			SENTENCE(a_ban_that_is_taken_back_is_gone_and_it_may_be_done_twice),
			SENTENCE(a_ban_beside_a_change_that_does_not_fit_is_not_stored),
			SENTENCE(a_player_who_is_new_has_no_rating),
			SENTENCE(a_rating_changes_under_the_expected_number_of_games_only),
			SENTENCE(of_an_end_and_two_ratings_all_are_stored_or_none),
			SENTENCE(a_change_of_a_player_leaves_his_rating),
			SENTENCE(a_rated_game_is_of_those_whose_ratings_it_changed),
			SENTENCE(a_batch_of_nothing_is_stored),
			SENTENCE(rooms_that_wait_or_play_are_listed_whole_the_oldest_first),
			SENTENCE(a_room_that_keeps_its_state_is_listed_with_its_new_events),
			SENTENCE(an_empty_store_has_no_rooms_in_progress),
			SENTENCE(a_load_sees_the_commit_asked_for_before_it_and_not_the_one_after),
			SENTENCE(answers_about_a_room_come_in_the_order_of_the_questions),
			SENTENCE(an_answer_may_ask_for_more_and_gets_its_own_later),
			SENTENCE(many_batches_at_once_are_all_answered),
			SENTENCE(a_store_that_is_freed_answers_first),
	};

	return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}
