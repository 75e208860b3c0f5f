#include "server/work/lanes.h"

/* Where it is linked while something waits in it. */
static struct work_lane_list *list_of(struct work_lane_list *lanes, const struct work_lane *lane)
{
	return lane->of == NULL ? lanes : &lane->of->lanes;
}

static void link_lane(struct work_lane_list *lanes, struct work_lane *lane)
{
	if (lane->is_linked) {
		return;
	}
	TAILQ_INIT(&lane->jobs);
	TAILQ_INIT(&lane->lanes);
	lane->is_linked = true;
	if (lane->of != NULL) {
		link_lane(lanes, lane->of);
	}
	TAILQ_INSERT_TAIL(list_of(lanes, lane), lane, link);
}

void lanes_put(struct work_lane_list *lanes, struct work_lane *lane, struct work_job *job)
{
	link_lane(lanes, lane);
	job->lane = lane;
	TAILQ_INSERT_TAIL(&lane->jobs, job, link);
}

struct work_job *lanes_take(struct work_lane_list *lanes)
{
	struct work_lane_list *list = lanes;
	struct work_lane *lane = NULL;

	while (!TAILQ_EMPTY(list)) {
		lane = TAILQ_FIRST(list);
		TAILQ_REMOVE(list, lane, link);
		TAILQ_INSERT_TAIL(list, lane, link);
		list = &lane->lanes;
	}
	if (lane == NULL) {
		return NULL;
	}
	struct work_job *job = TAILQ_FIRST(&lane->jobs);
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
	while (lane != NULL && TAILQ_EMPTY(&lane->jobs) && TAILQ_EMPTY(&lane->lanes)) {
		TAILQ_REMOVE(list_of(lanes, lane), lane, link);
		lane->is_linked = false;
		lane = lane->of;
	}
	return true;
}
