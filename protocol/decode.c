#include "protocol/decode.h"

#include <jansson.h>
#include <string.h>
#include <utf8proc.h>

#include "protocol/member.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

/* Levels of brackets outside strings. Looked at before parsing: the library's own bound is its own.
 */
static bool is_too_deep(const char *line, size_t length)
{
	size_t depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < length; i++) {
		char character = line[i];

		if (character == '"') {
			in_string = !in_string;
		} else if (in_string) {
			i += character == '\\' ? 1 : 0;
		} else if (character == '{' || character == '[') {
			depth++;
			if (depth > LIMIT_DEPTH) {
				return true;
			}
		} else if ((character == '}' || character == ']') && depth > 0) {
			depth--;
		}
	}
	return false;
}

/* One or two integers; returns how many, 0 for anything else. */
static size_t read_squares(const json_t *value, int64_t ret_squares[2])
{
	size_t count = json_array_size(value);

	if (count < 1 || count > 2) {
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		const json_t *square = json_array_get(value, i);

		if (!json_is_integer(square)) {
			return 0;
		}
		ret_squares[i] = json_integer_value(square);
	}
	return count;
}

static bool set_squares(const json_t *value, struct request *request)
{
	size_t count = read_squares(value, request->squares);

	request->square_count = (uint8_t)count;
	request->has |= HAS_SQUARES;
	return count > 0;
}

static bool is_given(const json_t *value)
{
	return value != NULL && !json_is_null(value);
}

static bool add_action(const json_t *value, struct request *request)
{
	const json_t *moved = json_object_get(value, "squares");
	const json_t *measured = json_object_get(value, "square");
	int64_t squares[2];
	size_t count = 0;

	if (is_given(moved) == is_given(measured)) {
		return false;
	}
	if (is_given(moved)) {
		count = read_squares(moved, squares);
		if (count == 0) {
			return false;
		}
	} else if (json_is_integer(measured)) {
		squares[0] = json_integer_value(measured);
	} else {
		return false;
	}
	member_add_action(request, count, squares);
	return true;
}

static bool set_actions(const struct request_member *member, const json_t *value,
		struct request *request, struct error *error)
{
	if (!json_is_array(value)) {
		return member_refuse_kind(error, member);
	}
	for (size_t i = 0; i < json_array_size(value); i++) {
		if (!add_action(json_array_get(value, i), request)) {
			return member_refuse_action(error, member, i + 1);
		}
	}
	request->has |= member->has;
	return true;
}

static bool set_clock(const struct request_member *member, const json_t *value,
		struct request *request, struct error *error)
{
	const json_t *base = json_object_get(value, "base_ms");
	const json_t *increment = json_object_get(value, "increment_ms");
	bool has_increment = increment != NULL && !json_is_null(increment);

	if (!json_is_integer(base) || (has_increment && !json_is_integer(increment))) {
		return member_refuse_kind(error, member);
	}
	return member_set_clock(member, json_integer_value(base), json_integer_value(increment),
			request, error);
}

static bool set_member(const struct request_member *member, const json_t *value,
		struct request *request, struct error *error)
{
	if (json_is_string(value) && member_is_text(member)) {
		return member_set_text(member, json_string_value(value), json_string_length(value),
				request, error);
	}
	if (json_is_integer(value) &&
			(member->kind == MEMBER_INTEGER || member->kind == MEMBER_SQUARE ||
					member->kind == MEMBER_SPAN)) {
		return member_set_integer(member, json_integer_value(value), request, error);
	}
	if (json_is_boolean(value) && member->kind == MEMBER_BOOL) {
		member_set_bool(member, json_is_true(value), request);
		return true;
	}
	if (json_is_string(value) && member->kind != MEMBER_BOOL &&
			member->kind != MEMBER_ACTIONS) {
		return member_set_word(member, json_string_value(value), json_string_length(value),
				false, request, error);
	}
	if (member->kind == MEMBER_ACTIONS) {
		return set_actions(member, value, request, error);
	}
	if (member->kind == MEMBER_SQUARES && set_squares(value, request)) {
		return true;
	}
	if (member->kind == MEMBER_CLOCK && json_is_object(value)) {
		return set_clock(member, value, request, error);
	}
	return member_refuse_kind(error, member);
}

/* The id, absent or not; false if it can't be one. */
static bool read_id(const json_t *object, struct request_id *id)
{
	const json_t *value = json_object_get(object, "id");

	if (value == NULL || json_is_null(value)) {
		return true;
	}
	if (json_is_integer(value)) {
		id->kind = ID_INTEGER;
		id->integer = json_integer_value(value);
		return true;
	}
	return json_is_string(value) &&
	       member_set_id_text(json_string_value(value), json_string_length(value), id);
}

/* The type's row; NULL with the error filled in if there is none. */
static const struct request_row *read_type(bool is_operator, const json_t *object,
		struct request *request, struct error *error)
{
	const json_t *value = json_object_get(object, "type");
	const char *word = json_string_value(value);
	const struct request_row *row;

	if (word == NULL) {
		member_refuse(error, CODE_BAD_REQUEST, "type",
				_("\"type\" must name the request."));
		return NULL;
	}
	memcpy(error->to, word, text_cut(word, strlen(word), sizeof(error->to) - 1));
	request->type = request_type_for(is_operator, word, strlen(word));
	row = request->type == REQUEST_COUNT ? NULL : request_row(request->type);
	if (row == NULL || strcmp(row->name, word) != 0) {
		member_refuse(error, CODE_UNKNOWN_TYPE, "", "%s",
				_(code_sentence(CODE_UNKNOWN_TYPE)));
		return NULL;
	}
	return row;
}

static bool read_request(bool is_operator, const json_t *object, struct request *request,
		struct error *error)
{
	bool id_fits = read_id(object, &request->id);
	const struct request_member *missing;
	const struct request_row *row;

	error->re = request->id;
	row = read_type(is_operator, object, request, error);
	if (!id_fits) {
		return member_refuse(error, CODE_BAD_REQUEST, "id",
				_("\"id\" must be an integer or a string of at most %d bytes."),
				LIMIT_ID_BYTES);
	}
	if (row == NULL) {
		return false;
	}
	for (const struct request_member *member = row->members; member->name != NULL; member++) {
		const json_t *value = json_object_get(object, member->name);

		if (is_given(value) && !set_member(member, value, request, error)) {
			return false;
		}
	}
	missing = member_missing(row, request);
	return missing == NULL ||
	       member_refuse(error, CODE_BAD_REQUEST, missing->name, _("\"%s\" needs \"%s\"."),
			       row->name, missing->name);
}

static bool decode_json(bool is_operator, const char *line, size_t length, struct request *request,
		struct error *error)
{
	json_t *object;
	bool done;

	if (is_too_deep(line, length)) {
		return member_refuse(error, CODE_BAD_JSON, "",
				_("A line may be nested %d levels deep at most."), LIMIT_DEPTH);
	}
	object = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
	if (object == NULL) {
		return member_refuse(
				error, CODE_BAD_JSON, "", "%s", _(code_sentence(CODE_BAD_JSON)));
	}
	done = read_request(is_operator, object, request, error);
	json_decref(object);
	return done;
}

/* Does a line that begins so stand for words? Letters and digits of any script do: a request
 * that does not exist is a kinder answer than bad JSON. */
static bool begins_word(const char *line, size_t length)
{
	int32_t codepoint;
	utf8proc_category_t category;

	if (utf8proc_iterate((const utf8proc_uint8_t *)line, (utf8proc_ssize_t)length,
			    &codepoint) <= 0) {
		return false;
	}
	category = utf8proc_category(codepoint);
	return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
	       category == UTF8PROC_CATEGORY_ND;
}

static bool decode_for(bool is_operator, const char *line, size_t length, struct request *ret,
		struct error *ret_error)
{
	struct request request = {0};
	struct error error = {0};
	bool done = false;

	while (length > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		length--;
	}
	if (length > 0 && *line == '{') {
		done = decode_request_plain(is_operator, line, length, &request, &error);
		if (!done) {
			request = (struct request){0};
			error = (struct error){0};
			done = decode_json(is_operator, line, length, &request, &error);
		}
	} else if (length > 0 && begins_word(line, length)) {
		done = decode_request_words(is_operator, line, length, &request, &error);
	} else {
		member_refuse(&error, CODE_BAD_JSON, "", "%s", _(code_sentence(CODE_BAD_JSON)));
	}
	if (done) {
		*ret = request;
	} else {
		*ret_error = error;
	}
	return done;
}

bool decode_request(const char *line, size_t length, struct request *ret, struct error *ret_error)
{
	return decode_for(false, line, length, ret, ret_error);
}

bool decode_operator_request(
		const char *line, size_t length, struct request *ret, struct error *ret_error)
{
	return decode_for(true, line, length, ret, ret_error);
}
