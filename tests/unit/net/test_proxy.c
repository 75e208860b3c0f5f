#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/proxy.h"
#include "tests/unit/game/cmocka_all.h"

#define SIGNATURE "\r\n\r\n\0\r\nQUIT\n"
#define TCP4 SIGNATURE "\x21\x11\0\x0c\xc0\0\2\7\xc0\0\2\1\4\xd2\x10\x92"

static struct sockaddr_storage address;
static size_t wanted;

/* Reads from memory of just that length. */
static enum proxy_result parse(const void *data, size_t length)
{
	unsigned char *copy = malloc(length + 1);
	enum proxy_result result;
	socklen_t address_length = 0;

	assert_non_null(copy);
	memcpy(copy + 1, data, length);
	memset(&address, 0, sizeof(address));
	wanted = 0;
	result = proxy_parse(copy + 1, length, &wanted, &address, &address_length);
	free(copy);
	return result;
}

static void the_client_of_a_header_is_its_source(void **state)
{
	struct sockaddr_in ipv4;
	char text[INET_ADDRSTRLEN];

	(void)state;
	assert_int_equal(parse(TCP4, sizeof(TCP4) - 1), PROXY_FROM);
	memcpy(&ipv4, &address, sizeof(ipv4));
	assert_int_equal(ipv4.sin_family, AF_INET);
	assert_int_equal(ntohs(ipv4.sin_port), 1234);
	assert_string_equal(inet_ntop(AF_INET, &ipv4.sin_addr, text, sizeof(text)), "192.0.2.7");
}

static void every_beginning_wants_what_is_known_to_come(void **state)
{
	(void)state;
	for (size_t length = 0; length < sizeof(TCP4) - 1; length++) {
		assert_int_equal(parse(TCP4, length), PROXY_MORE);
		assert_int_equal(wanted, length < 16 ? 16 : 28);
		assert_int_equal(proxy_begins(TCP4, length), length >= 12);
	}
}

static void the_first_wrong_byte_is_enough(void **state)
{
	unsigned char data[] = SIGNATURE;

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		data[i] ^= 1;
		assert_int_equal(parse(data, i + 1), PROXY_BAD);
		data[i] ^= 1;
	}
}

static bool may_follow(unsigned char command, unsigned char family, uint16_t extent)
{
	static unsigned char data[16 + 65535] = SIGNATURE;
	enum proxy_result result;

	data[12] = command;
	data[13] = family;
	data[14] = (unsigned char)(extent >> 8);
	data[15] = (unsigned char)extent;
	result = parse(data, (size_t)16 + extent);
	assert_int_not_equal(result, PROXY_MORE);
	return result != PROXY_BAD;
}

static void only_version_two_and_what_it_has_is_taken(void **state)
{
	(void)state;
	for (unsigned int command = 0; command < 256; command++) {
		assert_int_equal(may_follow((unsigned char)command, 0x11, 12),
				command == 0x20 || command == 0x21);
	}
	for (unsigned int family = 0; family < 256; family++) {
		assert_int_equal(may_follow(0x21, (unsigned char)family, 36),
				family == 0 || family == 0x11 || family == 0x21);
		/* The proxy's own connection has no address. */
		assert_true(may_follow(0x20, (unsigned char)family, 0));
	}
}

static void addresses_have_their_room_and_the_rest_its_limit(void **state)
{
	(void)state;
	assert_false(may_follow(0x21, 0x11, 11));
	assert_true(may_follow(0x21, 0x11, 12));
	assert_false(may_follow(0x21, 0x21, 35));
	assert_true(may_follow(0x21, 0x21, 36));
	assert_true(may_follow(0x21, 0x11, PROXY_BYTES_MAX - PROXY_HEAD_BYTES));
	assert_false(may_follow(0x21, 0x11, PROXY_BYTES_MAX - PROXY_HEAD_BYTES + 1));
	assert_false(may_follow(0x20, 0, 65535));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(the_client_of_a_header_is_its_source),
			cmocka_unit_test(every_beginning_wants_what_is_known_to_come),
			cmocka_unit_test(the_first_wrong_byte_is_enough),
			cmocka_unit_test(only_version_two_and_what_it_has_is_taken),
			cmocka_unit_test(addresses_have_their_room_and_the_rest_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
