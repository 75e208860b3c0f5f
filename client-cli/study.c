#include "client-cli/study.h"

#include <string.h>

#include "protocol/phrase.h"

/* Steps. */

/* A place for one more step, or NULL. */
static struct study_step *add_step(struct study *study, enum seat by)
{
	struct study_step *step = &study->steps[study->count];

	if (study->count == STUDY_STEPS_MAX) {
		return NULL;
	}
	study->count++;
	*step = (struct study_step){.by = by};
	return step;
}

static char mark_letter(unsigned int mark)
{
	return mark % 2 == 1 ? 'X' : 'O';
}

static void add_moved(struct study *study, const struct event_moved *moved)
{
	struct study_step *step = add_step(study, moved->by);

	if (!step) {
		return;
	}
	snprintf(step->label, sizeof(step->label), "%u", moved->move % 10U);
	if (moved->square_count == 1) {
		snprintf(step->action, sizeof(step->action), "%u", moved->squares[0] % 10U);
	} else {
		snprintf(step->action, sizeof(step->action), "%u-%u", moved->squares[0] % 10U,
				moved->squares[1] % 10U);
	}
}

static void add_collapsed(struct study *study, const struct event_collapsed *collapsed)
{
	struct study_step *step = add_step(study, collapsed->by);

	if (step) {
		snprintf(step->label, sizeof(step->label), "%uc", collapsed->move % 10U);
		snprintf(step->action, sizeof(step->action), _("%c%u in %u"),
				mark_letter(collapsed->move), collapsed->move % 10U,
				collapsed->square % 10U);
	}
}

/* Is it the next of the room's own events, or the first again? That one tells which room it is. */
static bool is_next(const struct study *study, const struct event *event)
{
	if (event->type >= EVENT_STATE || (event->seq != study->seq + 1 && event->seq != 1)) {
		return false;
	}
	return study->room[0] == '\0' || strcmp(study->room, event->room) == 0;
}

bool study_take_event(struct study *study, const struct event *event)
{
	if (!is_next(study, event)) {
		return false;
	}
	if (event->seq == 1) {
		study->count = 0;
	}
	study->seq = event->seq;
	message_copy(study->room, sizeof(study->room), event->room);
	if (event->type == EVENT_MOVED) {
		add_moved(study, &event->moved);
	} else if (event->type == EVENT_COLLAPSED) {
		add_collapsed(study, &event->collapsed);
	}
	return true;
}

/* Ends that the board does not show, in words. */
static const char *const end_texts[REASON_ABORTED + 1] = {
		[REASON_RESIGN] = N_("resigned"),
		[REASON_FLAG] = N_("out of time"),
		[REASON_CLAIM] = N_("was away"),
		[REASON_AGREEMENT] = N_("agreed draw"),
};

static void add_end(struct study *study, const struct result *result)
{
	enum seat loser = SEAT_NONE;
	struct study_step *step;

	if (!end_texts[result->reason]) {
		return;
	}
	if (result->half_points_x != result->half_points_o) {
		loser = result->half_points_x < result->half_points_o ? SEAT_X : SEAT_O;
	}
	step = add_step(study, loser);
	if (step) {
		message_copy(step->action, sizeof(step->action), end_texts[result->reason]);
	}
}

void study_take_state(struct study *study, const struct snapshot *state)
{
	message_copy(study->room, sizeof(study->room), state->room);
	for (size_t i = 0; i < 2; i++) {
		message_copy(study->players[i], sizeof(study->players[i]), state->players[i].name);
	}
	if (state->has_result) {
		add_end(study, &state->result);
	}
}

/* Items of a record. */

static bool is_digit(char letter)
{
	return letter >= '0' && letter <= '9';
}

/* "O4(3)" as "O4 in 3", "1-5" as it is, "5-5" as "5". */
static bool read_action(const char *text, size_t length, char ret_action[STUDY_ACTION_SIZE])
{
	if (length == 5 && text[2] == '(' && text[4] == ')') {
		snprintf(ret_action, STUDY_ACTION_SIZE, _("%c%u in %u"), text[0],
				(unsigned int)(text[1] - '0'), (unsigned int)(text[3] - '0'));
		return true;
	}
	if (length != 3 || text[1] != '-') {
		return false;
	}
	snprintf(ret_action, STUDY_ACTION_SIZE, "%.*s", text[0] == text[2] ? 1 : 3, text);
	return true;
}

bool study_take_item(struct study *study, const char *item, size_t length)
{
	struct study_step read = {.by = SEAT_NONE};
	size_t label = length > 1 && item[1] == 'c' ? 2 : 1;
	struct study_step *step;

	if (length < label + 4 || !is_digit(item[0]) || item[label] != ':' ||
			item[label + 2] != '(' || item[length - 1] != ')') {
		return false;
	}
	snprintf(read.label, sizeof(read.label), "%.*s", (int)label, item);
	read.by = item[label + 1] == 'X' ? SEAT_X : SEAT_O;
	if (!read_action(item + label + 3, length - label - 4, read.action)) {
		return false;
	}
	step = add_step(study, read.by);
	if (step) {
		*step = read;
	}
	return step != NULL;
}

/* Values. */

void study_take_values(struct study *study, const struct ok *ok)
{
	bool has_end = study->count > 0 && study->steps[study->count - 1].label[0] == '\0';
	size_t known = study->count + (has_end ? 0 : 1);

	study->value_count = 0;
	for (size_t i = 0; i < ok->step_count && i < known; i++) {
		study->values[study->value_count++] = ok->steps[i];
	}
	study->missing = ok->step_count - study->value_count;
	/* An end that is no action is worth what the game ended with. */
	if (has_end && study->value_count == known) {
		study->values[study->value_count++] = ok->half_points;
	}
}

int study_given_away(const struct study *study, size_t step, enum seat *ret_seat)
{
	enum seat by = study->steps[step].by;
	int lost;

	if (step + 1 >= study->value_count) {
		return 0;
	}
	lost = study->values[step] - study->values[step + 1];
	*ret_seat = lost > 0 ? SEAT_X : SEAT_O;
	if (by != SEAT_NONE && by != *ret_seat) {
		return 0;
	}
	return lost > 0 ? lost : -lost;
}
