#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client-cli/opening.h"
#include "tests/unit/game/cmocka_all.h"

/* A listener on a free port, which is written to ret_port. */
static int listen_anywhere(char ret_port[8])
{
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in address = {
			.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);

	assert_int_equal(bind(listener, (const struct sockaddr *)&address, size), 0);
	assert_int_equal(listen(listener, 8), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
	snprintf(ret_port, 8, "%d", ntohs(address.sin_port));
	return listener;
}

static bool wait_for(struct opening *opening, struct link *link, const char **why)
{
	struct pollfd wanted = {.fd = opening_fd(opening), .events = POLLIN};

	assert_int_equal(poll(&wanted, 1, 30000), 1);
	return opening_take(opening, link, why);
}

static void a_connection_is_made_meanwhile(void **state)
{
	char port[8];
	int listener = listen_anywhere(port);
	const char *why = NULL;
	struct link link;
	int fd;

	(void)state;
	assert_true(wait_for(opening_new(&(struct link_target){.host = "127.0.0.1", .port = port}),
			&link, &why));
	fd = accept(listener, NULL, NULL);
	assert_true(fd >= 0);
	assert_int_equal(link_send(&link, "ping\n", 5), 0);
	link_flush(&link);
	assert_int_equal(link.written, 5);
	link_close(&link);
	close(fd);
	close(listener);
}

static void a_refusal_has_its_reason(void **state)
{
	char port[8];
	int listener = listen_anywhere(port);
	const char *why = NULL;
	struct link link;

	(void)state;
	close(listener);
	assert_false(wait_for(opening_new(&(struct link_target){.host = "127.0.0.1", .port = port}),
			&link, &why));
	assert_string_equal(why, "Connection refused");
	assert_false(wait_for(
			opening_new(&(struct link_target){.host = "no such host", .port = port}),
			&link, &why));
	assert_non_null(why);
}

static void what_nobody_wants_any_more_is_closed(void **state)
{
	char port[8];
	int listener = listen_anywhere(port);
	struct opening *early =
			opening_new(&(struct link_target){.host = "127.0.0.1", .port = port});
	struct opening *late =
			opening_new(&(struct link_target){.host = "127.0.0.1", .port = port});
	struct pollfd wanted = {.fd = opening_fd(late), .events = POLLIN};
	char byte;

	(void)state;
	assert_int_equal(poll(&wanted, 1, 30000), 1);
	opening_abandon(late);
	opening_abandon(early);
	opening_abandon(NULL);
	for (int i = 0; i < 2; i++) {
		int fd = accept(listener, NULL, NULL);

		assert_int_equal(read(fd, &byte, 1), 0);
		close(fd);
	}
	close(listener);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_connection_is_made_meanwhile),
			cmocka_unit_test(a_refusal_has_its_reason),
			cmocka_unit_test(what_nobody_wants_any_more_is_closed),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	alarm(60);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
