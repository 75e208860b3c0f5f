#include "server/storage.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "server/ops/log.h"
#include "server/store/memory.h"
#include "server/store/sqlite.h"

static void deliver_from_memory(struct loop_task *task)
{
	struct storage *storage = (void *)((char *)task - offsetof(struct storage, deliver));

	store_memory_deliver(storage->store);
}

static void memory_has_answers(void *arg)
{
	struct storage *storage = arg;

	loop_defer(storage->loop, LOOP_LATE, &storage->deliver);
}

static void deliver_from_file(void *arg)
{
	struct storage *storage = arg;

	store_sqlite_deliver(storage->store);
}

static void hand_over_to_file(struct loop_task *task)
{
	struct storage *storage = (void *)((char *)task - offsetof(struct storage, hand_over));

	store_sqlite_hand_over(storage->store);
}

static void file_waits(void *arg)
{
	struct storage *storage = arg;

	loop_defer(storage->loop, LOOP_LATE, &storage->hand_over);
}

static void report_store(void *arg, enum store_sqlite_news news, const char *message)
{
	static const struct {
		enum log_level level;
		const char *event;
	} lines[] = {
			[STORE_SQLITE_FAILS] = {LOG_ERROR, "store_failed"},
			[STORE_SQLITE_STILL_FAILS] = {LOG_ERROR, "store_still_fails"},
			[STORE_SQLITE_WORKS] = {LOG_WARN, "store_works_again"},
	};

	(void)arg;
	log_event(lines[news].level, lines[news].event, "%s=%s",
			news == STORE_SQLITE_WORKS ? "after" : "error", log_text(message));
}

static bool open_file(struct storage *storage, const char *path)
{
	const struct store_sqlite_config config = {
			.path = path,
			.report = report_store,
			.waits = file_waits,
			.waits_arg = storage,
	};
	char why[STORE_SQLITE_MESSAGE_SIZE] = "";

	storage->hand_over.run = hand_over_to_file;
	storage->is_in_file = true;

	if (store_sqlite_open(&config, &storage->store, why) != 0) {
		fprintf(stderr,
				"qtttd: %s\n(--db PATH names another file, --db none keeps "
				"nothing)\n",
				why);
		return false;
	}
	storage->watch = loop_watch_new(
			storage->loop, store_sqlite_fd(storage->store), deliver_from_file, storage);
	if (storage->watch == NULL) {
		fprintf(stderr, "qtttd: the system gives no event for the database's answers\n");
	}
	return storage->watch != NULL;
}

bool storage_open(struct storage *storage, struct loop *loop, const char *path)
{
	*storage = (struct storage){.loop = loop};
	if (strcmp(path, "none") != 0) {
		return open_file(storage, path);
	}
	storage->deliver.run = deliver_from_memory;
	storage->store = store_memory_new(memory_has_answers, storage);
	return true;
}

void storage_close(struct storage *storage)
{
	if (storage->loop == NULL) {
		return;
	}
	loop_watch_free(storage->watch);
	if (storage->store != NULL) {
		storage->store->ops->free(storage->store);
	}
	loop_forget(&storage->deliver);
	loop_forget(&storage->hand_over);
}
