#include "server/play/requests/requests.h"

void requests_analyse(struct task *task)
{
	task_refuse(task, CODE_UNAVAILABLE, "This server does not analyse yet.");
}
