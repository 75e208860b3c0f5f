/* What the parts of the simulation share, and the clients' side of it: what they say, and about
 * which rooms. */
#ifndef TESTS_ASKING_H
#define TESTS_ASKING_H

#include "tests/unit/game/random.h"
#include "tests/world/judge.h"

#define CONNECTIONS 24
/* Who has a name of his own, with a token that he chose. */
#define PEOPLE 8
/* Tokens of guests that were told, to come back with. */
#define GUESTS 8
/* Rooms that anybody talks about: the newest ones. */
#define KNOWN_ROOMS 12
#define STALLED_BYTES (WORLD_BEHIND_BYTES + 1)

struct simulation {
	struct world *world;
	struct model model;
	uint64_t random;
	struct judge *judges[CONNECTIONS]; /* NULL: not connected */
	char guests[GUESTS][TOKEN_SIZE];
	char rooms[KNOWN_ROOMS][ROOM_ID_SIZE];
	size_t room_count; /* all that were ever known */
	int next_id;
	int64_t started_ms; /* the server that runs */
	uint64_t replies;
	uint64_t restarts;
	uint64_t foreign_events;
	uint64_t foreign_games;
};

static inline int below(struct simulation *simulation, int n)
{
	return random_below(&simulation->random, n);
}

static inline bool one_in(struct simulation *simulation, int n)
{
	return below(simulation, n) == 0;
}

/* The id of a room that somebody has heard of, or of one that is not there. */
const char *asking_any_room(struct simulation *simulation);

/* A client says something: who it is, anything at all, or what is no request. */
void asking_hello(struct simulation *simulation, struct judge *judge);
void asking_something(struct simulation *simulation, struct judge *judge);
void asking_nonsense(struct simulation *simulation, struct judge *judge);

#endif
