/* The store that --db names, and what it answers brought to the loop. */
#ifndef STORAGE_H
#define STORAGE_H

#include <stdbool.h>

#include "server/net/loop.h"
#include "server/play/ports.h"

/* Zeroed: there is none. Stays where it is while it is open. */
struct storage {
	struct loop *loop;
	struct store *store; /* for play to ask */
	bool is_in_file;
	struct loop_watch *watch;   /* a file's answers */
	struct loop_task deliver;   /* memory's answers, which have no descriptor */
	struct loop_task hand_over; /* what a file was asked for in a pass */
};

/* `path` is a file, or "none": memory only. False, with a sentence on standard error, where it
 * can't be used. The loop outlives it. */
bool storage_open(struct storage *storage, struct loop *loop, const char *path);

/* Also one that was not opened, or not with success; once nobody asks it any more. */
void storage_close(struct storage *storage);

#endif
