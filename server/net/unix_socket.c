#include "server/net/unix_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "server/ops/memory.h"

#define OWNER_ALONE 0600
/* Whoever may read a folder can lock it, and for good. */
#define LOCK_TRIES 20
#define LOCK_PAUSE_NS 50000000L

static int new_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* Does anybody take connections there? */
static bool is_alive(const struct sockaddr_un *address)
{
	const int fd = new_socket();
	bool refused;

	if (fd < 0) {
		return true;
	}
	refused = connect(fd, (const struct sockaddr *)address, sizeof(*address)) != 0 &&
		  errno == ECONNREFUSED;
	close(fd);
	return !refused;
}

/* Take away what a dead server left. NULL, or why the place can't be had. */
static const char *clear_place(const struct sockaddr_un *address)
{
	struct stat there;

	if (lstat(address->sun_path, &there) != 0) {
		return errno == ENOENT ? NULL : strerror(errno);
	}
	if (!S_ISSOCK(there.st_mode)) {
		return "there is a file that is no socket";
	}
	if (is_alive(address)) {
		return "another server listens there";
	}
	return unlink(address->sun_path) == 0 ? NULL : strerror(errno);
}

/* The mode of the unbound socket is that of the file which binding makes: there is no moment at
 * which it could be anybody's. */
static const char *bind_and_listen(
		int fd, const struct sockaddr_un *address, struct unix_socket *ret)
{
	struct stat made;

	if (fchmod(fd, OWNER_ALONE) != 0 ||
			bind(fd, (const struct sockaddr *)address, sizeof(*address)) != 0) {
		return strerror(errno);
	}
	if (listen(fd, SOMAXCONN) != 0 || lstat(address->sun_path, &made) != 0) {
		const char *why = strerror(errno);

		unlink(address->sun_path);
		return why;
	}
	ret->device = made.st_dev;
	ret->inode = made.st_ino;
	return NULL;
}

/* Two servers that start at once look one after the other, so that the second does not take the
 * first one's socket for a dead one's. Returns the folder, locked until it is closed; or -1. */
static int lock_folder(const char *path)
{
	char *copy = memory_string(path);
	const int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(copy);
	for (int tries = 1; folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0; tries++) {
		const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
		const int error = errno;

		if (error != EWOULDBLOCK || tries == LOCK_TRIES) {
			close(folder);
			errno = error;
			return -1;
		}
		nanosleep(&pause, NULL);
	}
	return folder;
}

static const char *take_place(int fd, const struct sockaddr_un *address, struct unix_socket *ret)
{
	const int folder = lock_folder(address->sun_path);
	const char *why;

	if (folder < 0) {
		return errno == EWOULDBLOCK ? "somebody else holds a lock on its folder"
					    : strerror(errno);
	}
	why = clear_place(address);
	if (why == NULL) {
		why = bind_and_listen(fd, address, ret);
	}
	close(folder);
	return why;
}

int unix_socket_listen(
		const char *path, struct unix_socket *ret, char ret_why[UNIX_SOCKET_WHY_SIZE])
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const size_t size = strlen(path) + 1;
	const char *why = "the path is too long for a socket";
	int fd = -1;

	if (size <= sizeof(address.sun_path)) {
		memcpy(address.sun_path, path, size);
		fd = new_socket();
		why = fd < 0 ? strerror(errno) : take_place(fd, &address, ret);
	}
	if (why != NULL) {
		snprintf(ret_why, UNIX_SOCKET_WHY_SIZE, "%s", why);
		if (fd >= 0) {
			close(fd);
		}
		return -1;
	}
	ret->path = memory_string(path);
	return fd;
}

void unix_socket_remove(struct unix_socket *socket)
{
	struct stat there;

	if (socket->path == NULL) {
		return;
	}
	if (lstat(socket->path, &there) == 0 && there.st_dev == socket->device &&
			there.st_ino == socket->inode) {
		unlink(socket->path);
	}
	free(socket->path);
	socket->path = NULL;
}

void unix_socket_who(int fd, char ret_who[UNIX_SOCKET_WHO_SIZE])
{
	struct ucred who = {0};
	socklen_t length = sizeof(who);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0) {
		snprintf(ret_who, UNIX_SOCKET_WHO_SIZE, "unknown");
		return;
	}
	snprintf(ret_who, UNIX_SOCKET_WHO_SIZE, "uid=%u,pid=%d", who.uid, who.pid);
}
