#include "tests/bench/driver/conn.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/driver/frames.h"
#include "tests/bench/driver/machine.h"

#define EVENTS_A_TURN 512
#define READ_BYTES 262144
#define SEND_BYTES 1024
#define FAILURES_TOLD 5
/* Two looks at clocks take less. */
#define NS_PER_LOOK 2000u
#define PATIENCE_NS (8ull * NS_PER_S)
static int epoll_fd;
static int server_port;
static int conns_an_address;
static int failures;
static uint64_t now_ns;
static uint64_t progress_ns;
static uint64_t bytes_read;

void conn_init(int port, int per_address)
{
	server_port = port;
	conns_an_address = per_address;
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	now_ns = machine_now_ns();
	conn_progress();
}

uint64_t conn_now_ns(void)
{
	return now_ns;
}

uint64_t conn_bytes_read(void)
{
	return bytes_read;
}

void conn_progress(void)
{
	progress_ns = now_ns;
}

void conn_check(const char *doing)
{
	if (failures > 0) {
		machine_die("failed while %s", doing);
	}
	if (machine_now_ns() > progress_ns + PATIENCE_NS) {
		machine_die("nothing went on for long while %s", doing);
	}
}

void conn_fail(const struct conn *conn, const char *why)
{
	if (failures++ < FAILURES_TOLD) {
		fprintf(stderr, "driver: connection %d (role %d, seen %d): %s\n", conn->number,
				conn->role, conn->seen, why);
	}
}

/* Opening and closing. */

struct conn *conn_array(int count, int role, int first)
{
	struct conn *conns = calloc((size_t)count + 1, sizeof(*conns));

	if (conns == NULL) {
		machine_die("no memory for connections");
	}
	for (int i = 0; i < count; i++) {
		conns[i].fd = -1;
		conns[i].role = role;
		conns[i].number = first + i;
	}
	return conns;
}

void conn_array_frame(struct conn *conns, int count, int port)
{
	for (int i = 0; i < count; i++) {
		conns[i].port = port;
	}
}

void conn_array_free(struct conn *conns, int count)
{
	for (int i = 0; i < count; i++) {
		conn_close(&conns[i]);
	}
	free(conns);
}

static void watch(struct conn *conn, int how, bool for_output)
{
	struct epoll_event event = {.events = EPOLLIN | (for_output ? EPOLLOUT : 0u)};

	event.data.ptr = conn;
	if (epoll_ctl(epoll_fd, how, conn->fd, &event) != 0) {
		machine_die("epoll_ctl: %s", strerror(errno));
	}
	conn->wants_out = for_output;
}

/* Take an address of this machine's own for it, by its number; the port is chosen later. */
static void choose_source(const struct conn *conn)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	const uint32_t host = INADDR_LOOPBACK + (uint32_t)(conn->number / conns_an_address);
	const int one = 1;

	address.sin_addr.s_addr = htonl(host);
	setsockopt(conn->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof(one));
	if (bind(conn->fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		machine_die("bind: %s", strerror(errno));
	}
}

void conn_open(struct conn *conn, const struct conn_ops *ops)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	const int one = 1;

	conn->ops = ops;
	conn->is_open = conn->is_shaken = false;
	conn->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (conn->fd < 0) {
		machine_die("socket: %s", strerror(errno));
	}
	setsockopt(conn->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(conn->fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one));
	choose_source(conn);
	address.sin_port = htons((uint16_t)(conn->port != 0 ? conn->port : server_port));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(conn->fd, (struct sockaddr *)&address, sizeof(address)) != 0 &&
			errno != EINPROGRESS) {
		machine_die("connect: %s", strerror(errno));
	}
	watch(conn, EPOLL_CTL_ADD, true);
}

void conn_close(struct conn *conn)
{
	if (conn->fd < 0) {
		return;
	}
	close(conn->fd);
	conn->fd = -1;
	free(conn->part);
	free(conn->out);
	conn->part = conn->out = NULL;
	conn->part_length = conn->out_length = conn->out_size = 0;
}

/* Out. */

static void keep_for_later(struct conn *conn, const char *text, size_t length)
{
	if (conn->out_length + length > conn->out_size) {
		conn->out_size = 2 * (conn->out_length + length);
		conn->out = realloc(conn->out, conn->out_size);
		if (conn->out == NULL) {
			machine_die("no memory for output");
		}
	}
	memcpy(conn->out + conn->out_length, text, length);
	conn->out_length += length;
	if (!conn->wants_out) {
		watch(conn, EPOLL_CTL_MOD, true);
	}
}

/* How much the kernel took. */
static size_t send_some(struct conn *conn, const char *text, size_t length)
{
	const ssize_t sent = send(conn->fd, text, length, MSG_NOSIGNAL);

	if (sent >= 0) {
		return (size_t)sent;
	}
	if (errno != EAGAIN) {
		conn_fail(conn, strerror(errno));
	}
	return 0;
}

static void send_bytes(struct conn *conn, const char *text, size_t length)
{
	size_t sent = 0;

	if (conn->fd < 0) {
		return;
	}
	if (conn->out_length == 0) {
		sent = send_some(conn, text, length);
	}
	if (sent < length) {
		keep_for_later(conn, text + sent, length - sent);
	}
}

/* `text` is one line. */
void conn_send(struct conn *conn, const char *text, size_t length)
{
	char head[FRAMES_HEAD_BYTES];

	if (conn->port != 0) {
		send_bytes(conn, head, frames_head(length, head));
	}
	send_bytes(conn, text, length);
}

void conn_sendf(struct conn *conn, const char *format, ...)
{
	char text[SEND_BYTES];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(text)) {
		machine_die("a line is too long to send");
	}
	conn_send(conn, text, (size_t)length);
}

static void flush(struct conn *conn)
{
	if (conn->out_length > 0) {
		const size_t sent = send_some(conn, conn->out, conn->out_length);

		conn->out_length -= sent;
		memmove(conn->out, conn->out + sent, conn->out_length);
	}
	if (conn->out_length == 0 && conn->wants_out) {
		watch(conn, EPOLL_CTL_MOD, false);
	}
}

/* In. */

/* Returns how many bytes were whole lines. */
static size_t give_lines(struct conn *conn, char *data, size_t length)
{
	size_t done = 0;
	char *end;

	while (conn->fd >= 0 && (end = memchr(data + done, '\n', length - done)) != NULL) {
		char *line = data + done;

		*end = '\0';
		done = (size_t)(end - data) + 1;
		conn->ops->line(conn, line, (size_t)(end - line));
	}
	return done;
}

/* The same of frames; the byte behind a text is the next one's first. */
static size_t give_frames(struct conn *conn, char *data, size_t length)
{
	size_t done = 0;
	size_t taken;
	struct frames_text text;

	if (!conn->is_shaken) {
		char *end = memmem(data, length, "\r\n\r\n", 4);

		if (end == NULL) {
			return 0;
		}
		conn->is_shaken = true;
		done = (size_t)(end + 4 - data);
		if (conn->ops->opened != NULL) {
			conn->ops->opened(conn);
		}
	}
	while (conn->fd >= 0 && (taken = frames_next(data + done, length - done, &text)) > 0) {
		const char kept = text.data[text.length];

		done += taken;
		if (text.is_text) {
			text.data[text.length] = '\0';
			conn->ops->line(conn, text.data, text.length);
			text.data[text.length] = kept;
		}
	}
	return done;
}

static void keep_part(struct conn *conn, const char *data, size_t length)
{
	if (length == 0) {
		free(conn->part);
		conn->part = NULL;
	} else {
		conn->part = realloc(conn->part, length);
		if (conn->part == NULL) {
			machine_die("no memory for input");
		}
		memcpy(conn->part, data, length);
	}
	conn->part_length = length;
}

static void end_of_input(struct conn *conn, const char *why)
{
	if (conn->ops->closed != NULL) {
		conn->ops->closed(conn);
		return;
	}
	conn_fail(conn, why);
	conn_close(conn);
}

/* By the clock of machine_now_ns: that of the kernel's stamps now and then runs at another pace. */
static uint64_t of_stamp(const struct timespec *stamp)
{
	struct timespec now;
	uint64_t before_ns;

	/* This core may be lost between one look and the next. */
	do {
		before_ns = machine_now_ns();
		clock_gettime(CLOCK_REALTIME, &now);
	} while (machine_now_ns() - before_ns > NS_PER_LOOK);
	return before_ns -
	       (uint64_t)((now.tv_sec - stamp->tv_sec) * NS_PER_S + (now.tv_nsec - stamp->tv_nsec));
}

/* When the last of these bytes had come. The kernel says so: who shares this core keeps us from
 * reading them for longer than many an answer takes, and players have machines of their own. */
static uint64_t arrived_ns(struct msghdr *message)
{
	struct timespec stamp;

	for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head != NULL;
			head = CMSG_NXTHDR(message, head)) {
		if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_TIMESTAMPNS) {
			memcpy(&stamp, CMSG_DATA(head), sizeof(stamp));
			return of_stamp(&stamp);
		}
	}
	return machine_now_ns();
}

static ssize_t receive(struct conn *conn, char *data, size_t size)
{
	union {
		struct cmsghdr head;
		char room[128];
	} control;
	struct iovec piece = {data, size};
	struct msghdr message = {.msg_iov = &piece,
			.msg_iovlen = 1,
			.msg_control = &control,
			.msg_controllen = sizeof(control)};
	const ssize_t got = recvmsg(conn->fd, &message, 0);

	now_ns = got > 0 ? arrived_ns(&message) : machine_now_ns();
	return got;
}

static void read_lines(struct conn *conn)
{
	static char data[READ_BYTES + 1];
	const size_t before = conn->part_length;
	size_t length;
	size_t done;
	ssize_t got;

	if (before > 0) {
		memcpy(data, conn->part, before);
	}
	got = receive(conn, data + before, READ_BYTES - before);
	if (got < 0 && errno == EAGAIN) {
		return;
	}
	if (got <= 0) {
		end_of_input(conn, got < 0 ? strerror(errno) : "end of input");
		return;
	}
	bytes_read += (uint64_t)got;
	length = before + (size_t)got;
	done = conn->port != 0 ? give_frames(conn, data, length) : give_lines(conn, data, length);
	if (conn->fd >= 0 && (before > 0 || done < length)) {
		keep_part(conn, data + done, length - done);
	}
}

static void become_open(struct conn *conn)
{
	int error = 0;
	socklen_t length = sizeof(error);

	getsockopt(conn->fd, SOL_SOCKET, SO_ERROR, &error, &length);
	if (error != 0) {
		machine_die("connect: %s", strerror(error));
	}
	conn->is_open = true;
	if (conn->port != 0) {
		send_bytes(conn, frames_handshake, strlen(frames_handshake));
	} else if (conn->ops->opened != NULL) {
		conn->ops->opened(conn);
	}
}

static void serve(struct conn *conn, uint32_t events)
{
	if (conn->fd >= 0 && (events & EPOLLOUT) != 0) {
		if (!conn->is_open) {
			become_open(conn);
		}
		flush(conn);
	}
	if (conn->fd >= 0 && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
		read_lines(conn);
	}
}

int conn_pump(uint64_t wait_ns)
{
	const struct timespec wait = {.tv_sec = (time_t)(wait_ns / NS_PER_S),
			.tv_nsec = (long)(wait_ns % NS_PER_S)};
	struct epoll_event events[EVENTS_A_TURN];
	const int count = epoll_pwait2(epoll_fd, events, EVENTS_A_TURN, &wait, NULL);

	if (count <= 0) {
		now_ns = machine_now_ns();
	}
	for (int i = 0; i < count; i++) {
		serve(events[i].data.ptr, events[i].events);
	}
	return count;
}

void conn_pump_for(uint64_t ns)
{
	const uint64_t end_ns = machine_now_ns() + ns;
	uint64_t at_ns;

	while ((at_ns = machine_now_ns()) < end_ns) {
		conn_pump(end_ns - at_ns);
	}
}
