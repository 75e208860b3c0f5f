/* What cmocka wants to be included before it. */
#ifndef WITH_CMOCKA_H
#define WITH_CMOCKA_H

#include "tests/unit/game/cmocka_all.h"

#endif
