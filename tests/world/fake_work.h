/* A worker without threads: a job is run, and handed back, when the test steps. */
#ifndef TESTS_FAKE_WORK_H
#define TESTS_FAKE_WORK_H

#include "server/play/ports.h"

/* Its tool is a solver. */
struct work *fake_work_new(void);
void fake_work_free(struct work *work);

/* Run one job that waits, unless they are held, or hand back a cancelled one. False: none. */
bool fake_work_step(struct work *work);

void fake_work_hold(struct work *work, bool held);

/* Jobs that wait to be run; those that were. */
size_t fake_work_waiting(const struct work *work);
size_t fake_work_ran(const struct work *work);

#endif
