/* The way to the server: connecting, and bytes out. Bytes in are read by lines.h from link.fd.
 * Encryption belongs behind this header when it comes. */
#ifndef CLIENT_LINK_H
#define CLIENT_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINK_CONNECT_TIMEOUT_MS 10000

struct link {
	int fd; /* non-blocking; -1: none */
	char *output;
	size_t output_begin; /* output[begin..end) waits to be written */
	size_t output_end;
	size_t output_size;
	uint64_t queued;   /* bytes that link_send has taken */
	uint64_t written;  /* of them, those that the socket has */
	bool write_failed; /* the server takes nothing more; what it said can still be read */
	bool half_closed;
};

/* Connect to the first address of the host that answers, each within the time-out.
 * Returns true and fills *ret; false with the reason, which is static, in *ret_reason. */
bool link_open(const char *host, const char *port, struct link *ret, const char **ret_reason);

/* Use a connected socket, which the link then owns. */
void link_take_fd(struct link *link, int fd);

void link_close(struct link *link);

/* Queue bytes; what is queued is bounded by the session's limit of unanswered requests. Returns 0
 * or -ENOMEM. */
int link_send(struct link *link, const char *data, size_t length);

bool link_has_output(const struct link *link);

/* Write what the socket takes now. */
void link_flush(struct link *link);

/* Tell the server that no more will come. */
void link_half_close(struct link *link);

#endif
