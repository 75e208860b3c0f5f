/* How the bytes of a connection travel: plainly over its socket. What else there may be, encrypted
 * say, is one more struct transport_ops; who reads and writes lines does not notice. */
#ifndef NET_TRANSPORT_H
#define NET_TRANSPORT_H

#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

struct transport;

struct transport_ops {
	/* How many bytes came; 0 at the end of input; else a negative errno: -EAGAIN when there is
	 * nothing now. */
	ssize_t (*read)(struct transport *transport, void *data, size_t size);
	/* How many bytes were taken, maybe not all; else a negative errno, as above. */
	ssize_t (*write)(struct transport *transport, struct iovec *pieces, size_t count);
};

struct transport {
	const struct transport_ops *ops;
	int fd; /* the caller's: it watches it and closes it */
};

/* A connected socket that does not block. */
void transport_init_plain(struct transport *transport, int fd);

#endif
