#include "server/net/remote.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>

void remote_set(struct remote *ret, const struct sockaddr *address, socklen_t length)
{
	char host[64] = "?";
	char port[8] = "?";

	memset(&ret->address, 0, sizeof(ret->address));
	memcpy(&ret->address, address,
			length < sizeof(ret->address) ? length : sizeof(ret->address));
	if (getnameinfo(address, length, host, sizeof(host), port, sizeof(port),
			    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
		snprintf(ret->text, sizeof(ret->text), "unknown");
		return;
	}
	snprintf(ret->text, sizeof(ret->text), address->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s",
			host, port);
}
