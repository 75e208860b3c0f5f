/* A disk in memory, as a VFS of SQLite: it knows what was synced and what was only written, so its
 * power can be cut; and any of its calls can be made to fail. One for the whole process; may be
 * used by one thread after another. A reader of it shares no memory with another process. */
#ifndef TESTS_STORE_MEMORY_DISK_H
#define TESTS_STORE_MEMORY_DISK_H

#include <stdbool.h>
#include <stdint.h>

enum memory_disk_fault {
	MEMORY_DISK_WELL,
	MEMORY_DISK_POWER, /* from that call on nothing has an effect, and all fail */
	MEMORY_DISK_ONCE,  /* that call fails, without an effect */
	MEMORY_DISK_FROM,  /* that one and all later ones fail so */
	MEMORY_DISK_FULL,  /* the same for writes alone: there is no space */
	MEMORY_DISK_SHORT  /* that call fails; if it is a write, after half of it */
};

/* From now on SQLite opens its files here. */
void memory_disk_install(void);

/* An empty disk that is well. No file may be open. */
void memory_disk_clear(void);

/* What happens at the call with this number, counted anew from 0. MEMORY_DISK_WELL: nothing. */
void memory_disk_arm(enum memory_disk_fault fault, int64_t number);

/* Has anything failed since it was armed with a fault? */
bool memory_disk_met(void);

/* After the power was cut, and all files are closed: of what was written and not synced each sector
 * is kept, lost, torn or garbled; so are changes of size and deletions kept or lost. Then the disk
 * is well. */
void memory_disk_restart(uint64_t *random);

#endif
