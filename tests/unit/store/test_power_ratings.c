/* Power cuts while games end that count for ratings: each is rated once, however often its end was
 * tried, and what is stored of ratings is what the games make of them that are stored. */
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "server/play/rating_book.h"
#include "server/upkeep/rating_check.h"
#include "tests/unit/game/random.h"
#include "tests/unit/store/folder.h"
#include "tests/unit/store/memory_disk.h"

#define GAMES 1000
#define PLAYERS 12
/* Ends asked for at the same time; those of one player conflict. */
#define AT_ONCE 4
/* Calls to the disk of a round, about. */
#define CALLS 600
#define DAY_MS INT64_C(86400000)

struct ends {
	struct suite *suite;
	uint64_t random;
	int games;
	int over;	     /* games 0 to this are */
	bool is_over[GAMES]; /* promised or read */
	int cuts;
	int unknown;
	int conflicts;
	int lost;
};

static int setup(void **state)
{
	struct ends *ends = calloc(1, sizeof(*ends));

	assert_non_null(ends);
	ends->suite = folder_new();
	ends->random = random_seed();
	ends->games = (int)number_from_environment("QTTT_GAMES", GAMES);
	*state = ends;
	return 0;
}

static int teardown(void **state)
{
	struct ends *ends = *state;

	memory_disk_clear();
	folder_free(ends->suite);
	free(ends);
	return 0;
}

/* One game that ends. */

struct end {
	struct ends *ends;
	int number;
	char room[16];
	char keys[2][8];
	bool answered;
	enum store_status status;
	struct suite_change change;
	struct store_rating_change ratings[2];
	struct store_game game;
	struct store_batch batch;
};

struct loaded {
	bool answered;
	enum store_found found;
	int64_t id;
	struct store_rating rating;
};

static void note_player(void *arg, enum store_found found, const struct store_player *player)
{
	struct loaded *loaded = arg;

	loaded->answered = true;
	loaded->found = found;
	if (player != NULL) {
		loaded->id = player->id;
		loaded->rating = player->rating;
	}
}

/* Both players and what the store has of them. False: it can't be read any more. */
static bool read_players(struct end *end, struct store_rating ret_ratings[2])
{
	struct suite *suite = end->ends->suite;

	for (int i = 0; i < 2; i++) {
		struct loaded loaded = {0};

		suite->store->ops->load_player_by_key(
				suite->store, end->keys[i], note_player, &loaded);
		while (!loaded.answered) {
			suite->deliver(suite->store);
		}
		if (loaded.found != STORE_FOUND) {
			return false;
		}
		end->game.rated_ids[i] = loaded.id;
		ret_ratings[i] = loaded.rating;
	}
	return true;
}

static void note_end(void *arg, enum store_status status)
{
	struct end *end = arg;

	end->answered = true;
	end->status = status;
}

/* Two games after each other have one player in common; every fifty games are a day. */
static void end_init(struct end *end, struct ends *ends, int number)
{
	int x = number / 2 % PLAYERS;
	int o = (x + 1 + number % (PLAYERS - 1)) % PLAYERS;

	*end = (struct end){.ends = ends, .number = number};
	snprintf(end->room, sizeof(end->room), "g%d", number);
	snprintf(end->keys[0], sizeof(end->keys[0]), "p%d", x);
	snprintf(end->keys[1], sizeof(end->keys[1]), "p%d", o);
	end->game = (struct store_game){.room = end->room,
			.ended_seq = 4,
			.x_key = end->keys[0],
			.o_key = end->keys[1],
			.ended_ms = 20000 * DAY_MS + number * DAY_MS / 50,
			.result = "{}",
			.record = "1:X(1-2)",
			.is_rated = true,
			.ahead = number * 7 % 9 - 4};
}

/* As play does it: decided from what is there now. False: it can't be read any more. */
static bool end_decide(struct end *end)
{
	struct store_rating before[2];
	struct store_rating after[2];

	if (!read_players(end, before)) {
		return false;
	}
	rated_game(before, end->game.ahead, end->game.ended_ms, after);
	for (int i = 0; i < 2; i++) {
		end->ratings[i] = (struct store_rating_change){end->game.rated_ids[i], after[i]};
	}
	return true;
}

static void end_ask(struct end *end)
{
	struct suite *suite = end->ends->suite;

	suite_change_init(&end->change, end->room, 3, 1, STORE_ROOM_OVER);
	end->batch = (struct store_batch){.room_count = 1,
			.rooms = &end->change.change,
			.rating_count = 2,
			.ratings = end->ratings,
			.game_count = 1,
			.games = &end->game};
	suite->store->ops->commit(suite->store, &end->batch, note_end, end);
}

static void end_wait(struct end *end)
{
	struct ends *ends = end->ends;

	while (!end->answered) {
		ends->suite->deliver(ends->suite->store);
	}
	suite_change_fini(&end->change);
	ends->is_over[end->number] |= end->status == STORE_STORED;
	ends->unknown += end->status == STORE_UNKNOWN ? 1 : 0;
	ends->conflicts += end->status == STORE_CONFLICT ? 1 : 0;
}

/* A round. */

static bool begin_game(struct ends *ends, int number)
{
	char room[16];
	enum store_status status;

	snprintf(room, sizeof(room), "g%d", number);
	status = suite_commit_events(ends->suite, room, 0, 3, STORE_ROOM_PLAYING);
	return status == STORE_STORED || status == STORE_CONFLICT;
}

/* Some games end at once: none of them is over. False: nothing can be stored any more. */
static bool end_some(struct ends *ends)
{
	struct end asked[AT_ONCE];
	int count = 0;
	bool goes_on = true;

	for (int i = ends->over; i < ends->games && count < AT_ONCE && goes_on; i++) {
		if (ends->is_over[i]) {
			continue;
		}
		end_init(&asked[count], ends, i);
		goes_on = begin_game(ends, i);
		count += goes_on ? 1 : 0;
	}
	/* All are decided before any is stored. */
	for (int i = 0; i < count && goes_on; i++) {
		goes_on = end_decide(&asked[i]);
	}
	if (!goes_on) {
		return false;
	}
	for (int i = 0; i < count; i++) {
		end_ask(&asked[i]);
	}
	for (int i = 0; i < count; i++) {
		end_wait(&asked[i]);
		goes_on = goes_on &&
			  (asked[i].status == STORE_STORED || asked[i].status == STORE_CONFLICT);
	}
	while (ends->over < ends->games && ends->is_over[ends->over]) {
		ends->over++;
	}
	return goes_on;
}

static void run_until_cut(struct ends *ends)
{
	memory_disk_arm(MEMORY_DISK_POWER, random_below(&ends->random, CALLS));
	if (!folder_open_if_it_can(ends->suite)) {
		return;
	}
	while (ends->over < ends->games && end_some(ends)) {
	}
	folder_close(ends->suite);
}

/* What is there after it. */

static void note_count(void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	(void)lines;
	*(int *)arg = found == STORE_FOUND ? (int)count : 0;
}

static void look_at_games(struct ends *ends)
{
	struct store *store = ends->suite->store;

	for (int i = 0; i < ends->games; i++) {
		char room[16];
		int count = -1;

		if (i > ends->over + 2 * AT_ONCE) {
			break;
		}
		snprintf(room, sizeof(room), "g%d", i);
		store->ops->load_room(store, room, 0, note_count, &count);
		while (count < 0) {
			ends->suite->deliver(store);
		}
		ends->lost += ends->is_over[i] && count != 4 ? 1 : 0;
		ends->is_over[i] = count == 4;
	}
}

static void note_finding(void *arg, const char *what, const char *sentence)
{
	print_message("# %s: %s\n", what, sentence);
	*(int *)arg += 1;
}

/* Returns how many ratings are not what the games make of them. */
static int differences(const struct ends *ends)
{
	char message[STORE_SQLITE_MESSAGE_SIZE] = "";
	struct store_reader *reader;
	int findings = 0;

	if (store_reader_open(folder_path(ends->suite, "qttt.db"), note_finding, &findings, &reader,
			    message) != 0) {
		fail_msg("%s", message);
	}
	rating_check(reader, note_finding, &findings);
	store_reader_free(reader);
	return findings;
}

static int64_t number(sqlite3 *handle, const char *sql)
{
	sqlite3_stmt *statement;
	int64_t result;

	assert_int_equal(sqlite3_prepare_v2(handle, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	result = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return result;
}

static void look_at_ratings(struct ends *ends)
{
	sqlite3 *handle;
	int64_t over = 0;

	assert_int_equal(differences(ends), 0);
	assert_int_equal(sqlite3_open(folder_path(ends->suite, "qttt.db"), &handle), SQLITE_OK);
	for (int i = 0; i < ends->games; i++) {
		over += ends->is_over[i] ? 1 : 0;
	}
	assert_int_equal(
			number(handle, "SELECT count(*) FROM games WHERE ahead IS NOT NULL"), over);
	assert_int_equal(number(handle, "SELECT count(DISTINCT room) FROM games"), over);
	assert_int_equal(number(handle, "SELECT sum(games) FROM players"), 2 * over);
	assert_int_equal(number(handle, "SELECT count(*) FROM rooms WHERE state = 2"), over);
	sqlite3_close(handle);
}

static void add_players(struct ends *ends)
{
	folder_open(ends->suite);
	for (int i = 0; i < PLAYERS; i++) {
		char key[8];

		snprintf(key, sizeof(key), "p%d", i);
		assert_int_equal(suite_commit_player(ends->suite, i + 1, 1, key, (char)('a' + i)),
				STORE_STORED);
	}
	folder_close(ends->suite);
}

static void each_end_is_rated_once_whenever_the_power_is_cut(void **state)
{
	struct ends *ends = *state;

	memory_disk_clear();
	add_players(ends);
	while (ends->over < ends->games) {
		run_until_cut(ends);
		ends->cuts += memory_disk_met() ? 1 : 0;
		memory_disk_restart(&ends->random);
		folder_open(ends->suite);
		look_at_games(ends);
		folder_close(ends->suite);
		look_at_ratings(ends);
	}
	print_message("# %d ends, %d power cuts, %d unknown, %d conflicts, %d lost\n", ends->games,
			ends->cuts, ends->unknown, ends->conflicts, ends->lost);
	assert_int_equal(ends->lost, 0);
	assert_true(ends->cuts > ends->games / 50);
	assert_true(ends->conflicts > ends->games / 50);
}

/* A rating that is not what the games make of it is found. */

static void run(struct ends *ends, const char *sql)
{
	sqlite3 *handle;

	assert_int_equal(sqlite3_open(folder_path(ends->suite, "qttt.db"), &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(handle);
}

static void a_rating_that_its_games_do_not_make_is_found(void **state)
{
	struct ends *ends = *state;

	memory_disk_clear();
	add_players(ends);
	folder_open(ends->suite);
	ends->games = 30;
	while (ends->over < ends->games) {
		assert_true(end_some(ends));
	}
	folder_close(ends->suite);
	assert_int_equal(differences(ends), 0);
	run(ends, "UPDATE players SET rating_milli = rating_milli + 1 WHERE key = 'p3'");
	assert_int_equal(differences(ends), 1);
	run(ends, "UPDATE players SET rating_milli = rating_milli - 1 WHERE key = 'p3'");
	assert_int_equal(differences(ends), 0);
	run(ends, "DELETE FROM games WHERE room = 'g29'");
	assert_true(differences(ends) >= 2);
}

#define SENTENCE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SENTENCE(each_end_is_rated_once_whenever_the_power_is_cut),
			SENTENCE(a_rating_that_its_games_do_not_make_is_found),
	};

	memory_disk_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
