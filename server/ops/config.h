/* What an operator can set: one table of options that parses the command line and the file,
 * checks, and writes --help and the commented sample. Flags override the file. */
#ifndef OPS_CONFIG_H
#define OPS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "server/ops/log.h"

/* Values of an option that may be given several times. */
#define CONFIG_LIST_MAX 16
#define CONFIG_NAME_BYTES 63
#define CONFIG_MOTD_BYTES 255
/* A sentence that says what is wrong fits in this. */
#define CONFIG_WHY_SIZE 512

struct config_list {
	size_t count;
	char *items[CONFIG_LIST_MAX];
};

struct config {
	struct config_list listen; /* 1 or more */
	struct config_list listen_tls;
	char *cert; /* of TLS; "": none, and then listen_tls is empty */
	char *key;
	struct config_list proxy_from;
	struct config_list http;
	struct config_list https;
	struct config_list ws_origin;
	struct config_list metrics_from;
	char *admin; /* a path; "": there is no operator's door */
	char *db;    /* "none": memory only */
	char *name;
	char *motd; /* "": none */
	enum log_level log_level;
	int64_t behind_bytes;
	int64_t keep_over_s;
	int64_t keep_guests_s;
	int64_t keep_events_s; /* 0: for ever */
	int64_t first_move_s;
	int64_t claim_grace_s;
	int64_t claim_untimed_s;
	int64_t untouched_s;
	int64_t lobby_away_s;
	int64_t close_away_s;
	int64_t max_connections;
	int64_t bot_pace_ms;
	int64_t workers; /* 0: as many as suit the machine */
	int64_t solver_mib;
	int64_t connections_per_address;
	int64_t max_output;
	int64_t max_output_all;
	int64_t slow_reader_s;
	int64_t first_line_s;
	int64_t idle_s;
	int64_t max_rooms;
	int64_t rooms_per_name;
	int64_t bot_games_per_name;
	int64_t connections_per_name;
	int64_t watchers_per_room;
	int64_t opens_per_minute;
	int64_t says_per_minute;
	int64_t invites_per_minute;
	int64_t invites_per_name;
	int64_t names_per_hour;
	int64_t allowance;
	int64_t address_allowance;
	bool no_limits;
	char *file;   /* "": none */
	char *backup; /* CONFIG_BACKUP: the copy's name */
	char *export; /* CONFIG_EXPORT: the file's, or "-" */
};

enum config_result {
	CONFIG_RUN,
	CONFIG_CHECK,	 /* --check-config, and all is well */
	CONFIG_BACKUP,	 /* --backup, of a database in a file */
	CONFIG_CHECK_DB, /* --check-db, the same */
	CONFIG_EXPORT,	 /* --export-db, the same */
	CONFIG_HELP,	 /* --help */
	CONFIG_VERSION,	 /* --version */
	CONFIG_SAMPLE,	 /* --print-config */
	CONFIG_BAD_ARGS, /* ret_why says what is wrong with the command line */
	CONFIG_BAD_FILE	 /* ret_why says what is wrong with the file, as FILE:LINE: sentence */
};

/* Read the command line and the file that it names. *ret is the caller's to config_fini, whatever
 * the result. argv's order may change. */
enum config_result config_read(
		int argc, char **argv, struct config *ret, char ret_why[CONFIG_WHY_SIZE]);

void config_fini(struct config *config);

/* An option has another value than before; `now` tells whether that counts from now on, or only
 * after a restart. */
typedef void config_change_fn(void *arg, const char *name, bool now);

/* Take over from what was read later all that may change while the server runs, and tell of each
 * difference; *fresh then holds the rest of both. Pointers into *config's texts are good until
 * *fresh ends. */
void config_take_changes(
		struct config *config, struct config *fresh, config_change_fn *changed, void *arg);

/* May a file be read while the server runs? A pipe without a writer would hold it up for ever.
 * What is not there is told of by whoever reads it. */
bool config_is_readable_again(const char *path, char ret_why[CONFIG_WHY_SIZE]);

void config_print_help(FILE *out);
void config_print_sample(FILE *out);

/* Exit statuses, as --help tells them. */
enum config_exit { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_BAD_ARGS = 64, EXIT_BAD_FILE = 78 };

#endif
