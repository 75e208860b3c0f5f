/* What cmocka wants to be included before it. */
#ifndef WITH_CMOCKA_H
#define WITH_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
