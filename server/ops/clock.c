#include "server/ops/clock.h"

#include <stdbool.h>
#include <time.h>

static int64_t read_us(clockid_t which)
{
	struct timespec at;

	clock_gettime(which, &at);
	return (int64_t)at.tv_sec * 1000000 + at.tv_nsec / 1000;
}

int64_t clock_now_us(void)
{
	static bool started;
	static int64_t offset_us;
	const int64_t since_boot_us = read_us(CLOCK_BOOTTIME);

	if (!started) {
		started = true;
		offset_us = read_us(CLOCK_REALTIME) - since_boot_us;
	}
	return offset_us + since_boot_us;
}

int64_t clock_spent_us(void)
{
	return read_us(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_now_ms(void)
{
	return clock_now_us() / 1000;
}
