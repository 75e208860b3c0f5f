/* Reads a whole database for checking it: as it is at one moment, whatever a server may be writing
 * to it meanwhile, and without changing it. What the file and its rows are to be by themselves it
 * checks itself; it does not know what the lines mean.
 *
 * What is wrong is told as it is found, in sentences; so is what can't be read. It keeps one room
 * at a time. */
#ifndef STORE_READER_H
#define STORE_READER_H

#include "server/play/ports.h"
#include "server/store/sqlite.h"

struct store_reader;

/* Something is wrong, and with what: "room k7m2q", "index games_by_x". Valid during the call. */
typedef void store_reader_find_fn(void *arg, const char *what, const char *sentence);

/* Returns 0, or a negative errno with a sentence: what store_backup has, and -ESTALE an older
 * version wrote it, whose schema this one brings to its own before it reads it. */
int store_reader_open(const char *path, store_reader_find_fn *find, void *arg,
		struct store_reader **ret, char ret_message[STORE_SQLITE_MESSAGE_SIZE]);

/* NULL is fine. */
void store_reader_free(struct store_reader *reader);

/* Are the file's pages and indexes whole? */
void store_reader_check_file(struct store_reader *reader);

/* Are its tables and indexes those that this version makes? */
void store_reader_check_schema(struct store_reader *reader);

/* Do rows point at rows that are there, and can their numbers be? */
void store_reader_check_rows(struct store_reader *reader);

struct store_reader_room {
	const char *id;
	int state;			       /* enum store_room_state, or STORE_READER_THINNED */
	int64_t over_ms;		       /* 0: it is not noted when it got over */
	const struct store_finished *finished; /* without its lines; NULL: no game ended in it */
};

/* In place of STORE_ROOM_OVER: a part of its events was dropped. */
#define STORE_READER_THINNED 3

/* Called for every room in turn; what is shown is valid until its `end`, a line during the call. */
struct store_reader_visit {
	void (*begin)(void *arg, const struct store_reader_room *room);
	void (*event)(void *arg, int64_t seq, const struct bytes *line);
	void (*end)(void *arg);
	void *arg;
};

void store_reader_rooms(struct store_reader *reader, const struct store_reader_visit *visit);

typedef void store_reader_player_fn(void *arg, const struct store_player *player);
void store_reader_players(struct store_reader *reader, store_reader_player_fn *each, void *arg);

/* A game that changed ratings. */
struct store_reader_rated {
	const char *room;
	int64_t ids[2]; /* of X and O */
	int ahead;
	int64_t ended_ms;
	const char *result;
};

/* All of them, in the order in which they were stored; valid during the call. */
typedef void store_reader_rated_fn(void *arg, const struct store_reader_rated *game);
void store_reader_rated(struct store_reader *reader, store_reader_rated_fn *each, void *arg);

/* Is there a room of that id? True too if that can't be read. */
bool store_reader_has_room(struct store_reader *reader, const char *id);

#endif
