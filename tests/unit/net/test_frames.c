#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fake_play.h"
#include "server/net/conn.h"
#include "server/net/loop.h"
#include "server/ops/log.h"
#include "tests/unit/game/cmocka_all.h"

/* Connections that speak in frames, with the fake play and peers on socket pairs. */

#define PING_MS 40
#define HEARD_SIZE 65536

struct stage {
	struct loop *loop;
	struct play *play;
	struct conn_set set;
	int fd; /* the peer's */
	char heard[HEARD_SIZE];
	size_t length;
	size_t wanted;
	bool ended;
};

static int set_up(void **state)
{
	static const struct conn_limits limits = {.output = 4194304,
			.output_all = SIZE_MAX,
			.slow_ms = 60000,
			.ping_ms = PING_MS};
	struct stage *stage = calloc(1, sizeof(*stage));

	log_set_level(LOG_ERROR);
	stage->loop = loop_new();
	stage->play = fake_new();
	stage->fd = -1;
	conn_set_init(&stage->set, stage->loop, stage->play, &limits);
	*state = stage;
	return 0;
}

static void hear(struct stage *stage)
{
	ssize_t got = 1;

	while (stage->fd >= 0 && got > 0) {
		got = recv(stage->fd, stage->heard + stage->length, HEARD_SIZE - stage->length,
				MSG_DONTWAIT);
		stage->length += got > 0 ? (size_t)got : 0;
		stage->ended = stage->ended || got == 0;
	}
}

static bool is_enough(void *arg)
{
	struct stage *stage = arg;

	hear(stage);
	return stage->length >= stage->wanted || stage->ended;
}

static bool is_over(void *arg)
{
	struct stage *stage = arg;

	hear(stage);
	return stage->set.open == 0 && stage->set.refused == 0;
}

static void run(struct stage *stage, bool (*until)(void *arg))
{
	if (!until(stage)) {
		loop_run(stage->loop, until, stage);
	}
}

static int tear_down(void **state)
{
	struct stage *stage = *state;

	conn_set_cut(&stage->set);
	run(stage, is_over);
	if (stage->fd >= 0) {
		close(stage->fd);
	}
	conn_set_fini(&stage->set);
	fake_free(stage->play);
	loop_free(stage->loop);
	free(stage);
	return 0;
}

static void begin(struct stage *stage, const char *early, size_t length)
{
	const struct sockaddr_in address = {.sin_family = AF_INET};
	struct conn_guest guest = {.has_frames = true, .early = early, .early_length = length};
	struct peer_name peer;
	int fds[2];

	assert_int_equal(
			socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
	stage->fd = fds[1];
	peer_name_of((const struct sockaddr *)&address, sizeof(address), &peer);
	guest.peer = &peer;
	transport_init_plain(&guest.transport, fds[0]);
	assert_true(conn_open(&stage->set, &guest));
}

/* What is heard next are these bytes. */
static void expect(struct stage *stage, const char *bytes, size_t length)
{
	stage->wanted = length;
	run(stage, is_enough);
	assert_true(stage->length >= length);
	assert_memory_equal(stage->heard, bytes, length);
	stage->length -= length;
	memmove(stage->heard, stage->heard + length, stage->length);
}

static void say(struct stage *stage, unsigned char first, const char *text)
{
	char frame[134] = {(char)first, (char)(0x80 | strlen(text))};

	memcpy(frame + 6, text, strlen(text));
	assert_int_equal(send(stage->fd, frame, 6 + strlen(text), MSG_NOSIGNAL), 6 + strlen(text));
}

static void lines_come_and_go_in_frames(void **state)
{
	begin(*state, "\x81\x83\0\0\0\0one", 9);
	expect(*state, "\x81\x07welcome", 9);
	expect(*state, "\x81\x03one", 5);
	say(*state, 0x81, "two\nthree");
	expect(*state, "\x81\x03two\x81\x05three", 12);
	say(*state, 0x81, "quit");
	expect(*state,
			"\x81\x03"
			"bye"
			"\x88\x02\x03\xe8",
			9);
}

static bool is_busy(void *arg)
{
	const struct stage *stage = arg;

	return fake_busy(stage->play) > 0;
}

struct awake {
	struct loop_task task;
	struct loop *loop;
	int passes;
};

static void stay_awake(struct loop_task *task)
{
	struct awake *awake = (void *)task;

	awake->passes++;
	loop_defer(awake->loop, LOOP_TASKS, task);
}

static bool four_passes(void *arg)
{
	const struct awake *awake = arg;

	return awake->passes == 4;
}

/* Else who has to rest could have as many pings answered as he likes. */
static void a_ping_waits_for_what_is_under_way(void **state)
{
	struct stage *stage = *state;
	struct awake awake = {{.run = stay_awake}, stage->loop, 0};

	begin(stage, NULL, 0);
	expect(stage, "\x81\x07welcome", 9);
	say(stage, 0x81, "busy a");
	loop_run(stage->loop, is_busy, stage);
	say(stage, 0x89, "p");
	loop_defer(stage->loop, LOOP_TASKS, &awake.task);
	loop_run(stage->loop, four_passes, &awake);
	loop_forget(&awake.task);
	hear(stage);
	assert_int_equal(stage->length, 0);
	fake_release(stage->play);
	expect(stage,
			"\x81\x01"
			"a"
			"\x8a\x01"
			"p",
			6);
}

static void what_waits_behind_a_request_is_answered_before_the_close(void **state)
{
	struct stage *stage = *state;

	begin(stage, NULL, 0);
	expect(stage, "\x81\x07welcome", 9);
	say(stage, 0x81, "busy a");
	say(stage, 0x81, "b");
	say(stage, 0x88, "\x03\xe9");
	while (fake_busy(stage->play) == 0) {
		stage->wanted = 0;
		loop_run(stage->loop, is_enough, stage);
	}
	fake_release(stage->play);
	expect(stage,
			"\x81\x01"
			"a"
			"\x81\x01"
			"b"
			"\x88\x02\x03\xe9",
			10);
	assert_int_equal(fake_seen(stage->play)->ended, 1);
}

static void whoever_answers_pings_stays(void **state)
{
	struct stage *stage = *state;

	begin(stage, NULL, 0);
	expect(stage, "\x81\x07welcome", 9);
	for (int i = 0; i < 4; i++) {
		expect(stage, "\x89\0", 2);
		say(stage, 0x8a, "");
	}
	say(stage, 0x81, "here");
	expect(stage, "\x81\x04here", 6);
}

static void whoever_is_silent_after_a_ping_is_given_up(void **state)
{
	struct stage *stage = *state;

	begin(stage, NULL, 0);
	expect(stage, "\x81\x07welcome\x89\0", 11);
	run(stage, is_over);
	assert_int_equal(fake_seen(stage->play)->lost, 1);
}

static void at_the_servers_end_it_goes_away(void **state)
{
	struct stage *stage = *state;

	begin(stage, NULL, 0);
	expect(stage, "\x81\x07welcome", 9);
	stage->set.stopping = true;
	play_shutdown(stage->play);
	expect(stage,
			"\x81\x03"
			"bye"
			"\x88\x02\x03\xe9",
			9);
}

#define ON_STAGE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
			ON_STAGE(lines_come_and_go_in_frames),
			ON_STAGE(a_ping_waits_for_what_is_under_way),
			ON_STAGE(what_waits_behind_a_request_is_answered_before_the_close),
			ON_STAGE(whoever_answers_pings_stays),
			ON_STAGE(whoever_is_silent_after_a_ping_is_given_up),
			ON_STAGE(at_the_servers_end_it_goes_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
