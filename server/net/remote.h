/* Who is at the other end of a connection. */
#ifndef NET_REMOTE_H
#define NET_REMOTE_H

#include <sys/socket.h>

/* "[ADDRESS%SCOPE]:PORT", for the log. */
#define REMOTE_TEXT_SIZE 72

struct remote {
	struct sockaddr_storage address;
	char text[REMOTE_TEXT_SIZE];
};

/* Both are filled in; *address is copied. */
void remote_set(struct remote *ret, const struct sockaddr *address, socklen_t length);

#endif
