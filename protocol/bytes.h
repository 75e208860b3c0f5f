/* A line, encoded once and then shared: the same bytes are stored, sent to every follower and
 * given again for `since`. Immutable after it was made; counted by one thread at a time: it
 * belongs to its maker's thread until it is handed over whole. Another thread may read the bytes
 * only while the one that counts holds a reference for it. */
#ifndef PROTOCOL_BYTES_H
#define PROTOCOL_BYTES_H

#include <assert.h>
#include <stddef.h>

/* Right before the bytes, for a head that goes with them (see bytes_with_head). It fills what
 * would be padding. */
#define BYTES_ROOM 4

struct bytes {
	size_t length; /* its LF included */
	unsigned int references;
	char room[BYTES_ROOM];
	char data[]; /* not NUL-ended */
};

static_assert(offsetof(struct bytes, data) == offsetof(struct bytes, room) + BYTES_ROOM,
		"nothing stands between the room and the bytes");

/* A new line with a copy of data[0..length) and one reference, the caller's. */
struct bytes *bytes_new(const char *data, size_t length);

/* Put a head of at most BYTES_ROOM bytes before them. Returns where it begins: from there on both
 * are one piece. Whoever puts one there by the thread that counts has to put it there each time;
 * the bytes themselves stay as they are. */
char *bytes_with_head(struct bytes *bytes, const void *head, size_t length);

/* One more reference; returns its argument. */
struct bytes *bytes_ref(struct bytes *bytes);

/* One reference less; the last frees it. NULL is fine. */
void bytes_unref(struct bytes *bytes);

#endif
