/* Requests as programs write them, read in one go: an object that begins with its type, whose
 * members are the request's own, each once, with texts without escapes, short integers, bools and
 * squares. For whatever else there is, and for every refusal, the thorough decoder is asked: so
 * this one need only be right where it says yes. */
#include <string.h>

#include "protocol/member.h"

/* More digits may not fit into 64 bits. */
#define DIGITS_MAX 18

struct reader {
	const char *at;
	const char *end;
};

static void skip_blanks(struct reader *reader)
{
	while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t')) {
		reader->at++;
	}
}

/* What a value is shows in its first character: once that was taken for one thing, no other may be
 * tried where the reading of it ended. */
static bool is_string_next(struct reader *reader)
{
	skip_blanks(reader);
	return reader->at < reader->end && *reader->at == '"';
}

static bool take(struct reader *reader, char character)
{
	skip_blanks(reader);
	if (reader->at == reader->end || *reader->at != character) {
		return false;
	}
	reader->at++;
	return true;
}

static bool take_word(struct reader *reader, const char *word)
{
	const size_t length = strlen(word);

	skip_blanks(reader);
	if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0) {
		return false;
	}
	reader->at += length;
	return true;
}

static bool take_string(struct reader *reader, const char **ret_text, size_t *ret_length)
{
	const char *start;

	if (!take(reader, '"')) {
		return false;
	}
	start = reader->at;
	while (reader->at < reader->end && *reader->at != '"') {
		if (*reader->at == '\\' || (unsigned char)*reader->at < ' ') {
			return false;
		}
		reader->at++;
	}
	*ret_text = start;
	*ret_length = (size_t)(reader->at - start);
	return take(reader, '"');
}

static bool take_integer(struct reader *reader, int64_t *ret_value)
{
	const char *start;
	int64_t value = 0;

	skip_blanks(reader);
	start = reader->at;
	while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') {
		if (reader->at - start == DIGITS_MAX) {
			return false;
		}
		value = 10 * value + (*reader->at - '0');
		reader->at++;
	}
	*ret_value = value;
	/* No digit, or a zero before others, which is not JSON. */
	return reader->at > start && (*start != '0' || reader->at == start + 1);
}

static bool take_squares(struct reader *reader, struct request *request)
{
	if (!take(reader, '[') || !take_integer(reader, &request->squares[0])) {
		return false;
	}
	request->square_count = 1;
	if (take(reader, ',')) {
		if (!take_integer(reader, &request->squares[1])) {
			return false;
		}
		request->square_count = 2;
	}
	request->has |= HAS_SQUARES;
	return take(reader, ']');
}

static bool take_text(struct reader *reader, const struct request_member *member,
		struct request *request, struct error *error)
{
	const char *text = NULL;
	size_t length = 0;

	if (member->kind == MEMBER_BOOL || !take_string(reader, &text, &length)) {
		return false;
	}
	if (member_is_text(member)) {
		return member_set_text(member, text, length, request, error);
	}
	return member_set_word(member, text, length, false, request, error);
}

static bool take_value(struct reader *reader, const struct request_member *member,
		struct request *request, struct error *error)
{
	int64_t value = 0;

	if (member->kind == MEMBER_SQUARES) {
		return take_squares(reader, request);
	}
	if (member->kind == MEMBER_BOOL) {
		const bool is_true = take_word(reader, "true");

		if (!is_true && !take_word(reader, "false")) {
			return false;
		}
		member_set_bool(member, is_true, request);
		return true;
	}
	if (is_string_next(reader)) {
		return take_text(reader, member, request, error);
	}
	return (member->kind == MEMBER_INTEGER || member->kind == MEMBER_SQUARE) &&
	       take_integer(reader, &value) && member_set_integer(member, value, request, error);
}

static bool take_id(struct reader *reader, struct request_id *id)
{
	const char *text = NULL;
	size_t length = 0;

	if (id->kind != ID_NONE) {
		return false;
	}
	if (is_string_next(reader)) {
		return take_string(reader, &text, &length) && member_set_id_text(text, length, id);
	}
	id->kind = ID_INTEGER;
	return take_integer(reader, &id->integer);
}

/* The member of that name if it has not come yet. */
static const struct request_member *find_member(const struct request_row *row,
		const struct request *request, const char *name, size_t length)
{
	for (const struct request_member *member = row->members; member->name != NULL; member++) {
		if (strncmp(member->name, name, length) == 0 && member->name[length] == '\0') {
			return (request->has & member->has) == 0 ? member : NULL;
		}
	}
	return NULL;
}

static bool take_member(struct reader *reader, const struct request_row *row,
		struct request *request, struct error *error)
{
	const struct request_member *member;
	const char *name = NULL;
	size_t length = 0;

	if (!take_string(reader, &name, &length) || !take(reader, ':')) {
		return false;
	}
	if (length == 2 && memcmp(name, "id", 2) == 0) {
		return take_id(reader, &request->id);
	}
	member = find_member(row, request, name, length);
	return member != NULL && take_value(reader, member, request, error);
}

static const struct request_row *take_type(
		struct reader *reader, bool is_operator, struct request *request)
{
	const struct request_row *row;
	const char *type = NULL;
	size_t length = 0;

	if (!take(reader, '{') || !take_word(reader, "\"type\"") || !take(reader, ':') ||
			!take_string(reader, &type, &length)) {
		return NULL;
	}
	request->type = request_type_for(is_operator, type, length);
	if (request->type == REQUEST_COUNT) {
		return NULL;
	}
	row = request_row(request->type);
	/* Types are found in any case, for words; JSON has them as they are. */
	return strlen(row->name) == length && memcmp(row->name, type, length) == 0 ? row : NULL;
}

bool decode_request_plain(bool is_operator, const char *line, size_t length,
		struct request *request, struct error *error)
{
	struct reader reader = {line, line + length};
	const struct request_row *row = take_type(&reader, is_operator, request);

	if (row == NULL) {
		return false;
	}
	while (take(&reader, ',')) {
		if (!take_member(&reader, row, request, error)) {
			return false;
		}
	}
	return take(&reader, '}') && reader.at == reader.end &&
	       member_missing(row, request) == NULL;
}
