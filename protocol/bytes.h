/* A line, encoded once and then shared: the same bytes are stored, sent to every follower and
 * given again for `since`. Immutable after it was made; counted by one thread at a time: it
 * belongs to its maker's thread until it is handed over whole. Another thread may read the bytes
 * only while the one that counts holds a reference for it. */
#ifndef PROTOCOL_BYTES_H
#define PROTOCOL_BYTES_H

#include <stddef.h>

struct bytes {
	unsigned int references;
	size_t length; /* its LF included */
	char data[];   /* not NUL-ended */
};

/* A new line with a copy of data[0..length) and one reference, the caller's. */
struct bytes *bytes_new(const char *data, size_t length);

/* One more reference; returns its argument. */
struct bytes *bytes_ref(struct bytes *bytes);

/* One reference less; the last frees it. NULL is fine. */
void bytes_unref(struct bytes *bytes);

#endif
