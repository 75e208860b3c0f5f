#include "server/game/view.h"

static const enum phase phases[] = {
		[RULES_MOVE] = PHASE_MOVE,
		[RULES_COLLAPSE] = PHASE_COLLAPSE,
		[RULES_OVER] = PHASE_OVER,
};

static const enum code codes[] = {
		[RULES_FINE] = CODE_NONE,
		[RULES_GAME_OVER] = CODE_GAME_OVER,
		[RULES_NOT_YOUR_TURN] = CODE_NOT_YOUR_TURN,
		[RULES_COLLAPSE_FIRST] = CODE_COLLAPSE_FIRST,
		[RULES_NOTHING_TO_COLLAPSE] = CODE_NOTHING_TO_COLLAPSE,
		[RULES_BAD_SQUARE] = CODE_BAD_SQUARE,
		[RULES_SAME_SQUARE] = CODE_SAME_SQUARE,
		[RULES_SQUARE_TAKEN] = CODE_SQUARE_TAKEN,
		[RULES_NOT_A_CHOICE] = CODE_NOT_A_CHOICE,
};

static void view_square(const struct rules_state *state, int square, struct board_square *ret)
{
	*ret = (struct board_square){.classical = state->classical[square]};
	if (ret->classical != 0) {
		return;
	}
	for (uint8_t mark = 1; mark <= state->moves; mark++) {
		if (state->ends[mark][0] == square || state->ends[mark][1] == square) {
			ret->spooky[ret->spooky_count++] = mark;
		}
	}
}

static void view_collapse(const struct rules_state *state, struct board *board)
{
	rules_choices(state, board->choices);
	board->cycle_count = (uint8_t)rules_cycle(state, board->cycle);
	for (int i = 0; i < 2; i++) {
		struct rules_measured measured;

		rules_outcome(state, board->choices[i], &measured);
		view_measured(&measured, &board->outcomes[i]);
	}
}

void view_board(const struct rules_state *state, bool over, struct board *ret)
{
	enum rules_phase phase = over ? RULES_OVER : rules_phase(state);

	*ret = (struct board){
			.move = (uint8_t)(state->moves + (phase == RULES_MOVE)),
			.turn = over ? SEAT_NONE : (enum seat)rules_turn(state),
			.phase = phases[phase],
	};
	for (int square = 1; square <= 9; square++) {
		view_square(state, square, &ret->squares[square - 1]);
	}
	if (phase == RULES_COLLAPSE) {
		view_collapse(state, ret);
	}
}

void view_measured(const struct rules_measured *measured, struct measured *ret)
{
	*ret = (struct measured){.count = measured->count};
	for (int i = 0; i < measured->count; i++) {
		ret->mark[i] = measured->mark[i];
		ret->square[i] = measured->square[i];
	}
}

void view_lines(const struct rules_state *state, struct result *result)
{
	struct rules_line lines[RULES_LINES_MAX];
	int half_points_x;
	int half_points_o;

	rules_score(state, &half_points_x, &half_points_o);
	result->half_points_x = (uint8_t)half_points_x;
	result->half_points_o = (uint8_t)half_points_o;
	result->line_count = (uint8_t)rules_lines(state, lines);
	for (int i = 0; i < result->line_count; i++) {
		result->lines[i] = (struct line_made){
				.seat = (enum seat)lines[i].player, .max = lines[i].time};
		for (int j = 0; j < 3; j++) {
			result->lines[i].squares[j] = lines[i].squares[j];
		}
	}
}

enum code view_code(enum rules_refusal refusal)
{
	return codes[refusal];
}
