/* Power cuts: at a random call to the disk nothing goes on, and of what was not synced a random
 * part is lost. What was promised must be there, in order, once, and nothing that was not asked
 * for. */
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "tests/unit/game/random.h"
#include "tests/unit/store/folder.h"
#include "tests/unit/store/memory_disk.h"
#include "tests/unit/store/promises.h"

#define ROUNDS 2400
/* A disk is used for some rounds, then comes a new one. */
#define ROUNDS_OF_A_DISK 24
/* Calls of a round, about. */
#define CALLS 400

struct cuts {
	struct suite *suite;
	uint64_t random;
	struct promises promises;
	uint64_t stored;
	uint64_t unknown;
	uint64_t starts_cut; /* rounds that never came up */
};

static int setup(void **state)
{
	struct cuts *cuts = calloc(1, sizeof(*cuts));

	assert_non_null(cuts);
	cuts->suite = folder_new();
	cuts->random = random_seed();
	*state = cuts;
	return 0;
}

static int teardown(void **state)
{
	struct cuts *cuts = *state;

	if (cuts->suite->store != NULL) {
		folder_close(cuts->suite);
	}
	memory_disk_clear();
	folder_free(cuts->suite);
	free(cuts);
	return 0;
}

/* The server runs until the power is cut, be it while it starts or while it stops. */
static void run_until_cut(struct cuts *cuts)
{
	struct promises *promises = &cuts->promises;

	memory_disk_arm(MEMORY_DISK_POWER, random_below(&cuts->random, CALLS));
	if (!folder_open_if_it_can(cuts->suite)) {
		cuts->starts_cut++;
		return;
	}
	if (random_below(&cuts->random, 3) == 0) {
		promises->drops = true;
		cuts->suite->store->ops->drop_events(cuts->suite->store, INT64_MAX);
	}
	promises_ask(promises, cuts->suite, 1 + random_below(&cuts->random, 30));
	folder_close(cuts->suite);
}

/* One cut and what is there after it. False: something was lost, be it the whole file. */
static bool survives(struct cuts *cuts)
{
	struct promises *promises = &cuts->promises;
	bool is_there;

	run_until_cut(cuts);
	memory_disk_restart(&cuts->random);
	if (!folder_open_if_it_can(cuts->suite)) {
		snprintf(promises->broken, sizeof(promises->broken), "it does not open");
		return false;
	}
	is_there = promises_read(promises, cuts->suite);
	if (!is_there) {
		snprintf(promises->broken, sizeof(promises->broken), "it can't be read");
	}
	folder_close(cuts->suite);
	return is_there && promises->broken[0] == '\0';
}

/* Returns the rounds in which something was lost; after each there is a new disk. */
static int cut_often(struct cuts *cuts, int rounds)
{
	int lost = 0;
	bool is_new = true;

	for (int i = 0; i < rounds; i++) {
		if (is_new || i % ROUNDS_OF_A_DISK == 0) {
			cuts->stored += cuts->promises.stored;
			cuts->unknown += cuts->promises.unknown;
			memory_disk_clear();
			promises_init(&cuts->promises, &cuts->random);
		}
		is_new = !survives(cuts);
		if (is_new) {
			lost++;
			print_message("# round %d: %s\n", i, cuts->promises.broken);
		}
	}
	print_message("# %d rounds, %" PRIu64 " batches promised, %" PRIu64 " unknown, %" PRIu64
		      " starts cut, %d lost\n",
			rounds, cuts->stored, cuts->unknown, cuts->starts_cut, lost);
	return lost;
}

static void nothing_that_was_acknowledged_is_lost_by_a_power_cut(void **state)
{
	struct cuts *cuts = *state;

	int rounds = (int)number_from_environment("QTTT_ROUNDS", ROUNDS);

	assert_int_equal(cut_often(cuts, rounds), 0);
	assert_true(cuts->stored > 2 * (uint64_t)rounds);
}

/* What the store says of syncing is passed over, and this holds. */

static const char *synchronous;

static int forbid(void *arg, int action, const char *pragma, const char *value, const char *name,
		const char *trigger)
{
	(void)arg;
	(void)name;
	(void)trigger;
	return action == SQLITE_PRAGMA && strcmp(pragma, "synchronous") == 0 && value != NULL &&
					       strcmp(value, synchronous) != 0
			       ? SQLITE_IGNORE
			       : SQLITE_OK;
}

static int sync_less(sqlite3 *handle, char **ret_message, const struct sqlite3_api_routines *api)
{
	char sql[64];

	(void)ret_message;
	(void)api;
	sqlite3_set_authorizer(handle, forbid, NULL);
	snprintf(sql, sizeof(sql), "PRAGMA synchronous = %s", synchronous);
	return sqlite3_exec(handle, sql, NULL, NULL, NULL);
}

static int lost_with(struct cuts *cuts, const char *how, int rounds)
{
	int lost;

	synchronous = how;
	sqlite3_auto_extension((void (*)(void))sync_less);
	lost = cut_often(cuts, rounds);
	sqlite3_reset_auto_extension();
	return lost;
}

static void without_syncing_this_test_finds_losses(void **state)
{
	assert_true(lost_with(*state, "OFF", 200) > 10);
}

static void with_a_sync_at_checkpoints_alone_this_test_finds_losses(void **state)
{
	assert_true(lost_with(*state, "NORMAL", 200) > 10);
}

#define SENTENCE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SENTENCE(nothing_that_was_acknowledged_is_lost_by_a_power_cut),
			SENTENCE(without_syncing_this_test_finds_losses),
			SENTENCE(with_a_sync_at_checkpoints_alone_this_test_finds_losses),
	};

	memory_disk_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
