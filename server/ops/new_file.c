#include "server/ops/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/ops/memory.h"

#define PART_BEGIN "./" /* of a relative path: "file:x" is a name like any other */
#define PART_END ".part-XXXXXX"

int new_file_say(int error, const char *what, const char *path, char ret_why[NEW_FILE_WHY_SIZE])
{
	snprintf(ret_why, NEW_FILE_WHY_SIZE, "can't %s %s: %s", what, path, strerror(error));
	return -error;
}

static int say_exists(const struct new_file *file, char *ret_why)
{
	snprintf(ret_why, NEW_FILE_WHY_SIZE, "there is a file %s already, and none is overwritten",
			file->path);
	return -EEXIST;
}

int new_file_begin(struct new_file *file, const char *path, char ret_why[NEW_FILE_WHY_SIZE])
{
	const size_t size = sizeof(PART_BEGIN) + strlen(path) + sizeof(PART_END);
	struct stat status;

	*file = (struct new_file){
			.path = memory_string(path), .part = memory_new(size, 1), .fd = -1};
	if (lstat(path, &status) == 0) {
		return say_exists(file, ret_why);
	}
	snprintf(file->part, size, "%s%s" PART_END, path[0] == '/' ? "" : PART_BEGIN, path);
	file->fd = mkostemp(file->part, O_CLOEXEC);
	return file->fd >= 0 ? 0 : new_file_say(errno, "make the file", path, ret_why);
}

/* Rename it, unless there is such a file by now. Not every file system can do that in one step;
 * those that can't have links. */
static bool part_name(const struct new_file *file)
{
	if (renameat2(AT_FDCWD, file->part, AT_FDCWD, file->path, RENAME_NOREPLACE) == 0) {
		return true;
	}
	return errno == EINVAL && link(file->part, file->path) == 0;
}

/* Returns 0 or an errno. A name is there for good once its directory is synced; some file systems
 * can't do that, and need not. */
static int directory_sync(const char *path)
{
	char *copy = memory_string(path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = 0;

	if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL)) {
		error = errno;
	}
	if (fd >= 0) {
		close(fd);
	}
	free(copy);
	return error;
}

int new_file_finish(struct new_file *file, char ret_why[NEW_FILE_WHY_SIZE])
{
	int error;

	if (fsync(file->fd) != 0) {
		return new_file_say(errno, "write to the disk", file->path, ret_why);
	}
	if (!part_name(file)) {
		return errno == EEXIST ? say_exists(file, ret_why)
				       : new_file_say(errno, "make the file", file->path, ret_why);
	}
	error = directory_sync(file->path);
	if (error != 0) {
		unlink(file->path);
		return new_file_say(error, "sync the directory of", file->path, ret_why);
	}
	return 0;
}

void new_file_fini(struct new_file *file)
{
	if (file->fd >= 0) {
		/* Where it was renamed, nothing is there any more. */
		unlink(file->part);
		close(file->fd);
	}
	free(file->path);
	free(file->part);
	*file = (struct new_file){.fd = -1};
}
