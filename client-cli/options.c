#include "client-cli/options.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "client-cli/language.h"
#include "protocol/decode.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

#define DEFAULT_HOST "127.0.0.1"
#define DEFAULT_PORT "4242"

enum option_kind {
	OPTION_FLAG,
	OPTION_VALUE,
	OPTION_FILE,
	OPTION_COLOR,
	OPTION_WHEN,
	OPTION_CLOCK,
	OPTION_SECONDS,
	OPTION_NUMBER
};

struct option_row {
	const char *name;  /* without its dashes */
	const char *value; /* what --help calls the value; NULL for a flag */
	enum option_kind kind;
	size_t offset;	   /* in struct options: a bool, a const char *, an enum or an int */
	const char *words; /* the only values; NULL: any */
	const char *about;
};

#define WHEN_WORDS "auto always never"

static const struct option_row option_rows[] = {
		{"name", N_("NAME"), OPTION_VALUE, offsetof(struct options, name), NULL,
				N_("say hello under this name at the start")},
		{"match", NULL, OPTION_FLAG, offsetof(struct options, match), NULL,
				N_("then play whoever comes next")},
		{"clock", "3+2", OPTION_CLOCK, offsetof(struct options, clock), NULL,
				N_("with --match: by clocks, minutes + seconds a move")},
		{"bot", N_("LEVEL"), OPTION_VALUE, offsetof(struct options, bot),
				"random good perfect",
				N_("then play against a bot: random, good or perfect")},
		{"side", N_("SIDE"), OPTION_VALUE, offsetof(struct options, side), "X O",
				N_("be X or O against it; without this chance decides")},
		{"join", N_("ROOM"), OPTION_VALUE, offsetof(struct options, join), NULL,
				N_("then take the free seat in ROOM")},
		{"watch", N_("ROOM"), OPTION_VALUE, offsetof(struct options, watch), NULL,
				N_("then watch ROOM")},
		{"replay", N_("FILE"), OPTION_FILE, offsetof(struct options, replay), NULL,
				N_("play through a recorded game; - is standard input")},
		{"game", N_("N"), OPTION_NUMBER, offsetof(struct options, game), NULL,
				N_("with --replay: the N-th of several games in FILE")},
		{"export", N_("WHAT"), OPTION_VALUE, offsetof(struct options, export), NULL,
				N_("write a player's games, or a room's, and leave")},
		{"tls", NULL, OPTION_FLAG, offsetof(struct options, tls), NULL,
				N_("connect by TLS, and only to the server that is meant")},
		{"ca", N_("FILE"), OPTION_FILE, offsetof(struct options, ca), NULL,
				N_("with --tls: trust whom the certificates in FILE vouch for")},
		{"admin", N_("PATH"), OPTION_FILE, offsetof(struct options, admin), NULL,
				N_("run the server by its operator's door at PATH")},
		{"token-file", N_("FILE"), OPTION_FILE, offsetof(struct options, token_file), NULL,
				N_("keep the secret that proves your name in FILE")},
		{"color", N_("WHEN"), OPTION_COLOR, offsetof(struct options, color), WHEN_WORDS,
				N_("use colour: auto (on a terminal), always or never")},
		{"reconnect", N_("WHEN"), OPTION_WHEN, offsetof(struct options, reconnect),
				WHEN_WORDS,
				N_("reconnect by itself: auto (terminal), always or never")},
		{"patience", N_("SECONDS"), OPTION_SECONDS, offsetof(struct options, patience_s),
				NULL, N_("ask a silent server for a sign of life (default 30)")},
		{"language", N_("LANGUAGE"), OPTION_VALUE, offsetof(struct options, language),
				LANGUAGE_WORDS, N_("speak Polish (pl) or English (en)")},
		{"ascii", NULL, OPTION_FLAG, offsetof(struct options, ascii), NULL,
				N_("draw with - and | and write 0.5 for a half")},
		{"json", NULL, OPTION_FLAG, offsetof(struct options, json), NULL,
				N_("print the server's lines just as they come")},
		{"completion", N_("SHELL"), OPTION_VALUE, offsetof(struct options, completion),
				"bash zsh fish",
				N_("print completions for bash, zsh or fish, and leave")},
		{"help", NULL, OPTION_FLAG, offsetof(struct options, help), NULL,
				N_("print this and leave")},
		{"version", NULL, OPTION_FLAG, offsetof(struct options, version), NULL,
				N_("print the version and leave")},
};

#define OPTION_COUNT (sizeof(option_rows) / sizeof(option_rows[0]))

static const struct option_row *option_find(const char *name, size_t length)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (strlen(option_rows[i].name) == length &&
				memcmp(option_rows[i].name, name, length) == 0) {
			return &option_rows[i];
		}
	}
	return NULL;
}

/* The place of a value among the words that it may be, from 0; -1 if it is none of them. */
static int word_index(const char *words, const char *value)
{
	size_t length;

	assert(words && value);
	length = strlen(value);
	for (int i = 0; *words != '\0'; i++) {
		size_t word = strcspn(words, " ");

		if (word == length && memcmp(words, value, length) == 0) {
			return i;
		}
		words += word + strspn(words + word, " ");
	}
	return -1;
}

#define GAME_MAX 1000000

/* A number of 1 to `most`; 0 for anything else. */
static int number_read(const char *text, int most)
{
	int number = 0;

	for (; *text >= '0' && *text <= '9' && number <= most; text++) {
		number = 10 * number + *text - '0';
	}
	return *text == '\0' && number <= most ? number : 0;
}

/* Clocks are the protocol's words, which knows their bounds. */
static bool clock_read(const char *text)
{
	char words[64];
	struct request request;
	struct error error;
	int length = snprintf(words, sizeof(words), "match %s", text);

	return length > 0 && (size_t)length < sizeof(words) && !strpbrk(text, " \t={") &&
	       decode_request(words, (size_t)length, &request, &error) &&
	       request.type == REQUEST_MATCH && request.clock.set;
}

/* WHEN_WORDS stand in the order of their enums. */
static void option_set(struct options *options, const struct option_row *row, const char *value)
{
	char *member = (char *)options + row->offset;
	enum paint_when when;
	enum option_when other_when;
	int number;
	bool on = true;

	switch (row->kind) {
	case OPTION_FLAG:
		memcpy(member, &on, sizeof(on));
		break;
	case OPTION_VALUE:
	case OPTION_FILE:
	case OPTION_CLOCK:
		memcpy(member, &value, sizeof(value));
		break;
	case OPTION_COLOR:
		when = (enum paint_when)word_index(row->words, value);
		memcpy(member, &when, sizeof(when));
		break;
	case OPTION_WHEN:
		other_when = (enum option_when)word_index(row->words, value);
		memcpy(member, &other_when, sizeof(other_when));
		break;
	case OPTION_SECONDS:
	case OPTION_NUMBER:
		number = number_read(value, row->kind == OPTION_NUMBER ? GAME_MAX : PATIENCE_MAX_S);
		memcpy(member, &number, sizeof(number));
		break;
	}
}

#define WORDS_LIST_SIZE 128

/* "random, good, perfect" of "random good perfect". */
static void words_list(const char *words, char ret_list[WORDS_LIST_SIZE])
{
	size_t length = 0;

	for (; *words != '\0' && length + 3 < WORDS_LIST_SIZE; words++) {
		if (*words == ' ') {
			ret_list[length++] = ',';
		}
		ret_list[length++] = *words;
	}
	ret_list[length] = '\0';
}

/* Read the option argv[*index], and its value, which may be the next argument. */
static bool option_read(int argc, char *const *argv, int *index, struct options *options,
		char problem[PROBLEM_SIZE])
{
	const char *name = argv[*index] + 2;
	const char *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_row *row = option_find(name, length);
	const char *value = equals ? equals + 1 : NULL;
	char list[WORDS_LIST_SIZE];

	if (!row) {
		snprintf(problem, PROBLEM_SIZE, _("There is no option %.200s."), argv[*index]);
		return false;
	}
	if (row->kind == OPTION_FLAG && value) {
		snprintf(problem, PROBLEM_SIZE, _("The option --%s takes no value."), row->name);
		return false;
	}
	if (row->kind != OPTION_FLAG && !value && *index + 1 < argc) {
		value = argv[++*index];
	}
	if (row->kind != OPTION_FLAG && (!value || value[0] == '\0')) {
		snprintf(problem, PROBLEM_SIZE, _("The option --%s needs a value: --%s %s."),
				row->name, row->name, _(row->value));
		return false;
	}
	if (row->words && value && word_index(row->words, value) < 0) {
		words_list(row->words, list);
		snprintf(problem, PROBLEM_SIZE,
				_("The option --%s can't be %.100s: it is one of %s."), row->name,
				value, list);
		return false;
	}
	if (row->kind == OPTION_SECONDS && number_read(value, PATIENCE_MAX_S) == 0) {
		snprintf(problem, PROBLEM_SIZE, _("The option --%s takes from 1 to %d seconds."),
				row->name, PATIENCE_MAX_S);
		return false;
	}
	if (row->kind == OPTION_NUMBER && number_read(value, GAME_MAX) == 0) {
		snprintf(problem, PROBLEM_SIZE, _("The option --%s takes a number from 1 to %d."),
				row->name, GAME_MAX);
		return false;
	}
	if (row->kind == OPTION_CLOCK && !clock_read(value)) {
		snprintf(problem, PROBLEM_SIZE,
				_("The option --%s takes minutes + seconds a move, such as 3+2."),
				row->name);
		return false;
	}
	option_set(options, row, value);
	return true;
}

static bool port_read(const char *text, char ret_port[PORT_SIZE])
{
	size_t length = strlen(text);
	unsigned int number = 0;

	if (length == 0 || length >= PORT_SIZE || strspn(text, "0123456789") != length) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		number = number * 10 + (unsigned int)(text[i] - '0');
	}
	if (number < 1 || number > 65535) {
		return false;
	}
	memcpy(ret_port, text, length + 1);
	return true;
}

static bool host_read(const char *text, size_t length, char ret_host[HOST_SIZE])
{
	if (length == 0 || length >= HOST_SIZE) {
		return false;
	}
	memcpy(ret_host, text, length);
	ret_host[length] = '\0';
	return true;
}

bool options_address(const char *text, char ret_host[HOST_SIZE], char ret_port[PORT_SIZE])
{
	const char *colon = strrchr(text, ':');

	snprintf(ret_port, PORT_SIZE, "%s", DEFAULT_PORT);
	if (text[0] == '[') {
		const char *bracket = strchr(text, ']');

		if (!bracket || !host_read(text + 1, (size_t)(bracket - text) - 1, ret_host)) {
			return false;
		}
		return bracket[1] == '\0' ||
		       (bracket[1] == ':' && port_read(bracket + 2, ret_port));
	}
	if (!colon || strchr(text, ':') != colon) {
		return host_read(text, strlen(text), ret_host);
	}
	return host_read(text, (size_t)(colon - text), ret_host) && port_read(colon + 1, ret_port);
}

/* The one argument that is no option. */
static bool address_read(
		const char *text, bool *seen, struct options *options, char problem[PROBLEM_SIZE])
{
	if (*seen) {
		snprintf(problem, PROBLEM_SIZE, _("One server is enough: what is %.200s?"), text);
		return false;
	}
	*seen = true;
	if (!options_address(text, options->host, options->port)) {
		snprintf(problem, PROBLEM_SIZE, _("%.200s is no address like HOST or HOST:PORT."),
				text);
		return false;
	}
	return true;
}

static bool is_about_playing(const struct options *options)
{
	return options->name || options->token_file || options->match || options->bot ||
	       options->join || options->watch || options->replay || options->tls;
}

/* Do they not contradict each other? */
static bool options_agree(const struct options *options, char problem[PROBLEM_SIZE])
{
	if (options->match + (options->bot != NULL) + (options->join != NULL) +
					(options->watch != NULL) + (options->replay != NULL) +
					(options->export != NULL) >
			1) {
		snprintf(problem, PROBLEM_SIZE,
				_("Only one of --match, --bot, --join, --watch, --replay and "
				  "--export can be done first."));
		return false;
	}
	if (options->game != 0 && !options->replay) {
		snprintf(problem, PROBLEM_SIZE, _("--game goes with --replay."));
		return false;
	}
	if (options->export && strlen(options->export) >= NAME_TYPED_SIZE) {
		snprintf(problem, PROBLEM_SIZE,
				_("--export takes a player's name or a room's id."));
		return false;
	}
	if (options->admin && is_about_playing(options)) {
		snprintf(problem, PROBLEM_SIZE,
				_("--admin goes with no server, name, game or TLS: an operator "
				  "does "
				  "not play."));
		return false;
	}
	if (options->side && !options->bot) {
		snprintf(problem, PROBLEM_SIZE, _("--side goes with --bot: --bot good --side %s."),
				options->side);
		return false;
	}
	return true;
}

bool options_parse(int argc, char *const *argv, struct options *ret, char ret_problem[PROBLEM_SIZE])
{
	struct options options = {
			.host = DEFAULT_HOST, .port = DEFAULT_PORT, .patience_s = PATIENCE_S};
	bool address_seen = false;
	bool only_address = false;

	for (int i = 1; i < argc; i++) {
		bool fine = true;

		if (!only_address && strcmp(argv[i], "--") == 0) {
			only_address = true;
		} else if (!only_address && strncmp(argv[i], "--", 2) == 0) {
			fine = option_read(argc, argv, &i, &options, ret_problem);
		} else if (!only_address && argv[i][0] == '-') {
			snprintf(ret_problem, PROBLEM_SIZE, _("There is no option %.200s."),
					argv[i]);
			fine = false;
		} else {
			fine = address_read(argv[i], &address_seen, &options, ret_problem);
		}
		if (!fine) {
			return false;
		}
	}
	if (options.name && strlen(options.name) >= NAME_TYPED_SIZE) {
		snprintf(ret_problem, PROBLEM_SIZE,
				phrase_count("A name has at most %d letter.",
						"A name has at most %d letters.", LIMIT_NAME_CHARS),
				LIMIT_NAME_CHARS);
		return false;
	}
	if (options.admin && address_seen) {
		snprintf(ret_problem, PROBLEM_SIZE,
				_("--admin goes with no server: %.200s is one."), options.host);
		return false;
	}
	if (!options_agree(&options, ret_problem)) {
		return false;
	}
	if (options.ca && !options.tls) {
		snprintf(ret_problem, PROBLEM_SIZE, _("--ca goes with --tls."));
		return false;
	}
	if (options.clock && !options.match) {
		snprintf(ret_problem, PROBLEM_SIZE, _("--clock goes with --match."));
		return false;
	}
	*ret = options;
	return true;
}

const char *options_scan(int argc, char *const *argv, const char *name)
{
	const size_t length = strlen(name);
	const struct option_row *row = option_find(name, length);
	const char *found = NULL;

	assert(row);
	for (int i = 1; i < argc && argv[i] && strcmp(argv[i], "--") != 0; i++) {
		const char *word = argv[i];
		const char *value = NULL;

		if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0) {
			continue;
		}
		if (word[2 + length] == '=') {
			value = word + 3 + length;
		} else if (word[2 + length] == '\0' && row->kind == OPTION_FLAG) {
			value = "";
		} else if (word[2 + length] == '\0' && i + 1 < argc) {
			value = argv[i + 1];
		}
		if (value && (!row->words || word_index(row->words, value) >= 0)) {
			found = value;
		}
	}
	return found;
}

struct link_target options_target(const struct options *options)
{
	return (struct link_target){.path = options->admin,
			.host = options->host,
			.port = options->port,
			.tls = options->tls,
			.ca = options->ca};
}

bool options_at(size_t index, struct option_shown *ret)
{
	const struct option_row *row = &option_rows[index];

	if (index >= OPTION_COUNT) {
		return false;
	}
	*ret = (struct option_shown){.name = row->name,
			.value = row->value,
			.words = row->words,
			.is_file = row->kind == OPTION_FILE,
			.about = row->about};
	return true;
}

#define OPTION_TEXT_SIZE 64

/* "--name NAME" */
static void option_text(const struct option_row *row, char ret_text[OPTION_TEXT_SIZE])
{
	snprintf(ret_text, OPTION_TEXT_SIZE, "--%s%s%s", row->name, row->value ? " " : "",
			row->value ? _(row->value) : "");
}

static size_t options_columns(void)
{
	char text[OPTION_TEXT_SIZE];
	size_t columns = 0;

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		option_text(&option_rows[i], text);
		columns = text_columns(text) > columns ? text_columns(text) : columns;
	}
	return columns;
}

void options_help(FILE *out)
{
	const size_t columns = options_columns();

	fprintf(out,
			_("Usage: qttt [OPTIONS] [HOST[:PORT]]\n"
			  "Play quantum tic-tac-toe on the server at HOST (default %s).\n"
			  "\n"
			  "Options:\n"),
			DEFAULT_HOST ":" DEFAULT_PORT);
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_rows[i];
		char left[OPTION_TEXT_SIZE];

		option_text(row, left);
		fprintf(out, "  %s%*s %s\n", left, (int)(columns - text_columns(left)), "",
				_(row->about));
	}
	fputs(_("\nType a request a line; help lists them:\n"
		"  match               play whoever comes next\n"
		"  create              open a room; your opponent comes in with: join ROOM\n"
		"  create bot-good     play against a bot: bot-random, bot-good, bot-perfect\n"
		"  move 1 5            a spooky mark in squares 1 and 5\n"
		"  collapse 5          measure: the mark that closed the cycle goes to 5\n"
		"  analyse             after a game: what each action was worth\n"
		"A line that begins with { is sent as it is. On a terminal the prompt says what\n"
		"is expected, and 1 5 is a move. At the end of the input qttt waits\n"
		"for the answers and leaves.\n"),
			out);
	fputs(_("\nExit status: 0 fine; 1 no connection, or it broke off; 2 the last request was\n"
		"refused, by the server or because its words made no sense (with --admin: any\n"
		"request), or the name of --name was, or what was to be replayed is no record,\n"
		"or exported not there; 64 a wrong command line, or a file that can't be read;\n"
		"130 interrupted.\n"),
			out);
}
