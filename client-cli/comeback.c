#include "client-cli/comeback.h"

void comeback_init(struct comeback *comeback, int64_t patience_ms, uint64_t seed, int64_t now_ms)
{
	*comeback = (struct comeback){
			.state = COMEBACK_UP,
			.patience_ms = patience_ms,
			.heard_ms = now_ms,
			.asked_ms = -1,
			.up_ms = now_ms,
			.random = seed | 1,
	};
}

/* Silence. */

static bool is_connected(const struct comeback *comeback)
{
	return comeback->state == COMEBACK_UP || comeback->state == COMEBACK_RESTORING;
}

void comeback_heard(struct comeback *comeback, int64_t now_ms)
{
	comeback->heard_ms = now_ms;
	comeback->asked_ms = -1;
}

/* When the silence has to be looked at again. */
static int64_t silence_ends_ms(const struct comeback *comeback)
{
	return comeback->asked_ms < 0 ? comeback->heard_ms + comeback->patience_ms
				      : comeback->asked_ms + comeback->patience_ms / 2;
}

/* A machine that slept finds a long silence, which is nobody's fault: it asks first too. */
enum comeback_silence comeback_silence(struct comeback *comeback, int64_t now_ms)
{
	if (!is_connected(comeback) || now_ms < silence_ends_ms(comeback)) {
		return SILENCE_FINE;
	}
	if (comeback->asked_ms >= 0) {
		return SILENCE_DEAD;
	}
	comeback->asked_ms = now_ms;
	return SILENCE_ASK;
}

/* Trying again. */

/* A number from 0 to most: xorshift, whose quality does not matter here. */
static int64_t vary(struct comeback *comeback, int64_t most)
{
	comeback->random ^= comeback->random << 13;
	comeback->random ^= comeback->random >> 7;
	comeback->random ^= comeback->random << 17;
	return (int64_t)(comeback->random % (uint64_t)(most + 1));
}

static int64_t wait_after(unsigned int tries)
{
	int64_t wait_ms = COMEBACK_FIRST_MS;

	while (tries-- > 0 && wait_ms < COMEBACK_LONGEST_MS) {
		wait_ms *= 2;
	}
	return wait_ms < COMEBACK_LONGEST_MS ? wait_ms : COMEBACK_LONGEST_MS;
}

void comeback_lost(struct comeback *comeback, int64_t retry_ms, int64_t now_ms)
{
	int64_t wait_ms;
	int64_t asked_ms = retry_ms < COMEBACK_ASKED_MS ? retry_ms : COMEBACK_ASKED_MS;

	if (is_connected(comeback) && now_ms - comeback->up_ms >= COMEBACK_HOLDS_MS) {
		comeback->tries = 0;
	}
	wait_ms = wait_after(comeback->tries);
	wait_ms = wait_ms / 2 + vary(comeback, wait_ms / 2);
	if (asked_ms > 0) {
		/* Not a moment before, and not with all others. */
		asked_ms += vary(comeback, asked_ms / 2);
	}
	comeback->tries++;
	comeback->state = COMEBACK_WAITING;
	comeback->next_ms = now_ms + (wait_ms > asked_ms ? wait_ms : asked_ms);
}

void comeback_hurry(struct comeback *comeback, int64_t now_ms)
{
	if (comeback->state == COMEBACK_WAITING) {
		comeback->next_ms = now_ms;
	}
}

bool comeback_due(struct comeback *comeback, int64_t now_ms)
{
	if (comeback->state != COMEBACK_WAITING || now_ms < comeback->next_ms) {
		return false;
	}
	comeback->state = COMEBACK_TRYING;
	return true;
}

void comeback_connected(struct comeback *comeback, int64_t now_ms)
{
	comeback->state = COMEBACK_RESTORING;
	comeback->up_ms = now_ms;
	comeback_heard(comeback, now_ms);
}

void comeback_restored(struct comeback *comeback)
{
	comeback->state = COMEBACK_UP;
}

int64_t comeback_wait_ms(const struct comeback *comeback, int64_t now_ms)
{
	int64_t at_ms = 0;

	switch (comeback->state) {
	case COMEBACK_UP:
	case COMEBACK_RESTORING:
		at_ms = silence_ends_ms(comeback);
		break;
	case COMEBACK_WAITING:
		at_ms = comeback->next_ms;
		break;
	case COMEBACK_TRYING:
		return -1;
	}
	return at_ms > now_ms ? at_ms - now_ms : 0;
}

int64_t comeback_seconds(const struct comeback *comeback, int64_t now_ms)
{
	int64_t left_ms = comeback->next_ms - now_ms;

	return left_ms > 0 ? (left_ms + 999) / 1000 : 0;
}
