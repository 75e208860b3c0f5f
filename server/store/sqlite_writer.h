/* The thread that owns the database: it takes all jobs that wait, does them in order, the commits
 * among them in one transaction, and hands them back done. */
#ifndef STORE_SQLITE_WRITER_H
#define STORE_SQLITE_WRITER_H

#include <pthread.h>

#include "server/store/sqlite_db.h"
#include "server/store/trouble.h"

struct job;

/* What is to be done, and on which thread. */
struct job_kind {
	bool is_commit;
	/* On the writer's thread; a load may be done again, after `clear`. A job begins as what
	 * could not be done (STORE_UNAVAILABLE, STORE_NOT_READABLE), and is so if it never was. */
	void (*work)(struct db *db, struct job *job);
	/* What a load found is forgotten. */
	void (*clear)(struct job *job);
	/* On the loop's thread: call back. */
	void (*give)(struct job *job);
};

struct job {
	struct job *next;
	const struct job_kind *kind;
	void *arg;
	/* A commit: */
	struct store_batch batch;
	store_done_fn *committed;
	enum store_status status;
	/* A load: */
	char *text; /* a room's id or a player's key, its own */
	int64_t after_seq;
	struct store_games_query query; /* its key is `text` */
	int64_t day;
	size_t limit;
	unsigned char token_hash[STORE_HASH_BYTES];
	store_each_room_fn *each;
	store_room_fn *room_loaded;
	store_player_fn *player_loaded;
	store_game_fn *game_loaded;
	store_games_fn *games_loaded;
	store_players_fn *players_loaded;
	store_bans_fn *bans_loaded;
	enum store_found found;
	struct store_lines lines;
	struct store_room_list rooms;
	struct store_player_copy player;
	struct store_game_copy game;
	struct store_game_list games;
	struct store_player_list players;
	struct store_ban_list bans;
};

/* Something to be told of the database. */
struct db_report {
	struct db_report *next;
	enum store_sqlite_news news;
	char text[STORE_SQLITE_MESSAGE_SIZE];
};

struct job_list {
	struct job *first;
	struct job **last;
};

void job_list_init(struct job_list *list);
void job_list_add(struct job_list *list, struct job *job);

struct db_writer {
	pthread_t thread;
	struct db db;		/* the thread's, once it runs */
	struct trouble trouble; /* so is this */
	int event;		/* an eventfd, readable while `done` or `reports` wait */
	/* The thread's: */
	int64_t dropping_ms;   /* events of rooms over before this are being dropped; 0: none are */
	int64_t dropped_at_ms; /* monotonic: the last step */

	pthread_mutex_t mutex; /* guards what follows */
	pthread_cond_t changed;
	struct job_list asked;
	struct job_list done;
	bool stopping;
	int64_t drop_before_ms;	   /* asked for, not yet begun; 0: nothing */
	struct db_report *reports; /* oldest first */
	struct store_sqlite_counts counts;
};

/* Start the thread on writer->db, which is open. Returns 0 or a negative errno. */
int db_writer_start(struct db_writer *writer);

/* Let the thread finish all that was asked, checkpoint and end. What it did is still to be taken.
 */
void db_writer_stop(struct db_writer *writer);

/* Close the database, after db_writer_stop, and free what the writer holds. */
void db_writer_fini(struct db_writer *writer);

/* Hand jobs to the thread, which has them until db_writer_take gives them back. */
void db_writer_ask(struct db_writer *writer, struct job_list *jobs);

/* Have events dropped of rooms that got over before this time. */
void db_writer_drop(struct db_writer *writer, int64_t before_ms);

/* The list of what is done and what there is to be told; both are the caller's from now on, to be
 * freed. Never blocks for long. */
struct job *db_writer_take(struct db_writer *writer, struct db_report **ret_reports);

#endif
