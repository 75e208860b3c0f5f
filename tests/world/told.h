/* What a line from the server tells of a room, and whether that is stored. */
#ifndef TESTS_TOLD_H
#define TESTS_TOLD_H

#include "protocol/bytes.h"
#include "server/play/ports.h"

/* Fails the test if the line tells of something that the store does not have: a stored event must
 * be there with the same bytes; a room and seq in a reply or a state must be there too. */
void told_check(const struct store *store, const struct bytes *line);

/* Is it a stored event, one with room and seq first? Gives both (the room as NUL-ended copy). */
bool told_event(const struct bytes *line, char ret_room[17], int64_t *ret_seq);

/* The number that `"seq":` at this place in a line is followed by. */
int64_t told_seq(const char *place);

/* Does the line begin so? */
bool told_begins(const struct bytes *line, const char *beginning);

#endif
