#include <assert.h>
#include <errno.h>
#include <string.h>

#include "protocol/limits.h"
#include "server/net/conn_inner.h"

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

/* Hand over lines of the input while there is one and it may be. */
static void take_lines(struct conn *conn, size_t *left)
{
	const char *data = input_data(&conn->input);
	const size_t length = conn->input.length;
	size_t done = 0;
	bool more = true;

	while (more && *left > 0 && done < length && may_take(conn) && !must_shed(conn)) {
		size_t consumed = 0;
		const char *line = NULL;
		size_t line_length = 0;
		const enum line_result kind = line_cut(&conn->cutter, data + done, length - done,
				LIMIT_LINE_BYTES, conn->ended, &consumed, &line, &line_length);

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
		conn_lose(conn, conn->reason);
		return;
	}
	conn->reason = "end_of_input";
	play_session_end(session);
	if (conn->session != NULL) {
		/* The last answers are yet to come. */
		conn->busy = true;
	}
}

void conn_turn(struct loop_task *task)
{
	struct conn *conn = (void *)((char *)task - offsetof(struct conn, turn));
	size_t left = CONN_LINES_A_TURN;

	if (conn->dead) {
		conn_free(conn);
		return;
	}
	if (conn->input.length > 0) {
		take_lines(conn, &left);
	}
	conn->unread = conn->input.length;
	if (may_take(conn) && (left == 0 || must_shed(conn))) {
		loop_defer(conn->set->loop, &conn->turn);
	} else if (may_take(conn) && conn->ended) {
		end_session(conn);
	}
	conn_update_reading(conn);
}

/* The peer has said all, or was lost. */
static void input_ended(struct conn *conn, int error)
{
	conn->ended = true;
	conn_update_reading(conn);
	if (error != 0) {
		const char *text = strerrordesc_np(error);

		conn_lose(conn, text == NULL ? "unknown error" : text);
		return;
	}
	loop_defer(conn->set->loop, &conn->turn);
	if (conn->shut) {
		conn_die(conn, "closed");
	}
}

void conn_readable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *conn = arg;
	const ssize_t got = input_read(&conn->input, &conn->set->blocks, &conn->transport);

	(void)fd;
	(void)what;
	if (got == -EAGAIN || got == -EINTR) {
		return;
	}
	if (got <= 0) {
		input_ended(conn, (int)-got);
		return;
	}
	if (conn->closing) {
		conn_drop_input(conn);
		return;
	}
	if (conn->session != NULL && play_session_bytes(conn->session, (size_t)got) == PLAY_BUSY) {
		conn->busy = true;
	}
	arrival_add(&conn->arrival, conn->turn.queued || !may_take(conn) ? conn->unread : 0,
			loop_arrival_ms(conn->set->loop));
	conn->unread = conn->input.length;
	loop_defer(conn->set->loop, &conn->turn);
}
