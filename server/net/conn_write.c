#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/sockios.h>

#include "server/net/conn_inner.h"
#include "server/ops/clock.h"
#include "server/ops/log.h"
#include "server/ops/metrics.h"

/* Lines out. */

void conn_weigh(struct conn *conn)
{
	struct conn_set *set = conn->set;
	const size_t weight = output_weight(&conn->output);

	set->output += weight - conn->weight;
	conn->weight = weight;
	if (set->output > set->limits.output_all) {
		loop_defer(set->loop, LOOP_LATE, &set->shed);
	}
}

void conn_queue_line(struct conn *conn, struct bytes *line)
{
	output_add(&conn->output, line);
	conn_weigh(conn);
	conn_defer_flush(conn);
}

static const char *error_text(int error)
{
	const char *text = strerrordesc_np(error);

	return text == NULL ? "unknown error" : text;
}

/* The peer takes nothing any more, but what he said before counts: reading goes on to its end. */
static void fall_mute(struct conn *conn, int error)
{
	conn->mute = true;
	conn->stalled = false;
	/* Who was given up before is gone for that. */
	conn->reason = conn->reason == NULL ? error_text(error) : conn->reason;
	output_drop(&conn->output);
	conn_weigh(conn);
	conn_defer_turn(conn);
}

/* All that was queued is out, and there will be no more. The peer is given time to read it and to
 * close in turn: closing over what he still sends would make the kernel take back our last bytes.
 */
static void finish_output(struct conn *conn)
{
	if (conn->mute) {
		conn_die(conn, "closed");
		return;
	}
	if (!conn->shut) {
		conn->shut = true;
		conn->transport.ops->shut(&conn->transport);
	}
	if (conn->gone) {
		conn_die(conn, "closed");
	} else if (conn->end.of != &conn->set->lingering) {
		deadline_set(&conn->set->lingering, &conn->end);
	}
}

/* Slow readers. */

/* The last word takes the place of all that waits: so it may still be read. */
static void give_up(struct conn *conn)
{
	struct session *session = conn->session;

	if (log_may(&conn->set->logs)) {
		log_event(LOG_INFO, "conn_slow", "conn=%" PRIu64 " waiting=%zu", conn->id,
				conn->weight);
	}
	output_cut(&conn->output, &conn->transport);
	conn->overflow = false;
	conn->reason = "slow_reader";
	conn->code = WEBSOCKET_POLICY;
	conn->session = NULL;
	play_session_give_up(session);
	conn_begin_closing(conn);
	conn_weigh(conn);
}

static int unsent(const struct conn *conn)
{
	int bytes = 0;

	return ioctl(conn->transport.fd, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

static void await_reading(struct conn *conn)
{
	conn->unsent = unsent(conn);
	deadline_set(&conn->set->stuck, &conn->stuck);
}

/* The kernel asks for more only once a good part of its own buffer is free again: a peer who takes
 * a little of that reads too. */
void conn_stuck(struct deadline *deadline)
{
	struct conn *conn = (void *)((char *)deadline - offsetof(struct conn, stuck));

	if (conn->session == NULL) {
		return;
	}
	if (unsent(conn) < conn->unsent) {
		await_reading(conn);
	} else {
		give_up(conn);
	}
}

/* Too much waits for all together: those go first for whom most does, until a quarter is free. */
void conn_shed(struct loop_task *task)
{
	struct conn_set *set = (void *)((char *)task - offsetof(struct conn_set, shed));
	const size_t enough = set->limits.output_all / 4 * 3;
	size_t given_up = 0;
	struct conn *conn;

	for (size_t least = set->limits.output / 2; set->output > enough && least > 0; least /= 2) {
		TAILQ_FOREACH(conn, &set->all, of_set)
		{
			if (set->output > enough && conn->weight >= least &&
					conn->session != NULL) {
				give_up(conn);
				given_up++;
			}
		}
	}
	log_event(LOG_WARN, "output_shed", "connections=%zu waiting=%zu", given_up, set->output);
}

static void set_writing(struct conn *conn, bool writing)
{
	if (writing && conn->may_write) {
		event_add(&conn->writable, NULL);
	}
	conn->may_write = false;
	if (writing == conn->writing) {
		return;
	}
	conn->writing = writing;
	if (writing) {
		event_add(&conn->writable, NULL);
		await_reading(conn);
	} else {
		event_del(&conn->writable);
		deadline_clear(&conn->stuck);
	}
}

/* Straight to the socket: most lines go out here, without the two changes of the poll set and the
 * further pass that waiting for a writable socket costs. */
static void write_now(struct conn *conn)
{
	const size_t queued = conn->output.queued;
	const int error = output_write(&conn->output, &conn->transport);

	conn_weigh(conn);
	metrics_add(METRIC_BYTES_OUT, 0, queued - conn->output.queued);
	if (error != 0) {
		fall_mute(conn, -error);
	} else if (conn->writing && conn->output.queued < queued) {
		await_reading(conn);
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
		conn_defer_turn(conn);
	}
	if (conn->session != NULL) {
		play_session_drained(conn->session);
	}
	if (conn->closing && conn->output.queued == 0) {
		finish_output(conn);
	}
}

void conn_flush(struct loop_task *task)
{
	struct conn *conn = (void *)((char *)task - offsetof(struct conn, flush));

	if (conn->dead) {
		return;
	}
	if (conn->overflow && conn->session != NULL) {
		give_up(conn);
	}
	if ((!conn->writing || conn->may_write) && !conn->mute && conn->output.queued > 0) {
		write_now(conn);
	}
	set_writing(conn, conn->output.queued > 0);
	if (!conn->writing) {
		output_is_out(conn);
	}
	if (conn->closing) {
		conn_drop_input(conn);
	}
	conn_update_reading(conn);
}

/* Who lets his lines wait in the kernel gets the next ones behind the others. */
void conn_writable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *conn = arg;

	(void)fd;
	(void)what;
	event_del(&conn->writable);
	conn->may_write = true;
	loop_defer(conn->set->loop, LOOP_OUT, &conn->flush);
}
