#include "server/play/limits.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

#define MS 1000
#define SECOND 1000000

struct limits_account {
	TAILQ_ENTRY(limits_account) in_unused;
	size_t uses;
	int64_t left_ms; /* while nobody uses it */
	struct limits_bucket allowance;
	struct session_list line; /* of those who wait for it */
	struct limits_bucket rates[RATE_COUNT];
	struct limits_thinking thinking;
	char key[];
};

struct rate_row {
	int64_t period_ms;
	bool by_name;
	int64_t names_an_address; /* an address may do as much as so many names */
};

static const struct rate_row rate_rows[RATE_COUNT] = {
		[RATE_OPENS] = {60000, true, LIMITS_NAMES_AN_ADDRESS},
		[RATE_SAYS] = {60000, true, LIMITS_NAMES_AN_ADDRESS},
		[RATE_INVITES] = {60000, true, LIMITS_NAMES_AN_ADDRESS},
		[RATE_NAMES] = {3600000, false, 1},
};

void limits_init(struct limits *limits, const struct play_limits *most)
{
	*limits = (struct limits){.most = *most};
	map_init(&limits->accounts);
	TAILQ_INIT(&limits->unused);
}

/* Accounts. */

static void forget_first(struct limits *limits)
{
	struct limits_account *account = TAILQ_FIRST(&limits->unused);

	TAILQ_REMOVE(&limits->unused, account, in_unused);
	limits->unused_count--;
	map_remove(&limits->accounts, account->key);
	free(account);
}

void limits_fini(struct limits *limits)
{
	while (!TAILQ_EMPTY(&limits->unused)) {
		forget_first(limits);
	}
	assert(limits->accounts.count == 0);
	map_fini(&limits->accounts);
}

static struct limits_account *open_account(struct limits *limits, char kind, const char *name)
{
	char key[PLAY_ADDRESS_SIZE + 1];

	snprintf(key, sizeof(key), "%c%s", kind, name);
	struct limits_account *account = map_get(&limits->accounts, key);
	if (account == NULL) {
		account = memory_new(1, sizeof(*account) + strlen(key) + 1);
		memcpy(account->key, key, strlen(key) + 1);
		TAILQ_INIT(&account->line);
		map_put(&limits->accounts, account->key, account);
	} else if (account->uses == 0) {
		TAILQ_REMOVE(&limits->unused, account, in_unused);
		limits->unused_count--;
	}
	account->uses++;
	return account;
}

struct limits_account *limits_open_address(struct limits *limits, const char *group)
{
	return open_account(limits, 'a', group);
}

struct limits_account *limits_open_name(struct limits *limits, int64_t id)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIx64, (uint64_t)id);
	return open_account(limits, 'n', text);
}

void limits_close(struct limits *limits, struct limits_account *account, int64_t now_ms)
{
	account->uses--;
	if (account->uses > 0) {
		return;
	}
	account->left_ms = now_ms;
	TAILQ_INSERT_TAIL(&limits->unused, account, in_unused);
	limits->unused_count++;
	if (limits->unused_count > LIMITS_UNUSED_MAX) {
		forget_first(limits);
	}
}

int64_t limits_forget_due(const struct limits *limits)
{
	const struct limits_account *first = TAILQ_FIRST(&limits->unused);

	return first == NULL ? INT64_MAX : first->left_ms + LIMITS_KEPT_MS;
}

void limits_forget(struct limits *limits, int64_t now_ms)
{
	while (limits_forget_due(limits) <= now_ms) {
		forget_first(limits);
	}
}

struct limits_thinking *limits_thinking(struct limits_account *account)
{
	return &account->thinking;
}

struct session_list *limits_line(struct limits_account *account)
{
	return &account->line;
}

/* Buckets. */

/* How long until `more_us` fit into a bucket that takes `size_us`; 0: they do. */
static int64_t wait_us(const struct limits_bucket *bucket, int64_t more_us, int64_t size_us,
		int64_t now_us)
{
	int64_t from_us = bucket->empty_us > now_us ? bucket->empty_us : now_us;
	int64_t over_us = from_us + more_us - now_us - size_us;

	return over_us > 0 ? over_us : 0;
}

static void pour(struct limits_bucket *bucket, int64_t more_us, int64_t now_us)
{
	bucket->empty_us = (bucket->empty_us > now_us ? bucket->empty_us : now_us) + more_us;
}

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t to_ms(int64_t us)
{
	return (us + MS - 1) / MS;
}

/* So much was counted when `before` might be done in a time, and `most` may be now. */
static void ease(struct limits_bucket *bucket, int64_t before, int64_t most, int64_t now_us)
{
	const int64_t left_us = bucket->empty_us - now_us;

	if (left_us > 0 && most > before) {
		bucket->empty_us = now_us + ((left_us / most) * before) +
				   (((left_us % most) * before) / most);
	}
}

void limits_ease(const struct limits *limits, struct limits_bucket *connection, int64_t before,
		int64_t now_ms)
{
	ease(connection, before, limits->most.allowance, now_ms * MS);
}

void limits_change(struct limits *limits, const struct play_limits *most, int64_t now_ms)
{
	const struct play_limits before = limits->most;
	struct limits_account *account;
	size_t cursor = 0;

	limits->most = *most;
	while ((account = map_next(&limits->accounts, &cursor)) != NULL) {
		ease(&account->allowance, before.address_allowance, most->address_allowance,
				now_ms * MS);
		for (int rate = 0; rate < RATE_COUNT; rate++) {
			ease(&account->rates[rate], before.rates[rate], most->rates[rate],
					now_ms * MS);
		}
	}
}

int64_t limits_take(const struct limits *limits, enum play_rate rate, struct limits_account *name,
		struct limits_account *address, int64_t now_ms)
{
	const struct rate_row *row = &rate_rows[rate];
	int64_t most = limits->most.rates[rate];
	int64_t now_us = now_ms * MS;
	int64_t wait = 0;

	if (most == 0) {
		return 0;
	}
	/* Rounded down, so that it is never the rounding that makes one too many. */
	int64_t by_name_us = row->period_ms * MS / most;
	int64_t by_address_us = by_name_us / row->names_an_address;
	if (row->by_name && name != NULL) {
		wait = wait_us(&name->rates[rate], by_name_us, row->period_ms * MS, now_us);
	}
	wait = max(wait,
			wait_us(&address->rates[rate], by_address_us, row->period_ms * MS, now_us));
	if (wait > 0) {
		return to_ms(wait);
	}
	if (row->by_name && name != NULL) {
		pour(&name->rates[rate], by_name_us, now_us);
	}
	pour(&address->rates[rate], by_address_us, now_us);
	return 0;
}

/* Allowances. */

static void use(struct limits_bucket *bucket, int64_t a_second, size_t units, size_t bytes,
		int64_t now_us)
{
	int64_t parts = (int64_t)(units * LIMITS_BYTES_A_UNIT + bytes);

	if (a_second != 0) {
		pour(bucket, parts * SECOND / (a_second * LIMITS_BYTES_A_UNIT), now_us);
	}
}

void limits_use(const struct limits *limits, size_t units, size_t bytes,
		struct limits_bucket *connection, struct limits_account *address, int64_t now_ms)
{
	const int64_t full_us = (now_ms * MS) +
				((int64_t)(LIMITS_ALLOWANCE_BURST_S + LIMITS_DEBT_S) * SECOND);

	use(connection, limits->most.allowance, units, bytes, now_ms * MS);
	use(&address->allowance, limits->most.address_allowance, units, bytes, now_ms * MS);
	if (address->allowance.empty_us > full_us) {
		address->allowance.empty_us = full_us;
	}
}

static int64_t rest_of(const struct limits_bucket *bucket, int64_t a_second, int64_t now_ms)
{
	return a_second == 0 ? 0
			     : to_ms(wait_us(bucket, 0, (int64_t)LIMITS_ALLOWANCE_BURST_S * SECOND,
					       now_ms * MS));
}

int64_t limits_rest(
		const struct limits *limits, const struct limits_bucket *connection, int64_t now_ms)
{
	return rest_of(connection, limits->most.allowance, now_ms);
}

int64_t limits_rest_address(
		const struct limits *limits, const struct limits_account *address, int64_t now_ms)
{
	return rest_of(&address->allowance, limits->most.address_allowance, now_ms);
}
