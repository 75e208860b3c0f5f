#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "client-cli/language.h"
#include "client-cli/sitting.h"
#include "protocol/phrase.h"

#define KEYS_SIZE 1024

/* A secret is not to be found again by going up in the history. */
static bool holds_secret(const char *line)
{
	return strcasestr(line, "token") != NULL;
}

static void sitting_enter(struct sitting *sitting)
{
	char line[EDITOR_LINE_SIZE];

	memcpy(line, sitting->editor.text, sizeof(line));
	if (!holds_secret(line)) {
		editor_remember(&sitting->editor);
	}
	/* The line as it was typed stays above what it brings about; its last keys may not have
	 * been drawn yet. */
	sitting_turn_page(sitting);
	terminal_pass(&sitting->terminal);
	editor_clear(&sitting->editor);
	sitting_read(sitting, line);
}

/* ^C drops what is typed; where nothing is, it leaves. */
static void sitting_interrupt(struct sitting *sitting)
{
	if (sitting->editor.length == 0 || sitting->session.input_ended) {
		sitting->left = true;
		return;
	}
	sitting_turn_page(sitting);
	terminal_pass(&sitting->terminal);
	editor_clear(&sitting->editor);
}

static void sitting_end_input(struct sitting *sitting)
{
	sitting->session.input_ended = true;
	sitting_note_end(sitting);
}

static void sitting_obey(struct sitting *sitting, enum editor_event event)
{
	/* Of a server that does not answer to the last word one can still take leave. */
	if (sitting->session.input_ended && event != EDITOR_INTERRUPT) {
		return;
	}
	switch (event) {
	case EDITOR_NONE:
		break;
	case EDITOR_LINE:
		sitting_enter(sitting);
		break;
	case EDITOR_COMPLETE:
		sitting_complete(sitting);
		break;
	case EDITOR_END:
		sitting_end_input(sitting);
		break;
	case EDITOR_INTERRUPT:
		sitting_interrupt(sitting);
		break;
	case EDITOR_SUSPEND:
		terminal_suspend(&sitting->terminal);
		sitting->scene.is_late = true;
		break;
	case EDITOR_REDRAW:
		terminal_wipe(&sitting->terminal);
		break;
	}
}

static void sitting_take_keys(struct sitting *sitting)
{
	char keys[KEYS_SIZE];
	ssize_t count = read(sitting->terminal.input, keys, sizeof(keys));
	size_t at = 0;

	if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) {
		sitting->gone = true;
		sitting_end_input(sitting);
		return;
	}
	while (count > 0 && at < (size_t)count && !sitting->left) {
		enum editor_event event;

		at += editor_take(&sitting->editor, keys + at, (size_t)count - at, &event);
		sitting_obey(sitting, event);
		/* What a key brought about is seen before the next one, which may be pasted. */
		sitting_turn_page(sitting);
	}
}

static void sitting_take_signals(struct sitting *sitting)
{
	struct terminal_signals signals = terminal_take_signals();

	if (signals.ended) {
		sitting->left = true;
	}
	if (signals.continued) {
		sitting->scene.is_late = true;
		terminal_resume(&sitting->terminal);
	}
	if (signals.resized) {
		terminal_measure(&sitting->terminal);
	}
	if (signals.continued || signals.resized) {
		sitting_turn_page(sitting);
	}
}

static int sooner(int wait_ms, int64_t other_ms)
{
	return wait_ms < 0 || other_ms < wait_ms ? (int)other_ms : wait_ms;
}

/* Milliseconds until the clock says something else than it does now; -1: nothing is timed. */
static int sitting_wait_ms(struct sitting *sitting)
{
	int wait_ms = session_wait_ms(&sitting->session);
	int64_t now_ms = session_now_ms();
	int64_t change_ms;

	if (terminal_has_signals()) {
		return 0;
	}
	sitting->scene.now_ms = now_ms;
	change_ms = scene_change_ms(&sitting->scene);
	if (change_ms >= 0) {
		wait_ms = sooner(wait_ms, change_ms);
	}

	if (sitting->session.comeback.state == COMEBACK_WAITING) {
		/* The prompt counts the seconds. */
		wait_ms = sooner(wait_ms, (sitting->session.comeback.next_ms - now_ms) % 1000 + 1);
	}
	if (sitting->leave_ms > 0) {
		wait_ms = sooner(wait_ms,
				sitting->leave_ms > now_ms ? sitting->leave_ms - now_ms : 0);
	}
	return wait_ms;
}

/* Returns 0 or a negative errno. */
static int sitting_wait(struct sitting *sitting)
{
	struct session *session = &sitting->session;
	struct pollfd wanted[3] = {
			{.fd = session->link->fd, .events = POLLIN},
			{.fd = sitting->gone ? -1 : sitting->terminal.input, .events = POLLIN},
			{.fd = session_opening_fd(session), .events = POLLIN},
	};
	int wait_ms = sitting_wait_ms(sitting);
	const struct timespec wait = {
			.tv_sec = wait_ms / 1000, .tv_nsec = wait_ms % 1000 * 1000000L};
	int result = 0;

	if (link_has_output(session->link)) {
		wanted[0].events |= POLLOUT;
	}
	if (ppoll(wanted, 3, wait_ms < 0 ? NULL : &wait, &sitting->terminal.mask_before) < 0) {
		return errno == EINTR ? 0 : -errno;
	}
	if (wanted[0].revents == 0) {
		sitting->scene.is_late = false;
	}
	if (wanted[1].revents != 0) {
		sitting_take_keys(sitting);
	}
	if (wanted[0].revents & ~POLLOUT) {
		result = lines_fill_from(&session->server, session->link);
	}
	return result;
}

static enum exit_status sitting_status(struct sitting *sitting, int result)
{
	const struct session *session = &sitting->session;

	if (sitting->left) {
		return EXIT_INTERRUPTED;
	}
	if (session_was_turned_away(session)) {
		return EXIT_REFUSED;
	}
	if (session->said_bye ? session->bye == BYE_QUIT : session->input_ended) {
		return EXIT_FINE;
	}
	if (!session->said_bye) {
		fprintf(stderr, _("qttt: lost the connection: %s\n"),
				session_lost_why(session, result));
	}
	return EXIT_LOST;
}

/* Returns false when there is nothing more to sit here for. */
static bool sitting_pass(struct sitting *sitting, int *ret_result)
{
	struct session *session = &sitting->session;
	bool goes_on;

	session_flush(session);
	*ret_result = sitting_wait(sitting);
	sitting_take_signals(sitting);
	session_take_server(session);
	goes_on = session_keep(session, *ret_result);
	if (sitting_has_news(sitting)) {
		sitting_turn_page(sitting);
	}
	return goes_on && !sitting->left && !sitting->terminal.failed &&
	       (sitting->leave_ms == 0 || session_now_ms() < sitting->leave_ms);
}

enum exit_status sitting_run(struct sitting *sitting)
{
	int result = terminal_begin(&sitting->terminal, STDIN_FILENO, STDOUT_FILENO);

	if (result < 0) {
		fprintf(stderr, _("qttt: can't read keys: %s\n"), language_reason(-result));
		return EXIT_LOST;
	}
	sitting_turn_page(sitting);
	while (sitting_pass(sitting, &result)) {
	}
	/* It may have come while a page was written that nobody takes. */
	sitting->left |= terminal_take_signals().ended;
	terminal_end(&sitting->terminal);
	return sitting_status(sitting, result);
}
