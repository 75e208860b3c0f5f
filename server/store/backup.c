#include "server/store/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/ops/memory.h"
#include "server/store/sqlite_db.h"

/* Steps of SQLite's machine between two looks at what else there is to do: less than a millisecond.
 */
#define STEPS_A_LOOK 10000
/* Written, and then waited for. All at once at the end, it would keep the disk from the server. */
#define WRITE_BACK_BYTES (4 << 20)

struct copying {
	const char *to;
	char *part;    /* the copy's name until it is whole */
	int fd;	       /* of it */
	off_t written; /* of it, to the disk */
	int error;     /* why that failed, an errno; 0: it did not */
	const volatile sig_atomic_t *stop;
	char *message;
};

static int say(const struct copying *copying, int error, const char *what, const char *path)
{
	snprintf(copying->message, STORE_SQLITE_MESSAGE_SIZE, "can't %s %s: %s", what, path,
			strerror(error));
	return -error;
}

static int say_exists(const struct copying *copying)
{
	snprintf(copying->message, STORE_SQLITE_MESSAGE_SIZE,
			"there is a file %s already, and a backup overwrites none", copying->to);
	return -EEXIST;
}

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

static int say_beside(const struct copying *copying, const char *path)
{
	snprintf(copying->message, STORE_SQLITE_MESSAGE_SIZE,
			"%s is a name for what belongs to the database %s itself, and for no "
			"backup",
			copying->to, path);
	return -EINVAL;
}

static int part_make(struct copying *copying)
{
	struct stat status;

	if (lstat(copying->to, &status) == 0) {
		return say_exists(copying);
	}
	/* Made with mode 0600. */
	copying->fd = mkostemp(copying->part, O_CLOEXEC);
	return copying->fd >= 0 ? 0 : say(copying, errno, "make the file", copying->part);
}

/* Returns 0 or an errno: what failed is told once, and then not when the file is synced. */
static int write_back(struct copying *copying)
{
	const unsigned int wait = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
				  SYNC_FILE_RANGE_WAIT_AFTER;
	struct stat status;

	if (fstat(copying->fd, &status) != 0 ||
			status.st_size - copying->written < WRITE_BACK_BYTES) {
		return 0;
	}
	if (sync_file_range(copying->fd, copying->written, 0, wait) != 0 && errno != ENOSYS) {
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
		sqlite3_bind_text(statement, 1, copying->part, -1, SQLITE_STATIC);
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
		return say(copying, copying->error, "write to the disk", copying->part);
	}
	return result == SQLITE_DONE ? 0 : -EIO;
}

/* The name is there for good once the directory is synced. */
static int directory_sync(const struct copying *copying)
{
	char *path = memory_string(copying->to);
	int fd = open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = 0;

	/* Some file systems can't sync a directory, and need not. */
	if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL)) {
		error = say(copying, errno, "sync the directory of", copying->to);
	}
	if (fd >= 0) {
		close(fd);
	}
	free(path);
	return error;
}

/* Rename it, unless there is such a file by now. Not every file system can do that in one step;
 * those that can't have links. */
static bool part_name(const struct copying *copying)
{
	if (renameat2(AT_FDCWD, copying->part, AT_FDCWD, copying->to, RENAME_NOREPLACE) == 0) {
		return true;
	}
	return errno == EINVAL && link(copying->part, copying->to) == 0;
}

static int part_finish(const struct copying *copying, int64_t *ret_bytes)
{
	struct stat status;

	if (fsync(copying->fd) != 0 || fstat(copying->fd, &status) != 0) {
		return say(copying, errno, "write to the disk", copying->part);
	}
	if (!part_name(copying)) {
		return errno == EEXIST ? say_exists(copying)
				       : say(copying, errno, "make the file", copying->to);
	}
	*ret_bytes = status.st_size;
	return directory_sync(copying);
}

/* Where it was renamed, nothing is there any more. */
static void part_remove(const struct copying *copying)
{
	char *journal;

	unlink(copying->part);
	if (asprintf(&journal, "%s-journal", copying->part) >= 0) {
		unlink(journal);
		free(journal);
	}
	close(copying->fd);
}

static int copy(struct copying *copying, struct db *db, int64_t *ret_bytes)
{
	int error = part_make(copying);

	if (error != 0) {
		return error;
	}
	sqlite3_progress_handler(db->handle, STEPS_A_LOOK, look, copying);
	error = part_fill(copying, db);
	if (error == 0) {
		error = part_finish(copying, ret_bytes);
	}
	part_remove(copying);
	return error;
}

int store_backup(const char *path, const char *to, const volatile sig_atomic_t *stop,
		int64_t *ret_bytes, char ret_message[STORE_SQLITE_MESSAGE_SIZE])
{
	struct copying copying = {.to = to, .fd = -1, .stop = stop, .message = ret_message};
	struct db db;
	int version;
	int error;

	/* "file:x" is the name of a file like any other. */
	if (asprintf(&copying.part, "%s%s.part-XXXXXX", to[0] == '/' ? "" : "./", to) < 0) {
		return say(&copying, ENOMEM, "copy to", to);
	}
	db_init(&db, path);
	error = db_look(&db, &version);
	if (error != 0) {
		memcpy(ret_message, db.message, sizeof(db.message));
	} else if (is_beside(path, to)) {
		error = say_beside(&copying, path);
	} else {
		error = copy(&copying, &db, ret_bytes);
	}
	db_fini(&db);
	free(copying.part);
	return error;
}
