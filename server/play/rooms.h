/* The rooms in memory: finding, loading, letting go; and which rooms a name has to do with. */
#ifndef PLAY_ROOMS_H
#define PLAY_ROOMS_H

#include "server/game/room.h"
#include "server/play/followers.h"
#include "server/play/state.h"

struct part;
TAILQ_HEAD(part_list, part);

/* Something that was said, kept for snapshots. */
struct said {
	TAILQ_ENTRY(said) next;
	enum seat seat; /* SEAT_NONE: a watcher */
	char player[NAME_SIZE];
	char text[];
};
TAILQ_HEAD(said_list, said);

/* That a name sits in a room, or has a seat kept there. */
struct role {
	struct hosted *hosted;
	struct role_list *of;
	TAILQ_ENTRY(role) of_name;
};

/* Of a room: two players, and who was invited. */
#define ROLES_MAX 3

/* Rooms in memory in which a name sits, or has a seat kept. In the order in which they came. */
TAILQ_HEAD(role_entries, role);
struct role_list {
	char name[NAME_SIZE];
	size_t count;
	struct rating_shown rating; /* as it was when its player left memory */
	struct role_entries entries;
};

/* A room in memory, with what is not in its events. */
struct hosted {
	struct play *play;
	struct room room;
	struct room_watch watch;
	struct timer due_timer; /* set for what falls due next, or too early for it */
	bool due_queued;	/* what fell due is in the queue */
	uint64_t number;	/* rooms of one millisecond are as old as they were made findable */
	uint64_t end_number;	/* the same for the order in which they ended */
	struct bytes **lines;	/* its events, lines[i] has seq i + 1; NULL: it is dropped */
	int64_t whole_from;	/* the events after this seq are all there */
	size_t line_size;
	struct part_list queue; /* commands; the first one is being worked on */
	struct follower_list followers;
	size_t follower_count;
	struct said_list chat; /* oldest first */
	size_t chat_count[2];  /* of watchers' and of players' lines in it */
	struct age in_lobby;
	struct age in_open;
	bool is_listed;
	bool is_open;
	bool is_hidden; /* it waits, and its creator has been away for long */
	enum lobby_list listed_in;
	struct timer lobby_timer; /* set: a change is told when it fires */
	int64_t lobby_told_ms;
	int64_t lobby_added_ms; /* 0: before this server began */
	int64_t lobby_changed_ms;
	struct hosted_list *in_news; /* NULL: what happened was told */
	TAILQ_ENTRY(hosted) of_news;
	enum lobby_change news; /* which waits to be told */
	struct timer spectators_timer;
	int64_t spectators_told_ms;
	size_t spectators_told;
	struct bot *bot;	       /* who sits in it, or NULL; see bots.h */
	size_t pins;		       /* while there are any it does not leave memory */
	struct timer keep_timer;       /* set: nobody follows it, and it leaves memory */
	struct hosted_list *leaves_in; /* NULL: it is not over, or needed for a moment */
	TAILQ_ENTRY(hosted) in_leaving;
	struct role roles[ROLES_MAX];
	size_t role_count;
};

/* Is there place for one more room? Where there is none, one that is over makes some: the one that
 * was used longest ago, of those with which nothing is lost if there are any, or else of those that
 * are followed or have chat; not `keep`, which may be NULL. */
bool rooms_has_place(struct play *play, const struct hosted *keep);

/* A room that has no event yet and that nobody can find. */
struct hosted *rooms_new(struct play *play);

/* Not registered, nothing in its queue, nobody follows. NULL is fine. */
void rooms_free(struct hosted *hosted);

/* Make a room, whose first events are applied, findable. */
void rooms_register(struct hosted *hosted);

/* A free-looking id; the commit tells whether it is free. `tries` is how many were not: each makes
 * the next one longer, as the store has many more rooms than there are in memory. */
void rooms_new_id(const struct play *play, bool is_private, int tries, char ret_id[ROOM_ID_SIZE]);

/* The room of an id if it is in memory, else NULL. */
struct hosted *rooms_find(const struct play *play, const char *id);

/* Take over a room after applying stored events: keep their lines, the names' roles. */
void rooms_advance(struct hosted *hosted, const struct room *after, size_t count,
		struct bytes *const *lines);

/* Apply events that the store gave (at start, or another server's). Stops at the first that
 * can't follow, logs it and returns false; those before it stay applied. */
bool rooms_absorb(struct hosted *hosted, size_t count, struct bytes *const *lines);

/* Make a room of all its stored lines and register it; NULL if they are no room. Where it is over,
 * its players are called as they are today: `finished` is its game, NULL if none was played; then
 * nobody sits there any more. */
struct hosted *rooms_load(struct play *play, size_t count, struct bytes *const *lines,
		const struct store_finished *finished);

/* The same for a game that is over, whose events may be gone: none of those before now is told. */
struct hosted *rooms_load_finished(struct play *play, const struct store_finished *finished);

/* A player has another name now: in rooms that are over, and were not told so by an event, he has
 * it too. */
void rooms_rename_past(struct play *play, const char *before, const char *now);

/* A game of that name that runs, or NULL. */
struct hosted *rooms_game_of(const struct play *play, const char *name);

/* Is the room over, and may what is being stored of it be a rematch? */
bool rooms_may_go_on(const struct hosted *hosted);

/* Rooms that a name sits in and that are not over or may go on; `but` (or NULL) is not counted. */
size_t rooms_sat_in(const struct play *play, const char *name, const struct hosted *but);

/* May he come to sit in a room that is none of his yet, by what is being stored? */
bool rooms_seats_come(const struct player *player);

/* Rooms in which a seat is kept for a player, those too that are being stored: by one name; or by
 * anybody (NULL), but for those whom he has muted: he is told of none of these and can't turn them
 * down, so they are to take no other's place. */
size_t rooms_invited_to(const struct play *play, const struct player *player, const char *by);

/* The rooms of a name; never NULL, maybe empty. Valid until rooms come or go. */
const struct role_list *rooms_of(const struct play *play, const char *name);

/* The player in memory of a name, or NULL. */
const struct player *rooms_player(const struct play *play, const char *name);

/* A player leaves memory: the rooms of his name know his rating on. */
void rooms_keep_rating(const struct player *player);

/* Is whoever has this name present? A bot always is. Nothing else decides who is away. */
bool rooms_is_online(const struct play *play, const char *name);

/* Followers that do not sit in it. */
size_t rooms_spectators(const struct hosted *hosted);

/* Keep a line of chat. */
void rooms_keep_said(struct hosted *hosted, enum seat seat, const char *player, const char *text);

/* Who said it is called otherwise now. */
void rooms_rename_said(struct hosted *hosted, const char *before, const char *now);

/* A snapshot for a viewer (NULL: nameless), without what he has muted. Its chat is valid until the
 * next snapshot is made. */
void rooms_snapshot(const struct hosted *hosted, const struct player *viewer, struct snapshot *ret);

/* A summary for the lobby. */
void rooms_summary(const struct hosted *hosted, struct summary *ret);

/* Somebody needs it in memory, and no longer; NULL is fine for the latter. */
void rooms_pin(struct hosted *hosted);
void rooms_unpin(struct hosted *hosted);

/* Followed or let go, used, or over: begin anew to count a room's time in memory, if it is over. */
void rooms_maybe_leave(struct hosted *hosted);

/* Free every room, at the end. */
void rooms_free_all(struct play *play);

#endif
