#include "server/play/thought.h"

#include <stddef.h>

static struct thought *thought_of(struct work_job *job)
{
	return (void *)((char *)job - offsetof(struct thought, job));
}

static void run(struct work_job *job, void *tool)
{
	struct thought *thought = thought_of(job);

	thought->found = thought->think(thought, tool, &job->cancelled);
}

static void on_done(struct work_job *job)
{
	struct thought *thought = thought_of(job);
	struct play *play = thought->play;

	TAILQ_REMOVE(&play->thoughts, thought, of_play);
	play->under_way--;
	thought->done(thought, thought->found && !atomic_load(&job->cancelled));
}

void thought_begin(struct play *play, struct work_lane *lane, struct thought *thought)
{
	thought->play = play;
	thought->found = false;
	thought->job = (struct work_job){.run = run, .done = on_done};
	TAILQ_INSERT_TAIL(&play->thoughts, thought, of_play);
	play->under_way++;
	play->config.work->ops->submit(play->config.work, lane, &thought->job);
}

void thought_cancel(struct thought *thought)
{
	struct work *work = thought->play->config.work;

	work->ops->cancel(work, &thought->job);
}

void thoughts_cancel(struct play *play)
{
	struct thought *thought;

	TAILQ_FOREACH(thought, &play->thoughts, of_play)
	{
		thought_cancel(thought);
	}
}
