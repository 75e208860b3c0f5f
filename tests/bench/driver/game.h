/* Games of two connections, played after a script: each player acts when he sees the event before.
 * How to say it is the dialect's: qtttd's, or the yardstick's. */
#ifndef BENCH_GAME_H
#define BENCH_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/bench/driver/conn.h"

#define GAME_ACTIONS_MAX 20
#define GAME_ID_SIZE 24

enum game_action_kind { GAME_MOVE = 'm', GAME_COLLAPSE = 'c', GAME_LAST_SQUARE = 't' };

struct game_action {
	unsigned char who; /* 0: X, 1: O */
	unsigned char kind;
	unsigned char squares[2]; /* a collapse and the last square have one */
};

struct game_script {
	int count;
	struct game_action actions[GAME_ACTIONS_MAX];
};

struct game {
	struct conn *players[2];
	const struct game_script *script; /* NULL: not begun */
	long number;			  /* no other game of the run has it */
	char id[GAME_ID_SIZE];		  /* the server's name of it */
	int rooms;			  /* that were made for it */
	int left;			  /* events that connections have yet to see */
	int done;			  /* actions that their players have seen */
	uint64_t acted_ns[GAME_ACTIONS_MAX];
};

struct game_dialect {
	const char *name;
	void (*open)(struct game *game); /* make it and seat both; ends in game_joined twice */
	void (*watch)(struct conn *conn, const struct game *game);
	void (*act)(struct conn *conn, const struct game_action *action);
	void (*line)(struct conn *conn, const char *line, size_t length);
};

/* NULL if there is none of that name. */
const struct game_dialect *game_dialect_named(const char *name);

/* For game_dialect.c to say what came. */
void game_joined(struct conn *conn);
void game_saw(struct conn *conn);

/* What the runs want to know; each may be NULL. */
struct game_hooks {
	void (*joined)(struct conn *conn);
	void (*own)(struct conn *conn, uint64_t latency_ns);	 /* an actor saw his action */
	void (*watched)(struct conn *conn, uint64_t latency_ns); /* a watcher saw one */
	void (*turn)(struct game *game); /* the next may act; NULL: he does at once */
	void (*over)(struct game *game); /* everyone has seen everything */
};

/* Read the scripts. */
void game_init(const struct game_dialect *dialect, const char *file,
		const struct game_hooks *hooks);

/* One of the scripts, whatever the number. */
const struct game_script *game_script_numbered(long number);

struct game *game_array(int count, struct conn *players);

/* Make a room for the game; both players are connected. */
void game_open(struct game *game);

void game_watch(struct conn *conn, struct game *game);

/* All have joined: the game has its script, and `watchers` look on. */
void game_begin(struct game *game, int watchers);

/* The next action; its latency counts from `at_ns` on. */
void game_act(struct game *game, uint64_t at_ns);

/* Of connections that play or watch. */
extern const struct conn_ops game_conn_ops;

/* Connect so many, `window` at a time. They are connected when this returns. */
void game_connect(struct conn *conns, int count, int window);

/* Of all games. */
struct game_counts {
	long games;   /* opened */
	int joined;   /* connections in their places; for the run to set to 0 */
	int live;     /* games that go on */
	uint64_t own; /* actions seen by their players */
	uint64_t seen;
	uint64_t planned; /* actions of the scripts of games that began */
};
extern struct game_counts game_counts;

#endif
