/* A session in a pipe: the loop. And waiting for the server alone. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "client-cli/session.h"
#include "protocol/phrase.h"

/* Is there something to wait for from the input? Not while its requests wait to be answered. */
static bool session_wants_input(const struct session *session)
{
	return !session->input_ended && !session->input.at_end && session_may_send(session);
}

static int session_wait(struct session *session, int input_fd)
{
	struct pollfd wanted[3] = {
			{.fd = session->link->fd, .events = POLLIN},
			{.fd = session_wants_input(session) ? input_fd : -1, .events = POLLIN},
			{.fd = session_opening_fd(session), .events = POLLIN},
	};
	int result = 0;

	if (link_has_output(session->link)) {
		wanted[0].events |= POLLOUT;
	}
	if (poll(wanted, 3, session_wait_ms(session)) < 0) {
		return errno == EINTR ? 0 : -errno;
	}
	if (wanted[1].revents != 0) {
		(void)lines_fill(&session->input, input_fd);
	}
	if (wanted[0].revents & ~POLLOUT) {
		result = lines_fill_from(&session->server, session->link);
	}
	return result;
}

int session_wait_server(struct session *session, int wait_ms)
{
	struct pollfd wanted = {.fd = session->link->fd, .events = POLLIN};
	int count;

	link_flush(session->link);
	if (link_has_output(session->link)) {
		wanted.events |= POLLOUT;
	}
	count = poll(&wanted, 1, wait_ms);
	if (count < 0) {
		return errno == EINTR ? 0 : -errno;
	}
	if (count == 0) {
		return 1;
	}
	return wanted.revents & ~POLLOUT ? lines_fill_from(&session->server, session->link) : 0;
}

static enum exit_status session_status(const struct session *session, int result)
{
	bool done = session->input_ended && session->waiting_count == 0 &&
		    session->held_count == 0 && session->server_spoke;

	if (session->output_failed) {
		fprintf(stderr, _("qttt: can't write to standard output\n"));
		return EXIT_LOST;
	}
	if (session_was_turned_away(session)) {
		return EXIT_REFUSED;
	}
	if (session->said_bye && session->bye != BYE_QUIT) {
		fprintf(stderr, _("qttt: the server ended the session\n"));
		return EXIT_LOST;
	}
	if (!session->said_bye && !done) {
		fprintf(stderr, _("qttt: lost the connection: %s\n"),
				session_lost_why(session, result));
		return EXIT_LOST;
	}
	return session->last_refused || (session->options->admin && session->any_refused)
			       ? EXIT_REFUSED
			       : EXIT_FINE;
}

enum exit_status session_run(struct session *session, int input_fd)
{
	int result = 0;

	do {
		session_take_input(session);
		if (fflush(session->view.out) != 0) {
			session->output_failed = true;
			break;
		}
		session_flush(session);
		result = session_wait(session, input_fd);
		session_take_server(session);
	} while (!session->output_failed && session_keep(session, result));
	return session_status(session, result);
}
