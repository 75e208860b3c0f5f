/* A block of addresses, as people write it: "10.0.0.0/8", "fd00::/8", or one address alone. An
 * IPv4 address that is written as an IPv6 one (::ffff:10.0.0.1) is that IPv4 address; a block of
 * IPv6 addresses has none of them in it, however wide it is (::/0). */
#ifndef OPS_PREFIX_H
#define OPS_PREFIX_H

#include <stdbool.h>
#include <stdint.h>

/* An address: IPv4 as ::ffff:a.b.c.d, so that both are compared alike. */
#define PREFIX_ADDRESS_BYTES 16
/* "ffff:…:255.255.255.255/128" */
#define PREFIX_TEXT_SIZE 52

struct sockaddr;

struct prefix {
	uint8_t bytes[PREFIX_ADDRESS_BYTES];
	unsigned int bits; /* of bytes that count: 0 to 128 */
};

/* False where the text is no address or block, or where bits are set that do not count. */
bool prefix_parse(const char *text, struct prefix *ret);

/* Is the address in the block? False for what is neither IPv4 nor IPv6. */
bool prefix_has(const struct prefix *prefix, const struct sockaddr *address);

/* The bytes of an address; false, and nothing is written, for what is neither IPv4 nor IPv6. */
bool prefix_address(const struct sockaddr *address, uint8_t ret_bytes[PREFIX_ADDRESS_BYTES]);
bool prefix_holds(const struct prefix *prefix, const uint8_t bytes[PREFIX_ADDRESS_BYTES]);
/* The same by the bits alone, whatever family they are of. */
bool prefix_begins(const struct prefix *prefix, const uint8_t bytes[PREFIX_ADDRESS_BYTES]);

/* As people write it: a block of one address without its bits. */
void prefix_write(const struct prefix *prefix, char ret_text[PREFIX_TEXT_SIZE]);

#endif
