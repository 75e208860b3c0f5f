#include "server/ops/config.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <ini.h>

#include "server/ops/option.h"

#define OPTIONS_MAX 64
/* getopt's value of the row at index 0: above every character. */
#define FIRST_VALUE 256
/* A line of the file, with its end and a NUL. */
#define FILE_LINE_BYTES 1024
#define HELP_INDENT 26
#define TEXT_WIDTH 80

struct reading {
	struct config *config;
	/* Takes the file's values of options that flags have decided: they are checked all the
	 * same. */
	struct config overridden;
	bool by_flag[OPTIONS_MAX];
	bool in_file[OPTIONS_MAX];
	const char *path;
	FILE *file;
	char *buffer; /* getline's */
	size_t buffer_size;
	int line;
	int bad_line; /* 0: none yet */
	char *why;
};

/* The command line. */

static void fill_long_options(struct option *ret)
{
	assert(option_count <= OPTIONS_MAX);
	for (size_t i = 0; i < option_count; i++) {
		ret[i].name = option_rows[i].name;
		ret[i].has_arg = option_rows[i].value == NULL ? no_argument : required_argument;
		ret[i].val = FIRST_VALUE + (int)i;
	}
}

/* What getopt stopped at: a flag without its value, with one too many, or nobody's. */
static void describe_bad_flag(int answer, const char *flag, char *why)
{
	if (optopt >= FIRST_VALUE) {
		const struct option_row *row = &option_rows[optopt - FIRST_VALUE];

		snprintf(why, CONFIG_WHY_SIZE,
				answer == ':' ? "--%s wants %s after it" : "--%s takes no value",
				row->name, row->value == NULL ? "nothing" : row->value);
		return;
	}
	snprintf(why, CONFIG_WHY_SIZE, "there is no option %s", log_text(flag));
}

static bool take_flag(struct reading *reading, size_t index, enum config_result *command)
{
	const struct option_row *row = &option_rows[index];
	char why[CONFIG_WHY_SIZE];

	reading->by_flag[index] = true;
	if (*command == CONFIG_RUN) {
		*command = row->command;
	}
	if (row->kind == OPTION_COMMAND) {
		return true;
	}
	if (!option_set(row, reading->config, row->value == NULL ? "yes" : optarg, why)) {
		snprintf(reading->why, CONFIG_WHY_SIZE, "--%s %.400s", row->name, why);
		return false;
	}
	return true;
}

/* The command that the flags ask for (CONFIG_RUN: none), or CONFIG_BAD_ARGS. */
static enum config_result read_flags(struct reading *reading, int argc, char **argv)
{
	struct option long_options[OPTIONS_MAX + 1] = {0};
	enum config_result command = CONFIG_RUN;
	int answer;

	fill_long_options(long_options);
	optind = 0;
	opterr = 0;
	while ((answer = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		if (answer < FIRST_VALUE) {
			describe_bad_flag(answer, argv[optind - 1], reading->why);
			return CONFIG_BAD_ARGS;
		}
		if (!take_flag(reading, (size_t)(answer - FIRST_VALUE), &command)) {
			return CONFIG_BAD_ARGS;
		}
	}
	if (optind < argc) {
		snprintf(reading->why, CONFIG_WHY_SIZE, "there are only options here, what is %s",
				log_text(argv[optind]));
		return CONFIG_BAD_ARGS;
	}
	return command;
}

/* The file. */

static void file_is_bad(struct reading *reading, int line, const char *what)
{
	if (reading->bad_line == 0 || line < reading->bad_line) {
		reading->bad_line = line;
		snprintf(reading->why, CONFIG_WHY_SIZE, "%.200s:%d: %.280s", reading->path, line,
				what);
	}
}

/* One line for the library, which tells no line numbers, silently splits what is too long, and
 * takes a line that begins with blanks for more of the one before. NULL at the end. */
static char *next_line(char *ret, int size, void *arg)
{
	struct reading *reading = arg;
	ssize_t length;
	size_t blanks;

	if (reading->bad_line != 0) {
		return NULL;
	}
	length = getline(&reading->buffer, &reading->buffer_size, reading->file);
	if (length < 0) {
		return NULL;
	}
	reading->line++;
	if (length >= size || memchr(reading->buffer, '\0', (size_t)length) != NULL) {
		file_is_bad(reading, reading->line, "the line is too long, or has a NUL byte");
		return NULL;
	}
	blanks = strspn(reading->buffer, " \t");
	memcpy(ret, reading->buffer + blanks, (size_t)length + 1 - blanks);
	return ret;
}

static const struct option_row *find_key(const char *section, const char *key)
{
	for (size_t i = 0; i < option_count; i++) {
		if (option_rows[i].section != NULL && strcmp(option_rows[i].name, key) == 0 &&
				(section == NULL || strcmp(option_rows[i].section, section) == 0)) {
			return &option_rows[i];
		}
	}
	return NULL;
}

static void describe_bad_key(const char *section, const char *key, char *why)
{
	const struct option_row *elsewhere = find_key(NULL, key);

	if (elsewhere != NULL) {
		snprintf(why, CONFIG_WHY_SIZE, "%s belongs in section [%s]", elsewhere->name,
				elsewhere->section);
	} else if (section[0] == '\0') {
		snprintf(why, CONFIG_WHY_SIZE, "there is no key %s", log_text(key));
	} else {
		snprintf(why, CONFIG_WHY_SIZE, "there is no key %s in section [%s]", log_text(key),
				log_text(section));
	}
}

static int take_key(void *arg, const char *section, const char *key, const char *value)
{
	struct reading *reading = arg;
	const struct option_row *row = find_key(section, key);
	char why[CONFIG_WHY_SIZE];
	char what[CONFIG_WHY_SIZE];
	size_t index;

	if (row == NULL) {
		describe_bad_key(section, key, why);
		file_is_bad(reading, reading->line, why);
		return 1;
	}
	index = (size_t)(row - option_rows);
	if (reading->in_file[index] && !option_is_list(row)) {
		snprintf(what, sizeof(what), "%s is there twice", row->name);
		file_is_bad(reading, reading->line, what);
		return 1;
	}
	reading->in_file[index] = true;
	if (!option_set(row, reading->by_flag[index] ? &reading->overridden : reading->config,
			    value, why)) {
		snprintf(what, sizeof(what), "%s %.400s", row->name, why);
		file_is_bad(reading, reading->line, what);
	}
	return 1;
}

/* The dialect: a value is all that follows the `=`, so ` ;` may stand in it; lines as long as
 * ours. These are the library's globals. */
static void choose_dialect(void)
{
	ini_use_stack = false;
	ini_initial_alloc = FILE_LINE_BYTES;
	ini_max_line = FILE_LINE_BYTES;
	ini_allow_inline_comments = false;
}

static bool read_file(struct reading *reading)
{
	int bad_line;

	reading->path = reading->config->file;
	reading->file = fopen(reading->path, "re");
	if (reading->file == NULL) {
		snprintf(reading->why, CONFIG_WHY_SIZE, "%.300s: %s", reading->path,
				strerror(errno));
		return false;
	}
	choose_dialect();
	bad_line = ini_parse_stream(next_line, reading, take_key, reading);
	if (bad_line > 0) {
		file_is_bad(reading, bad_line, "neither [section] nor key = value nor a # comment");
	}
	if (ferror(reading->file)) {
		file_is_bad(reading, reading->line + 1, strerror(errno));
	}
	fclose(reading->file);
	free(reading->buffer);
	config_fini(&reading->overridden);
	return reading->bad_line == 0;
}

/* Both. */

static bool fill_standards(struct reading *reading)
{
	char why[CONFIG_WHY_SIZE];

	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->standard == NULL || reading->by_flag[i] || reading->in_file[i]) {
			continue;
		}
		if (!option_set(row, reading->config, row->standard, why)) {
			snprintf(reading->why, CONFIG_WHY_SIZE, "--%s %.400s", row->name, why);
			return false;
		}
	}
	return true;
}

/* What no value alone can be wrong about. */
static bool fits_together(const struct config *config, char *why)
{
	const char *missing = config->cert[0] == '\0' ? "--cert" : "--key";
	const bool has_both = config->cert[0] != '\0' && config->key[0] != '\0';
	const bool has_none = config->cert[0] == '\0' && config->key[0] == '\0';

	if (config->listen_tls.count + config->https.count > 0 && !has_both) {
		snprintf(why, CONFIG_WHY_SIZE, "--%s wants %s too",
				config->listen_tls.count > 0 ? "listen-tls" : "https", missing);
		return false;
	}
	if (!has_both && !has_none) {
		snprintf(why, CONFIG_WHY_SIZE, "--cert and --key go together: %s is missing",
				missing);
		return false;
	}
	return true;
}

/* Does a command want what the options say? */
static bool reads_options(enum config_result command)
{
	return command == CONFIG_RUN || command == CONFIG_CHECK || command == CONFIG_BACKUP ||
	       command == CONFIG_CHECK_DB;
}

static bool wants_file_of_db(enum config_result command)
{
	return command == CONFIG_BACKUP || command == CONFIG_CHECK_DB;
}

enum config_result config_read(
		int argc, char **argv, struct config *ret, char ret_why[CONFIG_WHY_SIZE])
{
	struct reading reading = {.config = ret};
	enum config_result command;

	reading.why = ret_why;
	memset(ret, 0, sizeof(*ret));
	command = read_flags(&reading, argc, argv);
	if (!reads_options(command)) {
		return command;
	}
	if (ret->file != NULL && !read_file(&reading)) {
		return CONFIG_BAD_FILE;
	}
	if (!fill_standards(&reading)) {
		return CONFIG_BAD_ARGS;
	}
	if (!fits_together(ret, ret_why)) {
		return reading.path == NULL ? CONFIG_BAD_ARGS : CONFIG_BAD_FILE;
	}
	if (wants_file_of_db(command) && strcmp(ret->db, "none") == 0) {
		snprintf(ret_why, CONFIG_WHY_SIZE,
				"with --db none there is no database to copy or to check");
		return CONFIG_BAD_ARGS;
	}
	return command;
}

void config_fini(struct config *config)
{
	struct config_list *lists[] = {&config->listen, &config->listen_tls, &config->proxy_from,
			&config->http, &config->https, &config->ws_origin, &config->metrics_from};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		for (size_t j = 0; j < lists[i]->count; j++) {
			free(lists[i]->items[j]);
		}
	}
	free(config->cert);
	free(config->key);
	free(config->admin);
	free(config->db);
	free(config->name);
	free(config->motd);
	free(config->file);
	free(config->backup);
	memset(config, 0, sizeof(*config));
}

void config_take_changes(
		struct config *config, struct config *fresh, config_change_fn *changed, void *arg)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->section == NULL || !option_differs(row, config, fresh)) {
			continue;
		}
		if (row->reload) {
			option_swap(row, config, fresh);
		}
		changed(arg, row->name, row->reload);
	}
}

/* What is printed from the table. */

/* For --help and the sample: what a reload leaves as it is. */
static const char restart_note[] = "A change takes effect after a restart.";

static bool wants_restart(const struct option_row *row)
{
	return row->section != NULL && !row->reload;
}

/* Text broken at blanks, every line but the first after `prefix`, `used` columns being taken. */
static void print_wrapped(FILE *out, const char *prefix, size_t used, const char *text)
{
	size_t column = used;

	while (*text != '\0') {
		const size_t word = strcspn(text, " ");

		if (column > used && column + 1 + word > TEXT_WIDTH) {
			fprintf(out, "\n%s", prefix);
			column = used;
		}
		column += (size_t)fprintf(out, "%s%.*s", column > used ? " " : "", (int)word, text);
		text += word;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

void config_print_help(FILE *out)
{
	static const char indent[] = "                          ";

	static_assert(sizeof(indent) - 1 == HELP_INDENT, "as wide as the first column");
	fprintf(out, "Usage: qtttd [OPTION]...\nA server for quantum tic-tac-toe.\n\n");
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_rows[i];
		const int used = fprintf(
				out, "  --%s %s", row->name, row->value == NULL ? "" : row->value);

		fprintf(out, "%*s", used < HELP_INDENT ? HELP_INDENT - used : 1, "");
		print_wrapped(out, indent, HELP_INDENT, row->help);
		if (row->value != NULL && row->standard[0] != '\0') {
			fprintf(out, "%sDefault: %s\n", indent, row->standard);
		}
		if (wants_restart(row)) {
			fprintf(out, "%s%s\n", indent, restart_note);
		}
	}
	fprintf(out, "\nAt SIGHUP the file is read again; what changed of it counts at once, "
		     "but for the\noptions that say otherwise. Certificate and key are read "
		     "again too.\n");
	fprintf(out,
			"\nExit status: %d after a stop by SIGTERM or SIGINT, %d if the server "
			"can't run,\na copy can't be made or a database is not sound, %d for a "
			"wrong "
			"command line,\n%d for a wrong configuration file or certificate.\n",
			EXIT_OK, EXIT_FAILED, EXIT_BAD_ARGS, EXIT_BAD_FILE);
}

static bool is_first_of_section(const struct option_row *row)
{
	return row == option_rows || row[-1].section == NULL ||
	       strcmp(row[-1].section, row->section) != 0;
}

void config_print_sample(FILE *out)
{
	fprintf(out, "# The configuration of qtttd. A line that begins with # is a comment; every\n"
		     "# option stands here with what it is when nothing is said. Flags override\n"
		     "# this file: qtttd --help. Check it with qtttd --check-config --config "
		     "FILE.\n"
		     "# SIGHUP has it read again; what says so takes effect after a restart.\n");
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->section == NULL) {
			continue;
		}
		if (is_first_of_section(row)) {
			fprintf(out, "\n[%s]\n", row->section);
		}
		fprintf(out, "\n# ");
		print_wrapped(out, "# ", 2, row->help);
		if (wants_restart(row)) {
			fprintf(out, "# %s\n", restart_note);
		}
		fprintf(out, "#%s =%s%s\n", row->name, row->standard[0] == '\0' ? "" : " ",
				row->standard);
	}
}
