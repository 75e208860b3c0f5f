#include "server/net/conn.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "protocol/limits.h"
#include "protocol/line.h"
#include "server/net/arrival.h"
#include "server/net/output.h"
#include "server/net/proxy.h"
#include "server/net/transport.h"
#include "server/ops/clock.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"

struct conn {
	struct conn_set *set;
	TAILQ_ENTRY(conn) of_set;
	struct transport transport;
	struct event readable;
	struct event writable;
	struct input input;
	struct output output;
	struct session *session; /* NULL: there was none, or it is gone */
	struct loop_task turn;	 /* hands lines over; frees the connection once it is dead */
	struct loop_task flush;	 /* writes what was queued; late */
	struct deadline end;	 /* while closing */
	struct arrival arrival;
	char *peer; /* NULL: refused, and not logged */
	uint64_t id;
	uint64_t lines;
	int64_t answered_us; /* when the first of the lines arrived whose answers wait to leave */
	uint64_t answered;   /* how many those are */
	int64_t busy_us;     /* when the line arrived that play works on */
	size_t unread;	     /* bytes of input that were there after the last look */
	const char *reason;  /* why it ended, for the log; static text */
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

/* Reading and the end. */

static void update_reading(struct conn *conn)
{
	const bool wanted = !conn->dead && !conn->ended &&
			    (conn->closing || (!conn->stalled && conn->input.length <
										 CONN_INPUT_BYTES));

	if (wanted == conn->reading) {
		return;
	}
	conn->reading = wanted;
	if (wanted) {
		event_add(&conn->readable, NULL);
	} else {
		event_del(&conn->readable);
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
	event_del(&conn->readable);
	event_del(&conn->writable);
	conn->reading = conn->writing = false;
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

static void drop_input(struct conn *conn)
{
	input_drop(&conn->input, &conn->set->blocks, conn->input.length);
}

static void leave_set(struct conn *conn)
{
	TAILQ_REMOVE(&conn->set->all, conn, of_set);
	if (conn->peer != NULL) {
		conn->set->open--;
		metrics_count_word(METRIC_CLOSED, conn->reason);
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
	drop_input(conn);
	output_fini(&conn->output);
	event_del(&conn->readable);
	event_del(&conn->writable);
	conn->transport.ops->close(&conn->transport);
	free(conn->peer);
	free(conn);
}

/* Lines in. */

static bool may_take(const struct conn *conn)
{
	return conn->session != NULL && !conn->busy && !conn->stalled;
}

/* The answer to a line is queued: its time counts until all that is queued has left. Lines whose
 * answers leave together count from the first of them. */
static void note_answer(struct conn *conn, int64_t arrived_us)
{
	if (conn->answered == 0) {
		conn->answered_us = arrived_us;
	}
	conn->answered++;
}

static void hand_over(struct conn *conn, enum line_result kind, const char *line, size_t length,
		int64_t arrived_us)
{
	conn->lines++;
	metrics_add(METRIC_LINES, 0, 1);
	switch (play_session_line(conn->session, kind, line, length, arrived_us / 1000)) {
	case PLAY_NEXT:
		note_answer(conn, arrived_us);
		break;
	case PLAY_BUSY:
		conn->busy = true;
		conn->busy_us = arrived_us;
		break;
	case PLAY_CLOSED:
		assert(conn->session == NULL);
		break;
	}
}

/* Hand over lines of the input while there is one and it may be. */
static void take_lines(struct conn *conn, size_t *left)
{
	const char *data = input_data(&conn->input);
	const size_t length = conn->input.length;
	size_t done = 0;
	bool more = true;

	while (more && *left > 0 && done < length && may_take(conn)) {
		size_t consumed = 0;
		const char *line = NULL;
		size_t line_length = 0;
		const enum line_result kind = line_cut(&conn->cutter, data + done, length - done,
				LIMIT_LINE_BYTES, conn->ended && !conn->transport.was_cut,
				&consumed, &line, &line_length);

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
	input_drop(&conn->input, &conn->set->blocks, done);
	arrival_drop(&conn->arrival, done);
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
	if (conn->session != NULL) {
		/* The last answers are yet to come. */
		conn->busy = true;
	}
}

static void read_input(struct conn *conn);

static void conn_turn(struct loop_task *task)
{
	struct conn *conn = (void *)((char *)task - offsetof(struct conn, turn));
	size_t left = CONN_LINES_A_TURN;

	if (conn->dead) {
		free_conn(conn);
		return;
	}
	if (conn->input.length > 0) {
		take_lines(conn, &left);
	}
	conn->unread = conn->input.length;
	if (may_take(conn) && left == 0) {
		loop_defer(conn->set->loop, &conn->turn);
	} else if (may_take(conn) && conn->ended) {
		end_session(conn);
	}
	update_reading(conn);
	if (conn->reading && conn->transport.ops->holds_more(&conn->transport)) {
		read_input(conn);
	}
}

static const char *error_text(int error)
{
	const char *text = strerrordesc_np(error);

	return text == NULL ? "unknown error" : text;
}

/* The peer has said all, or was lost. */
static void input_ended(struct conn *conn, int error)
{
	conn->ended = true;
	update_reading(conn);
	if (error != 0) {
		lose(conn, error_text(error));
		return;
	}
	loop_defer(conn->set->loop, &conn->turn);
	if (conn->shut) {
		die(conn, "closed");
	}
}

static void read_input(struct conn *conn)
{
	const ssize_t got = input_read(&conn->input, &conn->set->blocks, &conn->transport);

	if (got == -EAGAIN || got == -EINTR) {
		return;
	}
	if (got <= 0) {
		input_ended(conn, (int)-got);
		return;
	}
	if (conn->closing) {
		drop_input(conn);
		return;
	}
	metrics_add(METRIC_BYTES_IN, 0, (uint64_t)got);
	if (conn->lines == 0 && proxy_begins(input_data(&conn->input), conn->input.length)) {
		/* What a proxy says that is not listed is not believed, nor taken for lines. */
		lose(conn, "proxy_not_listed");
		return;
	}
	arrival_add(&conn->arrival, conn->turn.queued || !may_take(conn) ? conn->unread : 0,
			clock_now_us());
	conn->unread = conn->input.length;
	loop_defer(conn->set->loop, &conn->turn);
}

static void conn_readable(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	read_input(arg);
}

/* Lines out. */

/* The peer takes nothing any more, but what he said before counts: reading goes on to its end. */
static void fall_mute(struct conn *conn, int error)
{
	conn->mute = true;
	conn->stalled = false;
	conn->reason = error_text(error);
	output_drop(&conn->output);
	loop_defer(conn->set->loop, &conn->turn);
}

/* All that was queued is out, and there will be no more. The peer is given time to read it and to
 * close in turn: closing over what he still sends would make the kernel take back our last bytes.
 */
static void finish_output(struct conn *conn)
{
	if (conn->mute) {
		die(conn, "closed");
		return;
	}
	if (!conn->shut) {
		conn->shut = true;
		conn->transport.ops->shut(&conn->transport);
	}
	if (conn->ended) {
		die(conn, "closed");
	} else if (conn->end.of != &conn->set->lingering) {
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
		event_add(&conn->writable, NULL);
	} else {
		event_del(&conn->writable);
	}
}

/* Straight to the socket: most lines go out here, without the two changes of the poll set and the
 * further pass that waiting for a writable socket costs. */
static void write_now(struct conn *conn)
{
	const size_t queued = conn->output.queued;
	const int error = output_write(&conn->output, &conn->transport);

	metrics_add(METRIC_BYTES_OUT, 0, queued - conn->output.queued);
	if (error != 0) {
		fall_mute(conn, -error);
	}
}

static void output_is_out(struct conn *conn)
{
	if (conn->answered > 0) {
		metrics_observe(METRIC_REPLY_TIME, (uint64_t)(clock_now_us() - conn->answered_us),
				conn->answered);
		conn->answered = 0;
	}
	if (conn->stalled) {
		conn->stalled = false;
		loop_defer(conn->set->loop, &conn->turn);
	}
	if (conn->session != NULL) {
		play_session_drained(conn->session);
	}
	if (conn->closing && conn->output.queued == 0) {
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
	if (!conn->writing && !conn->mute && conn->output.queued > 0) {
		write_now(conn);
	}
	set_writing(conn, conn->output.queued > 0);
	if (!conn->writing) {
		output_is_out(conn);
	}
	if (conn->closing) {
		drop_input(conn);
	}
	update_reading(conn);
}

static void conn_writable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *conn = arg;

	(void)fd;
	(void)what;
	write_now(conn);
	if (conn->output.queued == 0) {
		loop_defer_late(conn->set->loop, &conn->flush);
	}
}

/* The connection as its session sees it. */

static void queue_line(struct conn *conn, struct bytes *line)
{
	output_add(&conn->output, line);
	loop_defer_late(conn->set->loop, &conn->flush);
}

static void conn_send(void *arg, struct bytes *line)
{
	struct conn *conn = arg;
	const size_t queued = conn->output.queued + line->length;

	if (conn->mute || conn->overflow || conn->dead) {
		return;
	}
	queue_line(conn, line);
	if (queued > CONN_OUTPUT_BYTES) {
		conn->stalled = true; /* until all of it is out */
	}
	conn->overflow = queued > CONN_OUTPUT_MAX;
}

static size_t conn_queued(void *arg)
{
	struct conn *conn = arg;

	return conn->output.queued;
}

static void conn_ready(void *arg)
{
	struct conn *conn = arg;

	conn->busy = false;
	note_answer(conn, conn->busy_us);
	if (conn->ended || conn->input.length > 0) {
		loop_defer(conn->set->loop, &conn->turn);
	}
}

static void conn_close(void *arg)
{
	struct conn *conn = arg;

	conn->session = NULL;
	begin_closing(conn);
}

static int64_t conn_waits_since(void *arg)
{
	const struct conn *conn = arg;

	if (conn->input.length == 0) {
		return INT64_MAX;
	}
	const char *data = input_data(&conn->input);
	const char *end = memchr(data, '\n', conn->input.length);
	if (end != NULL) {
		return arrival_of(&conn->arrival, (size_t)(end - data) + 1) / 1000;
	}
	/* At the end of input a last line needs no LF. */
	return conn->ended ? arrival_of(&conn->arrival, conn->input.length) / 1000 : INT64_MAX;
}

static const struct sink_ops conn_sink = {
		.send = conn_send,
		.queued = conn_queued,
		.ready = conn_ready,
		.close = conn_close,
		.waits_since = conn_waits_since,
};

/* Birth. */

static struct conn *new_conn(struct conn_set *set, const struct transport *transport)
{
	struct event_base *base = loop_base(set->loop);
	struct conn *conn = memory_new(1, sizeof(*conn));

	conn->set = set;
	conn->transport = *transport;
	event_assign(&conn->readable, base, transport->fd, EV_READ | EV_PERSIST, conn_readable,
			conn);
	event_assign(&conn->writable, base, transport->fd, EV_WRITE | EV_PERSIST, conn_writable,
			conn);
	conn->turn.run = conn_turn;
	conn->flush.run = conn_flush;
	TAILQ_INSERT_TAIL(&set->all, conn, of_set);
	return conn;
}

void conn_open(struct conn_set *set, const struct transport *transport,
		const struct peer_name *peer)
{
	struct conn *conn = new_conn(set, transport);
	struct session *session;

	set->open++;
	conn->id = ++set->last_id;
	conn->peer = memory_string(peer->text);
	log_event(LOG_INFO, "conn_open", "conn=%" PRIu64 " peer=%s", conn->id, conn->peer);
	session = play_session_open(set->play, &conn_sink, conn);
	if (session == NULL) {
		begin_closing(conn);
	} else if (!conn->closing) {
		conn->session = session;
	}
	update_reading(conn);
}

void conn_refuse(struct conn_set *set, const struct transport *transport, struct bytes *line)
{
	struct conn *conn = new_conn(set, transport);

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
	TAILQ_INIT(&set->all);
	deadlines_init(&set->flushing, loop, close_ms == 0 ? CONN_CLOSE_MS : close_ms,
			deadline_passed);
	deadlines_init(&set->lingering, loop, close_ms == 0 ? CONN_LINGER_MS : close_ms,
			deadline_passed);
}

size_t conn_set_cut(struct conn_set *set)
{
	struct conn *conn;
	size_t count = 0;

	TAILQ_FOREACH(conn, &set->all, of_set)
	{
		if (!conn->dead) {
			lose(conn, "cut");
			count++;
		}
	}
	return count;
}

size_t conn_set_waiting(const struct conn_set *set)
{
	const struct conn *conn;
	size_t bytes = 0;

	TAILQ_FOREACH(conn, &set->all, of_set)
	{
		bytes += conn->output.queued;
	}
	return bytes;
}

void conn_set_fini(struct conn_set *set)
{
	assert(set->open == 0 && set->refused == 0);
	input_pool_fini(&set->blocks);
	deadlines_fini(&set->flushing);
	deadlines_fini(&set->lingering);
}
