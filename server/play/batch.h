/* A decided command as the store's batch. */
#ifndef PLAY_BATCH_H
#define PLAY_BATCH_H

#include "server/play/queue.h"

/* Rows of all that the command would change, pointing into it and into memory of their own: the
 * command must not change until batch_free. */
struct batch *batch_new(const struct command *command);
const struct store_batch *batch_store(const struct batch *batch);
/* NULL is fine. */
void batch_free(struct batch *batch);

#endif
