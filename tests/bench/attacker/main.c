/* Attacks a server until it is told to stop (SIGTERM), then prints what came of it as one JSON
 * object.
 *
 *     bench_attacker NAME TCP-PORT TLS-PORT HTTP-PORT [FILE]
 *     bench_attacker                  names of the attacks, one a line
 *
 * FILE is what some attacks need: see struct attack_blob. It takes only the time of its core that
 * nobody else there wants (SCHED_IDLE): how long those wait who share it is the server's doing. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "tests/bench/attacker/attack.h"

#define BLOB_BYTES 4000000

static volatile bool stopped;

static void stop(int number)
{
	(void)number;
	stopped = true;
}

static const struct attack *attack_named(const char *name)
{
	for (size_t i = 0; i < attack_count; i++) {
		if (strcmp(attacks[i].name, name) == 0) {
			return &attacks[i];
		}
	}
	fprintf(stderr, "attacker: there is no attack %s\n", name);
	exit(2);
}

static void read_blob(const char *name)
{
	static char data[BLOB_BYTES];
	FILE *file = fopen(name, "rb");

	if (file == NULL) {
		fprintf(stderr, "attacker: %s can't be read\n", name);
		exit(2);
	}
	attack_blob.data = data;
	attack_blob.length = fread(data, 1, sizeof(data) - 1, file);
	fclose(file);
}

static double cpu_seconds(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static void be_modest(void)
{
	const struct sched_param least = {0};
	struct rlimit limit;

	sched_setscheduler(0, SCHED_IDLE, &least);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
	const struct sigaction action = {.sa_handler = stop};
	const struct attack *attack;
	uint64_t begin_ns;
	double seconds;

	if (argc < 5) {
		for (size_t i = 0; i < attack_count; i++) {
			puts(attacks[i].name);
		}
		return argc == 1 ? 0 : 2;
	}
	attack = attack_named(argv[1]);
	if (argc > 5) {
		read_blob(argv[5]);
	}
	sigaction(SIGTERM, &action, NULL);
	be_modest();
	begin_ns = crowd_now_ns();
	crowd_attack(attack, (int)strtol(argv[2 + attack->door], NULL, 10), &stopped);
	seconds = (double)(crowd_now_ns() - begin_ns) / 1e9;
	printf("{\"attack\":\"%s\",\"conns\":%d,\"addresses\":%d,\"opened\":%llu,"
	       "\"admitted\":%llu,\"closed\":%llu,\"sent_mib\":%.1f,\"heard_mib\":%.1f,"
	       "\"attack_s\":%.2f,\"attacker_percent\":%.0f}\n",
			attack->name, attack->conns, attack->addresses,
			(unsigned long long)attack_counts.opened,
			(unsigned long long)attack_counts.admitted,
			(unsigned long long)attack_counts.closed,
			(double)attack_counts.sent / 1048576, (double)attack_counts.heard / 1048576,
			seconds, 100 * cpu_seconds() / seconds);
	return 0;
}
