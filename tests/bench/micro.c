/* What the steps of one move cost inside the process: nanoseconds each, the best of some tries, so
 * that what others do on the machine falls out. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "protocol/decode.h"
#include "protocol/encode.h"
#include "protocol/line.h"
#include "server/game/rules.h"
#include "server/game/view.h"

#define TRIES 15
#define CALLS 20000

/* The game of README.md up to its last move: no square is measured, a collapse is due. */
static const int places[][2] = {{1, 7}, {6, 8}, {2, 8}, {5, 9}, {1, 6}, {7, 9}, {2, 3}, {3, 5}};
#define PLACES (sizeof(places) / sizeof(places[0]))

static struct rules_state position;
static struct event moved;
static struct ok answer = {.to = REQUEST_MOVE, .carries = OK_ROOM | OK_SEQ, .seq = 12};
static volatile size_t sink; /* what the compiler may not leave out */

static void play(struct rules_state *state)
{
	rules_start(state);
	for (size_t i = 0; i < PLACES; i++) {
		const struct rules_action action = {
				.kind = RULES_PLACE, .squares = {places[i][0], places[i][1]}};

		rules_apply(state, i % 2 == 0 ? RULES_X : RULES_O, &action);
	}
}

static void cut_line(void)
{
	static const char line[] = "{\"type\":\"move\",\"squares\":[1,5]}\n";
	struct line_cutter cutter = {0};
	const char *start = NULL;
	size_t consumed = 0;
	size_t length = 0;

	line_cut(&cutter, line, sizeof(line) - 1, LIMIT_LINE_BYTES, false, &consumed, &start,
			&length);
	sink += length;
}

static void decode(const char *line)
{
	static struct request request;
	static struct error error;

	sink += decode_request(line, strlen(line), &request, &error);
}

static void decode_json(void)
{
	decode("{\"type\":\"move\",\"squares\":[1,5]}");
}

static void decode_words(void)
{
	decode("move 1 5");
}

static void play_game(void)
{
	struct rules_state state;

	play(&state);
	sink += state.moves;
}

static void view_position(void)
{
	view_board(&position, false, &moved.moved.board);
	sink += moved.moved.board.move;
}

static void encode_moved(void)
{
	struct bytes *line = encode_event(&moved);

	sink += line->length;
	bytes_unref(line);
}

static void encode_answer(void)
{
	struct bytes *line = encode_ok(&answer);

	sink += line->length;
	bytes_unref(line);
}

static void set_up(void)
{
	play(&position);
	moved.type = EVENT_MOVED;
	moved.seq = 12;
	moved.at_ms = 1700000000000;
	moved.moved.by = SEAT_O;
	moved.moved.move = 8;
	moved.moved.square_count = 2;
	moved.moved.squares[0] = 3;
	moved.moved.squares[1] = 5;
	snprintf(moved.room, sizeof(moved.room), "k7m2q");
	snprintf(answer.room, sizeof(answer.room), "k7m2q");
	view_position();
}

static double cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double best_of(void (*step)(void))
{
	double best = 1e18;

	for (int i = 0; i < TRIES; i++) {
		const double begin = cpu_ns();
		double took;

		for (int call = 0; call < CALLS; call++) {
			step();
		}
		took = (cpu_ns() - begin) / CALLS;
		best = took < best ? took : best;
	}
	return best;
}

int main(void)
{
	static const struct {
		const char *name;
		void (*step)(void);
	} steps[] = {
			{"cut a line", cut_line},
			{"decode a move, JSON", decode_json},
			{"decode a move, words", decode_words},
			{"rules, a game of eight moves", play_game},
			{"position as a board", view_position},
			{"encode a move with outcomes", encode_moved},
			{"encode an ok", encode_answer},
	};

	set_up();
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		printf("  %-30s %8.0f ns\n", steps[i].name, best_of(steps[i].step));
	}
	return 0;
}
