#include <assert.h>
#include <errno.h>
#include <string.h>

#include <netinet/in.h>
#include <netinet/tcp.h>

#include "protocol/limits.h"
#include "server/net/conn_inner.h"
#include "server/net/proxy.h"
#include "server/ops/clock.h"
#include "server/ops/metrics.h"

/* Lines in. */

/* Too much waits to be written: what is done about it, at the end of this pass, comes first. */
static bool must_shed(const struct conn *conn)
{
	return conn->set->output > conn->set->limits.output_all;
}

static bool may_take(const struct conn *conn)
{
	return conn->session != NULL && !conn->busy && !conn->stalled;
}

void conn_note_answer(struct conn *conn, int64_t arrived_us)
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
	conn->spoke = false;
	metrics_add(METRIC_LINES, 0, 1);
	switch (play_session_line(conn->session, kind, line, length, arrived_us / 1000)) {
	case PLAY_NEXT:
		conn_note_answer(conn, arrived_us);
		break;
	case PLAY_BUSY:
		conn->busy = true;
		/* If it was answered, the session only rests. */
		if (conn->spoke) {
			conn->rests = true;
			conn_note_answer(conn, arrived_us);
		} else {
			conn->asked_us = arrived_us;
		}
		break;
	case PLAY_CLOSED:
		assert(conn->session == NULL);
		break;
	}
}

/* Hand over lines of the input while there is one and it may be. True: there may be more that wait.
 */
static bool take_lines(struct conn *conn, size_t *left)
{
	const int64_t end_us = clock_now_us() + CONN_TURN_US;
	const char *data = input_data(&conn->input);
	const size_t length = conn->input.length;
	const size_t enough = conn->output.queued + CONN_ANSWERS_A_TURN;
	size_t done = 0;
	bool more = true;

	while (more && *left > 0 && done < length && may_take(conn) && !must_shed(conn)) {
		size_t consumed = 0;
		const char *line = NULL;
		size_t line_length = 0;
		const enum line_result kind = line_cut(&conn->cutter, data + done, length - done,
				LIMIT_LINE_BYTES,
				conn->ended && !conn->transport.was_cut && conn->websocket == NULL,
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
		if (conn->output.queued > enough || clock_now_us() >= end_us) {
			*left = 0;
		}
	}
	input_drop(&conn->input, &conn->set->blocks, done);
	arrival_drop(&conn->arrival, done);
	return more && done < length;
}

/* All lines that came have been answered. */
static void end_session(struct conn *conn)
{
	struct session *session = conn->session;

	if (conn->mute) {
		conn_lose(conn, conn->reason);
		return;
	}
	conn->reason = conn->reason == NULL ? "end_of_input" : conn->reason;
	play_session_end(session);
	if (conn->session != NULL) {
		/* The last answers are yet to come. */
		conn->busy = true;
	}
}

static void read_input(struct conn *conn);

/* Who is not read is not heard to go: what he said and left would be carried out for nobody. */
static bool is_reset(const struct conn *conn)
{
	struct tcp_info info;
	socklen_t length = sizeof(info);

	return getsockopt(conn->transport.fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
	       info.tcpi_state == TCP_CLOSE;
}

void conn_turn(struct loop_task *task)
{
	struct conn *conn = (void *)((char *)task - offsetof(struct conn, turn));
	size_t left = conn_is_crammed(conn) ? CONN_LINES_A_TURN : CONN_LINES_AT_FIRST;

	if (conn->dead) {
		conn_free(conn);
		return;
	}
	if (conn->rests && !conn->busy && is_reset(conn)) {
		conn_lose(conn, "reset");
		return;
	}
	conn->rests = conn->rests && conn->busy;
	if (conn->input.length > 0 && take_lines(conn, &left)) {
		conn->crammed_us = clock_now_us();
	}
	conn->unread = conn->input.length;
	if (may_take(conn) && (left == 0 || must_shed(conn))) {
		conn_defer_turn(conn);
	} else if (may_take(conn) && conn->ended) {
		end_session(conn);
	}
	conn_update_reading(conn);
	if (conn->reading && conn->transport.ops->holds_more(&conn->transport)) {
		read_input(conn);
	}
}

/* The peer has said all, or was lost. */
static void input_ended(struct conn *conn, int error)
{
	conn->ended = conn->gone = true;
	conn_update_reading(conn);
	if (error != 0) {
		const char *text = strerrordesc_np(error);

		conn_lose(conn, text == NULL ? "unknown error" : text);
		return;
	}
	conn_defer_turn(conn);
	if (conn->shut) {
		conn_die(conn, "closed");
	}
}

/* `got` bytes of whatever kind have come; what is to be looked at of them is in the input. */
static void input_came(struct conn *conn, size_t got)
{
	metrics_add(METRIC_BYTES_IN, 0, got);
	if (conn->websocket == NULL && conn->lines == 0 &&
			proxy_begins(input_data(&conn->input), conn->input.length)) {
		/* What a proxy says that is not listed is not believed, nor taken for lines. */
		conn_lose(conn, "proxy_not_listed");
		return;
	}
	if (conn->session != NULL && play_session_bytes(conn->session, got) == PLAY_BUSY) {
		conn->busy = conn->rests = true;
	}
	arrival_add(&conn->arrival, conn->turn.in != NULL || !may_take(conn) ? conn->unread : 0,
			loop_arrival_us(conn->set->loop));
	conn->unread = conn->input.length;
	conn_defer_turn(conn);
}

static void read_input(struct conn *conn)
{
	const ssize_t got = conn->websocket != NULL ? conn_read_frames(conn)
						    : input_read(&conn->input, &conn->set->blocks,
								      &conn->transport);

	if (got == -EAGAIN || got == -EINTR) {
		return;
	}
	if (got <= 0) {
		input_ended(conn, (int)-got);
	} else if (conn->closing) {
		conn_drop_input(conn);
	} else {
		input_came(conn, (size_t)got);
	}
}

void conn_take_input(struct conn *conn, const char *data, size_t length)
{
	conn_take_frames(conn, data, length);
	input_came(conn, length);
}

void conn_arrive(struct loop_task *task)
{
	struct conn *conn = (void *)((char *)task - offsetof(struct conn, arrive));

	conn_update_reading(conn);
	if (conn->reading) {
		read_input(conn);
	}
}

void conn_readable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *conn = arg;

	(void)fd;
	(void)what;
	if (conn_goes_first(conn)) {
		read_input(conn);
	} else {
		loop_defer(conn->set->loop, LOOP_BEHIND, &conn->arrive);
		conn_update_reading(conn);
	}
}
