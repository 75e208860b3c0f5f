#include "server/game/rules.h"

#include <assert.h>

enum { SQUARES = 9, MARKS = 9 };

static_assert(sizeof(struct rules_state) <= 64, "a position is cheap to copy");

/* In order of their squares. */
static const uint8_t all_lines[8][3] = {{1, 2, 3}, {1, 4, 7}, {1, 5, 9}, {2, 5, 8}, {3, 5, 7},
		{3, 6, 9}, {4, 5, 6}, {7, 8, 9}};

static const char *const refusal_words[] = {
		[RULES_FINE] = "",
		[RULES_GAME_OVER] = "game_over",
		[RULES_NOT_YOUR_TURN] = "not_your_turn",
		[RULES_COLLAPSE_FIRST] = "collapse_first",
		[RULES_NOTHING_TO_COLLAPSE] = "nothing_to_collapse",
		[RULES_BAD_SQUARE] = "bad_square",
		[RULES_SAME_SQUARE] = "same_square",
		[RULES_SQUARE_TAKEN] = "square_taken",
		[RULES_NOT_A_CHOICE] = "not_a_choice",
};

/* Marks and squares. */

static bool is_square(int square)
{
	return square >= 1 && square <= SQUARES;
}

static bool is_open(const struct rules_state *state, int square)
{
	return state->classical[square] == 0;
}

/* Where a spooky mark is besides `square`; 0 if it is not spooky, or not there. */
static int other_end(const struct rules_state *state, int mark, int square)
{
	const uint8_t *ends = state->ends[mark];

	if (ends[0] == ends[1]) {
		return 0;
	}
	if (ends[0] == square) {
		return ends[1];
	}
	return ends[1] == square ? ends[0] : 0;
}

static void make_spooky(struct rules_state *state, int mark, int one, int other)
{
	state->ends[mark][0] = (uint8_t)(one < other ? one : other);
	state->ends[mark][1] = (uint8_t)(one < other ? other : one);
}

static void make_classical(struct rules_state *state, int mark, int square)
{
	state->classical[square] = (uint8_t)mark;
	make_spooky(state, mark, square, square);
}

/* Measurement. */

/* Suppose that a spooky mark is in one of its squares, and follow what that forces: every other
 * mark in a square so taken must be in its other one. The list is its own queue: breadth first. */
static void force(const struct rules_state *state, int mark, int square, struct rules_measured *ret)
{
	unsigned settled = 1U << mark;

	*ret = (struct rules_measured){
			.count = 1, .mark = {(uint8_t)mark}, .square = {(uint8_t)square}};
	for (int i = 0; i < ret->count; i++) {
		for (int next = 1; next <= MARKS; next++) {
			int escape = other_end(state, next, ret->square[i]);

			if (escape != 0 && (settled & 1U << next) == 0) {
				settled |= 1U << next;
				ret->mark[ret->count] = (uint8_t)next;
				ret->square[ret->count] = (uint8_t)escape;
				ret->count++;
			}
		}
	}
}

/* The square that a measurement sends a mark to; 0 if it does not touch it. */
static int destination(const struct rules_measured *measured, int mark)
{
	for (int i = 0; i < measured->count; i++) {
		if (measured->mark[i] == mark) {
			return measured->square[i];
		}
	}
	return 0;
}

/* A mark closes a cycle exactly if its being in one of its squares drives another mark around into
 * its other. Marks that only share a square drive each other outwards and never meet. */
static bool closes_cycle(const struct rules_state *state, int mark)
{
	struct rules_measured forced;

	force(state, mark, state->ends[mark][0], &forced);
	for (int i = 0; i < forced.count; i++) {
		if (forced.square[i] == state->ends[mark][1]) {
			return true;
		}
	}
	return false;
}

static void both_outcomes(const struct rules_state *state, struct rules_measured ret_outcomes[2])
{
	for (int i = 0; i < 2; i++) {
		force(state, state->moves, state->ends[state->moves][i], &ret_outcomes[i]);
	}
}

int rules_choices(const struct rules_state *state, uint8_t ret_choices[2])
{
	if (state->phase != RULES_COLLAPSE) {
		return 0;
	}
	ret_choices[0] = state->ends[state->moves][0];
	ret_choices[1] = state->ends[state->moves][1];
	return state->moves;
}

void rules_outcome(const struct rules_state *state, int square, struct rules_measured *ret)
{
	*ret = (struct rules_measured){0};
	if (state->phase == RULES_COLLAPSE && other_end(state, state->moves, square) != 0) {
		force(state, state->moves, square, ret);
	}
}

/* On the cycle are the marks that the two outcomes send to different squares; what hangs on it goes
 * the same way in both. In either outcome the cycle's marks fill just the cycle's squares. */
int rules_cycle(const struct rules_state *state, uint8_t ret_squares[9])
{
	struct rules_measured outcomes[2];
	bool on_cycle[SQUARES + 1] = {false};
	int count = 0;

	if (state->phase != RULES_COLLAPSE) {
		return 0;
	}
	both_outcomes(state, outcomes);
	for (int i = 0; i < outcomes[0].count; i++) {
		int square = outcomes[0].square[i];

		on_cycle[square] = destination(&outcomes[1], outcomes[0].mark[i]) != square;
	}
	for (int square = 1; square <= SQUARES; square++) {
		if (on_cycle[square]) {
			ret_squares[count++] = (uint8_t)square;
		}
	}
	return count;
}

int rules_closing_square(const struct rules_state *state, const struct rules_action *action)
{
	struct rules_measured outcomes[2];
	uint8_t choices[2];
	int closing = rules_choices(state, choices);
	int mark = action->mark == 0 ? closing : action->mark;
	int to[2];

	if (closing == 0 || action->kind != RULES_MEASURE) {
		return 0;
	}
	both_outcomes(state, outcomes);
	to[0] = destination(&outcomes[0], mark);
	to[1] = destination(&outcomes[1], mark);
	if (to[0] == to[1]) {
		return 0; /* not on the cycle, see rules_cycle */
	}
	if (action->squares[0] == to[0]) {
		return choices[0];
	}
	return action->squares[0] == to[1] ? choices[1] : 0;
}

/* Lines and score. */

/* The player whose classical marks fill a line, or nobody. */
static enum rules_player line_owner(const struct rules_state *state, const uint8_t squares[3])
{
	enum rules_player owner = rules_owner(state->classical[squares[0]]);

	for (int i = 1; i < 3; i++) {
		if (rules_owner(state->classical[squares[i]]) != owner) {
			return RULES_NOBODY;
		}
	}
	return owner;
}

static struct rules_line describe_line(const struct rules_state *state, const uint8_t squares[3])
{
	struct rules_line line = {.player = line_owner(state, squares)};

	for (int i = 0; i < 3; i++) {
		uint8_t mark = state->classical[squares[i]];

		line.squares[i] = squares[i];
		line.time = mark > line.time ? mark : line.time;
	}
	return line;
}

/* There are never more than two: a third would need a sixth mark of X's, or one that is O's too. */
int rules_lines(const struct rules_state *state, struct rules_line ret_lines[RULES_LINES_MAX])
{
	int count = 0;

	for (int i = 0; i < 8; i++) {
		struct rules_line line;

		if (line_owner(state, all_lines[i]) == RULES_NOBODY) {
			continue;
		}
		line = describe_line(state, all_lines[i]);
		assert(count < RULES_LINES_MAX);
		if (count == 1 && line.time < ret_lines[0].time) {
			ret_lines[1] = ret_lines[0];
			ret_lines[0] = line;
		} else {
			ret_lines[count] = line;
		}
		count++;
	}
	return count;
}

void rules_score(const struct rules_state *state, int *ret_half_points_x, int *ret_half_points_o)
{
	struct rules_line lines[RULES_LINES_MAX];
	int count = rules_lines(state, lines);

	*ret_half_points_x = 0;
	*ret_half_points_o = 0;
	for (int i = 0; i < count; i++) {
		int *half_points =
				lines[i].player == RULES_X ? ret_half_points_x : ret_half_points_o;

		*half_points += lines[i].time == lines[0].time ? 2 : 1;
	}
}

/* Turn and phase. */

void rules_start(struct rules_state *ret_state)
{
	*ret_state = (struct rules_state){.phase = RULES_MOVE};
}

enum rules_phase rules_phase(const struct rules_state *state)
{
	return (enum rules_phase)state->phase;
}

enum rules_player rules_owner(int mark)
{
	if (mark < 1 || mark > MARKS) {
		return RULES_NOBODY;
	}
	return mark % 2 == 1 ? RULES_X : RULES_O;
}

/* It is always the turn of who did not make the last move: he chooses if it closed a cycle, and as
 * choosing is part of his turn, he also makes the next move. */
enum rules_player rules_turn(const struct rules_state *state)
{
	if (state->phase == RULES_OVER) {
		return RULES_NOBODY;
	}
	return rules_owner(state->moves) == RULES_X ? RULES_O : RULES_X;
}

int rules_open_squares(const struct rules_state *state)
{
	int count = 0;

	for (int square = 1; square <= SQUARES; square++) {
		count += is_open(state, square);
	}
	return count;
}

/* Actions. */

static enum rules_refusal check_place(
		const struct rules_state *state, const struct rules_action *action)
{
	int one = action->squares[0];
	int other = action->squares[1];

	if (!is_square(one) || !is_square(other)) {
		return RULES_BAD_SQUARE;
	}
	if (one == other && rules_open_squares(state) > 1) {
		return RULES_SAME_SQUARE;
	}
	if (!is_open(state, one) || !is_open(state, other)) {
		return RULES_SQUARE_TAKEN;
	}
	return RULES_FINE;
}

static enum rules_refusal check_measure(
		const struct rules_state *state, const struct rules_action *action)
{
	if (!is_square(action->squares[0])) {
		return RULES_BAD_SQUARE;
	}
	return rules_closing_square(state, action) == 0 ? RULES_NOT_A_CHOICE : RULES_FINE;
}

enum rules_refusal rules_check(const struct rules_state *state, enum rules_player player,
		const struct rules_action *action)
{
	if (state->phase == RULES_OVER) {
		return RULES_GAME_OVER;
	}
	if (player != rules_turn(state)) {
		return RULES_NOT_YOUR_TURN;
	}
	if (state->phase == RULES_COLLAPSE) {
		return action->kind == RULES_MEASURE ? check_measure(state, action)
						     : RULES_COLLAPSE_FIRST;
	}
	return action->kind == RULES_PLACE ? check_place(state, action) : RULES_NOTHING_TO_COLLAPSE;
}

/* Lines are judged first; only they, and a full board, end the game. */
static void judge(struct rules_state *state)
{
	struct rules_line lines[RULES_LINES_MAX];
	bool over = rules_lines(state, lines) > 0 || rules_open_squares(state) == 0;

	state->phase = over ? RULES_OVER : RULES_MOVE;
}

static void place(struct rules_state *state, int one, int other)
{
	int mark = ++state->moves;

	if (one == other) {
		make_classical(state, mark, one);
		judge(state);
		return;
	}
	make_spooky(state, mark, one, other);
	if (closes_cycle(state, mark)) {
		state->phase = RULES_COLLAPSE;
	}
}

static void measure(struct rules_state *state, int closing_square)
{
	struct rules_measured measured;

	rules_outcome(state, closing_square, &measured);
	for (int i = 0; i < measured.count; i++) {
		make_classical(state, measured.mark[i], measured.square[i]);
	}
	judge(state);
}

enum rules_refusal rules_apply(struct rules_state *state, enum rules_player player,
		const struct rules_action *action)
{
	enum rules_refusal refusal = rules_check(state, player, action);

	if (refusal != RULES_FINE) {
		return refusal;
	}
	if (action->kind == RULES_PLACE) {
		place(state, action->squares[0], action->squares[1]);
	} else {
		measure(state, rules_closing_square(state, action));
	}
	return RULES_FINE;
}

static int legal_places(
		const struct rules_state *state, struct rules_action ret_actions[RULES_ACTIONS_MAX])
{
	bool last = rules_open_squares(state) == 1;
	int count = 0;

	for (int one = 1; one <= SQUARES; one++) {
		for (int other = last ? one : one + 1; other <= SQUARES; other++) {
			if (is_open(state, one) && is_open(state, other)) {
				ret_actions[count++] = (struct rules_action){
						.kind = RULES_PLACE, .squares = {one, other}};
			}
		}
	}
	return count;
}

int rules_legal(const struct rules_state *state, struct rules_action ret_actions[RULES_ACTIONS_MAX])
{
	uint8_t choices[2];

	if (state->phase == RULES_OVER) {
		return 0;
	}
	if (rules_choices(state, choices) == 0) {
		return legal_places(state, ret_actions);
	}
	for (int i = 0; i < 2; i++) {
		ret_actions[i] = (struct rules_action){.kind = RULES_MEASURE,
				.mark = state->moves,
				.squares = {choices[i]}};
	}
	return 2;
}

const char *rules_refusal_word(enum rules_refusal refusal)
{
	return refusal_words[refusal];
}
