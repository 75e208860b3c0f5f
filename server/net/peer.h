/* Who is at the other end of a connection: his address as text, and the part of it that one
 * household has in common. */
#ifndef NET_PEER_H
#define NET_PEER_H

#include <stdbool.h>
#include <sys/socket.h>

#include "server/ops/prefix.h"

/* "[ADDRESS%SCOPE]:PORT", for the log. */
#define PEER_TEXT_SIZE 72
/* "192.0.2.1", "2001:db8:0:1::/64". */
#define PEER_GROUP_SIZE 64

struct peer_name {
	char text[PEER_TEXT_SIZE];
	char group[PEER_GROUP_SIZE];
	uint8_t address[PREFIX_ADDRESS_BYTES];
	bool has_address;
	bool is_operator; /* he came by that door: there is no group */
};

/* An IPv4 address is a group of its own, also where it comes dressed as IPv6; of an IPv6 address
 * whoever has one has all with the same first 64 bits. */
void peer_name_of(const struct sockaddr *address, socklen_t length, struct peer_name *ret);

#endif
