/* A listening socket in the file system: made so that nobody but its owner can ever connect, in
 * place of one that a dead server left, and never in place of anything else. */
#ifndef NET_UNIX_SOCKET_H
#define NET_UNIX_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>

#define UNIX_SOCKET_WHY_SIZE 128

struct unix_socket {
	char *path; /* NULL: none */
	dev_t device;
	ino_t inode;
};

/* Listen at a path, mode 0600. Returns the socket, which does not block, and fills in *ret; or -1
 * with a sentence's end in ret_why. */
int unix_socket_listen(
		const char *path, struct unix_socket *ret, char ret_why[UNIX_SOCKET_WHY_SIZE]);

/* Remove it, unless something else stands there by now, and free what is owned. Fine for none. */
void unix_socket_remove(struct unix_socket *socket);

/* Who has connected, for the log: "uid=1000,pid=4711". */
#define UNIX_SOCKET_WHO_SIZE 48
void unix_socket_who(int fd, char ret_who[UNIX_SOCKET_WHO_SIZE]);

#endif
