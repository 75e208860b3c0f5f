/* A play for the tests of net: it answers each line by itself, without rooms or players.
 *
 *     busy TEXT   is worked on until fake_release, then answered TEXT
 *     big N       is answered by N bytes, their LF included
 *     time        is answered by the line's arrival time
 *     play        is answered `play`, and the session goes first from now on
 *     quit        is answered `bye`, and the session closes
 *     TEXT        is answered TEXT
 */
#ifndef TEST_FAKE_PLAY_H
#define TEST_FAKE_PLAY_H

#include "server/play/play.h"

struct fake_seen {
	size_t lines;
	size_t ended;
	size_t lost;
	size_t given_up;
	size_t bytes;
	char address[PLAY_ADDRESS_SIZE]; /* of the newest connection */
	bool wants_rest;
	struct bytes *banned; /* what all who come are told, or NULL; see fake_ban */
	size_t drained;
	size_t queued_max;	/* bytes that waited when a line came */
	size_t queued_all_max;	/* the same, of all sessions */
	size_t lines_before_hi; /* lines of all sessions before the line `hi` */
};

struct play *fake_new(void);
void fake_free(struct play *play);

/* What happened so far. */
const struct fake_seen *fake_seen(const struct play *play);

/* Whoever sends bytes has to rest, and is told `rested` by fake_release. */
void fake_rest(struct play *play, bool on);

/* Everybody is banned, and told so by this line (NULL: nobody is). */
void fake_ban(struct play *play, struct bytes *line);

/* The most bytes that wait for one session. */
size_t fake_queued(const struct play *play);

size_t fake_busy(const struct play *play);

/* When the first line came that waits at any connection; INT64_MAX if none does. */
int64_t fake_waits_since(const struct play *play);

/* Answer every session that is busy, as a store's answer would make play do. */
void fake_release(struct play *play);

/* Send every session a line of so many bytes. */
void fake_tell_all(struct play *play, size_t length);

#endif
