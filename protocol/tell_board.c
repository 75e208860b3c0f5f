#include <stdio.h>

#include "protocol/phrase.h"
#include "protocol/picture.h"
#include "protocol/tell_parts.h"

#define TURN_SIZE 256

static void tell_drawing(struct tell *tell, const struct board *board)
{
	struct picture_style style = {.ascii = tell->ascii};
	char text[PICTURE_SIZE];
	char *line = text;
	char *end;

	(void)picture_board(board, &style, text);
	while ((end = strchr(line, '\n')) != NULL) {
		*end = '\0';
		tell_line(tell, "%s", line);
		line = end + 1;
	}
}

void tell_clocks_text(const struct clock_running *clock, char ret_text[TELL_CLOCKS_SIZE])
{
	static const char *const running[] = {"", N_("X's runs."), N_("O's runs.")};
	const char *whose = running[clock->running];
	long long x = (long long)clock->x_ms / 1000;
	long long o = (long long)clock->o_ms / 1000;

	snprintf(ret_text, TELL_CLOCKS_SIZE, _("Clocks: X %lld:%02lld, O %lld:%02lld."), x / 60,
			x % 60, o / 60, o % 60);
	tell_append(ret_text, TELL_CLOCKS_SIZE, "%s%s", whose[0] != '\0' ? " " : "", _(whose));
}

static void tell_clocks(struct tell *tell, const struct clock_running *clock)
{
	char text[TELL_CLOCKS_SIZE];

	tell_clocks_text(clock, text);
	tell_line(tell, "%s", text);
}

/* The open squares: how many, and the first two. */
static size_t board_open(const struct board *board, size_t ret_first[2])
{
	size_t count = 0;

	for (size_t i = 0; i < 9; i++) {
		if (board->squares[i].classical == 0) {
			if (count < 2) {
				ret_first[count] = i + 1;
			}
			count++;
		}
	}
	return count;
}

/* A player who has not moved yet is shown an example. */
static void own_move_text(const struct board *board, char ret_text[TURN_SIZE])
{
	const char *you = board->turn == SEAT_X ? "X" : "O";
	unsigned int move = board->move;
	size_t first[2] = {0, 0};
	size_t open = board_open(board, first);

	if (open == 1) {
		snprintf(ret_text, TURN_SIZE,
				_("You are %s: your turn. Move %u: only one square is left. move "
				  "%zu"),
				you, move, first[0]);
	} else if (move <= 2) {
		snprintf(ret_text, TURN_SIZE,
				_("You are %s: your turn. Move %u: name two squares. For example: "
				  "move %zu %zu"),
				you, move, first[0], first[1]);
	} else {
		snprintf(ret_text, TURN_SIZE,
				_("You are %s: your turn. Move %u: name two squares."), you, move);
	}
}

static void move_text(const struct tell *tell, const struct board *board, char ret_text[TURN_SIZE])
{
	enum seat seat = tell->room ? tell->room->seat : SEAT_NONE;
	char person[PERSON_SIZE];

	if (seat == board->turn) {
		own_move_text(board, ret_text);
		return;
	}
	tell_person(tell, board->turn, person);
	if (seat != SEAT_NONE) {
		snprintf(ret_text, TURN_SIZE, _("You are %s. It is the turn of %s: move %u."),
				seat == SEAT_X ? "X" : "O", person, (unsigned int)board->move);
	} else {
		snprintf(ret_text, TURN_SIZE, _("It is the turn of %s: move %u."), person,
				(unsigned int)board->move);
	}
}

static void measure_text(
		const struct tell *tell, const struct board *board, char ret_text[TURN_SIZE])
{
	char cycle[32] = "";
	char person[PERSON_SIZE];

	for (size_t i = 0; i < board->cycle_count && i < 9; i++) {
		tell_append(cycle, sizeof(cycle), "%s%u", i > 0 ? "-" : "",
				(unsigned int)board->cycle[i]);
	}
	if (tell->room && tell->room->seat == board->turn) {
		snprintf(ret_text, TURN_SIZE,
				_("Cycle %s closed: you measure. collapse %u or collapse %u."),
				cycle, (unsigned int)board->choices[0],
				(unsigned int)board->choices[1]);
	} else {
		tell_person(tell, board->turn, person);
		snprintf(ret_text, TURN_SIZE, _("Cycle %s closed: %s measures."), cycle, person);
	}
}

static void turn_text(const struct tell *tell, const struct board *board, bool runs,
		char ret_text[TURN_SIZE])
{
	/* A game can be over while its board could go on: someone resigned. */
	if (!runs || board->turn == SEAT_NONE) {
		ret_text[0] = '\0';
	} else if (board->phase == PHASE_COLLAPSE) {
		measure_text(tell, board, ret_text);
	} else {
		move_text(tell, board, ret_text);
	}
}

static void tell_picture(
		struct tell *tell, const struct board *board, const struct clock_running *clock)
{
	tell_drawing(tell, board);
	if (clock && clock->set) {
		tell_clocks(tell, clock);
	}
}

static void tell_sentence(struct tell *tell, const char *sentence)
{
	if (sentence[0] != '\0') {
		tell_line(tell, "%s", sentence);
	}
}

void tell_board(struct tell *tell, const char *sentence, const struct board *board,
		const struct clock_running *clock, bool runs)
{
	char turn[TURN_SIZE];

	turn_text(tell, board, runs, turn);
	if (tell->brief) {
		tell_sentence(tell, sentence);
	} else if (tell->bare) {
		if (sentence[0] != '\0' && turn[0] != '\0') {
			tell_line(tell, "%s %s", sentence, turn);
		} else {
			tell_sentence(tell, sentence);
			tell_sentence(tell, turn);
		}
		tell_picture(tell, board, clock);
	} else {
		tell_sentence(tell, sentence);
		tell_picture(tell, board, clock);
		tell_sentence(tell, turn);
	}
}
