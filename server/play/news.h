/* What those hear who follow the lobby. Each event is told at once, as long as that is no great
 * work; when much happens and many follow, rooms wait until there is time for their news, and then
 * of each is told once what it has come to. Rooms that came and went meanwhile are not told of. */
#ifndef PLAY_NEWS_H
#define PLAY_NEWS_H

#include "protocol/message.h"
#include "server/play/rooms.h"

/* Work in a second: a line for a follower is one piece of it, and that something is written to him
 * NEWS_WRITE_COST. */
#define NEWS_WORK_A_SECOND 200000
#define NEWS_WRITE_COST 10
/* Work that may be ahead of its time before news has to wait. */
#define NEWS_AHEAD_MS 200
/* Lines for all followers that are told in one go. */
#define NEWS_LINES_A_GO 5000

/* An event of this room: ret->lobby. */
void news_event(const struct hosted *hosted, enum lobby_change change, struct event *ret);

/* Tell it, at once or when there is time. */
void news_tell(struct hosted *hosted, enum lobby_change change);

/* The room leaves memory: if its end has yet to be told, that is now. */
void news_forget(struct hosted *hosted);

/* For the timer of `struct play`: there is time. */
void news_due(void *owner);

#endif
