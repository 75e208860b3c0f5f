/* What stands on a board, read from JSON. False: it is none. Private to protocol/. */
#ifndef PROTOCOL_DECODE_BOARD_H
#define PROTOCOL_DECODE_BOARD_H

#include <jansson.h>

#include "protocol/message.h"

/* An integer of min..9: squares, marks and numbers of moves. */
bool decode_take_small(const json_t *value, json_int_t min, uint8_t *ret);

/* Both must be zeroed. */
bool decode_take_measured(const json_t *array, struct measured *measured);
bool decode_take_board_square(const json_t *value, struct board_square *square);

#endif
