/* The shorthand: a line of words that stands for one request. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/member.h"
#include "protocol/phrase.h"
#include "protocol/text.h"
#include "protocol/words.h"
#include "protocol/writer.h"

struct word {
	const char *text;
	size_t length;
};

struct reading {
	const struct request_row *row;
	const char *rest; /* what was not read yet, up to `end` */
	const char *end;
	unsigned int seen; /* bits of the row's members, by their place */
	bool has_id;
	struct request *request;
	struct error *error;
};

static bool is_blank(char character)
{
	return character == ' ' || character == '\t';
}

static bool next_word(const char **rest, const char *end, struct word *ret)
{
	const char *at = *rest;

	while (at < end && is_blank(*at)) {
		at++;
	}
	ret->text = at;
	while (at < end && !is_blank(*at)) {
		at++;
	}
	ret->length = (size_t)(at - ret->text);
	*rest = at;
	return ret->length > 0;
}

/* All from `start` to the line's end, without the blanks around it. */
static struct word take_rest(struct reading *reading, const char *start)
{
	const char *end = reading->end;

	while (start < end && is_blank(*start)) {
		start++;
	}
	while (start < end && is_blank(end[-1])) {
		end--;
	}
	reading->rest = reading->end;
	return (struct word){start, (size_t)(end - start)};
}

/* The integer at the front of text[0..length), as many bytes as it has; 0 if there is none. */
static size_t integer_span(const char *text, size_t length, int64_t *ret_value)
{
	char digits[24];
	size_t span = length > 0 && text[0] == '-' ? 1 : 0;
	size_t first = span;

	while (span < length && text[span] >= '0' && text[span] <= '9') {
		span++;
	}
	if (span == first || span >= sizeof(digits)) {
		return 0;
	}
	memcpy(digits, text, span);
	digits[span] = '\0';
	errno = 0;
	*ret_value = strtoll(digits, NULL, 10);
	return errno == 0 ? span : 0;
}

static bool is_integer(const char *text, size_t length, int64_t *ret_value)
{
	return length > 0 && integer_span(text, length, ret_value) == length;
}

/* What would fit. */

static const char *example_of(enum member_kind kind)
{
	static const char *const examples[MEMBER_KINDS] = {
			[MEMBER_BOOL] = N_(" (yes or no)"),
			[MEMBER_STATUS] = " (waiting, playing, over)",
			[MEMBER_MODE] = " (on, off, only)",
			[MEMBER_SQUARES] = " (1 5)",
			[MEMBER_SQUARE] = " (5)",
			[MEMBER_CLOCK] = " (3+2)",
			[MEMBER_SPAN] = " (2h)",
	};

	return examples[kind] == NULL ? "" : _(examples[kind]);
}

static void put_hint(struct writer *hints, const struct request_member *member)
{
	writer_put_plain(hints, hints->length > 0 ? ", " : "");
	if (member->positional) {
		writer_put_plain(hints, member->name);
		writer_put_plain(hints, example_of(member->kind));
	} else if (member->kind == MEMBER_SIDE) {
		writer_put_plain(hints, _("X or O"));
	} else {
		writer_put_plain(hints, member->name);
		writer_put_plain(hints, member->kind == MEMBER_BOOL ? "" : "=…");
	}
}

/* bad_request with the words that the request takes. */
static bool refuse_word(struct reading *reading, const char *field)
{
	struct writer hints;

	writer_init(&hints);
	for (const struct request_member *member = reading->row->members; member->name != NULL;
			member++) {
		put_hint(&hints, member);
		if (member->kind == MEMBER_TEXT) {
			break; /* it takes all that follows */
		}
	}
	if (hints.length == 0) {
		member_refuse(reading->error, CODE_BAD_REQUEST, field,
				_("\"%s\" takes nothing else."), reading->row->name);
	} else {
		writer_put(&hints, "", sizeof(""));
		member_refuse(reading->error, CODE_BAD_REQUEST, field, _("\"%s\" takes %s."),
				reading->row->name, hints.data);
	}
	writer_fini(&hints);
	return false;
}

/* Values. */

/* `1-5`, `1 5` or `5`: the second square may be the next word. */
static bool set_squares(struct reading *reading, struct word value)
{
	struct request *request = reading->request;
	size_t span = integer_span(value.text, value.length, &request->squares[0]);
	const char *rest = reading->rest;
	struct word next;

	if (span == 0) {
		return false;
	}
	request->square_count = 1;
	request->has |= HAS_SQUARES;
	if (span < value.length) {
		request->square_count = 2;
		return value.text[span] == '-' &&
		       is_integer(value.text + span + 1, value.length - span - 1,
				       &request->squares[1]);
	}
	if (next_word(&rest, reading->end, &next) &&
			is_integer(next.text, next.length, &request->squares[1])) {
		request->square_count = 2;
		reading->rest = rest;
	}
	return true;
}

/* One of `1-5,1-5,5`: a move or a measurement. */
static bool add_action(struct reading *reading, struct word word)
{
	int64_t squares[2];
	size_t span = integer_span(word.text, word.length, &squares[0]);
	bool moves = span > 0 && span < word.length;

	if (span == 0 ||
			(moves && (word.text[span] != '-' || !is_integer(word.text + span + 1,
									     word.length - span - 1,
									     &squares[1])))) {
		return false;
	}
	member_add_action(reading->request, moves ? 2 : 0, squares);
	return true;
}

static bool set_actions(
		struct reading *reading, const struct request_member *member, struct word value)
{
	const char *end = value.text + value.length;
	const char *at = value.text;

	for (size_t count = 1; at <= end && value.length > 0; count++) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma == NULL ? end : comma;

		if (!add_action(reading, (struct word){at, (size_t)(stop - at)})) {
			return member_refuse_action(reading->error, member, count);
		}
		at = stop + 1;
	}
	reading->request->has |= member->has;
	return true;
}

/* In words there is no JSON to choose. */
static bool refuse_clock(struct reading *reading, const struct request_member *member)
{
	static_assert(LIMIT_CLOCK_BASE_MS == 1440 * 60000, "as the sentence says");
	static_assert(LIMIT_CLOCK_INCREMENT_MS == 300 * 1000, "as the sentence says");
	return member_refuse(reading->error, CODE_BAD_REQUEST, member->name,
			_("\"%s\" must be whole minutes + seconds a move, 1+0 to 1440+300."),
			member->name);
}

static bool set_value(
		struct reading *reading, const struct request_member *member, struct word value)
{
	int64_t integer;

	if (member_is_text(member)) {
		return member_set_text(
				member, value.text, value.length, reading->request, reading->error);
	}
	if (member->kind == MEMBER_INTEGER || member->kind == MEMBER_SQUARE) {
		return is_integer(value.text, value.length, &integer)
				       ? member_set_integer(member, integer, reading->request,
							 reading->error)
				       : member_refuse_kind(reading->error, member);
	}
	if (member->kind == MEMBER_SQUARES) {
		return set_squares(reading, value) || member_refuse_kind(reading->error, member);
	}
	if (member->kind == MEMBER_ACTIONS) {
		return set_actions(reading, member, value);
	}
	return member_set_word(member, value.text, value.length, true, reading->request,
			       reading->error) ||
	       (member->kind == MEMBER_CLOCK && refuse_clock(reading, member));
}

/* Which member a word is for. */

static const struct request_member *find_member(
		const struct request_row *row, const char *text, size_t length)
{
	for (const struct request_member *member = row->members; member->name != NULL; member++) {
		if (words_same(member->name, text, length)) {
			return member;
		}
	}
	return NULL;
}

static const struct request_member *find_kind(const struct request_row *row, enum member_kind kind)
{
	for (const struct request_member *member = row->members; member->name != NULL; member++) {
		if (member->kind == kind) {
			return member;
		}
	}
	return NULL;
}

static bool takes_rest(const struct request_member *member)
{
	return member->kind == MEMBER_TITLE || member->kind == MEMBER_TEXT ||
	       member->kind == MEMBER_RECORD;
}

/* The first positional member that was not yet given. */
static const struct request_member *next_positional(const struct reading *reading)
{
	const struct request_member *members = reading->row->members;

	for (size_t i = 0; members[i].name != NULL; i++) {
		if (members[i].positional && (reading->seen & (1U << i)) == 0) {
			return &members[i];
		}
	}
	return NULL;
}

/* Note that the member is given; false if it was before. */
static bool see(struct reading *reading, const struct request_member *member)
{
	unsigned int bit = 1U << (member - reading->row->members);

	if ((reading->seen & bit) != 0) {
		return member_refuse(reading->error, CODE_BAD_REQUEST, member->name,
				_("\"%s\" is given twice."), member->name);
	}
	reading->seen |= bit;
	return true;
}

static bool take_named(struct reading *reading, struct word word, const char *equals)
{
	const struct request_member *member =
			find_member(reading->row, word.text, (size_t)(equals - word.text));
	struct word value = {equals + 1, (size_t)(word.text + word.length - equals) - 1};

	if (member == NULL) {
		return refuse_word(reading, "");
	}
	if (takes_rest(member)) {
		value = take_rest(reading, value.text);
	}
	return see(reading, member) && set_value(reading, member, value);
}

static bool take_positional(struct reading *reading, struct word word)
{
	const struct request_member *member = next_positional(reading);

	if (member == NULL) {
		return refuse_word(reading, "");
	}
	reading->seen |= 1U << (member - reading->row->members);
	if (set_value(reading, member, word)) {
		return true;
	}
	/* The place of a word says little to who mistyped it: tell all that would fit. */
	return reading->error->code == CODE_BAD_REQUEST ? refuse_word(reading, member->name)
							: false;
}

static bool take_bare(struct reading *reading, struct word word)
{
	const struct request_member *member = find_member(reading->row, word.text, word.length);
	const struct request_member *side = find_kind(reading->row, MEMBER_SIDE);

	if (member != NULL && member->kind == MEMBER_BOOL) {
		member_set_bool(member, true, reading->request);
		return see(reading, member);
	}
	if (side != NULL &&
			words_find(&words_seat, word.text, word.length, true) != words_seat.count) {
		return see(reading, side) && set_value(reading, side, word);
	}
	return take_positional(reading, word);
}

/* The id, which is read first so that every refusal can give it back. */

static bool is_id(struct word word)
{
	return word.length >= 3 && words_same("id=", word.text, 3);
}

/* An operator may name members, and the id, before his text; to others the whole line is text,
 * whatever it says. */
static bool is_named_before_text(const struct request_row *row, struct word word)
{
	const char *equals = memchr(word.text, '=', word.length);

	bool names_member = equals != NULL &&
			    find_member(row, word.text, (size_t)(equals - word.text)) != NULL;

	return row->is_operators && (names_member || is_id(word));
}

/* `title=` and `record=` end the search: what follows is text. */
static bool begins_text(const struct request_row *row, struct word word)
{
	const char *equals = memchr(word.text, '=', word.length);
	const struct request_member *member =
			row == NULL || equals == NULL
					? NULL
					: find_member(row, word.text, (size_t)(equals - word.text));

	return member != NULL && takes_rest(member);
}

/* An id that looks like an integer is one, if it comes back as it was typed ("007" would not). */
static bool set_id(struct word word, struct request_id *id)
{
	const char *text = word.text + 3;
	size_t length = word.length - 3;
	size_t sign = length > 0 && text[0] == '-' ? 1 : 0;
	bool canonical = length > sign && (text[sign] != '0' || length == 1);

	if (canonical && is_integer(text, length, &id->integer)) {
		id->kind = ID_INTEGER;
		return true;
	}
	return member_set_id_text(text, length, id);
}

/* Is it a word of the text which takes the rest of the line? */
static bool is_text(const struct request_row *row, struct word word)
{
	const struct request_member *text = row == NULL ? NULL : find_kind(row, MEMBER_TEXT);

	return text != NULL && text->positional && !is_named_before_text(row, word);
}

static bool find_id(const struct reading *reading, struct request_id *id)
{
	const char *rest = reading->rest;
	struct word word;

	while (next_word(&rest, reading->end, &word) && !begins_text(reading->row, word) &&
			!is_text(reading->row, word)) {
		if (is_id(word)) {
			return set_id(word, id);
		}
	}
	return true;
}

/* The line. */

static bool take_word(struct reading *reading, struct word word)
{
	const struct request_member *positional = next_positional(reading);
	const char *equals = memchr(word.text, '=', word.length);

	if (positional != NULL && positional->kind == MEMBER_TEXT &&
			!is_named_before_text(reading->row, word)) {
		return take_positional(reading, take_rest(reading, word.text));
	}
	if (is_id(word)) {
		if (reading->has_id) {
			return member_refuse(reading->error, CODE_BAD_REQUEST, "id",
					_("\"id\" is given twice."));
		}
		reading->has_id = true;
		return true;
	}
	if (equals != NULL) {
		return take_named(reading, word, equals);
	}
	return take_bare(reading, word);
}

bool decode_request_words(bool is_operator, const char *line, size_t length,
		struct request *request, struct error *error)
{
	struct reading reading = {
			.rest = line, .end = line + length, .request = request, .error = error};
	const struct request_member *missing;
	struct word word;
	bool id_fits;

	next_word(&reading.rest, reading.end, &word);
	request->type = request_type_for(is_operator, word.text, word.length);
	if (request->type != REQUEST_COUNT) {
		reading.row = request_row(request->type);
		snprintf(error->to, sizeof(error->to), "%s", reading.row->name);
	} else {
		memcpy(error->to, word.text,
				text_cut(word.text, word.length, sizeof(error->to) - 1));
	}
	id_fits = find_id(&reading, &request->id);
	error->re = request->id;
	if (!id_fits) {
		return member_refuse(error, CODE_BAD_REQUEST, "id",
				_("\"id\" must be an integer or a string of at most %d bytes."),
				LIMIT_ID_BYTES);
	}
	if (reading.row == NULL) {
		return member_refuse(error, CODE_UNKNOWN_TYPE, "", "%s",
				_(code_sentence(CODE_UNKNOWN_TYPE)));
	}
	while (next_word(&reading.rest, reading.end, &word)) {
		if (!take_word(&reading, word)) {
			return false;
		}
	}
	missing = member_missing(reading.row, request);
	return missing == NULL || refuse_word(&reading, missing->name);
}
