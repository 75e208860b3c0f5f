/* The header of the PROXY protocol, version 2, by which a proxy tells whose connection it hands on:
 * https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt, section 2.2. Pure. */
#ifndef NET_PROXY_H
#define NET_PROXY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/* What comes before the part whose length it tells. */
#define PROXY_HEAD_BYTES 16
/* All of a header; addresses are 36 of it at most, the rest is what a proxy adds. Longer ones are
 * refused. */
#define PROXY_BYTES_MAX 1040

enum proxy_result {
	PROXY_MORE,  /* *ret_wanted: how long it is at least */
	PROXY_BAD,   /* no such header, or none that can be believed */
	PROXY_LOCAL, /* the proxy's own connection (a health check), or from nobody can say where */
	PROXY_FROM   /* *ret_address, *ret_length: the client */
};

/* Read what has come of a header, which may be less than all. Reading no more than *ret_wanted
 * bytes at a time leaves what follows the header untouched. */
enum proxy_result proxy_parse(const unsigned char *data, size_t length, size_t *ret_wanted,
		struct sockaddr_storage *ret_address, socklen_t *ret_length);

/* Do these bytes begin a header? False for fewer than its signature has. */
bool proxy_begins(const void *data, size_t length);

#endif
