#include <stdio.h>
#include <stdlib.h>

#include "server/ops/memory.h"
#include "tests/unit/store/suite.h"
#include "tests/world/fickle_store.h"

#define ROOMS 200

static uint64_t seed_read(void)
{
	const char *text = getenv("QTTT_SEED");
	uint64_t seed = text == NULL ? 20261130 : strtoull(text, NULL, 10);

	printf("# QTTT_SEED=%llu\n", (unsigned long long)seed);
	return seed;
}

/* What every store must do. */

static int fickle_setup(void **state)
{
	const struct fickle_knobs knobs = {.late = 500, .late_steps = 5};
	struct suite *suite = memory_new(1, sizeof(*suite));

	suite->store = fickle_store_new(seed_read(), &knobs);
	suite->deliver = fickle_store_step;
	*state = suite;
	return 0;
}

static int fickle_teardown(void **state)
{
	struct suite *suite = *state;

	if (suite->store != NULL) {
		suite->store->ops->free(suite->store);
	}
	free(suite);
	return 0;
}

/* What is fickle. */

struct asked {
	int *next;
	int place; /* of the answer; -1: none yet */
	enum store_status status;
};

static void note_answer(void *arg, enum store_status status)
{
	struct asked *asked = arg;

	assert_int_equal(asked->place, -1);
	asked->place = (*asked->next)++;
	asked->status = status;
}

/* One new event in each of many rooms, all asked for at once. */
struct crowd {
	int next;
	char names[ROOMS][16];
	struct bytes *lines[ROOMS];
	struct store_room_change changes[ROOMS];
	struct store_batch batches[ROOMS];
	struct asked asked[ROOMS];
};

static struct crowd *crowd_ask(struct store *store)
{
	struct crowd *crowd = memory_new(1, sizeof(*crowd));

	for (size_t i = 0; i < ROOMS; i++) {
		snprintf(crowd->names[i], sizeof(crowd->names[i]), "r%zu", i);
		crowd->lines[i] = suite_line(crowd->names[i], 1);
		crowd->changes[i] = (struct store_room_change){
				.room = crowd->names[i], .count = 1, .lines = &crowd->lines[i]};
		crowd->batches[i] =
				(struct store_batch){.room_count = 1, .rooms = &crowd->changes[i]};
		crowd->asked[i] = (struct asked){.next = &crowd->next, .place = -1};
		store->ops->commit(store, &crowd->batches[i], note_answer, &crowd->asked[i]);
	}
	return crowd;
}

static size_t crowd_count(const struct crowd *crowd, enum store_status status)
{
	size_t count = 0;

	for (size_t i = 0; i < ROOMS; i++) {
		count += crowd->asked[i].place >= 0 && crowd->asked[i].status == status ? 1 : 0;
	}
	return count;
}

static size_t crowd_kept(const struct store *store, const struct crowd *crowd)
{
	size_t count = 0;

	for (size_t i = 0; i < ROOMS; i++) {
		count += fickle_store_has_event(store, crowd->names[i], 1) ? 1 : 0;
	}
	return count;
}

static void crowd_free(struct store *store, struct crowd *crowd)
{
	store->ops->free(store);
	for (size_t i = 0; i < ROOMS; i++) {
		bytes_unref(crowd->lines[i]);
	}
	free(crowd);
}

static void nothing_is_there_before_its_answer(void **state)
{
	const struct fickle_knobs knobs = {.late = 500, .late_steps = 10};
	struct store *store = fickle_store_new(seed_read(), &knobs);
	struct crowd *crowd = crowd_ask(store);
	size_t steps = 0;

	(void)state;
	assert_int_equal(crowd_kept(store, crowd), 0);
	while (fickle_store_waiting(store) > 0) {
		fickle_store_step(store);
		steps++;
		for (size_t i = 0; i < ROOMS; i++) {
			assert_int_equal(fickle_store_has_event(store, crowd->names[i], 1),
					crowd->asked[i].place >= 0);
		}
	}
	assert_in_range(steps, 3, 11);
	assert_false(fickle_store_has_event(store, "r0", 0));
	assert_false(fickle_store_has_event(store, "r0", 2));
	crowd_free(store, crowd);
}

static void answers_about_different_rooms_come_in_any_order(void **state)
{
	const struct fickle_knobs knobs = {0};
	struct store *store = fickle_store_new(seed_read(), &knobs);
	struct crowd *crowd = crowd_ask(store);
	size_t out_of_order = 0;

	(void)state;
	assert_int_equal(fickle_store_step(store), ROOMS);
	for (size_t i = 1; i < ROOMS; i++) {
		out_of_order += crowd->asked[i].place < crowd->asked[i - 1].place ? 1 : 0;
	}
	assert_true(out_of_order > ROOMS / 4);
	crowd_free(store, crowd);
}

static void a_refused_batch_is_not_kept(void **state)
{
	const struct fickle_knobs knobs = {.unavailable = 300};
	struct store *store = fickle_store_new(seed_read(), &knobs);
	struct crowd *crowd = crowd_ask(store);
	size_t stored;

	(void)state;
	fickle_store_step(store);
	stored = crowd_count(crowd, STORE_STORED);
	assert_int_equal(stored + crowd_count(crowd, STORE_UNAVAILABLE), ROOMS);
	assert_in_range(stored, ROOMS / 2, ROOMS - 1);
	assert_int_equal(crowd_kept(store, crowd), stored);
	crowd_free(store, crowd);
}

static void of_what_is_not_known_some_is_kept(void **state)
{
	const struct fickle_knobs knobs = {.unknown = 1000, .unknown_kept = 500};
	struct store *store = fickle_store_new(seed_read(), &knobs);
	struct crowd *crowd = crowd_ask(store);
	struct suite suite = {.store = store, .deliver = fickle_store_step};

	(void)state;
	fickle_store_step(store);
	assert_int_equal(crowd_count(crowd, STORE_UNKNOWN), ROOMS);
	assert_in_range(crowd_kept(store, crowd), ROOMS / 4, ROOMS * 3 / 4);
	for (size_t i = 0; i < ROOMS; i++) {
		bool kept = fickle_store_has_event(store, crowd->names[i], 1);

		assert_int_equal(suite_count_events(&suite, crowd->names[i], 0), kept ? 1 : -1);
	}
	crowd_free(store, crowd);
}

static void held_commits_wait_until_they_are_released(void **state)
{
	const struct fickle_knobs knobs = {0};
	struct store *store = fickle_store_new(seed_read(), &knobs);
	struct crowd *crowd;

	(void)state;
	fickle_store_hold(store);
	crowd = crowd_ask(store);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(fickle_store_step(store), 0);
	}
	assert_int_equal(fickle_store_waiting(store), ROOMS);
	fickle_store_release(store);
	assert_int_equal(fickle_store_step(store), ROOMS);
	assert_int_equal(crowd_count(crowd, STORE_STORED), ROOMS);
	crowd_free(store, crowd);
}

static void settling_gives_all_answers_without_a_fault(void **state)
{
	const struct fickle_knobs knobs = {
			.late = 1000, .late_steps = 50, .unavailable = 1000, .not_readable = 1000};
	struct store *store = fickle_store_new(seed_read(), &knobs);
	struct crowd *crowd;

	(void)state;
	fickle_store_hold(store);
	crowd = crowd_ask(store);
	assert_int_equal(fickle_store_settle(store), ROOMS);
	assert_int_equal(fickle_store_waiting(store), 0);
	assert_int_equal(crowd_count(crowd, STORE_STORED), ROOMS);
	crowd_free(store, crowd);
}

struct loads {
	int not_readable;
	int others;
};

static void note_room(void *arg, enum store_found found, size_t count, struct bytes *const *lines)
{
	struct loads *loads = arg;

	assert_int_equal(count, 0);
	assert_null(lines);
	*(found == STORE_NOT_READABLE ? &loads->not_readable : &loads->others) += 1;
}

static void note_player(void *arg, enum store_found found, const struct store_player *player)
{
	struct loads *loads = arg;

	assert_null(player);
	*(found == STORE_NOT_READABLE ? &loads->not_readable : &loads->others) += 1;
}

static void loads_of_every_kind_may_fail(void **state)
{
	struct fickle_knobs knobs = {.not_readable = 1000};
	struct store *store = fickle_store_new(seed_read(), &knobs);
	unsigned char hash[STORE_HASH_BYTES];
	struct loads loads = {0};

	(void)state;
	suite_hash('a', hash);
	for (int round = 0; round < 2; round++) {
		store->ops->load_room(store, "k7m2q", 0, note_room, &loads);
		store->ops->load_unfinished(store, NULL, note_room, &loads);
		store->ops->load_player_by_key(store, "ala", note_player, &loads);
		store->ops->load_player_by_token(store, hash, note_player, &loads);
		assert_int_equal(fickle_store_step(store), 4);
		assert_int_equal(loads.not_readable, 4);
		assert_int_equal(loads.others, 4 * round);
		knobs.not_readable = 0;
		fickle_store_turn(store, &knobs);
	}
	store->ops->free(store);
}

static void the_same_seed_gives_the_same_answers(void **state)
{
	const struct fickle_knobs knobs = {.late = 300,
			.late_steps = 7,
			.unavailable = 100,
			.unknown = 200,
			.unknown_kept = 500};
	uint64_t seed = seed_read();
	struct store *stores[3];
	struct crowd *crowds[3];
	size_t different = 0;

	(void)state;
	for (int i = 0; i < 3; i++) {
		stores[i] = fickle_store_new(seed + (i == 2 ? 1 : 0), &knobs);
		crowds[i] = crowd_ask(stores[i]);
		while (fickle_store_waiting(stores[i]) > 0) {
			fickle_store_step(stores[i]);
		}
	}
	for (size_t i = 0; i < ROOMS; i++) {
		assert_int_equal(crowds[0]->asked[i].place, crowds[1]->asked[i].place);
		assert_int_equal(crowds[0]->asked[i].status, crowds[1]->asked[i].status);
		different += crowds[0]->asked[i].place != crowds[2]->asked[i].place ? 1 : 0;
	}
	assert_true(different > 0);
	for (int i = 0; i < 3; i++) {
		crowd_free(stores[i], crowds[i]);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(nothing_is_there_before_its_answer),
			cmocka_unit_test(answers_about_different_rooms_come_in_any_order),
			cmocka_unit_test(a_refused_batch_is_not_kept),
			cmocka_unit_test(of_what_is_not_known_some_is_kept),
			cmocka_unit_test(held_commits_wait_until_they_are_released),
			cmocka_unit_test(settling_gives_all_answers_without_a_fault),
			cmocka_unit_test(loads_of_every_kind_may_fail),
			cmocka_unit_test(the_same_seed_gives_the_same_answers),
	};

	(void)argv;
	/* TAP has one plan a run. */
	if (argc > 1) {
		return suite_run("fickle", fickle_setup, fickle_teardown);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
