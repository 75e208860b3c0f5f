/* Lines from the server, read by the tables that they are written from. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/decode.h"
#include "protocol/decode_board.h"
#include "protocol/heap.h"
#include "protocol/member.h"
#include "protocol/reading.h"
#include "protocol/requests.h"
#include "protocol/text.h"

static bool read_value(struct reading *reading, const struct field *field, const json_t *value,
		void *base);

static void *at(const struct field *field, void *base)
{
	return (char *)base + field->offset;
}

static void *own_zeroed(struct reading *reading, size_t count, size_t size)
{
	size_t arrays = reading->owned == NULL ? 0 : reading->owned->count;
	struct owned *owned = heap_resized(
			reading->owned, sizeof(*owned) + (arrays + 1) * sizeof(owned->arrays[0]));

	owned->arrays[arrays] = heap_zeroed(count, size);
	owned->count = arrays + 1;
	reading->owned = owned;
	return owned->arrays[arrays];
}

/* Names and ids go into prompts and lists as they are: a server that keeps its word sends clean
 * ones. */
static bool read_text(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	size_t length = json_string_length(value);

	(void)reading;
	if (!json_is_string(value) || length >= field->size ||
			!text_is_clean(json_string_value(value))) {
		return false;
	}
	memcpy(at(field, base), json_string_value(value), length + 1);
	return true;
}

static bool read_prose(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	const char *text = json_string_value(value);
	char *target = at(field, base);
	size_t length;

	(void)reading;
	if (text == NULL) {
		return false;
	}
	length = text_cut(text, json_string_length(value), field->size - 1);
	memcpy(target, text, length);
	target[length] = '\0';
	return true;
}

static bool read_integer(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	int64_t integer = json_integer_value(value);

	(void)reading;
	memcpy(at(field, base), &integer, sizeof(integer));
	return json_is_integer(value);
}

static bool read_small(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	(void)reading;
	return decode_take_small(value, 0, at(field, base));
}

static bool read_bool(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	bool is_true = json_is_true(value);

	(void)reading;
	memcpy(at(field, base), &is_true, sizeof(is_true));
	return json_is_boolean(value);
}

static void set_enum(const struct field *field, void *base, size_t number)
{
	uint32_t stored = (uint32_t)number;

	memcpy(at(field, base), &stored, sizeof(stored));
}

static bool read_word(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	size_t found = json_is_string(value) ? words_find(field->words, json_string_value(value),
							       json_string_length(value), false)
					     : field->words->count;

	(void)reading;
	set_enum(field, base, found);
	return found != field->words->count;
}

static bool read_half(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	double halves = json_number_value(value) * 2;
	uint8_t whole;

	(void)reading;
	if (!json_is_number(value) || !(halves >= 0) || halves > UINT8_MAX) {
		return false;
	}
	whole = (uint8_t)halves;
	memcpy(at(field, base), &whole, sizeof(whole));
	return !(whole < halves);
}

static bool read_signed(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	double halves = json_number_value(value) * 2;
	int8_t whole;

	(void)reading;
	if (!json_is_number(value) || !(halves >= INT8_MIN) || !(halves <= INT8_MAX)) {
		return false;
	}
	whole = (int8_t)halves;
	memcpy(at(field, base), &whole, sizeof(whole));
	return !(whole < halves) && !(whole > halves);
}

/* A rating beyond that is none. */
#define MILLI_MAX 1e12

static bool read_milli(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	double milli = json_number_value(value) * 1000;
	int64_t whole;

	(void)reading;
	if (!json_is_number(value) || !(milli >= -MILLI_MAX) || !(milli <= MILLI_MAX)) {
		return false;
	}
	whole = (int64_t)(milli < 0 ? milli - 0.5 : milli + 0.5);
	memcpy(at(field, base), &whole, sizeof(whole));
	return true;
}

static bool read_squares(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	uint8_t *squares = at(field, base);
	size_t count = json_array_size(value);

	(void)reading;
	if (!json_is_array(value) || count > field->size) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (!decode_take_small(json_array_get(value, i), 1, &squares[i])) {
			return false;
		}
	}
	if (field->count_offset == NO_COUNT) {
		return count == field->size;
	}
	((uint8_t *)base)[field->count_offset] = (uint8_t)count;
	return true;
}

static bool read_object(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	return json_is_object(value) &&
	       reading_fields(reading, field->fields, value, at(field, base));
}

static bool read_pointer(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	void *target = own_zeroed(reading, 1, field->size);

	memcpy(at(field, base), &target, sizeof(target));
	return json_is_object(value) && reading_fields(reading, field->fields, value, target);
}

static bool read_elements(struct reading *reading, const struct field *element, const json_t *array,
		void *first)
{
	size_t count = json_array_size(array);

	for (size_t i = 0; i < count; i++) {
		if (!read_value(reading, element, json_array_get(array, i),
				    (char *)first + i * element->size)) {
			return false;
		}
	}
	return true;
}

static bool read_rows(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	size_t count = json_array_size(value);

	if (!json_is_array(value) || count > field->size / field->element->size) {
		return false;
	}
	((uint8_t *)base)[field->count_offset] = (uint8_t)count;
	return read_elements(reading, field->element, value, at(field, base));
}

static void set_list(const struct field *field, void *base, const void *first, size_t count)
{
	memcpy(at(field, base), &first, sizeof(first));
	memcpy((char *)base + field->count_offset, &count, sizeof(count));
}

static bool read_list(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	size_t count = json_array_size(value);
	void *first;

	if (!json_is_array(value)) {
		return false;
	}
	if (count == 0) {
		return true;
	}
	first = own_zeroed(reading, count, field->element->size);
	set_list(field, base, first, count);
	return read_elements(reading, field->element, value, first);
}

static bool read_id(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	struct request_id *id = at(field, base);

	(void)reading;
	if (json_is_integer(value)) {
		id->kind = ID_INTEGER;
		id->integer = json_integer_value(value);
		return true;
	}
	return json_is_string(value) &&
	       member_set_id_text(json_string_value(value), json_string_length(value), id);
}

/* A code that came after this program was made is still an error, with a sentence to show. */
static bool read_code(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	enum code code = json_is_string(value) ? code_of_word(json_string_value(value)) : CODE_NONE;

	(void)reading;
	set_enum(field, base, code == CODE_NONE ? CODE_INTERNAL : code);
	return json_is_string(value);
}

static enum request_type type_of(const json_t *value)
{
	return json_is_string(value) ? request_type_of(json_string_value(value),
						       json_string_length(value))
				     : REQUEST_COUNT;
}

static bool read_request_type(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	enum request_type type = type_of(value);

	(void)reading;
	set_enum(field, base, type);
	return type != REQUEST_COUNT;
}

/* Requests that this program does not know are left out. */
static bool read_help(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	size_t count = json_array_size(value);
	size_t known = 0;
	enum request_type *types;

	if (!json_is_array(value)) {
		return false;
	}
	types = own_zeroed(reading, count, sizeof(*types));
	for (size_t i = 0; i < count; i++) {
		enum request_type type = type_of(json_object_get(json_array_get(value, i), "type"));

		if (type != REQUEST_COUNT) {
			types[known++] = type;
		}
	}
	set_list(field, base, types, known);
	return true;
}

static bool read_measured(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	(void)reading;
	return decode_take_measured(value, at(field, base));
}

static bool read_outcomes(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	struct measured *outcomes = at(field, base);

	(void)reading;
	return json_array_size(value) == 2 &&
	       decode_take_measured(json_array_get(value, 0), &outcomes[0]) &&
	       decode_take_measured(json_array_get(value, 1), &outcomes[1]);
}

static bool read_board(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	struct board_square *squares = at(field, base);

	(void)reading;
	if (json_array_size(value) != 9) {
		return false;
	}
	for (size_t i = 0; i < 9; i++) {
		if (!decode_take_board_square(json_array_get(value, i), &squares[i])) {
			return false;
		}
	}
	return true;
}

static bool read_constant(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	(void)reading;
	(void)field;
	(void)value;
	(void)base;
	return true;
}

typedef bool (*read_fn)(struct reading *reading, const struct field *field, const json_t *value,
		void *base);

static const read_fn reads[FIELD_KINDS] = {
		[FIELD_TEXT] = read_text,
		[FIELD_PROSE] = read_prose,
		[FIELD_INTEGER] = read_integer,
		[FIELD_SMALL] = read_small,
		[FIELD_BOOL] = read_bool,
		[FIELD_WORD] = read_word,
		[FIELD_HALF] = read_half,
		[FIELD_VALUE] = read_signed,
		[FIELD_MILLI] = read_milli,
		[FIELD_SQUARES] = read_squares,
		[FIELD_OBJECT] = read_object,
		[FIELD_POINTER] = read_pointer,
		[FIELD_ROWS] = read_rows,
		[FIELD_LIST] = read_list,
		[FIELD_ID] = read_id,
		[FIELD_CODE] = read_code,
		[FIELD_REQUEST] = read_request_type,
		[FIELD_HELP] = read_help,
		[FIELD_MEASURED] = read_measured,
		[FIELD_BOARD] = read_board,
		[FIELD_OUTCOMES] = read_outcomes,
		[FIELD_CONSTANT] = read_constant,
};

static bool read_value(
		struct reading *reading, const struct field *field, const json_t *value, void *base)
{
	return reads[field->kind](reading, field, value, base);
}

/* Tell in the struct that the member was there, where the struct says that apart. */
static void set_there(const struct field *field, void *base)
{
	if (field->when == WHEN_TOLD) {
		((uint8_t *)base)[field->when_offset] = true;
	} else if (field->when == WHEN_BIT) {
		uint32_t bits = field_load_u32(base, field->when_offset) | field->when_bit;

		memcpy((char *)base + field->when_offset, &bits, sizeof(bits));
	}
}

/* NOLINTNEXTLINE(misc-no-recursion): it goes as deep as the tables nest, not the data. */
static bool read_field(struct reading *reading, const struct field *field, const json_t *object,
		void *base)
{
	const json_t *value;

	if (field->kind == FIELD_INLINE) {
		return reading_fields(reading, field->fields, object, at(field, base));
	}
	if (field->when == WHEN_BIT && (field->when_bit & reading->allowed) == 0) {
		return true;
	}
	value = json_object_get(object, field->name);
	if (value == NULL || json_is_null(value)) {
		reading->absent |= field->when == WHEN_BIT ? field->when_bit : 0;
		return field->when != WHEN_ALWAYS || field->kind == FIELD_CONSTANT;
	}
	set_there(field, base);
	return read_value(reading, field, value, base);
}

/* NOLINTNEXTLINE(misc-no-recursion): it goes as deep as the tables nest, not the data. */
bool reading_fields(struct reading *reading, const struct field *fields, const json_t *object,
		void *base)
{
	for (const struct field *field = fields; field->name != NULL; field++) {
		if (!read_field(reading, field, object, base)) {
			return false;
		}
	}
	return true;
}

/* Messages. */

static uint32_t rooms_bit(enum request_type to)
{
	if (to == REQUEST_HELLO) {
		return OK_OWN_ROOMS;
	}
	return to == REQUEST_ROOMS ? OK_ROOMS : OK_SUMMARIES;
}

static bool read_ok(struct reading *reading, const json_t *object, struct ok *ok)
{
	if (!reading_fields(reading, schema_ok_head, object, ok)) {
		return false;
	}
	/* `rooms` is other things to other requests. */
	reading->allowed = ~(uint32_t)(OK_OWN_ROOMS | OK_SUMMARIES | OK_ROOMS);
	reading->allowed |= rooms_bit(ok->to);
	/* Of members that one bit stands for, all are there or none. */
	return reading_fields(reading, schema_ok_body, object, ok) &&
	       reading_fields(reading, schema_ok_token, object, ok) &&
	       (ok->carries & reading->absent) == 0;
}

static bool read_event(struct reading *reading, const json_t *object, const char *type,
		struct event *event)
{
	size_t found = words_find(&words_event, type, strlen(type), false);

	if (found == words_event.count) {
		return false;
	}
	event->type = (enum event_type)found;
	return reading_fields(reading, schema_events[found], object, event);
}

static bool read_message(struct reading *reading, const json_t *object, struct message *message)
{
	const char *type = json_string_value(json_object_get(object, "type"));

	if (type == NULL) {
		return false;
	}
	if (strcmp(type, "ok") == 0) {
		message->kind = MESSAGE_OK;
		return read_ok(reading, object, &message->ok);
	}
	if (strcmp(type, "error") == 0) {
		message->kind = MESSAGE_ERROR;
		return reading_fields(reading, schema_error, object, &message->error);
	}
	message->kind = MESSAGE_EVENT;
	return read_event(reading, object, type, &message->event);
}

bool decode_message(const char *line, size_t length, struct message *ret)
{
	struct reading reading = {.allowed = UINT32_MAX};
	json_t *object = json_loadb(line, length, 0, NULL);
	bool done;

	memset(ret, 0, sizeof(*ret));
	done = object != NULL && read_message(&reading, object, ret);
	ret->owned = reading.owned;
	json_decref(object);
	if (!done) {
		message_fini(ret);
	}
	return done;
}

void message_fini(struct message *message)
{
	struct owned *owned = message == NULL ? NULL : message->owned;

	if (owned == NULL) {
		return;
	}
	for (size_t i = 0; i < owned->count; i++) {
		free(owned->arrays[i]);
	}
	free(owned);
	message->owned = NULL;
}
