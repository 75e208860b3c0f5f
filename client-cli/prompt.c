#include "client-cli/prompt.h"

#include <stdio.h>
#include <string.h>

#include "client-cli/clocks.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

/* What is expected, in parts that are left out from the front where the terminal is narrow. */
struct expected {
	char clocks[CLOCKS_TEXT_SIZE + 2]; /* "X 2:59 O 1:00, " */
	char who[PROMPT_SIZE / 2];	   /* "[k7m2q] ala (X), " */
	char what[PROMPT_SIZE / 2];
	enum paint paint;
};

/* How many squares are open, and one of them. */
static size_t open_squares(const struct board *board, unsigned int *ret_one)
{
	size_t count = 0;

	for (unsigned int i = 0; i < 9; i++) {
		if (board->squares[i].classical == 0) {
			*ret_one = i + 1;
			count++;
		}
	}
	return count;
}

static void expect_own_turn(const struct scene *scene, const struct tell_room *room,
		const struct board *board, struct expected *expected)
{
	unsigned int move = board->move;
	unsigned int one = 0;

	snprintf(expected->who, sizeof(expected->who), "%s (%s), ", scene->rooms->name,
			room->seat == SEAT_X ? "X" : "O");
	expected->paint = PAINT_CALL;
	if (board->phase == PHASE_COLLAPSE) {
		snprintf(expected->what, sizeof(expected->what), _("measure: %u or %u"),
				(unsigned int)board->choices[0], (unsigned int)board->choices[1]);
	} else if (open_squares(board, &one) == 1) {
		snprintf(expected->what, sizeof(expected->what), _("move %u: only %u is left"),
				move, one);
	} else {
		snprintf(expected->what, sizeof(expected->what), _("move %u: two squares"), move);
	}
}

static void expect_opponent(const struct tell_room *room, struct expected *expected)
{
	enum seat other = room->seat == SEAT_X ? SEAT_O : SEAT_X;
	const char *name = room->players[other - SEAT_X];

	if (name[0] != '\0') {
		snprintf(expected->what, sizeof(expected->what), _("waiting for %.90s"), name);
	} else {
		snprintf(expected->what, sizeof(expected->what), "%s",
				_("waiting for your opponent"));
	}
}

/* He has to act and is away: when the win can be claimed, or that it can, also where there is no
 * room for his name. */
static void expect_away(const struct scene *scene, const struct tell_room *room,
		const struct scene_room *seen, struct expected *expected)
{
	const char *name = room->players[room->seat == SEAT_X ? 1 : 0];
	char wait[CLOCKS_TEXT_SIZE];

	if (seen->claim_at_ms == 0) {
		snprintf(expected->what, sizeof(expected->what), _("%.60s is away"), name);
		return;
	}
	snprintf(expected->who, sizeof(expected->who), _("%.60s is away, "), name);
	if (seen->claim_at_ms > scene->now_ms) {
		clocks_wait_text(seen->claim_at_ms - scene->now_ms, wait);
		snprintf(expected->what, sizeof(expected->what), _("claim in %.40s"), wait);
	} else {
		snprintf(expected->what, sizeof(expected->what), "%s", _("claim wins"));
		expected->paint = PAINT_CALL;
	}
}

static void expect_clocks(const struct scene *scene, const struct tell_room *room,
		const struct scene_room *seen, struct expected *expected)
{
	struct clock_running left = scene_clock(scene, seen);
	char text[CLOCKS_TEXT_SIZE];

	clocks_text(&left, text);
	if (text[0] != '\0') {
		snprintf(expected->clocks, sizeof(expected->clocks), "%s, ", text);
	}
	if (clocks_low(&left) && left.running == room->seat) {
		expected->paint = PAINT_ERROR;
	}
}

static void expect_watched(const struct tell_room *room, const struct scene_room *seen,
		struct expected *expected)
{
	enum seat turn = seen && seen->has_board ? seen->board.turn : SEAT_NONE;
	const char *name = turn == SEAT_NONE ? "" : room->players[turn - SEAT_X];
	const char *letter = turn == SEAT_X ? "X" : "O";

	snprintf(expected->what, sizeof(expected->what), _("watching %s"), room->id);
	if (name[0] == '\0') {
		return;
	}
	if (seen->board.phase == PHASE_COLLAPSE) {
		snprintf(expected->who, sizeof(expected->who), _("%.60s (%s) measures, "), name,
				letter);
	} else {
		snprintf(expected->who, sizeof(expected->who), _("move %u: %.60s (%s), "),
				(unsigned int)seen->board.move, name, letter);
	}
}

static void expect_game(struct scene *scene, const struct tell_room *room,
		const struct scene_room *seen, struct expected *expected)
{
	if (room->seat == SEAT_NONE) {
		expect_watched(room, seen, expected);
	} else if (seen && seen->has_board && seen->board.turn == room->seat) {
		expect_own_turn(scene, room, &seen->board, expected);
	} else if (seen && seen->away) {
		expect_away(scene, room, seen, expected);
	} else {
		expect_opponent(room, expected);
	}
	if (seen) {
		expect_clocks(scene, room, seen, expected);
	}
}

static void expect_waiting(const struct tell_room *room, struct expected *expected)
{
	if (room->seat == SEAT_NONE) {
		snprintf(expected->what, sizeof(expected->what), _("watching %s"), room->id);
	} else if (room->kept_for[0] != '\0') {
		snprintf(expected->what, sizeof(expected->what), _("waiting for %.90s"),
				room->kept_for);
	} else {
		snprintf(expected->what, sizeof(expected->what), "%s",
				_("waiting for an opponent"));
	}
}

static void expect_over(const struct tell_room *room, const struct scene_room *seen,
		struct expected *expected)
{
	if (seen && room->seat != SEAT_NONE && seen->rematch_by == room->seat && !seen->away) {
		expect_opponent(room, expected);
	} else {
		snprintf(expected->what, sizeof(expected->what), "%s", _("lobby"));
	}
}

static void expect_in_room(
		struct scene *scene, const struct tell_room *room, struct expected *expected)
{
	const struct scene_room *seen = scene_find(scene, room->id);

	switch (room->status) {
	case STATUS_WAITING:
		expect_waiting(room, expected);
		break;
	case STATUS_PLAYING:
		expect_game(scene, room, seen, expected);
		break;
	case STATUS_OVER:
		expect_over(room, seen, expected);
		break;
	}
}

/* Returns whether something was asked. */
static bool expect_answer(struct scene *scene, struct expected *expected)
{
	static const char *const texts[] = {
			[QUESTION_NONE] = "",
			[QUESTION_DRAW] = N_("a draw: y or n"),
			[QUESTION_REMATCH] = N_("a rematch: y or n"),
			[QUESTION_INVITED] = N_("a game: y or n"),
			[QUESTION_FORGET] = N_("give your name up: y or n"),
	};
	const char *room = NULL;
	const char *player = NULL;
	enum scene_question question = scene_asks(scene, &room, &player);

	if (question == QUESTION_NONE) {
		return false;
	}
	expected->paint = PAINT_CALL;
	if (question != QUESTION_FORGET) {
		snprintf(expected->who, sizeof(expected->who), _("%s offers "), player);
	}
	snprintf(expected->what, sizeof(expected->what), "%s", _(texts[question]));
	return true;
}

/* Several games at a time are told apart. */
static void expect_among_others(
		const struct scene *scene, const char *room, struct expected *expected)
{
	char who[sizeof(expected->who)];

	if (room[0] != '\0' && rooms_running(scene->rooms) > 1) {
		memcpy(who, expected->who, sizeof(who));
		snprintf(expected->who, sizeof(expected->who), "[%s] %.100s", room, who);
	}
}

static size_t columns_of(const struct expected *expected)
{
	return text_columns(expected->clocks) + text_columns(expected->who) +
	       text_columns(expected->what) + 2;
}

void prompt_text(struct scene *scene, size_t columns, char ret_text[PROMPT_SIZE],
		enum paint *ret_paint)
{
	const struct tell_room *room = scene_current(scene);
	struct expected expected = {.paint = PAINT_STRONG};
	size_t most = columns - columns / 3;
	char what[sizeof(expected.what)];

	snprintf(expected.what, sizeof(expected.what), "%s",
			scene->operates ? _("operator") : _("lobby"));
	if (!expect_answer(scene, &expected)) {
		if (room) {
			expect_in_room(scene, room, &expected);
			expect_among_others(scene, room->id, &expected);
		}
	} else if (room && room->status == STATUS_PLAYING && scene_find(scene, room->id)) {
		/* Time runs meanwhile. */
		expect_clocks(scene, room, scene_find(scene, room->id), &expected);
	}
	if (columns_of(&expected) > most) {
		expected.who[0] = '\0';
	}
	if (columns_of(&expected) > most) {
		expected.clocks[0] = '\0';
	}
	memcpy(what, expected.what, sizeof(what));
	while (text_columns(what) + 2 > most && what[0] != '\0') {
		what[text_cut(what, strlen(what), strlen(what) - 1)] = '\0';
	}
	snprintf(ret_text, PROMPT_SIZE, "%s%.100s%s> ", expected.clocks, expected.who, what);
	*ret_paint = expected.paint;
}
