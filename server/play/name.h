/* Names: which ones there may be, and when two are the same. */
#ifndef PLAY_NAME_H
#define PLAY_NAME_H

#include <stdbool.h>

#include "protocol/limits.h"

/* A folded name: folding makes at most three characters of one, each at most three bytes. */
#define NAME_KEY_SIZE (LIMIT_NAME_CHARS * 9 + 1)

/* Normalise a name as typed (NFKC). True and *ret_name if it is a name: 2 to 20 Latin letters (with
 * or without marks), ASCII digits, '-' and '_', beginning with a letter. Reserved ones pass. */
bool name_normalise(const char *typed, char ret_name[NAME_SIZE]);

/* May nobody claim it: guest-…, bot-…, gone-…, server, operator, in any case. */
bool name_is_reserved(const char *name);

/* Is it one that this server would play under itself: bot-…? */
bool name_is_bot(const char *name);

/* The key of a normalised name: names with equal keys are the same (NFKC casefold). */
void name_key(const char *name, char ret_key[NAME_KEY_SIZE]);

#endif
