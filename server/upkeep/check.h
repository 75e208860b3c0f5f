/* Is a database sound? Reads all of it and tells what is not in keeping with the rest: a table of
 * checks, each of which is told what it finds. Changes nothing. */
#ifndef UPKEEP_CHECK_H
#define UPKEEP_CHECK_H

#include <stdio.h>

#include "server/store/reader.h"

/* What was looked through, and what was wrong. */
struct check_counts {
	uint64_t rooms;
	uint64_t events;
	uint64_t games;
	uint64_t players;
	uint64_t findings;
};

/* Check the database at `path`, a line to `out` for each finding. Returns 0 and the counts when it
 * was looked through, or what store_reader_open says of one that can't be. */
int check_database(const char *path, FILE *out, struct check_counts *ret_counts,
		char ret_message[STORE_SQLITE_MESSAGE_SIZE]);

#endif
