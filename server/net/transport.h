/* How the bytes of a connection travel: plainly over its socket, or by TLS (tls.h). Who reads and
 * writes lines does not notice which. */
#ifndef NET_TRANSPORT_H
#define NET_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

struct transport;

struct transport_ops {
	/* How many bytes came; 0 at the end of input; else a negative errno: -EAGAIN when there is
	 * nothing now. */
	ssize_t (*read)(struct transport *transport, void *data, size_t size);
	/* How many bytes were taken, maybe not all; else a negative errno, as above. The first
	 * `promised` bytes that were not taken have to be the first of the next write. */
	ssize_t (*write)(struct transport *transport, struct iovec *pieces, size_t count);
	/* True when there are bytes that the socket will not be readable for. */
	bool (*holds_more)(const struct transport *transport);
	/* We have said all: the peer is told. */
	void (*shut)(struct transport *transport);
	/* Close the socket, and free what belongs to it. */
	void (*close)(struct transport *transport);
};

/* A value: who copies it hands it over. */
struct transport {
	const struct transport_ops *ops;
	int fd; /* a connected socket that does not block; the transport's */
	/* The input ends without the peer having said that it is all: its last line may be half a
	 * line. Plainly that is a reset; where a read does not tell of it, as a write did. */
	bool was_cut;
	size_t promised;
	void *tls;
};

void transport_init_plain(struct transport *transport, int fd);

#endif
