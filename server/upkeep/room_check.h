/* Is what is stored of a room in keeping with itself? Its events are replayed as loading does it,
 * each is compared with what follows from those before it, and the end of it with the room's row
 * and its game's. Knows no database: it is fed. */
#ifndef UPKEEP_ROOM_CHECK_H
#define UPKEEP_ROOM_CHECK_H

#include "server/store/reader.h"

struct room_check;

/* Something is wrong in this room. Valid during the call. */
typedef void room_check_find_fn(void *arg, const char *room, const char *sentence);

struct room_check_config {
	room_check_find_fn *find;
	/* Is there such a room? For those that follow upon a rematch. */
	bool (*has_room)(void *arg, const char *id);
	void *arg;
};

/* For any number of rooms, one after the other. */
struct room_check *room_check_new(const struct room_check_config *config);
void room_check_free(struct room_check *check);

/* As struct store_reader_visit has them. */
void room_check_begin(struct room_check *check, const struct store_reader_room *room);
void room_check_event(struct room_check *check, int64_t seq, const struct bytes *line);
void room_check_end(struct room_check *check);

#endif
