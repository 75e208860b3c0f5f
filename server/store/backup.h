/* A copy of a database, made while a server may be writing to it. */
#ifndef STORE_BACKUP_H
#define STORE_BACKUP_H

#include <signal.h>
#include <stdint.h>

#include "server/store/sqlite.h"

/* Copy the database at `path` into a new file `to`, mode 0600: all that was stored when it began,
 * and nothing of what came after. The server's commits do not wait for it; its log grows meanwhile.
 * The file is complete and on the disk before it has its name; until then it is one beside it with
 * `.part-` and some letters after that name, which is removed if it comes to nothing.
 *
 * `*stop`, which a signal may set, gives it up. Returns 0 and the size, or a negative errno with a
 * sentence: -EEXIST there is such a file, -EINTR it was stopped, -EINVAL and -ENODATA it is no
 * database of qttt, -ENOTSUP a newer version's, and what the system said. */
int store_backup(const char *path, const char *to, const volatile sig_atomic_t *stop,
		int64_t *ret_bytes, char ret_message[STORE_SQLITE_MESSAGE_SIZE]);

#endif
