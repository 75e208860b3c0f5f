/* An address to listen on, as people write it: "127.0.0.1:4242", "[::1]:4242", "localhost:0",
 * "*:4242" (every IPv4 address of the machine), "[::]:4242" (every IPv6 address). */
#ifndef OPS_ADDRESS_H
#define OPS_ADDRESS_H

#include <stdbool.h>

#define ADDRESS_HOST_SIZE 256

struct address {
	char host[ADDRESS_HOST_SIZE]; /* without brackets */
	char port[6];		      /* decimal, 0 to 65535; 0: the system picks one */
};

/* False where the text is no such address; whether the host exists is not asked. */
bool address_split(const char *text, struct address *ret);

#endif
