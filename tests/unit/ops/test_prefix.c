#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "server/ops/prefix.h"
#include "tests/unit/game/cmocka_all.h"

static bool has(const char *block, const char *text)
{
	struct sockaddr_storage storage = {0};
	struct sockaddr_in ipv4 = {.sin_family = AF_INET};
	struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
	struct prefix prefix;

	assert_true(prefix_parse(block, &prefix));
	if (inet_pton(AF_INET, text, &ipv4.sin_addr) == 1) {
		memcpy(&storage, &ipv4, sizeof(ipv4));
	} else {
		assert_int_equal(inet_pton(AF_INET6, text, &ipv6.sin6_addr), 1);
		memcpy(&storage, &ipv6, sizeof(ipv6));
	}
	return prefix_has(&prefix, (struct sockaddr *)&storage);
}

static void assert_ends(const char *text, const char *inside, const char *outside)
{
	assert_true(has(text, inside));
	assert_false(has(text, outside));
}

static void an_address_alone_is_that_address(void **state)
{
	(void)state;
	assert_ends("10.0.0.7", "10.0.0.7", "10.0.0.6");
	assert_ends("fd00::7", "fd00::7", "fd00::8");
}

static void a_block_ends_where_its_bits_say(void **state)
{
	(void)state;
	assert_ends("10.0.0.0/8", "10.255.255.255", "11.0.0.0");
	assert_ends("192.0.2.128/25", "192.0.2.128", "192.0.2.127");
	assert_ends("fd00::/8", "fdff::1", "fe00::1");
	assert_ends("0.0.0.0/0", "203.0.113.9", "2001:db8::1");
}

static void a_block_of_ipv6_holds_no_ipv4_address_however_wide_it_is(void **state)
{
	(void)state;
	assert_ends("::/0", "2001:db8::1", "203.0.113.9");
	assert_ends("::/95", "::1", "10.0.0.1");
	assert_false(has("::/80", "::ffff:203.0.113.9"));
	assert_false(has("::fffe:0:0/95", "10.0.0.1"));
	assert_true(has("::ffff:0:0/96", "10.0.0.1"));
}

static void an_ipv4_address_in_the_dress_of_ipv6_is_that_ipv4_address(void **state)
{
	(void)state;
	assert_true(has("10.0.0.0/8", "::ffff:10.1.2.3"));
	assert_true(has("::ffff:10.0.0.0/104", "10.1.2.3"));
}

static void what_is_no_address_or_block_is_refused(void **state)
{
	static const char *const wrong[] = {"", "/", "/8", "10.0.0.0/", "10.0.0.0/33",
			"10.0.0.0/-1", "10.0.0.0/8x", "10.0.0.0/0008", "10.0.0", "localhost",
			"10.0.0.1/8", "fd00::1/8", "::/129", "10.0.0.0/8/8", " 10.0.0.1",
			"1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb:cccc:dddd"};
	struct prefix prefix;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_false(prefix_parse(wrong[i], &prefix));
	}
}

static void what_has_no_address_is_in_no_block(void **state)
{
	const struct sockaddr_un local = {.sun_family = AF_UNIX};
	struct prefix prefix;

	(void)state;
	assert_true(prefix_parse("::/0", &prefix));
	assert_false(prefix_has(&prefix, (const struct sockaddr *)&local));
}

static void a_block_is_written_as_people_write_it(void **state)
{
	static const struct {
		const char *read;
		const char *written;
	} cases[] = {
			{"10.0.0.0/8", "10.0.0.0/8"},
			{"192.0.2.7", "192.0.2.7"},
			{"192.0.2.7/32", "192.0.2.7"},
			{"::ffff:10.0.0.0/104", "10.0.0.0/8"},
			{"0.0.0.0/0", "0.0.0.0/0"},
			{"2001:DB8:0::/48", "2001:db8::/48"},
			{"::1/128", "::1"},
			{"::/0", "::/0"},
			{"::/95", "::/95"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct prefix prefix;
		char text[PREFIX_TEXT_SIZE];

		assert_true(prefix_parse(cases[i].read, &prefix));
		prefix_write(&prefix, text);
		assert_string_equal(text, cases[i].written);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(an_address_alone_is_that_address),
			cmocka_unit_test(a_block_ends_where_its_bits_say),
			cmocka_unit_test(a_block_of_ipv6_holds_no_ipv4_address_however_wide_it_is),
			cmocka_unit_test(an_ipv4_address_in_the_dress_of_ipv6_is_that_ipv4_address),
			cmocka_unit_test(what_is_no_address_or_block_is_refused),
			cmocka_unit_test(what_has_no_address_is_in_no_block),
			cmocka_unit_test(a_block_is_written_as_people_write_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
