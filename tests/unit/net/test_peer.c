#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include "server/net/peer.h"
#include "tests/unit/game/cmocka_all.h"

static void expect_ipv4(const char *address, const char *text, const char *group)
{
	struct sockaddr_in ipv4 = {.sin_family = AF_INET, .sin_port = htons(4242)};
	struct peer_name name;

	assert_int_equal(inet_pton(AF_INET, address, &ipv4.sin_addr), 1);
	peer_name_of((struct sockaddr *)&ipv4, sizeof(ipv4), &name);
	assert_string_equal(name.text, text);
	assert_string_equal(name.group, group);
}

static void expect_ipv6(const char *address, const char *text, const char *group)
{
	struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6, .sin6_port = htons(4242)};
	struct peer_name name;

	assert_int_equal(inet_pton(AF_INET6, address, &ipv6.sin6_addr), 1);
	peer_name_of((struct sockaddr *)&ipv6, sizeof(ipv6), &name);
	assert_string_equal(name.text, text);
	assert_string_equal(name.group, group);
}

static void an_ipv4_address_is_a_group_of_its_own(void **state)
{
	(void)state;
	expect_ipv4("192.0.2.1", "192.0.2.1:4242", "192.0.2.1");
	expect_ipv4("255.255.255.255", "255.255.255.255:4242", "255.255.255.255");
}

static void an_ipv6_address_counts_by_its_first_half(void **state)
{
	(void)state;
	expect_ipv6("2001:db8:1:2:3:4:5:6", "[2001:db8:1:2:3:4:5:6]:4242", "2001:db8:1:2::/64");
	expect_ipv6("2001:db8:1:2:ffff::9", "[2001:db8:1:2:ffff::9]:4242", "2001:db8:1:2::/64");
	expect_ipv6("2001:db8:1:3::1", "[2001:db8:1:3::1]:4242", "2001:db8:1:3::/64");
	expect_ipv6("::1", "[::1]:4242", "::/64");
}

static void an_ipv4_address_dressed_as_ipv6_is_itself(void **state)
{
	(void)state;
	expect_ipv6("::ffff:192.0.2.7", "[::ffff:192.0.2.7]:4242", "192.0.2.7");
}

static void whoever_has_no_address_is_in_a_group_with_his_like(void **state)
{
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	struct peer_name name;

	(void)state;
	peer_name_of((struct sockaddr *)&local, 2, &name);
	assert_string_equal(name.group, "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(an_ipv4_address_is_a_group_of_its_own),
			cmocka_unit_test(an_ipv6_address_counts_by_its_first_half),
			cmocka_unit_test(an_ipv4_address_dressed_as_ipv6_is_itself),
			cmocka_unit_test(whoever_has_no_address_is_in_a_group_with_his_like),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
