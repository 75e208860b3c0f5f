/* Clocks, the server under test seen from outside, and how much of the machine others take. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdint.h>
#include <sys/types.h>

#define NS_PER_S 1000000000u

/* Say what went wrong and end the driver with 1. */
_Noreturn void machine_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The process whose CPU time and memory are told below. */
void machine_watch(pid_t server);

uint64_t machine_now_ns(void);

/* CPU time of all threads since their start. */
uint64_t machine_server_ns(void);
uint64_t machine_driver_ns(void);

/* CPU time that everything on this machine has used on all cores; 0 if the system does not say. */
uint64_t machine_all_ns(void);

/* How long the server's main thread, and a driver that does not go first, have waited for a core
 * that others had. */
uint64_t machine_waited_ns(void);

/* Of the server, in KiB, as /proc/PID/status names it ("VmRSS:", "VmHWM:"). */
long machine_server_kib(const char *field);

/* Speed of this core just now: million steps of a chain of multiplications per CPU second. */
double machine_core_speed(void);

#endif
