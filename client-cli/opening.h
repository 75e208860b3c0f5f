/* A connection that is being made beside all else, on a thread of its own: to look a name up may
 * take its time, and meanwhile keys are to be obeyed. */
#ifndef CLIENT_OPENING_H
#define CLIENT_OPENING_H

#include "client-cli/link.h"

struct opening;

/* Begin to connect as link_open does; the target is copied. NULL when the system gives no thread.
 */
struct opening *opening_new(const struct link_target *target);

/* Readable once it has come to something. */
int opening_fd(const struct opening *opening);

/* Take what it came to, as link_open returns it, and end the opening. Waits if it is not readable.
 */
bool opening_take(struct opening *opening, struct link *ret, const char **ret_reason);

/* Nobody wants it any more: what it still comes to is closed. NULL is fine. */
void opening_abandon(struct opening *opening);

#endif
