#include "server/net/conn.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/conn_inner.h"
#include "server/ops/clock.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"

/* Turns. */

bool conn_is_crammed(const struct conn *conn)
{
	return conn->crammed_us != 0 &&
	       clock_now_us() < conn->crammed_us + (int64_t)CONN_CRAMMED_MS * 1000;
}

bool conn_goes_first(const struct conn *conn)
{
	return !conn->dead && conn->session != NULL &&
	       (conn->is_operator ||
			       (!conn_is_crammed(conn) && play_session_goes_first(conn->session)));
}

void conn_defer_turn(struct conn *conn)
{
	loop_defer(conn->set->loop, conn_goes_first(conn) ? LOOP_TASKS : LOOP_BEHIND, &conn->turn);
}

void conn_defer_flush(struct conn *conn)
{
	if (conn->flush.in == NULL) {
		loop_defer(conn->set->loop, conn_goes_first(conn) ? LOOP_LATE : LOOP_OUT,
				&conn->flush);
	}
}

/* Reading and the end. */

void conn_update_reading(struct conn *conn)
{
	const size_t enough = conn->reading ? CONN_INPUT_BYTES : CONN_INPUT_BYTES / 2;
	/* Frames may be answered though no line is in them. */
	const bool waits = conn->rests || (conn->busy && conn->websocket != NULL);
	const bool takes = !conn->ended && !conn->stalled && !waits && conn->input.length < enough;
	const bool wanted = !conn->dead && !conn->gone && conn->arrive.in == NULL &&
			    (conn->closing || takes);

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

void conn_die(struct conn *conn, const char *reason)
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
	conn_defer_turn(conn);
}

void conn_lose(struct conn *conn, const char *reason)
{
	struct session *session = conn->session;

	conn->session = NULL;
	if (session != NULL) {
		play_session_lost(session);
	}
	conn_die(conn, reason);
}

static void deadline_passed(struct deadline *deadline)
{
	struct conn *conn = (void *)((char *)deadline - offsetof(struct conn, end));

	conn_die(conn, conn->shut ? "closed" : "close_timeout");
}

void conn_begin_closing(struct conn *conn)
{
	conn->closing = true;
	conn->busy = false;
	if (conn->websocket != NULL) {
		conn_close_frames(conn);
	}
	deadline_set(&conn->set->flushing, &conn->end);
	conn_defer_flush(conn);
}

void conn_drop_input(struct conn *conn)
{
	input_drop(&conn->input, &conn->set->blocks, conn->input.length);
}

static void leave_set(struct conn *conn)
{
	TAILQ_REMOVE(&conn->set->all, conn, of_set);
	if (conn->peer != NULL) {
		conn->set->open--;
		conn->set->framed -= conn->websocket != NULL ? 1 : 0;
		conn->set->operators -= conn->is_operator ? 1 : 0;
		metrics_count_word(METRIC_CLOSED, conn->reason);
	} else {
		conn->set->refused--;
	}
	if (conn->group != NULL) {
		crowd_leave(&conn->set->crowd, conn->group);
	}
	deadline_clear(&conn->end);
	deadline_clear(&conn->stuck);
}

void conn_free(struct conn *conn)
{
	assert(conn->session == NULL);
	leave_set(conn);
	if (conn->peer != NULL && log_may(&conn->set->logs)) {
		log_event(LOG_INFO, "conn_close",
				"conn=%" PRIu64 " peer=%s reason=%s lines=%" PRIu64, conn->id,
				conn->peer, log_text(conn->reason), conn->lines);
	}
	loop_forget(&conn->arrive);
	loop_forget(&conn->turn);
	loop_forget(&conn->flush);
	arrival_fini(&conn->arrival);
	conn_drop_input(conn);
	output_fini(&conn->output);
	conn_weigh(conn);
	event_del(&conn->readable);
	event_del(&conn->writable);
	conn->transport.ops->close(&conn->transport);
	websocket_free(conn->websocket);
	deadline_clear(&conn->ping);
	free(conn->peer);
	free(conn);
}

/* The connection as its session sees it. */

static void take_line(struct conn *conn, struct bytes *line)
{
	if (conn->mute || conn->overflow || conn->dead) {
		return;
	}
	conn_queue_line(conn, line);
	if (conn->output.queued > CONN_OUTPUT_BYTES) {
		conn->stalled = true; /* until all of it is out */
	}
	conn->overflow = conn->weight > conn->set->limits.output;
}

static void conn_send(void *arg, struct bytes *line)
{
	struct conn *conn = arg;

	conn->spoke = true;
	take_line(conn, line);
}

static void conn_spread(void *arg, struct bytes *line)
{
	struct conn *conn = arg;

	loop_defer(conn->set->loop, LOOP_OUT, &conn->flush);
	conn_send(conn, line);
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
	if (conn->asked_us != 0) {
		conn_note_answer(conn, conn->asked_us);
	}
	conn->asked_us = 0;
	if (conn->ended || conn->input.length > 0 || !conn->reading) {
		conn_defer_turn(conn);
	}
}

static void conn_close(void *arg)
{
	struct conn *conn = arg;

	conn->session = NULL;
	conn_begin_closing(conn);
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
	return conn->ended && conn->websocket == NULL && !conn->transport.was_cut
			       ? arrival_of(&conn->arrival, conn->input.length) / 1000
			       : INT64_MAX;
}

static const struct sink_ops conn_sink = {
		.send = conn_send,
		.queued = conn_queued,
		.ready = conn_ready,
		.close = conn_close,
		.waits_since = conn_waits_since,
		.spread = conn_spread,
};

/* Birth. */

static struct conn *new_conn(struct conn_set *set, const struct conn_guest *guest)
{
	struct event_base *base = loop_base(set->loop);
	struct conn *conn = memory_new(1, sizeof(*conn));

	conn->set = set;
	conn->transport = guest->transport;
	event_assign(&conn->readable, base, guest->transport.fd, EV_READ | EV_PERSIST,
			conn_readable, conn);
	event_assign(&conn->writable, base, guest->transport.fd, EV_WRITE | EV_PERSIST,
			conn_writable, conn);
	conn->arrive.run = conn_arrive;
	conn->turn.run = conn_turn;
	conn->flush.run = conn_flush;
	TAILQ_INSERT_TAIL(&set->all, conn, of_set);
	if (guest->has_frames) {
		conn_begin_frames(conn);
	}
	return conn;
}

bool conn_open(struct conn_set *set, const struct conn_guest *guest)
{
	const struct peer_name *peer = guest->peer;
	const struct play_peer who = {
			.group = peer->group,
			.address = peer->has_address ? peer->address : NULL,
			.operator_name = peer->is_operator ? peer->text : NULL,
	};
	struct crowd_group *group =
			peer->is_operator ? NULL : crowd_enter(&set->crowd, peer->group);
	struct session *session;
	struct conn *conn;

	if (group == NULL && !peer->is_operator) {
		return false;
	}
	conn = new_conn(set, guest);
	conn->group = group;
	conn->is_operator = peer->is_operator;
	set->operators += peer->is_operator ? 1 : 0;
	set->open++;
	set->framed += guest->has_frames ? 1 : 0;
	conn->id = ++set->last_id;
	conn->peer = memory_string(peer->text);
	if (log_may(&set->logs)) {
		log_event(LOG_INFO, "conn_open", "conn=%" PRIu64 " peer=%s", conn->id, peer->text);
	}
	session = play_session_open(set->play, &conn_sink, conn, &who);
	if (session == NULL) {
		conn_begin_closing(conn);
	} else if (!conn->closing) {
		conn->session = session;
	}
	if (guest->early_length > 0) {
		conn_take_input(conn, guest->early, guest->early_length);
	}
	conn_update_reading(conn);
	return true;
}

void conn_refuse(struct conn_set *set, const struct conn_guest *guest, struct bytes *line)
{
	struct conn *conn = new_conn(set, guest);

	set->refused++;
	conn_queue_line(conn, line);
	conn->code = set->stopping ? WEBSOCKET_GOING_AWAY : WEBSOCKET_TRY_LATER;
	conn_begin_closing(conn);
	conn_update_reading(conn);
}

void conn_set_init(struct conn_set *set, struct loop *loop, struct play *play,
		const struct conn_limits *limits)
{
	memset(set, 0, sizeof(*set));
	set->loop = loop;
	set->play = play;
	set->limits = *limits;
	set->shed.run = conn_shed;
	TAILQ_INIT(&set->all);
	crowd_init(&set->crowd, limits->per_address);
	deadlines_init(&set->stuck, loop, limits->slow_ms, conn_stuck);
	deadlines_init(&set->flushing, loop, CONN_CLOSE_MS, deadline_passed);
	deadlines_init(&set->lingering, loop, CONN_LINGER_MS, deadline_passed);
	deadlines_init(&set->pings, loop, limits->ping_ms == 0 ? CONN_PING_MS : limits->ping_ms,
			conn_ping);
}

void conn_set_change(struct conn_set *set, const struct conn_limits *limits)
{
	set->limits = *limits;
	set->crowd.most = limits->per_address;
	deadlines_change(&set->stuck, limits->slow_ms);
}

size_t conn_set_cut(struct conn_set *set)
{
	struct conn *conn;
	size_t count = 0;

	TAILQ_FOREACH(conn, &set->all, of_set)
	{
		if (!conn->dead) {
			conn_lose(conn, "cut");
			count++;
		}
	}
	return count;
}

void conn_set_fini(struct conn_set *set)
{
	assert(set->open == 0 && set->refused == 0);
	input_pool_fini(&set->blocks);
	crowd_fini(&set->crowd);
	loop_forget(&set->shed);
	deadlines_fini(&set->stuck);
	deadlines_fini(&set->flushing);
	deadlines_fini(&set->lingering);
	deadlines_fini(&set->pings);
}
