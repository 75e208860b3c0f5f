/* The way to the server: connecting, bytes out, bytes in; plainly or by TLS. */
#ifndef CLIENT_LINK_H
#define CLIENT_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define LINK_CONNECT_TIMEOUT_MS 10000
#define LINK_READ_BYTES 16384

/* Where to, and how; the texts are the caller's. */
struct link_target {
	const char *path; /* of a socket, in place of all that follows; or NULL */
	const char *host;
	const char *port;
	bool tls;
	const char *ca; /* who may vouch for the server, a file; NULL: whom the system trusts */
};

struct link {
	int fd;	   /* non-blocking; -1: none */
	void *tls; /* NULL: plain */
	char *output;
	size_t output_begin; /* output[begin..end) waits to be written */
	size_t output_end;
	size_t output_size;
	uint64_t queued;   /* bytes that link_send has taken */
	uint64_t written;  /* of them, those that the socket has */
	bool write_failed; /* the server takes nothing more; what it said can still be read */
	bool half_closed;
};

/* Connect to the first address of the host that answers, each within the time-out, and by TLS make
 * sure, within one more, that it is the host that was meant.
 * Returns true and fills *ret; false with the reason, which is static, in *ret_reason. */
bool link_open(const struct link_target *target, struct link *ret, const char **ret_reason);

/* Use a connected socket, which the link then owns. */
void link_take_fd(struct link *link, int fd);

void link_close(struct link *link);

/* A thread that opened a link and is about to end gives back what TLS keeps for it: the process may
 * end before the thread has. */
void link_end_thread(void);

/* Queue bytes; what is queued is bounded by the session's limit of unanswered requests. Returns 0
 * or -ENOMEM. */
int link_send(struct link *link, const char *data, size_t length);

bool link_has_output(const struct link *link);

/* Write what the socket takes now. */
void link_flush(struct link *link);

/* Read once what has come, when the socket is readable. By TLS `size` has to be LINK_READ_BYTES at
 * least: what is left of a record would not be told by the socket. Returns how many bytes, 0 at the
 * end, or a negative errno (-EAGAIN: nothing yet). */
ssize_t link_read(struct link *link, void *data, size_t size);

/* Tell the server that no more will come. */
void link_half_close(struct link *link);

#endif
