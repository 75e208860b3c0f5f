/* The operator's door: sessions that came by it have an operator_name. What he does to the
 * connections of others, and the record of it in the log. */
#ifndef PLAY_OPERATOR_H
#define PLAY_OPERATOR_H

#include "server/play/bans.h"
#include "server/play/session.h"

/* Log what an operator asked for, and what became of it; nothing for other sessions, and for
 * requests that are not operators'. */
void operator_log_asked(const struct session *session, enum request_type type, const char *line,
		size_t length);
void operator_log_answered(const struct session *session, enum request_type type, enum code code);

/* Tell a `notice` to all, to a room's followers, to a player's connections; but not to one, who
 * says it. Return how many. */
size_t operator_tell_all(struct play *play, const char *text, const struct session *but);
size_t operator_tell_room(struct hosted *hosted, const char *text, const struct session *but);
size_t operator_tell_player(struct player *player, const char *text);

/* Close his connections, with a `bye`. Returns how many. */
size_t operator_close(struct play *play, const struct ban_whom *whom);

/* The same to a player's, but for one (or NULL). */
void operator_close_player(const struct player *player, const struct session *but);

#endif
