#include "server/net/proxy.h"

#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

/* "\r\n\r\n\0\r\nQUIT\n": what speaks another protocol takes it for an end. */
static const unsigned char signature[12] = {
		0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};

#define VERSION 2U
/* Places in the header. */
#define AT_COMMAND 12
#define AT_FAMILY 13
#define AT_LENGTH 14

enum proxy_command { COMMAND_LOCAL = 0, COMMAND_PROXY = 1 };
/* Family and transport in one byte. */
enum proxy_family { FAMILY_UNKNOWN = 0x00, FAMILY_TCP4 = 0x11, FAMILY_TCP6 = 0x21 };

#define TCP4_BYTES 12
#define TCP6_BYTES 36

bool proxy_begins(const void *data, size_t length)
{
	return length >= sizeof(signature) && memcmp(data, signature, sizeof(signature)) == 0;
}

static enum proxy_result read_tcp4(
		const unsigned char *data, struct sockaddr_storage *ret, socklen_t *ret_length)
{
	struct sockaddr_in address = {.sin_family = AF_INET};

	memcpy(&address.sin_addr, data, 4);
	memcpy(&address.sin_port, data + 8, 2);
	memcpy(ret, &address, sizeof(address));
	*ret_length = sizeof(address);
	return PROXY_FROM;
}

static enum proxy_result read_tcp6(
		const unsigned char *data, struct sockaddr_storage *ret, socklen_t *ret_length)
{
	struct sockaddr_in6 address = {.sin6_family = AF_INET6};

	memcpy(&address.sin6_addr, data, 16);
	memcpy(&address.sin6_port, data + 32, 2);
	memcpy(ret, &address, sizeof(address));
	*ret_length = sizeof(address);
	return PROXY_FROM;
}

/* The whole header is there; `extent` bytes follow its head. */
static enum proxy_result read_address(const unsigned char *data, size_t extent,
		struct sockaddr_storage *ret, socklen_t *ret_length)
{
	const unsigned char *addresses = data + PROXY_HEAD_BYTES;

	if ((data[AT_COMMAND] & 0x0fU) == COMMAND_LOCAL) {
		return PROXY_LOCAL;
	}
	switch (data[AT_FAMILY]) {
	case FAMILY_UNKNOWN:
		return PROXY_LOCAL;
	case FAMILY_TCP4:
		return extent < TCP4_BYTES ? PROXY_BAD : read_tcp4(addresses, ret, ret_length);
	case FAMILY_TCP6:
		return extent < TCP6_BYTES ? PROXY_BAD : read_tcp6(addresses, ret, ret_length);
	default:
		return PROXY_BAD; /* Unix sockets, datagrams */
	}
}

enum proxy_result proxy_parse(const unsigned char *data, size_t length, size_t *ret_wanted,
		struct sockaddr_storage *ret_address, socklen_t *ret_length)
{
	const size_t begun = length < sizeof(signature) ? length : sizeof(signature);
	size_t extent;

	if (memcmp(data, signature, begun) != 0) {
		return PROXY_BAD;
	}
	if (length < PROXY_HEAD_BYTES) {
		*ret_wanted = PROXY_HEAD_BYTES;
		return PROXY_MORE;
	}
	extent = (size_t)data[AT_LENGTH] << 8 | data[AT_LENGTH + 1];
	if (data[AT_COMMAND] >> 4 != VERSION || (data[AT_COMMAND] & 0x0fU) > COMMAND_PROXY ||
			extent > PROXY_BYTES_MAX - PROXY_HEAD_BYTES) {
		return PROXY_BAD;
	}
	if (length < PROXY_HEAD_BYTES + extent) {
		*ret_wanted = PROXY_HEAD_BYTES + extent;
		return PROXY_MORE;
	}
	return read_address(data, extent, ret_address, ret_length);
}
