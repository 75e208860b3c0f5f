#include "server/ops/prefix.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define ADDRESS_BITS 128U
#define IPV4_BITS 32U
/* Bytes before those of an IPv4 address. */
#define MAPPED_BYTES 12

static const uint8_t mapped[MAPPED_BYTES] = {[10] = 0xff, [11] = 0xff};

/* The address in text[0..length), and how many bits its family has. */
static bool read_address(
		const char *text, size_t length, uint8_t ret_bytes[16], unsigned int *ret_bits)
{
	char copy[INET6_ADDRSTRLEN];

	if (length >= sizeof(copy)) {
		return false;
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	memcpy(ret_bytes, mapped, MAPPED_BYTES);
	*ret_bits = IPV4_BITS;
	if (inet_pton(AF_INET, copy, ret_bytes + MAPPED_BYTES) == 1) {
		return true;
	}
	*ret_bits = ADDRESS_BITS;
	return inet_pton(AF_INET6, copy, ret_bytes) == 1;
}

static bool read_bits(const char *text, unsigned int most, unsigned int *ret_bits)
{
	const size_t length = strlen(text);

	if (length < 1 || length > 3 || strspn(text, "0123456789") != length) {
		return false;
	}
	*ret_bits = (unsigned int)strtoul(text, NULL, 10);
	return *ret_bits <= most;
}

static bool bit_is_set(const uint8_t *bytes, unsigned int bit)
{
	return (bytes[bit / 8] >> (7 - bit % 8) & 1) != 0;
}

bool prefix_parse(const char *text, struct prefix *ret)
{
	const char *slash = strchr(text, '/');
	const size_t length = slash == NULL ? strlen(text) : (size_t)(slash - text);
	struct prefix prefix = {0};
	unsigned int most = 0;
	unsigned int bits;

	if (!read_address(text, length, prefix.bytes, &most)) {
		return false;
	}
	bits = most;
	if (slash != NULL && !read_bits(slash + 1, most, &bits)) {
		return false;
	}
	prefix.bits = ADDRESS_BITS - most + bits;
	for (unsigned int bit = prefix.bits; bit < ADDRESS_BITS; bit++) {
		if (bit_is_set(prefix.bytes, bit)) {
			return false;
		}
	}
	*ret = prefix;
	return true;
}

bool prefix_address(const struct sockaddr *address, uint8_t ret_bytes[PREFIX_ADDRESS_BYTES])
{
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;

	if (address->sa_family == AF_INET) {
		memcpy(&ipv4, address, sizeof(ipv4));
		memcpy(ret_bytes, mapped, MAPPED_BYTES);
		memcpy(ret_bytes + MAPPED_BYTES, &ipv4.sin_addr, sizeof(ipv4.sin_addr));
		return true;
	}
	if (address->sa_family == AF_INET6) {
		memcpy(&ipv6, address, sizeof(ipv6));
		memcpy(ret_bytes, &ipv6.sin6_addr, sizeof(ipv6.sin6_addr));
		return true;
	}
	return false;
}

bool prefix_begins(const struct prefix *prefix, const uint8_t bytes[PREFIX_ADDRESS_BYTES])
{
	const unsigned int whole = prefix->bits / 8;
	const unsigned int rest = prefix->bits % 8;

	return memcmp(bytes, prefix->bytes, whole) == 0 &&
	       (rest == 0 || (bytes[whole] ^ prefix->bytes[whole]) >> (8 - rest) == 0);
}

bool prefix_holds(const struct prefix *prefix, const uint8_t bytes[PREFIX_ADDRESS_BYTES])
{
	/* Whoever writes ::/0 means all of IPv6, however IPv4 addresses are kept here. */
	const bool is_of_ipv6 = prefix->bits < ADDRESS_BITS - IPV4_BITS;

	return prefix_begins(prefix, bytes) &&
	       !(is_of_ipv6 && memcmp(bytes, mapped, MAPPED_BYTES) == 0);
}

bool prefix_has(const struct prefix *prefix, const struct sockaddr *address)
{
	uint8_t bytes[PREFIX_ADDRESS_BYTES];

	return prefix_address(address, bytes) && prefix_holds(prefix, bytes);
}

void prefix_write(const struct prefix *prefix, char ret_text[PREFIX_TEXT_SIZE])
{
	char text[INET6_ADDRSTRLEN] = "";
	const bool is_ipv4 = prefix->bits >= ADDRESS_BITS - IPV4_BITS &&
			     memcmp(prefix->bytes, mapped, MAPPED_BYTES) == 0;
	const unsigned int most = is_ipv4 ? IPV4_BITS : ADDRESS_BITS;
	const unsigned int bits = prefix->bits - (ADDRESS_BITS - most);

	inet_ntop(is_ipv4 ? AF_INET : AF_INET6, prefix->bytes + (is_ipv4 ? MAPPED_BYTES : 0), text,
			sizeof(text));
	if (bits == most) {
		snprintf(ret_text, PREFIX_TEXT_SIZE, "%s", text);
	} else {
		snprintf(ret_text, PREFIX_TEXT_SIZE, "%s/%u", text, bits);
	}
}
