#include <stdlib.h>

#include "server/ops/memory.h"
#include "server/store/memory.h"
#include "tests/unit/store/suite.h"

static void count_notices(void *arg)
{
	(*(int *)arg)++;
}

static int memory_setup(void **state)
{
	struct suite *suite = memory_new(1, sizeof(*suite));

	suite->own = memory_new(1, sizeof(int));
	suite->store = store_memory_new(count_notices, suite->own);
	suite->deliver = store_memory_deliver;
	*state = suite;
	return 0;
}

static int memory_teardown(void **state)
{
	struct suite *suite = *state;

	if (suite->store != NULL) {
		suite->store->ops->free(suite->store);
	}
	free(suite->own);
	free(suite);
	return 0;
}

int main(void)
{
	return suite_run("memory", memory_setup, memory_teardown);
}
