/* Keys and words that step through a recorded game. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "client-cli/editor.h"
#include "client-cli/language.h"
#include "client-cli/replay.h"
#include "client-cli/terminal.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

#define KEYS_SIZE 256
#define PROMPT_TEXT_SIZE 64

struct viewer {
	const struct replay *replay;
	struct terminal terminal;
	struct editor editor;
	struct show show;
	char *page;
	size_t page_size;
	size_t step;
	bool left; /* by ^C, or a signal */
	bool done;
};

/* Pages. */

static void draw_prompt(struct viewer *viewer, const char *page, size_t length)
{
	size_t columns = viewer->terminal.columns;
	struct terminal_prompt prompt = {.paint = PAINT_CALL, .color = viewer->show.color};
	char line[EDITOR_LINE_SIZE];
	char text[PROMPT_TEXT_SIZE];
	size_t taken;

	snprintf(text, sizeof(text), _("%zu of %zu, next> "), viewer->step,
			viewer->replay->study.count);
	taken = text_columns(text) + 1;
	editor_window(&viewer->editor, columns > taken + 1 ? columns - taken : 1, line,
			&prompt.cursor);
	prompt.text = text;
	prompt.line = line;
	if (length > 0) {
		terminal_print(&viewer->terminal, page, length, &prompt, false);
	} else {
		terminal_show(&viewer->terminal, &prompt);
	}
}

/* What was written to the page goes out. */
static void turn_page(struct viewer *viewer)
{
	long length;

	fflush(viewer->show.out);
	length = ftell(viewer->show.out);
	draw_prompt(viewer, viewer->page, length > 0 ? (size_t)length : 0);
	rewind(viewer->show.out);
}

static void go_to(struct viewer *viewer, size_t step)
{
	viewer->step = step;
	replay_show(viewer->replay, &viewer->show, step);
}

/* Words. */

static void do_next(struct viewer *viewer)
{
	if (viewer->step < viewer->replay->study.count) {
		go_to(viewer, viewer->step + 1);
	} else {
		show_line(&viewer->show, PAINT_QUIET, 2,
				_("That was the last step: table shows them all, quit leaves."));
	}
}

static void do_back(struct viewer *viewer)
{
	if (viewer->step > 0) {
		go_to(viewer, viewer->step - 1);
	} else {
		show_line(&viewer->show, PAINT_QUIET, 2, _("That is the start."));
	}
}

static void do_table(struct viewer *viewer)
{
	show_study(&viewer->show, &viewer->replay->study);
}

static void do_quit(struct viewer *viewer)
{
	viewer->done = true;
}

static void do_help(struct viewer *viewer)
{
	static const char *const lines[] = {
			N_("next, an empty line, Right    one step on"),
			N_("back, Left    one step back"),
			N_("3    to the position after step 3; 0 is the start"),
			N_("table    all steps, and who gave away what"),
			N_("quit, ^D, ^C    leave"),
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		show_line(&viewer->show, PAINT_PLAIN, 4, _(lines[i]));
	}
}

/* A word may be cut to its first letter. */
static const struct {
	const char *word;
	void (*run)(struct viewer *viewer);
} word_rows[] = {
		{"next", do_next},
		{"back", do_back},
		{"table", do_table},
		{"quit", do_quit},
		{"exit", do_quit},
		{"help", do_help},
		{"?", do_help},
};

static void do_number(struct viewer *viewer, const char *text)
{
	unsigned long step = strtoul(text, NULL, 10);

	if (step <= viewer->replay->study.count) {
		go_to(viewer, step);
	} else {
		show_line(&viewer->show, PAINT_ERROR, 2, _("There is no such step."));
	}
}

static void read_line(struct viewer *viewer, const char *text)
{
	size_t length;

	text += strspn(text, " \t");
	length = strcspn(text, " \t");
	if (length > 0 && strspn(text, "0123456789") == length) {
		do_number(viewer, text);
		return;
	}
	for (size_t i = 0; i < sizeof(word_rows) / sizeof(word_rows[0]); i++) {
		/* Nothing at all is the first word. */
		if (length <= strlen(word_rows[i].word) &&
				strncasecmp(word_rows[i].word, text, length) == 0) {
			word_rows[i].run(viewer);
			return;
		}
	}
	show_line(&viewer->show, PAINT_ERROR, 2,
			_("There is no such word here. next, back, a number, table or quit."));
}

/* Keys. */

static void enter(struct viewer *viewer)
{
	char line[EDITOR_LINE_SIZE];

	memcpy(line, viewer->editor.text, sizeof(line));
	editor_remember(&viewer->editor);
	draw_prompt(viewer, NULL, 0);
	terminal_pass(&viewer->terminal);
	editor_clear(&viewer->editor);
	read_line(viewer, line);
}

static void obey(struct viewer *viewer, enum editor_event event)
{
	switch (event) {
	case EDITOR_NONE:
	case EDITOR_COMPLETE:
		break;
	case EDITOR_LINE:
		enter(viewer);
		break;
	case EDITOR_END:
		viewer->done = true;
		break;
	case EDITOR_INTERRUPT:
		viewer->left = true;
		break;
	case EDITOR_SUSPEND:
		terminal_suspend(&viewer->terminal);
		break;
	case EDITOR_REDRAW:
		terminal_wipe(&viewer->terminal);
		go_to(viewer, viewer->step);
		break;
	}
}

/* In an empty line Right and Left are steps. Returns how many bytes they took. */
static size_t take_arrow(struct viewer *viewer, const char *keys, size_t count)
{
	if (viewer->editor.length > 0 || count < 3 || keys[0] != '\033' ||
			(keys[1] != '[' && keys[1] != 'O') || (keys[2] != 'C' && keys[2] != 'D')) {
		return 0;
	}
	if (keys[2] == 'C') {
		do_next(viewer);
	} else {
		do_back(viewer);
	}
	return 3;
}

static void take_keys(struct viewer *viewer)
{
	char keys[KEYS_SIZE];
	ssize_t count = read(viewer->terminal.input, keys, sizeof(keys));
	size_t at = 0;

	if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) {
		viewer->done = true;
		return;
	}
	while (count > 0 && at < (size_t)count && !viewer->left && !viewer->done) {
		enum editor_event event = EDITOR_NONE;
		size_t taken = take_arrow(viewer, keys + at, (size_t)count - at);

		if (taken == 0) {
			taken = editor_take(&viewer->editor, keys + at, (size_t)count - at, &event);
			obey(viewer, event);
		}
		at += taken;
		if (!viewer->done) {
			turn_page(viewer);
		}
	}
}

static void take_signals(struct viewer *viewer)
{
	struct terminal_signals signals = terminal_take_signals();

	viewer->left |= signals.ended;
	if (signals.continued) {
		terminal_resume(&viewer->terminal);
	}
	if (signals.resized) {
		terminal_measure(&viewer->terminal);
		viewer->show.columns = viewer->terminal.columns;
	}
	if (signals.continued || signals.resized) {
		turn_page(viewer);
	}
}

static void step_through(struct viewer *viewer)
{
	viewer->show.columns = viewer->terminal.columns;
	show_line(&viewer->show, PAINT_QUIET, 2,
			_("Enter is next; back, a number, table and quit go as well, help tells "
			  "more."));
	fputc('\n', viewer->show.out);
	go_to(viewer, 0);
	turn_page(viewer);
	while (!viewer->left && !viewer->done && !viewer->terminal.failed) {
		struct pollfd wanted = {.fd = viewer->terminal.input, .events = POLLIN};
		int count = ppoll(&wanted, 1, NULL, &viewer->terminal.mask_before);

		if (count < 0 && errno != EINTR) {
			break;
		}
		if (count > 0) {
			take_keys(viewer);
		}
		take_signals(viewer);
	}
}

enum exit_status replay_sit(const struct replay *replay)
{
	struct viewer *viewer = calloc(1, sizeof(*viewer));
	enum exit_status status = EXIT_LOST;
	int result;

	if (!viewer) {
		return EXIT_LOST;
	}
	viewer->replay = replay;
	viewer->show = replay_pen(replay, true);
	viewer->show.out = open_memstream(&viewer->page, &viewer->page_size);
	result = viewer->show.out ? terminal_begin(&viewer->terminal, STDIN_FILENO, STDOUT_FILENO)
				  : -ENOMEM;
	editor_init(&viewer->editor);
	if (result == 0) {
		step_through(viewer);
		viewer->left |= terminal_take_signals().ended;
		terminal_end(&viewer->terminal);
		status = viewer->left ? EXIT_INTERRUPTED : EXIT_FINE;
	} else {
		fprintf(stderr, _("qttt: can't read keys: %s\n"), language_reason(-result));
	}
	editor_fini(&viewer->editor);
	if (viewer->show.out) {
		fclose(viewer->show.out);
	}
	free(viewer->page);
	free(viewer);
	return status;
}
