#include "protocol/encode.h"

#include "protocol/requests.h"
#include "protocol/schema.h"
#include "protocol/writer.h"

static void write_fields(struct writer *writer, const struct field *fields, const void *base);
static void write_value(struct writer *writer, const struct field *field, const void *base);

static const void *at(const struct field *field, const void *base)
{
	return (const char *)base + field->offset;
}

static void write_text(struct writer *writer, const struct field *field, const void *base)
{
	writer_put_text(writer, at(field, base));
}

static void write_integer(struct writer *writer, const struct field *field, const void *base)
{
	int64_t value;

	memcpy(&value, at(field, base), sizeof(value));
	writer_put_integer(writer, value);
}

static void write_small(struct writer *writer, const struct field *field, const void *base)
{
	writer_put_integer(writer, field_load_byte(base, field->offset));
}

static void write_bool(struct writer *writer, const struct field *field, const void *base)
{
	writer_put_plain(writer, field_load_byte(base, field->offset) != 0 ? "true" : "false");
}

static void write_quoted(struct writer *writer, const char *word)
{
	writer_put_char(writer, '"');
	writer_put_plain(writer, word);
	writer_put_char(writer, '"');
}

static void write_word(struct writer *writer, const struct field *field, const void *base)
{
	write_quoted(writer, field->words->list[field_load_u32(base, field->offset)]);
}

static void write_half(struct writer *writer, const struct field *field, const void *base)
{
	uint8_t halves = field_load_byte(base, field->offset);

	writer_put_integer(writer, halves / 2);
	if (halves % 2 != 0) {
		writer_put(writer, ".5", 2);
	}
}

static void write_signed(struct writer *writer, const struct field *field, const void *base)
{
	int8_t halves = (int8_t)field_load_byte(base, field->offset);
	unsigned int points = (unsigned int)(halves < 0 ? -halves : halves);

	/* -1 is "-0.5", whose 0 has no sign of its own. */
	writer_put_plain(writer, halves < 0 ? "-" : "");
	writer_put_integer(writer, points / 2);
	if (points % 2 != 0) {
		writer_put(writer, ".5", 2);
	}
}

static void write_milli(struct writer *writer, const struct field *field, const void *base)
{
	int64_t milli;
	char digits[] = ".000";
	int rest;
	size_t length = sizeof(digits) - 1;

	memcpy(&milli, at(field, base), sizeof(milli));
	writer_put_plain(writer, milli < 0 ? "-" : "");
	milli = milli < 0 ? -milli : milli;
	rest = (int)(milli % 1000);
	writer_put_integer(writer, milli / 1000);
	for (int i = 3; i > 0; i--) {
		digits[i] = (char)('0' + rest % 10);
		rest /= 10;
	}
	/* No zero at the end, and no point before nothing. */
	while (digits[length - 1] == '0') {
		length--;
	}
	writer_put(writer, digits, length == 1 ? 0 : length);
}

static void write_squares(struct writer *writer, const struct field *field, const void *base)
{
	const uint8_t *squares = at(field, base);
	size_t count = field->count_offset == NO_COUNT ? field->size
						       : field_load_byte(base, field->count_offset);
	size_t start = writer->length;

	for (size_t i = 0; i < count; i++) {
		writer_put_char(writer, ',');
		writer_put_integer(writer, squares[i]);
	}
	writer_close(writer, start, '[', ']');
}

static void write_object_of(struct writer *writer, const struct field *fields, const void *base)
{
	size_t start = writer->length;

	write_fields(writer, fields, base);
	writer_close(writer, start, '{', '}');
}

static void write_object(struct writer *writer, const struct field *field, const void *base)
{
	write_object_of(writer, field->fields, at(field, base));
}

static const void *pointer_at(const struct field *field, const void *base)
{
	const void *pointer;

	memcpy(&pointer, at(field, base), sizeof(pointer));
	return pointer;
}

static void write_pointer(struct writer *writer, const struct field *field, const void *base)
{
	write_object_of(writer, field->fields, pointer_at(field, base));
}

static void write_behind(struct writer *writer, const struct field *field, const void *base)
{
	write_fields(writer, field->fields, pointer_at(field, base));
}

static void write_elements(
		struct writer *writer, const struct field *element, const void *first, size_t count)
{
	size_t start = writer->length;

	for (size_t i = 0; i < count; i++) {
		writer_put_char(writer, ',');
		write_value(writer, element, (const char *)first + i * element->size);
	}
	writer_close(writer, start, '[', ']');
}

static void write_rows(struct writer *writer, const struct field *field, const void *base)
{
	write_elements(writer, field->element, at(field, base),
			field_load_byte(base, field->count_offset));
}

static size_t list_count(const struct field *field, const void *base)
{
	size_t count;

	memcpy(&count, (const char *)base + field->count_offset, sizeof(count));
	return count;
}

static void write_list(struct writer *writer, const struct field *field, const void *base)
{
	write_elements(writer, field->element, pointer_at(field, base), list_count(field, base));
}

static void write_id_of(struct writer *writer, const struct request_id *id)
{
	if (id->kind == ID_STRING) {
		writer_put_text(writer, id->string);
	} else {
		writer_put_integer(writer, id->integer);
	}
}

static void write_id(struct writer *writer, const struct field *field, const void *base)
{
	write_id_of(writer, at(field, base));
}

static void write_code(struct writer *writer, const struct field *field, const void *base)
{
	write_quoted(writer, code_word((enum code)field_load_u32(base, field->offset)));
}

static void write_request_type(struct writer *writer, const struct field *field, const void *base)
{
	enum request_type type = (enum request_type)field_load_u32(base, field->offset);

	write_quoted(writer, request_row(type)->name);
}

/* One request for help. */
static void write_help_row(struct writer *writer, const struct request_row *row)
{
	size_t start;

	writer_put_plain(writer, ",{\"type\":");
	write_quoted(writer, row->name);
	writer_put_plain(writer, ",\"members\":");
	start = writer->length;
	for (const struct request_member *member = row->members; member->name != NULL; member++) {
		writer_put_plain(writer, ",\"");
		writer_put_plain(writer, member->name);
		writer_put_plain(writer, member->required ? "\"" : "?\"");
	}
	writer_close(writer, start, '[', ']');
	writer_put_plain(writer, ",\"about\":");
	writer_put_text(writer, row->about);
	writer_put_char(writer, '}');
}

static void write_help(struct writer *writer, const struct field *field, const void *base)
{
	const enum request_type *types = pointer_at(field, base);
	size_t count = list_count(field, base);
	size_t start = writer->length;

	for (size_t i = 0; i < count; i++) {
		write_help_row(writer, request_row(types[i]));
	}
	writer_close(writer, start, '[', ']');
}

/* Marks and squares are most of what is written: they go straight into room that was made for all
 * of them. A mark takes four bytes: "X3". */
#define MARK_LENGTH 4

static char *put_mark(char *to, uint8_t mark)
{
	to[0] = '"';
	to[1] = mark % 2 != 0 ? 'X' : 'O';
	to[2] = (char)('0' + mark);
	to[3] = '"';
	return to + MARK_LENGTH;
}

static void write_measured_of(struct writer *writer, const struct measured *measured)
{
	const size_t pair_length = sizeof(",['X3',3]") - 1;
	size_t start = writer->length;
	char *to = writer_room(writer, measured->count * pair_length);

	for (size_t i = 0; i < measured->count; i++) {
		*to++ = ',';
		*to++ = '[';
		to = put_mark(to, measured->mark[i]);
		*to++ = ',';
		*to++ = (char)('0' + measured->square[i]);
		*to++ = ']';
	}
	writer->length += measured->count * pair_length;
	writer_close(writer, start, '[', ']');
}

static void write_measured(struct writer *writer, const struct field *field, const void *base)
{
	write_measured_of(writer, at(field, base));
}

static void write_outcomes(struct writer *writer, const struct field *field, const void *base)
{
	const struct measured *outcomes = at(field, base);

	writer_put_char(writer, '[');
	write_measured_of(writer, &outcomes[0]);
	writer_put_char(writer, ',');
	write_measured_of(writer, &outcomes[1]);
	writer_put_char(writer, ']');
}

static char *put_board_square(char *to, const struct board_square *square)
{
	char *start = to;

	if (square->classical != 0) {
		return put_mark(to, square->classical);
	}
	for (size_t i = 0; i < square->spooky_count; i++) {
		*to++ = ',';
		to = put_mark(to, square->spooky[i]);
	}
	if (to == start) {
		to++;
	}
	*start = '[';
	*to++ = ']';
	return to;
}

static void write_board(struct writer *writer, const struct field *field, const void *base)
{
	/* A square has nine marks at most, each with a comma, and two brackets and a comma. */
	const size_t square_length = 9 * (MARK_LENGTH + 1) + 3;
	const struct board_square *squares = at(field, base);
	size_t start = writer->length;
	char *from = writer_room(writer, 9 * square_length);
	char *to = from;

	for (size_t i = 0; i < 9; i++) {
		*to++ = ',';
		to = put_board_square(to, &squares[i]);
	}
	writer->length += (size_t)(to - from);
	writer_close(writer, start, '[', ']');
}

static void write_constant(struct writer *writer, const struct field *field, const void *base)
{
	(void)base;
	writer_put_plain(writer, field->constant);
}

typedef void (*write_fn)(struct writer *writer, const struct field *field, const void *base);

static const write_fn writes[FIELD_KINDS] = {
		[FIELD_TEXT] = write_text,
		[FIELD_PROSE] = write_text,
		[FIELD_INTEGER] = write_integer,
		[FIELD_SMALL] = write_small,
		[FIELD_BOOL] = write_bool,
		[FIELD_WORD] = write_word,
		[FIELD_HALF] = write_half,
		[FIELD_VALUE] = write_signed,
		[FIELD_MILLI] = write_milli,
		[FIELD_SQUARES] = write_squares,
		[FIELD_OBJECT] = write_object,
		[FIELD_POINTER] = write_pointer,
		[FIELD_BEHIND] = write_behind,
		[FIELD_ROWS] = write_rows,
		[FIELD_LIST] = write_list,
		[FIELD_ID] = write_id,
		[FIELD_CODE] = write_code,
		[FIELD_REQUEST] = write_request_type,
		[FIELD_HELP] = write_help,
		[FIELD_MEASURED] = write_measured,
		[FIELD_BOARD] = write_board,
		[FIELD_OUTCOMES] = write_outcomes,
		[FIELD_CONSTANT] = write_constant,
};

static void write_value(struct writer *writer, const struct field *field, const void *base)
{
	writes[field->kind](writer, field, base);
}

static bool is_there(const struct field *field, const void *base)
{
	switch (field->when) {
	case WHEN_ALWAYS:
		return true;
	case WHEN_TOLD:
	case WHEN_FILLED:
		return field_load_byte(base, field->when_offset) != 0;
	case WHEN_BIT:
		return (field_load_u32(base, field->when_offset) & field->when_bit) != 0;
	case WHEN_CHOSEN:
		return field_load_u32(base, field->when_offset) != 0;
	}
	return true;
}

/* NOLINTNEXTLINE(misc-no-recursion): it goes as deep as the tables nest, not the data. */
static void write_fields(struct writer *writer, const struct field *fields, const void *base)
{
	for (const struct field *field = fields; field->name != NULL; field++) {
		if (field->kind == FIELD_INLINE) {
			write_fields(writer, field->fields, at(field, base));
		} else if (is_there(field, base)) {
			writer_put(writer, field->key, field->key_length);
			write_value(writer, field, base);
		} else if (field->null) {
			writer_put(writer, field->key, field->key_length);
			writer_put(writer, "null", 4);
		}
	}
}

static void write_type(struct writer *writer, const char *word)
{
	writer_init(writer);
	writer_put_plain(writer, "{\"type\":");
	write_quoted(writer, word);
}

static struct bytes *write_end(struct writer *writer)
{
	writer_put_char(writer, '}');
	return writer_take(writer);
}

struct bytes *encode_event(const struct event *event)
{
	struct writer writer;

	write_type(&writer, event_word(event->type));
	write_fields(&writer, schema_events[event->type], event);
	return write_end(&writer);
}

struct bytes *encode_ok(const struct ok *ok)
{
	struct writer writer;
	bool is_hello = ok->to == REQUEST_HELLO;

	write_type(&writer, "ok");
	write_fields(&writer, schema_ok_head, ok);
	if (is_hello) {
		write_fields(&writer, schema_ok_token, ok);
	}
	write_fields(&writer, schema_ok_body, ok);
	if (!is_hello) {
		write_fields(&writer, schema_ok_token, ok);
	}
	return write_end(&writer);
}

struct bytes *encode_error(const struct error *error)
{
	struct writer writer;

	write_type(&writer, "error");
	write_fields(&writer, schema_error, error);
	return write_end(&writer);
}

struct bytes *encode_game(const struct game_row *game)
{
	struct writer writer;

	writer_init(&writer);
	write_object_of(&writer, schema_game, game);
	return writer_take(&writer);
}

struct bytes *encode_player(const struct player_record *record)
{
	struct writer writer;

	writer_init(&writer);
	write_object_of(&writer, schema_player, record);
	return writer_take(&writer);
}

/* Requests, by the table of requests. */

static void write_request_squares(struct writer *writer, const struct request *request)
{
	size_t start = writer->length;

	for (size_t i = 0; i < request->square_count; i++) {
		writer_put_char(writer, ',');
		writer_put_integer(writer, request->squares[i]);
	}
	writer_close(writer, start, '[', ']');
}

static void write_request_mark(struct writer *writer, const struct request *request)
{
	writer_put_char(writer, '"');
	writer_put_plain(writer, seat_word(request->mark_seat));
	writer_put_integer(writer, request->mark_number);
	writer_put_char(writer, '"');
}

static void write_request_clock(struct writer *writer, const struct request *request)
{
	writer_put_plain(writer, "{\"base_ms\":");
	writer_put_integer(writer, request->clock.base_ms);
	writer_put_plain(writer, ",\"increment_ms\":");
	writer_put_integer(writer, request->clock.increment_ms);
	writer_put_char(writer, '}');
}

static void write_action(struct writer *writer, const struct action *action)
{
	size_t start;

	if (action->square_count == 0) {
		writer_put_plain(writer, ",{\"square\":");
		writer_put_integer(writer, action->square);
		writer_put_char(writer, '}');
		return;
	}
	writer_put_plain(writer, ",{\"squares\":");
	start = writer->length;
	for (size_t i = 0; i < action->square_count; i++) {
		writer_put_char(writer, ',');
		writer_put_integer(writer, action->squares[i]);
	}
	writer_close(writer, start, '[', ']');
	writer_put_char(writer, '}');
}

static void write_request_actions(struct writer *writer, const struct request *request)
{
	size_t start = writer->length;

	for (size_t i = 0; i < request->action_count; i++) {
		write_action(writer, &request->actions[i]);
	}
	writer_close(writer, start, '[', ']');
}

static void write_member(struct writer *writer, const struct request_member *member,
		const struct request *request)
{
	struct field field = {.offset = member->offset};

	switch (member->kind) {
	case MEMBER_NAME:
	case MEMBER_TOKEN:
	case MEMBER_ROOM:
	case MEMBER_TITLE:
	case MEMBER_TEXT:
	case MEMBER_WORD:
	case MEMBER_CURSOR:
	case MEMBER_RECORD:
	case MEMBER_WHOM:
		write_text(writer, &field, request);
		break;
	case MEMBER_INTEGER:
	case MEMBER_SQUARE:
	case MEMBER_SPAN:
		write_integer(writer, &field, request);
		break;
	case MEMBER_BOOL:
		write_bool(writer, &field, request);
		break;
	case MEMBER_SIDE:
		field.words = &words_side;
		write_word(writer, &field, request);
		break;
	case MEMBER_MODE:
		field.words = &words_mode;
		write_word(writer, &field, request);
		break;
	case MEMBER_STATUS:
		field.words = &words_status;
		write_word(writer, &field, request);
		break;
	case MEMBER_SQUARES:
		write_request_squares(writer, request);
		break;
	case MEMBER_MARK:
		write_request_mark(writer, request);
		break;
	case MEMBER_CLOCK:
		write_request_clock(writer, request);
		break;
	case MEMBER_ACTIONS:
		write_request_actions(writer, request);
		break;
	}
}

struct bytes *encode_request(const struct request *request)
{
	const struct request_row *row = request_row(request->type);
	struct writer writer;

	write_type(&writer, row->name);
	if (request->id.kind != ID_NONE) {
		writer_put_plain(&writer, ",\"id\":");
		write_id_of(&writer, &request->id);
	}
	for (const struct request_member *member = row->members; member->name != NULL; member++) {
		if (member->required || (request->has & member->has) != 0) {
			writer_put_plain(&writer, ",\"");
			writer_put_plain(&writer, member->name);
			writer_put_plain(&writer, "\":");
			write_member(&writer, member, request);
		}
	}
	return write_end(&writer);
}
