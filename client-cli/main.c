/* Wiring: the command line, the token, the link, the session. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client-cli/completion.h"
#include "client-cli/export.h"
#include "client-cli/language.h"
#include "client-cli/link.h"
#include "client-cli/options.h"
#include "client-cli/replay.h"
#include "client-cli/session.h"
#include "client-cli/sitting.h"
#include "client-cli/vocabulary.h"
#include "config.h"
#include "protocol/phrase.h"

static void leave_at_once(int number)
{
	(void)number;
	_exit(EXIT_INTERRUPTED);
}

static void signals_init(void)
{
	struct sigaction leave = {.sa_handler = leave_at_once};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigemptyset(&leave.sa_mask);
	sigemptyset(&ignore.sa_mask);
	(void)sigaction(SIGINT, &leave, NULL);
	(void)sigaction(SIGPIPE, &ignore, NULL);
}

/* A standard descriptor that is closed would become the socket, and be read as input. */
static bool descriptors_open(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	return fd >= 0 && close(fd) == 0;
}

static void tell_no_token(const struct options *options, const char *reason)
{
	if (options->token_file) {
		fprintf(stderr, "qttt: %s: %s\n", options->token_file, reason);
	} else {
		fprintf(stderr, _("qttt: the token of %s: %s\n"), options->name, reason);
	}
}

/* The token that is kept for us, "" without one. Returns false when it can't be had, and tells why.
 */
static bool token_get(const struct session *session, char ret_token[TOKEN_SIZE])
{
	const struct options *options = session->options;
	int result = session_find_token(session, options->name, ret_token);

	if (result < 0) {
		tell_no_token(options, result == -EBADMSG ? _("holds no token")
							  : language_reason(-result));
	}
	return result == 0;
}

static bool link_up(const struct options *options, struct link *link)
{
	const struct link_target target = options_target(options);
	bool v6 = strchr(options->host, ':') != NULL;
	char server[HOST_SIZE + PORT_SIZE + 3];
	const char *reason = NULL;

	if (link_open(&target, link, &reason)) {
		return true;
	}
	if (target.path) {
		fprintf(stderr, _("qttt: can't reach %s: %s\n"), target.path, reason);
		return false;
	}
	snprintf(server, sizeof(server), "%s%s%s:%s", v6 ? "[" : "", options->host, v6 ? "]" : "",
			options->port);
	fprintf(stderr, _("qttt: can't reach %s: %s\n"), server, reason);
	return false;
}

/* What the command line asks for goes before all that is typed. Returns false if it can't. */
static bool begin(struct session *session)
{
	char token[TOKEN_SIZE];

	if (!token_get(session, token)) {
		return false;
	}
	session_begin(session, token);
	return true;
}

/* Keys and colours need a terminal at both ends, and one that can move its cursor. */
static bool is_at_terminal(const struct options *options)
{
	const char *term = getenv("TERM");

	return !options->json && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term &&
	       term[0] != '\0' && strcmp(term, "dumb") != 0;
}

static enum exit_status play_in_pipe(const struct options *options, struct link *link)
{
	struct session *session = malloc(sizeof(*session));
	enum exit_status status = EXIT_USAGE;

	if (!session) {
		fprintf(stderr, _("qttt: out of memory\n"));
		return EXIT_LOST;
	}
	session_init(session, options, link, stdout);
	session->returns = options->reconnect == WHEN_ALWAYS;
	if (begin(session)) {
		status = session_run(session, STDIN_FILENO);
	}
	session_fini(session);
	free(session);
	return status;
}

static enum exit_status play_at_terminal(const struct options *options, struct link *link)
{
	struct sitting *sitting = sitting_new(options, link);
	enum exit_status status = EXIT_USAGE;

	if (!sitting) {
		fprintf(stderr, _("qttt: out of memory\n"));
		return EXIT_LOST;
	}
	if (begin(&sitting->session)) {
		status = sitting_run(sitting);
	}
	sitting_free(sitting);
	return status;
}

static enum exit_status play(const struct options *options)
{
	struct link link;
	enum exit_status status;

	if (!link_up(options, &link)) {
		return EXIT_LOST;
	}
	status = is_at_terminal(options) ? play_at_terminal(options, &link)
					 : play_in_pipe(options, &link);
	link_close(&link);
	return status;
}

static enum exit_status show_replay(const struct options *options, const struct replay *replay)
{
	if (is_at_terminal(options)) {
		return replay_sit(replay);
	}
	if (!options->json) {
		replay_print(replay);
	}
	if (fflush(stdout) != 0) {
		fprintf(stderr, _("qttt: can't write to standard output\n"));
		return EXIT_LOST;
	}
	return EXIT_FINE;
}

static enum exit_status replay_record(const struct options *options, const struct record *record)
{
	enum exit_status status = EXIT_LOST;
	struct replay *replay;
	struct link link;

	if (!link_up(options, &link)) {
		return EXIT_LOST;
	}
	replay = replay_new(options, record, &link);
	if (replay) {
		status = replay_fetch(replay);
	} else {
		fprintf(stderr, _("qttt: out of memory\n"));
	}
	link_close(&link);
	if (status == EXIT_FINE) {
		status = show_replay(options, replay);
	}
	replay_free(replay);
	return status;
}

/* The file is read first: what is wrong with it needs no server to be told. */
static enum exit_status replay(const struct options *options)
{
	static struct record record;
	char problem[PROBLEM_SIZE];
	enum exit_status status = record_load(options->replay,
			options->game > 0 ? (size_t)options->game : 1, &record, problem);

	if (status != EXIT_FINE) {
		fprintf(stderr, "qttt: %s\n", problem);
		return status;
	}
	if (record.has_more && options->game == 0) {
		fprintf(stderr, _("qttt: this is the first of several games; --game 2 is the "
				  "next\n"));
	}
	return replay_record(options, &record);
}

static enum exit_status export_games(const struct options *options)
{
	enum exit_status status;
	struct link link;

	if (!link_up(options, &link)) {
		return EXIT_LOST;
	}
	status = export_run(options, &link, stdout);
	link_close(&link);
	return status;
}

static enum exit_status run(const struct options *options)
{
	if (options->export) {
		return export_games(options);
	}
	return options->replay ? replay(options) : play(options);
}

/* The library that reads it does not say why it can't. */
static bool ca_is_readable(const struct options *options)
{
	if (options->ca && access(options->ca, R_OK) != 0) {
		fprintf(stderr, "qttt: %s: %s\n", options->ca, language_reason(errno));
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct options options;
	char problem[PROBLEM_SIZE];

	language_begin(options_scan(argc, argv, "language"),
			options_scan(argc, argv, "ascii") != NULL, NULL);
	if (!options_parse(argc, argv, &options, problem)) {
		fprintf(stderr, _("qttt: %s\nqttt --help tells what there is.\n"), problem);
		return EXIT_USAGE;
	}
	if (options.help) {
		options_help(stdout);
	} else if (options.version) {
		printf("qttt %s\n", QTTT_VERSION);
	} else if (options.completion) {
		completion_write(options.completion, stdout);
	}
	if (options.help || options.version || options.completion) {
		return fflush(stdout) == 0 ? EXIT_FINE : EXIT_LOST;
	}
	if (!descriptors_open()) {
		fprintf(stderr, _("qttt: can't open /dev/null: %s\n"), language_reason(errno));
		return EXIT_LOST;
	}
	if (!ca_is_readable(&options)) {
		return EXIT_USAGE;
	}
	if (options.admin) {
		vocabulary_serve_operator();
	}
	signals_init();
	return (int)run(&options);
}
