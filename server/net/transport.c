#include "server/net/transport.h"

#include <errno.h>
#include <sys/socket.h>

static ssize_t plain_read(struct transport *transport, void *data, size_t size)
{
	const ssize_t got = recv(transport->fd, data, size, 0);

	return got < 0 ? -errno : got;
}

/* Nearly always it is one line, and for that the kernel has a shorter way. */
static ssize_t plain_write(struct transport *transport, struct iovec *pieces, size_t count)
{
	struct msghdr message = {.msg_iov = pieces, .msg_iovlen = count};
	const ssize_t taken = count == 1 ? send(transport->fd, pieces->iov_base, pieces->iov_len,
							   MSG_NOSIGNAL)
					 : sendmsg(transport->fd, &message, MSG_NOSIGNAL);

	return taken < 0 ? -errno : taken;
}

static const struct transport_ops plain_ops = {.read = plain_read, .write = plain_write};

void transport_init_plain(struct transport *transport, int fd)
{
	transport->ops = &plain_ops;
	transport->fd = fd;
}
