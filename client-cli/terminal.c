#include "client-cli/terminal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "protocol/text.h"

#define ERASE_BELOW "\033[J"
#define BRACKETED_PASTE_ON "\033[?2004h"
#define BRACKETED_PASTE_OFF "\033[?2004l"

static volatile sig_atomic_t signal_resized;
static volatile sig_atomic_t signal_continued;
static volatile sig_atomic_t signal_ended;

static void on_signal(int number)
{
	if (number == SIGWINCH) {
		signal_resized = 1;
	} else if (number == SIGCONT) {
		signal_continued = 1;
	} else {
		signal_ended = 1;
	}
}

static const int signals_taken[] = {SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT};

#define SIGNALS_TAKEN (sizeof(signals_taken) / sizeof(signals_taken[0]))

/* They are let in only while waiting, so none is missed between a look and the wait. */
static void signals_begin(struct terminal *terminal)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t blocked;

	sigemptyset(&action.sa_mask);
	sigemptyset(&blocked);
	for (size_t i = 0; i < SIGNALS_TAKEN; i++) {
		(void)sigaction(signals_taken[i], &action, NULL);
		sigaddset(&blocked, signals_taken[i]);
	}
	(void)sigprocmask(SIG_BLOCK, &blocked, &terminal->mask_before);
}

/* A wait that ends with something to read ends before the signal is let in. */
static bool continues(void)
{
	sigset_t pending;

	return signal_continued != 0 ||
	       (sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1);
}

struct terminal_signals terminal_take_signals(void)
{
	struct terminal_signals signals = {signal_resized != 0, continues(), signal_ended != 0};

	signal_resized = 0;
	signal_continued = 0;
	return signals;
}

bool terminal_has_signals(void)
{
	return signal_resized != 0 || signal_continued != 0 || signal_ended != 0;
}

/* Writing. */

/* Everything goes out in one piece, or a slow line would show the prompt come and go. */
struct page {
	char *text;
	size_t length;
	FILE *out;
};

static bool page_begin(struct page *page)
{
	*page = (struct page){.text = NULL};
	page->out = open_memstream(&page->text, &page->length);
	return page->out != NULL;
}

/* Signals are let in here too: a terminal that takes no more must not keep us from ending. */
static ssize_t write_some(struct terminal *terminal, const char *text, size_t length)
{
	sigset_t blocked;
	ssize_t count;
	int error;

	(void)sigprocmask(SIG_SETMASK, &terminal->mask_before, &blocked);
	count = write(terminal->output, text, length);
	error = errno;
	(void)sigprocmask(SIG_SETMASK, &blocked, NULL);
	errno = error;
	return count;
}

/* Will no more go out? The end was signalled before all was taken, or the terminal is gone. */
static bool write_is_over(ssize_t count, size_t length)
{
	if (count < (ssize_t)length && signal_ended) {
		return true;
	}
	return count < 0 && errno != EAGAIN && errno != EINTR;
}

static void write_all(struct terminal *terminal, const char *text, size_t length)
{
	while (length > 0 && !terminal->failed) {
		ssize_t count = write_some(terminal, text, length);

		if (write_is_over(count, length)) {
			terminal->failed = true;
		} else if (count < 0 && errno == EAGAIN) {
			/* Someone who shares the terminal made it non-blocking. */
			struct pollfd wanted = {.fd = terminal->output, .events = POLLOUT};

			(void)poll(&wanted, 1, -1);
		} else if (count > 0) {
			text += count;
			length -= (size_t)count;
		}
	}
}

static void page_end(struct page *page, struct terminal *terminal)
{
	if (fclose(page->out) == 0) {
		write_all(terminal, page->text, page->length);
	}
	free(page->text);
}

/* Back to the beginning of the prompt's row, and it is gone. */
static void put_erase(struct terminal *terminal, FILE *out)
{
	if (!terminal->shown) {
		return;
	}
	if (terminal->cursor >= terminal->columns) {
		fprintf(out, "\033[%zuA", terminal->cursor / terminal->columns);
	}
	fputs("\r" ERASE_BELOW, out);
	terminal->shown = false;
}

static void put_prompt(struct terminal *terminal, const struct terminal_prompt *prompt, FILE *out)
{
	fprintf(out, "%s%s%s%s\r", paint_begin(prompt->color, prompt->paint), prompt->text,
			paint_end(prompt->color, prompt->paint), prompt->line);
	terminal->cursor = text_columns(prompt->text) + prompt->cursor;
	if (terminal->cursor > 0) {
		fprintf(out, "\033[%zuC", terminal->cursor);
	}
	terminal->shown = true;
}

static size_t count_rows(const char *text, size_t length)
{
	size_t rows = 0;

	for (size_t i = 0; i < length; i++) {
		rows += text[i] == '\n';
	}
	return rows;
}

void terminal_print(struct terminal *terminal, const char *text, size_t length,
		const struct terminal_prompt *prompt, bool block)
{
	size_t rows = count_rows(text, length);
	struct page page;

	if (!page_begin(&page)) {
		return;
	}
	put_erase(terminal, page.out);
	if (block && terminal->block_rows > 0) {
		fprintf(page.out, "\033[%zuA" ERASE_BELOW, terminal->block_rows);
	}
	fwrite(text, 1, length, page.out);
	put_prompt(terminal, prompt, page.out);
	page_end(&page, terminal);
	/* What has scrolled out of the window can't be replaced. */
	terminal->block_rows = block && rows + 1 < terminal->rows ? rows : 0;
}

void terminal_show(struct terminal *terminal, const struct terminal_prompt *prompt)
{
	struct page page;

	if (page_begin(&page)) {
		put_erase(terminal, page.out);
		put_prompt(terminal, prompt, page.out);
		page_end(&page, terminal);
	}
}

void terminal_pass(struct terminal *terminal)
{
	if (terminal->shown) {
		write_all(terminal, "\n", 1);
	}
	terminal->shown = false;
	terminal->block_rows = 0;
}

void terminal_wipe(struct terminal *terminal)
{
	static const char wipe[] = "\033[H\033[2J";

	write_all(terminal, wipe, strlen(wipe));
	terminal->shown = false;
	terminal->block_rows = 0;
}

/* The terminal's state. */

void terminal_measure(struct terminal *terminal)
{
	struct winsize size = {.ws_col = 0};

	terminal->columns = TERMINAL_COLUMNS;
	terminal->rows = TERMINAL_ROWS;
	terminal->block_rows = 0;
	if (ioctl(terminal->output, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
		terminal->columns = size.ws_col;
		terminal->rows = size.ws_row;
	}
}

/* Keys at once, without echo and without signals of their own; what is printed still gets its CR
 * before each LF. */
static int terminal_take_keys(struct terminal *terminal)
{
	struct termios keys = terminal->before;

	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	keys.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR);
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	if (tcsetattr(terminal->input, TCSADRAIN, &keys) < 0) {
		return -errno;
	}
	write_all(terminal, BRACKETED_PASTE_ON, strlen(BRACKETED_PASTE_ON));
	return 0;
}

static void terminal_give_back(struct terminal *terminal)
{
	write_all(terminal, BRACKETED_PASTE_OFF, strlen(BRACKETED_PASTE_OFF));
	(void)tcsetattr(terminal->input, terminal->failed ? TCSANOW : TCSADRAIN, &terminal->before);
}

int terminal_begin(struct terminal *terminal, int input, int output)
{
	int result;

	*terminal = (struct terminal){.input = input, .output = output};
	terminal_measure(terminal);
	signals_begin(terminal);
	if (tcgetattr(input, &terminal->before) < 0) {
		return -errno;
	}
	result = terminal_take_keys(terminal);
	terminal->begun = result == 0;
	return result;
}

void terminal_end(struct terminal *terminal)
{
	struct page page;

	if (!terminal->begun) {
		return;
	}
	if (page_begin(&page)) {
		put_erase(terminal, page.out);
		page_end(&page, terminal);
	}
	terminal_give_back(terminal);
	terminal->begun = false;
}

void terminal_resume(struct terminal *terminal)
{
	(void)terminal_take_keys(terminal);
	terminal_measure(terminal);
	write_all(terminal, "\r" ERASE_BELOW, strlen("\r" ERASE_BELOW));
	terminal->shown = false;
}

void terminal_suspend(struct terminal *terminal)
{
	struct page page;

	if (page_begin(&page)) {
		put_erase(terminal, page.out);
		page_end(&page, terminal);
	}
	terminal_give_back(terminal);
	terminal->block_rows = 0;
	/* The whole job, as the terminal itself would: we may be one of several in a pipe. */
	(void)kill(0, SIGTSTP);
	terminal_resume(terminal);
}
