/* What the files of a connection share: conn.c (its life), conn_read.c, conn_write.c. */
#ifndef NET_CONN_INNER_H
#define NET_CONN_INNER_H

#include <event2/event.h>
#include <event2/event_struct.h>

#include "protocol/line.h"
#include "server/net/arrival.h"
#include "server/net/conn.h"
#include "server/net/output.h"
#include "server/net/transport.h"
#include "server/net/websocket.h"

struct conn {
	struct conn_set *set;
	TAILQ_ENTRY(conn) of_set;
	struct transport transport;
	struct event readable;
	struct event writable;
	struct input input;
	struct output output;
	struct websocket *websocket; /* NULL: lines go as they are */
	struct session *session;     /* NULL: there was none, or it is gone */
	struct loop_task arrive;     /* reads, where others go first */
	struct loop_task turn;	     /* hands lines over; frees the connection once it is dead */
	struct loop_task flush;	     /* writes what was queued */
	struct deadline end;	     /* while closing */
	struct deadline stuck;	     /* while something waits to be written */
	struct deadline ping;	     /* where there are frames */
	int unsent;		     /* bytes in the kernel when that began */
	size_t weight;		     /* of the output, as counted in the set */
	struct crowd_group *group;
	struct arrival arrival;
	char *peer; /* NULL: refused, and not logged */
	uint64_t id;
	uint64_t lines;
	int64_t asked_us;    /* when the line arrived that play works on; 0: none */
	int64_t answered_us; /* when the first of the lines arrived whose answers wait to leave */
	uint64_t answered;   /* how many those are */
	int64_t crammed_us;  /* when more lines waited after a turn; 0: never */
	size_t unread;	     /* bytes of input that were there after the last look */
	const char *reason;  /* why it ended, for the log; static text */
	int code;	     /* and for the peer, where there are frames */
	struct line_cutter cutter;
	bool busy;	/* play works on a line, or has it rest */
	bool rests;	/* the latter: it is not read, until its next turn */
	bool spoke;	/* play has sent something since it was handed a line */
	bool stalled;	/* the peer must read before more is carried out */
	bool reading;	/* EV_READ is on */
	bool writing;	/* EV_WRITE is on: the kernel took less than all */
	bool may_write; /* and the kernel takes more again */
	bool ended;	/* the peer has said all: no more lines come */
	bool gone;	/* and no more bytes */
	bool mute;	/* the peer can't be written to any more; what is sent is dropped */
	bool overflow;	/* more than may waits */
	bool closing;	/* the session is gone by sink.close, or there was none */
	bool shut;	/* we have said all */
	bool silent;	/* nothing has come since the last ping */
	bool dead;	/* to be freed by its next turn */
	bool is_operator;
};

/* conn.c */

/* Have more lines waited lately than it could hand over at once? Then its turns come behind. */
bool conn_is_crammed(const struct conn *conn);
/* Does somebody play here, or the operator speak? Then all others go after this one. */
bool conn_goes_first(const struct conn *conn);
/* Let it have a turn, now or behind the others; have written what is queued. */
void conn_defer_turn(struct conn *conn);
void conn_defer_flush(struct conn *conn);

/* Let EV_READ be on or off, as it has to be by now. */
void conn_update_reading(struct conn *conn);
/* Nothing more happens to it, and its next turn frees it. */
void conn_die(struct conn *conn, const char *reason);
void conn_free(struct conn *conn);
/* The session ends here, without a last word. */
void conn_lose(struct conn *conn, const char *reason);
/* The session is gone: write what is left, and die. */
void conn_begin_closing(struct conn *conn);
void conn_drop_input(struct conn *conn);

/* conn_read.c: the doorways of its tasks and of EV_READ. */
void conn_arrive(struct loop_task *task);
void conn_turn(struct loop_task *task);
/* The answer to a line that arrived then is queued: its time counts until all that is queued has
 * left. Lines whose answers leave together count from the first of them. */
void conn_note_answer(struct conn *conn, int64_t arrived_us);
void conn_readable(evutil_socket_t fd, short what, void *arg);
/* The same for bytes that came before. */
void conn_take_input(struct conn *conn, const char *data, size_t length);

/* conn_frames.c: what a WebSocket has beside lines. */
void conn_begin_frames(struct conn *conn);
/* Returns like a transport's read: how many bytes came, of whatever. */
ssize_t conn_read_frames(struct conn *conn);
void conn_take_frames(struct conn *conn, const char *data, size_t length);
/* The last frame. */
void conn_close_frames(struct conn *conn);
void conn_ping(struct deadline *deadline);

/* conn_write.c: the doorways of its flush and of EV_WRITE. */
void conn_flush(struct loop_task *task);
void conn_writable(evutil_socket_t fd, short what, void *arg);
void conn_queue_line(struct conn *conn, struct bytes *line);
/* After every change of the output: count what waits for all. */
void conn_weigh(struct conn *conn);
/* Of the set: too much waits for all; something has waited for one for long. */
void conn_shed(struct loop_task *task);
void conn_stuck(struct deadline *deadline);

#endif
