/* Cores that stand still. The host of a virtual machine takes a core away now and then, for
 * milliseconds, and no counter inside says so: threads that go before all else here, one on each
 * core that counts, see it by waking up too late. */
#ifndef BENCH_STANDSTILL_H
#define BENCH_STANDSTILL_H

#include <stdint.h>
#include <sys/types.h>

/* Watch the first core of that process and this one's, where we may go before all else. */
void standstill_watch(pid_t server);

/* How late the latest of them was since this was asked last; 0 where nobody watches. */
uint64_t standstill_longest_ns(void);

#endif
