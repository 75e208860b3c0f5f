/* How much anybody may do. Who he is, is known in two ways: by the address that he comes from and
 * by his name; each has an account, that outlives his connections for a while, so that coming back
 * clears nothing. Owns the accounts and counts; knows no request, and of sessions only that they
 * stand in a line.
 *
 * Whatever is done so often fills a bucket that runs empty evenly: so much may be done at once, and
 * as much again after the period. */
#ifndef PLAY_LIMITS_H
#define PLAY_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/ops/map.h"
#include "server/play/play.h"
#include "server/play/ports.h"
#include "server/play/timers.h"

/* An address may do as much as so many names: people share addresses. */
#define LIMITS_NAMES_AN_ADDRESS 10
/* What an allowance gives in so many seconds may be used at once. */
#define LIMITS_ALLOWANCE_BURST_S 10
/* An address that has used up more than all waits for no longer than this: nobody waits with his
 * first line, and those who stay are not to pay for hours for a crowd that came and went. */
#define LIMITS_DEBT_S 10
/* As much of an allowance as one unit of a request's cost. */
#define LIMITS_BYTES_A_UNIT 64
/* An account that nobody uses is kept for the longest period of a rate. */
#define LIMITS_KEPT_MS 3600000
/* Accounts that nobody uses, at most: beyond, the one left longest ago is forgotten. */
#define LIMITS_UNUSED_MAX 65536

/* Empty when zeroed; it has run empty again at this time, in microseconds. */
struct limits_bucket {
	int64_t empty_us;
};

struct session;
TAILQ_HEAD(session_list, session);

struct limits_account;
TAILQ_HEAD(limits_account_list, limits_account);

struct limits {
	struct play_limits most; /* 0: no limit */
	struct map accounts;
	struct limits_account_list unused; /* who was left longest ago first */
	size_t unused_count;
	struct timer forget;
};

void limits_init(struct limits *limits, const struct play_limits *most);
/* No account may be in use. */
void limits_fini(struct limits *limits);

/* Other limits from now on: where more may be done than before, it may be done by what was counted
 * too; where less may be, what was counted stays as it is. limits_ease does the same for a bucket
 * that is not in an account, a connection's, whose allowance was `before`. */
void limits_change(struct limits *limits, const struct play_limits *most, int64_t now_ms);
void limits_ease(const struct limits *limits, struct limits_bucket *connection, int64_t before,
		int64_t now_ms);

/* The account of an address (its group, as text) or a name (its player's id): in use until it is
 * closed as often as it was opened. */
struct limits_account *limits_open_address(struct limits *limits, const char *group);
struct limits_account *limits_open_name(struct limits *limits, int64_t id);
void limits_close(struct limits *limits, struct limits_account *account, int64_t now_ms);

/* When accounts that nobody uses should be looked at: limits_forget. INT64_MAX: there are none. */
int64_t limits_forget_due(const struct limits *limits);
void limits_forget(struct limits *limits, int64_t now_ms);

/* The analyses that an address waits for; kept by whoever asks for them. */
struct limits_thinking {
	struct work_lane lane; /* its connections' are in it, so that many have no more turns */
	size_t count;
};

struct limits_thinking *limits_thinking(struct limits_account *account);

/* The connections that wait for an address's allowance; kept by rest.c. */
struct session_list *limits_line(struct limits_account *account);

/* One more of this by a name (or NULL) from an address. 0: it is counted. Else nothing is, and it
 * is how many milliseconds to wait. */
int64_t limits_take(const struct limits *limits, enum play_rate rate, struct limits_account *name,
		struct limits_account *address, int64_t now_ms);

/* Use up some of a connection's allowance and of its address's: what a request costs, or so many
 * bytes. Counted too where there is not so much; who has used up more than he has is not to be read
 * for a while. */
void limits_use(const struct limits *limits, size_t units, size_t bytes,
		struct limits_bucket *connection, struct limits_account *address, int64_t now_ms);

/* For how many milliseconds by its own allowance, and by its address's; 0: go on. */
int64_t limits_rest(const struct limits *limits, const struct limits_bucket *connection,
		int64_t now_ms);
int64_t limits_rest_address(
		const struct limits *limits, const struct limits_account *address, int64_t now_ms);

/* Is one more than `count` too many? */
static inline bool limits_is_full(int64_t most, size_t count)
{
	return most != 0 && count >= (size_t)most;
}

#endif
