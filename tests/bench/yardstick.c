/* The yardstick: what sockets and libevent's bufferevents allow. It relays lines and knows no
 * game, no JSON and no storage.
 *
 *     yardstick PORT LENGTH
 *
 * "J ID" joins a room (answer "J ok"), "W ID" watches it ("W ok"); any other line goes to everybody
 * in the sender's room, himself included, padded to LENGTH bytes. On standard output: "listening
 * tcp ADDRESS:PORT". */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>

#define ROOM_SLOTS 65536
#define LENGTH_MAX 4096
#define BACKLOG 4096

struct room;

struct client {
	struct bufferevent *bev;
	struct room *room;
	size_t place; /* in the room */
};

struct room {
	long id;
	struct client **members;
	size_t count;
	size_t size;
	struct room *next; /* in the same slot */
};

static struct event_base *base;
static struct room *rooms[ROOM_SLOTS];
static size_t padded_length;

/* Rooms. */

static struct room **room_slot(long id)
{
	struct room **slot = &rooms[(size_t)id % ROOM_SLOTS];

	while (*slot != NULL && (*slot)->id != id) {
		slot = &(*slot)->next;
	}
	return slot;
}

static void leave_room(struct client *client)
{
	struct room *room = client->room;

	if (room == NULL) {
		return;
	}
	client->room = NULL;
	room->members[client->place] = room->members[--room->count];
	room->members[client->place]->place = client->place;
	if (room->count == 0) {
		*room_slot(room->id) = room->next;
		free(room->members);
		free(room);
	}
}

static void *or_die(void *memory)
{
	if (memory == NULL) {
		fputs("yardstick: no memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void join_room(struct client *client, long id)
{
	struct room **slot;
	struct room *room;

	leave_room(client);
	slot = room_slot(id);
	if (*slot == NULL) {
		*slot = or_die(calloc(1, sizeof(**slot)));
		(*slot)->id = id;
	}
	room = *slot;
	if (room->count == room->size) {
		room->size = room->size == 0 ? 2 : 2 * room->size;
		room->members = or_die(realloc(room->members, room->size * sizeof(*room->members)));
	}
	client->place = room->count;
	client->room = room;
	room->members[room->count++] = client;
}

/* Lines. */

static void relay(struct room *room, const char *line, size_t length)
{
	static char padded[LENGTH_MAX];

	if (length + 1 < padded_length) {
		memcpy(padded, line, length);
		memset(padded + length, ' ', padded_length - length - 1);
		padded[padded_length - 1] = '\n';
		line = padded;
		length = padded_length;
	}
	for (size_t i = 0; i < room->count; i++) {
		bufferevent_write(room->members[i]->bev, line, length);
	}
}

static void take_line(struct client *client, const char *line, size_t length)
{
	if (length > 2 && line[1] == ' ' && (line[0] == 'J' || line[0] == 'W')) {
		join_room(client, strtol(line + 2, NULL, 10));
		bufferevent_write(client->bev, line[0] == 'J' ? "J ok\n" : "W ok\n", 5);
	} else if (client->room == NULL) {
		bufferevent_write(client->bev, "E no room\n", 10);
	} else {
		relay(client->room, line, length);
	}
}

static void on_read(struct bufferevent *bev, void *arg)
{
	struct evbuffer *input = bufferevent_get_input(bev);
	size_t length = 0;
	char *line;

	while ((line = evbuffer_readln(input, &length, EVBUFFER_EOL_LF)) != NULL) {
		take_line(arg, line, length);
		free(line);
	}
}

static void on_event(struct bufferevent *bev, short what, void *arg)
{
	struct client *client = arg;

	if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) != 0) {
		leave_room(client);
		bufferevent_free(bev);
		free(client);
	}
}

/* Connections. */

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address,
		int length, void *arg)
{
	struct client *client = or_die(calloc(1, sizeof(*client)));
	const int one = 1;

	(void)listener;
	(void)address;
	(void)length;
	(void)arg;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	client->bev = or_die(bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE));
	bufferevent_setcb(client->bev, on_read, NULL, on_event, client);
	bufferevent_enable(client->bev, EV_READ | EV_WRITE);
}

/* The quickest that libevent offers for such a server. */
static void make_base(void)
{
	struct event_config *config = event_config_new();
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	signal(SIGPIPE, SIG_IGN);
	event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
	event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
	base = or_die(event_base_new_with_config(config));
	event_config_free(config);
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t length = sizeof(address);
	struct evconnlistener *listener;

	if (argc != 3) {
		fputs("yardstick PORT LENGTH\n", stderr);
		return 2;
	}
	padded_length = strtoul(argv[2], NULL, 10);
	padded_length = padded_length > LENGTH_MAX ? LENGTH_MAX : padded_length;
	make_base();
	address.sin_port = htons((uint16_t)strtoul(argv[1], NULL, 10));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = evconnlistener_new_bind(base, on_accept, NULL,
			LEV_OPT_REUSEABLE | LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, BACKLOG,
			(struct sockaddr *)&address, sizeof(address));
	if (listener == NULL) {
		perror("yardstick");
		return 1;
	}
	getsockname(evconnlistener_get_fd(listener), (struct sockaddr *)&address, &length);
	printf("listening tcp 127.0.0.1:%d\n", ntohs(address.sin_port));
	fflush(stdout);
	event_base_dispatch(base);
	return 0;
}
