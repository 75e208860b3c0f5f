/* The command line: one table of options, which also writes --help. Knows no socket and no file. */
#ifndef CLIENT_OPTIONS_H
#define CLIENT_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "client-cli/link.h"
#include "client-cli/paint.h"
#include "protocol/limits.h"

#define HOST_SIZE 256
#define PORT_SIZE 6
/* Seconds of silence after which a server is asked for a sign of life. */
#define PATIENCE_S 30
#define PATIENCE_MAX_S 3600

/* Exit statuses of qttt; --help tells them. */
enum exit_status {
	EXIT_FINE = 0,
	EXIT_LOST = 1,	  /* no connection, or one that broke off */
	EXIT_REFUSED = 2, /* the last request was refused */
	EXIT_USAGE = 64,
	EXIT_INTERRUPTED = 130
};

enum option_when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

struct options {
	bool json;
	bool ascii;
	bool help;
	bool version;
	bool match;
	const char *admin; /* the path of the operator's door, of argv, or NULL */
	bool tls;
	const char *ca;		/* of argv, or NULL */
	const char *name;	/* of argv, or NULL */
	const char *token_file; /* of argv, or NULL */
	const char *join;	/* a room's id, of argv, or NULL */
	const char *watch;	/* the same */
	const char *clock;	/* "3+2", of argv, or NULL */
	const char *bot;	/* how strong, of argv, or NULL */
	const char *side;	/* against the bot, of argv, or NULL */
	const char *replay;	/* a file, "-" for standard input, of argv, or NULL */
	int game;		/* which of the games in that file, from 1; 0: not said */
	const char *export;	/* a name or a room's id, of argv, or NULL */
	const char *language;	/* one of LANGUAGE_WORDS, of argv, or NULL */
	const char *completion; /* a shell, of argv, or NULL */
	enum paint_when color;
	enum option_when reconnect; /* WHEN_AUTO: at a terminal */
	int patience_s;
	char host[HOST_SIZE]; /* without brackets */
	char port[PORT_SIZE];
};

#define PROBLEM_SIZE 320

/* Read the command line. Returns true and fills *ret; false with a sentence in ret_problem. */
bool options_parse(
		int argc, char *const *argv, struct options *ret, char ret_problem[PROBLEM_SIZE]);

/* What an option is set to, before the command line is known to be right: what is wrong with it is
 * told in a language too. "" for a flag, NULL if the option or a value that it can have is not
 * there. */
const char *options_scan(int argc, char *const *argv, const char *name);

/* Split "HOST", "HOST:PORT", "[V6]", "[V6]:PORT" or a bare IPv6 address; the port is 4242 where
 * none is named. Returns false for anything else. */
bool options_address(const char *text, char ret_host[HOST_SIZE], char ret_port[PORT_SIZE]);

/* Where they lead. */
struct link_target options_target(const struct options *options);

/* The table's rows, for what is made from it. */
struct option_shown {
	const char *name;  /* without its dashes */
	const char *value; /* what the value is called; NULL: it takes none */
	const char *words; /* what the value may be, with blanks between; NULL: anything */
	bool is_file;	   /* the value is a file's name */
	const char *about; /* in English */
};

/* The n-th option; false beyond the last. */
bool options_at(size_t index, struct option_shown *ret);

/* Write what --help says. */
void options_help(FILE *out);

#endif
