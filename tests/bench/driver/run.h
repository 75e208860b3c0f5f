/* What can be measured, and what the command line says about it. Each run prints the members of
 * one JSON object, each with a comma before it. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "tests/bench/driver/game.h"

struct run_options {
	const char *run;
	const char *label;
	const char *scripts;
	const struct game_dialect *dialect;
	int port;
	int ws_port;
	int pid;
	int games;
	int watchers;
	int conns;
	int bots;	/* games against bots beside the load */
	int window;	/* requests in flight while setting up */
	double seconds; /* of undisturbed time that are wanted */
	double wall;	/* after so many seconds what there is must do */
	double warm;	/* seconds that do not count, at first */
	double foreign; /* percent of one core that others may have */
	double rate;	/* actions a second, for load */
};

void run_play(const struct run_options *options);  /* games as quick as they go; with watchers */
void run_load(const struct run_options *options);  /* actions at a given rate, and idle ones */
void run_login(const struct run_options *options); /* connect, hello, both answers, close */
void run_idle(const struct run_options *options);  /* memory of connections */
void run_rooms(const struct run_options *options); /* memory of running rooms */

void run_bots(const struct run_options *options);    /* a bot's decisions */
void run_analyse(const struct run_options *options); /* analyses */

/* For load: so many games against bots, which go on by themselves. */
struct conn *run_bot_games(int count, int window);

/* For load and idle: so many connections that have been told `welcome` and then say nothing. */
struct conn *run_idle_conns(int count, int first, int window);

#endif
