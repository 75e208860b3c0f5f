/* What every store must do, as sentences that are run against each of them through the port; and
 * helpers that ask a store and wait for its answer. */
#ifndef TESTS_STORE_SUITE_H
#define TESTS_STORE_SUITE_H

#include "server/play/ports.h"
#include "tests/unit/game/cmocka_all.h"

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

/* Load and wait: is the room there? Its lines may be any. */
enum store_found suite_found(struct suite *suite, const char *room);

/* The line that suite_commit_events makes; the reference is the caller's. */
struct bytes *suite_line(const char *room, int64_t seq);

/* Parts of the above. */

#define SUITE_LINES_MAX 64

struct suite_committed {
	bool answered;
	enum store_status status;
};

struct suite_loaded_room {
	const char *room;
	int64_t after_seq;
	bool answered;
	enum store_found found;
	size_t count;
};

struct suite_loaded_player {
	bool answered;
	enum store_found found;
	int64_t id;
	int64_t version;
	char key[64];
	char token;
	char record[64];
};

/* A change of one room with lines of its own. */
struct suite_change {
	struct store_room_change change;
	struct bytes *lines[SUITE_LINES_MAX];
};

/* A store_done_fn on a struct suite_committed. */
void suite_note_committed(void *arg, enum store_status status);

/* As in suite_commit_events; to be kept where it is, with its lines, until it is answered. */
void suite_change_init(struct suite_change *change, const char *room, int64_t after_seq,
		size_t count, enum store_room_state state);
void suite_change_fini(struct suite_change *change);

/* As in suite_commit_player; the record's reference is the caller's. */
struct store_player_change suite_player_of(
		int64_t id, int64_t version, const char *key, char token);

/* A store_room_fn on a struct suite_loaded_room, whose room and after_seq were set. */
void suite_note_room(void *arg, enum store_found found, size_t count, struct bytes *const *lines);

/* Are they the lines that suite_line makes, from after_seq + 1 on? */
void suite_assert_lines(
		const char *room, int64_t after_seq, size_t count, struct bytes *const *lines);

/* Load and wait. */
struct suite_loaded_player suite_player_by_key(struct suite *suite, const char *key);
struct suite_loaded_player suite_player_by_token(struct suite *suite, char token);

#endif
