/* The time: wall clock at the first call, plus the time that has passed since, suspended time
 * included. So it never goes back within a process, whoever sets the machine's clock. */
#ifndef OPS_CLOCK_H
#define OPS_CLOCK_H

#include <stdint.h>

/* Milliseconds since 1970 UTC. Only the loop's thread may ask. */
int64_t clock_now_ms(void);

/* The same in microseconds. */
int64_t clock_now_us(void);

/* Microseconds of a core that this thread has had. */
int64_t clock_spent_us(void);

#endif
