#include "client-cli/vocabulary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "protocol/decode.h"
#include "protocol/phrase.h"
#include "protocol/requests.h"
#include "protocol/text.h"

#define BLANKS " \t"
#define WORD_SHOWN 60

#define THEME_OPERATOR N_("To run the server")
#define THEME_PLAY N_("To play")
#define THEME_GAME N_("In a game")
#define THEME_PEOPLE N_("Lobby and people")
#define THEME_REST N_("Besides")

struct word_row {
	const char *word;
	const char *usage;
	const char *about; /* NULL: the request table's */
	const char *theme;
};

/* The order of the help. A request that is not here comes after these. */
static const struct word_row word_rows[] = {
		{"match", "[3+2]",
				N_("Take a seat against whoever waits, or wait; 3+2: with clocks."),
				THEME_PLAY},
		{"create", N_("[PLAYER or BOT] [X or O] [clock=3+2]"), NULL, THEME_PLAY},
		{"join", N_("ROOM"), NULL, THEME_PLAY},
		{"accept", N_("[ROOM]"), N_("Take what was offered: a game, a draw, a rematch."),
				THEME_PLAY},
		{"decline", N_("[ROOM]"), N_("Turn it down."), THEME_PLAY},
		{"y", "", N_("Yes to what the prompt asks."), THEME_PLAY},
		{"n", "", N_("No to it."), THEME_PLAY},
		{"move", N_("SQUARE SQUARE"),
				N_("Put a spooky mark into two squares; 1 5 is enough."),
				THEME_GAME},
		{"collapse", N_("SQUARE"), N_("Measure: the closing mark goes there; 5 is enough."),
				THEME_GAME},
		{"draw", "[no]", NULL, THEME_GAME},
		{"resign", "", NULL, THEME_GAME},
		{"abort", "", NULL, THEME_GAME},
		{"claim", "", N_("Claim the win when your opponent, who has to act, stays away."),
				THEME_GAME},
		{"rematch", "", NULL, THEME_GAME},
		{"hint", "", N_("The best actions now, in a game against a bot."), THEME_GAME},
		{"analyse", N_("[ROOM]"), N_("What each action was worth, and who gave away what."),
				THEME_GAME},
		{"say", N_("TEXT"), N_("Say something in the room; 'TEXT is enough."), THEME_GAME},
		{"board", "", N_("Draw the board again."), THEME_GAME},
		{"leave", N_("[ROOM]"), NULL, THEME_GAME},
		{"room", N_("[ROOM]"), N_("Choose the game that your words are about."),
				THEME_GAME},
		{"lobby", "[playing]",
				N_("The rooms that wait, kept up to date; lobby off ends it."),
				THEME_PEOPLE},
		{"watch", N_("ROOM"), NULL, THEME_PEOPLE},
		{"who", "", NULL, THEME_PEOPLE},
		{"mute", N_("NAME [on=no]"), NULL, THEME_PEOPLE},
		{"hello", N_("[NAME]"), NULL, THEME_PEOPLE},
		{"forget", "", NULL, THEME_PEOPLE},
		{"state", N_("[ROOM]"), NULL, THEME_REST},
		{"ping", "", NULL, THEME_REST},
		{"rules", "", N_("The game in a minute."), THEME_REST},
		{"keys", "", N_("The keys that edit a line."), THEME_REST},
		{"help", N_("[WORD]"), N_("This, or all about one word."), THEME_REST},
		{"exit", "", N_("Leave."), THEME_REST},
		{"quit", "", NULL, THEME_REST},
};

#define WORD_ROWS (sizeof(word_rows) / sizeof(word_rows[0]))

static bool words_equal(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && strncasecmp(word, text, length) == 0;
}

static bool row_exists(const char *word)
{
	for (size_t i = 0; i < WORD_ROWS; i++) {
		if (strcmp(word_rows[i].word, word) == 0) {
			return true;
		}
	}
	return false;
}

/* What is typed for a member of a kind, the same in each language. Of what is on or off, "no" has
 * to be said. */
static const char *const examples[MEMBER_KINDS] = {
		[MEMBER_BOOL] = "no",
		[MEMBER_STATUS] = "playing",
};

/* What stands for one that has no example; NULL: its name. */
static const char *const placeholders[MEMBER_KINDS] = {
		[MEMBER_NAME] = N_("NAME"),
		[MEMBER_ROOM] = N_("ROOM"),
		[MEMBER_TITLE] = N_("TEXT"),
		[MEMBER_TEXT] = N_("TEXT"),
		[MEMBER_WORD] = N_("WORD"),
		[MEMBER_INTEGER] = N_("N"),
		[MEMBER_WHOM] = N_("WHOM"),
		[MEMBER_SPAN] = N_("TIME"),
};

static const char *member_shown(const struct request_member *member)
{
	if (examples[member->kind]) {
		return examples[member->kind];
	}
	return placeholders[member->kind] ? _(placeholders[member->kind]) : member->name;
}

/* What follows a request in words, from its row: "NAME [ROOM]". */
static void usage_of_request(const struct request_row *row, char ret_usage[VOCABULARY_USAGE_SIZE])
{
	size_t length = 0;

	ret_usage[0] = '\0';
	for (size_t i = 0; i < REQUEST_MEMBERS_MAX && row->members[i].name; i++) {
		const struct request_member *member = &row->members[i];

		if (member->positional && length + 40 < VOCABULARY_USAGE_SIZE) {
			length += (size_t)snprintf(ret_usage + length,
					VOCABULARY_USAGE_SIZE - length, "%s%s%.30s%s",
					length > 0 ? " " : "", member->required ? "" : "[",
					member_shown(member), member->required ? "" : "]");
		}
	}
}

static void word_of_row(const struct word_row *row, struct vocabulary_word *ret)
{
	enum request_type type = request_type_of(row->word, strlen(row->word));

	*ret = (struct vocabulary_word){.word = row->word,
			.about = _(row->about ? row->about : request_row(type)->about),
			.theme = row->theme};
	snprintf(ret->usage, sizeof(ret->usage), "%s", _(row->usage));
}

/* The program serves one person, and who that is does not change. */
static bool is_operator;

void vocabulary_serve_operator(void)
{
	is_operator = true;
}

bool vocabulary_is_operators(void)
{
	return is_operator;
}

static bool is_json(const char *line, size_t length)
{
	size_t at = 0;

	while (at < length && strchr(BLANKS, line[at])) {
		at++;
	}
	return at < length && line[at] == '{';
}

static bool names_member(const struct request_row *row, const char *word, size_t length)
{
	const char *equals = memchr(word, '=', length);

	for (size_t i = 0; equals && i < REQUEST_MEMBERS_MAX && row->members[i].name; i++) {
		if (words_equal(row->members[i].name, word, (size_t)(equals - word))) {
			return true;
		}
	}
	return false;
}

/* A title takes all the rest of the line. What looks like another member in it was not meant as
 * text; who does mean it may say so in JSON. */
static bool title_is_meant(const struct request *request, struct error *ret_error)
{
	const struct request_row *row = request_row(request->type);
	const char *word = request->title + strspn(request->title, BLANKS);

	while (*word != '\0') {
		size_t length = strcspn(word, BLANKS);

		if (names_member(row, word, length)) {
			*ret_error = (struct error){.re = request->id, .code = CODE_BAD_REQUEST};
			message_copy(ret_error->to, sizeof(ret_error->to), row->name);
			message_copy(ret_error->field, sizeof(ret_error->field), "title");
			snprintf(ret_error->message, sizeof(ret_error->message),
					_("title= takes all the rest of the line: put %.*s before "
					  "it."),
					(int)text_cut(word, length, WORD_SHOWN), word);
			return false;
		}
		word += length + strspn(word + length, BLANKS);
	}
	return true;
}

bool vocabulary_decode(
		const char *line, size_t length, struct request *ret, struct error *ret_error)
{
	if (!(is_operator ? decode_operator_request(line, length, ret, ret_error)
			  : decode_request(line, length, ret, ret_error))) {
		return false;
	}
	return (ret->has & HAS_TITLE) == 0 || is_json(line, length) ||
	       title_is_meant(ret, ret_error);
}

/* An operator does not play, and has no name. */
static bool is_for_typist(const struct word_row *row)
{
	return !is_operator ||
	       (strcmp(row->theme, THEME_PLAY) != 0 && strcmp(row->theme, THEME_GAME) != 0 &&
			       strcmp(row->word, "mute") != 0 && strcmp(row->word, "hello") != 0 &&
			       strcmp(row->word, "forget") != 0);
}

bool vocabulary_at(size_t index, struct vocabulary_word *ret)
{
	for (size_t i = 0; i < WORD_ROWS; i++) {
		if (is_for_typist(&word_rows[i]) && index-- == 0) {
			word_of_row(&word_rows[i], ret);
			return true;
		}
	}
	for (size_t type = 0; type < REQUEST_COUNT; type++) {
		const struct request_row *row = request_row((enum request_type)type);

		/* It would make the server tell what only a person can read. */
		if (type == REQUEST_TEXT || row_exists(row->name) ||
				!request_is_for(is_operator, (enum request_type)type)) {
			continue;
		}
		if (index-- == 0) {
			*ret = (struct vocabulary_word){.word = row->name,
					.about = _(row->about),
					.theme = row->is_operators ? THEME_OPERATOR : THEME_REST};
			usage_of_request(row, ret->usage);
			return true;
		}
	}
	return false;
}

bool vocabulary_find(const char *text, size_t length, struct vocabulary_word *ret)
{
	struct vocabulary_word word;

	for (size_t i = 0; vocabulary_at(i, &word); i++) {
		if (words_equal(word.word, text, length)) {
			*ret = word;
			return true;
		}
	}
	return false;
}

/* The nearest word. */

/* Longer ones are near to no word. */
#define NEAREST_LENGTH_MAX 16

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool letters_equal(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* How many letters have to be changed, left out, put in or swapped with their neighbour. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t table[NEAREST_LENGTH_MAX + 1][NEAREST_LENGTH_MAX + 1];

	for (size_t i = 0; i <= a_length; i++) {
		for (size_t j = 0; j <= b_length; j++) {
			if (i == 0 || j == 0) {
				table[i][j] = i + j;
				continue;
			}
			table[i][j] = least(least(table[i - 1][j], table[i][j - 1]) + 1,
					table[i - 1][j - 1] + !letters_equal(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && letters_equal(a[i - 1], b[j - 2]) &&
					letters_equal(a[i - 2], b[j - 1])) {
				table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
			}
		}
	}
	return table[a_length][b_length];
}

/* What is typed elsewhere for it, or by who looks for it. */
static const struct {
	const char *text;
	const char *word;
} other_names[] = {
		{"play", "match"},
		{"start", "match"},
		{"graj", "match"},
		{"new", "create"},
		{"profile", "player"},
		{"rating", "player"},
		{"ratings", "top"},
		{"chat", "say"},
		{"tell", "say"},
		{"pomoc", "help"},
		{"koniec", "quit"},
};

static const char *word_of_other_name(const char *text, size_t length)
{
	struct vocabulary_word word;

	for (size_t i = 0; i < sizeof(other_names) / sizeof(other_names[0]); i++) {
		if (words_equal(other_names[i].text, text, length) &&
				vocabulary_find(other_names[i].word, strlen(other_names[i].word),
						&word)) {
			return word.word;
		}
	}
	return NULL;
}

/* The first word that begins with three letters or more that were typed, or NULL. */
static const char *word_begun(const char *text, size_t length)
{
	struct vocabulary_word word;

	for (size_t i = 0; length >= 3 && vocabulary_at(i, &word); i++) {
		if (strlen(word.word) > length && strncasecmp(word.word, text, length) == 0) {
			return word.word;
		}
	}
	return NULL;
}

static const char *word_nearest(const char *text, size_t length)
{
	struct vocabulary_word word;
	const char *nearest = NULL;
	/* A third of the letters may be wrong, rounded up. */
	size_t best = (length + 2) / 3 + 1;

	if (length < 2 || length > NEAREST_LENGTH_MAX) {
		return NULL;
	}
	nearest = word_of_other_name(text, length);
	if (!nearest) {
		nearest = word_begun(text, length);
	}
	if (nearest) {
		return nearest;
	}
	for (size_t i = 0; vocabulary_at(i, &word); i++) {
		size_t word_length = strlen(word.word);

		if (word_length > 1 && word_length <= NEAREST_LENGTH_MAX) {
			size_t far = distance(text, length, word.word, word_length);

			if (far < best) {
				best = far;
				nearest = word.word;
			}
		}
	}
	return nearest;
}

void vocabulary_refuse(const char *text, size_t length, char ret_sentence[VOCABULARY_SENTENCE_SIZE])
{
	const char *nearest = word_nearest(text, length);
	int shown = (int)text_cut(text, length, WORD_SIZE);

	if (nearest) {
		snprintf(ret_sentence, VOCABULARY_SENTENCE_SIZE,
				_("There is no word %.*s. Did you mean %s?"), shown, text, nearest);
	} else {
		snprintf(ret_sentence, VOCABULARY_SENTENCE_SIZE,
				_("There is no word %.*s. help lists them all."), shown, text);
	}
}
