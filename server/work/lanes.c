#include "server/work/lanes.h"

void lanes_put(struct work_lane_list *lanes, struct work_lane *lane, struct work_job *job)
{
	if (!lane->is_linked) {
		TAILQ_INIT(&lane->jobs);
		TAILQ_INSERT_TAIL(lanes, lane, link);
		lane->is_linked = true;
	}
	job->lane = lane;
	TAILQ_INSERT_TAIL(&lane->jobs, job, link);
}

static void unlink_if_empty(struct work_lane_list *lanes, struct work_lane *lane)
{
	if (TAILQ_EMPTY(&lane->jobs)) {
		TAILQ_REMOVE(lanes, lane, link);
		lane->is_linked = false;
	}
}

struct work_job *lanes_take(struct work_lane_list *lanes)
{
	struct work_lane *lane = TAILQ_FIRST(lanes);

	if (lane == NULL) {
		return NULL;
	}
	struct work_job *job = TAILQ_FIRST(&lane->jobs);
	TAILQ_REMOVE(lanes, lane, link);
	TAILQ_INSERT_TAIL(lanes, lane, link);
	lanes_remove(lanes, job);
	return job;
}

bool lanes_remove(struct work_lane_list *lanes, struct work_job *job)
{
	struct work_lane *lane = job->lane;

	if (lane == NULL) {
		return false;
	}
	TAILQ_REMOVE(&lane->jobs, job, link);
	job->lane = NULL;
	unlink_if_empty(lanes, lane);
	return true;
}
