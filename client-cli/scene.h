/* What goes on around the player, as far as a terminal shows it: the boards, what he was asked, the
 * lobby, and the words that he may want to name. Learns from messages, knows no rule of the game
 * and no terminal. */
#ifndef CLIENT_SCENE_H
#define CLIENT_SCENE_H

#include "client-cli/rooms.h"
#include "protocol/message.h"

#define SCENE_INVITATIONS_MAX 8
/* People and rooms that were met, for completion; the one met longest ago is forgotten. */
#define SCENE_NAMES_MAX 64
#define SCENE_IDS_MAX 64

struct scene_room {
	char id[ROOM_ID_SIZE];
	bool has_board;
	struct board board;
	unsigned int last; /* bit n: mark n is of the last action */
	unsigned int line; /* bit n: square n is in a line that scored */
	enum seat draw_offer;
	enum seat rematch_by;
	struct clock_running clock; /* as it was told, at clock_ms */
	int64_t clock_ms;
	bool away;	     /* the opponent is */
	int64_t claim_at_ms; /* when the win can be claimed if he stays away; 0: not known */
};

struct scene_invitation {
	char room[ROOM_ID_SIZE];
	char player[NAME_SIZE];
};

struct scene {
	struct rooms *rooms; /* who sits where: the view's */
	int64_t now_ms;	     /* for the caller to set before it asks or tells anything timed */
	bool is_late;	     /* for the caller: what is told now may have waited to be read */
	bool knows_ahead;
	int64_t ahead_ms; /* the server's time less ours, by the event that came fastest */
	int64_t told_ms;  /* when the event was told that is learnt from, by our clock */
	size_t count;
	struct scene_room seen[LIMIT_ROOMS_FOLLOWED]; /* the longest known first */
	char current[ROOM_ID_SIZE];		      /* the room that words are about; "": none */
	size_t invitation_count;
	struct scene_invitation invitations[SCENE_INVITATIONS_MAX]; /* the newest last */
	bool forgets;  /* `forget` was typed, and is not confirmed yet */
	bool operates; /* at the operator's door, which is no lobby */
	bool follows_lobby;
	enum room_status lobby_status; /* what its list is of */
	size_t lobby_count;
	struct summary lobby[LIMIT_LIST];
	size_t name_count;
	char names[SCENE_NAMES_MAX][NAME_SIZE];
	size_t id_count;
	char ids[SCENE_IDS_MAX][ROOM_ID_SIZE];
};

/* Something that can be answered by yes or no. */
enum scene_question {
	QUESTION_NONE,
	QUESTION_DRAW,
	QUESTION_REMATCH,
	QUESTION_INVITED,
	QUESTION_FORGET /* by ourselves: is the name to be given up? */
};

void scene_init(struct scene *scene, struct rooms *rooms);

/* A request is sent. */
void scene_asked(struct scene *scene, const struct request *request);

/* The view has learnt from the message before. `room` is the one that was asked about, or "". */
void scene_learn(struct scene *scene, const struct message *message, const char *room);

/* The room that words are about, or NULL; and its board and offers, or NULL. */
const struct tell_room *scene_current(const struct scene *scene);
struct scene_room *scene_find(struct scene *scene, const char *id);

/* Is a game of ours going on in the current room? */
bool scene_plays(const struct scene *scene);

/* What the clocks of a room show now. */
struct clock_running scene_clock(const struct scene *scene, const struct scene_room *room);

/* How long until the prompt says something else by itself; -1: it does not. */
int64_t scene_change_ms(struct scene *scene);

/* What we are asked now; *ret_room (room id) and *ret_player (who asks), of the scene. */
enum scene_question scene_asks(struct scene *scene, const char **ret_room, const char **ret_player);

#endif
