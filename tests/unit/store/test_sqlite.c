#include "tests/unit/store/folder.h"
#include "tests/unit/store/suite.h"

static int sqlite_setup(void **state)
{
	struct suite *suite = folder_new();

	folder_open(suite);
	*state = suite;
	return 0;
}

static int sqlite_teardown(void **state)
{
	folder_free(*state);
	return 0;
}

int main(void)
{
	return suite_run("sqlite", sqlite_setup, sqlite_teardown);
}
