/* Connections of the driver: one thread, one epoll set, lines in and out. */
#ifndef BENCH_CONN_H
#define BENCH_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conn;
struct game;

struct conn_ops {
	void (*opened)(struct conn *conn); /* connected; NULL: nothing to do */
	/* A line without its end; line[length] is 0. */
	void (*line)(struct conn *conn, const char *line, size_t length);
	/* The server closed; NULL: that is a failure. */
	void (*closed)(struct conn *conn);
};

struct conn {
	const struct conn_ops *ops;
	struct game *game; /* the game it is in; of game.c and the runs */
	int number;
	int role;   /* 0: X, 1: O, -1: none of them */
	int seen;   /* actions of its game */
	int joined; /* has its place in the game */
	int fd;
	bool is_open;
	bool wants_out;
	int port;	/* of a WebSocket; 0: lines go as they are, to conn_init's */
	bool is_shaken; /* the WebSocket's handshake is done */
	char *part;	/* a line that is not whole yet */
	size_t part_length;
	char *out; /* what the kernel did not take */
	size_t out_length;
	size_t out_size;
};

void conn_init(int port);

/* So many of one role, not yet opened, numbered from `first`. */
struct conn *conn_array(int count, int role, int first);
/* Let them speak by WebSocket, at that port; before they are opened. */
void conn_array_frame(struct conn *conns, int count, int port);
void conn_array_free(struct conn *conns, int count);

/* Begin to connect. */
void conn_open(struct conn *conn, const struct conn_ops *ops);
void conn_close(struct conn *conn);
void conn_send(struct conn *conn, const char *text, size_t length);
void conn_sendf(struct conn *conn, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What should not have happened; a few are told, and conn_check ends the driver. */
void conn_fail(const struct conn *conn, const char *why);

/* Wait for at most so long and do what there is. Returns how many sockets had something. */
int conn_pump(uint64_t wait_ns);

/* Go on for so long. */
void conn_pump_for(uint64_t ns);

/* Something went well; and: end the driver if something failed, or nothing has gone well for long.
 */
void conn_progress(void);
void conn_check(const char *doing);

/* When the bytes came that are being looked at. */
uint64_t conn_now_ns(void);

/* All that was read, in bytes. */
uint64_t conn_bytes_read(void);

#endif
