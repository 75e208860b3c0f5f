#include "protocol/decode_board.h"

bool decode_take_small(const json_t *value, json_int_t min, uint8_t *ret)
{
	json_int_t integer = json_integer_value(value);

	if (!json_is_integer(value) || integer < min || integer > 9) {
		return false;
	}
	*ret = (uint8_t)integer;
	return true;
}

static bool take_mark(const json_t *value, uint8_t *ret)
{
	const char *text = json_string_value(value);

	if (text == NULL || text[0] == '\0' || text[1] < '1' || text[1] > '9' || text[2] != '\0' ||
			text[0] != ((text[1] - '0') % 2 != 0 ? 'X' : 'O')) {
		return false;
	}
	*ret = (uint8_t)(text[1] - '0');
	return true;
}

bool decode_take_measured(const json_t *array, struct measured *measured)
{
	size_t count = json_array_size(array);

	if (!json_is_array(array) || count > sizeof(measured->mark)) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const json_t *pair = json_array_get(array, i);

		if (json_array_size(pair) != 2 ||
				!take_mark(json_array_get(pair, 0), &measured->mark[i]) ||
				!decode_take_small(
						json_array_get(pair, 1), 1, &measured->square[i])) {
			return false;
		}
	}
	measured->count = (uint8_t)count;
	return true;
}

bool decode_take_board_square(const json_t *value, struct board_square *square)
{
	size_t count = json_array_size(value);

	if (!json_is_array(value)) {
		return take_mark(value, &square->classical);
	}
	if (count > sizeof(square->spooky)) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (!take_mark(json_array_get(value, i), &square->spooky[i])) {
			return false;
		}
	}
	square->spooky_count = (uint8_t)count;
	return true;
}
