/* All games that are over, as lines of JSON: what `game` tells, and whether they were private, the
 * one that ended first first. The names are those of the moment. */
#ifndef UPKEEP_EXPORT_H
#define UPKEEP_EXPORT_H

#include <signal.h>
#include <stdio.h>

#include "server/store/reader.h"

/* Write the games of the database to `out`, of one moment, whatever a server may be writing to it
 * meanwhile. `*stop`, which a signal may set, gives it up. Returns 0 and how many; or a negative
 * errno with a sentence. */
int export_database(const char *db, FILE *out, const volatile sig_atomic_t *stop,
		uint64_t *ret_count, char ret_message[STORE_SQLITE_MESSAGE_SIZE]);

#endif
