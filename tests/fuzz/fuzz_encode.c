/* Any message that can be thought of, filled in by the tables it is written from: its line is read,
 * and written again it is the same line. So too a player's record. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "protocol/decode.h"
#include "protocol/encode.h"
#include "protocol/schema.h"
#include "protocol/text.h"
#include "tests/fuzz/told.h"

#define LIST_MAX 4

/* The input, byte by byte; zeros after its end. And what the message's arrays live in. */
struct taker {
	const uint8_t *data;
	size_t left;
	uint32_t allowed; /* bits of WHEN_BIT */
	uint32_t decided; /* those that are there or not already: several members share one */
	size_t used;
	_Alignas(16) char arrays[1 << 16];
};

static unsigned int take(struct taker *taker)
{
	if (taker->left == 0) {
		return 0;
	}
	taker->left--;
	return *taker->data++;
}

static unsigned int take_below(struct taker *taker, size_t limit)
{
	return (unsigned int)(take(taker) % limit);
}

static void *take_room(struct taker *taker, size_t size)
{
	void *room = taker->arrays + taker->used;

	taker->used += (size + 15) / 16 * 16;
	FUZZ_EXPECT(taker->used <= sizeof(taker->arrays));
	return room;
}

static void *at(const struct field *field, void *base)
{
	return (char *)base + field->offset;
}

static void put_byte(void *base, size_t offset, size_t value)
{
	((uint8_t *)base)[offset] = (uint8_t)value;
}

static void put_enum(const struct field *field, void *base, size_t value)
{
	uint32_t number = (uint32_t)value;

	memcpy(at(field, base), &number, sizeof(number));
}

static void fill_fields(struct taker *taker, const struct field *fields, void *base);
static void fill_value(struct taker *taker, const struct field *field, void *base);

/* Values. */

static void make_letters(char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		text[i] = (char)('a' + (unsigned char)text[i] % 26);
	}
}

/* Bytes of the input where they can be such a text, else letters in their place. */
static void fill_text(struct taker *taker, const struct field *field, void *base)
{
	char *text = at(field, base);
	size_t length = take_below(taker, field->size);

	length = length == 0 ? 1 : length;
	for (size_t i = 0; i < length; i++) {
		text[i] = (char)take(taker);
	}
	text[length] = '\0';
	if (!text_is_utf8(text, length) || strlen(text) != length) {
		make_letters(text, length);
	}
	if (field->kind == FIELD_TEXT && !text_is_clean(text)) {
		make_letters(text, length);
	}
}

static void fill_integer(struct taker *taker, const struct field *field, void *base)
{
	uint64_t value = 0;

	for (unsigned int bytes = take_below(taker, 9); bytes > 0; bytes--) {
		value = value << 8 | take(taker);
	}
	memcpy(at(field, base), &value, sizeof(value));
}

static void fill_small(struct taker *taker, const struct field *field, void *base)
{
	put_byte(base, field->offset, take_below(taker, 10));
}

static void fill_bool(struct taker *taker, const struct field *field, void *base)
{
	put_byte(base, field->offset, take_below(taker, 2));
}

static void fill_word(struct taker *taker, const struct field *field, void *base)
{
	/* Where the first of the words is empty, it stands for no choice, and is not written. */
	const size_t first = field->words->list[0][0] == '\0' || field->when == WHEN_CHOSEN ? 1 : 0;

	put_enum(field, base, first + take_below(taker, field->words->count - first));
}

static void fill_half(struct taker *taker, const struct field *field, void *base)
{
	put_byte(base, field->offset, take(taker));
}

static void fill_milli(struct taker *taker, const struct field *field, void *base)
{
	int64_t value = 0;

	for (int i = 0; i < 4; i++) {
		value = value * 256 + take(taker);
	}
	value -= INT64_C(1) << 31;
	memcpy(at(field, base), &value, sizeof(value));
}

static void fill_small_numbers(struct taker *taker, uint8_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		numbers[i] = (uint8_t)(1 + take_below(taker, 9));
	}
}

static void fill_squares(struct taker *taker, const struct field *field, void *base)
{
	size_t count = field->size;

	if (field->count_offset != NO_COUNT) {
		count = 1 + take_below(taker, field->size);
		put_byte(base, field->count_offset, count);
	}
	fill_small_numbers(taker, at(field, base), count);
}

static void fill_object(struct taker *taker, const struct field *field, void *base)
{
	fill_fields(taker, field->fields, at(field, base));
}

static void fill_pointer(struct taker *taker, const struct field *field, void *base)
{
	void *target = take_room(taker, field->size);

	memcpy(at(field, base), &target, sizeof(target));
	fill_fields(taker, field->fields, target);
}

static void fill_elements(
		struct taker *taker, const struct field *element, void *first, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fill_value(taker, element, (char *)first + i * element->size);
	}
}

static void fill_rows(struct taker *taker, const struct field *field, void *base)
{
	size_t count = take_below(taker, field->size / field->element->size + 1);

	put_byte(base, field->count_offset, count);
	fill_elements(taker, field->element, at(field, base), count);
}

static void put_list(const struct field *field, void *base, const void *first, size_t count)
{
	memcpy(at(field, base), &first, sizeof(first));
	memcpy((char *)base + field->count_offset, &count, sizeof(count));
}

static void fill_list(struct taker *taker, const struct field *field, void *base)
{
	size_t count = take_below(taker, LIST_MAX + 1);
	void *first = take_room(taker, count * field->element->size);

	put_list(field, base, first, count);
	fill_elements(taker, field->element, first, count);
}

static void fill_help(struct taker *taker, const struct field *field, void *base)
{
	size_t count = take_below(taker, REQUEST_COUNT);
	enum request_type *types = take_room(taker, count * sizeof(*types));

	for (size_t i = 0; i < count; i++) {
		types[i] = (enum request_type)take_below(taker, REQUEST_COUNT);
	}
	put_list(field, base, types, count);
}

static void fill_id(struct taker *taker, const struct field *field, void *base)
{
	const struct field string = {.kind = FIELD_PROSE,
			.offset = offsetof(struct request_id, string),
			.size = LIMIT_ID_BYTES + 1};
	const struct field integer = {.offset = offsetof(struct request_id, integer)};
	struct request_id *id = at(field, base);

	id->kind = take_below(taker, 2) == 0 ? ID_INTEGER : ID_STRING;
	if (id->kind == ID_STRING) {
		fill_text(taker, &string, id);
	} else {
		fill_integer(taker, &integer, id);
	}
}

static void fill_code(struct taker *taker, const struct field *field, void *base)
{
	put_enum(field, base, 1 + take_below(taker, CODE_COUNT - 1));
}

static void fill_request_type(struct taker *taker, const struct field *field, void *base)
{
	put_enum(field, base, take_below(taker, REQUEST_COUNT));
}

static void fill_one_measured(struct taker *taker, struct measured *measured)
{
	measured->count = (uint8_t)(1 + take_below(taker, 9));
	fill_small_numbers(taker, measured->mark, measured->count);
	fill_small_numbers(taker, measured->square, measured->count);
}

static void fill_measured(struct taker *taker, const struct field *field, void *base)
{
	fill_one_measured(taker, at(field, base));
}

static void fill_outcomes(struct taker *taker, const struct field *field, void *base)
{
	struct measured *outcomes = at(field, base);

	fill_one_measured(taker, &outcomes[0]);
	fill_one_measured(taker, &outcomes[1]);
}

static void fill_board(struct taker *taker, const struct field *field, void *base)
{
	struct board_square *squares = at(field, base);

	for (size_t i = 0; i < 9; i++) {
		squares[i].classical = (uint8_t)take_below(taker, 10);
		if (squares[i].classical == 0) {
			squares[i].spooky_count = (uint8_t)take_below(taker, 10);
			fill_small_numbers(taker, squares[i].spooky, squares[i].spooky_count);
		}
	}
}

static void fill_constant(struct taker *taker, const struct field *field, void *base)
{
	(void)taker;
	(void)field;
	(void)base;
}

typedef void fill_fn(struct taker *taker, const struct field *field, void *base);

static fill_fn *const fills[FIELD_KINDS] = {
		[FIELD_TEXT] = fill_text,
		[FIELD_PROSE] = fill_text,
		[FIELD_INTEGER] = fill_integer,
		[FIELD_SMALL] = fill_small,
		[FIELD_BOOL] = fill_bool,
		[FIELD_WORD] = fill_word,
		[FIELD_HALF] = fill_half,
		[FIELD_VALUE] = fill_half,
		[FIELD_MILLI] = fill_milli,
		[FIELD_SQUARES] = fill_squares,
		[FIELD_OBJECT] = fill_object,
		[FIELD_INLINE] = fill_object,
		[FIELD_POINTER] = fill_pointer,
		[FIELD_ROWS] = fill_rows,
		[FIELD_LIST] = fill_list,
		[FIELD_ID] = fill_id,
		[FIELD_CODE] = fill_code,
		[FIELD_REQUEST] = fill_request_type,
		[FIELD_HELP] = fill_help,
		[FIELD_MEASURED] = fill_measured,
		[FIELD_BOARD] = fill_board,
		[FIELD_OUTCOMES] = fill_outcomes,
		[FIELD_CONSTANT] = fill_constant,
};

static void fill_value(struct taker *taker, const struct field *field, void *base)
{
	fills[field->kind](taker, field, base);
}

/* Members. */

static bool decide_bit(struct taker *taker, const struct field *field, void *base)
{
	uint32_t bits = field_load_u32(base, field->when_offset);

	if ((field->when_bit & taker->allowed & ~taker->decided) != 0 &&
			take_below(taker, 2) == 1) {
		bits |= field->when_bit;
		memcpy((char *)base + field->when_offset, &bits, sizeof(bits));
	}
	taker->decided |= field->when_bit & taker->allowed;
	return (bits & field->when_bit & taker->allowed) != 0;
}

/* Is it there? If so, that is told where it has to be. */
static bool decide(struct taker *taker, const struct field *field, void *base)
{
	if (field->when == WHEN_ALWAYS) {
		return true;
	}
	if (field->when == WHEN_BIT) {
		return decide_bit(taker, field, base);
	}
	if (take_below(taker, 2) == 0) {
		return false;
	}
	if (field->when == WHEN_TOLD) {
		put_byte(base, field->when_offset, true);
	}
	return true;
}

static void fill_fields(struct taker *taker, const struct field *fields, void *base)
{
	for (const struct field *field = fields; field->name != NULL; field++) {
		if (decide(taker, field, base)) {
			fill_value(taker, field, base);
		}
	}
}

static void fill_ok(struct taker *taker, struct ok *ok)
{
	fill_fields(taker, schema_ok_head, ok);
	/* `rooms` is other things to other requests. */
	taker->allowed = ~(uint32_t)(OK_OWN_ROOMS | OK_SUMMARIES | OK_ROOMS);
	taker->allowed |= (uint32_t)(ok->to == REQUEST_HELLO   ? OK_OWN_ROOMS
				     : ok->to == REQUEST_ROOMS ? OK_ROOMS
							       : OK_SUMMARIES);
	fill_fields(taker, schema_ok_body, ok);
	fill_fields(taker, schema_ok_token, ok);
}

static void fill_message(struct taker *taker, struct message *message)
{
	unsigned int kind = take_below(taker, EVENT_COUNT + 2);

	taker->allowed = UINT32_MAX;
	if (kind < EVENT_COUNT) {
		message->kind = MESSAGE_EVENT;
		message->event.type = (enum event_type)kind;
		fill_fields(taker, schema_events[kind], &message->event);
	} else if (kind == EVENT_COUNT) {
		message->kind = MESSAGE_ERROR;
		fill_fields(taker, schema_error, &message->error);
	} else {
		message->kind = MESSAGE_OK;
		fill_ok(taker, &message->ok);
	}
}

static void expect_same(struct bytes *one, struct bytes *other)
{
	FUZZ_EXPECT(one->length == other->length);
	FUZZ_EXPECT(memcmp(one->data, other->data, one->length) == 0);
	bytes_unref(one);
	bytes_unref(other);
}

static void round_trip_message(struct taker *taker)
{
	static struct message message;
	static struct message again;
	struct bytes *line;

	memset(&message, 0, sizeof(message));
	fill_message(taker, &message);
	line = encode_again(&message);
	FUZZ_EXPECT(memchr(line->data, '\n', line->length) == line->data + line->length - 1);
	FUZZ_EXPECT(decode_message(line->data, line->length - 1, &again));
	expect_same(encode_again(&again), line);
	tell_in_every_way(&again);
	message_fini(&again);
}

static void round_trip_record(struct taker *taker)
{
	struct player_record record = {0};
	struct player_record again;
	struct bytes *line;

	fill_fields(taker, schema_player, &record);
	line = encode_player(&record);
	FUZZ_EXPECT(decode_player(line->data, line->length, &again));
	expect_same(encode_player(&again), line);
	player_record_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct taker taker;

	taker.data = data;
	taker.left = size;
	taker.used = 0;
	taker.decided = 0;
	memset(taker.arrays, 0, sizeof(taker.arrays));
	round_trip_message(&taker);
	round_trip_record(&taker);
	return 0;
}
