#include "server/net/transport.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

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

	if (taken >= 0) {
		return taken;
	}
	/* The system tells of a reset once. Whoever reads after this finds what came before it, and
	 * then what looks like an orderly end; where there was one, it is EPIPE. */
	transport->was_cut =
			transport->was_cut || (errno != EAGAIN && errno != EINTR && errno != EPIPE);
	return -errno;
}

static bool plain_holds_more(const struct transport *transport)
{
	(void)transport;
	return false;
}

static void plain_shut(struct transport *transport)
{
	shutdown(transport->fd, SHUT_WR);
}

static void plain_close(struct transport *transport)
{
	close(transport->fd);
}

static const struct transport_ops plain_ops = {
		.read = plain_read,
		.write = plain_write,
		.holds_more = plain_holds_more,
		.shut = plain_shut,
		.close = plain_close,
};

void transport_init_plain(struct transport *transport, int fd)
{
	*transport = (struct transport){.ops = &plain_ops, .fd = fd};
}
