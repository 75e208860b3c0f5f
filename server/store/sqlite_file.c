#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/ops/memory.h"
#include "server/store/sqlite_db.h"

#define DIRECTORY_MODE 0700
#define FILE_MODE 0600

static int say(char *ret_message, int error, const char *what, const char *path)
{
	snprintf(ret_message, STORE_SQLITE_MESSAGE_SIZE, "can't %s %s: %s", what, path,
			strerror(error));
	return -error;
}

static int say_in_use(char *ret_message, const char *path)
{
	snprintf(ret_message, STORE_SQLITE_MESSAGE_SIZE, "another server uses the database %s",
			path);
	return -EBUSY;
}

/* A new directory is there for good once the one that it is in is synced; SQLite does so for its
 * files. Where that can't be done, nothing is the worse for having tried. */
static void directory_sync_above(const char *directory)
{
	char *above = memory_string(directory);
	char *slash = strrchr(above, '/');
	int fd;

	if (slash != NULL) {
		slash[slash == above ? 1 : 0] = '\0';
	}
	fd = open(slash == NULL ? "." : above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(above);
}

/* mkdir -p for what stands before the last slash. */
static int directories_make(const char *path, char *ret_message)
{
	char *directory = memory_string(path);
	int error = 0;

	for (char *slash = strchr(directory + 1, '/'); error == 0 && slash != NULL;
			slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(directory, DIRECTORY_MODE) == 0) {
			directory_sync_above(directory);
		} else if (errno != EEXIST) {
			error = say(ret_message, errno, "make the directory", directory);
		}
		*slash = '/';
	}
	free(directory);
	return error;
}

char *db_path_join(const char *path, const char *end)
{
	char *joined = memory_new(strlen(path) + strlen(end) + 1, 1);

	stpcpy(stpcpy(joined, path), end);
	return joined;
}

char *db_path_resolve(const char *path)
{
	char *real = realpath(path, NULL);

	/* "file:x" and ":memory:" are names of files like any other here. */
	return real != NULL ? real : db_path_join(path[0] == '/' ? "" : "./", path);
}

/* A side file, because closing any descriptor of the database itself would drop SQLite's locks on
 * it. It is left behind: removing it would let two servers lock two files of one name. */
static int lock_take(const char *path, int *ret_lock, char *ret_message)
{
	char *lock_path = db_path_join(path, ".lock");
	int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
	int error = 0;

	if (lock < 0) {
		error = say(ret_message, errno, "make the file", lock_path);
	} else if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
		error = errno == EWOULDBLOCK ? say_in_use(ret_message, path)
					     : say(ret_message, errno, "lock", lock_path);
	}
	if (error == 0) {
		*ret_lock = lock;
	} else if (lock >= 0) {
		close(lock);
	}
	free(lock_path);
	return error;
}

/* SQLite gives its side files the mode of the database, so it is enough to make that one. */
static int file_make(const char *path, char *ret_message)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, FILE_MODE);

	if (fd < 0) {
		return say(ret_message, errno, "open the database", path);
	}
	close(fd);
	return 0;
}

void db_identity_note(struct db_identity *identity, const char *path)
{
	struct stat status;

	*identity = (struct db_identity){.is_known = stat(path, &status) == 0};
	if (identity->is_known) {
		identity->device = status.st_dev;
		identity->inode = status.st_ino;
	}
}

bool db_identity_stays(const struct db_identity *identity, const char *path)
{
	struct stat status;

	if (!identity->is_known) {
		return true;
	}
	return stat(path, &status) == 0 && status.st_dev == identity->device &&
	       status.st_ino == identity->inode;
}

int db_file_claim(const char *path, int *ret_lock, char ret_message[STORE_SQLITE_MESSAGE_SIZE])
{
	char *real;
	int lock = -1;
	int error;

	if (path[0] == '\0') {
		snprintf(ret_message, STORE_SQLITE_MESSAGE_SIZE,
				"the database needs the name of a file");
		return -EINVAL;
	}
	error = directories_make(path, ret_message);
	/* Where links lead to is known once something is there. What was there before is not
	 * touched without the lock. */
	if (error == 0 && access(path, F_OK) != 0) {
		error = file_make(path, ret_message);
	}
	if (error != 0) {
		return error;
	}
	real = db_path_resolve(path);
	error = lock_take(real, &lock, ret_message);
	free(real);
	if (error != 0) {
		return error;
	}
	error = file_make(path, ret_message);
	if (error != 0) {
		close(lock);
		return error;
	}
	*ret_lock = lock;
	return 0;
}
