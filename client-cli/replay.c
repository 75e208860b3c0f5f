#include "client-cli/replay.h"

#include <stdlib.h>
#include <string.h>

#include "client-cli/drawing.h"
#include "client-cli/language.h"
#include "client-cli/terminal.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

static void replay_take(void *context, const struct message *message, const struct asked *asked,
		bool quiet);

struct replay *replay_new(
		const struct options *options, const struct record *record, struct link *link)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay) {
		return NULL;
	}
	replay->options = options;
	replay->record = record;
	session_init(&replay->session, options, link, stdout);
	replay->session.stage = (struct session_stage){.show = replay_take, .context = replay};
	return replay;
}

void replay_free(struct replay *replay)
{
	if (replay) {
		session_fini(&replay->session);
		free(replay);
	}
}

/* Asking. */

/* The whole record first, for the server to check; then what it begins with. */
static void replay_ask(struct replay *replay)
{
	const struct record *record = replay->record;
	struct request request = {.type = REQUEST_ANALYSE, .has = HAS_RECORD};
	struct command command;
	size_t begin;
	size_t end = 0;

	if (!replay->checked) {
		request.has |= HAS_STEPS;
		request.steps = true;
		end = record->length;
	} else if (replay->asked > 0) {
		(void)record_item(record, replay->asked - 1, &begin, &end);
	}
	memcpy(request.record, record->text, end);
	request.record[end] = '\0';
	command_request(&request, "analyse", replay->session.number + 1, &command);
	session_do(&replay->session, &command);
}

static void keep_step(struct replay *replay, size_t index, const struct ok *ok)
{
	struct replay_step *step = &replay->steps[index];

	step->board = *ok->board;
	step->half_points = ok->half_points;
	step->each_count = ok->each_count < REPLAY_EACH_MAX ? ok->each_count : REPLAY_EACH_MAX;
	if (step->each_count > 0) {
		memcpy(step->each, ok->each, step->each_count * sizeof(step->each[0]));
	}
}

/* The record is a game: its items are the game's actions. */
static void keep_game(struct replay *replay, const struct ok *ok)
{
	const struct record *record = replay->record;
	size_t begin;
	size_t end;

	for (size_t i = 0; i + 1 < ok->step_count && record_item(record, i, &begin, &end); i++) {
		(void)study_take_item(&replay->study, record->text + begin, end - begin);
	}
	study_take_values(&replay->study, ok);
	keep_step(replay, replay->study.count, ok);
	replay->checked = true;
}

static void refuse(struct replay *replay, const struct error *error)
{
	bool is_clean = error->message[0] != '\0' && text_is_clean(error->message);
	const char *sentence = is_clean ? error->message : _(code_sentence(error->code));
	char place[PROBLEM_SIZE];

	replay->status = EXIT_REFUSED;
	replay->done = true;
	if (error->has_at && error->at > 0) {
		record_place_text(replay->record, (size_t)error->at, place);
		fprintf(stderr, "qttt: %s: %s\n", place, sentence);
	} else {
		fprintf(stderr, _("qttt: the server refuses to analyse it: %s\n"), sentence);
	}
}

/* The server's answer to what was asked last. */
static void replay_take(
		void *context, const struct message *message, const struct asked *asked, bool quiet)
{
	struct replay *replay = context;

	(void)quiet;
	if (!asked || replay->done) {
		return;
	}
	if (message->kind == MESSAGE_ERROR && message->error.code == CODE_RATE_LIMITED) {
		replay->wait_ms = message->error.has_retry ? message->error.retry_ms : 1000;
		return;
	}
	if (message->kind == MESSAGE_ERROR) {
		refuse(replay, &message->error);
		return;
	}
	if (message->kind != MESSAGE_OK || !message->ok.board) {
		return;
	}
	if (!replay->checked) {
		keep_game(replay, &message->ok);
	} else {
		keep_step(replay, replay->asked++, &message->ok);
	}
	replay->done = replay->asked == replay->study.count;
}

/* Returns 0 or a negative errno. */
static int replay_wait(struct replay *replay)
{
	int most_ms = replay->wait_ms < 60000 ? (int)replay->wait_ms : 60000;
	int result = session_wait_server(&replay->session, most_ms > 0 ? most_ms : -1);

	if (result > 0) {
		replay->wait_ms = 0;
		return 0;
	}
	return result;
}

enum exit_status replay_fetch(struct replay *replay)
{
	struct session *session = &replay->session;
	int result = 0;

	while (result == 0 && !replay->done && !lines_done(&session->server) &&
			!session->output_failed) {
		if (session->waiting_count == 0 && replay->wait_ms == 0) {
			replay_ask(replay);
		}
		result = replay_wait(replay);
		session_take_server(session);
	}
	if (!replay->done) {
		fprintf(stderr, _("qttt: lost the connection: %s\n"),
				session_lost_why(session, result));
		return EXIT_LOST;
	}
	return replay->status;
}

/* Showing. */

/* Marks of the last action: the one that was put, or those that a measurement has put down. */
static unsigned int last_marks(const struct replay *replay, size_t step)
{
	const struct board *board = &replay->steps[step].board;
	unsigned int last = 0;

	if (step == 0) {
		return 0;
	}
	if (replay->study.steps[step - 1].label[1] == '\0') {
		return 1U << (unsigned int)(replay->study.steps[step - 1].label[0] - '0');
	}
	for (size_t i = 0; i < 9; i++) {
		if (replay->steps[step - 1].board.squares[i].classical == 0) {
			last |= 1U << board->squares[i].classical % 10;
		}
	}
	return last & ~1U;
}

static struct ok step_as_ok(const struct replay_step *step)
{
	return (struct ok){.to = REQUEST_ANALYSE,
			.carries = OK_VALUES,
			.board = &step->board,
			.half_points = step->half_points,
			.each_count = step->each_count,
			.each = step->each};
}

static void show_loss(const struct replay *replay, const struct show *show, size_t step)
{
	struct ok before = step_as_ok(&replay->steps[step - 1]);
	enum seat loser = SEAT_NONE;
	int lost = study_given_away(&replay->study, step - 1, &loser);
	char right[ACTIONS_TEXT_SIZE];
	char points[WORTH_SIZE];
	char line[ACTIONS_TEXT_SIZE + 64];

	if (lost > 0) {
		show_points_text(show, lost, points);
		show_right_text(&before, right);
		snprintf(line, sizeof(line), _("It gave away %s. Right: %s"), points, right);
		show_line(show, PAINT_CHOICE, 2, line);
	}
}

void replay_show(const struct replay *replay, const struct show *show, size_t step)
{
	const struct replay_step *at = &replay->steps[step];
	const struct drawing drawing = {.columns = show->columns,
			.ascii = show->ascii,
			.color = show->color,
			.last = last_marks(replay, step)};
	struct ok ok = step_as_ok(at);
	char worth[WORTH_SIZE];
	char line[128];

	show_worth_text(show, at->half_points, worth);
	if (step == 0) {
		snprintf(line, sizeof(line), _("Start: %s"), worth);
	} else {
		const struct study_step *done = &replay->study.steps[step - 1];

		snprintf(line, sizeof(line),
				done->label[1] == 'c' ? _("Step %zu of %zu: %s measured %s: %s")
						      : _("Step %zu of %zu: %s moved %s: %s"),
				step, replay->study.count, done->by == SEAT_X ? "X" : "O",
				done->action, worth);
	}
	show_line(show, PAINT_STRONG, 2, line);
	if (step > 0) {
		show_loss(replay, show, step);
	}
	fputc('\n', show->out);
	drawing_board(&drawing, &at->board, show->out);
	fputc('\n', show->out);
	show_best(show, &ok);
	fputc('\n', show->out);
}

struct show replay_pen(const struct replay *replay, bool is_terminal)
{
	const struct options *options = replay->options;

	return (struct show){.out = stdout,
			.columns = TERMINAL_COLUMNS,
			.color = paint_wanted(options->color, is_terminal, getenv("NO_COLOR"),
					getenv("TERM")),
			.ascii = options->ascii || (is_terminal && !language_has_utf8())};
}

void replay_print(const struct replay *replay)
{
	struct show show = replay_pen(replay, false);

	for (size_t step = 0; step <= replay->study.count; step++) {
		replay_show(replay, &show, step);
	}
	show_study(&show, &replay->study);
}
