/* A game's record out of a file, in Goff's notation, which the server reads: "1:X(1-2),2:O(2-3)".
 * Here it is only found: lines that begin with #, ; or [ are headers and are passed over, blanks
 * and line ends count as one blank. A header in brackets that comes after a game begins the next.
 */
#ifndef CLIENT_RECORD_H
#define CLIENT_RECORD_H

#include <stdio.h>

#include "client-cli/options.h"
#include "protocol/limits.h"

/* As much of a file is read for a game, headers and blanks included. */
#define RECORD_FILE_BYTES 65536

struct record_place {
	unsigned int line; /* from 1 */
	unsigned int column;
};

struct record {
	char text[RECORD_SIZE]; /* printable ASCII alone */
	size_t length;
	struct record_place places[RECORD_SIZE]; /* of each of its characters; [length]: its end */
	const char *file;			 /* what the file is called, for sentences */
	bool has_more;				 /* another game follows */
};

/* Read the record of the n-th game in a file, from 1; "-" for standard input; the name must live as
 * long as the record.
 * Returns EXIT_FINE; or, with a sentence in ret_problem, EXIT_USAGE for a file that can't be read,
 * EXIT_REFUSED for one that holds no record. */
enum exit_status record_load(const char *path, size_t game, struct record *ret_record,
		char ret_problem[PROBLEM_SIZE]);

/* The same from an open file; `file` is what it is called. */
enum exit_status record_read(FILE *in, const char *file, size_t game, struct record *ret_record,
		char ret_problem[PROBLEM_SIZE]);

/* Where a character is, from 1 as the server counts: "game.txt, line 2, column 5 (4:O(1-2))". The
 * item that stands there is left out at the end of the record. */
void record_place_text(const struct record *record, size_t at, char ret_text[PROBLEM_SIZE]);

/* The n-th item, from 0: where it begins and ends, blanks around it and the score behind the last
 * one left out. Returns false beyond the last. */
bool record_item(const struct record *record, size_t index, size_t *ret_begin, size_t *ret_end);

#endif
