/* Preloaded into a server: its disk takes nothing for good, as one that broke away may, while the
 * file that FROZEN_DISK names is there. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int fdatasync(int fd)
{
	const char *path = getenv("FROZEN_DISK");

	while (path != NULL && access(path, F_OK) == 0) {
		usleep(10000);
	}
	return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
	return fdatasync(fd);
}
