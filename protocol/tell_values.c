/* What a position is worth, in words: "X wins by ½". */
#include <stdio.h>

#include "protocol/encode.h"
#include "protocol/phrase.h"
#include "protocol/tell_parts.h"

#define WORTH_SIZE 40
/* "1-2 " */
#define ACTION_SIZE 5
#define ACTIONS_A_LINE 12

static void worth_text(const struct tell *tell, int half_points, char ret_text[WORTH_SIZE])
{
	if (half_points == 0) {
		snprintf(ret_text, WORTH_SIZE, "%s", _("a draw"));
	} else {
		snprintf(ret_text, WORTH_SIZE, _("%s wins by %s"), half_points > 0 ? "X" : "O",
				tell_points(tell, half_points));
	}
}

static void append_action(char *text, size_t size, const struct action *action)
{
	if (action->square_count == 0) {
		tell_append(text, size, " %u", (unsigned int)action->square);
	} else if (action->square_count == 1) {
		tell_append(text, size, " %u", (unsigned int)action->squares[0]);
	} else {
		tell_append(text, size, " %u-%u", (unsigned int)action->squares[0],
				(unsigned int)action->squares[1]);
	}
}

/* The actions of one worth, as many lines as they need. */
static void tell_actions(struct tell *tell, const struct ok *ok, int half_points)
{
	char line[WORTH_SIZE + 2 + ACTIONS_A_LINE * ACTION_SIZE] = "  ";
	char worth[WORTH_SIZE];
	size_t count = 0;

	worth_text(tell, half_points, worth);
	tell_append(line, sizeof(line), "%s:", worth);
	for (size_t i = 0; i < ok->each_count; i++) {
		if (ok->each[i].half_points != half_points) {
			continue;
		}
		if (count > 0 && count % ACTIONS_A_LINE == 0) {
			tell_line(tell, "%s", line);
			snprintf(line, sizeof(line), "   ");
		}
		append_action(line, sizeof(line), &ok->each[i].action);
		count++;
	}
	if (count > 0) {
		tell_line(tell, "%s", line);
	}
}

/* All actions, what is best for whose turn it is first. */
static void tell_each(struct tell *tell, const struct ok *ok)
{
	int sign = ok->board->turn == SEAT_O ? -1 : 1;

	for (int points = TELL_HALVES_MAX; points >= -TELL_HALVES_MAX; points--) {
		tell_actions(tell, ok, sign * points);
	}
}

static void tell_steps(struct tell *tell, const struct ok *ok)
{
	for (size_t i = 0; i < ok->step_count; i++) {
		char worth[WORTH_SIZE];

		worth_text(tell, ok->steps[i], worth);
		tell_line(tell, _("  after %zu: %s"), i, worth);
	}
}

void tell_values(struct tell *tell, const struct ok *ok)
{
	char worth[WORTH_SIZE];

	if (!ok->board) {
		return;
	}
	tell_board(tell, "", ok->board, NULL, ok->board->phase != PHASE_OVER);
	worth_text(tell, ok->half_points, worth);
	tell_line(tell,
			ok->board->phase == PHASE_OVER ? _("It ended so: %s.")
						       : _("If both play perfectly: %s."),
			worth);
	tell_each(tell, ok);
	if (ok->step_count > 0) {
		tell_line(tell, "%s", _("What it was worth after so many actions:"));
		tell_steps(tell, ok);
	}
}
