/* What a store was asked and what it promised, and whether it keeps that: rooms with events, games,
 * players, and batches of several, asked for at random, some at once. */
#ifndef TESTS_STORE_PROMISES_H
#define TESTS_STORE_PROMISES_H

#include "tests/unit/store/suite.h"

#define PROMISED_ROOMS 12
#define PROMISED_PLAYERS 3

/* `sure` was promised or read; up to `asked` may be there besides. */
struct promised_room {
	char id[8];
	int64_t sure;
	int64_t asked;
	int64_t ended_seq; /* 0: its game goes on; asked for is enough */
	int other;	   /* asked for in one batch with that room, -1: alone */
	bool busy;
};

struct promised_player {
	char key[8];
	int64_t sure;
	int64_t asked;
	bool busy;
};

struct promises {
	uint64_t *random;
	struct promised_room rooms[PROMISED_ROOMS];
	struct promised_player players[PROMISED_PLAYERS];
	bool drops; /* events of games were asked to be dropped */
	uint64_t asked;
	uint64_t stored;  /* batches that were promised */
	uint64_t unknown; /* and those whose outcome was not */
	char broken[256]; /* the first promise that was broken; "": none */
};

void promises_init(struct promises *promises, uint64_t *random);

/* Ask for so many batches, some at a time, and note what comes of them. */
void promises_ask(struct promises *promises, struct suite *suite, int batches);

/* Read everything, as after a fault or a start: all that is sure must be there, and nothing that
 * was not asked for; of a batch all or nothing. What is there then is sure. False: it could not be
 * read. */
bool promises_read(struct promises *promises, struct suite *suite);

#endif
