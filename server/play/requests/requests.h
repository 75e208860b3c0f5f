/* The handlers, by theme; and the few steps that several of them share. */
#ifndef PLAY_REQUESTS_H
#define PLAY_REQUESTS_H

#include "server/play/task.h"

/* identity.c */
handler_fn requests_hello, requests_text, requests_ping, requests_quit;

/* mute.c */
handler_fn requests_mute;

/* forget.c */
handler_fn requests_forget;

/* lists.c */
handler_fn requests_help, requests_who, requests_lobby;

/* records.c */
handler_fn requests_game, requests_games, requests_standing, requests_top;

/* rooms.c */
handler_fn requests_create, requests_match, requests_join, requests_decline, requests_watch,
		requests_leave, requests_state;

/* game.c */
handler_fn requests_move, requests_collapse, requests_resign, requests_abort, requests_draw,
		requests_claim, requests_rematch, requests_say;

/* analyse.c */
handler_fn requests_analyse;

/* operator.c: at the operator's door alone. */
handler_fn requests_notice, requests_kick, requests_ban, requests_unban, requests_bans,
		requests_rooms, requests_close, requests_stats, requests_release, requests_drain,
		requests_motd;

/* allowed.c: may the asker, as far as the limits go? True; or the request was refused: return. To
 * sit down in a room; to open one, `keep` (or NULL), which it follows, staying in memory meanwhile;
 * to invite; to watch; to ask for a rematch. */
bool requests_may_sit(struct task *task, const struct hosted *hosted);
bool requests_may_open(struct task *task, const struct hosted *keep);
bool requests_may_invite(struct task *task, const struct player *player);
bool requests_may_watch(struct task *task, const struct hosted *hosted);
bool requests_may_ask_rematch(struct task *task, const struct hosted *hosted);

/* The room that the request is about: named, or the one that the connection follows. NULL: the task
 * waits or was refused; return. */
struct hosted *requests_room(struct task *task);

/* Are the ratings of the room's players known, as far as they can be? False: the task waits;
 * return. */
bool requests_know_ratings(struct task *task, const struct hosted *hosted);

/* Fill in an `ok` with room and state; *ret_snapshot is what it points to. */
void requests_fill_state(const struct task *task, const struct hosted *hosted, struct ok *ret_ok,
		struct snapshot *ret_snapshot);

/* Answer with room, you, seat and state; follow. */
void requests_answer_seated(struct task *task, struct hosted *hosted);

/* One more room of a command: a seat in it that is under its player's former name, a guest's, gets
 * the name that he has now. */
void requests_rename(struct command *command, struct hosted *hosted);

/* Rooms in which a name that changes has a seat that matters: ret_rooms has a place for each of
 * rooms_of. Returns how many. */
size_t requests_rooms_to_rename(
		const struct play *play, const char *name, struct hosted **ret_rooms);

/* How many rows of a list are asked for. */
size_t requests_limit(const struct request *request);

/* The player that a name as typed means; also one who gave his name up, and is none to be spoken
 * to. NULL: the task waits or was refused. */
struct player *requests_player(struct task *task, const char *typed);
struct player *requests_past_player(struct task *task, const char *typed);

#endif
