/* The server comes to an end without ending games: no new ones begin, nobody new comes in but for
 * those who sit in a running one, and when the last is over, or at a given time, whoever runs the
 * server is told to stop. It can be taken back. */
#ifndef PLAY_DRAIN_H
#define PLAY_DRAIN_H

#include "server/play/session.h"
#include "server/play/task.h"

#define DRAIN_SENTENCE "The server is about to stop: no new games begin."

void drain_init(struct play *play);

/* Begin, or change the time (0: none); take it back. Everybody is told, but for
 * the one connection that says it. */
void drain_begin(struct play *play, int64_t until_ms, const struct session *but);
void drain_end(struct play *play, const struct session *but);

/* Games that run. */
size_t drain_games(const struct play *play);

/* May the request's connection ask for that? One that came while the server drains may only say who
 * it is. False: it was refused, and goes. */
bool drain_lets_in(struct task *task);

/* A connection has become somebody: it goes unless he has a game that runs. */
void drain_greeted(struct session *session);

#endif
