#include "tests/unit/store/suite_guests.h"

#include "tests/unit/store/suite.h"

/* A player who is a guest since then (0: none), in this version. */
static void commit_guest(
		struct suite *suite, int64_t id, int64_t version, const char *key, int64_t guest_ms)
{
	struct store_player_change change = suite_player_of(id, version, key, (char)('a' + id));
	struct store_batch batch = {.player_count = 1, .players = &change};

	change.player.guest_ms = guest_ms;
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	bytes_unref(change.player.record);
}

static void forget(struct suite *suite, int64_t before_ms, size_t count, const char *const *keys)
{
	const struct store_guests guests = {
			.before_ms = before_ms, .keep_count = count, .keep_keys = keys};
	struct store_batch batch = {.guests = &guests};

	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
}

static bool is_there(struct suite *suite, const char *key)
{
	return suite_player_by_key(suite, key).found == STORE_FOUND;
}

void guests_of_long_ago_are_forgotten_but_for_those_to_be_kept(void **state)
{
	struct suite *suite = *state;
	static const char *const keep[] = {"guest-b", "guest-d", "guest-z"};

	commit_guest(suite, 1, 1, "guest-a", 100);
	commit_guest(suite, 2, 1, "guest-b", 100);
	commit_guest(suite, 3, 1, "guest-c", 199);
	commit_guest(suite, 4, 1, "guest-d", 50);
	commit_guest(suite, 5, 1, "guest-e", 200);
	forget(suite, 200, 3, keep);
	assert_false(is_there(suite, "guest-a"));
	assert_int_equal(suite_player_by_token(suite, 'b').found, STORE_ABSENT);
	assert_true(is_there(suite, "guest-b"));
	assert_false(is_there(suite, "guest-c"));
	assert_true(is_there(suite, "guest-d"));
	assert_true(is_there(suite, "guest-e"));
	/* Another may have key and token now. */
	commit_guest(suite, 1, 1, "guest-a", 300);
	forget(suite, 201, 0, NULL);
	assert_true(is_there(suite, "guest-a"));
	assert_false(is_there(suite, "guest-b"));
	assert_false(is_there(suite, "guest-e"));
}

void who_has_a_name_of_his_own_is_never_forgotten(void **state)
{
	struct suite *suite = *state;

	commit_guest(suite, 1, 1, "ala", 0);
	commit_guest(suite, 2, 1, "guest-b", 100);
	commit_guest(suite, 2, 2, "ola", 0);
	/* Once he is none he stays none. */
	commit_guest(suite, 2, 3, "ola", 100);
	forget(suite, 1000, 0, NULL);
	assert_true(is_there(suite, "ala"));
	assert_true(is_there(suite, "ola"));
}

void who_has_finished_a_game_is_never_forgotten(void **state)
{
	struct suite *suite = *state;
	struct suite_change change;
	struct store_game game = {.room = "k7m2q",
			.ended_seq = 2,
			.x_key = "guest-a",
			.o_key = "guest-b",
			.started_ms = 1,
			.ended_ms = 2,
			.result = "{}",
			.record = "1:X(1-2)"};
	struct store_batch batch = {
			.room_count = 1, .rooms = &change.change, .game_count = 1, .games = &game};

	commit_guest(suite, 1, 1, "guest-a", 100);
	commit_guest(suite, 2, 1, "guest-b", 100);
	commit_guest(suite, 3, 1, "guest-c", 100);
	suite_change_init(&change, "k7m2q", 0, 2, STORE_ROOM_OVER);
	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
	suite_change_fini(&change);
	commit_guest(suite, 1, 2, "guest-a", 100);
	forget(suite, 1000, 0, NULL);
	assert_true(is_there(suite, "guest-a"));
	assert_true(is_there(suite, "guest-b"));
	assert_false(is_there(suite, "guest-c"));
}

void who_is_looked_for_after_he_was_to_be_forgotten_is_absent(void **state)
{
	struct suite *suite = *state;
	const struct store_guests guests = {.before_ms = 1000};
	struct store_batch batch = {.guests = &guests};
	struct suite_committed committed = {0};

	commit_guest(suite, 1, 1, "guest-a", 100);
	suite->store->ops->commit(suite->store, &batch, suite_note_committed, &committed);
	/* Asked while the other is not answered: in the order of asking all the same. */
	assert_false(is_there(suite, "guest-a"));
	while (!committed.answered) {
		suite->deliver(suite->store);
	}
	assert_int_equal(committed.status, STORE_STORED);
}
