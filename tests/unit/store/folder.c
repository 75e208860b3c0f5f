#include "tests/unit/store/folder.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/ops/memory.h"

struct folder {
	char path[256];
	char report[STORE_SQLITE_MESSAGE_SIZE];
	int reports[STORE_SQLITE_WORKS + 1];
};

struct suite *folder_new(void)
{
	struct suite *suite = memory_new(1, sizeof(*suite));
	struct folder *folder = memory_new(1, sizeof(*folder));
	const char *above = getenv("TMPDIR");

	snprintf(folder->path, sizeof(folder->path), "%s/qttt-store-XXXXXX",
			above == NULL ? "/tmp" : above);
	assert_non_null(mkdtemp(folder->path));
	suite->own = folder;
	return suite;
}

static void folder_remove(const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;

	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		char inner[1024];

		if (entry->d_name[0] == '.') {
			continue;
		}
		snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name);
		if (unlink(inner) != 0) {
			folder_remove(inner);
		}
	}
	if (directory != NULL) {
		closedir(directory);
	}
	rmdir(path);
}

void folder_free(struct suite *suite)
{
	struct folder *folder = suite->own;

	if (suite->store != NULL) {
		folder_close(suite);
	}
	folder_remove(folder->path);
	free(folder);
	free(suite);
}

const char *folder_path(const struct suite *suite, const char *name)
{
	static char path[512];
	const struct folder *folder = suite->own;

	snprintf(path, sizeof(path), "%s/%s", folder->path, name);
	return path;
}

static void note_report(void *arg, enum store_sqlite_news news, const char *message)
{
	struct folder *folder = arg;

	folder->reports[news]++;
	snprintf(folder->report, sizeof(folder->report), "%s", message);
}

int folder_reports(const struct suite *suite, enum store_sqlite_news news)
{
	return ((const struct folder *)suite->own)->reports[news];
}

const char *folder_report(const struct suite *suite)
{
	return ((const struct folder *)suite->own)->report;
}

static size_t wait_and_deliver(struct store *store)
{
	struct pollfd answers = {.fd = store_sqlite_fd(store), .events = POLLIN};

	poll(&answers, 1, -1);
	return store_sqlite_deliver(store);
}

static int open_one(
		struct suite *suite, const char *name, struct store **ret_store, char *ret_message)
{
	const struct store_sqlite_config config = {.path = folder_path(suite, name),
			.report = note_report,
			.report_arg = suite->own};

	return store_sqlite_open(&config, ret_store, ret_message);
}

void folder_open(struct suite *suite)
{
	char message[STORE_SQLITE_MESSAGE_SIZE] = "";

	if (open_one(suite, "qttt.db", &suite->store, message) != 0) {
		fail_msg("%s", message);
	}
	suite->deliver = wait_and_deliver;
}

bool folder_open_if_it_can(struct suite *suite)
{
	char message[STORE_SQLITE_MESSAGE_SIZE] = "";

	suite->deliver = wait_and_deliver;
	return open_one(suite, "qttt.db", &suite->store, message) == 0;
}

void folder_close(struct suite *suite)
{
	suite->store->ops->free(suite->store);
	suite->store = NULL;
}

int folder_try(struct suite *suite, const char *name, char ret_message[STORE_SQLITE_MESSAGE_SIZE])
{
	struct store *store;
	int error = open_one(suite, name, &store, ret_message);

	if (error == 0) {
		store->ops->free(store);
	}
	return error;
}
