/* Judges all that one client is sent: replies in the order of its requests and exactly one each,
 * events without a gap, nothing while it is behind, boards as the model has them. */
#ifndef TESTS_JUDGE_H
#define TESTS_JUDGE_H

#include "tests/world/model.h"
#include "tests/world/world.h"

/* Requests said and not answered. */
#define JUDGE_QUESTIONS_MAX 8

struct question {
	int id;			 /* 0: it had none */
	enum request_type type;	 /* REQUEST_COUNT: nonsense, an error is due */
	char room[ROOM_ID_SIZE]; /* "": none was named */
	bool has_since;
	int64_t since;
	int squares[2]; /* move */
};

struct follow {
	char room[ROOM_ID_SIZE];
	int64_t told; /* the last event that it knows of */
};

struct judge {
	struct client *client;
	struct model *model;
	struct question questions[JUDGE_QUESTIONS_MAX];
	size_t question_count;
	/* Analyses, each with an id: they alone are answered when they are ready. */
	struct question analyses[JUDGE_QUESTIONS_MAX];
	size_t analysis_count;
	struct follow *follows;
	size_t follow_count;
	size_t follow_size;
	bool was_full;		/* it followed more rooms than a connection can */
	char name[NAME_SIZE];	/* as the server said; "": none yet */
	char token[TOKEN_SIZE]; /* told last; "": none */
	uint64_t replies;
};

struct judge *judge_new(struct client *client, struct model *model);
void judge_free(struct judge *judge);

/* A request is about to be said. */
void judge_expect(struct judge *judge, const struct question *question);

/* Look at what came since the last time, and drop it. */
void judge_look(struct judge *judge);

/* The same, right after the client has read all: one state a room, and nothing else. */
void judge_look_at_states(struct judge *judge);

/* Everything has come to rest: nothing is left to be answered or told. */
void judge_at_rest(const struct judge *judge);

#endif
