#include "fake_play.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "server/ops/memory.h"

struct session {
	struct play *play;
	const struct sink_ops *sink;
	void *conn;
	char *busy_text; /* NULL: not busy */
	bool plays;
	LIST_ENTRY(session) link;
};

struct play {
	LIST_HEAD(, session) sessions;
	struct fake_seen seen;
	bool stopping;
};

struct play *fake_new(void)
{
	struct play *play = memory_new(1, sizeof(*play));

	LIST_INIT(&play->sessions);
	return play;
}

void fake_free(struct play *play)
{
	assert(LIST_EMPTY(&play->sessions));
	free(play);
}

const struct fake_seen *fake_seen(const struct play *play)
{
	return &play->seen;
}

static void say(struct session *session, const char *text, size_t length)
{
	char *line = memory_new(length + 1, 1);
	struct bytes *bytes;

	memcpy(line, text, length);
	line[length] = '\n';
	bytes = bytes_new(line, length + 1);
	free(line);
	session->sink->send(session->conn, bytes);
	bytes_unref(bytes);
}

static void say_big(struct session *session, size_t length)
{
	char *text = memory_new(length, 1);

	memset(text, 'x', length);
	say(session, text, length - 1);
	free(text);
}

static void forget(struct session *session)
{
	LIST_REMOVE(session, link);
	free(session->busy_text);
	free(session);
}

static void close_session(struct session *session)
{
	session->sink->close(session->conn);
	forget(session);
}

struct bytes *play_banned(const struct play *play, const uint8_t address[PREFIX_ADDRESS_BYTES])
{
	(void)address;
	return play->seen.banned;
}

struct session *play_session_open(struct play *play, const struct sink_ops *sink, void *conn,
		const struct play_peer *peer)
{
	struct session *session;

	snprintf(play->seen.address, sizeof(play->seen.address), "%s", peer->group);
	if (play->stopping) {
		return NULL;
	}
	session = memory_new(1, sizeof(*session));
	session->play = play;
	session->sink = sink;
	session->conn = conn;
	LIST_INSERT_HEAD(&play->sessions, session, link);
	say(session, "welcome", strlen("welcome"));
	return session;
}

static size_t queued_of_all(const struct play *play, size_t *ret_most)
{
	const struct session *session;
	size_t all = 0;

	LIST_FOREACH(session, &play->sessions, link)
	{
		const size_t queued = session->sink->queued(session->conn);

		*ret_most = queued > *ret_most ? queued : *ret_most;
		all += queued;
	}
	return all;
}

static enum play_line_result answer(struct session *session, const char *text, int64_t arrived_ms)
{
	char number[32];

	if (strcmp(text, "quit") == 0) {
		say(session, "bye", 3);
		close_session(session);
		return PLAY_CLOSED;
	}
	if (strncmp(text, "busy ", 5) == 0) {
		session->busy_text = memory_string(text + 5);
		return PLAY_BUSY;
	}
	session->plays = session->plays || strcmp(text, "play") == 0;
	if (strncmp(text, "big ", 4) == 0) {
		say_big(session, strtoul(text + 4, NULL, 10));
	} else if (strcmp(text, "time") == 0) {
		snprintf(number, sizeof(number), "%" PRId64, arrived_ms);
		say(session, number, strlen(number));
	} else {
		say(session, text, strlen(text));
	}
	return PLAY_NEXT;
}

enum play_line_result play_session_line(struct session *session, enum line_result kind,
		const char *line, size_t length, int64_t arrived_ms)
{
	struct fake_seen *seen = &session->play->seen;
	const size_t queued = session->sink->queued(session->conn);
	size_t most = 0;
	const size_t queued_all = queued_of_all(session->play, &most);
	char text[4097];

	assert(session->busy_text == NULL);
	seen->queued_max = queued > seen->queued_max ? queued : seen->queued_max;
	seen->queued_all_max =
			queued_all > seen->queued_all_max ? queued_all : seen->queued_all_max;
	seen->lines++;
	if (kind == LINE_TOO_LONG) {
		return answer(session, "too long", arrived_ms);
	}
	if (kind == LINE_NOT_TEXT) {
		return answer(session, "not text", arrived_ms);
	}
	assert(kind == LINE_WHOLE && length < sizeof(text));
	memcpy(text, line, length);
	text[length] = '\0';
	if (strcmp(text, "hi") == 0) {
		seen->lines_before_hi = seen->lines - 1;
	}
	return answer(session, text, arrived_ms);
}

enum play_line_result play_session_bytes(struct session *session, size_t count)
{
	session->play->seen.bytes += count;
	if (!session->play->seen.wants_rest || session->busy_text != NULL) {
		return PLAY_NEXT;
	}
	session->busy_text = memory_string("rested");
	return PLAY_BUSY;
}

bool play_session_goes_first(struct session *session)
{
	return session->plays;
}

void play_session_give_up(struct session *session)
{
	say(session, "slow", strlen("slow"));
	session->play->seen.given_up++;
	forget(session);
}

void play_session_end(struct session *session)
{
	assert(session->busy_text == NULL);
	session->play->seen.ended++;
	close_session(session);
}

void play_session_lost(struct session *session)
{
	session->play->seen.lost++;
	forget(session);
}

void play_session_drained(struct session *session)
{
	session->play->seen.drained++;
}

void play_shutdown(struct play *play)
{
	play->stopping = true;
	while (!LIST_EMPTY(&play->sessions)) {
		struct session *session = LIST_FIRST(&play->sessions);

		say(session, "bye", 3);
		close_session(session);
	}
}

void fake_rest(struct play *play, bool on)
{
	play->seen.wants_rest = on;
}

void fake_ban(struct play *play, struct bytes *line)
{
	play->seen.banned = line;
}

size_t fake_queued(const struct play *play)
{
	size_t most = 0;

	queued_of_all(play, &most);
	return most;
}

size_t fake_busy(const struct play *play)
{
	const struct session *session;
	size_t count = 0;

	LIST_FOREACH(session, &play->sessions, link)
	{
		count += session->busy_text != NULL;
	}
	return count;
}

int64_t fake_waits_since(const struct play *play)
{
	const struct session *session;
	int64_t first_ms = INT64_MAX;

	LIST_FOREACH(session, &play->sessions, link)
	{
		const int64_t since_ms = session->sink->waits_since(session->conn);

		first_ms = since_ms < first_ms ? since_ms : first_ms;
	}
	return first_ms;
}

void fake_release(struct play *play)
{
	struct session *session;

	LIST_FOREACH(session, &play->sessions, link)
	{
		if (session->busy_text != NULL) {
			say(session, session->busy_text, strlen(session->busy_text));
			free(session->busy_text);
			session->busy_text = NULL;
			session->sink->ready(session->conn);
		}
	}
}

void fake_tell_all(struct play *play, size_t length)
{
	struct session *session;

	LIST_FOREACH(session, &play->sessions, link)
	{
		say_big(session, length);
	}
}
