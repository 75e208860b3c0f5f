/* Are the stored ratings what the stored games make of them? All are calculated once more, in the
 * order in which the games ended, and compared with what each game's end told and with what the
 * players have. Keeps a rating for each player who has one. */
#ifndef UPKEEP_RATING_CHECK_H
#define UPKEEP_RATING_CHECK_H

#include "server/store/reader.h"

void rating_check(struct store_reader *reader, store_reader_find_fn *find, void *arg);

#endif
