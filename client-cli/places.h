/* The rooms that this connection follows, as far as coming back to them needs: how much of each is
 * known. It tells what is news after a return and what was told before. */
#ifndef CLIENT_PLACES_H
#define CLIENT_PLACES_H

#include "protocol/message.h"

#define PLACES_INVITATIONS_MAX 8

struct place {
	char id[ROOM_ID_SIZE];
	int64_t seq; /* of the last event that is known */
	bool over;
	/* The connection was lost, and what came since `seq` is not told yet. */
	bool behind;
	bool counted; /* spectators is what was last told */
	int64_t spectators;
	bool has_board;
	enum phase phase;
	enum seat turn;
	int64_t move; /* of the board: the number that an action now has */
};

struct places {
	size_t count;
	struct place seen[LIMIT_ROOMS_FOLLOWED]; /* the longest known first */
	size_t invitation_count;
	char invitations[PLACES_INVITATIONS_MAX][ROOM_ID_SIZE]; /* told already */
};

struct place *places_find(struct places *places, const char *id);
void places_drop(struct places *places, const char *id);

/* Learn from a message. Returns whether it is news; false: it was told before, or will be with
 * what was missed. */
bool places_take(struct places *places, const struct message *message);

/* The connection is lost: nothing of a room is taken but what comes next in it. */
void places_fall_behind(struct places *places);

/* What was missed of a room has come, up to this state of it. Returns whether that is all: else the
 * state itself is news. */
bool places_catch_up(struct places *places, const struct snapshot *state);

/* Give a move or a measurement of ours, who have this seat, its number, if it has none and it is
 * plain which it is: so that it can be sent again without being played twice. */
void places_number(struct places *places, enum seat seat, struct request *request);

#endif
