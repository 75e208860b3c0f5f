#include "server/store/sqlite.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/ops/memory.h"
#include "server/store/sqlite_writer.h"

struct store_sqlite {
	struct store store; /* first: it is what others hold */
	struct db_writer writer;
	int lock;
	size_t asked;	       /* and not yet answered */
	struct job_list waits; /* of them, those to be handed to the writer */
	void (*on_waits)(void *arg);
	void *on_waits_arg;
	store_sqlite_report_fn *report;
	void *report_arg;
};

static struct store_sqlite *store_sqlite(struct store *store)
{
	return (struct store_sqlite *)store;
}

/* Kinds of jobs. */

static void commit_work(struct db *db, struct job *job)
{
	job->status = db_apply(db, &job->batch);
}

static void commit_clear(struct job *job)
{
	job->status = STORE_UNAVAILABLE;
}

static void commit_give(struct job *job)
{
	job->committed(job->arg, job->status);
}

static void room_work(struct db *db, struct job *job)
{
	job->found = db_load_room(db, job->text, job->after_seq, &job->lines);
}

static void room_clear(struct job *job)
{
	job->found = STORE_NOT_READABLE;
	store_lines_fini(&job->lines);
}

static void room_give(struct job *job)
{
	job->room_loaded(job->arg, job->found, job->lines.count, job->lines.line);
}

static void game_work(struct db *db, struct job *job)
{
	job->found = db_load_game(db, job->text, &job->game);
}

static void game_clear(struct job *job)
{
	job->found = STORE_NOT_READABLE;
	store_game_copy_fini(&job->game);
}

static void game_give(struct job *job)
{
	if (job->found == STORE_FOUND) {
		store_game_copy_give(&job->game, job->game_loaded, job->arg);
	} else {
		job->game_loaded(job->arg, job->found, NULL);
	}
}

static void games_work(struct db *db, struct job *job)
{
	job->found = db_load_games(db, &job->query, &job->games);
}

static void games_clear(struct job *job)
{
	job->found = STORE_NOT_READABLE;
	store_game_list_fini(&job->games);
}

static void games_give(struct job *job)
{
	store_game_list_give(&job->games, job->found, job->games_loaded, job->arg);
}

static void top_work(struct db *db, struct job *job)
{
	job->found = db_load_top(db, job->day, job->limit, &job->players);
}

static void top_clear(struct job *job)
{
	job->found = STORE_NOT_READABLE;
	store_player_list_fini(&job->players);
}

static void top_give(struct job *job)
{
	store_player_list_give(&job->players, job->found, job->players_loaded, job->arg);
}

static void unfinished_work(struct db *db, struct job *job)
{
	job->found = db_load_unfinished(db, &job->rooms);
}

static void unfinished_clear(struct job *job)
{
	job->found = STORE_NOT_READABLE;
	store_room_list_fini(&job->rooms);
}

static void unfinished_give(struct job *job)
{
	store_room_list_give(&job->rooms, job->each, job->arg);
	job->room_loaded(job->arg, job->found, 0, NULL);
}

static void by_key_work(struct db *db, struct job *job)
{
	job->found = db_load_player_by_key(db, job->text, &job->player);
}

static void by_token_work(struct db *db, struct job *job)
{
	job->found = db_load_player_by_token(db, job->token_hash, &job->player);
}

static void player_clear(struct job *job)
{
	job->found = STORE_NOT_READABLE;
	store_player_copy_fini(&job->player);
}

static void player_give(struct job *job)
{
	job->player_loaded(job->arg, job->found,
			job->found == STORE_FOUND ? &job->player.player : NULL);
}

static void bans_work(struct db *db, struct job *job)
{
	job->found = db_load_bans(db, &job->bans);
}

static void bans_clear(struct job *job)
{
	job->found = STORE_NOT_READABLE;
	store_ban_list_fini(&job->bans);
}

static void bans_give(struct job *job)
{
	job->bans_loaded(job->arg, job->found, job->bans.count, job->bans.bans);
}

static const struct job_kind commit_kind = {true, commit_work, commit_clear, commit_give};
static const struct job_kind room_kind = {false, room_work, room_clear, room_give};
static const struct job_kind game_kind = {false, game_work, game_clear, game_give};
static const struct job_kind games_kind = {false, games_work, games_clear, games_give};
static const struct job_kind top_kind = {false, top_work, top_clear, top_give};
static const struct job_kind unfinished_kind = {
		false, unfinished_work, unfinished_clear, unfinished_give};
static const struct job_kind by_key_kind = {false, by_key_work, player_clear, player_give};
static const struct job_kind bans_kind = {false, bans_work, bans_clear, bans_give};
static const struct job_kind by_token_kind = {false, by_token_work, player_clear, player_give};

/* Asking. */

static struct job *job_new(const struct job_kind *kind, void *arg)
{
	struct job *job = memory_new(1, sizeof(*job));

	job->kind = kind;
	job->arg = arg;
	/* Until it is done. */
	job->status = STORE_UNAVAILABLE;
	job->found = STORE_NOT_READABLE;
	return job;
}

static void job_free(struct job *job)
{
	job->kind->clear(job);
	free(job->text);
	free(job);
}

static void ask(struct store *store, struct job *job)
{
	struct store_sqlite *sqlite = store_sqlite(store);

	bool is_first = sqlite->waits.first == NULL;

	sqlite->asked++;
	job_list_add(&sqlite->waits, job);
	if (sqlite->on_waits == NULL) {
		store_sqlite_hand_over(store);
	} else if (is_first) {
		sqlite->on_waits(sqlite->on_waits_arg);
	}
}

void store_sqlite_hand_over(struct store *store)
{
	struct store_sqlite *sqlite = store_sqlite(store);

	db_writer_ask(&sqlite->writer, &sqlite->waits);
}

static void sqlite_commit(struct store *store, const struct store_batch *batch, store_done_fn *done,
		void *arg)
{
	struct job *job = job_new(&commit_kind, arg);

	job->batch = *batch;
	job->committed = done;
	ask(store, job);
}

static void sqlite_load_room(struct store *store, const char *room, int64_t after_seq,
		store_room_fn *done, void *arg)
{
	struct job *job = job_new(&room_kind, arg);

	job->text = memory_string(room);
	job->after_seq = after_seq;
	job->room_loaded = done;
	ask(store, job);
}

static void sqlite_load_game(struct store *store, const char *room, store_game_fn *done, void *arg)
{
	struct job *job = job_new(&game_kind, arg);

	job->text = memory_string(room);
	job->game_loaded = done;
	ask(store, job);
}

static void sqlite_load_games(struct store *store, const struct store_games_query *query,
		store_games_fn *done, void *arg)
{
	struct job *job = job_new(&games_kind, arg);

	job->query = *query;
	job->text = store_text_copy(query->key);
	job->query.key = job->text;
	job->games_loaded = done;
	ask(store, job);
}

static void sqlite_load_top(
		struct store *store, int64_t day, size_t limit, store_players_fn *done, void *arg)
{
	struct job *job = job_new(&top_kind, arg);

	job->day = day;
	job->limit = limit;
	job->players_loaded = done;
	ask(store, job);
}

static void sqlite_load_unfinished(
		struct store *store, store_each_room_fn *each, store_room_fn *done, void *arg)
{
	struct job *job = job_new(&unfinished_kind, arg);

	job->each = each;
	job->room_loaded = done;
	ask(store, job);
}

static void sqlite_load_player_by_key(
		struct store *store, const char *key, store_player_fn *done, void *arg)
{
	struct job *job = job_new(&by_key_kind, arg);

	job->text = memory_string(key);
	job->player_loaded = done;
	ask(store, job);
}

static void sqlite_load_player_by_token(struct store *store,
		const unsigned char token_hash[STORE_HASH_BYTES], store_player_fn *done, void *arg)
{
	struct job *job = job_new(&by_token_kind, arg);

	memcpy(job->token_hash, token_hash, STORE_HASH_BYTES);
	job->player_loaded = done;
	ask(store, job);
}

static void sqlite_load_bans(struct store *store, store_bans_fn *done, void *arg)
{
	struct job *job = job_new(&bans_kind, arg);

	job->bans_loaded = done;
	ask(store, job);
}

static void sqlite_drop_events(struct store *store, int64_t before_ms)
{
	db_writer_drop(&store_sqlite(store)->writer, before_ms);
}

/* Answering. */

int store_sqlite_fd(const struct store *store)
{
	return ((const struct store_sqlite *)store)->writer.event;
}

static void tell_reports(const struct store_sqlite *sqlite, struct db_report *report)
{
	while (report != NULL) {
		struct db_report *next = report->next;

		if (sqlite->report != NULL) {
			sqlite->report(sqlite->report_arg, report->news, report->text);
		}
		free(report);
		report = next;
	}
}

size_t store_sqlite_deliver(struct store *store)
{
	struct store_sqlite *sqlite = store_sqlite(store);
	struct db_report *reports;
	struct job *job = db_writer_take(&sqlite->writer, &reports);
	size_t count = 0;

	tell_reports(sqlite, reports);
	while (job != NULL) {
		struct job *next = job->next;

		job->kind->give(job);
		job_free(job);
		job = next;
		count++;
	}
	sqlite->asked -= count;
	return count;
}

/* Life. */

static void sqlite_free(struct store *store)
{
	struct store_sqlite *sqlite = store_sqlite(store);
	struct db_writer *writer = &sqlite->writer;

	while (sqlite->asked > 0) {
		store_sqlite_hand_over(store);
		struct pollfd answers = {.fd = writer->event, .events = POLLIN};

		poll(&answers, 1, -1);
		store_sqlite_deliver(store);
	}
	db_writer_stop(writer);
	store_sqlite_deliver(store);
	db_writer_fini(writer);
	/* The lock goes last: the next server finds a closed database. */
	close(sqlite->lock);
	free(sqlite);
}

static const struct store_ops sqlite_ops = {
		.commit = sqlite_commit,
		.load_room = sqlite_load_room,
		.load_game = sqlite_load_game,
		.load_games = sqlite_load_games,
		.load_top = sqlite_load_top,
		.load_unfinished = sqlite_load_unfinished,
		.load_player_by_key = sqlite_load_player_by_key,
		.load_player_by_token = sqlite_load_player_by_token,
		.load_bans = sqlite_load_bans,
		.drop_events = sqlite_drop_events,
		.free = sqlite_free,
};

static int start(struct store_sqlite *sqlite, char *ret_message)
{
	struct db *db = &sqlite->writer.db;
	int error = db_open(db);

	if (error != 0) {
		memcpy(ret_message, db->message, sizeof(db->message));
		return error;
	}
	error = db_writer_start(&sqlite->writer);
	if (error != 0) {
		snprintf(ret_message, STORE_SQLITE_MESSAGE_SIZE,
				"can't start the database's writer: %s", strerror(-error));
	}
	return error;
}

int store_sqlite_open(const struct store_sqlite_config *config, struct store **ret_store,
		char ret_message[STORE_SQLITE_MESSAGE_SIZE])
{
	struct store_sqlite *sqlite;
	int lock;
	int error;

	/* Nobody asks the library how much memory it uses, and counting takes a lock each time.
	 * Only before its first use; later it is refused, which does no harm. */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	error = db_file_claim(config->path, &lock, ret_message);
	if (error != 0) {
		return error;
	}
	sqlite = memory_new(1, sizeof(*sqlite));
	sqlite->store.ops = &sqlite_ops;
	sqlite->lock = lock;
	sqlite->report = config->report;
	sqlite->report_arg = config->report_arg;
	job_list_init(&sqlite->waits);
	sqlite->on_waits = config->waits;
	sqlite->on_waits_arg = config->waits_arg;
	db_init(&sqlite->writer.db, config->path);
	error = start(sqlite, ret_message);
	if (error != 0) {
		db_fini(&sqlite->writer.db);
		close(lock);
		free(sqlite);
		return error;
	}
	*ret_store = &sqlite->store;
	return 0;
}

const char *store_sqlite_failure_word(enum store_sqlite_failure failure)
{
	static const char *const words[STORE_SQLITE_FAILURES] = {
			[STORE_SQLITE_FULL] = "full",
			[STORE_SQLITE_READ_ONLY] = "read_only",
			[STORE_SQLITE_LOCKED] = "locked",
			[STORE_SQLITE_CORRUPT] = "corrupt",
			[STORE_SQLITE_READ] = "read",
			[STORE_SQLITE_WRITE] = "write",
			[STORE_SQLITE_SYNC] = "sync",
			[STORE_SQLITE_MOVED] = "moved",
			[STORE_SQLITE_OTHER] = "other",
	};

	return words[failure];
}

void store_sqlite_count(struct store *store, struct store_sqlite_counts *ret)
{
	struct db_writer *writer = &store_sqlite(store)->writer;

	pthread_mutex_lock(&writer->mutex);
	*ret = writer->counts;
	pthread_mutex_unlock(&writer->mutex);
}
