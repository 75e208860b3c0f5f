/* The whole server without sockets in one process: server/play on the tests' own store, with a
 * clock that the test moves and random bytes from a seed. Clients are sinks that collect lines.
 *
 * Every line that any client is sent is looked at on its way: what it tells must be stored at that
 * moment, with the same bytes. All the rest is for the tests to expect. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include "protocol/message.h"
#include "server/play/play.h"
#include "tests/unit/game/cmocka_all.h"
#include "tests/world/fake_work.h"
#include "tests/world/fickle_store.h"

/* A client with more bytes waiting than this is behind. */
#define WORLD_BEHIND_BYTES 1000
#define WORLD_KEEP_OVER_MS 60000
#define WORLD_KEEP_EVENTS_MS 86400000
#define WORLD_RETRY_MS 2000
#define WORLD_KEEP_GUESTS_MS 3600000
#define WORLD_START_MS 1800000000000
#define WORLD_FIRST_MOVE_MS 60000
#define WORLD_CLAIM_MS 60000
#define WORLD_CLAIM_UNTIMED_MS 86400000
#define WORLD_UNTOUCHED_MS 1209600000
#define WORLD_HIDE_AWAY_MS 120000
#define WORLD_CLOSE_AWAY_MS 600000
#define WORLD_BOT_PACE_MS 600

struct client;

/* A line and when its last byte came. */
struct said_line {
	char *text;
	int64_t at_ms;
};

struct world {
	struct store *store;
	struct work *work;	   /* see fake_work.h */
	struct play_limits limits; /* of the next start; none at first */
	struct play_config config; /* of the last one */
	struct play *play;
	uint64_t random;
	int64_t now_ms;
	int64_t wake_ms;
	bool started;
	struct client **clients; /* in the order in which they came; also those that are gone */
	size_t client_count;
	size_t client_size;
	bool is_closing;  /* after world_shutdown */
	bool was_drained; /* the server would stop by now */
};

/* Lines not read yet are lines[read..count). */
struct client {
	struct world *world;
	struct session *session; /* NULL: closed by the server, or dropped */
	bool was_closed;	 /* by the server */
	bool is_busy;		 /* a request of it is under way */
	bool ends;		 /* half-closed: no line comes after those that wait */
	bool is_stopped;	 /* by the test: its lines came, and are not handed over */
	bool passes_over_words;	 /* lines that begin with # do not come to it */
	size_t queued;		 /* bytes that it has not read; see client_stalls */
	bool piles_up;		 /* what it is sent adds to them */
	struct bytes **lines;
	size_t count;
	size_t size;
	size_t read;
	struct said_line *input; /* lines that it has said and the server has not taken */
	size_t input_count;
	size_t input_size;
	struct message message; /* the last one that client_next gave */
	char *text;		/* the last one that client_line gave */
	void *own;		/* the test's */
};

/* A server that has started on an empty store. */
struct world *world_new(uint64_t seed, const struct fickle_knobs *knobs);
void world_free(struct world *world);

/* Start again under limits. */
void world_limit(struct world *world, const struct play_limits *limits);

/* Every connection is lost, what is under way is carried out, and the server starts again on what
 * is stored. */
void world_restart(struct world *world);
void world_shutdown(struct world *world);

/* One step: waiting input is handed over, the store gives what is due, a job is worked on, timers
 * that are due fire.
 * Returns false if there was nothing to do. */
bool world_step(struct world *world);

/* Steps until nothing moves (held commits may still wait). */
void world_settle(struct world *world);

/* Move the clock, stopping wherever the server wants to be woken, and settle at each stop. */
void world_advance(struct world *world, int64_t ms);

/* Keep commits from being answered; answer them after all, and settle. */
void world_hold(struct world *world);
void world_release(struct world *world);

/* The next commits are answered so, until world_store_works. */
void world_store_refuses(struct world *world);
void world_store_forgets(struct world *world, bool kept); /* UNKNOWN */
void world_store_works(struct world *world);

/* Another server's events on the same store, after the room's last one. Settles before and after.
 * Room, seq and at_ms are filled in. */
void world_foreign(struct world *world, const char *room, size_t count, struct event *events,
		enum store_room_state state);

/* How many events a room has in the store. */
int64_t world_stored(const struct world *world, const char *room);

/* A new connection, its `welcome` read. */
struct client *client_connect(struct world *world);
/* The same from another address than all the others. */
struct client *client_connect_from(struct world *world, const char *address);
/* Who comes by the operator's door. */
struct client *client_connect_operator(struct world *world);

/* A new connection that has claimed `name` (or come back with `token`, if not NULL); all read. */
struct client *client_connect_as(struct world *world, const char *name, const char *token);

/* Say a line (printf-like, without LF). It is taken at once, or when what came before is done. */
void client_say(struct client *client, const char *format, ...)
		__attribute__((format(printf, 2, 3)));

/* The connection is lost; or no more input comes. */
void client_drop(struct client *client);
void client_half_close(struct client *client);

/* It does not read: so many bytes wait. 0: all was read, and the server is told. */
void client_stalls(struct client *client, size_t bytes);

/* Forget what was not read. */
void client_skip(struct client *client);
/* The same, and drop all lines that came so far. */
void client_clear(struct client *client);
/* A client that is closed or dropped leaves the world; others stay as they are. */
void client_free(struct client *client);
size_t client_unread(const struct client *client);

/* The next line, decoded; valid until the next one is. Fails the test when there is none. */
const struct message *client_next(struct client *client);
/* The next line as text, without LF; valid until the next such call. */
const char *client_line(struct client *client);
/* Read one line and expect it to be so. */
const struct ok *client_ok(struct client *client, enum request_type to);
const struct error *client_error(struct client *client, enum code code);
const struct event *client_event(struct client *client, enum event_type type);
void client_reads(struct client *client, const char *format, ...)
		__attribute__((format(printf, 2, 3)));
/* The last line says this, and the server closed. */
void client_bye(struct client *client, enum bye_reason reason);
/* Fails the test if something was not read. */
void client_nothing(struct client *client);

/* Say a line, settle, and expect the reply to be the first line. Copies the room's id of an `ok`
 * where ret_room is not NULL. */
const struct ok *ask(struct client *client, const char *format, ...)
		__attribute__((format(printf, 2, 3)));
const struct error *ask_refused(struct client *client, enum code code, const char *format, ...)
		__attribute__((format(printf, 3, 4)));

/* Say a line: before it is stored nobody hears of it, not even another one whom it is about. */
void ask_unheard(struct client *client, struct client *other, const char *format, ...)
		__attribute__((format(printf, 3, 4)));

/* What a client asks for is `unavailable`, since the store refuses it. */
void ask_unstored(struct client *client, const char *line);

/* Two say a line each before the store has answered either; settles. */
void say_at_once(struct client *one, const char *line, struct client *other,
		const char *others_line);

/* Two players, X and O, in a public room of their own; all read. */
struct table {
	struct client *x;
	struct client *o;
	char room[ROOM_ID_SIZE];
};
void table_open(struct world *world, const char *x, const char *o, struct table *ret);
/* The same with clocks. */
void table_open_clocks(
		struct world *world, int64_t base_ms, int64_t increment_ms, struct table *ret);
/* Act by act, each by whose turn it is: "1-5 2-3 c5"; all read. */
void table_play(struct table *table, const char *acts);
/* A new connection that watches it; all read. */
struct client *table_watch(struct table *table);

/* cmocka setup and teardown of a world whose store works. */
int world_setup(void **state);
int world_teardown(void **state);

#define WORLD_TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

#endif
