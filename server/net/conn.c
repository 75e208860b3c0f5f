#include "server/net/conn.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "protocol/limits.h"
#include "protocol/line.h"
#include "server/net/arrival.h"
#include "server/ops/clock.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"

/* Input that is looked at as one piece, where the kernel did not give more: more than a line. */
#define LOOK_BYTES ((size_t)2 * LIMIT_LINE_BYTES)

struct conn {
	struct conn_set *set;
	struct bufferevent *bev;
	struct session *session; /* NULL: there was none, or it is gone */
	struct loop_task turn;	 /* hands lines over; frees the connection once it is dead */
	struct loop_task flush;	 /* writes what was queued; late */
	struct deadline end;	 /* while closing */
	struct arrival arrival;
	char *peer; /* NULL: refused, and not logged */
	uint64_t id;
	uint64_t lines;
	size_t unread;	    /* bytes of input that were there after the last look */
	const char *reason; /* why it ended, for the log; static text */
	struct line_cutter cutter;
	bool busy;     /* play works on a line */
	bool stalled;  /* the peer must read before more is carried out */
	bool reading;  /* EV_READ is on */
	bool writing;  /* EV_WRITE is on: the kernel took less than all */
	bool ended;    /* the peer has said all */
	bool mute;     /* the peer can't be written to any more; what is sent is dropped */
	bool overflow; /* more than CONN_OUTPUT_MAX waits */
	bool closing;  /* the session is gone by sink.close, or there was none */
	bool shut;     /* we have said all */
	bool dead;     /* to be freed by its next turn */
};

static struct evbuffer *input_of(struct conn *conn)
{
	return bufferevent_get_input(conn->bev);
}

static struct evbuffer *output_of(struct conn *conn)
{
	return bufferevent_get_output(conn->bev);
}

/* Reading and the end. */

static void update_reading(struct conn *conn)
{
	const bool wanted =
			!conn->dead && !conn->ended &&
			(conn->closing || (!conn->stalled && evbuffer_get_length(input_of(conn)) <
									     CONN_INPUT_BYTES));

	if (wanted == conn->reading) {
		return;
	}
	conn->reading = wanted;
	if (wanted) {
		bufferevent_enable(conn->bev, EV_READ);
	} else {
		bufferevent_disable(conn->bev, EV_READ);
	}
}

static void die(struct conn *conn, const char *reason)
{
	if (conn->dead) {
		return;
	}
	conn->dead = true;
	if (conn->reason == NULL) {
		conn->reason = reason;
	}
	bufferevent_disable(conn->bev, EV_READ | EV_WRITE);
	loop_defer(conn->set->loop, &conn->turn);
}

/* The session ends here, without a last word. */
static void lose(struct conn *conn, const char *reason)
{
	struct session *session = conn->session;

	conn->session = NULL;
	if (session != NULL) {
		play_session_lost(session);
	}
	die(conn, reason);
}

static void deadline_passed(struct deadline *deadline)
{
	struct conn *conn = (void *)((char *)deadline - offsetof(struct conn, end));

	die(conn, conn->shut ? "closed" : "close_timeout");
}

static void begin_closing(struct conn *conn)
{
	conn->closing = true;
	conn->busy = false;
	deadline_set(&conn->set->flushing, &conn->end);
	loop_defer_late(conn->set->loop, &conn->flush);
}

static void leave_set(struct conn *conn)
{
	if (conn->peer != NULL) {
		conn->set->open--;
	} else {
		conn->set->refused--;
	}
	deadline_clear(&conn->end);
}

static void free_conn(struct conn *conn)
{
	assert(conn->session == NULL);
	leave_set(conn);
	if (conn->peer != NULL) {
		log_event(LOG_INFO, "conn_close",
				"conn=%" PRIu64 " peer=%s reason=%s lines=%" PRIu64, conn->id,
				conn->peer, log_text(conn->reason), conn->lines);
	}
	loop_forget(conn->set->loop, &conn->turn);
	loop_forget_late(conn->set->loop, &conn->flush);
	arrival_fini(&conn->arrival);
	bufferevent_free(conn->bev);
	free(conn->peer);
	free(conn);
}

/* Lines in. */

static bool may_take(const struct conn *conn)
{
	return conn->session != NULL && !conn->busy && !conn->stalled;
}

static void hand_over(struct conn *conn, enum line_result kind, const char *line, size_t length,
		int64_t arrived_ms)
{
	conn->lines++;
	switch (play_session_line(conn->session, kind, line, length, arrived_ms)) {
	case PLAY_NEXT:
		break;
	case PLAY_BUSY:
		conn->busy = true;
		break;
	case PLAY_CLOSED:
		assert(conn->session == NULL);
		break;
	}
}

/* The beginning of the input as one piece of memory, long enough to decide about a line. What the
 * kernel gave in one read is taken as it lies; only a line across two reads is moved. */
static const char *look_at_input(struct conn *conn, size_t *ret_length, bool *ret_all)
{
	struct evbuffer *input = input_of(conn);
	const size_t total = evbuffer_get_length(input);
	size_t length = evbuffer_get_contiguous_space(input);

	if (length < LIMIT_LINE_BYTES) {
		length = total < LOOK_BYTES ? total : LOOK_BYTES;
	}
	*ret_length = length;
	*ret_all = length == total;
	return (const char *)evbuffer_pullup(input, (ev_ssize_t)length);
}

/* Hand over the lines in one piece of the input. False when it holds no whole line. */
static bool take_piece(struct conn *conn, size_t *left)
{
	size_t length = 0;
	bool all = false;
	const char *data = look_at_input(conn, &length, &all);
	size_t done = 0;
	bool more = true;

	while (more && *left > 0 && done < length && may_take(conn)) {
		size_t consumed = 0;
		const char *line = NULL;
		size_t line_length = 0;
		const enum line_result kind = line_cut(&conn->cutter, data + done, length - done,
				LIMIT_LINE_BYTES, conn->ended && all, &consumed, &line,
				&line_length);

		done += consumed;
		if (kind == LINE_MORE) {
			more = false;
			continue;
		}
		(*left)--;
		if (kind != LINE_EMPTY) {
			hand_over(conn, kind, line, line_length, arrival_of(&conn->arrival, done));
		}
	}
	evbuffer_drain(input_of(conn), done);
	arrival_drop(&conn->arrival, done);
	return done > 0;
}

/* All lines that came have been answered. */
static void end_session(struct conn *conn)
{
	struct session *session = conn->session;

	if (conn->mute) {
		lose(conn, conn->reason);
		return;
	}
	conn->reason = "end_of_input";
	play_session_end(session);
	assert(conn->session == NULL && conn->closing);
}

static void conn_turn(struct loop_task *task)
{
	struct conn *conn = (void *)((char *)task - offsetof(struct conn, turn));
	size_t left = CONN_LINES_A_TURN;

	if (conn->dead) {
		free_conn(conn);
		return;
	}
	while (left > 0 && may_take(conn) && take_piece(conn, &left)) {
	}
	conn->unread = evbuffer_get_length(input_of(conn));
	if (may_take(conn) && left == 0) {
		loop_defer(conn->set->loop, &conn->turn);
	} else if (may_take(conn) && conn->ended) {
		end_session(conn);
	}
	update_reading(conn);
}

static void conn_read(struct bufferevent *bev, void *arg)
{
	struct conn *conn = arg;
	const size_t length = evbuffer_get_length(bufferevent_get_input(bev));

	if (conn->closing) {
		evbuffer_drain(bufferevent_get_input(bev), length);
		return;
	}
	arrival_add(&conn->arrival, conn->turn.queued || !may_take(conn) ? conn->unread : 0,
			clock_now_ms());
	conn->unread = length;
	loop_defer(conn->set->loop, &conn->turn);
}

/* Lines out. */

static const char *error_text(int error)
{
	const char *text = strerrordesc_np(error);

	return text == NULL ? "unknown error" : text;
}

static void drop_output(struct conn *conn)
{
	struct evbuffer *output = output_of(conn);

	evbuffer_unfreeze(output, 1);
	evbuffer_drain(output, evbuffer_get_length(output));
	evbuffer_freeze(output, 1);
}

/* The peer takes nothing any more, but what he said before counts: reading goes on to its end. */
static void fall_mute(struct conn *conn, int error)
{
	conn->mute = true;
	conn->stalled = false;
	conn->reason = error_text(error);
	drop_output(conn);
	loop_defer(conn->set->loop, &conn->turn);
}

/* All that was queued is out, and there will be no more. The peer is given time to read it and to
 * close in turn: closing over what he still sends would make the kernel take back our last bytes.
 */
static void finish_output(struct conn *conn)
{
	if (conn->mute || conn->ended) {
		die(conn, "closed");
		return;
	}
	if (!conn->shut) {
		conn->shut = true;
		shutdown(bufferevent_getfd(conn->bev), SHUT_WR);
		deadline_set(&conn->set->lingering, &conn->end);
	}
}

static void set_writing(struct conn *conn, bool writing)
{
	if (writing == conn->writing) {
		return;
	}
	conn->writing = writing;
	if (writing) {
		bufferevent_enable(conn->bev, EV_WRITE);
	} else {
		bufferevent_disable(conn->bev, EV_WRITE);
	}
}

/* Straight to the socket: most lines go out here, without the two changes of the poll set and the
 * further pass that waiting for a writable socket costs. */
static void write_now(struct conn *conn)
{
	struct evbuffer *output = output_of(conn);
	int written;
	int error;

	evbuffer_unfreeze(output, 1);
	written = evbuffer_write(output, bufferevent_getfd(conn->bev));
	error = errno;
	evbuffer_freeze(output, 1);
	if (written < 0 && error != EAGAIN && error != EINTR) {
		fall_mute(conn, error);
	}
}

static void output_is_out(struct conn *conn)
{
	if (conn->stalled) {
		conn->stalled = false;
		loop_defer(conn->set->loop, &conn->turn);
	}
	if (conn->session != NULL) {
		play_session_drained(conn->session);
	}
	if (conn->closing && evbuffer_get_length(output_of(conn)) == 0) {
		finish_output(conn);
	}
}

static void conn_flush(struct loop_task *task)
{
	struct conn *conn = (void *)((char *)task - offsetof(struct conn, flush));

	if (conn->dead) {
		return;
	}
	if (conn->overflow && conn->session != NULL) {
		lose(conn, "slow_reader");
		return;
	}
	if (!conn->writing && !conn->mute && evbuffer_get_length(output_of(conn)) > 0) {
		write_now(conn);
	}
	set_writing(conn, evbuffer_get_length(output_of(conn)) > 0);
	if (!conn->writing) {
		output_is_out(conn);
	}
	if (conn->closing) {
		evbuffer_drain(input_of(conn), evbuffer_get_length(input_of(conn)));
	}
	update_reading(conn);
}

static void conn_written(struct bufferevent *bev, void *arg)
{
	struct conn *conn = arg;

	(void)bev;
	loop_defer_late(conn->set->loop, &conn->flush);
}

static void conn_happened(struct bufferevent *bev, short what, void *arg)
{
	struct conn *conn = arg;
	const int error = EVUTIL_SOCKET_ERROR();

	(void)bev;
	if ((what & BEV_EVENT_WRITING) != 0) {
		conn->writing = false;
		fall_mute(conn, error);
		loop_defer_late(conn->set->loop, &conn->flush);
		return;
	}
	conn->reading = false;
	conn->ended = true;
	if ((what & BEV_EVENT_ERROR) != 0) {
		lose(conn, error_text(error));
		return;
	}
	loop_defer(conn->set->loop, &conn->turn);
	if (conn->shut) {
		die(conn, "closed");
	}
}

/* The connection as its session sees it. */

static void unref_bytes(const void *data, size_t length, void *arg)
{
	(void)data;
	(void)length;
	bytes_unref(arg);
}

static void queue_line(struct conn *conn, struct bytes *line)
{
	struct evbuffer *output = output_of(conn);

	if (line->length < CONN_REFERENCE_BYTES) {
		evbuffer_add(output, line->data, line->length);
	} else {
		evbuffer_add_reference(
				output, line->data, line->length, unref_bytes, bytes_ref(line));
	}
	loop_defer_late(conn->set->loop, &conn->flush);
}

static void conn_send(void *arg, struct bytes *line)
{
	struct conn *conn = arg;
	size_t queued;

	if (conn->mute || conn->overflow || conn->dead) {
		return;
	}
	queue_line(conn, line);
	queued = evbuffer_get_length(output_of(conn));
	if (queued > CONN_OUTPUT_BYTES) {
		conn->stalled = true; /* until all of it is out */
	}
	conn->overflow = queued > CONN_OUTPUT_MAX;
}

static size_t conn_queued(void *arg)
{
	struct conn *conn = arg;

	return evbuffer_get_length(output_of(conn));
}

static void conn_ready(void *arg)
{
	struct conn *conn = arg;

	conn->busy = false;
	if (conn->ended || evbuffer_get_length(input_of(conn)) > 0) {
		loop_defer(conn->set->loop, &conn->turn);
	}
}

static void conn_close(void *arg)
{
	struct conn *conn = arg;

	conn->session = NULL;
	begin_closing(conn);
}

static const struct sink_ops conn_sink = {
		.send = conn_send,
		.queued = conn_queued,
		.ready = conn_ready,
		.close = conn_close,
};

/* Birth. */

/* NULL (and the socket closed) when there is no memory. */
static struct conn *new_conn(struct conn_set *set, int fd)
{
	struct bufferevent *bev =
			bufferevent_socket_new(loop_base(set->loop), fd, BEV_OPT_CLOSE_ON_FREE);
	struct conn *conn;

	if (bev == NULL) {
		close(fd);
		return NULL;
	}
	conn = memory_new(1, sizeof(*conn));
	conn->set = set;
	conn->bev = bev;
	conn->turn.run = conn_turn;
	conn->flush.run = conn_flush;
	bufferevent_disable(bev, EV_WRITE);
	bufferevent_setcb(bev, conn_read, conn_written, conn_happened, conn);
	return conn;
}

void conn_open(struct conn_set *set, int fd, const char *peer)
{
	struct conn *conn = new_conn(set, fd);
	struct session *session;

	if (conn == NULL) {
		return;
	}
	set->open++;
	conn->id = ++set->last_id;
	conn->peer = memory_string(peer);
	log_event(LOG_INFO, "conn_open", "conn=%" PRIu64 " peer=%s", conn->id, peer);
	session = play_session_open(set->play, &conn_sink, conn);
	if (session == NULL) {
		begin_closing(conn);
	} else if (!conn->closing) {
		conn->session = session;
	}
	update_reading(conn);
}

void conn_refuse(struct conn_set *set, int fd, struct bytes *line)
{
	struct conn *conn = new_conn(set, fd);

	if (conn == NULL) {
		return;
	}
	set->refused++;
	begin_closing(conn);
	queue_line(conn, line);
	update_reading(conn);
}

void conn_set_init(struct conn_set *set, struct loop *loop, struct play *play, int64_t close_ms)
{
	memset(set, 0, sizeof(*set));
	set->loop = loop;
	set->play = play;
	deadlines_init(&set->flushing, loop, close_ms == 0 ? CONN_CLOSE_MS : close_ms,
			deadline_passed);
	deadlines_init(&set->lingering, loop, close_ms == 0 ? CONN_LINGER_MS : close_ms,
			deadline_passed);
}

void conn_set_fini(struct conn_set *set)
{
	assert(set->open == 0 && set->refused == 0);
	deadlines_fini(&set->flushing);
	deadlines_fini(&set->lingering);
}
