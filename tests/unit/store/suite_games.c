#include "tests/unit/store/suite_games.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/unit/store/suite.h"

void a_game_is_over_once(void **state)
{
	struct suite *suite = *state;
	struct store_game game = {.room = "k7m2q",
			.x_key = "ala",
			.o_key = "nobody",
			.started_ms = 1,
			.ended_ms = 2,
			.result = "{\"reason\":\"line\"}",
			.record = "1:X(1-2)"};
	struct suite_change change;
	struct store_batch batch = {
			.room_count = 1, .rooms = &change.change, .game_count = 1, .games = &game};

	suite_commit_player(suite, 7, 1, "ala", 'a');
	suite_change_init(&change, "k7m2q", 0, 2, STORE_ROOM_OVER);
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	suite_change_fini(&change);
	suite_change_init(&change, "k7m2q", 2, 1, STORE_ROOM_OVER);
	assert_int_equal(suite_commit(suite, &batch), STORE_CONFLICT);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 2);
	suite_change_fini(&change);
}

/* Events of one room, the last of which ends its game. */
static enum store_status finish(
		struct suite *suite, const char *room, int64_t after_seq, size_t count)
{
	struct suite_change change;
	struct store_game game = {.room = room,
			.ended_seq = after_seq + (int64_t)count,
			.x_key = "ala",
			.o_key = "bot-good",
			.is_private = true,
			.started_ms = 11,
			.ended_ms = 22,
			.has_clock = room[0] == 'k',
			.left_ms = {room[0] == 'k' ? 33 : 0, 0},
			.result = "{}",
			.record = "1:X(1-2)"};
	struct store_batch batch = {
			.room_count = 1, .rooms = &change.change, .game_count = 1, .games = &game};
	enum store_status status;

	suite_change_init(&change, room, after_seq, count, STORE_ROOM_OVER);
	status = suite_commit(suite, &batch);
	suite_change_fini(&change);
	return status;
}

/* What a load has told. */
struct told {
	bool answered;
	enum store_found found;
	size_t count;
	int64_t seqs[SUITE_LINES_MAX];
	char players[2][32]; /* their keys, or in brackets the game's */
	struct store_game game;
};

static int64_t seq_of(const struct bytes *line)
{
	const char *seq = memmem(line->data, line->length, "\"seq\":", 6);
	long long number;

	assert_non_null(seq);
	assert_int_equal(sscanf(seq, "\"seq\":%lld", &number), 1);
	return number;
}

static void note_lines(struct told *told, size_t count, struct bytes *const *lines)
{
	assert_true(count <= SUITE_LINES_MAX);
	told->count = count;
	for (size_t i = 0; i < count; i++) {
		told->seqs[i] = seq_of(lines[i]);
	}
}

static void note_room(void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct told *told = arg;

	told->answered = true;
	told->found = found;
	note_lines(told, count, lines);
}

static void note_game(void *arg, enum store_found found, const struct store_finished *finished)
{
	struct told *told = arg;

	told->answered = true;
	told->found = found;
	assert_true((finished != NULL) == (found == STORE_FOUND));
	if (finished == NULL) {
		return;
	}
	told->game = finished->game;
	note_lines(told, finished->count, finished->lines);
	for (int i = 0; i < 2; i++) {
		const char *key = i == 0 ? finished->game.x_key : finished->game.o_key;

		snprintf(told->players[i], sizeof(told->players[i]), key == NULL ? "%s" : "(%s)",
				key == NULL ? finished->players[i]->key : key);
	}
	assert_string_equal(finished->game.result, "{}");
	assert_string_equal(finished->game.record, "1:X(1-2)");
}

static struct told load(struct suite *suite, const char *room, int64_t after_seq)
{
	struct told told = {0};

	suite->store->ops->load_room(suite->store, room, after_seq, note_room, &told);
	while (!told.answered) {
		suite->deliver(suite->store);
	}
	return told;
}

static struct told load_game(struct suite *suite, const char *room)
{
	struct told told = {0};

	suite->store->ops->load_game(suite->store, room, note_game, &told);
	while (!told.answered) {
		suite->deliver(suite->store);
	}
	return told;
}

/* A store takes its time to drop. */
static void wait_until_dropped(struct suite *suite, const char *room)
{
	const struct timespec pause = {.tv_nsec = 10000000};

	for (int i = 0; i < 2000 && load(suite, room, 0).found == STORE_FOUND; i++) {
		nanosleep(&pause, NULL);
	}
	assert_int_not_equal(load(suite, room, 0).found, STORE_FOUND);
}

static void drop(struct suite *suite, int64_t before_ms)
{
	suite->store->ops->drop_events(suite->store, before_ms);
}

static void assert_seqs(const struct told *told, size_t count, const int64_t *seqs)
{
	assert_int_equal(told->count, count);
	assert_memory_equal(told->seqs, seqs, count * sizeof(*seqs));
}

void a_finished_game_comes_with_its_players_as_they_are_now(void **state)
{
	struct suite *suite = *state;
	struct told told;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	suite_commit_events(suite, "k7m2q", 0, 4, STORE_ROOM_PLAYING);
	assert_int_equal(finish(suite, "k7m2q", 4, 2), STORE_STORED);
	suite_commit_player(suite, 7, 2, "alicja", 'a');
	suite_commit_player(suite, 8, 1, "ala", 'b');
	told = load_game(suite, "k7m2q");
	assert_int_equal(told.found, STORE_FOUND);
	assert_string_equal(told.players[0], "alicja");
	assert_string_equal(told.players[1], "(bot-good)");
	assert_true(told.game.is_private);
	assert_int_equal(told.game.started_ms, 11);
	assert_int_equal(told.game.ended_ms, 22);
	assert_int_equal(told.game.ended_seq, 6);
	assert_true(told.game.has_clock);
	assert_int_equal(told.game.left_ms[0], 33);
	assert_int_equal(told.game.left_ms[1], 0);
	finish(suite, "zzzzz", 0, 2);
	assert_false(load_game(suite, "zzzzz").game.has_clock);
	assert_seqs(&told, 2, (int64_t[]){1, 6});
}

void a_game_that_nobody_finished_is_absent(void **state)
{
	struct suite *suite = *state;

	suite_commit_events(suite, "k7m2q", 0, 4, STORE_ROOM_PLAYING);
	assert_int_equal(load_game(suite, "k7m2q").found, STORE_ABSENT);
	assert_int_equal(load_game(suite, "zzzzz").found, STORE_ABSENT);
}

void of_a_game_long_over_the_ends_of_its_events_stay(void **state)
{
	struct suite *suite = *state;
	struct told told;

	suite_commit_player(suite, 7, 1, "ala", 'a');
	suite_commit_events(suite, "k7m2q", 0, 4, STORE_ROOM_PLAYING);
	finish(suite, "k7m2q", 4, 3);
	suite_commit_events(suite, "k7m2q", 7, 1, STORE_ROOM_OVER);
	drop(suite, 5000);
	wait_until_dropped(suite, "k7m2q");
	told = load(suite, "k7m2q", 0);
	assert_int_equal(told.found, STORE_DROPPED);
	assert_seqs(&told, 3, (int64_t[]){1, 7, 8});
	assert_int_equal(load(suite, "k7m2q", 5).found, STORE_DROPPED);
	told = load(suite, "k7m2q", 6);
	assert_int_equal(told.found, STORE_FOUND);
	assert_seqs(&told, 2, (int64_t[]){7, 8});
	told = load_game(suite, "k7m2q");
	assert_int_equal(told.found, STORE_FOUND);
	assert_string_equal(told.players[0], "ala");
	assert_seqs(&told, 3, (int64_t[]){1, 7, 8});
}

void of_a_room_without_a_game_nothing_stays(void **state)
{
	struct suite *suite = *state;

	suite_commit_events(suite, "k7m2q", 0, 2, STORE_ROOM_WAITING);
	suite_commit_events(suite, "k7m2q", 2, 1, STORE_ROOM_OVER);
	drop(suite, 5000);
	wait_until_dropped(suite, "k7m2q");
	assert_int_equal(load(suite, "k7m2q", 0).found, STORE_ABSENT);
	assert_int_equal(
			suite_commit_events(suite, "k7m2q", 3, 1, STORE_ROOM_OVER), STORE_CONFLICT);
	/* Its id is free again, and its number. */
	assert_int_equal(suite_commit_events(suite, "zzzzz", 0, 3, STORE_ROOM_WAITING),
			STORE_STORED);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 0, 1, STORE_ROOM_WAITING),
			STORE_STORED);
	assert_int_equal(suite_count_events(suite, "k7m2q", 0), 1);
	assert_int_equal(suite_count_events(suite, "zzzzz", 0), 3);
}

void rooms_that_are_not_long_over_stay_whole(void **state)
{
	struct suite *suite = *state;

	/* The suite's events are of 1000 ms and their seq. */
	suite_commit_events(suite, "waits", 0, 2, STORE_ROOM_WAITING);
	suite_commit_events(suite, "plays", 0, 4, STORE_ROOM_PLAYING);
	suite_commit_events(suite, "later", 0, 40, STORE_ROOM_PLAYING);
	finish(suite, "later", 40, 2);
	suite_commit_events(suite, "early", 0, 4, STORE_ROOM_PLAYING);
	finish(suite, "early", 4, 2);
	drop(suite, 1040);
	wait_until_dropped(suite, "early");
	assert_int_equal(suite_count_events(suite, "waits", 0), 2);
	assert_int_equal(suite_count_events(suite, "plays", 0), 4);
	assert_int_equal(suite_count_events(suite, "later", 0), 42);
	assert_int_equal(suite_commit_events(suite, "plays", 4, 1, STORE_ROOM_PLAYING),
			STORE_STORED);
}

void a_room_whose_events_are_dropped_goes_on(void **state)
{
	struct suite *suite = *state;

	suite_commit_events(suite, "k7m2q", 0, 4, STORE_ROOM_PLAYING);
	finish(suite, "k7m2q", 4, 2);
	drop(suite, 5000);
	wait_until_dropped(suite, "k7m2q");
	assert_int_equal(
			suite_commit_events(suite, "k7m2q", 4, 1, STORE_ROOM_OVER), STORE_CONFLICT);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 6, 1, STORE_ROOM_OVER), STORE_STORED);
	assert_int_equal(suite_count_events(suite, "k7m2q", 6), 1);
	drop(suite, 6000);
	suite_commit_events(suite, "zzzzz", 0, 4, STORE_ROOM_PLAYING);
	finish(suite, "zzzzz", 4, 2);
	drop(suite, 6000);
	wait_until_dropped(suite, "zzzzz");
	assert_int_equal(load(suite, "k7m2q", 7).count, 0);
	assert_int_equal(suite_commit_events(suite, "k7m2q", 7, 1, STORE_ROOM_OVER), STORE_STORED);
}

void many_rooms_are_dropped_and_no_more_than_they(void **state)
{
	struct suite *suite = *state;
	char room[16];

	for (int i = 0; i < 100; i++) {
		snprintf(room, sizeof(room), "r%d", i);
		suite_commit_events(suite, room, 0, 3, STORE_ROOM_PLAYING);
		if (i % 4 != 3) {
			finish(suite, room, 3, 1);
		}
	}
	drop(suite, 5000);
	for (int i = 0; i < 100; i++) {
		snprintf(room, sizeof(room), "r%d", i);
		if (i % 4 == 3) {
			assert_int_equal(suite_count_events(suite, room, 0), 3);
		} else {
			wait_until_dropped(suite, room);
			assert_int_equal(load_game(suite, room).count, 2);
		}
	}
}
