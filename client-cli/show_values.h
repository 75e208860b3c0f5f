/* Pages of values: a game's steps with what each gave away, and what can be done in a position. All
 * of it fits 40 columns. */
#ifndef CLIENT_SHOW_VALUES_H
#define CLIENT_SHOW_VALUES_H

#include "client-cli/show.h"
#include "client-cli/study.h"

#define WORTH_SIZE 16

/* "½", "1½"; the sign is left out. */
void show_points_text(const struct show *show, int half_points, char ret_text[WORTH_SIZE]);

/* Whose it is, and how much: "X +½", "O +1", "draw". */
void show_worth_text(const struct show *show, int half_points, char ret_text[WORTH_SIZE]);

/* A table of the steps, and then who gave away what by which. */
void show_study(const struct show *show, const struct study *study);

/* The actions that are best for whose turn it is, and how many are worth what else; nothing when
 * the game is over. */
void show_best(const struct show *show, const struct ok *ok);

/* The same for who asked for it, so that something is said in any case. */
void show_hint(const struct show *show, const struct ok *ok);

/* The actions that keep what the position is worth: "1-9, 3-7". */
#define ACTIONS_TEXT_SIZE 256
void show_right_text(const struct ok *ok, char ret_text[ACTIONS_TEXT_SIZE]);

#endif
