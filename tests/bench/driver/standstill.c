#include "tests/bench/driver/standstill.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <time.h>

#include "tests/bench/driver/machine.h"

#define BEAT_NS 250000u
/* Before the driver, which may go first too. */
#define PRIORITY 2

static _Atomic uint64_t longest_ns;

static void note_ns(uint64_t late_ns)
{
	uint64_t known_ns = atomic_load(&longest_ns);

	while (late_ns > known_ns &&
			!atomic_compare_exchange_weak(&longest_ns, &known_ns, late_ns)) {
	}
}

static void *watch(void *arg)
{
	uint64_t due_ns = machine_now_ns();

	(void)arg;
	prctl(PR_SET_TIMERSLACK, 1L);
	for (;;) {
		uint64_t now_ns;

		due_ns += BEAT_NS;
		const struct timespec due = {.tv_sec = (time_t)(due_ns / NS_PER_S),
				.tv_nsec = (long)(due_ns % NS_PER_S)};

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
		now_ns = machine_now_ns();
		note_ns(now_ns - due_ns);
		due_ns = now_ns;
	}
	return NULL;
}

static int first_core(pid_t pid)
{
	cpu_set_t cores;

	CPU_ZERO(&cores);
	sched_getaffinity(pid, sizeof(cores), &cores);
	for (int core = 0; core < CPU_SETSIZE; core++) {
		if (CPU_ISSET((size_t)core, &cores)) {
			return core;
		}
	}
	return 0;
}

static void watch_core(int core)
{
	const struct sched_param first = {.sched_priority = PRIORITY};
	pthread_attr_t attributes;
	pthread_t thread;
	cpu_set_t cores;
	int error;

	CPU_ZERO(&cores);
	CPU_SET((size_t)core, &cores);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &first);
	pthread_attr_setaffinity_np(&attributes, sizeof(cores), &cores);
	error = pthread_create(&thread, &attributes, watch, NULL);
	pthread_attr_destroy(&attributes);
	if (error != 0 && error != EPERM) {
		machine_die("no thread to watch core %d", core);
	}
}

void standstill_watch(pid_t server)
{
	const int theirs = first_core(server);
	const int ours = first_core(0);

	watch_core(theirs);
	if (ours != theirs) {
		watch_core(ours);
	}
}

uint64_t standstill_longest_ns(void)
{
	return atomic_exchange(&longest_ns, 0);
}
