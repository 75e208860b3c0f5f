#include <stddef.h>

#include "server/net/conn_inner.h"

/* Read at a time: then it is the others' turn. */
#define FRAMES_READ_BYTES 8192

static void text_came(void *arg, const char *data, size_t length)
{
	struct conn *conn = arg;

	input_add(&conn->input, &conn->set->blocks, data, length);
}

static void answer(void *arg, struct bytes *frame)
{
	struct conn *conn = arg;

	if (!conn->mute && !conn->dead && !conn->closing) {
		conn_queue_line(conn, frame);
		if (conn->output.queued > CONN_OUTPUT_BYTES) {
			conn->stalled = true; /* until all of it is out */
		}
	}
	bytes_unref(frame);
}

static const struct websocket_sink sink = {.text = text_came, .answer = answer};

void conn_begin_frames(struct conn *conn)
{
	conn->websocket = websocket_new(&sink, conn);
	conn->output.has_frames = true;
	deadline_set(&conn->set->pings, &conn->ping);
}

/* What comes after the last frame, or after one that may not be, is not looked at. Lines that came
 * before are carried out. */
void conn_take_frames(struct conn *conn, const char *data, size_t length)
{
	int code;

	if (conn->ended || conn->closing) {
		return;
	}
	conn->silent = false;
	code = websocket_take(conn->websocket, data, length);
	if (code != WEBSOCKET_OPEN) {
		conn->code = code;
		conn->ended = true;
		if (code == WEBSOCKET_PROTOCOL || code == WEBSOCKET_NOT_TEXT ||
				code == WEBSOCKET_NOT_UTF8 || code == WEBSOCKET_TOO_BIG) {
			conn->reason = "bad_frame";
		}
	}
}

ssize_t conn_read_frames(struct conn *conn)
{
	char data[FRAMES_READ_BYTES];
	const ssize_t got = conn->transport.ops->read(&conn->transport, data, sizeof(data));

	if (got > 0) {
		conn_take_frames(conn, data, (size_t)got);
	}
	return got;
}

void conn_close_frames(struct conn *conn)
{
	struct bytes *frame;

	if (conn->code == WEBSOCKET_OPEN) {
		conn->code = conn->set->stopping ? WEBSOCKET_GOING_AWAY : WEBSOCKET_NORMAL;
	}
	if (conn->mute || conn->dead) {
		return;
	}
	frame = websocket_close_frame(conn->code);
	conn_queue_line(conn, frame);
	bytes_unref(frame);
}

/* Whom we do not read, or who does not read us, is somebody else's business. */
void conn_ping(struct deadline *deadline)
{
	struct conn *conn = (void *)((char *)deadline - offsetof(struct conn, ping));
	struct bytes *frame;

	if (conn->closing || conn->dead || conn->ended) {
		return;
	}
	deadline_set(&conn->set->pings, &conn->ping);
	if (!conn->reading || conn->writing) {
		return;
	}
	if (conn->silent) {
		conn_lose(conn, "no_pong");
		return;
	}
	conn->silent = true;
	frame = websocket_ping_frame();
	conn_queue_line(conn, frame);
	bytes_unref(frame);
}
