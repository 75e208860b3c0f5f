/* cmocka.h with what it needs before it. */
#ifndef TEST_CMOCKA_ALL_H
#define TEST_CMOCKA_ALL_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

/* cmocka's asserts are slow for millions of comparisons; this one speaks up only if false. */
#define SAME(a, b)                                                                                 \
	do {                                                                                       \
		if ((a) != (b)) {                                                                  \
			assert_int_equal(a, b);                                                    \
		}                                                                                  \
	} while (0)

#endif
