#include "server/net/peer.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#define V4_IN_V6_BYTES 12
#define GROUP_BYTES 8

static void write_text(
		const struct sockaddr *address, socklen_t length, char ret_text[PEER_TEXT_SIZE])
{
	char host[64] = "?";
	char port[8] = "?";

	if (getnameinfo(address, length, host, sizeof(host), port, sizeof(port),
			    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
		snprintf(ret_text, PEER_TEXT_SIZE, "unknown");
		return;
	}
	snprintf(ret_text, PEER_TEXT_SIZE, address->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s",
			host, port);
}

static void write_ipv6_group(struct in6_addr address, char ret_group[PEER_GROUP_SIZE])
{
	char text[INET6_ADDRSTRLEN] = "";

	if (IN6_IS_ADDR_V4MAPPED(&address)) {
		inet_ntop(AF_INET, &address.s6_addr[V4_IN_V6_BYTES], ret_group, PEER_GROUP_SIZE);
		return;
	}
	memset(&address.s6_addr[GROUP_BYTES], 0, sizeof(address.s6_addr) - GROUP_BYTES);
	inet_ntop(AF_INET6, &address, text, sizeof(text));
	snprintf(ret_group, PEER_GROUP_SIZE, "%s/64", text);
}

void peer_name_of(const struct sockaddr *address, socklen_t length, struct peer_name *ret)
{
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;

	*ret = (struct peer_name){0};
	write_text(address, length, ret->text);
	ret->has_address = prefix_address(address, ret->address);
	snprintf(ret->group, sizeof(ret->group), "unknown");
	if (address->sa_family == AF_INET) {
		memcpy(&ipv4, address, sizeof(ipv4));
		inet_ntop(AF_INET, &ipv4.sin_addr, ret->group, sizeof(ret->group));
	} else if (address->sa_family == AF_INET6) {
		memcpy(&ipv6, address, sizeof(ipv6));
		write_ipv6_group(ipv6.sin6_addr, ret->group);
	}
}
