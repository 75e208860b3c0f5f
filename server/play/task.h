/* A request under way. A handler runs from its beginning to its end, and when it needs what is not
 * in memory (a room, a player, a name for the connection) it returns; it runs again from the
 * beginning once that is there. So handlers read straight, and none may change anything before it
 * has all that it needs. */
#ifndef PLAY_TASK_H
#define PLAY_TASK_H

#include "server/play/players.h"
#include "server/play/queue.h"
#include "server/play/session.h"
#include "server/play/state.h"

enum lookup_kind {
	LOOKUP_ROOM,
	LOOKUP_KEY,
	LOOKUP_TOKEN,
	LOOKUP_GAME,
	LOOKUP_GAMES,
	LOOKUP_STANDING,
	LOOKUP_TOP
};
enum lookup_state { LOOKUP_PENDING, LOOKUP_FOUND, LOOKUP_ABSENT, LOOKUP_FAILED };

struct lookup {
	enum lookup_kind kind;
	enum lookup_state state;
	char key[NAME_KEY_SIZE];
	unsigned char hash[STORE_HASH_BYTES];
	bool is_full;		/* failed: there is no place in memory for the room */
	struct player *player;	/* found: a reference */
	struct game_row *games; /* found: game_count of them, its own */
	size_t game_count;
	struct standing *standings; /* found: standing_count of them, its own */
	size_t standing_count;
	int64_t next;	       /* where the list goes on; 0: nowhere */
	struct hosted *hosted; /* found: it stays in memory meanwhile */
	struct bytes **lines;  /* of a room that is being loaded: line_count of them, its own */
	size_t line_count;
};

/* Most that any handler asks for. */
#define TASK_LOOKUPS_MAX 3

/* Which names on the list of whom he has muted nobody has any more, as far as it is known. */
struct task_muted {
	int64_t version; /* the player's, when it was begun; 0: it was not */
	size_t known;	 /* so many from the first on */
	size_t given_up; /* so many of them */
	bool is_given_up[PLAYER_MUTED_MAX];
};

struct task {
	struct play *play;
	struct session *session; /* NULL once the connection is lost */
	struct player *player;	 /* who asks, or NULL; a reference */
	int64_t arrived_ms;	 /* its line's last byte: what counts for clocks */
	struct lookup lookups[TASK_LOOKUPS_MAX];
	size_t lookup_count;
	int restarts;
	uint32_t rates;		    /* bits of what was counted for it: a handler may run again */
	char new_token[TOKEN_SIZE]; /* of a player that this request makes */
	bool token_was_anothers;    /* so the one that came is none of his choice */
	char released[NAME_SIZE];   /* the name that this request frees */
	struct task_muted muted;
	TAILQ_ENTRY(task) waits; /* for a match */
	struct request request;	 /* not zeroed before it is decoded */
};

typedef void handler_fn(struct task *task);

struct task *task_new(struct session *session, int64_t arrived_ms);

/* Begin, or begin again; drops what was looked up. */
void task_run(struct task *task);

/* Somebody else was first: begin again, or give up as `unavailable` after a few times. */
void task_restart(struct task *task);

/* Was the command of a task carried out? If not, the task has begun again or was refused, and is
 * done with. */
bool task_is_done(struct command *command);

/* What the request asks for. *ret: what was found. LOOKUP_PENDING: return from the handler.
 * LOOKUP_FAILED: the request was answered (`unavailable`, `server_full`);
 * return from the handler. */
enum lookup_state task_room(struct task *task, const char *id, struct hosted **ret_hosted);
enum lookup_state task_player_by_key(
		struct task *task, const char *key, struct player **ret_player);
/* Forget what was looked up, to look for more than TASK_LOOKUPS_MAX, one after the other. */
void task_drop_lookups(struct task *task);
/* Is the player of that key in memory, if he can be? False: return from the handler. */
bool task_has_looked_for(struct task *task, const char *key);
enum lookup_state task_player_by_token(struct task *task,
		const unsigned char hash[STORE_HASH_BYTES], struct player **ret_player);

/* The row of a game that is over; found: found->games has the one. */
enum lookup_state task_game(struct task *task, const char *room, const struct lookup **ret_found);
/* A list of such games, which is FOUND also when it is empty. One in a request. */
enum lookup_state task_games(struct task *task, const struct store_games_query *query,
		const struct lookup **ret_found);

/* How the player of a key stands; found: found->standings has the one. */
enum lookup_state task_standing(
		struct task *task, const char *key, const struct lookup **ret_found);
/* The highest ratings; FOUND also when there are none. One in a request. */
enum lookup_state task_top(struct task *task, size_t limit, const struct lookup **ret_found);

/* Give a nameless connection a guest's name. True: there is a name. False: return. */
bool task_needs_name(struct task *task);

/* May one more of this be done? Counted once a request. False: it was refused; return. */
bool task_may(struct task *task, enum play_rate rate);

/* Answer, exactly once. After task_end (which each of the answers calls) the task is gone. */
void task_ok(struct task *task, struct ok *ok);
void task_refuse(struct task *task, enum code code, const char *message);
void task_refuse_field(struct task *task, const char *field, const char *message);
/* bad_request: the at'th part of that field is wrong. */
void task_refuse_at(struct task *task, const char *field, int64_t at, const char *message);
/* rate_limited: try again after that. */
void task_refuse_for(struct task *task, int64_t retry_ms, const char *message);
/* With the room's seq and board, for a refusal about its game. */
void task_refuse_in_room(
		struct task *task, const struct command *command, const struct hosted *hosted);

/* Send the answer of a task that goes on (to tell more after it); task_end ends it. */
void task_send_ok(struct task *task, struct ok *ok);
void task_end(struct task *task);

#endif
