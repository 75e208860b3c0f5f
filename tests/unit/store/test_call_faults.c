/* Every single call to the disk fails in its turn: once, or it and all after it, or for want of
 * space, or in the middle. What was promised stays, nothing is there that was not asked for, and
 * once the disk is well the store goes on by itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/game/random.h"
#include "tests/unit/store/folder.h"
#include "tests/unit/store/memory_disk.h"
#include "tests/unit/store/promises.h"

#define BATCHES 12
/* The threads' timing may spare some calls: this many rounds in which none failed are the end. */
#define UNMET_MAX 5

struct faults {
	struct suite *suite;
	uint64_t seed;
	uint64_t random;
	struct promises promises;
};

static int setup(void **state)
{
	struct faults *faults = calloc(1, sizeof(*faults));

	assert_non_null(faults);
	faults->suite = folder_new();
	faults->seed = random_seed();
	*state = faults;
	return 0;
}

static int teardown(void **state)
{
	struct faults *faults = *state;

	if (faults->suite->store != NULL) {
		folder_close(faults->suite);
	}
	memory_disk_clear();
	folder_free(faults->suite);
	free(faults);
	return 0;
}

static void begin(struct faults *faults)
{
	memory_disk_clear();
	faults->random = faults->seed;
	promises_init(&faults->promises, &faults->random);
	folder_open(faults->suite);
	promises_ask(&faults->promises, faults->suite, BATCHES);
}

static void assert_kept(struct faults *faults, const char *when, int64_t number)
{
	if (!promises_read(&faults->promises, faults->suite)) {
		fail_msg("%s, call %" PRId64 ": it can't be read", when, number);
	}
	if (faults->promises.broken[0] != '\0') {
		fail_msg("%s, call %" PRId64 ": %s", when, number, faults->promises.broken);
	}
}

/* The disk is well: all is stored that is asked for, without another start, and after one. */
static void assert_goes_on(struct faults *faults, int64_t number)
{
	struct promises *promises = &faults->promises;
	uint64_t asked;

	assert_kept(faults, "well again", number);
	asked = promises->asked;
	promises->stored = 0;
	promises->unknown = 0;
	promises_ask(promises, faults->suite, BATCHES);
	if (promises->stored != promises->asked - asked) {
		fail_msg("well again, call %" PRId64 ": %" PRIu64 " of %" PRIu64
			 " were stored, %" PRIu64 " are unknown; %s %s",
				number, promises->stored, promises->asked - asked,
				promises->unknown, promises->broken, folder_report(faults->suite));
	}
	folder_close(faults->suite);
	folder_open(faults->suite);
	assert_kept(faults, "started again", number);
	folder_close(faults->suite);
}

typedef void acts_fn(struct faults *faults);

static void commits(struct faults *faults)
{
	faults->promises.drops = true;
	faults->suite->store->ops->drop_events(faults->suite->store, INT64_MAX);
	promises_ask(&faults->promises, faults->suite, BATCHES);
}

static void stops_and_starts(struct faults *faults)
{
	folder_close(faults->suite);
	if (!folder_open_if_it_can(faults->suite)) {
		memory_disk_arm(MEMORY_DISK_WELL, 0);
		folder_open(faults->suite);
	}
}

/* Let each call that `acts` makes fail so. */
static void fail_each(struct faults *faults, enum memory_disk_fault fault, acts_fn *acts)
{
	int64_t number = 0;
	int unmet = 0;

	while (unmet < UNMET_MAX) {
		begin(faults);
		memory_disk_arm(fault, number);
		acts(faults);
		memory_disk_arm(MEMORY_DISK_WELL, 0);
		unmet = memory_disk_met() ? 0 : unmet + 1;
		assert_goes_on(faults, number);
		number++;
	}
	print_message("# %" PRId64 " calls\n", number - unmet);
	assert_true(number - unmet > 20);
}

static void each_call_of_commits_may_fail_once(void **state)
{
	fail_each(*state, MEMORY_DISK_ONCE, commits);
}

static void the_disk_may_fail_from_each_call_of_commits_on(void **state)
{
	fail_each(*state, MEMORY_DISK_FROM, commits);
}

static void the_disk_may_be_full_from_each_write_of_commits_on(void **state)
{
	fail_each(*state, MEMORY_DISK_FULL, commits);
}

static void each_write_of_commits_may_stop_in_its_middle(void **state)
{
	fail_each(*state, MEMORY_DISK_SHORT, commits);
}

static void each_call_of_a_stop_and_a_start_may_fail_once(void **state)
{
	fail_each(*state, MEMORY_DISK_ONCE, stops_and_starts);
}

static void the_disk_may_fail_from_each_call_of_a_stop_and_a_start_on(void **state)
{
	fail_each(*state, MEMORY_DISK_FROM, stops_and_starts);
}

#define MANY 1000

/* Undoing it would take many pages. There is no place for temporary files on this disk. */
static void a_large_batch_needs_no_temporary_file(void **state)
{
	static struct store_player_change changes[MANY];
	static char keys[MANY][8];
	struct faults *faults = *state;
	const struct store_batch batch = {.player_count = MANY, .players = changes};

	folder_open(faults->suite);
	for (int version = 1; version <= 2; version++) {
		for (int i = 0; i < MANY; i++) {
			snprintf(keys[i], sizeof(keys[i]), "p%d", i);
			changes[i] = suite_player_of(i + 1, version, keys[i], 'a');
			memcpy(changes[i].player.token_hash, keys[i], sizeof(keys[i]));
		}
		assert_int_equal(suite_commit(faults->suite, &batch), STORE_STORED);
		for (int i = 0; i < MANY; i++) {
			bytes_unref(changes[i].player.record);
		}
	}
}

#define SENTENCE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SENTENCE(a_large_batch_needs_no_temporary_file),
			SENTENCE(each_call_of_commits_may_fail_once),
			SENTENCE(the_disk_may_fail_from_each_call_of_commits_on),
			SENTENCE(the_disk_may_be_full_from_each_write_of_commits_on),
			SENTENCE(each_write_of_commits_may_stop_in_its_middle),
			SENTENCE(each_call_of_a_stop_and_a_start_may_fail_once),
			SENTENCE(the_disk_may_fail_from_each_call_of_a_stop_and_a_start_on),
	};

	memory_disk_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
