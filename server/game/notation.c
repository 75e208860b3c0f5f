#include "server/game/notation.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a number too large for any move, mark or square is read as. */
#define NUMBER_MAX 99
/* A mark that nobody can own, such as X0 or O3; an action's own 0 means the closing mark. */
#define NO_MARK (-1)

/* By half points. */
static const char *const scores[] = {"0", "0.5", "1", "1.5", "2"};

static const char *const refusals[] = {
		[RULES_FINE] = "",
		[RULES_GAME_OVER] = "The game is over.",
		[RULES_NOT_YOUR_TURN] = "It is the other player's turn.",
		[RULES_COLLAPSE_FIRST] = "A cycle is closed: it must be measured first.",
		[RULES_NOTHING_TO_COLLAPSE] = "There is no cycle to measure.",
		[RULES_BAD_SQUARE] = "Squares are 1 to 9.",
		[RULES_SAME_SQUARE] = "The two squares must be different.",
		[RULES_SQUARE_TAKEN] = "That square holds a classical mark.",
		[RULES_NOT_A_CHOICE] = "That is not a mark on the cycle with one of its squares.",
};

/* Reading. */

struct reader {
	const char *text;
	size_t length;
	size_t at; /* from 0 */
	struct notation_record *record;
	struct notation_error *error;
};

/* One item as it is written, not yet judged. */
struct item {
	int number;
	enum rules_player player;
	struct rules_action action;
};

static bool fail(struct reader *reader, size_t at, enum rules_refusal refusal, const char *message)
{
	*reader->error = (struct notation_error){.at = at + 1,
			.item = reader->record->count,
			.refusal = refusal,
			.message = message};
	return false;
}

static bool fail_here(struct reader *reader, const char *message)
{
	return fail(reader, reader->at, RULES_FINE, message);
}

static bool at_end(const struct reader *reader)
{
	return reader->at == reader->length;
}

/* The next character; NUL at the end, which is as unwelcome as a NUL in the text. */
static char peek(const struct reader *reader)
{
	if (at_end(reader)) {
		return '\0';
	}
	return reader->text[reader->at];
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool accept(struct reader *reader, char c)
{
	if (at_end(reader) || peek(reader) != c) {
		return false;
	}
	reader->at++;
	return true;
}

static bool expect(struct reader *reader, char c, const char *message)
{
	return accept(reader, c) || fail_here(reader, message);
}

static void skip_blanks(struct reader *reader)
{
	while (accept(reader, ' ') || accept(reader, '\t') || accept(reader, '\r') ||
			accept(reader, '\n')) {
	}
}

/* A number has no leading zero, so that there is one way to write it. */
static bool read_number(struct reader *reader, const char *message, int *ret)
{
	int number = 0;

	if (!is_digit(peek(reader))) {
		return fail_here(reader, message);
	}
	if (!accept(reader, '0')) {
		for (; is_digit(peek(reader)); reader->at++) {
			number = number * 10 + (peek(reader) - '0');
			number = number > NUMBER_MAX ? NUMBER_MAX : number;
		}
	}
	*ret = number;
	return true;
}

static bool read_player(struct reader *reader, enum rules_player *ret)
{
	if (accept(reader, 'X')) {
		*ret = RULES_X;
		return true;
	}
	*ret = RULES_O;
	return expect(reader, 'O', "X or O is expected here.");
}

static bool read_square(struct reader *reader, int *ret)
{
	return read_number(reader, "A square's number is expected here.", ret);
}

static bool read_mark(struct reader *reader, int *ret)
{
	enum rules_player owner;
	int mark;

	if (!read_player(reader, &owner) ||
			!read_number(reader, "A mark's number is expected here.", &mark)) {
		return false;
	}
	*ret = rules_owner(mark) == owner ? mark : NO_MARK;
	return true;
}

static bool read_place(struct reader *reader, struct rules_action *ret)
{
	return read_square(reader, &ret->squares[0]) &&
	       expect(reader, '-', "A '-' is expected here.") &&
	       read_square(reader, &ret->squares[1]);
}

static bool read_measure(struct reader *reader, struct rules_action *ret)
{
	return read_mark(reader, &ret->mark) && expect(reader, '(', "A '(' is expected here.") &&
	       read_square(reader, &ret->squares[0]) &&
	       expect(reader, ')', "A ')' is expected here.");
}

static bool read_item(struct reader *reader, struct item *ret)
{
	*ret = (struct item){.action.kind = RULES_PLACE};
	if (!read_number(reader, "A move's number is expected here.", &ret->number)) {
		return false;
	}
	if (accept(reader, 'c')) {
		ret->action.kind = RULES_MEASURE;
	}
	return expect(reader, ':', "A ':' is expected here.") &&
	       read_player(reader, &ret->player) &&
	       expect(reader, '(', "A '(' is expected here.") &&
	       (ret->action.kind == RULES_PLACE ? read_place(reader, &ret->action)
						: read_measure(reader, &ret->action)) &&
	       expect(reader, ')', "A ')' is expected here.");
}

/* A measurement bears the number of the move that closed the cycle, which is the last one made. */
static bool play_item(struct reader *reader, size_t start, const struct item *item)
{
	struct notation_record *record = reader->record;
	int expected = record->state.moves + (item->action.kind == RULES_PLACE);
	enum rules_refusal refusal;

	if (item->number != expected) {
		return fail(reader, start, RULES_FINE, "This is not the number that comes next.");
	}
	refusal = rules_apply(&record->state, item->player, &item->action);
	if (refusal != RULES_FINE) {
		return fail(reader, start, refusal, refusals[refusal]);
	}
	assert(record->count < RULES_GAME_MAX);
	record->actions[record->count++] = item->action;
	return true;
}

static bool read_points(struct reader *reader, char letter, int half_points)
{
	const char *points = scores[half_points];
	size_t start;

	if (!expect(reader, letter, "The score has the form X(1)-O(0.5).") ||
			!expect(reader, '(', "A '(' is expected here.")) {
		return false;
	}
	start = reader->at;
	while (is_digit(peek(reader)) || peek(reader) == '.') {
		reader->at++;
	}
	if (reader->at - start != strlen(points) ||
			memcmp(reader->text + start, points, strlen(points)) != 0) {
		return fail(reader, start, RULES_FINE, "This is not the score of the game.");
	}
	return expect(reader, ')', "A ')' is expected here.");
}

/* What follows the "::" of a finished game. */
static bool read_score(struct reader *reader)
{
	int half_points_x;
	int half_points_o;

	rules_score(&reader->record->state, &half_points_x, &half_points_o);
	if (!read_points(reader, 'X', half_points_x) ||
			!expect(reader, '-', "A '-' is expected here.") ||
			!read_points(reader, 'O', half_points_o)) {
		return false;
	}
	skip_blanks(reader);
	return at_end(reader) || fail_here(reader, "Nothing may follow the score.");
}

static bool read_items(struct reader *reader)
{
	do {
		struct item item;
		size_t start;

		skip_blanks(reader);
		start = reader->at;
		if (!read_item(reader, &item) || !play_item(reader, start, &item)) {
			return false;
		}
		skip_blanks(reader);
	} while (accept(reader, ','));
	return true;
}

/* A record may be cut after any item, so the score is never missed; but where it is, it is right.
 */
static bool read_end(struct reader *reader)
{
	if (at_end(reader)) {
		return true;
	}
	if (reader->length - reader->at < 2 || memcmp(reader->text + reader->at, "::", 2) != 0) {
		return fail_here(reader, "A ',' or the score is expected here.");
	}
	if (rules_phase(&reader->record->state) != RULES_OVER) {
		return fail_here(reader, "The game is not over yet.");
	}
	reader->at += 2;
	return read_score(reader);
}

bool notation_read(const char *text, size_t length, struct notation_record *ret,
		struct notation_error *ret_error)
{
	struct reader reader = {.text = text, .length = length, .record = ret, .error = ret_error};

	*ret = (struct notation_record){0};
	rules_start(&ret->state);
	skip_blanks(&reader);
	return at_end(&reader) || (read_items(&reader) && read_end(&reader));
}

/* Writing. */

struct writer {
	char *text;
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void write_text(
		struct writer *writer, const char *format, ...)
{
	size_t room = NOTATION_SIZE - writer->length;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(writer->text + writer->length, room, format, arguments);
	va_end(arguments);
	assert(length >= 0 && (size_t)length < room);
	writer->length += (size_t)length;
}

static char letter(enum rules_player player)
{
	return player == RULES_X ? 'X' : 'O';
}

/* Write one action that is legal in `state`. */
static void write_action(struct writer *writer, const struct rules_state *state,
		const struct rules_action *action)
{
	char player = letter(rules_turn(state));
	int last = state->moves;

	if (action->kind == RULES_PLACE) {
		write_text(writer, "%d:%c(%d-%d)", last + 1, player, action->squares[0],
				action->squares[1]);
	} else {
		write_text(writer, "%dc:%c(%c%d(%d))", last, player, letter(rules_owner(last)),
				last, rules_closing_square(state, action));
	}
}

static void write_score(struct writer *writer, const struct rules_state *state)
{
	int half_points_x;
	int half_points_o;

	rules_score(state, &half_points_x, &half_points_o);
	write_text(writer, "::X(%s)-O(%s)", scores[half_points_x], scores[half_points_o]);
}

size_t notation_write(const struct rules_action *actions, int count, char ret_text[NOTATION_SIZE])
{
	struct writer writer = {.text = ret_text};
	struct rules_state state;

	ret_text[0] = '\0';
	rules_start(&state);
	for (int i = 0; i < count; i++) {
		enum rules_refusal refusal;

		write_text(&writer, "%s", i == 0 ? "" : ",");
		write_action(&writer, &state, &actions[i]);
		refusal = rules_apply(&state, rules_turn(&state), &actions[i]);
		assert(refusal == RULES_FINE);
		(void)refusal;
	}
	if (rules_phase(&state) == RULES_OVER) {
		write_score(&writer, &state);
	}
	return writer.length;
}
