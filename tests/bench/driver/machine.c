#include "tests/bench/driver/machine.h"

#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SPEED_STEPS 4000000

static pid_t watched;
static clockid_t watched_cpu;

_Noreturn void machine_die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("driver: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(1);
}

void machine_watch(pid_t server)
{
	watched = server;
	if (clock_getcpuclockid(server, &watched_cpu) != 0) {
		machine_die("no CPU clock of process %d", (int)server);
	}
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time;

	if (clock_gettime(clock, &time) != 0) {
		return 0;
	}
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

uint64_t machine_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t machine_server_ns(void)
{
	return read_clock(watched_cpu);
}

uint64_t machine_driver_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* The whole of a small file under /proc or /sys; false if there is none. */
static bool read_file(int fd, char *buffer, size_t size)
{
	const ssize_t got = fd < 0 ? -1 : pread(fd, buffer, size - 1, 0);

	buffer[got > 0 ? got : 0] = '\0';
	return got > 0;
}

static uint64_t sum_of_numbers(const char *text)
{
	uint64_t sum = 0;
	char *end;

	for (;;) {
		const uint64_t value = strtoull(text, &end, 10);

		if (end == text) {
			return sum;
		}
		sum += value;
		text = end;
	}
}

/* Control groups of version 1 tell nanoseconds by core, those of version 2 microseconds in all. */
uint64_t machine_all_ns(void)
{
	static int by_core = -2;
	static int in_all = -2;
	char text[1024];

	if (by_core == -2) {
		by_core = open("/sys/fs/cgroup/cpuacct/cpuacct.usage_percpu", O_RDONLY | O_CLOEXEC);
		in_all = open("/sys/fs/cgroup/cpu.stat", O_RDONLY | O_CLOEXEC);
	}
	if (read_file(by_core, text, sizeof(text))) {
		return sum_of_numbers(text);
	}
	if (read_file(in_all, text, sizeof(text)) && strncmp(text, "usage_usec ", 11) == 0) {
		return strtoull(text + 11, NULL, 10) * 1000;
	}
	return 0;
}

static uint64_t waited_of(pid_t pid, int *fd)
{
	char text[128];
	const char *second;

	if (*fd == -2) {
		snprintf(text, sizeof(text), "/proc/%d/schedstat", (int)pid);
		*fd = open(text, O_RDONLY | O_CLOEXEC);
	}
	if (!read_file(*fd, text, sizeof(text))) {
		return 0;
	}
	second = strchr(text, ' ');
	return second == NULL ? 0 : strtoull(second, NULL, 10);
}

uint64_t machine_waited_ns(void)
{
	static int server_fd = -2;
	static int driver_fd = -2;

	/* Where it goes first it waits for what can't be broken off alone, a little each time. */
	const bool may_wait = sched_getscheduler(0) == SCHED_OTHER;

	return waited_of(watched, &server_fd) + (may_wait ? waited_of(getpid(), &driver_fd) : 0);
}

long machine_server_kib(const char *field)
{
	char text[256];
	long value = -1;
	FILE *file;

	snprintf(text, sizeof(text), "/proc/%d/status", (int)watched);
	file = fopen(text, "r");
	if (file == NULL) {
		return -1;
	}
	while (fgets(text, sizeof(text), file) != NULL) {
		if (strncmp(text, field, strlen(field)) == 0) {
			value = strtol(text + strlen(field), NULL, 10);
		}
	}
	fclose(file);
	return value;
}

double machine_core_speed(void)
{
	const uint64_t begin = machine_driver_ns();
	uint64_t x = begin | 1;

	for (int i = 0; i < SPEED_STEPS; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(x));
	}
	return SPEED_STEPS * 1e3 / (double)(machine_driver_ns() - begin);
}
