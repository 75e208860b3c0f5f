/* Wiring: the command line, the token, the link, the session. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client-cli/link.h"
#include "client-cli/options.h"
#include "client-cli/session.h"
#include "client-cli/token.h"
#include "config.h"

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

/* The token in the file, "" without one. Returns false when it can't be had, and tells why. */
static bool token_get(const char *path, char ret_token[TOKEN_SIZE])
{
	int result;

	ret_token[0] = '\0';
	if (!path) {
		return true;
	}
	result = token_load(path, ret_token);
	if (result < 0) {
		fprintf(stderr, "qttt: %s: %s\n", path,
				result == -EBADMSG ? "holds no token" : strerror(-result));
	}
	return result == 0;
}

static enum exit_status play(const struct options *options)
{
	char token[TOKEN_SIZE];
	struct session session;
	struct link link;
	const char *reason = NULL;
	enum exit_status status;

	if (!token_get(options->token_file, token)) {
		return EXIT_USAGE;
	}
	if (!link_open(options->host, options->port, &link, &reason)) {
		bool v6 = strchr(options->host, ':') != NULL;

		fprintf(stderr, "qttt: can't reach %s%s%s:%s: %s\n", v6 ? "[" : "", options->host,
				v6 ? "]" : "", options->port, reason);
		return EXIT_LOST;
	}
	session_init(&session, options, &link, stdout);
	if (options->name || options->token_file) {
		session_hello(&session, token);
	}
	status = session_run(&session, STDIN_FILENO);
	session_fini(&session);
	link_close(&link);
	return status;
}

int main(int argc, char **argv)
{
	struct options options;
	char problem[PROBLEM_SIZE];

	if (!options_parse(argc, argv, &options, problem)) {
		fprintf(stderr, "qttt: %s\nqttt --help tells what there is.\n", problem);
		return EXIT_USAGE;
	}
	if (options.help) {
		options_help(stdout);
	} else if (options.version) {
		printf("qttt %s\n", QTTT_VERSION);
	}
	if (options.help || options.version) {
		return fflush(stdout) == 0 ? EXIT_FINE : EXIT_LOST;
	}
	if (!descriptors_open()) {
		fprintf(stderr, "qttt: can't open /dev/null: %s\n", strerror(errno));
		return EXIT_LOST;
	}
	signals_init();
	return (int)play(&options);
}
