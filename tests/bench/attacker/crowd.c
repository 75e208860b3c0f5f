#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/attacker/attack.h"

#define NS_PER_MS 1000000u
#define TICK_MS 5
#define EVENTS_A_TURN 256
#define HEARD_BYTES 65536
/* Of those who are not connected yet, begun in one tick. */
#define OPENED_A_TICK 200
/* Those of the attackers; the honest ones have 127.0.*. */
#define FIRST_ADDRESS 0x7f070001u
#define ADDRESSES_IN_A_NET 250

struct attack_counts attack_counts;

static const struct attack *doing;
static int epoll_fd;
static int server_port;
static struct member *members;

uint64_t crowd_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * NS_PER_MS + (uint64_t)now.tv_nsec;
}

uint32_t crowd_random(uint32_t below)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % below;
}

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "attacker: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Opening and closing. */

static bool is_deaf(const struct member *member)
{
	return doing->deaf && member->number >= ATTACK_HEARING;
}

static void watch(struct member *member, int how, bool writes)
{
	struct epoll_event event = {
			.events = (is_deaf(member) ? 0u : EPOLLIN) | (writes ? EPOLLOUT : 0u),
			.data.ptr = member};

	member->writes = writes;
	if (epoll_ctl(epoll_fd, how, member->fd, &event) != 0) {
		die("epoll_ctl");
	}
}

static void bind_to_address(const struct member *member)
{
	const uint32_t n = (uint32_t)(member->number % doing->addresses);
	struct sockaddr_in address = {.sin_family = AF_INET};
	const int one = 1;

	address.sin_addr.s_addr = htonl(
			FIRST_ADDRESS + n / ADDRESSES_IN_A_NET * 256 + n % ADDRESSES_IN_A_NET);
	setsockopt(member->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof(one));
	if (bind(member->fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		die("bind");
	}
}

static void give_up(struct member *member, bool resets)
{
	const struct linger at_once = {.l_onoff = 1, .l_linger = 0};

	if (resets) {
		setsockopt(member->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	}
	close(member->fd);
	member->fd = -1;
	member->rest_length = 0;
}

/* False: the machine has no more ports or files just now. */
static bool open_member(struct member *member)
{
	struct sockaddr_in server = {.sin_family = AF_INET};
	const int one = 1;
	const int small = 4096;

	member->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (member->fd < 0) {
		die("socket");
	}
	setsockopt(member->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (is_deaf(member)) {
		setsockopt(member->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	}
	bind_to_address(member);
	server.sin_port = htons((uint16_t)server_port);
	server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(member->fd, (struct sockaddr *)&server, sizeof(server)) != 0 &&
			errno != EINPROGRESS) {
		give_up(member, false);
		return false;
	}
	member->step = 0;
	member->life++;
	member->is_in = member->open = false;
	attack_counts.opened++;
	watch(member, EPOLL_CTL_ADD, true);
	return true;
}

static void end(struct member *member, bool resets)
{
	give_up(member, resets);
	open_member(member);
}

/* Out. */

static void keep(struct member *member, const char *text, size_t length)
{
	if (length > member->rest_size) {
		free(member->rest);
		member->rest = malloc(length);
		member->rest_size = length;
		if (member->rest == NULL) {
			die("no memory");
		}
	}
	memmove(member->rest, text, length);
	member->rest_length = length;
}

/* What the kernel does not take is kept. False: the connection is broken. */
static bool send_text(struct member *member, const char *text, size_t length)
{
	const ssize_t sent = send(member->fd, text, length, MSG_NOSIGNAL);

	if (sent < 0 && errno != EAGAIN) {
		return false;
	}
	attack_counts.sent += sent > 0 ? (uint64_t)sent : 0;
	if (sent < (ssize_t)length) {
		keep(member, text + (sent > 0 ? sent : 0), length - (size_t)(sent > 0 ? sent : 0));
	} else {
		member->rest_length = 0;
	}
	return true;
}

static void lost(struct member *member)
{
	attack_counts.closed++;
	end(member, true);
}

/* One thing more, if the last one is out. */
static void say(struct member *member)
{
	char text[ATTACK_SAY_BYTES];
	ssize_t length;

	if (member->rest_length > 0) {
		if (!send_text(member, member->rest, member->rest_length)) {
			lost(member);
		}
		return;
	}
	length = doing->say(member, text);
	if (length == ATTACK_OVER) {
		if (doing->end != ATTACK_STAYS) {
			end(member, doing->end == ATTACK_RESETS);
		} else if (member->writes) {
			watch(member, EPOLL_CTL_MOD, false);
		}
		return;
	}
	member->step++;
	if (length == 0 && member->writes) {
		watch(member, EPOLL_CTL_MOD, false);
	} else if (length > 0 && !send_text(member, text, (size_t)length)) {
		lost(member);
	}
}

static void writable(struct member *member)
{
	member->open = true;
	if (doing->pace_ms == 0 || member->rest_length > 0) {
		say(member);
	}
	if (member->fd >= 0 && member->writes && doing->pace_ms != 0 && member->rest_length == 0) {
		watch(member, EPOLL_CTL_MOD, false);
	}
}

/* In. */

static void hear(struct member *member)
{
	static char text[HEARD_BYTES + 1];
	const ssize_t got = recv(member->fd, text, HEARD_BYTES, 0);

	if (got < 0 && errno == EAGAIN) {
		return;
	}
	if (got <= 0) {
		lost(member);
		return;
	}
	attack_counts.heard += (uint64_t)got;
	attack_counts.admitted += !member->is_in;
	member->is_in = true;
	text[got] = '\0';
	if (doing->heard != NULL) {
		doing->heard(member, text, (size_t)got);
	}
}

static void serve(struct member *member, uint32_t events)
{
	const long life = member->life;

	if ((events & EPOLLIN) != 0) {
		hear(member);
	} else if ((events & (EPOLLHUP | EPOLLERR)) != 0) {
		lost(member);
	}
	if (member->fd >= 0 && member->life == life && (events & EPOLLOUT) != 0) {
		writable(member);
	}
}

/* Whoever is not connected tries again; who had nothing to say, or says it at a pace, is asked. */
static void tick(uint64_t elapsed_ns)
{
	static int turn;
	const int all = doing->conns;
	int asked = doing->pace_ms == 0 ? all
					: (int)((uint64_t)all * elapsed_ns / NS_PER_MS /
							  (uint64_t)doing->pace_ms);
	int opened = 0;

	for (int i = 0; i < all && opened < OPENED_A_TICK; i++) {
		if (members[i].fd < 0) {
			opened++;
			open_member(&members[i]);
		}
	}
	for (asked = asked > all ? all : asked; asked > 0; asked--) {
		struct member *member = &members[turn++ % all];

		if (member->fd >= 0 && member->open && !member->writes) {
			say(member);
		}
	}
}

static void make_members(void)
{
	members = calloc((size_t)doing->conns, sizeof(*members));
	if (members == NULL) {
		die("no memory");
	}
	for (int i = 0; i < doing->conns; i++) {
		members[i].number = i;
		members[i].fd = -1;
	}
}

void crowd_attack(const struct attack *attack, int port, const volatile bool *stop)
{
	struct epoll_event events[EVENTS_A_TURN];
	uint64_t ticked_ns = crowd_now_ns();

	doing = attack;
	server_port = port;
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	make_members();
	while (!*stop) {
		const int count = epoll_wait(epoll_fd, events, EVENTS_A_TURN, TICK_MS);
		const uint64_t now_ns = crowd_now_ns();

		for (int i = 0; i < count; i++) {
			serve(events[i].data.ptr, events[i].events);
		}
		if (now_ns - ticked_ns >= TICK_MS * NS_PER_MS) {
			tick(now_ns - ticked_ns);
			ticked_ns = now_ns;
		}
	}
}
