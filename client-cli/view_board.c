#include <string.h>

#include "client-cli/view_parts.h"
#include "protocol/picture.h"

static void view_drawing(struct view *view, const struct board *board)
{
	struct picture_style style = {.ascii = view->ascii};
	char text[PICTURE_SIZE];
	char *line = text;
	char *end;

	(void)picture_board(board, &style, text);
	while ((end = strchr(line, '\n')) != NULL) {
		*end = '\0';
		view_line(view, "%s", line);
		line = end + 1;
	}
}

static void view_clocks(struct view *view, const struct clock_running *clock)
{
	long long x = (long long)clock->x_ms / 1000;
	long long o = (long long)clock->o_ms / 1000;

	view_line(view, "Clocks: X %lld:%02lld, O %lld:%02lld.", x / 60, x % 60, o / 60, o % 60);
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
static void view_own_move(struct view *view, const struct board *board)
{
	const char *letter = board->turn == SEAT_X ? "X" : "O";
	unsigned int move = board->move;
	size_t first[2] = {0, 0};

	if (board_open(board, first) == 1) {
		view_line(view, "You are %s: your turn. Move %u: only one square is left. move %zu",
				letter, move, first[0]);
	} else if (move <= 2) {
		view_line(view,
				"You are %s: your turn. Move %u: name two squares. "
				"For example: move %zu %zu",
				letter, move, first[0], first[1]);
	} else {
		view_line(view, "You are %s: your turn. Move %u: name two squares.", letter, move);
	}
}

static void view_turn_to_move(
		struct view *view, const struct room_seen *room, const struct board *board)
{
	char person[PERSON_SIZE];

	if (room && room->seat == board->turn) {
		view_own_move(view, board);
		return;
	}
	view_person(room, board->turn, person);
	if (room && room->seat != SEAT_NONE) {
		view_line(view, "You are %s. It is the turn of %s: move %u.",
				room->seat == SEAT_X ? "X" : "O", person,
				(unsigned int)board->move);
	} else {
		view_line(view, "It is the turn of %s: move %u.", person,
				(unsigned int)board->move);
	}
}

static void view_turn_to_measure(
		struct view *view, const struct room_seen *room, const struct board *board)
{
	char cycle[32] = "";
	char person[PERSON_SIZE];

	for (size_t i = 0; i < board->cycle_count && i < 9; i++) {
		view_append(cycle, sizeof(cycle), "%s%u", i > 0 ? "-" : "",
				(unsigned int)board->cycle[i]);
	}
	if (room && room->seat == board->turn) {
		view_line(view, "Cycle %s closed: you measure. collapse %u or collapse %u.", cycle,
				(unsigned int)board->choices[0], (unsigned int)board->choices[1]);
	} else {
		view_person(room, board->turn, person);
		view_line(view, "Cycle %s closed: %s measures.", cycle, person);
	}
}

static void view_turn(struct view *view, const struct room_seen *room, const struct board *board)
{
	if (board->turn == SEAT_NONE) {
		return;
	}
	if (board->phase == PHASE_COLLAPSE) {
		view_turn_to_measure(view, room, board);
	} else {
		view_turn_to_move(view, room, board);
	}
}

void view_board(struct view *view, const struct room_seen *room, const struct board *board,
		const struct clock_running *clock)
{
	view_drawing(view, board);
	if (clock && clock->set) {
		view_clocks(view, clock);
	}
	/* A game can be over while its board could go on: someone resigned. */
	if (!room || room->status == STATUS_PLAYING) {
		view_turn(view, room, board);
	}
}

/* Half points: 3 is "1½". */
static const char *points_text(const struct view *view, unsigned int half_points)
{
	static const char *const plain[] = {"0", "0.5", "1", "1.5", "2"};
	static const char *const halves[] = {"0", "½", "1", "1½", "2"};

	if (half_points > 4) {
		half_points = 4;
	}
	return view->ascii ? plain[half_points] : halves[half_points];
}

#define REASON_TEXT_SIZE 96

static void lines_text(const struct result *result, char ret_text[REASON_TEXT_SIZE])
{
	ret_text[0] = '\0';
	for (size_t i = 0; i < result->line_count && i < 2; i++) {
		const struct line_made *line = &result->lines[i];

		view_append(ret_text, REASON_TEXT_SIZE, "%s%s %u-%u-%u at time %u",
				i > 0 ? ", " : "", line->seat == SEAT_X ? "X" : "O",
				(unsigned int)line->squares[0], (unsigned int)line->squares[1],
				(unsigned int)line->squares[2], (unsigned int)line->max);
	}
}

/* What is said of the loser, after "O wins 1 to 0: X ". */
static const char *const loser_texts[] = {
		[REASON_RESIGN] = "resigned",
		[REASON_FLAG] = "ran out of time",
		[REASON_CLAIM] = "was away for too long",
};

static const char *const cause_texts[] = {
		[CAUSE_NONE] = "the game was called off",
		[CAUSE_REQUEST] = "a player called it off",
		[CAUSE_NO_FIRST_MOVE] = "nobody made the first move",
		[CAUSE_UNTOUCHED] = "nobody touched it for too long",
		[CAUSE_CREATOR_LEFT] = "its creator left",
		[CAUSE_DECLINED] = "the invitation was declined",
		[CAUSE_OPERATOR] = "the server's operator ended it",
};

static void reason_text(
		const struct result *result, const char *loser, char ret_text[REASON_TEXT_SIZE])
{
	switch (result->reason) {
	case REASON_LINE:
		lines_text(result, ret_text);
		break;
	case REASON_FULL_BOARD:
		snprintf(ret_text, REASON_TEXT_SIZE, "the board is full and there is no line");
		break;
	case REASON_AGREEMENT:
		snprintf(ret_text, REASON_TEXT_SIZE, "both agreed");
		break;
	case REASON_ABORTED:
		snprintf(ret_text, REASON_TEXT_SIZE, "%s", cause_texts[result->cause]);
		break;
	case REASON_RESIGN:
	case REASON_FLAG:
	case REASON_CLAIM:
		snprintf(ret_text, REASON_TEXT_SIZE, "%s %s", loser, loser_texts[result->reason]);
		break;
	}
}

void view_result(struct view *view, const struct result *result)
{
	unsigned int x = result->half_points_x;
	unsigned int o = result->half_points_o;
	char reason[REASON_TEXT_SIZE];

	reason_text(result, x > o ? "O" : "X", reason);
	if (!result->scored) {
		view_line(view, "Aborted, no score: %s.", reason);
	} else if (x == o) {
		view_line(view, "A draw, %s to %s: %s.", points_text(view, x), points_text(view, o),
				reason);
	} else {
		view_line(view, "%s wins %s to %s: %s.", x > o ? "X" : "O",
				points_text(view, x > o ? x : o), points_text(view, x > o ? o : x),
				reason);
	}
}

void view_said(struct view *view, const char *player, enum seat seat, const char *text)
{
	view_line(view, "<%s%s> %s", player, seat == SEAT_NONE ? ", watching" : "", text);
}

const char *view_name_or_free(const char *name)
{
	return name[0] != '\0' ? name : "free";
}

static struct room_seen *snapshot_learn(struct view *view, const struct snapshot *state)
{
	struct room_seen *room = rooms_see(&view->rooms, state->room);

	room->status = state->status;
	room_seat_player(&view->rooms, room, SEAT_X, state->players[0].name);
	room_seat_player(&view->rooms, room, SEAT_O, state->players[1].name);
	return room;
}

static void snapshot_head(
		struct view *view, const struct snapshot *state, const struct room_seen *room)
{
	char persons[2][PERSON_SIZE];
	char clock[CLOCK_TEXT_SIZE];

	view_person(room, SEAT_X, persons[0]);
	view_person(room, SEAT_O, persons[1]);
	if (state->status == STATUS_WAITING) {
		view_line(view, "Room %s waits for a player: X %s, O %s.", state->room,
				view_name_or_free(room->players[0]),
				view_name_or_free(room->players[1]));
	} else {
		view_line(view, "Room %s is %s: %s against %s.", state->room,
				state->status == STATUS_OVER ? "over" : "being played", persons[0],
				persons[1]);
	}
	if (state->title[0] != '\0') {
		view_line(view, "Title: %s", state->title);
	}
	if (state->agreed.set) {
		view_clock_agreed(&state->agreed, clock);
		view_line(view, "Clock: %s.", clock);
	}
	if (state->spectators > 0) {
		view_line(view, "Watching: %lld.", (long long)state->spectators);
	}
}

static void snapshot_people(struct view *view, const struct snapshot *state)
{
	for (size_t i = 0; i < 2; i++) {
		if (state->players[i].taken && !state->players[i].online &&
				state->status != STATUS_OVER) {
			view_line(view, "%s is away.", state->players[i].name);
		}
	}
	for (size_t i = 0; i < state->chat_count; i++) {
		view_said(view, state->chat[i].player, state->chat[i].seat, state->chat[i].text);
	}
}

/* What an empty board would only hide: how someone else gets in. */
static void snapshot_waiting(
		struct view *view, const struct snapshot *state, const struct room_seen *room)
{
	if (room->seat == SEAT_NONE) {
		view_line(view, "To play here: join %s", state->room);
	} else {
		view_line(view, "You are %s. Your opponent comes in with: join %s",
				room->seat == SEAT_X ? "X" : "O", state->room);
	}
}

void view_snapshot(struct view *view, const struct snapshot *state)
{
	const struct room_seen *room = snapshot_learn(view, state);
	char person[PERSON_SIZE];

	view_mark_room(view, state->room);
	snapshot_head(view, state, room);
	snapshot_people(view, state);
	if (state->has_result) {
		view_result(view, &state->result);
	}
	if (state->draw_offer != SEAT_NONE) {
		view_person(room, state->draw_offer, person);
		view_line(view, "%s offers a draw.", person);
	}
	if (state->status == STATUS_WAITING) {
		snapshot_waiting(view, state, room);
	} else {
		view_board(view, room, &state->board, &state->clock);
	}
}
