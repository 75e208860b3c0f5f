#include "server/store/backup.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/ops/memory.h"
#include "server/ops/new_file.h"
#include "server/store/sqlite_db.h"

/* Steps of SQLite's machine between two looks at what else there is to do: less than a millisecond.
 */
#define STEPS_A_LOOK 10000
/* Written, and then waited for. All at once at the end, it would keep the disk from the server. */
#define WRITE_BACK_BYTES (4 << 20)

struct copying {
	const char *to;
	struct new_file file;
	off_t written; /* of it, to the disk */
	int error;     /* why that failed, an errno; 0: it did not */
	const volatile sig_atomic_t *stop;
	char *message;
};

/* A file by its real folder, which has to be there; NULL where it is not. */
static char *real_place(const char *path)
{
	char *for_folder = memory_string(path);
	char *for_name = memory_string(path);
	char *folder = realpath(dirname(for_folder), NULL);
	char *place = NULL;

	if (folder != NULL && asprintf(&place, "%s/%s", folder, basename(for_name)) < 0) {
		place = NULL;
	}
	free(folder);
	free(for_folder);
	free(for_name);
	return place;
}

/* What has such a name is SQLite's to empty or to take away, whoever made it. */
static bool is_beside(const char *path, const char *to)
{
	static const char *const ends[] = {"-wal", "-shm", "-journal"};
	char *db = realpath(path, NULL);
	char *place = real_place(to);
	const size_t length = db == NULL ? 0 : strlen(db);
	bool is = false;

	if (db != NULL && place != NULL && strncmp(place, db, length) == 0) {
		for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
			is = is || strcmp(place + length, ends[i]) == 0;
		}
	}
	free(db);
	free(place);
	return is;
}

int store_refuse_beside(
		const char *path, const char *to, char ret_message[STORE_SQLITE_MESSAGE_SIZE])
{
	if (!is_beside(path, to)) {
		return 0;
	}
	snprintf(ret_message, STORE_SQLITE_MESSAGE_SIZE,
			"%s is a name for what belongs to the database %s itself", to, path);
	return -EINVAL;
}

/* Returns 0 or an errno: what failed is told once, and then not when the file is synced. */
static int write_back(struct copying *copying)
{
	const unsigned int wait = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
				  SYNC_FILE_RANGE_WAIT_AFTER;
	struct stat status;

	if (fstat(copying->file.fd, &status) != 0 ||
			status.st_size - copying->written < WRITE_BACK_BYTES) {
		return 0;
	}
	if (sync_file_range(copying->file.fd, copying->written, 0, wait) != 0 && errno != ENOSYS) {
		return errno;
	}
	copying->written = status.st_size;
	return 0;
}

static int look(void *arg)
{
	struct copying *copying = arg;

	copying->error = write_back(copying);
	return copying->error != 0 || *copying->stop != 0;
}

static void say_why(const struct copying *copying, const struct db *db)
{
	int system = sqlite3_system_errno(db->handle);

	snprintf(copying->message, STORE_SQLITE_MESSAGE_SIZE, "can't copy %s to %s: %s (%d%s%s)",
			db->path, copying->to, sqlite3_errmsg(db->handle),
			sqlite3_extended_errcode(db->handle), system == 0 ? "" : ", ",
			system == 0 ? "" : strerrordesc_np(system));
}

/* VACUUM INTO reads in one transaction, so the copy is of one moment, however long it takes, and no
 * writer waits for it. What was deleted is not in the copy, and it is one file without a log. It
 * wants an empty file, or none, and does not sync it. */
static int part_fill(const struct copying *copying, struct db *db)
{
	sqlite3_stmt *statement = NULL;
	int result = sqlite3_prepare_v2(db->handle, "VACUUM INTO ?1", -1, &statement, NULL);

	if (result == SQLITE_OK) {
		sqlite3_bind_text(statement, 1, copying->file.part, -1, SQLITE_STATIC);
		result = sqlite3_step(statement);
	}
	if (result != SQLITE_DONE && result != SQLITE_INTERRUPT) {
		say_why(copying, db);
	}
	sqlite3_finalize(statement);
	if (result == SQLITE_INTERRUPT && copying->error == 0) {
		snprintf(copying->message, STORE_SQLITE_MESSAGE_SIZE, "the backup was stopped");
		return -EINTR;
	}
	if (result == SQLITE_INTERRUPT) {
		return new_file_say(
				copying->error, "write to the disk", copying->to, copying->message);
	}
	return result == SQLITE_DONE ? 0 : -EIO;
}

static void journal_remove(const struct new_file *file)
{
	char *journal;

	if (asprintf(&journal, "%s-journal", file->part) >= 0) {
		unlink(journal);
		free(journal);
	}
}

static int part_size(const struct copying *copying, int64_t *ret_bytes)
{
	struct stat status;

	if (fstat(copying->file.fd, &status) != 0) {
		return new_file_say(errno, "read", copying->file.part, copying->message);
	}
	*ret_bytes = status.st_size;
	return 0;
}

static int copy(struct copying *copying, struct db *db, int64_t *ret_bytes)
{
	int64_t bytes = 0;
	int error = new_file_begin(&copying->file, copying->to, copying->message);

	if (error == 0) {
		sqlite3_progress_handler(db->handle, STEPS_A_LOOK, look, copying);
		error = part_fill(copying, db);
		journal_remove(&copying->file);
	}
	if (error == 0) {
		error = part_size(copying, &bytes);
	}
	if (error == 0) {
		error = new_file_finish(&copying->file, copying->message);
	}
	if (error == 0) {
		*ret_bytes = bytes;
	}
	new_file_fini(&copying->file);
	return error;
}

int store_backup(const char *path, const char *to, const volatile sig_atomic_t *stop,
		int64_t *ret_bytes, char ret_message[STORE_SQLITE_MESSAGE_SIZE])
{
	struct copying copying = {.to = to, .stop = stop, .message = ret_message};
	struct db db;
	int version;
	int error;

	static_assert(STORE_SQLITE_MESSAGE_SIZE >= NEW_FILE_WHY_SIZE, "it fits");
	db_init(&db, path);
	error = db_look(&db, &version);
	if (error != 0) {
		memcpy(ret_message, db.message, sizeof(db.message));
	} else {
		error = store_refuse_beside(path, to, ret_message);
	}
	if (error == 0) {
		error = copy(&copying, &db, ret_bytes);
	}
	db_fini(&db);
	return error;
}
