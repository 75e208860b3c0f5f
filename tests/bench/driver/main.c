/* The load driver's command line. One run, one JSON object on standard output. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/bench/driver/machine.h"
#include "tests/bench/driver/run.h"
#include "tests/bench/driver/standstill.h"

static const struct {
	const char *name;
	void (*run)(const struct run_options *options);
} runs[] = {
		{"play", run_play},
		{"load", run_load},
		{"login", run_login},
		{"idle", run_idle},
		{"rooms", run_rooms},
		{"bots", run_bots},
		{"analyse", run_analyse},
};

enum value_kind { VALUE_TEXT, VALUE_INT, VALUE_REAL, VALUE_DIALECT };

static const struct {
	const char *name;
	enum value_kind kind;
	size_t place;
	const char *about;
} options_table[] = {
		{"run", VALUE_TEXT, offsetof(struct run_options, run),
				"play, load, login, idle, rooms, bots or analyse"},
		{"label", VALUE_TEXT, offsetof(struct run_options, label), "name in the result"},
		{"scripts", VALUE_TEXT, offsetof(struct run_options, scripts), "file of games"},
		{"dialect", VALUE_DIALECT, offsetof(struct run_options, dialect), "qttt or room"},
		{"port", VALUE_INT, offsetof(struct run_options, port), "of the server"},
		{"ws-port", VALUE_INT, offsetof(struct run_options, ws_port),
				"where watchers are by WebSocket; 0: they are not"},
		{"pid", VALUE_INT, offsetof(struct run_options, pid), "of the server"},
		{"games", VALUE_INT, offsetof(struct run_options, games), "at a time"},
		{"watchers", VALUE_INT, offsetof(struct run_options, watchers), "of one game"},
		{"conns", VALUE_INT, offsetof(struct run_options, conns),
				"idle connections; those that ask for analyses"},
		{"bots", VALUE_INT, offsetof(struct run_options, bots),
				"games against bots beside the load"},
		{"window", VALUE_INT, offsetof(struct run_options, window),
				"requests at a time while setting up; logins at a time"},
		{"seconds", VALUE_REAL, offsetof(struct run_options, seconds),
				"undisturbed time that is wanted"},
		{"wall", VALUE_REAL, offsetof(struct run_options, wall), "limit of time"},
		{"warm", VALUE_REAL, offsetof(struct run_options, warm),
				"seconds before it counts"},
		{"foreign", VALUE_REAL, offsetof(struct run_options, foreign),
				"percent of a core that others may have in a slice that counts"},
		{"per-address", VALUE_INT, offsetof(struct run_options, per_address),
				"connections that come from one address"},
		{"rate", VALUE_REAL, offsetof(struct run_options, rate),
				"actions a second, for load"},
};
/* One address has ports for some 28000 connections, those lately closed among them. */
#define CONNS_AN_ADDRESS 5000
#define OPTION_COUNT (sizeof(options_table) / sizeof(options_table[0]))

static _Noreturn void usage(void)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		fprintf(stderr, "  --%-11s %s\n", options_table[i].name, options_table[i].about);
	}
	exit(2);
}

static void set_option(struct run_options *options, size_t row, const char *value)
{
	char *place = (char *)options + options_table[row].place;

	switch (options_table[row].kind) {
	case VALUE_TEXT:
		*(const char **)(void *)place = value;
		break;
	case VALUE_INT:
		*(int *)(void *)place = (int)strtol(value, NULL, 10);
		break;
	case VALUE_REAL:
		*(double *)(void *)place = strtod(value, NULL);
		break;
	case VALUE_DIALECT:
		*(const struct game_dialect **)(void *)place = game_dialect_named(value);
		break;
	}
}

static void read_options(struct run_options *options, int argc, char **argv)
{
	for (int i = 1; i < argc; i += 2) {
		size_t row = 0;

		while (row < OPTION_COUNT &&
				(strncmp(argv[i], "--", 2) != 0 ||
						strcmp(argv[i] + 2, options_table[row].name) !=
								0)) {
			row++;
		}
		if (row == OPTION_COUNT || i + 1 == argc) {
			usage();
		}
		set_option(options, row, argv[i + 1]);
	}
}

static void allow_many_files(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
	struct run_options options = {.run = "play",
			.label = "",
			.scripts = "games.txt",
			.dialect = game_dialect_named("qttt"),
			.games = 1,
			.window = 64,
			.per_address = CONNS_AN_ADDRESS,
			.seconds = 2,
			.wall = 20,
			.warm = 1,
			.foreign = 4,
			.rate = 1000};
	double speed;

	read_options(&options, argc, argv);
	if (options.dialect == NULL) {
		usage();
	}
	signal(SIGPIPE, SIG_IGN);
	allow_many_files();
	machine_watch(options.pid);
	standstill_watch(options.pid);
	speed = machine_core_speed();
	conn_init(options.port, options.per_address);
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		if (strcmp(runs[i].name, options.run) == 0) {
			printf("{\"run\":\"%s\",\"label\":\"%s\"", options.run, options.label);
			runs[i].run(&options);
			printf(",\"core_speed\":%.0f}\n", (speed + machine_core_speed()) / 2);
			return 0;
		}
	}
	usage();
}
