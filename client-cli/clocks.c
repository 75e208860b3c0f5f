#include "client-cli/clocks.h"

#include <stdio.h>

static void run_down(int64_t *left_ms, int64_t passed_ms)
{
	*left_ms = passed_ms < *left_ms ? *left_ms - passed_ms : 0;
}

struct clock_running clocks_left(const struct clock_running *told, int64_t told_ms, int64_t now_ms)
{
	struct clock_running left = *told;
	int64_t passed_ms = now_ms > told_ms ? now_ms - told_ms : 0;

	if (left.running == SEAT_X) {
		run_down(&left.x_ms, passed_ms);
	} else if (left.running == SEAT_O) {
		run_down(&left.o_ms, passed_ms);
	}
	return left;
}

/* Of the one that runs. */
static int64_t running_ms(const struct clock_running *left)
{
	return left->running == SEAT_X ? left->x_ms : left->o_ms;
}

int64_t clocks_change_ms(const struct clock_running *told, int64_t told_ms, int64_t now_ms)
{
	struct clock_running left = clocks_left(told, told_ms, now_ms);

	if (!left.set || left.running == SEAT_NONE || running_ms(&left) == 0) {
		return -1;
	}
	return running_ms(&left) % 1000 + 1;
}

bool clocks_low(const struct clock_running *left)
{
	return left->set && left->running != SEAT_NONE && running_ms(left) < CLOCKS_LOW_MS;
}

void clocks_text(const struct clock_running *left, char ret_text[CLOCKS_TEXT_SIZE])
{
	long long x = (long long)left->x_ms / 1000;
	long long o = (long long)left->o_ms / 1000;

	ret_text[0] = '\0';
	if (left->set) {
		snprintf(ret_text, CLOCKS_TEXT_SIZE, "X %lld:%02lld%s O %lld:%02lld%s", x / 60,
				x % 60, left->x_ms < CLOCKS_LOW_MS ? "!" : "", o / 60, o % 60,
				left->o_ms < CLOCKS_LOW_MS ? "!" : "");
	}
}

void clocks_wait_text(int64_t wait_ms, char ret_text[CLOCKS_TEXT_SIZE])
{
	static const struct {
		long long seconds;
		const char *unit;
	} units[] = {{1, "s"}, {60, "min"}, {3600, "h"}};
	long long seconds = ((long long)wait_ms + 999) / 1000;
	size_t i = seconds < 120 ? 0 : seconds < 7200 ? 1 : 2;

	snprintf(ret_text, CLOCKS_TEXT_SIZE, "%lld %s",
			(seconds + units[i].seconds - 1) / units[i].seconds, units[i].unit);
}
