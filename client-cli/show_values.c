#include "client-cli/show_values.h"

#include <string.h>

#include "protocol/encode.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

#define PAGE_LINE_SIZE 512

/* Values. */

void show_points_text(const struct show *show, int half_points, char ret_text[WORTH_SIZE])
{
	int halves = half_points < 0 ? -half_points : half_points;
	const char *half = show->ascii ? ".5" : "½";

	if (halves == 1 && !show->ascii) {
		snprintf(ret_text, WORTH_SIZE, "%s", half);
	} else {
		snprintf(ret_text, WORTH_SIZE, "%d%s", halves / 2, halves % 2 == 1 ? half : "");
	}
}

void show_worth_text(const struct show *show, int half_points, char ret_text[WORTH_SIZE])
{
	char points[WORTH_SIZE];

	show_points_text(show, half_points, points);
	if (half_points == 0) {
		snprintf(ret_text, WORTH_SIZE, "%s", _("draw"));
	} else {
		snprintf(ret_text, WORTH_SIZE, "%s +%.8s", half_points > 0 ? "X" : "O", points);
	}
}

/* The table. */

enum column { COLUMN_LABEL, COLUMN_BY, COLUMN_ACTION, COLUMN_WORTH, COLUMN_LOST, COLUMN_COUNT };

static const size_t column_widths[COLUMN_COUNT] = {
		[COLUMN_LABEL] = 4, [COLUMN_BY] = 3, [COLUMN_ACTION] = 13, [COLUMN_WORTH] = 8};

/* A row, without blanks at its end. */
static void show_row(
		const struct show *show, enum paint paint, const char *const cells[COLUMN_COUNT])
{
	size_t owed = 0;

	fputs(paint_begin(show->color, paint), show->out);
	for (size_t column = 0; column < COLUMN_COUNT; column++) {
		size_t width = text_columns(cells[column]);

		if (width > 0) {
			fprintf(show->out, "%*s%s", (int)owed, "", cells[column]);
			owed = 0;
		}
		owed += width < column_widths[column] ? column_widths[column] - width : 0;
	}
	fprintf(show->out, "%s\n", paint_end(show->color, paint));
}

/* An end is told in words, what was done on the board by its squares. */
static const char *step_action(const struct study_step *step)
{
	return step->label[0] == '\0' ? _(step->action) : step->action;
}

static void show_step(const struct show *show, const struct study *study, size_t index)
{
	const struct study_step *step = &study->steps[index];
	enum seat loser = SEAT_NONE;
	int lost = study_given_away(study, index, &loser);
	char worth[WORTH_SIZE] = "";
	char away[2 * WORTH_SIZE] = "";
	char points[WORTH_SIZE];

	if (index + 1 < study->value_count) {
		show_worth_text(show, study->values[index + 1], worth);
	}
	if (lost > 0) {
		show_points_text(show, lost, points);
		snprintf(away, sizeof(away), "%s %s", seat_word(loser), points);
	}
	show_row(show, lost > 0 ? PAINT_CHOICE : PAINT_PLAIN,
			(const char *const[]){step->label, seat_word(step->by), step_action(step),
					worth, away});
}

/* Who gave away what. */

static void append(char *text, size_t size, const char *more)
{
	size_t length = strlen(text);

	message_copy(text + length, size - length, more);
}

static void append_loss(const struct show *show, const struct study_step *step, int lost,
		char line[PAGE_LINE_SIZE])
{
	char points[WORTH_SIZE];
	char more[96];

	show_points_text(show, lost, points);
	if (step->label[0] == '\0') {
		snprintf(more, sizeof(more), _(" %s at the end (%s)"), points, step_action(step));
	} else if (step->label[1] == 'c') {
		snprintf(more, sizeof(more), _(" %s by measuring (%s)"), points, step->action);
	} else {
		snprintf(more, sizeof(more), _(" %s by move %s (%s)"), points, step->label,
				step->action);
	}
	append(line, PAGE_LINE_SIZE, more);
}

/* "ola (O) gave away 1½: ½ by move 2 (2-3), 1 by measuring (O4 in 3)." */
static void show_losses(const struct show *show, const struct study *study, enum seat seat)
{
	const char *name = study->players[seat - SEAT_X];
	char list[PAGE_LINE_SIZE] = "";
	char line[2 * PAGE_LINE_SIZE];
	char person[NAME_SIZE + 4];
	char points[WORTH_SIZE];
	int sum = 0;

	for (size_t i = 0; i < study->count; i++) {
		enum seat loser = SEAT_NONE;
		int lost = study_given_away(study, i, &loser);

		if (lost > 0 && loser == seat) {
			append(list, sizeof(list), sum > 0 ? "," : ":");
			append_loss(show, &study->steps[i], lost, list);
			sum += lost;
		}
	}
	snprintf(person, sizeof(person), name[0] != '\0' ? "%s (%s)" : "%s%s", name,
			seat_word(seat));
	if (sum > 0) {
		show_points_text(show, sum, points);
		snprintf(line, sizeof(line), _("%s gave away %s%s."), person, points, list);
	} else {
		snprintf(line, sizeof(line), _("%s gave away nothing."), person);
	}
	show_line(show, PAINT_PLAIN, 2, line);
}

void show_study(const struct show *show, const struct study *study)
{
	char worth[WORTH_SIZE] = "";

	if (study->missing > 0) {
		show_line(show, PAINT_QUIET, 2, _("The moves of this game are no longer kept."));
		return;
	}
	if (study->value_count > 0) {
		show_worth_text(show, study->values[0], worth);
	}
	show_row(show, PAINT_QUIET,
			(const char *const[]){"", "", _("action"), _("worth"), _("gave away")});
	show_row(show, PAINT_QUIET, (const char *const[]){"", "", _("start"), worth, ""});
	for (size_t i = 0; i < study->count; i++) {
		show_step(show, study, i);
	}
	fputc('\n', show->out);
	if (study->count > 0) {
		show_losses(show, study, SEAT_X);
		show_losses(show, study, SEAT_O);
	}
}

/* What can be done. */

static void append_action(const struct action *action, char *text, size_t size)
{
	char more[16];

	if (action->square_count == 2) {
		snprintf(more, sizeof(more), "%u-%u", action->squares[0] % 10U,
				action->squares[1] % 10U);
	} else {
		snprintf(more, sizeof(more), "%u",
				(action->square_count == 1 ? action->squares[0] : action->square) %
						10U);
	}
	append(text, size, text[0] != '\0' ? ", " : "");
	append(text, size, more);
}

void show_right_text(const struct ok *ok, char ret_text[ACTIONS_TEXT_SIZE])
{
	ret_text[0] = '\0';
	for (size_t i = 0; i < ok->each_count; i++) {
		if (ok->each[i].half_points == ok->half_points) {
			append_action(&ok->each[i].action, ret_text, ACTIONS_TEXT_SIZE);
		}
	}
}

static size_t count_worth(const struct ok *ok, int half_points)
{
	size_t count = 0;

	for (size_t i = 0; i < ok->each_count; i++) {
		count += ok->each[i].half_points == half_points;
	}
	return count;
}

/* "Of the others 30 draw, 4 O +½." The best of them for whose turn it is come first. */
static void show_others(const struct show *show, const struct ok *ok)
{
	int sign = ok->board->turn == SEAT_O ? -1 : 1;
	char list[PAGE_LINE_SIZE] = "";
	char line[2 * PAGE_LINE_SIZE];
	char worth[WORTH_SIZE];
	char more[4 * WORTH_SIZE];
	bool any = false;

	for (int points = INT8_MAX; points >= -INT8_MAX; points--) {
		size_t count = count_worth(ok, sign * points);

		if (count == 0 || sign * points == ok->half_points) {
			continue;
		}
		show_worth_text(show, sign * points, worth);
		append(list, sizeof(list), any ? ", " : "");
		snprintf(more, sizeof(more), _("%zu for %s"), count, worth);
		append(list, sizeof(list), more);
		any = true;
	}
	if (any) {
		snprintf(line, sizeof(line), _("The others: %s."), list);
		show_line(show, PAINT_QUIET, 2, line);
	}
}

void show_best(const struct show *show, const struct ok *ok)
{
	char actions[ACTIONS_TEXT_SIZE];
	char worth[WORTH_SIZE];
	char line[PAGE_LINE_SIZE];

	if (!ok->board || ok->each_count == 0) {
		return;
	}
	show_right_text(ok, actions);
	show_worth_text(show, ok->half_points, worth);
	snprintf(line, sizeof(line), _("Best for %s, %s: %s"), seat_word(ok->board->turn), worth,
			actions);
	show_line(show, PAINT_LINE, 2, line);
	show_others(show, ok);
}

void show_hint(const struct show *show, const struct ok *ok)
{
	if (ok->each_count == 0) {
		show_line(show, PAINT_PLAIN, 2,
				_("The game is over. analyse tells what each action was worth."));
	} else {
		show_best(show, ok);
	}
}
