/* When failures of one kind after another become lines of a log: each kind once when it begins, now
 * and then while it lasts, and once when it is over. Knows no database and no clock. */
#ifndef STORE_TROUBLE_H
#define STORE_TROUBLE_H

#include "server/store/sqlite.h"

/* Kinds of failures that are told in one time of trouble; more are only counted. */
#define TROUBLE_KINDS_MAX 8
/* While it lasts it is told this often. */
#define TROUBLE_STILL_MS 60000
/* It is over when so long nothing failed, and something went well. */
#define TROUBLE_OVER_MS 3000

/* Zeroed: there is none. */
struct trouble {
	uint64_t count; /* of failures; 0: all is well */
	uint64_t untold;
	int64_t began_ms;
	int64_t failed_ms; /* the last one */
	int64_t told_ms;
	bool went_well; /* since then */
	size_t kind_count;
	uint64_t kinds[TROUBLE_KINDS_MAX]; /* hashes of what was told */
};

/* It failed. True: tell *ret_news with the text. Times are of any clock that does not go back. */
bool trouble_fails(struct trouble *trouble, const char *message, int64_t now_ms,
		enum store_sqlite_news *ret_news, char ret_text[STORE_SQLITE_MESSAGE_SIZE]);

/* It went well. */
void trouble_goes_well(struct trouble *trouble);

/* Is it over? True: tell that, with the text. */
bool trouble_ends(
		struct trouble *trouble, int64_t now_ms, char ret_text[STORE_SQLITE_MESSAGE_SIZE]);

#endif
