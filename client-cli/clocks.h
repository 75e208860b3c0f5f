/* The clocks of a game between two messages: the one that runs is counted down here, by the time
 * that has passed since the server told what was left. */
#ifndef CLIENT_CLOCKS_H
#define CLIENT_CLOCKS_H

#include "protocol/message.h"

/* With less than this a player is told so. */
#define CLOCKS_LOW_MS 20000
#define CLOCKS_TEXT_SIZE 96

/* What is left now, of clocks that were told so at told_ms. */
struct clock_running clocks_left(const struct clock_running *told, int64_t told_ms, int64_t now_ms);

/* How long until they show something else; -1: none runs. */
int64_t clocks_change_ms(const struct clock_running *told, int64_t told_ms, int64_t now_ms);

/* Is little time left to who has to act? */
bool clocks_low(const struct clock_running *left);

/* "X 2:59 O 0:09!", short, for a prompt; "" without clocks. A ! stands by a time that is low. */
void clocks_text(const struct clock_running *left, char ret_text[CLOCKS_TEXT_SIZE]);

/* A wait in seconds or, where it is long, in minutes or hours, rounded up: "42 s". */
void clocks_wait_text(int64_t wait_ms, char ret_text[CLOCKS_TEXT_SIZE]);

#endif
