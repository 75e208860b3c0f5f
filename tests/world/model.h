/* Every room as its stored events make it, judged by the slow model of the rules and by what the
 * contract promises of each event. Follows the store; knows nothing of the server. */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include "protocol/message.h"
#include "server/ops/map.h"
#include "server/play/ports.h"
#include "tests/unit/game/slow_model.h"

struct model_room {
	char id[ROOM_ID_SIZE];
	int64_t seq; /* of the last event looked at */
	int64_t at_ms;
	int64_t ended_seq; /* 0: not over */
	enum room_status status;
	char players[2][NAME_SIZE];
	char opponent[NAME_SIZE];
	enum seat draw_offer;
	struct clock_agreed agreed;
	struct rated_asked rated;
	bool counts; /* the game is one that counts for ratings, if it gets a score */
	struct ratings_changed ratings; /* what its end made of them */
	struct clock_running clock;	/* after the last action */
	int64_t clock_ms;		/* at_ms of that action, or of the start */
	bool acted[2];
	/* Bit n: event n is another server's, which this one learns of when it next stores one. */
	uint64_t foreign;
	struct slow_game game;
	struct slow_view view; /* points into game */
};

struct model {
	const struct store *store;
	struct map by_id;
	struct model_room **rooms;
	size_t count;
	size_t size;
	uint64_t actions; /* moves and measurements seen */
	uint64_t games;	  /* that ended by what stood on the board */
	uint64_t rated;	  /* that changed ratings */
	uint64_t flags;
	uint64_t claims;
	uint64_t no_first_moves;
	uint64_t creators_gone;
};

void model_init(struct model *model, const struct store *store);
void model_fini(struct model *model);

/* A room with its events up to `seq` looked at (or more, if it was further already). Fails the test
 * if an event is not stored or can't be. */
struct model_room *model_reach(struct model *model, const char *id, int64_t seq);

/* A room with all of its stored events looked at. */
struct model_room *model_catch_up(struct model *model, const char *id);

/* Fails the test unless the board is what the slow model makes of the room. */
void model_same_board(const struct model_room *room, const struct board *board);

/* The same for a snapshot; nothing is compared if the room is further already. */
void model_same_state(struct model *model, const struct snapshot *state);

#endif
