#include "server/ops/clock.h"

#include <stdbool.h>
#include <time.h>

static int64_t read_ms(clockid_t which)
{
	struct timespec at;

	clock_gettime(which, &at);
	return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

int64_t clock_now_ms(void)
{
	static bool started;
	static int64_t offset_ms;
	const int64_t since_boot_ms = read_ms(CLOCK_BOOTTIME);

	if (!started) {
		started = true;
		offset_ms = read_ms(CLOCK_REALTIME) - since_boot_ms;
	}
	return offset_ms + since_boot_ms;
}
