/* The jobs that wait to be begun, by lanes that take turns. No locks: the pool has one around it.
 */
#ifndef WORK_LANES_H
#define WORK_LANES_H

#include "server/play/ports.h"

/* Lanes that have a job; the first one's turn is next. TAILQ_INIT makes it empty. */
void lanes_put(struct work_lane_list *lanes, struct work_lane *lane, struct work_job *job);

/* The next job, NULL if none waits; its lane goes behind the others. */
struct work_job *lanes_take(struct work_lane_list *lanes);

/* Take out a job that waits; false if it does not. */
bool lanes_remove(struct work_lane_list *lanes, struct work_job *job);

#endif
