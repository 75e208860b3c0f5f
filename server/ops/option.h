/* The rows of the option table, and what a value of each kind may be. For config.c alone. */
#ifndef OPS_OPTION_H
#define OPS_OPTION_H

#include "server/ops/config.h"

/* Bytes of a path. */
#define OPTION_PATH_BYTES 4095

enum option_kind {
	OPTION_COMMAND, /* takes no value: says what to do in place of serving */
	OPTION_SWITCH,	/* takes no value as a flag, yes or no in the file */
	OPTION_NUMBER,
	OPTION_TEXT,
	OPTION_PATH,
	OPTION_ADDRESS, /* may be given several times */
	OPTION_PREFIX,	/* so may this */
	OPTION_ORIGIN,	/* and this: where a page is from */
	OPTION_LEVEL
};

struct option_row {
	const char *name;
	const char *section; /* of the file; NULL: a flag alone */
	bool reload;	     /* a change of the file takes effect at SIGHUP, not only at a start */
	enum option_kind kind;
	enum config_result command; /* what it asks for; CONFIG_RUN: nothing by itself */
	int64_t min;		    /* OPTION_NUMBER: of the value */
	int64_t max;		    /* of the value, or (OPTION_TEXT) of its length in bytes */
	const char *standard;	    /* what it is when nobody says; NULL for commands */
	size_t offset;		    /* of its member of struct config */
	const char *value;	    /* the word for it in --help; NULL: takes none */
	const char *host; /* OPTION_ADDRESS: what a port alone is taken for; NULL: nothing */
	const char *help;
};

extern const struct option_row option_rows[];
extern const size_t option_count;

/* May it be given several times? */
bool option_is_list(const struct option_row *row);

/* Put a value into its member of the config (to a list it is added). False if it can't be one: then
 * ret_why says what it has to be ("wants a whole number from 1 to 10, not \"x\""). */
bool option_set(const struct option_row *row, struct config *config, const char *value,
		char ret_why[CONFIG_WHY_SIZE]);

/* Is its value not the same in both? */
bool option_differs(const struct option_row *row, struct config *one, struct config *other);

/* Exchange its values. */
void option_swap(const struct option_row *row, struct config *one, struct config *other);

#endif
