/* Messages in words, for sessions at a bare netcat (`text`): from the point of view of who is at
 * it. Costs nothing where nobody wants words; session.c asks only then. */
#ifndef PLAY_TELLING_H
#define PLAY_TELLING_H

#include "server/play/session.h"

/* In `only` every message is told, in `on` one that carries a board. `event` may be NULL: it is
 * what the line says. */
void telling_event(struct session *session, const struct event *event, const struct bytes *line);
void telling_ok(struct session *session, const struct ok *ok);

/* `hosted`: the room whose board the error carries, or NULL. */
void telling_error(struct session *session, const struct error *error, const struct hosted *hosted);

/* A stored event of the past: a sentence without the drawing, as the state follows. */
void telling_past(struct session *session, const struct bytes *line);

#endif
