#include "client-cli/link.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A connection on which nothing moves is asked about so often, and given up after the fourth. */
#define LINK_KEEPALIVE_S 15

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

/* Wait until a connection under way has come to something. Returns 0 or a negative errno. */
static int connect_wait(int fd)
{
	long deadline = now_ms() + LINK_CONNECT_TIMEOUT_MS;
	struct pollfd wanted = {.fd = fd, .events = POLLOUT};
	int error = 0;
	socklen_t size = sizeof(error);

	for (;;) {
		long left = deadline - now_ms();
		int count = left > 0 ? poll(&wanted, 1, (int)left) : 0;

		if (count > 0) {
			break;
		}
		if (count == 0) {
			return -ETIMEDOUT;
		}
		if (errno != EINTR) {
			return -errno;
		}
	}
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0) {
		return -errno;
	}
	return -error;
}

/* A socket connected to one address, or a negative errno. */
static int connect_one(const struct addrinfo *address)
{
	int fd = socket(address->ai_family, address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
			address->ai_protocol);
	int result = 0;

	if (fd < 0) {
		return -errno;
	}
	if (connect(fd, address->ai_addr, address->ai_addrlen) < 0) {
		result = errno == EINPROGRESS ? connect_wait(fd) : -errno;
	}
	if (result < 0) {
		close(fd);
		return result;
	}
	return fd;
}

void link_take_fd(struct link *link, int fd)
{
	int on = 1;
	int seconds = LINK_KEEPALIVE_S;
	unsigned int most_ms = 4 * LINK_KEEPALIVE_S * 1000;

	*link = (struct link){.fd = fd};
	/* A short line is to leave at once, and a machine that is gone to be found in a minute;
	 * that this fails on what is no TCP socket does no harm. */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof(seconds));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof(seconds));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &most_ms, sizeof(most_ms));
}

/* As strerror, which is not for several threads. */
static const char *link_reason(int error)
{
	const char *text = strerrordesc_np(error);

	return text ? text : "unknown error";
}

bool link_open(const char *host, const char *port, struct link *ret, const char **ret_reason)
{
	struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	struct addrinfo *addresses = NULL;
	int result = getaddrinfo(host, port, &hints, &addresses);
	int fd = -EHOSTUNREACH;

	if (result != 0) {
		*ret_reason = result == EAI_SYSTEM ? link_reason(errno) : gai_strerror(result);
		return false;
	}
	for (const struct addrinfo *address = addresses; address && fd < 0;
			address = address->ai_next) {
		fd = connect_one(address);
	}
	freeaddrinfo(addresses);
	if (fd < 0) {
		*ret_reason = link_reason(-fd);
		return false;
	}
	link_take_fd(ret, fd);
	return true;
}

void link_close(struct link *link)
{
	if (link->fd >= 0) {
		close(link->fd);
	}
	free(link->output);
	*link = (struct link){.fd = -1};
}

int link_send(struct link *link, const char *data, size_t length)
{
	size_t kept = link->output_end - link->output_begin;

	if (link->output_begin > 0) {
		memmove(link->output, link->output + link->output_begin, kept);
		link->output_begin = 0;
		link->output_end = kept;
	}
	if (kept + length > link->output_size) {
		size_t size = 2 * (kept + length);
		char *output = realloc(link->output, size);

		if (!output) {
			return -ENOMEM;
		}
		link->output = output;
		link->output_size = size;
	}
	memcpy(link->output + kept, data, length);
	link->output_end += length;
	link->queued += length;
	return 0;
}

bool link_has_output(const struct link *link)
{
	return !link->write_failed && link->output_begin < link->output_end;
}

void link_flush(struct link *link)
{
	while (link_has_output(link)) {
		ssize_t count = send(link->fd, link->output + link->output_begin,
				link->output_end - link->output_begin, MSG_NOSIGNAL);

		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0) {
			link->write_failed = errno != EAGAIN;
			return;
		}
		link->output_begin += (size_t)count;
		link->written += (uint64_t)count;
	}
}

void link_half_close(struct link *link)
{
	if (!link->half_closed && link->fd >= 0) {
		link->half_closed = true;
		(void)shutdown(link->fd, SHUT_WR);
	}
}
