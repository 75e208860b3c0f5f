/* A net with the fake play on a loopback socket, and peers that talk to it; all on one thread:
 * whoever waits for a peer's line runs the server's loop meanwhile. */
#ifndef TEST_PEERS_H
#define TEST_PEERS_H

#include <stdbool.h>
#include <stddef.h>

#include "fake_play.h"
#include "server/net/net.h"

#define PEERS_MAX 64

struct peer {
	int fd;	    /* -1: none */
	bool deaf;  /* reads nothing */
	bool ended; /* the server has closed */
	int error;  /* of the last read, 0: none */
	char *input;
	size_t used;
	size_t taken;
	size_t room;
};

struct bench {
	struct loop *loop;
	struct play *play;
	struct net *net;
	struct bytes *full_line;
	struct bytes *crowd_line;
	struct bytes *bye_line;
	struct peer peers[PEERS_MAX];
	size_t peer_count;
	size_t passes;	    /* of the loop */
	struct event *look; /* again at the peers' sockets, which the loop does not watch */
};

struct bench *bench_new(size_t max_connections);
struct bench *bench_new_with(size_t max_connections, const struct conn_limits *limits);

/* Whoever wants may come by TCP. */
void bench_listen(struct bench *bench);
void bench_free(struct bench *bench);

/* Run the loop until this is so. */
typedef bool bench_until_fn(struct bench *bench, void *arg);
void bench_run(struct bench *bench, bench_until_fn *until, void *arg);
void bench_run_once(struct bench *bench);

/* A socket for a new peer, not connected yet. */
struct peer *peer_new(struct bench *bench, int family);
void peer_connect(struct bench *bench, struct peer *peer);

/* Connected, and the welcome has been read. */
struct peer *peer_welcome(struct bench *bench);

void peer_send(struct peer *peer, const char *text);
void peer_send_bytes(struct peer *peer, const char *data, size_t length);

/* Wait for the next line, which has to be this one. */
void peer_expect(struct bench *bench, struct peer *peer, const char *line);

/* The next line without its LF; valid until the next wait. */
const char *peer_line(struct bench *bench, struct peer *peer, size_t *ret_length);

/* Wait for the orderly end, with nothing before it. */
void peer_expect_end(struct bench *bench, struct peer *peer);

void peer_close(struct peer *peer);
void peer_reset(struct peer *peer);

#endif
