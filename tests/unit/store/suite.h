/* What every store must do, as sentences that are run against each of them through the port; and
 * helpers that ask a store and wait for its answer. */
#ifndef TESTS_STORE_SUITE_H
#define TESTS_STORE_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/play/ports.h"

/* The state of each test: a store, and how to wait until it has given some answer. */
struct suite {
	struct store *store;
	size_t (*deliver)(struct store *store);
	void *own; /* the fixture's */
};

/* Runs all sentences; `setup` and `teardown` make and free the struct suite in *state, one a test.
 * Returns how many failed. */
int suite_run(const char *name, CMFixtureFunction setup, CMFixtureFunction teardown);

/* A hash made of one letter. */
void suite_hash(char letter, unsigned char ret_hash[STORE_HASH_BYTES]);

/* Commit and wait for the status. */
enum store_status suite_commit(struct suite *suite, const struct store_batch *batch);

/* Commit `count` events of a room, made of its id and their seq, after after_seq. */
enum store_status suite_commit_events(struct suite *suite, const char *room, int64_t after_seq,
		size_t count, enum store_room_state state);

/* Commit one player with a record made of his key and version. */
enum store_status suite_commit_player(
		struct suite *suite, int64_t id, int64_t version, const char *key, char token);

/* Load and wait: how many events there are, -1 if the room is absent. Fails the test unless each
 * line is the one that suite_commit_events made. */
int64_t suite_count_events(struct suite *suite, const char *room, int64_t after_seq);

/* The line that suite_commit_events makes; the reference is the caller's. */
struct bytes *suite_line(const char *room, int64_t seq);

#endif
