/* A disk for SQLite that fails when told to. What it fails at is done by no one: neither written
 * nor synced. May be told from any thread. */
#ifndef TESTS_STORE_FAULTY_DISK_H
#define TESTS_STORE_FAULTY_DISK_H

enum faulty_disk_act { FAULTY_READ, FAULTY_WRITE, FAULTY_SYNC };
#define FAULTY_ACTS 3

/* All databases that are opened from now on lie on it. */
void faulty_disk_install(void);

/* The next `count` times of an act on a database or its log fail with SQLite's code. */
void faulty_disk_fail(enum faulty_disk_act act, int count, int code);

/* Wait until somebody has tried in vain to lock a database, since the last call of heal. */
void faulty_disk_await_lock(void);

/* Nothing fails any more. Returns how many faults had been met since the last time. */
int faulty_disk_heal(void);

#endif
