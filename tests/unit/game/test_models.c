/* rules.c against the slow model: random games, compared in everything after each action. */
#include <string.h>

#include "server/game/rules.h"
#include "tests/unit/game/cmocka_all.h"
#include "tests/unit/game/random.h"
#include "tests/unit/game/slow_model.h"

static char letter_of(enum rules_player player)
{
	return "-XO"[player];
}

static bool is_named(const char *name, int mark)
{
	char expected[3] = {letter_of(rules_owner(mark)), (char)('0' + mark)};

	return name != NULL && strcmp(name, expected) == 0;
}

static void same_turn(const struct rules_state *state, const struct slow_view *view)
{
	static const enum slow_phase phases[] = {SLOW_MOVE, SLOW_COLLAPSE, SLOW_OVER};

	SAME(phases[rules_phase(state)], view->phase);
	SAME(letter_of(rules_turn(state)), view->turn);
	SAME(state->moves + (rules_phase(state) == RULES_MOVE), view->move);
}

static void same_squares(const struct rules_state *state, const struct slow_view *view)
{
	for (int square = 1; square <= 9; square++) {
		int classical = state->classical[square];
		int spooky = 0;

		SAME(classical != 0, view->classical[square] != NULL);
		SAME(classical == 0 || is_named(view->classical[square], classical), true);
		for (int mark = 1; classical == 0 && mark <= state->moves; mark++) {
			if (state->ends[mark][0] == square || state->ends[mark][1] == square) {
				SAME(is_named(view->spooky[square][spooky++], mark), true);
			}
		}
		SAME(spooky, view->spooky_count[square]);
	}
}

static void same_outcome(const struct rules_measured *measured, const struct slow_outcome *outcome)
{
	SAME(measured->count, outcome->count);
	for (int i = 0; i < outcome->count; i++) {
		SAME(is_named(outcome->landings[i].name, measured->mark[i]), true);
		SAME(measured->square[i], outcome->landings[i].square);
	}
}

static void same_collapse(const struct rules_state *state, const struct slow_view *view)
{
	uint8_t choices[2] = {0};
	uint8_t cycle[9] = {0};
	bool due = view->phase == SLOW_COLLAPSE;

	SAME(rules_choices(state, choices), due ? view->move : 0);
	for (int i = 0; i < 2; i++) {
		struct rules_measured measured;

		SAME(choices[i], view->choices[i]);
		rules_outcome(state, view->choices[i], &measured);
		same_outcome(&measured, &view->outcomes[i]);
	}
	SAME(rules_cycle(state, cycle), view->cycle_count);
	for (int i = 0; i < 9; i++) {
		SAME(cycle[i], view->cycle_squares[i]);
	}
}

static void same_rows(const struct rules_state *state, const struct slow_view *view)
{
	struct rules_line lines[RULES_LINES_MAX];
	int half_points_x;
	int half_points_o;

	SAME(rules_lines(state, lines), view->row_count);
	for (int i = 0; i < view->row_count; i++) {
		SAME(letter_of(lines[i].player), view->rows[i].letter);
		SAME(lines[i].time, view->rows[i].time);
		for (int j = 0; j < 3; j++) {
			SAME(lines[i].squares[j], view->rows[i].squares[j]);
		}
	}
	rules_score(state, &half_points_x, &half_points_o);
	SAME(half_points_x, view->half_points_x);
	SAME(half_points_o, view->half_points_o);
}

static void same_legal(const struct rules_state *state, const struct slow_view *view)
{
	struct rules_action actions[RULES_ACTIONS_MAX];
	bool due = view->phase == SLOW_COLLAPSE;

	SAME(rules_legal(state, actions), view->legal_count);
	for (int i = 0; i < view->legal_count; i++) {
		SAME(actions[i].kind, due ? RULES_MEASURE : RULES_PLACE);
		SAME(actions[i].mark, due ? view->move : 0);
		SAME(actions[i].squares[0], view->legal[i][0]);
		SAME(due ? actions[i].squares[0] : actions[i].squares[1], view->legal[i][1]);
	}
}

static void same_in_everything(const struct rules_state *state, const struct slow_view *view)
{
	same_turn(state, view);
	same_squares(state, view);
	same_collapse(state, view);
	same_rows(state, view);
	same_legal(state, view);
}

/* The slow model's word for an action; a mark that can't be has a name that can't be. */
static bool slow_apply(
		struct slow_game *game, enum rules_player player, const struct rules_action *action)
{
	char letter = letter_of(player);
	char name[3] = "??";

	if (action->kind == RULES_PLACE) {
		return slow_place(game, letter, action->squares[0], action->squares[1]);
	}
	if (action->mark >= 1 && action->mark <= 9) {
		name[0] = letter_of(rules_owner(action->mark));
		name[1] = (char)('0' + action->mark);
	}
	return slow_measure(game, letter, action->mark == 0 ? NULL : name, action->squares[0]);
}

/* An action that may be anything, though near enough to what is legal to be so at times. */
static struct rules_action any_action(uint64_t *random)
{
	return (struct rules_action){
			.kind = random_below(random, 2) == 0 ? RULES_PLACE : RULES_MEASURE,
			.mark = random_below(random, 12) - 1,
			.squares = {random_below(random, 12) - 1, random_below(random, 12) - 1},
	};
}

/* Both models do it, or both refuse it and are as they were. */
static bool both_apply(struct rules_state *state, struct slow_game *game, enum rules_player player,
		const struct rules_action *action)
{
	struct rules_state before = *state;
	bool done = rules_apply(state, player, action) == RULES_FINE;

	SAME(slow_apply(game, player, action), done);
	SAME(done || memcmp(&before, state, sizeof(before)) == 0, true);
	return done;
}

/* One game of legal actions, with tries at any at all in between; returns how many were refused. */
static uint64_t play_and_compare(uint64_t *random)
{
	struct rules_action actions[RULES_ACTIONS_MAX];
	struct rules_state state;
	struct slow_game game;
	struct slow_view view;
	uint64_t refused = 0;
	int count;

	rules_start(&state);
	slow_start(&game);
	slow_look(&game, &view);
	same_in_everything(&state, &view);
	while ((count = rules_legal(&state, actions)) > 0) {
		struct rules_action action = any_action(random);
		enum rules_player player = (enum rules_player)random_below(random, 3);

		if (!both_apply(&state, &game, player, &action)) {
			refused++;
			action = actions[random_below(random, count)];
			SAME(both_apply(&state, &game, rules_turn(&state), &action), true);
		}
		slow_look(&game, &view);
		same_in_everything(&state, &view);
	}
	for (int i = 0; i < 3; i++) {
		struct rules_action action = any_action(random);

		SAME(both_apply(&state, &game, (enum rules_player)i, &action), false);
	}
	return refused;
}

static void two_models_of_the_rules_agree_in_random_games(void **unused)
{
	uint64_t games = number_from_environment("QTTT_GAMES", 100000);
	uint64_t random = random_seed();
	uint64_t refused = 0;

	(void)unused;
	for (uint64_t i = 0; i < games; i++) {
		refused += play_and_compare(&random);
	}
	printf("# %" PRIu64 " games, %" PRIu64 " actions refused by both\n", games, refused);
	assert_true(games > 0 && refused > games);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(two_models_of_the_rules_agree_in_random_games),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
