/* What perfect play costs, and how bots fare. Prints a table; asserts only what must hold anyway.
 *
 *     meson test -C build --benchmark solver --verbose
 *     QTTT_POSITIONS=1000 QTTT_BOT_GAMES=100 build/tests/bench/bench_solver
 *     build/tests/bench/bench_solver games      (or questions: one chapter alone)
 *
 * Times are the processor's, of this thread; on a busy machine even they are longer than on a
 * quiet one, so the load is printed too. "Cold" is a new solver for each question, "warm" a copy
 * (a forked process) of one that has found what is named. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/solver/solver.h"
#include "tests/unit/solver/positions.h"
#include "tests/unit/solver/proof.h"

enum { EARLY_MOST = 1400, RUNS = 5 };

/* What a question cost, of many. */
struct costs {
	int count;
	double *ms;
	uint64_t nodes_most;
};

static void must(bool done)
{
	if (!done) {
		abort();
	}
}

static double thread_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void print_load(const char *when)
{
	double load[3] = {0};

	getloadavg(load, 3);
	printf("%s: load %.2f %.2f %.2f\n", when, load[0], load[1], load[2]);
	fflush(stdout);
}

static void costs_init(struct costs *ret_costs, int most)
{
	*ret_costs = (struct costs){.ms = calloc((size_t)most + 1, sizeof(double))};
	must(ret_costs->ms != NULL);
}

static int compare_ms(const void *left, const void *right)
{
	double one = *(const double *)left;
	double other = *(const double *)right;

	return (one > other) - (one < other);
}

static void costs_print(struct costs *costs, const char *what)
{
	const double *ms = costs->ms;
	int count = costs->count;

	qsort(costs->ms, (size_t)count, sizeof(*ms), compare_ms);
	printf("%-44s %6d %9.3f %9.3f %9.3f", what, count, ms[count / 2], ms[count * 99 / 100],
			ms[count - 1]);
	if (costs->nodes_most > 0) {
		printf(" %9" PRIu64, costs->nodes_most);
	}
	printf("\n");
	fflush(stdout);
	free(costs->ms);
}

static void print_heading(void)
{
	printf("%-44s %6s %9s %9s %9s %9s\n", "ms", "count", "median", "p99", "worst",
			"nodes most");
}

/* Questions. */

typedef void (*question_function)(struct solver *solver, const struct rules_state *state);

static void ask_value(struct solver *solver, const struct rules_state *state)
{
	int value;

	solver_value(solver, state, NULL, &value);
}

static void ask_each(struct solver *solver, const struct rules_state *state)
{
	struct solver_each each;

	solver_each(solver, state, NULL, &each);
}

static void ask_perfect(struct solver *solver, const struct rules_state *state)
{
	struct solver_bot bot = {.level = SOLVER_PERFECT};
	struct rules_action action;

	solver_choose(solver, state, &bot, NULL, &action);
}

static void ask_good(struct solver *solver, const struct rules_state *state)
{
	struct solver_bot bot = {.level = SOLVER_GOOD, .random = UINT64_MAX};
	struct rules_action action;

	solver_choose(solver, state, &bot, NULL, &action);
}

static double time_question(
		question_function ask, struct solver *solver, const struct rules_state *state)
{
	double since = thread_ms();

	ask(solver, state);
	return thread_ms() - since;
}

/* A new solver's making and its end are part of the question. */
static void ask_cold(question_function ask, const struct rules_state *state, struct costs *costs)
{
	double since = thread_ms();
	struct solver *solver = solver_new(SOLVER_TABLE_BYTES);
	uint64_t nodes;

	ask(solver, state);
	nodes = solver_nodes(solver);
	solver_free(solver);
	costs->ms[costs->count++] = thread_ms() - since;
	costs->nodes_most = nodes > costs->nodes_most ? nodes : costs->nodes_most;
}

/* In a copy of the process, so that the next question finds the solver as this one did. */
static void ask_copy(question_function ask, struct solver *solver, const struct rules_state *state,
		struct costs *costs)
{
	int ends[2];
	double ms = 0;
	pid_t child;

	must(pipe(ends) == 0);
	child = fork();
	must(child >= 0);
	if (child == 0) {
		ms = time_question(ask, solver, state);
		_exit(write(ends[1], &ms, sizeof(ms)) == (ssize_t)sizeof(ms) ? 0 : 1);
	}
	close(ends[1]);
	must(read(ends[0], &ms, sizeof(ms)) == (ssize_t)sizeof(ms));
	close(ends[0]);
	waitpid(child, NULL, 0);
	costs->ms[costs->count++] = ms;
}

static void all_cold(const char *what, question_function ask, const struct rules_state *states,
		int count)
{
	struct costs costs;

	costs_init(&costs, count);
	for (int i = 0; i < count; i++) {
		ask_cold(ask, &states[i], &costs);
	}
	costs_print(&costs, what);
}

static void all_copies(const char *what, question_function ask, struct solver *solver,
		const struct rules_state *states, int count)
{
	struct costs costs;

	costs_init(&costs, count);
	for (int i = 0; i < count; i++) {
		ask_copy(ask, solver, &states[i], &costs);
	}
	costs_print(&costs, what);
}

static void all_in_a_row(const char *what, question_function ask, struct solver *solver,
		const struct rules_state *states, int count)
{
	struct costs costs;

	costs_init(&costs, count);
	for (int i = 0; i < count; i++) {
		costs.ms[costs.count++] = time_question(ask, solver, &states[i]);
	}
	costs_print(&costs, what);
}

/* Positions. */

/* One of the openings that are alike but for a symmetry of the board. */
static bool is_first_of_its_kind(const struct rules_action *opening)
{
	static const int kinds[8][2] = {
			{1, 2}, {1, 3}, {1, 5}, {1, 6}, {1, 9}, {2, 4}, {2, 5}, {2, 8}};

	for (int i = 0; i < 8; i++) {
		if (memcmp(opening->squares, kinds[i], sizeof(kinds[i])) == 0) {
			return true;
		}
	}
	return false;
}

/* All positions after so many moves, 0 to 2, but for what an opening's likes would add. Returns how
 * many. */
static int list_early(int moves, struct rules_state ret_states[EARLY_MOST])
{
	struct rules_action legal[RULES_ACTIONS_MAX];
	int count = 1;

	rules_start(&ret_states[0]);
	for (int move = 0; move < moves; move++) {
		struct rules_state before[EARLY_MOST / RULES_ACTIONS_MAX];
		int before_count = count;

		memcpy(before, ret_states, (size_t)before_count * sizeof(*before));
		count = 0;
		for (int i = 0; i < before_count; i++) {
			int actions = rules_legal(&before[i], legal);

			for (int j = 0; j < actions; j++) {
				if (move == 0 && !is_first_of_its_kind(&legal[j])) {
					continue;
				}
				ret_states[count] = before[i];
				position_do(&ret_states[count++], &legal[j]);
			}
		}
	}
	return count;
}

static struct rules_state *list_random(int count)
{
	struct rules_state *states = calloc((size_t)count, sizeof(*states));
	uint64_t random = random_seed();

	must(states != NULL);
	for (int i = 0; i < count;) {
		position_random(&random, 3 + random_below(&random, 9), &states[i]);
		i += rules_phase(&states[i]) != RULES_OVER;
	}
	return states;
}

/* Chapters. */

static void bench_start(void)
{
	struct rules_state start;
	struct costs costs;

	rules_start(&start);
	costs_init(&costs, RUNS);
	for (int i = 0; i < RUNS; i++) {
		ask_cold(ask_value, &start, &costs);
	}
	costs_print(&costs, "start, value, cold");
}

static void bench_early(void)
{
	static struct rules_state states[EARLY_MOST];
	char what[64];

	for (int moves = 0; moves <= 2; moves++) {
		int count = list_early(moves, states);

		snprintf(what, sizeof(what), "after %d moves, value, cold", moves);
		all_cold(what, ask_value, states, count);
		snprintf(what, sizeof(what), "after %d moves, each, cold", moves);
		all_cold(what, ask_each, states, count);
	}
}

static void bench_warm(
		const char *how, struct solver *solver, const struct rules_state *states, int count)
{
	static struct rules_state early[EARLY_MOST];
	char what[64];

	snprintf(what, sizeof(what), "after 2 moves, each, %s", how);
	all_copies(what, ask_each, solver, early, list_early(2, early));
	snprintf(what, sizeof(what), "random later, each, %s", how);
	all_copies(what, ask_each, solver, states, count);
	snprintf(what, sizeof(what), "random later, perfect bot, %s", how);
	all_copies(what, ask_perfect, solver, states, count);
}

static void bench_questions(int count)
{
	struct solver *solver = solver_new(SOLVER_TABLE_BYTES);
	struct rules_state *states = list_random(count);
	struct rules_state start;
	double since;

	print_heading();
	bench_start();
	bench_early();
	all_cold("random later, value, cold", ask_value, states, count);
	all_cold("random later, each, cold", ask_each, states, count);
	rules_start(&start);
	ask_value(solver, &start);
	bench_warm("start known", solver, states, count);
	since = thread_ms();
	solver_warm(solver, NULL);
	printf("(solver_warm after that: %.0f ms)\n", thread_ms() - since);
	bench_warm("solver_warm", solver, states, count);
	all_in_a_row("random later, each, one after the other", ask_each, solver, states, count);
	all_in_a_row("random later, good bot", ask_good, NULL, states, count);
	free(states);
	solver_free(solver);
}

/* Games. */

static const char *const level_names[] = {
		[SOLVER_RANDOM] = "random", [SOLVER_GOOD] = "good", [SOLVER_PERFECT] = "perfect"};

/* What came of many games. */
struct tally {
	int games;
	int won;
	int lost;
	int half_points;
	int judged;
	int earliest;
};

static void tally_add(struct tally *tally, const struct proof_game *game)
{
	tally->games++;
	tally->won += game->score > 0;
	tally->lost += game->score < 0;
	tally->half_points += game->score;
	tally->judged += game->judged;
	tally->earliest = game->earliest < tally->earliest ? game->earliest : tally->earliest;
}

static void tally_print(const struct tally *tally, const struct proof_match *match)
{
	double games = tally->games;

	printf("X %-8s O %-8s %5d games: X won %5.1f %%, drew %5.1f %%, lost %5.1f %%; "
	       "X's points less O's %+.3f a game",
			level_names[match->level[RULES_X]], level_names[match->level[RULES_O]],
			tally->games, 100.0 * tally->won / games,
			100.0 * (tally->games - tally->won - tally->lost) / games,
			100.0 * tally->lost / games, tally->half_points / 2.0 / games);
	if (tally->judged > 0) {
		printf("; nothing given away, by the published values and by minimax in %d "
		       "positions from move %d on",
				tally->judged, tally->earliest);
	}
	printf("\n");
	fflush(stdout);
}

/* Perfect bots are judged, and must give nothing away. */
static void bench_games(struct solver *solver, enum solver_level x, enum solver_level o, int games)
{
	struct proof_match match = {.level = {[RULES_X] = x, [RULES_O] = o},
			.judged = {[RULES_X] = x == SOLVER_PERFECT,
					[RULES_O] = o == SOLVER_PERFECT},
			.games_most = (double)number_from_environment(
					"QTTT_MINIMAX_GAMES", PROOF_GAMES_LARGE)};
	struct tally tally = {.earliest = 10};
	uint64_t random = random_seed();

	for (int i = 0; i < games; i++) {
		struct proof_game game;

		proof_play(solver, &match, &random, &game);
		must(proof_holds(&game));
		tally_add(&tally, &game);
	}
	tally_print(&tally, &match);
}

static void bench_bots(int games)
{
	struct solver *solver = solver_new(SOLVER_TABLE_BYTES);

	must(solver != NULL);
	for (int x = SOLVER_RANDOM; x <= SOLVER_PERFECT; x++) {
		for (int o = SOLVER_RANDOM; o <= SOLVER_PERFECT; o++) {
			bench_games(solver, (enum solver_level)x, (enum solver_level)o, games);
		}
	}
	solver_free(solver);
}

int main(int argc, char **argv)
{
	int positions = (int)number_from_environment("QTTT_POSITIONS", 10000);
	int games = (int)number_from_environment("QTTT_BOT_GAMES", 1000);
	const char *chapter = argc > 1 ? argv[1] : "";

	must(positions > 0 && games > 0);
	print_load("before");
	if (strcmp(chapter, "games") != 0) {
		bench_questions(positions);
	}
	if (strcmp(chapter, "questions") != 0) {
		bench_bots(games);
	}
	print_load("after");
	return 0;
}
