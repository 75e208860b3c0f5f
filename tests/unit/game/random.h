/* Random numbers for tests, the same on every machine: a seed printed is a test that can be had
 * again with QTTT_SEED. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A number from the environment, else `otherwise`. */
static inline uint64_t number_from_environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

/* Tell the seed as a TAP comment. */
static inline uint64_t random_seed(void)
{
	uint64_t seed = number_from_environment("QTTT_SEED", (uint64_t)time(NULL));

	printf("# QTTT_SEED=%" PRIu64 "\n", seed);
	fflush(stdout);
	return seed;
}

static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15U;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
	z = (z ^ z >> 27) * 0x94d049bb133111ebU;
	return z ^ z >> 31;
}

/* 0..n-1 */
static inline int random_below(uint64_t *state, int n)
{
	return (int)(random_next(state) % (uint64_t)n);
}

#endif
