/* A copy of a database, made while a server may be writing to it. */
#ifndef STORE_BACKUP_H
#define STORE_BACKUP_H

#include <signal.h>
#include <stdint.h>

#include "server/store/sqlite.h"

/* Copy the database at `path` into a new file `to` (ops/new_file.h): all that was stored when it
 * began, and nothing of what came after. The server's commits do not wait for it; its log grows
 * meanwhile.
 *
 * `*stop`, which a signal may set, gives it up. Returns 0 and the size, or a negative errno with a
 * sentence: -EEXIST there is such a file, -EINTR it was stopped, -EINVAL and -ENODATA it is no
 * database of qttt, -ENOTSUP a newer version's, and what the system said. */
int store_backup(const char *path, const char *to, const volatile sig_atomic_t *stop,
		int64_t *ret_bytes, char ret_message[STORE_SQLITE_MESSAGE_SIZE]);

/* -EINVAL, with a sentence, for a new file under a name that SQLite takes for the database's own
 * log or journal, and empties or takes away; else 0. */
int store_refuse_beside(
		const char *path, const char *to, char ret_message[STORE_SQLITE_MESSAGE_SIZE]);

#endif
