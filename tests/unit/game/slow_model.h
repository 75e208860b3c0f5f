/* The rules once more, slow and obvious: to compare the real ones with. Nothing is stored but the
 * marks; whose turn it is, whether a cycle is closed, what it may become and who has won is found
 * each time by trying everything. Shares no code, name or representation with the server. */
#ifndef SLOW_MODEL_H
#define SLOW_MODEL_H

#include <stdbool.h>

enum slow_phase { SLOW_MOVE, SLOW_COLLAPSE, SLOW_OVER };

/* A mark has a name ("O4"), the two squares that it was put in, and a home (a square, else 0) once
 * it is classical. */
struct slow_mark {
	char name[3];
	int squares[2];
	int home;
};

struct slow_game {
	int count;
	struct slow_mark marks[9]; /* in the order of moves */
};

struct slow_landing {
	const char *name; /* of the mark; lives as long as the game looked at */
	int square;
};

struct slow_outcome {
	int count;
	struct slow_landing landings[9]; /* as they force each other, the closing mark first */
};

struct slow_row {
	char letter;
	int time;
	int squares[3]; /* ascending */
};

/* All that can be said of a game. */
struct slow_view {
	enum slow_phase phase;
	char turn; /* 'X', 'O', or '-' when the game is over */
	int move;  /* the next mark's number; the closing one's in SLOW_COLLAPSE; else the last's */

	const char *classical[10]; /* [square]: a name, or NULL */
	int spooky_count[10];
	const char *spooky[10][9]; /* [square]: names in the order of moves */

	/* SLOW_COLLAPSE alone, else zero: */
	int choices[2];			 /* the closing mark's squares, ascending */
	struct slow_outcome outcomes[2]; /* by choice */
	int cycle_count;		 /* as many marks as squares */
	const char *cycle_marks[9];	 /* in the order of moves */
	int cycle_squares[9];		 /* ascending */

	int row_count;
	struct slow_row rows[8]; /* the earliest first, then by squares */
	int half_points_x;
	int half_points_o;

	/* Pairs of squares, ascending; for a measurement the closing mark's square twice. */
	int legal_count;
	int legal[36][2];
};

void slow_start(struct slow_game *ret_game);
void slow_look(const struct slow_game *game, struct slow_view *ret_view);

/* `player` ('X' or 'O') puts his next mark in two squares. Returns false if he may not; nothing
 * has changed then. */
bool slow_place(struct slow_game *game, char player, int one, int other);

/* `player` puts the mark of that name (NULL: the closing one) in `square`, and so measures. */
bool slow_measure(struct slow_game *game, char player, const char *name, int square);

#endif
