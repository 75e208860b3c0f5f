/* A game looked at once more: what was done in it, and what it was worth before and after. The
 * actions come from a room's events, or from the items of a record; the values are the server's. No
 * rule of the game is known here. */
#ifndef CLIENT_STUDY_H
#define CLIENT_STUDY_H

#include <stdio.h>

#include "protocol/message.h"

/* Actions, and an end that is none, such as resigning. */
#define STUDY_STEPS_MAX (LIMIT_ACTIONS + 1)
#define STUDY_LABEL_SIZE 4
#define STUDY_ACTION_SIZE 12

struct study_step {
	char label[STUDY_LABEL_SIZE];	/* of a record: "4", "4c"; "": no action */
	enum seat by;			/* SEAT_NONE: both */
	char action[STUDY_ACTION_SIZE]; /* "1-5", "5", "O4 in 3", "resigned" */
};

struct study {
	char room[ROOM_ID_SIZE]; /* "": not known */
	int64_t seq;		 /* of the last event that was taken; 0: none */
	char players[2][NAME_SIZE];
	size_t count;
	struct study_step steps[STUDY_STEPS_MAX];
	size_t value_count;
	/* X's half points less O's, after 0, 1, 2 ... steps. */
	int8_t values[STUDY_STEPS_MAX + 1];
	size_t missing; /* values of steps that are not known */
};

/* Take an event of the room, if it is the next one after those that were taken: so the events of a
 * room that come again are told from what happens in it. The first may come again: then all do,
 * because the connection was lost meanwhile. Returns whether it was taken. */
bool study_take_event(struct study *study, const struct event *event);

/* The room as it is, after all its events: who plays, and how it ended. */
void study_take_state(struct study *study, const struct snapshot *state);

/* An item of a record, "4c:X(O4(3))". Returns false, and changes nothing, if it is none. */
bool study_take_item(struct study *study, const char *item, size_t length);

/* What `analyse` with steps said. */
void study_take_values(struct study *study, const struct ok *ok);

/* Half points that a step gave away, and whose they were; 0 if none, or if that is not known. */
int study_given_away(const struct study *study, size_t step, enum seat *ret_seat);

#endif
