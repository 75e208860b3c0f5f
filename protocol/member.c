#include "protocol/member.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/phrase.h"
#include "protocol/text.h"
#include "protocol/words.h"

bool member_refuse(struct error *error, enum code code, const char *field, const char *format, ...)
{
	va_list arguments;

	error->code = code;
	snprintf(error->field, sizeof(error->field), "%s", field);
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	return false;
}

#define MS_A_MINUTE 60000
#define MS_A_SECOND 1000

/* The limits in a sentence, which is translated whole: they are whole minutes and seconds. */
#define CLOCK_MINUTES_MAX 1440
#define CLOCK_INCREMENT_MAX 300
static_assert(CLOCK_MINUTES_MAX * MS_A_MINUTE == LIMIT_CLOCK_BASE_MS, "as the sentence says");
static_assert(CLOCK_INCREMENT_MAX * MS_A_SECOND == LIMIT_CLOCK_INCREMENT_MS, "as it says");
static const char clock_wanted[] =
		N_("minutes + seconds, \"1+0\" to \"1440+300\", or "
		   "{\"base_ms\":180000,\"increment_ms\":2000} of a second or more");

#define RECORD_WANTED N_("a game in Goff's notation, a string of at most 1024 bytes")
#define WHOM_WANTED N_("a name, an address, or a block of addresses as 10.0.0.0/8")
#define SPAN_WANTED                                                                                \
	N_("milliseconds, or a time such as 90s, 30m, 2h or 7d, of at most a hundred years")
#define ACTIONS_WANTED N_("a list of {\"squares\":[1,5]} and {\"square\":5}; in words 1-5,1-5,5")

bool member_refuse_kind(struct error *error, const struct request_member *member)
{
	static const char *const wanted[] = {
			[MEMBER_NAME] = N_("a string"),
			[MEMBER_TOKEN] = N_("a string"),
			[MEMBER_ROOM] = N_("a room id, a string"),
			[MEMBER_TITLE] = N_("a string"),
			[MEMBER_TEXT] = N_("a string"),
			[MEMBER_WORD] = N_("a word, a string of at most 32 bytes"),
			[MEMBER_CURSOR] = N_("the string that the last answer had as \"next\""),
			[MEMBER_INTEGER] = N_("an integer"),
			[MEMBER_BOOL] = N_("true or false"),
			[MEMBER_SIDE] = N_("X, O or random"),
			[MEMBER_STATUS] = N_("waiting, playing or over"),
			[MEMBER_MODE] = N_("on, off or only"),
			[MEMBER_SQUARES] = N_("one or two integers, as [1,5] or in words 1 5"),
			[MEMBER_SQUARE] = N_("an integer"),
			[MEMBER_MARK] = N_("a mark, as \"O4\""),
			[MEMBER_CLOCK] = clock_wanted,
			[MEMBER_RECORD] = RECORD_WANTED,
			[MEMBER_WHOM] = WHOM_WANTED,
			[MEMBER_SPAN] = SPAN_WANTED,
			[MEMBER_ACTIONS] = ACTIONS_WANTED,
	};

	static_assert(LIMIT_RECORD_BYTES == 1024, "as the sentence says");
	if (member->kind == MEMBER_INTEGER && member->min > INT64_MIN) {
		if (member->max < INT64_MAX) {
			return member_refuse(error, CODE_BAD_REQUEST, member->name,
					_("\"%s\" must be an integer from %lld to %lld."),
					member->name, (long long)member->min,
					(long long)member->max);
		}
		return member_refuse(error, CODE_BAD_REQUEST, member->name,
				_("\"%s\" must be an integer, %lld or more."), member->name,
				(long long)member->min);
	}
	return member_refuse(error, CODE_BAD_REQUEST, member->name, _("\"%s\" must be %s."),
			member->name, _(wanted[member->kind]));
}

/* Texts. */

static bool any_fits(const char *text)
{
	(void)text;
	return true;
}

static bool token_fits(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789-_";
	size_t length = strlen(text);

	return length >= LIMIT_TOKEN_CHARS_MIN && strspn(text, letters) == length;
}

static bool room_fits(const char *text)
{
	size_t length = strlen(text);

	return length >= LIMIT_ROOM_CHARS_MIN && strspn(text, ROOM_ID_ALPHABET) == length;
}

static bool title_fits(const char *text)
{
	return text_is_clean(text) && text_chars(text) <= LIMIT_TITLE_CHARS;
}

static bool text_fits(const char *text)
{
	return text[0] != '\0' && text_is_clean(text) && text_chars(text) <= LIMIT_TEXT_CHARS;
}

/* What a text member may be. Size 0: no text. */
struct text_rule {
	size_t size;
	bool (*fits)(const char *text);
	enum code code;
	const char *sentence; /* NULL: the code's own */
};

static const struct text_rule text_rules[MEMBER_KINDS] = {
		[MEMBER_NAME] = {NAME_TYPED_SIZE, any_fits, CODE_BAD_NAME},
		[MEMBER_TOKEN] = {TOKEN_SIZE, token_fits, CODE_BAD_TOKEN,
				N_("A token is 22 to 64 letters, digits, - and _.")},
		[MEMBER_ROOM] = {ROOM_ID_SIZE, room_fits, CODE_NO_SUCH_ROOM},
		[MEMBER_TITLE] = {TITLE_SIZE, title_fits, CODE_BAD_TEXT},
		[MEMBER_TEXT] = {TEXT_SIZE, text_fits, CODE_BAD_TEXT},
		[MEMBER_WORD] = {WORD_SIZE, any_fits, CODE_BAD_REQUEST},
		[MEMBER_CURSOR] = {CURSOR_SIZE, any_fits, CODE_BAD_REQUEST},
		[MEMBER_RECORD] = {RECORD_SIZE, any_fits, CODE_BAD_REQUEST},
		[MEMBER_WHOM] = {NAME_TYPED_SIZE, any_fits, CODE_BAD_REQUEST},
};

static void make_lower(char *text)
{
	for (; *text != '\0'; text++) {
		if (*text >= 'A' && *text <= 'Z') {
			*text = (char)(*text - 'A' + 'a');
		}
	}
}

bool member_is_text(const struct request_member *member)
{
	return text_rules[member->kind].size > 0;
}

bool member_set_text(const struct request_member *member, const char *text, size_t length,
		struct request *request, struct error *error)
{
	const struct text_rule *rule = &text_rules[member->kind];
	char *target = (char *)request + member->offset;

	if (length < rule->size) {
		memcpy(target, text, length);
		target[length] = '\0';
		if (member->kind == MEMBER_ROOM) {
			make_lower(target);
		}
		if (rule->fits(target)) {
			request->has |= member->has;
			return true;
		}
	}
	if (rule->code == CODE_BAD_REQUEST) {
		return member_refuse_kind(error, member);
	}
	return member_refuse(error, rule->code, "", "%s",
			_(rule->sentence != NULL ? rule->sentence : code_sentence(rule->code)));
}

/* All else. */

bool member_set_integer(const struct request_member *member, int64_t value, struct request *request,
		struct error *error)
{
	if (value < member->min || value > member->max) {
		return member_refuse_kind(error, member);
	}
	memcpy((char *)request + member->offset, &value, sizeof(value));
	request->has |= member->has;
	return true;
}

void member_set_bool(const struct request_member *member, bool value, struct request *request)
{
	memcpy((char *)request + member->offset, &value, sizeof(value));
	request->has |= member->has;
}

static bool set_choice(const struct request_member *member, const struct words *words,
		const char *text, size_t length, bool any_case, struct request *request)
{
	size_t found = words_find(words, text, length, any_case);
	uint32_t value = (uint32_t)found;

	if (found == words->count) {
		return false;
	}
	memcpy((char *)request + member->offset, &value, sizeof(value));
	return true;
}

/* Yes and no in words; JSON has its own. */
static bool set_yes_or_no(const struct request_member *member, const char *text, size_t length,
		struct request *request)
{
	static const char *const list[] = {"no", "yes", "off", "on", "false", "true"};
	static const struct words words = {list, sizeof(list) / sizeof(list[0])};
	size_t found = words_find(&words, text, length, true);

	if (found == words.count) {
		return false;
	}
	member_set_bool(member, found % 2 != 0, request);
	return true;
}

static uint8_t square_of(int64_t square)
{
	return square >= 1 && square <= 9 ? (uint8_t)square : 0;
}

void member_add_action(struct request *request, size_t square_count, const int64_t squares[2])
{
	struct action *action = &request->actions[request->action_count];

	if (request->action_count == LIMIT_ACTIONS) {
		return;
	}
	request->action_count++;
	action->square_count = (uint8_t)square_count;
	if (square_count == 0) {
		action->square = square_of(squares[0]);
	}
	for (size_t i = 0; i < square_count; i++) {
		action->squares[i] = square_of(squares[i]);
	}
}

bool member_refuse_action(struct error *error, const struct request_member *member, size_t at)
{
	member_refuse_kind(error, member);
	error->has_at = true;
	error->at = (int64_t)at;
	return false;
}

/* A letter and a digit; whether that letter can have that number is for the rules to say. */
static bool set_mark(const char *text, size_t length, bool any_case, struct request *request)
{
	size_t seat = length == 2 ? words_find(&words_seat, text, 1, any_case) : words_seat.count;

	if (seat == words_seat.count || text[1] < '1' || text[1] > '9') {
		return false;
	}
	request->mark_seat = (enum seat)seat;
	request->mark_number = text[1] - '0';
	return true;
}

bool member_set_clock(const struct request_member *member, int64_t base_ms, int64_t increment_ms,
		struct request *request, struct error *error)
{
	if (base_ms < LIMIT_CLOCK_BASE_MS_MIN || base_ms > LIMIT_CLOCK_BASE_MS ||
			increment_ms < 0 || increment_ms > LIMIT_CLOCK_INCREMENT_MS) {
		return member_refuse_kind(error, member);
	}
	request->clock = (struct clock_agreed){true, base_ms, increment_ms};
	request->has |= member->has;
	return true;
}

/* Digits, as many as any limit has; beyond them the number is too large, whatever follows. */
static size_t number_span(const char *text, size_t length, int64_t *ret_number)
{
	size_t span = 0;

	*ret_number = 0;
	while (span < length && span < 9 && text[span] >= '0' && text[span] <= '9') {
		*ret_number = *ret_number * 10 + (text[span] - '0');
		span++;
	}
	return span;
}

/* "3+2" */
static bool read_clock(
		const char *text, size_t length, int64_t *ret_base_ms, int64_t *ret_increment_ms)
{
	int64_t minutes;
	int64_t seconds;
	size_t plus = number_span(text, length, &minutes);

	if (plus == 0 || plus == length || text[plus] != '+') {
		return false;
	}
	text += plus + 1;
	length -= plus + 1;
	*ret_base_ms = minutes * MS_A_MINUTE;
	if (length == 0 || number_span(text, length, &seconds) != length) {
		return false;
	}
	*ret_increment_ms = seconds * MS_A_SECOND;
	return true;
}

static bool set_clock(const struct request_member *member, const char *text, size_t length,
		struct request *request, struct error *error)
{
	int64_t base_ms = 0;
	int64_t increment_ms = 0;

	return read_clock(text, length, &base_ms, &increment_ms) &&
	       member_set_clock(member, base_ms, increment_ms, request, error);
}

/* "90s", "30m", "2h", "7d"; digits alone are milliseconds. */
static bool set_span(const struct request_member *member, const char *text, size_t length,
		struct request *request, struct error *error)
{
	static const struct {
		char letter;
		int64_t ms;
	} units[] = {{'s', MS_A_SECOND}, {'m', MS_A_MINUTE}, {'h', 60LL * MS_A_MINUTE},
			{'d', 24LL * 60 * MS_A_MINUTE}};
	int64_t number = 0;
	size_t span = number_span(text, length, &number);

	if (span == 0 || length - span > 1) {
		return false;
	}
	if (span == length) {
		return member_set_integer(member, number, request, error);
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (text[span] == units[i].letter) {
			return member_set_integer(member, number * units[i].ms, request, error);
		}
	}
	return false;
}

bool member_set_word(const struct request_member *member, const char *text, size_t length,
		bool any_case, struct request *request, struct error *error)
{
	bool done = false;

	if (member->kind == MEMBER_BOOL) {
		done = set_yes_or_no(member, text, length, request);
	} else if (member->kind == MEMBER_SIDE) {
		done = set_choice(member, &words_side, text, length, any_case, request);
	} else if (member->kind == MEMBER_STATUS) {
		done = set_choice(member, &words_status, text, length, any_case, request);
	} else if (member->kind == MEMBER_MODE) {
		done = set_choice(member, &words_mode, text, length, any_case, request);
	} else if (member->kind == MEMBER_MARK) {
		done = set_mark(text, length, any_case, request);
	} else if (member->kind == MEMBER_CLOCK) {
		done = set_clock(member, text, length, request, error);
	} else if (member->kind == MEMBER_SPAN) {
		done = set_span(member, text, length, request, error);
	}
	if (!done) {
		return member_refuse_kind(error, member);
	}
	request->has |= member->has;
	return true;
}

const struct request_member *member_missing(
		const struct request_row *row, const struct request *request)
{
	for (const struct request_member *member = row->members; member->name != NULL; member++) {
		if (member->required && (request->has & member->has) == 0) {
			return member;
		}
	}
	return NULL;
}

bool member_set_id_text(const char *text, size_t length, struct request_id *id)
{
	if (length > LIMIT_ID_BYTES) {
		return false;
	}
	id->kind = ID_STRING;
	memcpy(id->string, text, length);
	id->string[length] = '\0';
	return true;
}
