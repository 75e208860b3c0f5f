/* What stands before the line that is typed: it says what is expected of the player. */
#ifndef CLIENT_PROMPT_H
#define CLIENT_PROMPT_H

#include "client-cli/paint.h"
#include "client-cli/scene.h"

#define PROMPT_SIZE 384

/* The prompt, its blank at the end included, for a terminal of so many columns: a third of them is
 * left for the line. *ret_paint: PAINT_CALL where it is the player's turn to do something. */
void prompt_text(struct scene *scene, size_t columns, char ret_text[PROMPT_SIZE],
		enum paint *ret_paint);

#endif
