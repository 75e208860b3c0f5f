/* What a target is: a function that is handed any bytes at all, and ends the process if the program
 * under test does with them what it must not. libFuzzer looks for such bytes (run.sh); replay.c
 * goes through those of the corpus, in the ordinary tests. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End the process, and tell why, unless it holds. */
#define FUZZ_EXPECT(condition)                                                                     \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#endif
