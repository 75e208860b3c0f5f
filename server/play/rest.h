/* Who has used up his allowance, or his address's, rests: he is not read for a while. Connections
 * that wait for their address stand in a line, and whoever is first has his turn before all who
 * came after him: however they ask, each gets on. */
#ifndef PLAY_REST_H
#define PLAY_REST_H

#include "server/play/session.h"

/* Who is first waits for his address's allowance no longer than this: others of it, who do not
 * stand in the line since they have just come, may use up all that there is. */
#define REST_FIRST_MS 250

void rest_init(struct session *session);
/* It is not to rest any more, before it is freed. */
void rest_fini(struct session *session);

bool rest_is_on(const struct session *session);

/* False: it rests from now on, and is told by sink.ready when that is over. It does not rest yet.
 */
bool rest_may_go_on(struct session *session);

/* The limits have changed: if it rests, it is for as long as they have it now. */
void rest_change(struct session *session);

#endif
