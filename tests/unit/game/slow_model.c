#include "tests/unit/game/slow_model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Marks. */

static bool is_in(const struct slow_mark *mark, int square)
{
	return mark->squares[0] == square || mark->squares[1] == square;
}

static int number_of(const char *name)
{
	return name[1] - '0';
}

static const struct slow_mark *classical_in(const struct slow_game *game, int square)
{
	for (int i = 0; i < game->count; i++) {
		if (game->marks[i].home == square) {
			return &game->marks[i];
		}
	}
	return NULL;
}

static int classical_count(const struct slow_game *game)
{
	int count = 0;

	for (int square = 1; square <= 9; square++) {
		count += classical_in(game, square) != NULL;
	}
	return count;
}

/* Cycles: walk every path there is. */

struct walk {
	const struct slow_game *game;
	int from;
	bool used[9]; /* by index of the mark */
	int length;
};

/* Go on from `here` by every spooky mark not used yet, until one leads home.
 * NOLINTNEXTLINE(misc-no-recursion): nine deep at most, and the plainest way to try every path. */
static bool walk_on(struct walk *walk, int here)
{
	if (walk->length > 0 && here == walk->from) {
		return true;
	}
	for (int i = 0; i < walk->game->count; i++) {
		const struct slow_mark *mark = &walk->game->marks[i];
		int there = mark->squares[0] == here ? mark->squares[1] : mark->squares[0];

		if (mark->home != 0 || walk->used[i] || !is_in(mark, here)) {
			continue;
		}
		walk->used[i] = true;
		walk->length++;
		if (walk_on(walk, there)) {
			return true;
		}
		walk->used[i] = false;
		walk->length--;
	}
	return false;
}

/* A square is on the cycle if one can walk from it to itself without using a mark twice. Steps that
 * led nowhere were taken back, so the marks used are those of the cycle. */
static bool find_cycle_through(const struct slow_game *game, int square, struct walk *ret_walk)
{
	*ret_walk = (struct walk){.game = game, .from = square};
	return walk_on(ret_walk, square);
}

static void look_for_cycle(const struct slow_game *game, struct slow_view *view)
{
	struct walk walk;
	struct walk found = {0};

	for (int square = 1; square <= 9; square++) {
		if (find_cycle_through(game, square, &walk)) {
			view->cycle_squares[view->cycle_count++] = square;
			found = walk;
		}
	}
	for (int i = 0, n = 0; i < game->count; i++) {
		if (found.used[i]) {
			view->cycle_marks[n++] = game->marks[i].name;
		}
	}
}

/* Outcomes: try every assignment. */

/* Which marks are entangled with the last one: its neighbours, their neighbours, and so on. */
static void find_entanglement(const struct slow_game *game, bool ret_member[9])
{
	memset(ret_member, 0, 9 * sizeof(*ret_member));
	ret_member[game->count - 1] = true;
	for (int round = 1; round < game->count; round++) {
		for (int i = 0; i < game->count; i++) {
			for (int j = 0; j < game->count; j++) {
				const struct slow_mark *one = &game->marks[i];
				const struct slow_mark *other = &game->marks[j];

				if (ret_member[i] && other->home == 0 &&
						(is_in(one, other->squares[0]) ||
								is_in(one, other->squares[1]))) {
					ret_member[j] = true;
				}
			}
		}
	}
}

/* Bit i of `assignment` tells which of its squares member i goes to; does each sit alone? */
static bool all_alone(const struct slow_game *game, const bool member[9], unsigned assignment)
{
	int guests[10] = {0};

	for (int i = 0; i < game->count; i++) {
		if (member[i] && ++guests[game->marks[i].squares[assignment >> i & 1]] > 1) {
			return false;
		}
	}
	return true;
}

/* The square that a mark lands in; 0 if it is not touched. */
static int landing_of(const struct slow_outcome *outcome, const char *name)
{
	for (int i = 0; i < outcome->count; i++) {
		if (strcmp(outcome->landings[i].name, name) == 0) {
			return outcome->landings[i].square;
		}
	}
	return 0;
}

static void land(struct slow_outcome *outcome, const struct slow_game *game, int i,
		unsigned assignment)
{
	outcome->landings[outcome->count].name = game->marks[i].name;
	outcome->landings[outcome->count].square = game->marks[i].squares[assignment >> i & 1];
	outcome->count++;
}

/* Tell an assignment in the order of forcing: the last mark takes its square, and whoever was in a
 * square that was taken leaves it for his own. */
static void tell_outcome(
		const struct slow_game *game, unsigned assignment, struct slow_outcome *ret_outcome)
{
	assert(game->count > 0);
	ret_outcome->count = 0;
	land(ret_outcome, game, game->count - 1, assignment);
	for (int told = 0; told < ret_outcome->count; told++) {
		int taken = ret_outcome->landings[told].square;

		for (int i = 0; i < game->count; i++) {
			const struct slow_mark *mark = &game->marks[i];

			if (mark->home == 0 && is_in(mark, taken) &&
					landing_of(ret_outcome, mark->name) == 0) {
				land(ret_outcome, game, i, assignment);
			}
		}
	}
}

static void look_for_outcomes(const struct slow_game *game, struct slow_view *view)
{
	const struct slow_mark *last = &game->marks[game->count - 1];
	bool member[9];
	unsigned idle = 0; /* bits of marks that are not concerned */
	int found = 0;

	view->choices[0] =
			last->squares[0] < last->squares[1] ? last->squares[0] : last->squares[1];
	view->choices[1] = last->squares[0] + last->squares[1] - view->choices[0];
	find_entanglement(game, member);
	for (int i = 0; i < game->count; i++) {
		idle |= member[i] ? 0U : 1U << i;
	}
	for (unsigned assignment = 0; assignment < 1U << game->count; assignment++) {
		struct slow_outcome outcome;

		if ((assignment & idle) != 0 || !all_alone(game, member, assignment)) {
			continue;
		}
		tell_outcome(game, assignment, &outcome);
		view->outcomes[outcome.landings[0].square == view->choices[1]] = outcome;
		found++;
	}
	assert(found == 2);
}

/* Rows: try every three squares. */

/* Squares as points of a grid: three are in a row if they span no area. */
static bool in_a_row(int a, int b, int c)
{
	int ax = (a - 1) % 3, ay = (a - 1) / 3;
	int bx = (b - 1) % 3, by = (b - 1) / 3;
	int cx = (c - 1) % 3, cy = (c - 1) / 3;

	return (bx - ax) * (cy - ay) == (cx - ax) * (by - ay);
}

static void look_at_three(struct slow_view *view, int a, int b, int c)
{
	const char *names[3] = {view->classical[a], view->classical[b], view->classical[c]};
	struct slow_row *row = &view->rows[view->row_count];
	int time = 0;

	if (!in_a_row(a, b, c)) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		if (names[i] == NULL || names[i][0] != names[0][0]) {
			return;
		}
		time = number_of(names[i]) > time ? number_of(names[i]) : time;
	}
	*row = (struct slow_row){.letter = names[0][0], .time = time, .squares = {a, b, c}};
	view->row_count++;
}

static int compare_rows(const void *left, const void *right)
{
	const struct slow_row *one = left;
	const struct slow_row *other = right;

	if (one->time != other->time) {
		return one->time - other->time;
	}
	for (int i = 0; i < 3; i++) {
		if (one->squares[i] != other->squares[i]) {
			return one->squares[i] - other->squares[i];
		}
	}
	return 0;
}

static void look_for_rows(struct slow_view *view)
{
	for (int a = 1; a <= 9; a++) {
		for (int b = a + 1; b <= 9; b++) {
			for (int c = b + 1; c <= 9; c++) {
				look_at_three(view, a, b, c);
			}
		}
	}
	qsort(view->rows, (size_t)view->row_count, sizeof(view->rows[0]), compare_rows);
}

/* The first row is worth a point, and so is another of its time; a later one half a point. */
static void count_points(struct slow_view *view)
{
	for (int i = 0; i < view->row_count; i++) {
		int worth = view->rows[i].time > view->rows[0].time ? 1 : 2;

		if (view->rows[i].letter == 'X') {
			view->half_points_x += worth;
		} else {
			view->half_points_o += worth;
		}
	}
}

/* Looking. */

static void look_at_squares(const struct slow_game *game, struct slow_view *view)
{
	for (int square = 1; square <= 9; square++) {
		const struct slow_mark *classical = classical_in(game, square);

		view->classical[square] = classical == NULL ? NULL : classical->name;
		for (int i = 0; i < game->count; i++) {
			const struct slow_mark *mark = &game->marks[i];

			if (mark->home == 0 && is_in(mark, square)) {
				view->spooky[square][view->spooky_count[square]++] = mark->name;
			}
		}
	}
}

static char next_player(const struct slow_game *game)
{
	if (game->count == 0) {
		return 'X';
	}
	return game->marks[game->count - 1].name[0] == 'X' ? 'O' : 'X';
}

static void look_at_phase(const struct slow_game *game, struct slow_view *view)
{
	if (view->row_count > 0 || classical_count(game) == 9) {
		view->phase = SLOW_OVER;
		view->turn = '-';
		view->move = game->count;
	} else if (view->cycle_count > 0) {
		view->phase = SLOW_COLLAPSE;
		view->turn = next_player(game);
		view->move = game->count;
	} else {
		view->phase = SLOW_MOVE;
		view->turn = next_player(game);
		view->move = game->count + 1;
	}
}

/* May both marks of the next move be put there? */
static bool is_free_pair(const struct slow_game *game, int one, int other)
{
	if (one < 1 || one > 9 || other < 1 || other > 9) {
		return false;
	}
	if (classical_in(game, one) != NULL || classical_in(game, other) != NULL) {
		return false;
	}
	return one != other || classical_count(game) == 8;
}

static void add_legal(struct slow_view *view, int one, int other)
{
	view->legal[view->legal_count][0] = one;
	view->legal[view->legal_count][1] = other;
	view->legal_count++;
}

static void look_for_legal(const struct slow_game *game, struct slow_view *view)
{
	if (view->phase == SLOW_COLLAPSE) {
		add_legal(view, view->choices[0], view->choices[0]);
		add_legal(view, view->choices[1], view->choices[1]);
	}
	if (view->phase != SLOW_MOVE) {
		return;
	}
	for (int one = 1; one <= 9; one++) {
		for (int other = one; other <= 9; other++) {
			if (is_free_pair(game, one, other)) {
				add_legal(view, one, other);
			}
		}
	}
}

void slow_start(struct slow_game *ret_game)
{
	memset(ret_game, 0, sizeof(*ret_game));
}

void slow_look(const struct slow_game *game, struct slow_view *ret_view)
{
	memset(ret_view, 0, sizeof(*ret_view));
	look_at_squares(game, ret_view);
	look_for_rows(ret_view);
	count_points(ret_view);
	look_for_cycle(game, ret_view);
	look_at_phase(game, ret_view);
	if (ret_view->phase == SLOW_COLLAPSE) {
		look_for_outcomes(game, ret_view);
	}
	look_for_legal(game, ret_view);
}

/* Doing. */

bool slow_place(struct slow_game *game, char player, int one, int other)
{
	struct slow_view view;
	struct slow_mark *mark;

	slow_look(game, &view);
	if (view.phase != SLOW_MOVE || player != view.turn || !is_free_pair(game, one, other)) {
		return false;
	}
	mark = &game->marks[game->count++];
	mark->name[0] = player;
	mark->name[1] = (char)('0' + game->count);
	mark->squares[0] = one;
	mark->squares[1] = other;
	mark->home = one == other ? one : 0;
	return true;
}

static void bring_home(struct slow_game *game, const struct slow_outcome *outcome)
{
	for (int i = 0; i < game->count; i++) {
		int square = landing_of(outcome, game->marks[i].name);

		if (square != 0) {
			game->marks[i].home = square;
		}
	}
}

static bool is_on_cycle(const struct slow_view *view, const char *name)
{
	for (int i = 0; i < view->cycle_count; i++) {
		if (strcmp(view->cycle_marks[i], name) == 0) {
			return true;
		}
	}
	return false;
}

bool slow_measure(struct slow_game *game, char player, const char *name, int square)
{
	struct slow_view view;

	slow_look(game, &view);
	if (view.phase != SLOW_COLLAPSE || player != view.turn) {
		return false;
	}
	if (name == NULL) {
		name = game->marks[game->count - 1].name;
	}
	if (!is_on_cycle(&view, name)) {
		return false;
	}
	for (int choice = 0; choice < 2; choice++) {
		if (landing_of(&view.outcomes[choice], name) == square) {
			bring_home(game, &view.outcomes[choice]);
			return true;
		}
	}
	return false;
}
