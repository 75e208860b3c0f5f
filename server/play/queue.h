/* The room's queue: nothing else changes a room. A command waits until it is the first one in the
 * queue of every room that it touches; then it is decided, stored, applied and told. Those that
 * wait stand in the order in which they arrived, a deadline before what came in its millisecond:
 *
 *     stored       apply, answer, tell
 *     conflict     somebody else was first: apply what he did, decide again
 *     unavailable  nothing happened: `unavailable`
 *     unknown      ask the store what it has until it can say; nobody is told meanwhile
 */
#ifndef PLAY_QUEUE_H
#define PLAY_QUEUE_H

#include "server/game/room.h"
#include "server/play/players.h"
#include "server/play/rooms.h"
#include "server/play/state.h"

#define PART_EVENTS_MAX 4

struct command;

/* What a command does in one room. */
struct part {
	struct command *command;
	struct hosted *hosted;
	struct room_command args;
	TAILQ_ENTRY(part) in_queue;
	bool is_queued; /* a room that is only being opened has no queue to stand in */
	char new_id[ROOM_ID_SIZE];
	size_t count; /* of events, once decided */
	/* Not zeroed; the first `count` are there: */
	struct event events[PART_EVENTS_MAX];
	struct bytes *lines[PART_EVENTS_MAX];
	struct room after; /* the room with the events applied */
};

/* That a command ends a game which counts; see rated.h. */
TAILQ_HEAD(rated_list, rated);
struct rated {
	struct command *command;
	struct player *players[2]; /* X, O, as far as they were found; references */
	int loading;		   /* the seat whose player is being read */
	bool is_not_readable;
	bool is_absent; /* one of them is no player any more: the game counts for nobody */
	bool holds;	/* it has both for itself */
	struct rated_list waiting; /* for that to end */
	TAILQ_ENTRY(rated) waits;
	bool is_decided; /* the rest is there */
	struct store_rating after[2];
	int ahead; /* X's half points minus O's */
};

/* Rows of a batch that a command makes, in memory of its own; see batch.h. */
struct batch;

typedef void command_fn(struct command *command);
typedef bool command_asks_fn(const struct command *command);

struct command {
	struct play *play;
	struct task *task; /* who asked, or NULL: a deadline, a bot */
	command_fn *done;  /* applied or refused: answer */
	command_fn *told;  /* or NULL: after the followers were told; not after a refusal, nor
			      where there was nothing to do. The task is gone then */
	/* Or NULL: asked when its turn has come. While true, it lets what arrived before go first,
	 * and is asked again. */
	command_asks_fn *must_wait;
	struct player *sits;	/* see command_sits; a reference */
	struct player *invited; /* see command_invites; a reference */
	TAILQ_ENTRY(command) of_invited;
	const struct session *asker; /* for `told`, to know it by; it may be gone */
	bool has_change;
	struct player_change change; /* of a player, in the same batch */
	bool keeps_name;
	struct player_change kept; /* the name that the change gives up, kept from others */
	struct player *player;	   /* after a stored change; a reference */
	struct rated *rated;	   /* or NULL */
	/* The outcome, for `done`: */
	enum code code;
	const char *message;
	const char *field;
	int64_t retry_ms;  /* 0: not said */
	bool is_lost_race; /* with a code: begin again from the request */
	/* For queue.c: */
	int tries;
	size_t waiting;	  /* parts that are not first in their queue yet */
	size_t reloading; /* the part whose room is being read again */
	struct timer retry;
	bool is_at_work; /* its turn has come: nobody goes before it any more */
	struct batch *batch;
	TAILQ_ENTRY(command) in_ready;
	size_t place_count; /* of parts that there is room for */
	size_t part_count;
	struct part parts[];
};

/* A command with places for this many rooms, one that it may open itself (a rematch's) included. */
struct command *command_new(struct task *task, size_t place_count, command_fn *done);

/* The same where nobody waits for an answer: its task is NULL. */
struct command *command_new_unasked(struct play *play, size_t place_count, command_fn *done);

/* The next room of the command; fill in the args that it returns (arrived_ms, now_ms, new ids and,
 * where somebody asked, player are seen to). A hosted with no event yet is a room to be opened, the
 * command's until it is stored. */
struct room_command *command_add(
		struct command *command, struct hosted *hosted, enum room_command_kind kind);

/* It may give this player a seat: until it is answered, that counts among his. */
void command_sits(struct command *command, struct player *player);

/* It opens a room to which this player is invited by the one who sits in it: the same of his
 * invitations. */
void command_invites(struct command *command, struct player *player);

/* Put it into its rooms' queues; the queue owns it from now on. `done` may come from within. */
void queue_submit(struct command *command);

/* Its turn has come (again): it is decided by the next queue_work. */
void queue_ready(struct command *command);

/* Decide whatever is ready. */
void queue_work(struct play *play);

/* For queue.c: gives back what command_new took. */
void command_free(struct command *command);

/* The seq that an `ok` to the command carries: of the first event that it caused in its first room,
 * or that room's last. */
int64_t command_seq(const struct command *command);

#endif
